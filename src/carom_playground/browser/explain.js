// Why two shapes meet or do not: every axis of the separating axis test, the layered test, the Minkowski difference.
//
// In: two shapes. Out: one value with all numbers and the sentences about them, equal to those of carom.explain.
// Nothing is decided here: the kernels say which axis decides and how large the separation is.

import { call } from "./kernels.js";
import { EPSILON, fixedPoint, general, hypot, withoutZeros } from "./numbers.js";
import {
  dot,
  isTurnedBox,
  minus,
  normalsOf,
  originOf,
  pointsOf,
  positionOf,
  radiusOf,
  times,
  vertexAt,
  verticesOf,
} from "./shapes.js";
import { boundingCircle, boundsOf, closest, collide, separation, settled, smallestBox } from "./verbs.js";

const FACE_BAND = 8 * EPSILON;
const FAR = 1000; // of their size: two shapes farther from the world's origin are measured from A's position
const ROUNDING = 2 ** -46; // of the largest number of a pair: a difference below it may be rounding alone

// So many digits, whole numbers with all; of a size that is lost in rounding only the sign.
export function show(number, digits = 6) {
  const size = Math.abs(number);
  if (size > 0 && size < 1e-300) return number > 0 ? "> 0" : "< 0";
  if (size >= 10 ** (digits - 1) && size < 1e15) return fixedPoint(number, 0);
  if (size >= 1e-7 && size < 1e-4) return fixedPoint(number, digits - 1 - orderOf(size)).replace(/0+$/, "");
  return general(number, digits);
}

const orderOf = (size) => Number(size.toExponential().split("e")[1]);

// How many digits numbers up to the largest need to show a size within two digits fewer.
function digitsFor(largest, size, digits) {
  if (!(largest > size && size > 0)) return digits;
  return Math.max(digits, Math.min(17, digits - 2 + Math.ceil(Math.log10(largest) - Math.log10(size))));
}

export const showPoint = (point, size, digits) =>
  `(${point.map((value) => show(value, digitsFor(Math.abs(value), size, digits))).join(", ")})`;

// The least of both shapes' sizes and the gap's or overlap's, but zero.
export function sizeOfPair({ a, b, separation: gap }) {
  const boxes = [boundsOf(a), boundsOf(b)];
  const largest = Math.max(...boxes.flat().map(Math.abs));
  const sizes = boxes.map((box) => Math.max(box[2] - box[0], box[3] - box[1]));
  const some = [withoutRounding(Math.abs(gap), largest), ...sizes].filter((size) => size > 0);
  return some.length ? Math.min(...some) : 0;
}

// Numbers that are added up, all with the decimals that the smallest needs; as they are if too many.
function showAlike(numbers) {
  const sizes = numbers.map(Math.abs).filter((size) => size > 0);
  if (!sizes.length) return numbers.map(() => "0");
  const [most, least] = [Math.max(...sizes), Math.min(...sizes)];
  const decimals = Math.max(3 - orderOf(most), Math.min(2 - orderOf(least), 12 - orderOf(most)), 0);
  if (orderOf(most) > 9 || decimals > 15) return numbers.map((number) => show(number, digitsFor(most, least, 4)));
  return numbers.map((number) => withoutZeros(fixedPoint(number, decimals)));
}

// How the gap or the overlap on an axis comes about from both intervals.
export function shadowsOf(axis, number) {
  const [halfA, halfB] = [(axis.a.high - axis.a.low) / 2, (axis.b.high - axis.b.low) / 2];
  const between = axis.b.low - axis.a.low + (halfB - halfA);
  const gap = withoutRounding(axis.gap, Math.max(halfA, halfB, Math.abs(between)));
  const [a, b, middles, size] = showAlike([halfA, halfB, Math.abs(between), Math.abs(gap)]);
  let told = `${a} + ${b} is ${middles}${axis.gap === 0 ? ", so they touch" : ", but for rounding"}`;
  if (gap > 0) told = `${middles} - ${a} - ${b} leaves a gap of ${size}`;
  if (gap < 0) told = `${a} + ${b} ${between >= 0 ? "-" : "+"} ${middles} is an overlap of ${size}`;
  const back = between >= 0 ? "" : ", B's before A's";
  const halves = `the half shadows of A and B are ${a} and ${b} long`;
  return `On axis ${number} ${halves}, their middles ${middles} apart${back}: ${told}.`;
}

