// A lesson: the steps from cheap volumes to separating axes, each with a task that a pupil solves by dragging.
//
// In: why the pair meets or does not, from the kernels. Out: for each condition of a task whether it holds.

import { boundingCircle, boundsOf, separation, smallestBox } from "./verbs.js";

const circles = ({ a, b }) => separation(boundingCircle(a), boundingCircle(b)) <= 0;
const turnedBoxes = ({ a, b }) => separation(smallestBox(a), smallestBox(b)) <= 0;
const shapes = (why) => why.separation <= 0;
const gaps = (why) => why.axes.filter((axis) => axis.parallelTo === null && axis.gap > 0).length;

function boxes({ a, b }) {
  const [u, v] = [boundsOf(a), boundsOf(b)];
  return u[0] <= v[2] && v[0] <= u[2] && u[1] <= v[3] && v[1] <= u[3];
}

const meet = (what, holds) => [`the ${what} meet`, (why) => holds(why)];
const part = (what, holds) => [`the ${what} are apart`, (why) => !holds(why)];

export const LESSON = [
  {
    heading: "Bounding circles",
    text: "A circle around each shape is the cheapest test: one distance against the sum of two radii. Circles that are apart keep their shapes apart. Circles that meet tell nothing.",
    task: "Drag the shapes: the circles shall meet, but not the shapes.",
    scene: "bounding-circles",
    layers: ["circle"],
    checks: [meet("circles", circles), part("shapes", shapes)],
  },
  {
    heading: "Boxes along the axes",
    text: "The AABB is the least box along x and y. Two comparisons for each direction, and a gap in x or in y is enough.",
    task: "Find a place where the circles meet and the AABBs are apart: there the second test saves the third.",
    scene: "bounding-circles",
    layers: ["circle", "aabb"],
    checks: [meet("circles", circles), part("AABBs", boxes)],
  },
  {
    heading: "Boxes that turn",
    text: "Long shapes that lie aslant fill little of their AABB. The smallest box, turned as the shape is, fits better.",
    task: "Drag or turn: the AABBs shall meet, and the OBBs be apart.",
    scene: "aabb",
    layers: ["aabb", "obb"],
    checks: [meet("AABBs", boxes), part("OBBs", turnedBoxes)],
  },
  {
    heading: "The polygons themselves",
    text: "Where even the OBBs meet, only the shapes can tell.",
    task: "Bring the two so near that the OBBs meet, but not the polygons.",
    scene: "obb",
    layers: ["obb", "closest"],
    checks: [meet("OBBs", turnedBoxes), part("polygons", shapes)],
  },
  {
    heading: "Separating axes",
    text: "Two convex polygons are apart just when their shadows on some edge normal are. Every edge is asked; one gap is enough.",
    task: "Find a place with a gap on exactly one axis.",
    scene: "half-extents",
    layers: ["axes"],
    checks: [["one axis has a gap", (why) => gaps(why) === 1], part("boxes", shapes)],
  },
  {
    heading: "The least overlap",
    text: "No axis has a gap: they overlap. The axis with the least overlap says how to part them soonest, the MTV.",
    task: "Let them overlap so that an edge of B decides.",
    scene: "sat-polygons",
    layers: ["axes", "mtv"],
    checks: [
      meet("polygons", (why) => why.separation < 0),
      ["an edge of B decides", (why) => why.axis.source.endsWith("of B")],
    ],
  },
  {
    heading: "Round shapes",
    text: "A circle has no edges. Beside a corner, the axis runs from the corner to the centre.",
    task: "Bring the circle to a corner of the box, so that no edge decides, and let them overlap.",
    scene: "clamp",
    layers: ["axes", "closest"],
    checks: [["the nearest points decide", (why) => why.axis.source === "nearest points"], meet("shapes", shapes)],
  },
];

// The words for what a pupil has done, and whether it is right.
export function judged({ checks }, why) {
  if (why === null) return [false, "Not yet: two shapes are needed."];
  const open = checks.filter(([, holds]) => !holds(why)).map(([says]) => says);
  if (open.length) return [false, `Not yet. Still to do: ${open.join("; ")}.`];
  return [true, `Right: ${checks.map(([says]) => says).join(", and ")}.`];
}
