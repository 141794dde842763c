// A scene and its facts: all shapes, the pair that is looked at, a motion, the layers that are on, and the verbs' answers.
//
// In: what Python wrote of a scene, and edits. Out: frozen scenes, each edit another one; the facts of a scene, found when
// they are asked for, and only once.

import { explain } from "./explain.js";
import { python } from "./numbers.js";
import { Refusal, restored, textOf } from "./shapes.js";
import { divided, MOST, talliesOf } from "./space.js";
import { cast, intersects } from "./verbs.js";

export const read = (told) =>
  Object.freeze({ ...told, shapes: told.shapes.map(restored), layers: new Set(told.layers) });

export const withShape = (scene, row, shape) => ({ ...scene, shapes: scene.shapes.with(row, shape) });

// One more shape, which becomes B; the old B becomes A.
export function withNew(scene, shape) {
  if (scene.shapes.length >= MOST) throw new Refusal(`There is room for ${MOST} shapes.`);
  const row = scene.shapes.length;
  return { ...scene, shapes: [...scene.shapes, shape], pair: row ? [scene.pair?.[1] ?? 0, row] : null };
}

export function without(scene, row) {
  const shapes = scene.shapes.toSpliced(row, 1);
  if (shapes.length < 2 || scene.pair === null) return { ...scene, shapes, pair: null };
  const pair = scene.pair.map((k) => (k === row ? -1 : k - (k > row)));
  const spare = shapes.findIndex((_, k) => !pair.includes(k));
  return { ...scene, shapes, pair: pair.map((k) => (k < 0 ? spare : k)) };
}

// A third shape as B; the old B becomes A. A and B stay what they are.
export function lookingAt(scene, row) {
  if (scene.shapes.length < 2 || scene.pair?.includes(row)) return scene;
  return { ...scene, pair: [scene.pair?.[1] ?? scene.shapes.findIndex((_, k) => k !== row), row] };
}

export function withLayer(scene, name) {
  const layers = new Set(scene.layers);
  if (!layers.delete(name)) layers.add(name);
  return { ...scene, layers };
}

export function toPython({ shapes, pair, motion }) {
  const [a, b] = pair.map((row) => textOf(shapes[row]));
  const lines = ["import carom as cm", "", `a = cm.${a}`, `b = cm.${b}`, "print(cm.explain(a, b))"];
  if (motion.some((part) => part !== 0)) lines.push(`print(cm.cast(a, b, (${motion.map(python).join(", ")})))`);
  return `${lines.join("\n")}\n`;
}

// Answers about a pair, kept as long as both shapes are: in a drag only the pairs of one shape are asked again.
const kept = { explain: new WeakMap(), intersects: new WeakMap() };

function once(verb, ask, a, b) {
  if (!kept[verb].has(a)) kept[verb].set(a, new WeakMap());
  const known = kept[verb].get(a);
  if (!known.has(b)) known.set(b, ask(a, b));
  return known.get(b);
}

const lazily = (make) => {
  const made = [];
  return () => {
    if (!made.length) made.push(make());
    return made[0];
  };
};

export function factsOf({ shapes, pair, motion }) {
  const [a, b] = pair === null ? [] : pair.map((row) => shapes[row]);
  const pairs = shapes.flatMap((u, i) => shapes.slice(i + 1).map((v, j) => [u, v, i, i + j + 1]));
  const meets = shapes.map(() => false);
  for (const [u, v, i, j] of pairs) if (once("intersects", intersects, u, v)) meets[i] = meets[j] = true;
  const strike = lazily(() =>
    pair && motion.some((part) => part !== 0) ? firstStrike(shapes, pair[0], motion) : null,
  );
  const spaces = { partition: lazily(() => divided(shapes, "partition")), tree: lazily(() => divided(shapes, "tree")) };
  return {
    why: pair === null ? null : once("explain", explain, a, b),
    meets,
    get strike() {
      return strike();
    },
    partition: (which) => spaces[which](),
    tallies: lazily(() => talliesOf(pairs.map(([u, v]) => once("explain", explain, u, v)))),
  };
}

// The first shape that the moving one meets.
function firstStrike(shapes, mover, motion) {
  let first = null;
  shapes.forEach((shape, row) => {
    const hit = row === mover ? null : cast(shapes[mover], shape, motion);
    if (hit !== null && !(hit.fraction >= first?.hit.fraction)) first = { row, hit };
  });
  return first;
}
