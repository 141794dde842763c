// The page: pointers, keys and buttons become changes of the state, and the state becomes pixels and words.
//
// In: the data that Python wrote (scenes, names of layers, styles, the kernels), and events. Out: the page, drawn again
// only when something changed, once a frame.

import { explain, sentenceOf } from "./explain.js";
import { load } from "./kernels.js";
import { judged, LESSON } from "./lesson.js";
import { cosSin } from "./numbers.js";
import { fit, paint, placeIn, worldAt } from "./paint.js";
import { around, boxesOf, itemsOf, minkowski, strips } from "./pictures.js";
import { factsOf, read, toPython } from "./scene.js";
import {
  cornersOf,
  disc,
  minus,
  NEW,
  plus,
  positionOf,
  restored,
  rotated,
  scaled,
  textOf,
  times,
  translated,
  withCorner,
} from "./shapes.js";
import { State } from "./state.js";
import { cast, separation } from "./verbs.js";
import { DIGITS, layerLines, stepsOf, tallyLines } from "./words.js";

const get = (id) => document.getElementById(id);
const data = JSON.parse(get("data").textContent);
load(Uint8Array.from(atob(data.module), (letter) => letter.charCodeAt(0)));

const NOTCH = Math.PI / 36;
const [REACH, HANDLE] = [13, 46]; // pixels: from a handle, or a thin shape, that still take hold of it; of a handle's stem
const ROWS = 8; // of strips
const canvas = get("scene");
const context = canvas.getContext("2d");
const dark = matchMedia("(prefers-color-scheme: dark)");
const scenes = new Map(data.scenes.map((told) => [told.name, read(told)]));
const state = new State(scenes.get(data.first));
let widthBeside = 380; // of the pictures beside the scene: asked of the page only when it changes
let [tab, lesson, view, stale] = ["why", 0, null, false];
const fingers = new Map();
let held = null; // { name, from, original }: what the first finger holds

// --- drawing ---

function later() {
  if (!stale) requestAnimationFrame(draw);
  stale = true;
}

function sized(target, wide, high) {
  const fine = Math.min(devicePixelRatio || 1, 3);
  if (target.width !== Math.round(wide * fine) || target.height !== Math.round(high * fine)) {
    [target.width, target.height] = [Math.round(wide * fine), Math.round(high * fine)];
  }
  const pen = target.getContext("2d");
  pen.setTransform(fine, 0, 0, fine, 0, 0);
  pen.clearRect(0, 0, wide, high);
  return pen;
}

const styles = () => (state.safe ? data.safeStyles : data.styles);
const sizeOfLines = () => Math.max(0.72, Math.min(1.1, Math.min(canvas.clientWidth / 760, canvas.clientHeight / 540)));

function fitting() {
  const items = itemsOf(state.scene, state.facts, state.shownAxis, null, false);
  const boxes = items.flatMap(boxesOf);
  const [lowX, lowY, highX, highY] = boxes.length ? around(boxes) : [-4, -3, 4, 3];
  const margin = 0.05 * Math.max(highX - lowX, highY - lowY) || 1;
  const room = [10, 54, canvas.clientWidth - 20, canvas.clientHeight - 108];
  return fit([lowX - margin, lowY - margin, highX + margin, highY + margin], room, sizeOfLines());
}

function handles() {
  const { shape, scene } = state;
  const found = state.corners && shape !== null ? cornersOf(shape).map((at, k) => [k, placeIn(view, at)]) : [];
  if (!state.corners && shape !== null && state.step === null) {
    const [x, y] = placeIn(view, positionOf(shape));
    found.push(["turn", [x, y - HANDLE]], ["scale", [x + HANDLE, y]]);
  }
  if (scene.layers.has("motion") && scene.pair !== null) {
    found.push(["motion", placeIn(view, plus(positionOf(scene.shapes[scene.pair[0]]), scene.motion))]);
  }
  return found;
}

function drawHandles() {
  context.setLineDash([]);
  for (const [name, [x, y]] of handles()) {
    if (name === "turn" || name === "scale") {
      context.strokeStyle = "#8a8a8a";
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(...placeIn(view, positionOf(state.shape)));
      context.lineTo(x, y);
      context.stroke();
    }
    context.beginPath();
    if (name === "turn" || name === "motion") context.arc(x, y, 7, 0, 2 * Math.PI);
    else context.rect(x - 6, y - 6, 12, 12);
    context.fillStyle = dark.matches ? "#1c1e21" : "#fff";
    context.fill();
    context.strokeStyle = dark.matches ? "#56b4e9" : "#0072b2";
    context.lineWidth = 2.2;
    context.stroke();
  }
}

