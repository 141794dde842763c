// The questions about two shapes, and the box around one, with the answers of Carom's verbs, bit for bit: the kernels find
// them, and exact arithmetic is asked where rounding leaves a sign in doubt.
//
// In: shapes. Out: Python's named tuples. An answer is remembered as long as its shapes are there: in a drag only the
// pairs of one shape are asked again.

import * as carom from "./carom.js";
import { call } from "./kernels.js";
import { kept, Vec } from "./python.js";
import { Point } from "./shapes.js";

const [RADIUS, UNDECIDED] = [2, 2];

const exactSide = (a, b) => call("side_of_touching", a, 0, b, 0, 0, 0, a[RADIUS], b[RADIUS]);

export const intersects = kept((a, b) => {
  const side = call("side_of_pair", a._record, b._record);
  return (side === UNDECIDED ? exactSide(a._record, b._record) : side) <= 0;
});

// An undecided separation of two records with its true sign: 0 in touch, else at least the least float.
export function settle(a, b, separation) {
  const side = exactSide(a, b);
  if (side === 0) return 0;
  const signed = a[RADIUS] + b[RADIUS] === 0 ? side * Math.abs(separation) : separation;
  return side > 0 ? Math.max(signed, Number.MIN_VALUE) : Math.min(signed, -Number.MIN_VALUE);
}

export function separation(a, b) {
  const [found, undecided] = call("separation_of_pair", a._record, b._record);
  return undecided ? settle(a._record, b._record, found) : found;
}

export const distance = (a, b) => Math.max(separation(a, b), 0);

export const closest = kept((a, b) => {
  const [found, undecided, nx, ny, ax, ay, bx, by] = call("closest_of_pair", a._record, b._record);
  const size = undecided ? settle(a._record, b._record, found) : found;
  return new carom.Closest(size, new Vec(nx, ny), new Vec(ax, ay), new Vec(bx, by));
});

// A feature by the user's numbers of a polygon's vertices.
function own({ vertex_ids }, k) {
  if (vertex_ids === undefined) return k;
  return k >= 0 ? vertex_ids[k] : -1 - vertex_ids[-1 - k];
}

export const collide = kept((a, b) => {
  const [found, nx, ny, undecided, count, ...spots] = call("manifold_of_pair", a._record, b._record);
  const depth = undecided ? settle(a._record, b._record, found) : found;
  if (depth > 0) return null;
  const rows = [spots.slice(0, 5), spots.slice(5)].slice(0, count);
  const points = rows.map(([x, y]) => new Vec(x, y));
  const features = rows.map((row) => [own(a, row[3]), own(b, row[4])]);
  return new carom.Contact(new Vec(nx, ny), 0 - depth, points, rows.map((row) => row[2]), features); // biome-ignore format: one thought
});

export function cast(mover, other, [mx, my]) {
  const [a, b] = [mover._record, other._record];
  let found = call("cast_of_pair", a, b, mx, my);
  if (found[1]) {
    if (call("path_touches", a, 0, b, 0, mx, my) !== 1) return null;
    found = call("settled", a, 0, b, 0, mx, my, ...found);
  }
  const [hit, , overlapping, fraction, nx, ny, x, y] = found;
  return hit ? new carom.Hit(fraction, new Vec(x, y), new Vec(nx + 0, ny + 0), overlapping) : null;
}

export const bounds = kept((shape) => {
  const found = new Float64Array(4);
  call("proxy_bounds", shape._record, BigInt64Array.of(0n), { data: found, columns: 4 });
  return new carom.Bounds(...found);
});

export const explain = kept((a, b) => carom.explanation_of_pair(a, b));
export const contains = (shape, point) => separation(shape, new Point(point)) <= 0;