// Which edges are left out because their axis is that of an earlier edge; nothing if none is.
export function parallelWords(axes) {
  const listed = (words) => (words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words[0]);
  const told = ["A", "B"].flatMap((name) => {
    const out = axes.filter(
      ({ parallelTo, source }) => parallelTo !== null && /^edge/.test(source) && source.endsWith(name),
    );
    if (out.length > 6) return [`${out.length} edges of ${name} to axes above`];
    if (!out.length) return [];
    const edges = out.map(({ source }) => source.split(" ")[1]);
    const others = [...new Set(out.map(({ parallelTo }) => String(parallelTo)))];
    const along = others.length > 1 ? "axes" : "axis";
    return [`edge${edges.length > 1 ? "s" : ""} ${listed(edges)} of ${name} to ${along} ${listed(others)}`];
  });
  return told.length ? `left out as parallel: ${told.join(", ")}` : "";
}

// A unit vector; a coordinate that is only rounding is 0.
const showDirection = (vector, digits) =>
  `(${vector.map((part) => general(Number(fixedPoint(part, digits)), digits)).join(", ")})`;
export const withoutRounding = (number, largest) => (Math.abs(number) <= ROUNDING * largest ? 0 : number);
export const showGap = (gap, digits = 6) => (gap >= 0 ? `gap ${show(gap, digits)}` : `overlap ${show(-gap, digits)}`);
export const verdictOf = (gap) => (gap === 0 ? "touch" : gap > 0 ? "apart" : "overlap");

// The point from which intervals are measured.
function originFor(a, b) {
  const box = [boundsOf(a), boundsOf(b)];
  const low = [0, 1].map((k) => Math.min(box[0][k], box[1][k]));
  const high = [2, 3].map((k) => Math.max(box[0][k], box[1][k]));
  const far = Math.max(...[...low, ...high].map(Math.abs)) > FAR * Math.max(high[0] - low[0], high[1] - low[1]);
  return far ? positionOf(a) : [0, 0];
}

function axesOf(a, b) {
  const [rounded, nx, ny, , at, bt, undecided] = call("nearest", a.record, 0, b.record, 0);
  const gap = undecided ? settled(a, b, rounded) : rounded;
  const normal = [nx + 0, ny + 0];
  const edges = [...edgesOf(a, "A", 1), ...edgesOf(b, "B", -1)];
  const origin = originFor(a, b);
  let deciding = firstAlong(edges, normal);
  if (deciding < 0)
    deciding = edges.push({ source: "nearest points", normal, features: [vertexAt(a, at), vertexAt(b, bt)] }) - 1;
  const axes = [];
  edges.forEach((edge, k) => {
    const same = k === deciding ? -1 : firstAlong(edges.slice(0, k), edge.normal);
    const parallelTo = same < 0 ? null : (axes[same].parallelTo ?? same);
    axes.push(
      k === deciding ? axisAlong(a, b, edge, normal, origin, gap, null) : axisOf(a, b, edge, origin, gap, parallelTo),
    );
  });
  return { axes, deciding, rounded, undecided, origin };
}

function edgesOf(shape, name, sense) {
  const ends = verticesOf(shape);
  const ids = shape.type === "Polygon" ? shape.detail : ends.map((_, k) => k);
  return normalsOf(shape)
    .slice(0, ends.length > 2 ? ends.length : ends.length - 1)
    .map((normal, k) => ({
      source: `edge ${ids[k]} of ${name}`,
      normal: times(normal, sense),
      features: [ends[k], ends[(k + 1) % ends.length]],
    }));
}

// The number of the first edge whose normal is n or -n, to rounding.
function firstAlong(edges, n) {
  return edges.findIndex(({ normal: [x, y] }) => {
    const forth = Math.abs(x - n[0]) + Math.abs(y - n[1]);
    return Math.min(forth, Math.abs(x + n[0]) + Math.abs(y + n[1])) <= FACE_BAND;
  });
}

function interval(shape, n, measuredFrom) {
  const along = pointsOf(shape).map((point) => dot(point, n));
  const origin = dot(n, minus(originOf(shape), measuredFrom));
  const radius = radiusOf(shape);
  return { low: origin + Math.min(...along) - radius, high: origin + Math.max(...along) + radius };
}

