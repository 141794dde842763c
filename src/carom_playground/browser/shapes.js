// Shapes as frozen values: made, moved, turned and grown as Carom's classes do it.
//
// In: numbers, or what Python wrote of a shape. Out: { type, record, detail }, with the record that every kernel reads;
// detail is [width, height, angle] of a turned box, and the vertex numbers of a polygon. A Refusal, whose message a user
// reads, is thrown where no shape comes out. World frame, y up; points are [x, y].

import { call } from "./kernels.js";
import { cosSin, python } from "./numbers.js";

const [RADIUS, X, Y, POINTS, STRIDE] = [2, 3, 4, 10, 4];
const [LEAST, LARGEST] = [1e-60, 1e60]; // of sizes and places: sizes farther apart need whole numbers of any length

export class Refusal extends Error {}

export const plus = (a, b) => [a[0] + b[0], a[1] + b[1]];
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1]];
export const times = (a, k) => [a[0] * k, a[1] * k];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
export const cross = (a, b) => a[0] * b[1] - a[1] * b[0];
const rotatedBy = ([c, s], [x, y]) => [c * x - s * y, s * x + c * y];

export const restored = ({ type, record, detail }) =>
  Object.freeze({ type, record: Float64Array.from(record), detail: detail ?? null });

function made(type, record, detail) {
  if (!record.every((number) => Math.abs(number) <= LARGEST)) throw new Refusal("That is too large.");
  return restored({ type, record, detail });
}

// A function of one shape that remembers its answer as long as the shape is there; the answer is not to be changed.
export function kept(find) {
  const known = new WeakMap();
  return (shape) => {
    if (!known.has(shape)) known.set(shape, find(shape));
    return known.get(shape);
  };
}

const recordOf = (points) => new Float64Array(POINTS + STRIDE * points);

export function disc(type, [x, y], radius) {
  if (type === "Circle" && !(radius >= LEAST)) throw new Refusal("A circle needs a radius.");
  const record = recordOf(1);
  record.set([0, 1, radius, x, y]);
  return made(type, record);
}

export function stadium(type, a, b, radius) {
  if (!(Math.max(...minus(b, a).map(Math.abs)) >= LEAST)) throw new Refusal("The two ends must differ.");
  const record = recordOf(2);
  call("_write_stadium", ...a, ...b, radius, record);
  return made(type, record);
}

export function box([x, y], [width, height], angle, radius) {
  const record = recordOf(4);
  const fits = Math.min(width, height) >= LEAST;
  const form = fits ? call("write_given_box", x, y, width, height, angle, radius, record) : 0;
  if (form === 0) throw new Refusal("A box needs a width and a height.");
  return made("Box", record, form === 1 ? null : [width, height, angle]);
}

export function span(lower, upper, radius) {
  const record = recordOf(4);
  const refused = new Uint8Array(1);
  const corners = { data: Float64Array.of(...lower, ...upper), columns: 4 };
  call("_write_spans", corners, Float64Array.of(radius), record, refused);
  if (refused[0]) throw new Refusal("A box needs a width and a height.");
  return made("Box", record);
}

export function polygon(points, radius, ids) {
  const record = recordOf(points.length);
  const winding = call("_write_polygon", { data: Float64Array.from(points.flat()), columns: 2 }, radius, record);
  if (winding === 0) throw new Refusal("A polygon has to stay convex.");
  return made("Polygon", record, winding > 0 ? ids : [ids[0], ...ids.slice(1).reverse()]);
}

export const radiusOf = (shape) => shape.record[RADIUS];
export const originOf = (shape) => [shape.record[X], shape.record[Y]];
export const isTurnedBox = (shape) => shape.type === "Box" && shape.detail !== null;

// The core's points relative to the origin.
export const pointsOf = kept((shape) => columns(shape, 0));
export const normalsOf = kept((shape) => columns(shape, 2));
export const verticesOf = kept((shape) => pointsOf(shape).map((point) => plus(originOf(shape), point)));

function columns({ record }, first) {
  const found = [];
  for (let k = POINTS + first; k < record.length; k += STRIDE) found.push([record[k], record[k + 1]]);
  return found;
}

export const vertexAt = (shape, place) => plus(originOf(shape), [shape.record[place], shape.record[place + 1]]);

const localPosition = kept((shape) => {
  const found = new Float64Array(2);
  call("_find_positions", shape.record, BigInt64Array.of(0n), { data: found, columns: 2 }, new Uint8Array(1));
  return [...found];
});

export const positionOf = kept((shape) => plus(originOf(shape), localPosition(shape)));

function sizeOf(shape) {
  if (shape.detail !== null) return shape.detail.slice(0, 2);
  const [lower, , upper] = pointsOf(shape);
  return minus(upper, lower);
}

function placed(shape, x, y) {
  const record = shape.record.slice();
  [record[X], record[Y]] = [x, y];
  return made(shape.type, record, shape.detail);
}

export function translated(shape, by) {
  const corners = verticesOf(shape);
  if (shape.type === "Box" && shape.detail === null)
    return span(plus(corners[0], by), plus(corners[2], by), radiusOf(shape));
  return placed(shape, ...plus(originOf(shape), by));
}

