// Built-in parts of Python, for the script that is translated from Python: operators on vectors, lists and sets, the
// functions and the methods of text and lists that it uses, and named tuples.
//
// Tuples and lists are arrays, a dict is a Map, None is null. Nothing here is changed by a function that reads it.

import { call } from "./kernels.js";
import { cos_sin, fixedPoint, frexp, general, hypot, ldexp, nextAfter, python, sumOf } from "./numbers.js";

export class ValueError extends Error {}

// A named tuple: an array whose values have names, too.
export class Tuple extends Array {
  static get [Symbol.species]() {
    return Array;
  }

  static made(...values) {
    return new this(...values);
  }

  _replace(changes) {
    return new this.constructor(
      ...this.constructor.fields.map((name, k) => (name in changes ? changes[name] : this[k])),
    );
  }
}

export class Vec extends Tuple {
  constructor(x, y) {
    super();
    this.push(x, y);
  }
  get x() {
    return this[0];
  }
  get y() {
    return this[1];
  }
  get length_() {
    return hypot(this[0], this[1]);
  }
  get angle() {
    return Math.atan2(this[1], this[0]);
  }
  get perpendicular() {
    return new Vec(-this[1], this[0]);
  }
  rotated(angle) {
    const [c, s] = cos_sin(angle);
    return new Vec(c * this[0] - s * this[1], s * this[0] + c * this[1]);
  }
  plus([x, y]) {
    return new Vec(this[0] + x, this[1] + y);
  }
  times(factor) {
    return new Vec(this[0] * factor, this[1] * factor);
  }
  dot(other) {
    return this[0] * other[0] + this[1] * other[1];
  }
  cross(other) {
    return this[0] * other[1] - this[1] * other[0];
  }
}

// --- operators ---

export function add(a, b) {
  if (a instanceof Vec) return a.plus(b);
  return Array.isArray(a) ? [...a, ...b] : a + b;
}

export function subtract(a, b) {
  return a instanceof Vec ? a.plus([-b[0], -b[1]]) : a - b;
}

export function multiply(a, b) {
  if (a instanceof Vec) return a.times(b);
  if (b instanceof Vec) return b.times(a);
  if (typeof a === "string") return a.repeat(b);
  return Array.isArray(a) ? Array(b).fill(a).flat() : a * b;
}

export const divide = (a, b) => (a instanceof Vec ? new Vec(a[0] / b, a[1] / b) : a / b);
export const floor = (a, b) => Math.floor(a / b);
export const modulo = (a, b) => a - b * Math.floor(a / b);
export const power = (a, b) => a ** b;
export const negative = (a) => (a instanceof Vec ? new Vec(-a[0], -a[1]) : -a);

// The union of two sets, dicts or classes.
export function either(a, b) {
  if (a instanceof Map) return new Map([...a, ...b]);
  return a instanceof Set ? new Set([...a, ...b]) : [a, b].flat();
}

export const toggled = (a, b) => new Set([...a, ...b].filter((one) => a.has(one) !== b.has(one)));
export const or = (a, other) => (truth(a) ? a : other());
export const and = (a, other) => (truth(a) ? other() : a);

export function truth(value) {
  if (typeof value !== "object" || value === null) return Boolean(value);
  return (value.length ?? value.size ?? 1) > 0;
}

export function equal(a, b) {
  if (a === b || a === null || b === null || typeof a !== "object" || typeof b !== "object") return a === b;
  if (a instanceof Set) return a.size === b.size && [...a].every((one) => b.has(one));
  return Array.isArray(a) && a.length === b.length && a.every((value, k) => equal(value, b[k]));
}

export function has(all, one) {
  if (Array.isArray(all)) return all.some((value) => equal(value, one));
  return typeof all === "string" ? all.includes(one) : all.has(one);
}

function less(a, b) {
  if (!Array.isArray(a)) return a < b;
  const k = a.findIndex((value, at) => !equal(value, b[at]));
  return k >= 0 && less(a[k], b[k]);
}

// --- places in a list, a dict, an array of a kernel ---

const rowsOf = ({ data, columns }) =>
  Array.from({ length: data.length / columns }, (_, k) => [...data.slice(k * columns, (k + 1) * columns)]);

export const tolist = (all) => (all.columns ? rowsOf(all) : [...all]);
export const at = (all, k) => (all instanceof Map ? all.get(k) : all[k < 0 ? all.length + k : k]);
export const put = (all, k, value) => (all instanceof Map ? all.set(k, value) : all.splice(k, 1, value));
export const remove = (all, first, last) => all.splice(0, all.slice(first ?? 0, last).length);

export function slice(given, first, last, step) {
  const all = given.columns ? rowsOf(given) : given;
  if (step === -1) return [...all].reverse();
  return all.slice(first ?? 0, last ?? undefined);
}

export function list(all = []) {
  if (Array.isArray(all)) return all;
  return all instanceof Map ? [...all.keys()] : [...all];
}

export const iter = (all) => (all instanceof Map ? all.keys() : all);
export const tuple = (all = []) => [...list(all)];
export const frozenset = (all = []) => new Set(all);
export const set = frozenset;
export const keys = (all) => [...all.keys()];
export const values = (all) => [...all.values()];
export const items = (all) => [...all.entries()];
// A key may be a tuple.
export function get(all, key, otherwise = null) {
  const known = Array.isArray(key) ? [...all.keys()].find((one) => equal(one, key)) : key;
  return all.get(known) ?? otherwise;
}