function axisAlong(a, b, edge, direction, origin, gap, parallelTo) {
  const [along, against] = [interval(a, direction, origin), interval(b, direction, origin)];
  return { ...edge, direction, a: along, b: against, gap, parallelTo };
}

function axisOf(a, b, edge, origin, most, parallelTo) {
  const [ahead, behind] = [gapAlong(a, b, edge.normal), gapAlong(a, b, times(edge.normal, -1))];
  const n = behind > ahead ? times(edge.normal, -1) : edge.normal;
  const gap = Math.min(Math.max(ahead, behind), most) + 0;
  return { ...axisAlong(a, b, edge, n, origin, gap, parallelTo), direction: [n[0] + 0, n[1] + 0] };
}

// How far B begins behind A's end along n, from differences as the kernels take them.
function gapAlong(a, b, n) {
  const pick = (shape, sense) => {
    const along = pointsOf(shape).map((point) => dot(point, n) * sense);
    return pointsOf(shape)[along.indexOf(Math.max(...along))];
  };
  const away = minus(minus(pick(a, 1), pick(b, -1)), minus(originOf(b), originOf(a)));
  return -dot(n, away) - (radiusOf(a) + radiusOf(b));
}

// A - B: a convex core, counter-clockwise, and the radius that it is grown by.
function differenceOf(a, b) {
  const found = new Float64Array(2 * (pointsOf(a).length + pointsOf(b).length + 1));
  const count = call("_walked", a.record, b.record, { data: found, columns: 2 });
  const walked = Array.from({ length: count }, (_, k) => [found[2 * k] + 0, found[2 * k + 1] + 0]);
  const same = (p, q) => p[0] === q[0] && p[1] === q[1];
  const corners = walked.filter((point, k) => k === 0 || !same(point, walked[k - 1]));
  if (corners.length > 1 && same(corners[0], corners.at(-1))) corners.pop();
  return { points: corners, radius: radiusOf(a) + radiusOf(b) };
}

const CAN_NOT = "cannot tell";
const isRound = (shape) => shape.type === "Point" || shape.type === "Circle";
const isThin = (shape) => shape.type === "Point" || shape.type === "Segment";
const isSharpBox = (shape) => shape.type === "Box" && radiusOf(shape) === 0;

function levelsOf(a, b, found) {
  const both = (test) => test(a) && test(b);
  const makers = [() => circles(a, b)];
  if (!isTurnedBox(a) && !isTurnedBox(b))
    makers.push(() =>
      boxes(
        a,
        b,
        both((shape) => isSharpBox(shape)),
      ),
    );
  else if (!both(isSharpBox) && !isThin(a) && !isThin(b)) makers.push(() => turnedBoxes(a, b));
  makers.push(
    () => separatingAxes(a, b, found),
    () => exact(a, b, found),
  );
  const levels = [];
  for (const make of makers) {
    levels.push(make());
    if (levels.at(-1).verdict !== CAN_NOT) break;
  }
  return levels;
}

function judge(gap, are, volumes) {
  if (are) return [verdictOf(gap), `the ${volumes} are the shapes: this is the answer`];
  if (gap > 0) return ["apart", `what lies in ${volumes} that are apart is apart`];
  return [CAN_NOT, `the ${volumes} meet, the shapes need not`];
}

// The gap between two volumes; 0 where it may be no more than what they are rounded outwards by.
function gapOfVolumes(u, v) {
  return withoutRounding(separation(u, v), Math.max(...[...boundsOf(u), ...boundsOf(v)].map(Math.abs)));
}

function circles(a, b) {
  const [u, v] = [a, b].map((shape) => (isRound(shape) ? shape : boundingCircle(shape)));
  const are = isRound(a) && isRound(b);
  const gap = are ? separation(u, v) : gapOfVolumes(u, v);
  const [verdict, why] = judge(gap, are, "circles");
  const between = show(hypot(...minus(positionOf(u), positionOf(v))));
  const text = `centres ${between} apart, radii ${show(radiusOf(u))} and ${show(radiusOf(v))}: ${showGap(gap)}; ${why}`;
  return { name: "bounding circle", volumes: [u, v], gap, verdict, text };
}

