// A scene in plain words: the layered test step by step, and the numbers of each layer, equal to those of the window.
//
// In: a scene and its facts. Out: steps, each with a heading, a test and a text; and lines for the layers that are on.

import {
  parallelWords,
  sentenceOf,
  shadowsOf,
  show as showDigits,
  showGap,
  showPoint,
  sizeOfPair,
  withoutRounding,
} from "./explain.js";
import { hypot } from "./numbers.js";

export const DIGITS = 4;
const VERDICTS = {
  apart: "they are apart",
  touch: "they touch",
  overlap: "they overlap",
  "cannot tell": "cannot tell: go on",
};
const TESTS = {
  "bounding circle": "Compare the bounding circles: distance of the centres against the sum of the radii.",
  AABB: "Compare the boxes along the axes: is there a gap in x or in y?",
  OBB: "Compare the smallest boxes, turned as the shapes are.",
  "separating axes": "Project both shapes on every edge normal: is there an axis with a gap?",
  "exact arithmetic": "Ask once more without rounding.",
};

// Far from zero with the digits that tell neighbours apart.
const show = (number) => showDigits(number, Math.abs(number) < 1e4 ? DIGITS : 10);
const showVector = ([x, y]) => `(${show(x)}, ${show(y)})`;
const sentence = (text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;

export function stepsOf(why) {
  const tried = why.levels.map((level, k) => ({
    heading: `${k + 1}  ${level.name}: ${VERDICTS[level.verdict]}`,
    test: TESTS[level.name],
    text: sentence(level.text),
    level,
  }));
  const question = {
    heading: "The question",
    test: "Do A and B meet?",
    text: "Cheap tests come first, and the first that can tell decides.",
  };
  const answer = {
    heading: "The answer",
    test: sentence(VERDICTS[why.verdict]),
    text: sentenceOf(why, DIGITS),
    answer: true,
  };
  return [question, ...tried, answer];
}

export function layerLines(scene, facts, axis) {
  const on = (name) => scene.layers.has(name);
  const spaces = ["partition", "tree"].filter(on).flatMap((name) => partitionLines(scene, facts.partition(name)));
  const lines = [...new Set(spaces)];
  if (facts.why === null) return lines;
  for (const name in PAIR_LINES) if (on(name)) lines.push(...PAIR_LINES[name](facts.why, axis));
  if (on("motion")) lines.push(motionLine(scene, facts));
  return lines;
}

const PAIR_LINES = {
  axes(why, number) {
    const axis = why.axes[number];
    const decides = axis.gap > 0 ? ", the largest gap: it decides" : ", the least: it decides";
    const told = showGap(axis.gap, DIGITS) + (number === why.deciding ? decides : "");
    const which = `Axis ${number} (${axis.source}), direction ${showVector(axis.direction)}: ${told}.`;
    const parallel = parallelWords(why.axes);
    return [shadowsOf(axis, number), which, ...(parallel ? [sentence(parallel)] : [])];
  },
  minkowski(why) {
    const inside = { apart: "outside", touch: "on the boundary of", overlap: "inside" }[why.verdict];
    return [`The origin lies ${inside} A - B, ${show(Math.abs(why.separation))} from its boundary.`];
  },
  mtv({ contact }) {
    if (contact === null) return ["MTV: none, they are apart."];
    const moveB = contact.normal.map((part) => part * contact.depth);
    return [`MTV: move B by ${showVector(moveB)}, length ${show(contact.depth)}, or A the other way.`];
  },
  closest(why) {
    const [a, b] = [why.closest.pointA, why.closest.pointB].map((point) => showPoint(point, sizeOfPair(why), DIGITS));
    return [`Separation ${show(why.closest.separation)}, between ${a} of A and ${b} of B.`];
  },
  contact({ contact }) {
    if (contact === null) return [];
    const [x, y] = contact.normal;
    const side = Math.abs(x) >= Math.abs(y) ? (x > 0 ? "right" : "left") : y > 0 ? "upper" : "lower";
    return [
      `Contact at ${contact.points.map(showVector).join(" and ")}, normal ${showVector(contact.normal)}: the ${side} side of A.`,
    ];
  },
};

export function motionLine(scene, facts) {
  if (scene.motion.every((part) => part === 0)) return "Motion: none; drag the dot at A's centre.";
  const way = `A moves by ${showVector(scene.motion)}`;
  const { strike } = facts;
  if (strike === null) {
    return facts.meets[scene.pair[0]]
      ? `${way}, out of what it touches, and meets nothing else.`
      : `${way} and meets nothing.`;
  }
  const what = strike.row === scene.pair[1] ? "B" : `shape ${strike.row}`;
  const { hit } = strike;
  if (hit.overlapping) return `${way} but overlaps ${what} from the start: normal out ${showVector(hit.normal)}.`;
  const far = hypot(...scene.motion);
  const point = hit.point.map((value) => withoutRounding(value, far));
  return `${way}: it hits ${what} after ${show(hit.fraction)} of the way, at ${showVector(point)}, normal ${showVector(hit.normal)}.`;
}

function partitionLines(scene, found) {
  const count = scene.shapes.length;
  const pairs = (count * (count - 1)) / 2;
  if (!pairs) return [];
  const left = found.candidates.length;
  const be = left === 1 ? "is" : "are";
  return [`${found.what}.`, `Of ${pairs} pair${pairs > 1 ? "s" : ""} ${left} ${be} left to test: the AABBs meet.`];
}

export function tallyLines(scene, tallies) {
  if (!tallies.length) return [];
  const pairs = (scene.shapes.length * (scene.shapes.length - 1)) / 2;
  const lines = tallies.map(({ name, asked, apart, met, false: wrong }) => {
    const found = met ? `, ${met} met` : "";
    return `${name}: ${asked} asked, ${apart} told apart${found}${wrong ? `, ${wrong} false positive${wrong === 1 ? "" : "s"}` : ""}`;
  });
  return [pairs === 1 ? "The one pair, level by level:" : `All ${pairs} pairs, level by level:`, ...lines];
}