function draw() {
  stale = false;
  const start = performance.now();
  view ??= fitting();
  const { scene, facts } = state;
  sized(canvas, canvas.clientWidth, canvas.clientHeight);
  const step = state.step === null ? null : state.steps[state.step];
  paint(context, itemsOf(scene, facts, state.shownAxis, step, state.asking), view, styles(), dark.matches);
  drawHandles();
  write();
  app.frame = performance.now() - start;
}

function beside(id, picture) {
  const target = get(id);
  target.hidden = picture === null;
  if (picture === null) return;
  const [lowX, lowY, highX, highY] = picture.window;
  const wide = widthBeside;
  const high = Math.round((wide * (highY - lowY)) / (highX - lowX));
  if (target.style.height !== `${high}px`) target.style.height = `${high}px`;
  const size = wide / (id === "strips" ? 450 : 560);
  paint(
    sized(target, wide, high),
    picture.items,
    fit(picture.window, [0, 0, wide, high], size),
    styles(),
    dark.matches,
  );
}

// --- words ---

function put(id, words) {
  if (get(id).textContent !== words) get(id).textContent = words;
}

function list(id, tag, lines) {
  const parts = get(id).children;
  while (parts.length < lines.length) get(id).append(document.createElement(tag));
  while (parts.length > lines.length) get(id).lastChild.remove();
  lines.forEach((line, k) => {
    if (parts[k].textContent !== line) parts[k].textContent = line;
  });
}

const pressed = (id, on) => get(id).setAttribute("aria-pressed", on);

function write() {
  const { scene, facts } = state;
  const { why } = facts;
  const told = why !== null && !state.asking;
  document.body.classList.toggle("meets", told && why.verdict !== "apart");
  document.body.classList.toggle("asking", !told);
  document.body.classList.toggle("safe", state.safe);
  for (const name of ["lesson", "layers"]) document.body.classList.toggle(name, tab === name);
  put(
    "verdict",
    told ? sentenceOf(why, DIGITS) : state.asking ? "Do A and B meet?" : "Add a second shape to compare two.",
  );
  put("message", state.message);
  for (const name of ["why", "steps", "lesson", "layers"]) {
    get(name).hidden = name !== tab;
    get(`tab-${name}`).setAttribute("aria-selected", name === tab);
  }
  for (const box of document.querySelectorAll("[data-layer]")) box.checked = scene.layers.has(box.dataset.layer);
  get("undo").disabled = !state.past.length;
  get("redo").disabled = !state.future.length;
  for (const id of ["turn", "turn-back", "smaller", "larger", "delete"]) get(id).disabled = state.shape === null;
  get("copy").disabled = why === null;
  for (const name of ["safe", "corners", "counting"]) pressed(name, state[name]);
  get("scenes").value = scene.name;
  tellShapes();
  ({ why: writeWhy, steps: writeSteps, lesson: writeLesson })[tab]?.();
}

function writeWhy() {
  const { scene, facts } = state;
  const { why } = facts;
  put("words", scene.words);
  list("lines", "p", layerLines(scene, facts, state.shownAxis));
  const axes = why !== null && scene.layers.has("axes");
  get("axis-buttons").hidden = !axes;
  beside("strips", axes ? strips(why, ROWS, state.shownAxis) : null);
  beside("difference", why !== null && scene.layers.has("minkowski") ? minkowski(why) : null);
  list("tally", "li", state.counting ? tallyLines(scene, facts.tallies()) : []);
}

function writeSteps() {
  const step = state.steps[state.step];
  put("heading", step?.heading ?? "");
  put("test", step?.test ?? "");
  put("text", step?.text ?? "");
  put("count", step ? `step ${state.step + 1} of ${state.steps.length}` : "");
  get("back").disabled = !state.step;
  get("next").disabled = !step || state.step === state.steps.length - 1;
}