function boxes(a, b, are) {
  const [u, v] = [boundsOf(a), boundsOf(b)];
  const gapX = Math.max(v[0] - u[2], u[0] - v[2]);
  const gapY = Math.max(v[1] - u[3], u[1] - v[3]);
  const gap = Math.max(gapX, gapY);
  const [verdict, then] = judge(gap, are, "boxes");
  const text = `neither shape is a turned box; in x ${showGap(gapX)}, in y ${showGap(gapY)}; ${then}`;
  return { name: "AABB", volumes: [u, v], gap, verdict, text };
}

function turnedBoxes(a, b) {
  const [u, v] = [smallestBox(a), smallestBox(b)];
  const gap = gapOfVolumes(u, v);
  const [verdict, why] = judge(gap, false, "boxes");
  const text = `the smallest boxes, turned as need be: ${showGap(gap)}; ${why}`;
  return { name: "OBB", volumes: [u, v], gap, verdict, text };
}

function separatingAxes(a, b, { axes, deciding, rounded, undecided }) {
  const tested = axes.map((_, k) => k).filter((k) => axes[k].parallelTo === null);
  const count = `${tested.length} ax${tested.length === 1 ? "is" : "es"}, parallel ones once`;
  const verdict = undecided ? CAN_NOT : verdictOf(rounded);
  const reach = radiusOf(a) + radiusOf(b);
  const overlap = `${count}: none has a gap; axis ${deciding} has the least overlap, ${show(-rounded)}`;
  let text = overlap;
  if (undecided && reach > 0 && rounded + reach <= 0) {
    text +=
      "; but without their radii the shapes only just touch, where rounding could hide a gap beyond a sharp corner";
  } else if (undecided) {
    text = `${count}: the largest gap, on axis ${deciding}, is 0 but for rounding, which leaves its sign open`;
  } else if (verdict !== "overlap") {
    const first = tested.find((k) => axes[k].gap > 0);
    text = `${count}: axis ${first} separates them, gap ${show(axes[first].gap)}`;
    if (first !== deciding) text += `; the largest gap, ${show(rounded)}, is on axis ${deciding}`;
  }
  return { name: "separating axes", volumes: [a, b], gap: rounded, verdict, text };
}

function exact(a, b, { axes, deciding }) {
  const gap = axes[deciding].gap;
  const verdict = verdictOf(gap);
  const does = verdict === "apart" ? "are apart" : verdict;
  return {
    name: "exact arithmetic",
    volumes: [a, b],
    gap,
    verdict,
    text: `the same question without any rounding: the shapes ${does}`,
  };
}

export function explain(a, b) {
  const found = axesOf(a, b);
  const near = closest(a, b);
  return {
    a,
    b,
    axes: found.axes,
    deciding: found.deciding,
    axis: found.axes[found.deciding],
    origin: found.origin,
    levels: levelsOf(a, b, found),
    closest: near,
    contact: collide(a, b),
    separation: near.separation,
    verdict: verdictOf(near.separation),
    difference: differenceOf(a, b),
  };
}

// The numbers of at most so many axes, parallel ones once, those with the largest gaps, in order.
export function largestGaps(why, rows) {
  const numbers = why.axes.map((_, k) => k).filter((k) => why.axes[k].parallelTo === null);
  const rank = (k) => (k === why.deciding ? -Infinity : -why.axes[k].gap);
  return [...numbers].sort((j, k) => rank(j) - rank(k)).slice(0, rows).sort((j, k) => j - k); // biome-ignore format: one thought
}

export function sentenceOf({ closest: near, verdict }, digits) {
  const along = `along ${showDirection(near.normal, digits)}`;
  if (verdict === "touch") return `A and B touch, without overlap; from A, B lies ${along}.`;
  const tiny = withoutRounding(near.separation, Math.max(...[...near.pointA, ...near.pointB].map(Math.abs))) === 0;
  const size = tiny ? "by less than coordinates are rounded by" : show(Math.abs(near.separation), digits);
  const apart = tiny ? `apart ${size}` : `${size} apart`;
  if (verdict === "apart") return `A and B are ${apart}; from A, the nearest of B lies ${along}.`;
  return `A and B overlap; moving B ${tiny ? size : `by ${size}`} ${along} just parts them.`;
}