// Turned about its position.
export function rotated(shape, angle) {
  const position = positionOf(shape);
  if (shape.type === "Box") return box(position, sizeOf(shape), (shape.detail?.[2] ?? 0) + angle, radiusOf(shape));
  const middle = localPosition(shape);
  const turn = cosSin(angle);
  const turned = withCore(shape, pointsOf(shape).map((point) => rotatedBy(turn, minus(point, middle)))); // biome-ignore format: one thought
  return placed(turned, ...plus(position, originOf(turned)));
}

export function scaled(shape, factor) {
  const position = positionOf(shape);
  const radius = radiusOf(shape) * factor;
  if (shape.type === "Box") return box(position, times(sizeOf(shape), factor), shape.detail?.[2] ?? 0, radius);
  return withCore(shape, verticesOf(shape).map((vertex) => plus(position, times(minus(vertex, position), factor))), radius); // biome-ignore format: one thought
}

// A shape of the same kind, but no box, about other core points.
function withCore(shape, points, radius = radiusOf(shape)) {
  if (points.length === 1) return disc(shape.type, points[0], radius);
  if (points.length === 2) return stadium(shape.type, ...points, radius);
  return polygon(points, radius, shape.detail);
}

// The points that can be moved one by one; of a circle one on its rim, of a point none.
export function cornersOf(shape) {
  if (shape.type === "Circle") return [plus(originOf(shape), [radiusOf(shape), 0])];
  return shape.type === "Point" ? [] : verticesOf(shape);
}

export function withCorner(shape, number, to) {
  if (shape.type === "Circle") return disc("Circle", originOf(shape), Math.hypot(...minus(to, originOf(shape))));
  const corners = verticesOf(shape);
  if (shape.type !== "Box") return withCore(shape, corners.with(number, to));
  const fixed = corners[(number + 2) % 4];
  if (shape.detail === null) {
    const [low, high] = [Math.min, Math.max].map((pick) => [pick(fixed[0], to[0]), pick(fixed[1], to[1])]);
    return span(low, high, radiusOf(shape));
  }
  const across = minus(to, fixed);
  const along = cosSin(shape.detail[2]);
  const size = [Math.abs(dot(across, along)), Math.abs(cross(along, across))];
  return box(plus(fixed, times(across, 0.5)), size, shape.detail[2], radiusOf(shape));
}

// Makers of new shapes, by the names of their buttons: each takes its middle and about its size.
export const NEW = {
  circle: (at, size) => disc("Circle", at, 0.5 * size),
  box: (at, size) => box(at, [1.2 * size, 0.8 * size], 0, 0),
  "turned box": (at, size) => box(at, [1.2 * size, 0.7 * size], (25 * Math.PI) / 180, 0),
  polygon: (at, size) =>
    polygon([0, 1, 2, 3, 4].map((k) => plus(at, times(cosSin((2 * Math.PI * (k + 0.25)) / 5), 0.6 * size))), 0, [0, 1, 2, 3, 4]), // biome-ignore format: one thought
  capsule: (at, size) => stadium("Capsule", plus(at, [-0.45 * size, -0.2 * size]), plus(at, [0.45 * size, 0.2 * size]), 0.25 * size), // biome-ignore format: one thought
  segment: (at, size) =>
    stadium("Segment", plus(at, [-0.6 * size, -0.3 * size]), plus(at, [0.6 * size, 0.3 * size]), 0),
  point: (at) => disc("Point", at, 0),
};

// The Python expression that makes the shape.
export function textOf(shape) {
  const pair = (point) => `(${point.map(python).join(", ")})`;
  const radius = radiusOf(shape);
  const option = radius ? `, radius=${python(radius)}` : "";
  const corners = verticesOf(shape);
  switch (shape.type) {
    case "Point":
      return `Point(${pair(corners[0])})`;
    case "Circle":
      return `Circle(${pair(corners[0])}, ${python(radius)})`;
    case "Segment":
      return `Segment(${corners.map(pair).join(", ")})`;
    case "Capsule":
      return `Capsule(${corners.map(pair).join(", ")}, ${python(radius)})`;
    case "Box":
      return boxText(shape, corners, pair, option);
    default: {
      const own = shape.detail.every((id, k) => id === k) ? "" : `, vertex_ids=(${shape.detail.join(", ")})`;
      return `Polygon([${corners.map(pair).join(", ")}]${option}${own})`;
    }
  }
}

function boxText(shape, corners, pair, option) {
  const [center, size] = [positionOf(shape), sizeOf(shape)];
  if (shape.detail !== null) return `Box(${pair(center)}, ${pair(size)}, ${python(shape.detail[2])}${option})`;
  const half = times(size, 0.5);
  const ends = [minus(center, half), plus(center, half)];
  if (String(ends) === String([corners[0], corners[2]])) return `Box(${pair(center)}, ${pair(size)}${option})`;
  return `Box.from_corners(${pair(corners[0])}, ${pair(corners[2])}${option})`;
}