export const extend = (all, more) => all.push(...list(more));
export const clear = (all) => all.splice(0);
export const index = (all, one) => all.findIndex((value) => equal(value, one));
export const bound = (owner, name) => (value) => owner[name](value);
export const replace = (value, changes) => value._replace(changes);
export const dict = (pairs) => new Map(list(pairs));
dict.fromkeys = (all) => new Map(list(all).map((key) => [key, null]));

// --- functions ---

export const len = (all) => all.length ?? all.size;
export const bool = truth;
export const int = Math.trunc;
export const float = Number;
export const cast = (_, value) => value;
export const abs = Math.abs;
export const any = (all) => list(all).some(truth);
export const all = (every) => list(every).every(truth);
export const sum = (all) => list(all).reduce((total, one) => total + one, 0);
export const map = (act, ...lists) => zip(...lists).map((given) => act(...given));
export const zip = (...lists) => list(lists[0]).map((_, k) => lists.map((one) => list(one)[k]));
export const enumerate = (all, first = 0) => list(all).map((value, k) => [k + first, value]);
export const range = (first, end) =>
  Array.from({ length: end === undefined ? first : end - first }, (_, k) =>
    end === undefined ? k : first + k,
  );
export const reversed = (all) => [...list(all)].reverse();
export const next = (all, otherwise) => (list(all).length ? list(all)[0] : otherwise);
export const bisect_right = (all, value) => all.filter((one) => one <= value).length;
export const isinstance = (value, kinds) => [kinds].flat(9).some((kind) => value instanceof kind);
export const setattr = (owner, name, value) => (owner[name] = value);
export const getattr = (owner, name) => owner[name];

export function combinations(given, count, first = 0) {
  if (count === 0) return [[]];
  return list(given).flatMap((one, k, all) =>
    k < first ? [] : combinations(all, count - 1, k + 1).map((rest) => [one, ...rest]),
  );
}

const chosen =
  (better) =>
  (options, ...given) => {
    const all = given.length > 1 ? given : list(given[0]);
    const key = options.key ?? ((value) => value);
    if (!all.length) return options.default;
    let [best, found] = [all[0], key(all[0])];
    for (let k = 1; k < all.length; k++) {
      const one = key(all[k]);
      if (better(one, found)) [best, found] = [all[k], one];
    }
    return best;
  };

export const minBy = chosen(less);
export const maxBy = chosen((a, b) => less(b, a));
export const min = (...given) => minBy({}, ...given);
export const max = (...given) => maxBy({}, ...given);

export function sortedBy({ key = (value) => value }, all) {
  return [...list(all)].sort((a, b) => (less(key(a), key(b)) ? -1 : less(key(b), key(a)) ? 1 : 0));
}

export const sorted = (all) => sortedBy({}, all);

// A function that remembers its answers as long as its arguments are there; they are compared by identity.
export function kept(find) {
  const [objects, others] = [new WeakMap(), new Map()];
  const placeOf = (value) => (typeof value === "object" && value !== null ? objects : others);
  if (find.length > 1) {
    const inner = kept((first) => kept((...rest) => find(first, ...rest)));
    return (first, ...rest) => inner(first)(...rest);
  }
  return (value) => {
    const place = placeOf(value);
    if (!place.has(value)) place.set(value, find(value));
    return place.get(value);
  };
}

// --- text ---

export const join = (between, all) => list(all).join(between);
export const split = (text, between) =>
  between === undefined ? text.trim().split(/\s+/) : text.split(between);
export const rstrip = (text, letters) => {
  let end = text.length;
  while (end > 0 && letters.includes(text[end - 1])) end--;
  return text.slice(0, end);
};
export const str = (value) => (value instanceof Error ? value.message : String(value));
export const repr = (value) => (typeof value === "number" ? python(value) : value.repr());
export const round = (value, places) => Number(fixedPoint(value, places));
export const format = (value, [, ...form]) =>
  form.at(-1) === "f"
    ? fixedPoint(value, Number(form.slice(0, -1).join("")))
    : general(value, Number(form.slice(0, -1).join("")));

// --- modules ---

export const math = {
  ...{
    hypot,
    frexp,
    ldexp,
    nextafter: nextAfter,
    fsum: (terms) => sumOf(...terms),
    inf: Infinity,
    pi: Math.PI,
    tau: 2 * Math.PI,
  },
  ...{
    floor: Math.floor,
    ceil: Math.ceil,
    log10: Math.log10,
    dist: ([a, b], [c, d]) => hypot(a - c, b - d),
    copysign: (x, y) => (y < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x)),
    sqrt: Math.sqrt,
    atan2: Math.atan2,
    radians: (x) => (x * Math.PI) / 180,
    cos: Math.cos,
    sin: Math.sin,
  },
};
export const numpy = {
  empty: (shape) =>
    Array.isArray(shape)
      ? { data: new Float64Array(shape[0] * shape[1]), columns: shape[1] }
      : new Float64Array(shape),
  array: (numbers) => Float64Array.from(numbers),
};
export const kernel = (name, given) => call(name, ...given);
