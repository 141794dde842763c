// The questions about two shapes, and volumes around one.
//
// In: shapes. Out: the answers of Carom's verbs, bit for bit: the kernels find them, and exact arithmetic is asked where
// rounding leaves a sign in doubt. Volumes contain the shape to a few roundings, and never less.

import { call } from "./kernels.js";
import { cosSin, EPSILON, frexp, hypot, roundedUp, sumOf } from "./numbers.js";
import { box, disc, kept, minus, originOf, plus, pointsOf, positionOf, radiusOf, span } from "./shapes.js";

const UNDECIDED = 2;

function exactSide(a, b) {
  return call("side_of_touching", a.record, 0, b.record, 0, 0, 0, radiusOf(a), radiusOf(b));
}

export function intersects(a, b) {
  const side = call("side_of_pair", a.record, b.record);
  return (side === UNDECIDED ? exactSide(a, b) : side) <= 0;
}

// An undecided separation with its true sign: 0 in touch, else at least the least float.
export function settled(a, b, separation) {
  const side = exactSide(a, b);
  if (side === 0) return 0;
  const signed = radiusOf(a) + radiusOf(b) === 0 ? side * Math.abs(separation) : separation;
  return side > 0 ? Math.max(signed, Number.MIN_VALUE) : Math.min(signed, -Number.MIN_VALUE);
}

export function separation(a, b) {
  const [found, undecided] = call("separation_of_pair", a.record, b.record);
  return undecided ? settled(a, b, found) : found;
}

export function closest(a, b) {
  const [found, undecided, nx, ny, ax, ay, bx, by] = call("closest_of_pair", a.record, b.record);
  return { separation: undecided ? settled(a, b, found) : found, normal: [nx, ny], pointA: [ax, ay], pointB: [bx, by] };
}

const own = (shape, k) => (shape.type !== "Polygon" ? k : k >= 0 ? shape.detail[k] : -1 - shape.detail[-1 - k]);

export function collide(a, b) {
  const [found, nx, ny, undecided, count, ...spots] = call("manifold_of_pair", a.record, b.record);
  const depth = undecided ? settled(a, b, found) : found;
  if (depth > 0) return null;
  const rows = [spots.slice(0, 5), spots.slice(5)].slice(0, count);
  return {
    normal: [nx, ny],
    depth: 0 - depth,
    points: rows.map((row) => row.slice(0, 2)),
    depths: rows.map((row) => row[2]),
    features: rows.map((row) => [own(a, row[3]), own(b, row[4])]),
  };
}

export function cast(a, b, [mx, my]) {
  let found = call("cast_of_pair", a.record, b.record, mx, my);
  if (found[1]) {
    if (call("path_touches", a.record, 0, b.record, 0, mx, my) !== 1) return null;
    found = call("settled", a.record, 0, b.record, 0, mx, my, ...found);
  }
  const [hit, , overlapping, fraction, nx, ny, x, y] = found;
  return hit ? { fraction, point: [x, y], normal: [nx + 0, ny + 0], overlapping } : null;
}

// The least box along the axes, [least x, least y, greatest x, greatest y].
export const boundsOf = kept((shape) => {
  const found = new Float64Array(4);
  call("proxy_bounds", shape.record, BigInt64Array.of(0n), { data: found, columns: 4 });
  return [...found];
});

export const boundingCircle = kept((shape) => {
  if (shape.type === "Circle") return shape;
  const origin = originOf(shape);
  const points = pointsOf(shape);
  const center = shape.type === "Polygon" ? plus(origin, enclosingCenter(points)) : positionOf(shape);
  const away = points.map(([x, y]) => hypot(sumOf(origin[0], x, -center[0]), sumOf(origin[1], y, -center[1])));
  const reach = roundedUp(Math.max(...away) * (1 + 4 * EPSILON), radiusOf(shape));
  return disc("Circle", center, Math.max(reach, 1e-60));
});

const least = (list, key) => list.reduce((best, one) => (key(one) < key(best) ? one : best));

