// How space is divided among shapes, as carom.draw.pair.spaces tells it.
//
// In: shapes, at most MOST of them: then cells always serve, and the rules for crowds are never asked. Out: the table of
// grids, the boxes of the tree, and the pairs left to test. The numbers are the kernels'.

import * as carom from "./carom.js";
import { call } from "./kernels.js";
import { bounds } from "./verbs.js";

export const MOST = 60;
const [CLASSES, CHILDREN, BLOCK, LEAST_SPARE] = [64, 8, 32, 64];
const [LEAST_EXTENT, CELL_SLACK] = [1e-280, 2 ** -46];

const table = (rows, columns) => ({ data: Float64Array.from(rows.flatMap((row) => [...row])), columns });
const meet = (u, v) => u[0] <= v[2] && v[0] <= u[2] && u[1] <= v[3] && v[1] <= u[3];

export function filed(shapes) {
  const boxes = shapes.map(bounds);
  const pairs = boxes.flatMap((u, i) => boxes.flatMap((v, j) => (i < j && meet(u, v) ? [[i, j]] : [])));
  const extent = new Float64Array(9);
  call("_measure", table(boxes, 4), Infinity, extent);
  const [lowX, highX, lowY, highY, magnitude, width, height, sumX, sumY] = extent;
  const whole = { boxes: boxes.length, lowX, highX, lowY, highY, width, height };
  const levels = chooseLevels(boxes, whole, [sumX / boxes.length, sumY / boxes.length], magnitude);
  if (levels.length === 1) return new carom.Filed("grid", [], [], pairs);
  const last = levels.at(-1);
  const counts = new Int32Array(last[9] + last[7] * last[8] + 1);
  call("_number", table(boxes, 4), table(levels, 10), new Int32Array(boxes.length), counts);
  const busy = [...counts.slice(1)].map((count) => count > 0);
  return new carom.Filed("hierarchy", levels, busy, pairs);
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

export function nodes_of(shapes) {
  const boxes = shapes.map(bounds);
  const halves = (pick) => Float64Array.from(boxes, pick);
  const xs = halves((box) => box[0] * 0.5 + box[2] * 0.5);
  const ys = halves((box) => box[1] * 0.5 + box[3] * 0.5);
  const sizes = halves((box) => Math.max(box[2] * 0.5 - box[0] * 0.5, box[3] * 0.5 - box[1] * 0.5));
  const order = BigInt64Array.from(boxes, (_, k) => BigInt(k));
  call("arrange", xs, ys, sizes, order);
  const room = boxes.length + Math.floor(boxes.length / 4) + LEAST_SPARE;
  let [leaf, slots] = [0, CHILDREN];
  for (; slots < room; slots *= CHILDREN) leaf = CHILDREN * leaf + 1;
  const nodes = leaf + Math.ceil(room / CHILDREN);
  const held = new Float64Array(BLOCK * nodes);
  const rows = new BigInt64Array(room).fill(-1n).map((free, k) => order[k] ?? free);
  const filled = table(Array.from(order, (row) => boxes[Number(row)]), 4); // biome-ignore format: one thought
  call("fill", filled, rows, leaf, held, new BigInt64Array(nodes));
  const found = new Map();
  for (let at = 0; at < held.length; at += BLOCK) {
    const [lowX, lowY, highX, highY] = [0, 1, 2, 3].map((k) =>
      held.subarray(at + k * CHILDREN).slice(0, CHILDREN),
    );
    const box = new carom.Bounds(
      Math.min(...lowX),
      Math.min(...lowY),
      Math.max(...highX),
      Math.max(...highY),
    );
    if (box.min_x <= box.max_x) found.set(String(box), box);
  }
  return [...found.values()];
}
