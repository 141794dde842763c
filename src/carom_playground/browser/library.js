// Functions and constants of Python's modules, by Python's names: the whole list of those that the page has.
//
// The translator reads this file as it reads builtins.js. What is no function is a constant.

import { frexp, hypot, ldexp, nextAfter, sumOf } from "./numbers.js";
import { each } from "./python.js";

export const math = {
  inf: Infinity,
  nan: Number.NaN,
  pi: Math.PI,
  tau: 2 * Math.PI,
  hypot: (x, y) => hypot(x, y),
  dist: (p, q) => hypot(p[0] - q[0], p[1] - q[1]),
  fsum: (terms) => sumOf(...each(terms)),
  frexp: (x) => frexp(x),
  ldexp: (x, i) => ldexp(x, i),
  nextafter: (x, y) => nextAfter(x, y),
  copysign: (x, y) => (y < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x)),
  floor: (x) => Math.floor(x),
  ceil: (x) => Math.ceil(x),
  sqrt: (x) => Math.sqrt(x),
  log10: (x) => Math.log10(x),
  atan2: (y, x) => Math.atan2(y, x),
  cos: (x) => Math.cos(x),
  sin: (x) => Math.sin(x),
  radians: (x) => (x * Math.PI) / 180,
  isfinite: (x) => Number.isFinite(x),
};

export const numpy = {
  float64: "float64",
  empty: (shape) =>
    Array.isArray(shape)
      ? { data: new Float64Array(shape[0] * shape[1]), columns: shape[1] }
      : new Float64Array(shape),
  array: (numbers, dtype = "float64") => (dtype === "float64" ? Float64Array.from(numbers) : null),
};

export const itertools = {
  combinations: (given, r) => combined(each(given), r, 0),
};

export const bisect = {
  bisect_right: (all, x) => all.filter((one) => one <= x).length,
};

export const dataclasses = {
  replace: (value, changes) => value._replace(changes),
};

export const typing = {
  cast: (_, value) => value,
};

function combined(all, count, first) {
  if (count === 0) return [[]];
  return all.flatMap((one, k) =>
    k < first ? [] : combined(all, count - 1, k + 1).map((rest) => [one, ...rest]),
  );
}
