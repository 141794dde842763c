// Python's values in JavaScript, and what its operators do to them, for the script that is translated from Python.
//
// Tuples and lists are arrays, None is null, a dict is a Dict and a set a Group: a Map and a Set that find tuples by
// their values. Every operator does to each two of these what Python's does, or throws; nothing here is changed by a
// function that reads it. What is exported here is for the translator; what Python's programs may ask by name stands
// in builtins.js, library.js and methods.js.

import { call } from "./kernels.js";
import { cos_sin, hypot } from "./numbers.js";

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
  minus([x, y]) {
    return new Vec(this[0] - x, this[1] - y);
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

// A tuple as text, the same for equal ones.
function textOf(tuple) {
  return JSON.stringify(tuple, (_, part) => {
    if (typeof part === "object" && part !== null && !Array.isArray(part))
      throw new TypeError("the page has no dict or set of tuples that hold objects");
    return typeof part === "number" ? String(part) : typeof part === "string" ? `"${part}` : part;
  });
}

// The key that a Map or a Set already has for this one, or itself. True is 1 in Python, and no key here.
function keyIn(known, key) {
  if (typeof key === "boolean") throw new TypeError("the page has no dict or set of truths");
  return Array.isArray(key) ? (known?.get(textOf(key)) ?? key) : key;
}

// Map and Set ask for `set` and `add` before fields are there, so `known` is made when it is first asked for.
export class Dict extends Map {
  get(key) {
    return super.get(keyIn(this.known, key));
  }
  has(key) {
    return super.has(keyIn(this.known, key));
  }
  set(key, value) {
    const own = keyIn(this.known, key);
    this.known ??= new Map();
    if (Array.isArray(own)) this.known.set(textOf(own), own);
    return super.set(own, value);
  }
  delete(key) {
    const own = keyIn(this.known, key);
    if (Array.isArray(own)) this.known?.delete(textOf(own));
    return super.delete(own);
  }
  clear() {
    this.known?.clear();
    super.clear();
  }
}

export class Group extends Set {
  has(one) {
    return super.has(keyIn(this.known, one));
  }
  add(one) {
    const own = keyIn(this.known, one);
    this.known ??= new Map();
    if (Array.isArray(own)) this.known.set(textOf(own), own);
    return super.add(own);
  }
  delete(one) {
    const own = keyIn(this.known, one);
    if (Array.isArray(own)) this.known?.delete(textOf(own));
    return super.delete(own);
  }
  clear() {
    this.known?.clear();
    super.clear();
  }
}

// --- kinds of values ---

const isNumber = (value) => typeof value === "number" || typeof value === "boolean";
const isText = (value) => typeof value === "string";
const isSet = (value) => value instanceof Set;
const isDict = (value) => value instanceof Map;
const areBoth = (is, a, b) => is(a) && is(b);

export function unsupported(what, ...values) {
  const kinds = values.map((value) => (value === null ? "None" : (value?.constructor?.name ?? typeof value)));
  throw new TypeError(`the page has no ${what} for ${kinds.join(" and ")}`);
}

// --- operators ---

export function add(a, b) {
  if (areBoth(isNumber, a, b) || areBoth(isText, a, b)) return a + b;
  if (a instanceof Vec && Array.isArray(b)) return a.plus(b);
  if (b instanceof Vec && Array.isArray(a)) return b.plus(a);
  return areBoth(Array.isArray, a, b) ? [...a, ...b] : unsupported("+", a, b);
}

export function subtract(a, b) {
  if (areBoth(isNumber, a, b)) return a - b;
  if (a instanceof Vec && Array.isArray(b)) return a.minus(b);
  if (b instanceof Vec && Array.isArray(a)) return new Vec(...a).minus(b);
  return areBoth(isSet, a, b) ? new Group([...a].filter((one) => !b.has(one))) : unsupported("-", a, b);
}

export function multiply(a, b) {
  if (areBoth(isNumber, a, b)) return a * b;
  if (a instanceof Vec && isNumber(b)) return a.times(b);
  if (isNumber(a)) return isNumber(b) ? a * b : multiply(b, a);
  if (!Number.isInteger(Number(b)) || !isNumber(b)) return unsupported("*", a, b);
  if (isText(a)) return a.repeat(Math.max(b, 0));
  return Array.isArray(a) ? Array.from({ length: Math.max(b, 0) }, () => a).flat() : unsupported("*", a, b);
}

export function divide(a, b) {
  if (areBoth(isNumber, a, b)) return a / b;
  return a instanceof Vec && isNumber(b) ? new Vec(a[0] / b, a[1] / b) : unsupported("/", a, b);
}

const ofNumbers = (sign, find) => (a, b) => (areBoth(isNumber, a, b) ? find(a, b) : unsupported(sign, a, b));
export const floor = ofNumbers("//", (a, b) => Math.floor(a / b));
export const modulo = ofNumbers("%", (a, b) => a - b * Math.floor(a / b));
export const power = ofNumbers("**", (a, b) => a ** b);

export function negative(a) {
  if (isNumber(a)) return -a;
  return a instanceof Vec ? new Vec(-a[0], -a[1]) : unsupported("-", a);
}

// What | is asked for: the union of two sets, of two dicts, or of classes.
export function either(a, b) {
  if (areBoth(isDict, a, b)) return new Dict([...a, ...b]);
  if (areBoth(isSet, a, b)) return new Group([...a, ...b]);
  const kinds = [a, b].flat();
  return kinds.every((kind) => typeof kind === "function") ? kinds : unsupported("|", a, b);
}

const ofSets = (sign, find) => (a, b) =>
  areBoth(isSet, a, b) ? new Group(find([...a], a, [...b], b)) : unsupported(sign, a, b);
export const common = ofSets("&", (all, _, _more, b) => all.filter((one) => b.has(one)));
export const toggled = ofSets("^", (all, a, more, b) => [
  ...all.filter((one) => !b.has(one)),
  ...more.filter((one) => !a.has(one)),
]);

export const or = (a, other) => (truth(a) ? a : other());
export const and = (a, other) => (truth(a) ? other() : a);

export function truth(value) {
  if (Array.isArray(value)) return value.length > 0;
  if (isSet(value) || isDict(value)) return value.size > 0;
  if (isArray(value)) return unsupported("truth", value);
  return typeof value === "object" ? value !== null : Boolean(value);
}

export function equal(a, b) {
  if (a === b) return true;
  if (areBoth(isNumber, a, b)) return Number(a) === Number(b);
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (areBoth(Array.isArray, a, b)) return a.length === b.length && a.every((one, k) => equal(one, b[k]));
  if (areBoth(isSet, a, b)) return a.size === b.size && [...a].every((one) => b.has(one));
  if (areBoth(isDict, a, b))
    return a.size === b.size && [...a].every(([key, value]) => b.has(key) && equal(value, b.get(key)));
  if (isArray(a) || isArray(b)) return unsupported("==", a, b);
  return a.equals?.(b) ?? false;
}

export function has(all, one) {
  if (Array.isArray(all)) return all.some((value) => equal(value, one));
  if (areBoth(isText, all, one)) return all.includes(one);
  return isSet(all) || isDict(all) ? all.has(one) : unsupported("in", one, all);
}

export function less(a, b) {
  if (areBoth(isNumber, a, b) || areBoth(isText, a, b)) return a < b;
  if (areBoth(isSet, a, b)) return a.size < b.size && [...a].every((one) => b.has(one));
  if (!areBoth(Array.isArray, a, b)) return unsupported("<", a, b);
  const k = a.findIndex((value, at) => at >= b.length || !equal(value, b[at]));
  if (k < 0) return a.length < b.length;
  return k < b.length && less(a[k], b[k]);
}

export function atMost(a, b) {
  if (areBoth(isNumber, a, b)) return a <= b;
  return less(a, b) || equal(a, b);
}

// --- places in a list, a dict, an array of a kernel ---

export const isArray = (all) => ArrayBuffer.isView(all) || ArrayBuffer.isView(all?.data);
const rowsOf = ({ data, columns }) =>
  Array.from({ length: data.length / columns }, (_, k) => [...data.slice(k * columns, (k + 1) * columns)]);

export const rows = (all) => (all.columns ? rowsOf(all) : [...all]);

function placeOf(all, k) {
  const place = k < 0 ? all.length + k : k;
  if (!(place in all)) throw new RangeError(`there is no place ${k} among ${all.length}`);
  return place;
}

export function at(all, k) {
  if (isDict(all)) return all.has(k) ? all.get(k) : unsupported(`key ${k}`, all);
  if (Array.isArray(all) || ArrayBuffer.isView(all)) return all[placeOf(all, k)];
  return isText(all) ? all[placeOf([...all], k)] : unsupported("[]", all);
}

export function put(all, k, value) {
  if (isDict(all)) all.set(k, value);
  else if (Array.isArray(all)) all[placeOf(all, k)] = value;
  else unsupported("assignment to a place", all);
}

export const remove = (all, first, last) =>
  all.splice(first ?? 0, all.slice(first ?? 0, last ?? undefined).length);

export function slice(given, first, last, step) {
  const [from, to] = [first ?? 0, last ?? undefined];
  if (given.columns && step === null && from >= 0 && !(to < 0)) {
    const { data, columns } = given;
    return { data: data.slice(from * columns, to === undefined ? to : to * columns), columns };
  }
  const all = given instanceof Tuple ? [...given] : given;
  if (!Array.isArray(all) && !isText(all) && !ArrayBuffer.isView(all)) return unsupported("[:]", all);
  if (step === null) return all.slice(from, to);
  if (step !== -1 || first !== null || last !== null) return unsupported(`step ${step}`, all);
  return isText(all) ? [...all].reverse().join("") : [...all].reverse();
}

// What a loop goes through, as an array that nobody may change.
export function each(all) {
  if (Array.isArray(all)) return all;
  if (isDict(all)) return [...all.keys()];
  if (all?.columns) return unsupported("loop", all);
  return typeof all?.[Symbol.iterator] === "function" ? [...all] : unsupported("loop", all);
}

export const iter = (all) => (isDict(all) ? all.keys() : all.columns ? unsupported("loop", all) : all);

// --- functions that the translator writes ---

export const bound =
  (owner, name) =>
  (...given) =>
    owner[name](...given);
export const kernel = (name, given) => call(name, ...given);

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
