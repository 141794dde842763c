// Space divided among shapes, as carom.pairs and carom.Index divide it, and what the layered test saves over all pairs.
//
// In: shapes, at most MOST of them: then cells always serve, and the rules for crowds are never asked. Out: the boxes of
// the grid or the tree, which hold something, the pairs left to test, and counts. The numbers are the kernels'.

import * as carom from "./carom.js";
import { call } from "./kernels.js";
import { kept } from "./python.js";
import { bounds as boundsOf } from "./verbs.js";

const EPSILON = 2 ** -52;

export const MOST = 60;
const MOST_CELLS = 24; // of a grid on one axis; more could not be read
const [CLASSES, CHILDREN, BLOCK, LEAST_SPARE] = [64, 8, 32, 64];
const [LEAST_EXTENT, CELL_SLACK] = [1e-280, 64 * EPSILON];

const table = (rows, columns) => ({ data: Float64Array.from(rows.flat()), columns });
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

export const partition = kept((shapes, which) => {
  const bounds = shapes.map(boundsOf);
  const candidates = [];
  for (let i = 0; i < bounds.length; i++) {
    for (let j = i + 1; j < bounds.length; j++) if (meet(bounds[i], bounds[j])) candidates.push([i, j]);
  }
  const { what, boxes, busy } = which === "tree" ? nodesOf(bounds) : cellsOf(bounds);
  return new carom.Partition(
    what,
    boxes.map((box) => new carom.Bounds(...box)),
    busy,
    candidates,
  );
});

const meet = (u, v) => u[0] <= v[2] && v[0] <= u[2] && u[1] <= v[3] && v[1] <= u[3];

function cellsOf(bounds) {
  if (bounds.length < 2) return { what: "No pair, no partition", boxes: [], busy: [] };
  const extent = new Float64Array(9);
  call("_measure", table(bounds, 4), Infinity, extent);
  const [lowX, highX, lowY, highY, magnitude, width, height, sumX, sumY] = extent;
  const whole = { boxes: bounds.length, lowX, highX, lowY, highY, width, height };
  const levels = chooseLevels(bounds, whole, [sumX / bounds.length, sumY / bounds.length], magnitude);
  const { boxes, busy } = levels.length === 1 ? squares(bounds) : cellsOfLevels(bounds, levels);
  const how =
    levels.length === 1 ? "as wide as the widest AABB" : `${levels.length} grids, for the sizes differ`;
  const what = `A grid of ${boxes.length} cells${levels.length === 1 ? " " : ", "}${how}; tinted where a shape's lower left corner is filed`;
  return { what, boxes, busy };
}

// The table of the grids that cost least; broad/grid_levels.py has the reasons.
function chooseLevels(bounds, extent, mean, magnitude) {
  const span = [extent.highX - extent.lowX, extent.highY - extent.lowY];
  const cost = (x, y) => call("_cells_of", extent.boxes, x + mean[0], y + mean[1], ...span)[0];
  const alone = cost(extent.width, extent.height);
  const alike = extent.width <= 8 * mean[0] && extent.height <= 8 * mean[1];
  if ((alike || alone <= 24) && alone <= 1.25 * cost(...mean)) return tableOf([extent], [mean], magnitude);
  const counts = new BigInt64Array(CLASSES);
  const sizes = new Float64Array(8 * CLASSES).map((_, k) => (k % 8 < 4 ? 0 : -Infinity));
  call("_classify", table(bounds, 4), Math.max(extent.width, extent.height), counts, {
    data: sizes,
    columns: 8,
  });
  const [asking, sums] = [new Float64Array(CLASSES), new Float64Array(2 * CLASSES)];
  let [count, x, y] = [0, 0, 0];
  for (let k = 0; k < CLASSES; k++) {
    [count, x, y] = [count + Number(counts[k]), x + sizes[8 * k + 2], y + sizes[8 * k + 3]];
    asking[k] = Math.max(count, 1);
    sums.set([x, y], 2 * k);
  }
  const firstOf = new BigInt64Array(CLASSES);
  const edges = Float64Array.of(-extent.lowX, extent.highX, -extent.lowY, extent.highY);
  call("_group", counts, { data: sizes, columns: 8 }, asking, { data: sums, columns: 2 }, edges, firstOf);
  const [groups, means] = [[], []];
  for (let last = CLASSES - 1; last >= 0; last = Number(firstOf[last]) - 1) {
    const rows = Array.from({ length: last + 1 - Number(firstOf[last]) }, (_, k) => last - k);
    const boxes = rows.reduce((sum, k) => sum + Number(counts[k]), 0);
    if (!boxes) continue;
    const most = (column) => Math.max(...rows.map((k) => sizes[8 * k + column]));
    const [lowX, highX] = [Math.max(-most(4), extent.lowX), Math.min(most(5), extent.highX)];
    const [lowY, highY] = [Math.max(-most(6), extent.lowY), Math.min(most(7), extent.highY)];
    groups.unshift({ boxes, lowX, highX, lowY, highY, width: most(0), height: most(1) });
    means.unshift([sums[2 * last] / asking[last], sums[2 * last + 1] / asking[last]]);
  }
  return tableOf(groups, means, magnitude);
}