function writeLesson() {
  const part = LESSON[lesson];
  const [right, words] = judged(part, state.facts.why);
  put("lesson-heading", part.heading);
  put("lesson-text", part.text);
  put("lesson-task", part.task);
  put("lesson-count", `part ${lesson + 1} of ${LESSON.length}`);
  if (held === null) put("lesson-answer", words);
  get("lesson-answer").className = right ? "right" : "wrong";
  get("lesson-back").disabled = lesson === 0;
  get("lesson-next").disabled = lesson === LESSON.length - 1;
}

// A button for each shape, which a keyboard and a screen reader reach: focus selects it, and its name says how it stands.
function tellShapes() {
  const { shapes, pair } = state.scene;
  const names = shapes.map((shape, row) => {
    const letter = ["A, ", "B, "][pair?.indexOf(row)] ?? "";
    const at = positionOf(shape).map((value) => Number(value.toFixed(2)));
    return `${letter}${shape.type} at ${at.join(", ")}, ${state.facts.meets[row] ? "meets another" : "apart"}`;
  });
  list("shapes", "button", names);
  const told = `${shapes.length} shapes. ${names.slice(0, 12).join("; ")}.`;
  if (canvas.getAttribute("aria-label") !== told) canvas.setAttribute("aria-label", told);
}

// --- choices ---

function show(name, layers = null) {
  const scene = scenes.get(name);
  state.show(layers === null ? scene : { ...scene, layers: new Set(layers) });
  view = null;
  if (tab === "steps") state.go(1);
  later();
}

function showNext(by) {
  const names = [...scenes.keys()];
  const now = names.indexOf(state.scene.name);
  show(names[(now + by + names.length) % names.length]);
}

function open(name) {
  tab = name;
  for (const one of ["why", "steps", "lesson", "layers"]) get(one).hidden = one !== tab;
  widthBeside = get("why").clientWidth || widthBeside;
  if (name === "steps" && state.step === null) state.go(1);
  if (name !== "steps") state.step = null;
  if (name === "lesson") learn(lesson);
  later();
}

function learn(part) {
  lesson = Math.min(Math.max(part, 0), LESSON.length - 1);
  show(LESSON[lesson].scene, LESSON[lesson].layers);
}

function add(kind) {
  const [wide, high] = [canvas.clientWidth, canvas.clientHeight];
  const size = (0.16 * high) / view.scale;
  const count = state.scene.shapes.length;
  const middle = worldAt(view, [wide / 2, high / 2]);
  const at = [middle[0] + 1.4 * size * ((count % 3) - 1), middle[1] + 1.2 * size * ((Math.floor(count / 3) % 3) - 1)];
  state.add(() => NEW[kind](at, size));
}

async function copy() {
  const text = toPython(state.scene);
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without a secure page there is no clipboard of this kind.
    const area = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  state.message = "Copied: Python code that makes and explains this pair";
  later();
}

const turn = (angle) => state.edit((shape) => rotated(shape, angle));
const grow = (factor) => state.edit((shape) => scaled(shape, factor));
const back = () => state.undo(state.past, state.future);
const forth = () => state.undo(state.future, state.past);

function move(x, y, far) {
  const by = (far ? 10 : 1) / view.scale;
  state.edit((shape) => translated(shape, [x * by, y * by]));
}

// --- the address: #scene=obb&layers=aabb,obb&step=2, or #lesson=1 ---

function follow() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const layers =
    asked
      .get("layers")
      ?.split(",")
      .filter((name) => name in data.layers) ?? null;
  if (scenes.has(asked.get("scene"))) show(asked.get("scene"), layers);
  else if (layers) state.take({ ...state.scene, layers: new Set(layers) });
  const [step, part] = [Number(asked.get("step") ?? data.step), Number(asked.get("lesson"))];
  if (part > 0) {
    lesson = part - 1;
    open("lesson");
  } else if (step > 0) {
    open("steps");
    state.go(step - 1 - state.step);
  }
  later();
}

// --- pointers ---

const placeOf = (event) => [event.offsetX, event.offsetY];
const near = ([x0, y0], [x1, y1]) => Math.hypot(x1 - x0, y1 - y0);

function shapeAt(at, reach) {
  const { shapes } = state.scene;
  const point = disc("Point", worldAt(view, at), 0);
  const rows = shapes.map((_, row) => row).reverse();
  if (state.selected !== null) rows.unshift(state.selected);
  const within = (most) => rows.find((row) => separation(shapes[row], point) <= most);
  return within(0) ?? within(reach / view.scale) ?? null;
}

