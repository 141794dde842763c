// Python's built-in functions, by Python's names: the whole list of those that the page has.
//
// The translator reads this file. A function's parameters are those of Python that the page knows, by name; those in
// braces, which come first, are given by keyword only. Each does what Python's does, or throws.

import { fixedPoint, general, python } from "./numbers.js";
import { Dict, each, Group, isArray, less, truth, unsupported } from "./python.js";

export class ValueError extends Error {}

export function len(all) {
  if (Array.isArray(all) || ArrayBuffer.isView(all)) return all.length;
  if (typeof all === "string") return [...all].length;
  if (all instanceof Set || all instanceof Map) return all.size;
  return all?.columns ? all.data.length / all.columns : unsupported("len", all);
}

export const bool = (value) => truth(value);

export function float(value) {
  const found = typeof value === "string" && !value.trim() ? Number.NaN : Number(value);
  if (Number.isNaN(found) && typeof value !== "number") throw new ValueError(`no float: ${value}`);
  return found;
}

export function int(value) {
  const found = Math.trunc(float(value));
  if (!Number.isFinite(found)) throw new ValueError(`no int: ${value}`);
  return found + 0;
}

export const abs = (value) => (typeof value === "number" ? Math.abs(value) : unsupported("abs", value));

export function str(value) {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "True" : "False";
  if (value === null) return "None";
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : python(value);
  return value instanceof Error ? value.message : unsupported("str", value);
}

export function repr(value) {
  if (typeof value === "number") return python(value);
  return typeof value?.repr === "function" ? value.repr() : unsupported("repr", value);
}

// A number in a form such as g, .4g or .2f; the translator lets no other through.
export function format(value, form) {
  if (typeof value !== "number") return unsupported(`format ${form}`, value);
  const digits = Number(form.slice(1, -1) || 6);
  if (form.endsWith("f") && Math.abs(value) >= 1e15) return unsupported("format f beyond 1e15", value);
  const text = form.endsWith("f")
    ? fixedPoint(Math.abs(value), digits)
    : general(Math.abs(value), Math.max(digits, 1));
  return value < 0 || Object.is(value, -0) ? `-${text}` : text;
}

export function round(number, ndigits = 0) {
  if (typeof number !== "number" || Math.abs(number) >= 1e15) return unsupported("round", number);
  return Number(fixedPoint(number, ndigits ?? 0));
}

export const any = (all) => each(all).some(truth);
export const all = (every) => each(every).every(truth);
export const sum = (all, start = 0) => each(all).reduce((total, one) => total + one, start);
export const list = (all = []) => [...each(all)];
export const tuple = (all = []) => [...each(all)];
export const frozenset = (all = []) => new Group(each(all));
export const set = (all = []) => new Group(each(all));
export const dict = (pairs = []) => new Dict(pairs instanceof Map ? pairs : each(pairs));
export const dict_fromkeys = (all, value = null) => new Dict(each(all).map((key) => [key, value]));

export const map = (act, ...lists) => zip({}, ...lists).map((given) => act(...given));
export const filter = (test, all) => each(all).filter((one) => truth(test === null ? one : test(one)));

export function zip({ strict = false }, ...lists) {
  const all = lists.map(each);
  const length = Math.min(...all.map((one) => one.length));
  if (strict && all.some((one) => one.length !== length)) throw new ValueError("zip of unlike lengths");
  return all.length ? all[0].slice(0, length).map((_, k) => all.map((one) => one[k])) : [];
}

export const enumerate = (all, start = 0) => each(all).map((value, k) => [k + start, value]);

export function range(first, end = undefined, step = 1) {
  const [from, to] = end === undefined ? [0, first] : [first, end];
  return Array.from({ length: Math.max(0, Math.ceil((to - from) / step)) }, (_, k) => from + step * k);
}

export const reversed = (all) => [...each(all)].reverse();

// The first of what is given: the translator writes a generator as a list, so a second call would begin anew.
export function next(all, otherwise = undefined) {
  const found = each(all);
  if (!found.length && otherwise === undefined) throw new ValueError("there is no next one");
  return found.length ? found[0] : otherwise;
}

export const isinstance = (value, kinds) => [kinds].flat(9).some((kind) => value instanceof kind);
export const setattr = (owner, name, value) => (owner[name] = value);
export const getattr = (owner, name) => (name in owner ? owner[name] : unsupported(`.${name}`, owner));

function best(better, key, otherwise, given) {
  const all = given.length > 1 ? given : each(given[0]);
  if (!all.length && otherwise === undefined) throw new ValueError("there is none to choose");
  if (!all.length) return otherwise;
  const measure = key ?? ((value) => value);
  let [found, size] = [all[0], measure(all[0])];
  for (let k = 1; k < all.length; k++) {
    const one = measure(all[k]);
    if (better(one, size)) [found, size] = [all[k], one];
  }
  return found;
}

export const min = ({ key, default: otherwise }, ...given) => best(less, key, otherwise, given);
export const max = ({ key, default: otherwise }, ...given) =>
  best((a, b) => less(b, a), key, otherwise, given);

export function sorted({ key = null, reverse = false }, all) {
  if (isArray(all)) return unsupported("sorted", all);
  const pairs = each(all).map((one) => [key === null ? one : key(one), one]);
  const order = (a, b) => (less(a[0], b[0]) ? -1 : less(b[0], a[0]) ? 1 : 0);
  pairs.sort(truth(reverse) ? (a, b) => order(b, a) : order);
  return pairs.map(([, one]) => one);
}