function tableOf(groups, means, magnitude) {
  const slack = CELL_SLACK * magnitude;
  let first = 0;
  return groups.map((group, k) => {
    const [x, y] = [Math.max(0, group.highX - group.lowX), Math.max(0, group.highY - group.lowY)];
    const found = call("_cells_of", group.boxes, group.width + means[k][0], group.height + means[k][1], x, y);
    const [columns, rows] = [x > LEAST_EXTENT ? found[1] : 1, y > LEAST_EXTENT ? found[2] : 1];
    const per = [columns > 1 ? columns / x : 0, rows > 1 ? rows / y : 0];
    const size = [Math.max(group.width, group.height), group.width + slack, group.height + slack];
    first += columns * rows;
    return [...size, group.lowX, group.lowY, ...per, columns, rows, first - columns * rows];
  });
}

// Squares as large as the largest box, those at the far sides cut off.
function squares(bounds) {
  const low = [0, 1].map((axis) => Math.min(...bounds.map((box) => box[axis])));
  const high = [2, 3].map((axis) => Math.max(...bounds.map((box) => box[axis])));
  const spans = [high[0] - low[0], high[1] - low[1]];
  const widest = Math.max(...bounds.flatMap((box) => [box[2] - box[0], box[3] - box[1]]));
  const side = Math.max(widest, Math.max(...spans) / MOST_CELLS);
  const counts = spans.map((span) => (side > 0 ? Math.max(1, Math.ceil(span / side)) : 1));
  const edges = counts.map((count, axis) => [
    ...Array.from({ length: count }, (_, k) => low[axis] + side * k),
    high[axis],
  ]);
  const place = (value, axis) =>
    clamp(edges[axis].slice(1, -1).filter((edge) => edge <= value).length, 0, counts[axis] - 1);
  const filed = new Set(bounds.map((box) => place(box[1], 1) * counts[0] + place(box[0], 0)));
  const cells = Array.from({ length: counts[0] * counts[1] }, (_, k) => [
    k % counts[0],
    Math.floor(k / counts[0]),
  ]);
  const boxes = cells.map(([c, r]) => [edges[0][c], edges[1][r], edges[0][c + 1], edges[1][r + 1]]);
  return { boxes, busy: cells.map((_, k) => filed.has(k)) };
}

// The cells of several grids, fine to coarse.
function cellsOfLevels(bounds, levels) {
  const last = levels.at(-1);
  const counts = new Int32Array(last[9] + last[7] * last[8] + 1);
  call("_number", table(bounds, 4), table(levels, 10), new Int32Array(bounds.length), counts);
  const corners = [0, 1].map((axis) => bounds.map((box) => box[axis]));
  const [low, high] = [corners.map((all) => Math.min(...all)), corners.map((all) => Math.max(...all))];
  const [boxes, busy] = [[], []];
  for (const [, , , originX, originY, perX, perY, across, up, first] of levels) {
    for (let number = 0; number < across * up; number++) {
      const [x0, x1] = ends(number % across, across, originX, perX, low[0], high[0]);
      const [y0, y1] = ends(Math.floor(number / across), up, originY, perY, low[1], high[1]);
      boxes.push([x0, y0, x1, y1]);
      busy.push(counts[first + number + 1] > 0);
    }
  }
  return { boxes, busy };
}

function ends(number, count, origin, per, low, high) {
  if (count === 1 || per === 0) return [low, high];
  return [
    number === 0 ? low : origin + number / per,
    number === count - 1 ? high : origin + (number + 1) / per,
  ];
}

function nodesOf(bounds) {
  if (!bounds.length) return { what: "No shape, no tree", boxes: [], busy: [] };
  const halves = (pick) => Float64Array.from(bounds, pick);
  const xs = halves((box) => box[0] * 0.5 + box[2] * 0.5);
  const ys = halves((box) => box[1] * 0.5 + box[3] * 0.5);
  const sizes = halves((box) => Math.max(box[2] * 0.5 - box[0] * 0.5, box[3] * 0.5 - box[1] * 0.5));
  const order = BigInt64Array.from(bounds, (_, k) => BigInt(k));
  call("arrange", xs, ys, sizes, order);
  const room = bounds.length + Math.floor(bounds.length / 4) + LEAST_SPARE;
  let [leaf, slots] = [0, CHILDREN];
  for (; slots < room; slots *= CHILDREN) leaf = CHILDREN * leaf + 1;
  const nodes = leaf + Math.ceil(room / CHILDREN);
  const held = new Float64Array(BLOCK * nodes);
  const rows = new BigInt64Array(room).fill(-1n).map((free, k) => order[k] ?? free);
  call("fill", table([...order].map((row) => bounds[Number(row)]), 4), rows, leaf, held, new BigInt64Array(nodes)); // biome-ignore format: one thought
  const boxes = new Map();
  for (let at = 0; at < held.length; at += BLOCK) {
    const side = (k) => held.subarray(at + k * CHILDREN, at + (k + 1) * CHILDREN);
    const box = [Math.min(...side(0)), Math.min(...side(1)), Math.max(...side(2)), Math.max(...side(3))];
    if (box[0] <= box[2]) boxes.set(String(box), box);
  }
  const what = `A tree of ${boxes.size} boxes, up to ${CHILDREN} in each, halved again and again at the median`;
  return { what, boxes: [...boxes.values()], busy: Array(boxes.size).fill(false) };
}