function grasp(at, touch) {
  const reach = touch ? 2 * REACH : REACH;
  const handle = handles().find(([, place]) => near(place, at) <= reach);
  if (handle) return handle[0];
  const row = shapeAt(at, reach);
  if (row === null) return "pan";
  state.select(row);
  return "shape";
}

canvas.onpointerdown = (event) => {
  if (event.button !== 0) return;
  canvas.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, placeOf(event));
  if (fingers.size > 1) return begin2();
  state.message = "";
  state.begin();
  const from = placeOf(event);
  const name = grasp(from, event.pointerType === "touch");
  held = { name, from, original: state.shape };
  later();
};

// A second finger turns the shape that the first one holds; two on the field come nearer.
function begin2() {
  const [p, q] = [...fingers.values()];
  held = { name: held?.name === "pan" ? "zoom" : "two", from: [p, q], original: state.shape, view };
}

canvas.onpointermove = (event) => {
  if (!fingers.has(event.pointerId)) return;
  fingers.set(event.pointerId, placeOf(event));
  if (held !== null) drag([...fingers.values()]);
  later();
};

canvas.onpointerup = canvas.onpointercancel = (event) => {
  fingers.delete(event.pointerId);
  if (fingers.size) {
    held = null; // the finger that stays moves nothing, so that lifting two moves nothing
    return;
  }
  held = null;
  state.end();
  later();
};

function drag(places) {
  const { name, from, original } = held;
  const [at] = places;
  if (name === "pan") {
    view = { ...view, left: view.left + at[0] - from[0], top: view.top + at[1] - from[1] };
    held.from = at;
  } else if (name === "zoom") pinch(places);
  else if (name === "motion") state.aim(minus(worldAt(view, at), positionOf(state.scene.shapes[state.scene.pair[0]])));
  else if (original !== null) state.edit(() => dragged(original, places));
}

const angleOf = ([x, y]) => Math.atan2(y, x);

// The shape that results when it, or one of its handles, is dragged; from its first place, so that it rounds once.
function dragged(shape, places) {
  const { name, from } = held;
  if (name === "two") {
    const [before, now] = [from, places].map(([p, q]) => angleOf(minus(worldAt(view, q), worldAt(view, p))));
    const middle = ([p, q]) => times(plus(worldAt(view, p), worldAt(view, q)), 0.5);
    return translated(rotated(shape, now - before), minus(middle(places), middle(from)));
  }
  const [start, end] = [worldAt(view, from), worldAt(view, places[0])];
  const middle = positionOf(shape);
  if (name === "shape") return translated(shape, minus(end, start));
  if (name === "turn") return rotated(shape, angleOf(minus(end, middle)) - angleOf(minus(start, middle)));
  if (name === "scale") return scaled(shape, Math.max((end[0] - middle[0]) / (start[0] - middle[0]), 0.02));
  return withCorner(shape, name, end);
}

function pinch([p, q]) {
  const [before, now] = [near(...held.from), near(p, q)];
  const scale = held.view.scale * (now / before);
  const middle = worldAt(held.view, times(plus(...held.from), 0.5));
  const [left, top] = times(plus(p, q), 0.5);
  view = { ...view, left, top, lowX: middle[0], highY: middle[1], scale };
}

function zoom(factor, [left, top]) {
  const [lowX, highY] = worldAt(view, [left, top]);
  view = { ...view, left, top, lowX, highY, scale: view.scale * factor };
}

canvas.addEventListener(
  "wheel",
  (event) => {
    event.preventDefault();
    const notches = -(event.deltaY || event.deltaX) / (event.deltaMode === 0 ? 100 : 3);
    if (event.ctrlKey || state.shape === null) zoom(1.12 ** notches, placeOf(event));
    else if (event.shiftKey) grow(1.06 ** notches);
    else turn(notches * NOTCH * (event.altKey ? 0.1 : 1));
    later();
  },
  { passive: false },
);

// --- keys and buttons ---

