// Layers of a scene as items with roles, as the window draws them: outlines, lines, arrows, dots and words.
//
// In: a scene and its facts. Out: items in world coordinates; the strips of all axes and the Minkowski difference have
// planes of their own. Every number comes from the facts.

import { largestGaps, showGap } from "./explain.js";
import { cross, disc, dot, minus, plus, positionOf, radiusOf, times, translated, verticesOf } from "./shapes.js";
import { boundingCircle, boundsOf, separation, smallestBox } from "./verbs.js";
import { DIGITS } from "./words.js";

const line = (role, start, end) => ({ kind: "line", role, start, end });
const arrow = (role, start, end) => ({ kind: "arrow", role, start, end });
const dotAt = (role, at) => ({ kind: "dot", role, at });
const text = (role, at, words, align = "middle") => ({ kind: "text", role, at, words, align });
const area = (role, points, radius = 0) => ({ kind: "outline", role, points, radius });

// The outline of a shape or of bounds; a dot for a single point.
function outline(role, volume) {
  if (Array.isArray(volume)) {
    const [x0, y0, x1, y1] = volume;
    return area(role, [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]); // biome-ignore format: a box
  }
  const points = verticesOf(volume);
  return points.length > 1 || radiusOf(volume) > 0 ? area(role, points, radiusOf(volume)) : dotAt(role, points[0]);
}

const longest = (list, key) => list.reduce((best, one) => (key(one) > key(best) ? one : best));

export function shapesOf(scene, facts, plain) {
  const items = scene.shapes.flatMap((shape, row) => {
    const state = plain ? "plain" : facts.meets[row] ? "meets" : "apart";
    const who = ["a ", "b "][scene.pair?.indexOf(row)] ?? "";
    const drawn = outline(who + state, shape);
    return shape.type === "Segment" && !plain ? [line(`line ${state}`, ...verticesOf(shape)), drawn] : [drawn];
  });
  if (facts.why === null) return items;
  const { a, b, axis } = facts.why;
  const reach = extent(facts.why)[1];
  const all = scene.shapes;
  return [...items, nameOf(a, times(axis.direction, -1), "A", reach, all), nameOf(b, axis.direction, "B", reach, all)];
}

// The middle of both shapes, and how far they reach from it.
function extent({ a, b }) {
  const [lowX, lowY, highX, highY] = around([boundsOf(a), boundsOf(b)]);
  const middle = [lowX + (highX - lowX) / 2, lowY + (highY - lowY) / 2];
  const farthest = Math.max(...[lowX, lowY, highX, highY].map(Math.abs));
  return [middle, Math.max(Math.hypot(highX - lowX, highY - lowY) / 2, 1e-14 * farthest) || 1];
}

export function around(boxes) {
  const side = (k) => boxes.map((box) => box[k]);
  return [Math.min(...side(0)), Math.min(...side(1)), Math.max(...side(2)), Math.max(...side(3))];
}

// Downwards from an axis, or to the right.
function below([x, y]) {
  return x > 0 || (x === 0 && y > 0) ? [y, -x] : [-y, x];
}

// The letter of a shape, just beyond the corner that lies farthest along `away`, or where no shape is.
function nameOf(shape, away, letter, reach, shapes) {
  const beyond = (along) =>
    plus(
      longest(verticesOf(shape), (vertex) => dot(vertex, along)),
      times(along, radiusOf(shape) + 0.12 * reach),
    );
  const side = below(letter === "A" ? times(away, -1) : away);
  const places = [minus(beyond(away), times(side, 0.1 * reach))];
  const most = 0.07 * reach;
  const room = (place) => {
    const point = disc("Point", place, 0);
    const near = shapes.filter((other) => isNear(boundsOf(other), place, most));
    return Math.min(most, ...near.map((other) => separation(point, other)));
  };
  for (let k = 1; k <= 16 && room(places.at(-1)) < most; k++) {
    const turn = Math.ceil(k / 2) * (k % 2 ? 1 : -1) * (Math.PI / 8);
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    places.push(beyond([c * away[0] - s * away[1], s * away[0] + c * away[1]]));
  }
  return text(`name ${letter.toLowerCase()}`, longest(places, room), letter);
}

function isNear([lowX, lowY, highX, highY], [x, y], reach) {
  return x >= lowX - reach && x <= highX + reach && y >= lowY - reach && y <= highY + reach;
}

const VOLUMES = { circle: boundingCircle, aabb: boundsOf, obb: smallestBox };
export const BELOW = ["partition", "tree", "circle", "aabb", "obb"];
export const ABOVE = ["motion", "axes", "closest", "contact", "mtv"];