// The centre of the smallest circle around points (B. Gärtner, 1999): from the circle of a few, go on to that of these
// and the point farthest outside, until none is.
function enclosingCenter(points) {
  const unit = 2 ** frexp(Math.max(...points.flat().map(Math.abs)))[1];
  const all = points.map(([x, y]) => [x / unit, y / unit]);
  const inOrder = [...all].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  let basis = [inOrder[0], inOrder.at(-1)];
  let center = circumcenter(basis);
  let reach = 0;
  for (;;) {
    const far = least(all, (p) => -((p[0] - center[0]) * (p[0] - center[0]) + (p[1] - center[1]) * (p[1] - center[1])));
    if (basis.includes(far)) break;
    const grown = [...basis, far];
    const chosen = combinations(grown).map((some) => {
      const middle = circumcenter(some);
      return [Math.max(...grown.map((point) => hypot(...minus(point, middle)))), middle, some];
    });
    const next = least(chosen, (one) => one[0]);
    if (next[0] <= reach) break;
    [reach, center, basis] = next;
  }
  return [center[0] * unit, center[1] * unit];
}

function combinations(list) {
  const pairs = list.flatMap((p, i) => list.slice(i + 1).map((q) => [p, q]));
  const threes = list.flatMap((p, i) =>
    list.slice(i + 1).flatMap((q, j) => list.slice(i + j + 2).map((r) => [p, q, r])),
  );
  return [...pairs, ...threes];
}

// The point at the same distance from two points, halfway, or from three.
function circumcenter([a, b, c]) {
  const [bx, by] = minus(b, a);
  if (c === undefined) return [a[0] + bx / 2, a[1] + by / 2];
  const [cx, cy] = minus(c, a);
  const twice = 2 * (bx * cy - by * cx);
  if (twice === 0) return [Infinity, Infinity];
  const [square, other] = [bx * bx + by * by, cx * cx + cy * cy];
  return [a[0] + (cy * square - by * other) / twice, a[1] + (bx * other - cx * square) / twice];
}

// The box of least area, turned as needed.
export const smallestBox = kept((shape) => {
  const radius = radiusOf(shape);
  if (radius === 0 && shape.type === "Box") return shape;
  const origin = originOf(shape);
  const points = pointsOf(shape);
  const angle = Math.atan2(...bestDirection(points, radius).reverse());
  if (angle === 0) {
    const [lx, ly, ux, uy] = boundsOf(shape);
    return span([lx, ly], [ux, uy], 0);
  }
  const [c, s] = cosSin(angle);
  const middle = (values) => Math.min(...values) + (Math.max(...values) - Math.min(...values)) / 2;
  const u = middle(points.map(([x, y]) => c * x + s * y));
  const v = middle(points.map(([x, y]) => c * y - s * x));
  const center = plus(origin, [c * u - s * v, s * u + c * v]);
  const seen = points.map(([x, y]) => [sumOf(origin[0], x, -center[0]), sumOf(origin[1], y, -center[1])]);
  const w = Math.max(...seen.map(([x, y]) => Math.abs(c * x + s * y)));
  const h = Math.max(...seen.map(([x, y]) => Math.abs(c * y - s * x)));
  const spare = radius + 8 * EPSILON * (w + h + radius);
  return box(center, [2 * (w + spare), 2 * (h + spare)], angle, 0);
});

// The edge that the box of least area lies along, by quarter turns next to the x axis.
function bestDirection(points, radius) {
  if (points.length === 1) return [1, 0];
  let [area, best] = [Infinity, [1, 0]];
  points.forEach((start, k) => {
    const edge = minus(points[(k + 1) % points.length], start);
    const length = hypot(...edge);
    const [ux, uy] = [edge[0] / length, edge[1] / length];
    const along = points.map(([x, y]) => x * ux + y * uy);
    const across = points.map(([x, y]) => y * ux - x * uy);
    const width = Math.max(...along) - Math.min(...along);
    const height = Math.max(...across) - Math.min(...across);
    const found = (width + 2 * radius) * (height + 2 * radius);
    if (found < area) [area, best] = [found, edge];
  });
  for (let turn = 0; turn < 3; turn++) {
    if (!(-best[0] < best[1] && best[1] <= best[0])) best = [best[1], -best[0]];
  }
  return best;
}