const KEYS = {
  ArrowLeft: (event) => move(-1, 0, event.shiftKey),
  ArrowRight: (event) => move(1, 0, event.shiftKey),
  ArrowUp: (event) => move(0, 1, event.shiftKey),
  ArrowDown: (event) => move(0, -1, event.shiftKey),
  Delete: () => state.delete(),
  Backspace: () => state.delete(),
  r: (event) => turn((event.shiftKey ? -1 : 1) * (event.altKey ? 0.1 : 1) * NOTCH),
  s: (event) => grow(event.shiftKey ? 1 / 1.06 : 1.06),
  x: () => state.exchange(),
  "[": () => state.turnAxis(-1),
  "]": () => state.turnAxis(1),
  "+": () => zoom(1.25, [canvas.clientWidth / 2, canvas.clientHeight / 2]),
  "=": () => KEYS["+"](),
  "-": () => zoom(0.8, [canvas.clientWidth / 2, canvas.clientHeight / 2]),
  e: () => (state.corners = !state.corners),
  f: () => (view = null),
  b: () => (state.safe = !state.safe),
  n: () => (tab === "steps" ? state.go(1) : open("steps")),
  p: () => state.go(-1),
  t: () => (state.counting = !state.counting),
  PageDown: () => showNext(1),
  PageUp: () => showNext(-1),
  Escape: () => open("why"),
};

document.onkeydown = (event) => {
  const { target } = event;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (target.tagName === "SELECT" || (event.altKey && key !== "r")) return;
  const control = event.ctrlKey || event.metaKey;
  const layer = Object.keys(data.layers).find((name) => data.keys[name].toLowerCase() === key);
  state.message = "";
  if (control && key === "z") event.shiftKey ? forth() : back();
  else if (control && key === "y") forth();
  else if (control && key === "c" && !String(getSelection())) copy();
  else if (control) return;
  else if (key in KEYS) KEYS[key](event);
  else if (layer) state.flip(layer);
  else return;
  event.preventDefault();
  later();
};

const BUTTONS = {
  "scene-back": () => showNext(-1),
  "scene-next": () => showNext(1),
  undo: back,
  redo: forth,
  copy,
  safe: KEYS.b,
  turn: () => turn(NOTCH),
  "turn-back": () => turn(-NOTCH),
  smaller: () => grow(1 / 1.06),
  larger: () => grow(1.06),
  corners: KEYS.e,
  delete: () => state.delete(),
  fit: KEYS.f,
  "tab-why": () => open("why"),
  "tab-steps": () => open("steps"),
  "tab-lesson": () => open("lesson"),
  "tab-layers": () => open("layers"),
  "axis-back": () => state.turnAxis(-1),
  "axis-next": () => state.turnAxis(1),
  counting: KEYS.t,
  back: () => state.go(-1),
  next: () => state.go(1),
  "lesson-back": () => learn(lesson - 1),
  "lesson-next": () => learn(lesson + 1),
};

function listen() {
  for (const [id, act] of Object.entries(BUTTONS)) {
    get(id).onclick = () => {
      state.message = "";
      act();
      later();
    };
  }
  for (const [name, { title }] of scenes) get("scenes").add(new Option(title, name));
  get("scenes").onchange = (event) => show(event.target.value);
  for (const kind of Object.keys(NEW)) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: `+ ${kind}` });
    button.onclick = () => {
      add(kind);
      later();
    };
    get("adding").append(button);
  }
  for (const [name, title] of Object.entries(data.layers)) {
    const label = document.createElement("label");
    const box = Object.assign(document.createElement("input"), { type: "checkbox" });
    box.dataset.layer = name;
    box.onchange = () => {
      state.flip(name);
      later();
    };
    const key = Object.assign(document.createElement("kbd"), { textContent: data.keys[name] });
    label.append(box, key, title);
    get("layers").append(label);
  }
  get("shapes").addEventListener("focusin", ({ target }) => {
    state.select([...get("shapes").children].indexOf(target));
    later();
  });
  new ResizeObserver(() => {
    widthBeside = get("why").clientWidth || widthBeside;
    view = null;
    later();
  }).observe(canvas);
  dark.onchange = later;
  addEventListener("hashchange", follow);
}

// For tests and for pages around this one.
const app = {
  state,
  frame: 0,
  view: () => view,
  draw,
  layers: data.layers,
  ...{ read, factsOf, restored, explain, cast, stepsOf, layerLines, tallyLines, textOf, cosSin },
};
globalThis.carom = app;
state.safe = data.safe;
listen();
follow();