export function layerOf(scene, facts, which, axis) {
  if (which in VOLUMES) {
    const some = scene.shapes.filter(
      (shape) => which !== "obb" || (shape.type !== "Point" && shape.type !== "Segment"),
    );
    return some.map((shape) => outline(which, VOLUMES[which](shape)));
  }
  if (which === "partition" || which === "tree") return dividedItems(scene, facts.partition(which), which);
  const { why } = facts;
  if (why === null) return [];
  if (which === "axes") return ruler(why, why.axes[axis], true);
  if (which === "closest") return witnesses(why);
  if (which === "contact") return contacts(why);
  return which === "mtv" ? mtv(why) : motionItems(scene, facts);
}

function dividedItems(scene, found, which) {
  const role = which === "tree" ? "node" : "cell";
  const boxes = found.boxes.map((box, k) => outline(found.busy[k] ? "busy cell" : role, box));
  const middles = scene.shapes.map(positionOf);
  return [...boxes, ...found.candidates.map(([i, j]) => line("candidate", middles[i], middles[j]))];
}

function mtv({ b, contact }) {
  if (contact === null || contact.depth === 0) return [];
  const [move, start] = [times(contact.normal, contact.depth), positionOf(b)];
  return [outline("ghost", translated(b, move)), arrow("mtv", start, plus(start, move))];
}

function motionItems(scene, facts) {
  const { motion, shapes, pair } = scene;
  if (motion.every((part) => part === 0)) return [];
  const mover = shapes[pair[0]];
  const start = positionOf(mover);
  const items = [swept(mover, motion), arrow("motion", start, plus(start, motion))];
  if (facts.strike === null) return [items[0], outline("ghost", translated(mover, motion)), items[1]];
  const { hit } = facts.strike;
  const normal = arrow("normal", hit.point, plus(hit.point, times(hit.normal, 0.35 * extent(facts.why)[1])));
  const there = outline("impact", translated(mover, times(motion, hit.fraction)));
  return [items[0], there, items[1], normal, dotAt("contact", hit.point)];
}

// The outline of all that a shape covers on its way: the hull of both places (A. M. Andrew, 1979).
function swept(shape, motion) {
  const points = verticesOf(shape).flatMap((vertex) => [vertex, plus(vertex, motion)]);
  points.sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const half = (list) => {
    const found = [];
    for (const point of list) {
      while (found.length > 1 && cross(minus(found.at(-1), found.at(-2)), minus(point, found.at(-2))) <= 0) found.pop();
      found.push(point);
    }
    return found.slice(0, -1);
  };
  return area("swept", [...half(points), ...half(points.reverse())], radiusOf(shape));
}

export function stepItems(why, step) {
  if (step.answer) return why.contact === null ? witnesses(why) : contacts(why);
  if (!step.level) return [];
  if (step.level.name === "separating axes" || step.level.name === "exact arithmetic")
    return ruler(why, why.axis, false);
  const role = step.level.gap > 0 ? "volume apart" : "volume meets";
  return step.level.volumes.map((volume) => outline(role, volume));
}

function witnesses({ closest: { pointA, pointB } }) {
  return [line("witness", pointA, pointB), dotAt("witness", pointA), dotAt("witness", pointB)];
}

function contacts(why) {
  if (why.contact === null) return [];
  const [start] = why.contact.points;
  const normal = arrow("normal", start, plus(start, times(why.contact.normal, 0.45 * extent(why)[1])));
  return [normal, ...why.contact.points.map((point) => dotAt("contact", point))];
}

// An axis laid beside the shapes, with the interval of each; a dot marks the middle of each if asked.
function ruler(why, axis, middles) {
  const [middle, reach] = extent(why);
  const along = axis.direction;
  const across = below(along);
  const base = plus(middle, times(across, 1.25 * reach));
  const zero = dot(along, minus(middle, why.origin));
  const at = (value, height = 0) => minus(plus(base, times(along, value - zero)), times(across, height * reach));
  const guides = [[why.a, axis.a], [why.b, axis.b]].flatMap(([shape, { low, high }]) => [[low, -1], [high, 1]].map(([value, sense]) => {
    const corner = longest(verticesOf(shape), (vertex) => dot(vertex, along) * sense);
    return line("guide", at(value), minus(at(value), times(across, dot(across, minus(at(value), corner)))));
  })); // biome-ignore format: pairs
  const [low, high] = [Math.min(axis.a.low, axis.b.low), Math.max(axis.a.high, axis.b.high)];
  const items = [
    ...guides,
    arrow("axis", at(low - 0.12 * reach), at(high + 0.2 * reach)),
    ...bars(axis, at, 0.05, 0.03 * reach),
  ];
  const half = ({ low: from, high: to }) => from + (to - from) / 2;
  if (middles) items.push(dotAt("middle a", at(half(axis.a), 0.05)), dotAt("middle b", at(half(axis.b), -0.05)));
  const align = across[0] > 0.1 ? "start" : across[0] < -0.1 ? "end" : "middle";
  const between = axis.a.high + (axis.b.low - axis.a.high) / 2;
  return [...items, text("strong", at(between, align === "middle" ? -0.17 : -0.12), showGap(axis.gap, DIGITS), align)];
}

// The intervals of A and B to both sides of the axis, and the gap or the overlap between; a short one is a dot.
function bars(axis, at, apart, least) {
  const items = [["a", axis.a, apart], ["b", axis.b, -apart]].map(([name, { low, high }, side]) =>
    high - low >= least ? line(`projection ${name}`, at(low, side), at(high, side)) : dotAt(`point ${name}`, at(low, side))); // biome-ignore format: pairs
  return [...items, line(axis.gap > 0 ? "gap" : "overlap", at(axis.a.high, 0), at(axis.b.low, 0))];
}

// For each axis with a large gap a strip: the intervals of A and B, and the gap; that of `shown` lies in a band.
export function strips(why, rows, shown) {
  const [middle, wide, last, high] = [56, 30, 108, 10];
  let numbers = largestGaps(why, rows);
  if (!numbers.includes(shown)) numbers = [...largestGaps(why, rows - 1), shown].sort((j, k) => j - k);
  const span = ({ a, b }) => [Math.min(a.low, b.low), Math.max(a.high, b.high)];
  const scale = wide / (Math.max(...why.axes.map((axis) => span(axis)[1] - span(axis)[0])) || 1);
  const items = numbers.flatMap((k, row) => {
    const [axis, y] = [why.axes[k], -(row + 0.5) * high];
    const [from, to] = span(axis);
    const at = (value, up = 0) => [middle + (value - from - (to - from) / 2) * scale, y + up];
    const words = k === why.deciding ? "strong" : "label";
    const told = [
      text(words, [2, y], String(k), "start"),
      text(words, [9, y], axis.source, "start"),
      text(words, [last, y], showGap(axis.gap, DIGITS), "end"),
    ];
    const band = outline("band", [1, y - 0.47 * high, last + 1, y + 0.47 * high]);
    return [...(k === shown ? [band] : []), line("axis", at(from), at(to)), ...bars(axis, at, 1.3, 1 / scale), ...told];
  });
  return { items, window: [0, -numbers.length * high, last + 2, 0] };
}

// The difference A - B with the origin in its plane, and the way from there to the nearest boundary.
export function minkowski(why) {
  const { points, radius } = why.difference;
  const role = why.verdict === "apart" ? "apart" : "meets";
  const nearest = minus(why.closest.pointA, why.closest.pointB);
  const shape = points.length > 1 || radius > 0 ? area(role, points, radius) : dotAt(role, points[0]);
  const [lowX, lowY, highX, highY] = around([[0, 0, 0, 0], ...boxesOf(shape)]);
  const half = 0.56 * Math.max(highX - lowX, highY - lowY) || 1;
  const [x, y] = [lowX + (highX - lowX) / 2, lowY + (highY - lowY) / 2];
  const window = [x - 1.6 * half, y - half, x + 1.6 * half, y + half];
  const items = [
    line("compass", [window[0], 0], [window[2], 0]),
    line("compass", [0, window[1]], [0, window[3]]),
    shape,
  ];
  if (nearest[0] !== 0 || nearest[1] !== 0) items.push(arrow(why.separation < 0 ? "mtv" : "normal", [0, 0], nearest));
  items.push(dotAt("origin", [0, 0]), text("label", [0.04 * half, -0.12 * half], "origin", "start"));
  return { items, window };
}

// Boxes of the world that hold an item.
export function boxesOf(item) {
  if (item.kind === "outline")
    return item.points.map(([x, y]) => [x - item.radius, y - item.radius, x + item.radius, y + item.radius]);
  return item.at ? [[...item.at, ...item.at]] : [item.start, item.end].map((end) => [...end, ...end]);
}

export function itemsOf(scene, facts, axis, step, plain) {
  const layers = (names) =>
    names.filter((name) => scene.layers.has(name)).flatMap((name) => layerOf(scene, facts, name, axis));
  return [...layers(BELOW), ...shapesOf(scene, facts, plain), ...(step ? stepItems(facts.why, step) : layers(ABOVE))];
}
