// The page: pointers, keys and buttons become changes of the state, and the state becomes pixels and words.
//
// In: the data that Python wrote (scenes, the kernels), and events. Out: the page, drawn again only when something changed,
// once a frame.

import * as carom from "./carom.js";
import { load } from "./kernels.js";
import { cos_sin } from "./numbers.js";
import { paint } from "./paint.js";
import { Vec } from "./python.js";
import { restored } from "./shapes.js";
import { cast, explain } from "./verbs.js";

const get = (id) => document.getElementById(id);
const data = JSON.parse(get("data").textContent);
load(Uint8Array.from(atob(data.module), (letter) => letter.charCodeAt(0)));

const [REACH, STROKE] = [{ mouse: 13, touch: 26 }, 1];
const TABS = ["why", "steps", "lesson", "layers"];
const canvas = get("scene");
const context = canvas.getContext("2d");
const dark = matchMedia("(prefers-color-scheme: dark)");
const scenes = new Map(data.scenes.map((told) => [told.name, read(told)]));
const state = new carom.State(scenes.get(data.first));
let widthBeside = 380; // of the pictures beside the scene: asked of the page only when it changes
let [tab, lesson, view, stale] = ["why", 0, null, false];
const fingers = new Map();
let held = null; // { name, from, original }: what the first finger holds

function read({ shapes, pair, motion, layers, title, words }) {
  return new carom.Scene(shapes.map(restored), pair, new Vec(...motion), new Set(layers), title, words);
}

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

const styles = () => (state.safe ? carom.SAFE_STYLES : carom.STYLES);

function fitting() {
  const [wide, high] = [canvas.clientWidth, canvas.clientHeight];
  const size = Math.max(0.72, Math.min(1.1, wide / 760, high / 540));
  return carom.fit(
    carom.window_of(state.scene, state.facts),
    [wide - 20, high - 108],
    [wide / 2, high / 2],
    size,
  );
}

function drawHandles() {
  context.setLineDash([]);
  for (const [name, [x, y]] of carom.handles(state, view, STROKE)) {
    context.beginPath();
    if (name === "turn" || name === "scale") {
      context.strokeStyle = "#8a8a8a";
      context.lineWidth = 1;
      context.moveTo(...view.place(state.chosen.position));
      context.lineTo(x, y);
      context.stroke();
      context.beginPath();
    }
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
  sized(canvas, canvas.clientWidth, canvas.clientHeight);
  const step = state.step === null ? null : state.present_step.items;
  const items = carom.items_of(state.scene, state.facts, state.axis, step, state.is_asking);
  paint(context, items, view, styles(), dark.matches);
  drawHandles();
  write();
  app.frame = performance.now() - start;
}

function beside(id, picture, full) {
  const target = get(id);
  target.hidden = picture === null;
  if (picture === null) return;
  const [lowX, lowY, highX, highY] = picture.window;
  const wide = widthBeside;
  const high = Math.round((wide * (highY - lowY)) / (highX - lowX));
  if (target.style.height !== `${high}px`) target.style.height = `${high}px`;
  const there = carom.fit(picture.window, [wide, high], [wide / 2, high / 2], wide / full);
  paint(sized(target, wide, high), picture.items, there, styles(), dark.matches);
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

function write() {
  const { scene, facts } = state;
  const { why } = facts;
  const told = why !== null && !state.is_asking;
  const marks = { meets: told && why.verdict !== "apart", asking: !told, safe: state.safe };
  for (const [name, on] of Object.entries(marks)) document.body.classList.toggle(name, on);
  const alone = state.is_asking ? "Do A and B meet?" : "Add a second shape to compare two.";
  put("verdict", told ? carom.sentence_of(why.closest, carom.DIGITS) : alone);
  put("message", state.message);
  for (const box of document.querySelectorAll("[data-layer]"))
    box.checked = scene.layers.has(box.dataset.layer);
  get("undo").disabled = !state._past.length;
  get("redo").disabled = !state._future.length;
  for (const id of ["turn", "turn-back", "smaller", "larger", "delete"])
    get(id).disabled = state.selected === null;
  get("copy").disabled = why === null;
  for (const name of ["safe", "corners", "counting"]) get(name).setAttribute("aria-pressed", state[name]);
  get("scenes").value = scene.title;
  tellShapes();
  ({ why: writeWhy, steps: writeSteps, lesson: writeLesson })[tab]?.();
}

function writeWhy() {
  const { scene, facts } = state;
  const { why } = facts;
  put("words", scene.words);
  list("lines", "p", carom.layer_lines(scene, facts, state.shown_axis));
  const axes = why !== null && scene.layers.has("axes");
  get("axis-buttons").hidden = !axes;
  beside("strips", axes ? carom.without_title(carom.strips(why, carom.ROWS, state.shown_axis)) : null, 450);
  beside("difference", why !== null && scene.layers.has("minkowski") ? carom.minkowski(why) : null, 560);
  list("tally", "li", state.counting ? carom.tally_lines(scene) : []);
}

function writeSteps() {
  const [{ steps }, step] = [state, state.present_step];
  put("heading", step?.heading ?? "");
  put("test", step?.test ?? "");
  put("text", step?.text ?? "");
  put("count", step ? `step ${state.step + 1} of ${steps.length}` : "");
  get("back").disabled = !state.step;
  get("next").disabled = !step || state.step === steps.length - 1;
}

function writeLesson() {
  const part = carom.LESSON[lesson];
  const [right, words] = carom.judged(part, state.facts.why);
  put("lesson-heading", part.heading);
  put("lesson-text", part.text);
  put("lesson-task", part.task);
  put("lesson-count", `part ${lesson + 1} of ${carom.LESSON.length}`);
  if (held === null) put("lesson-answer", words);
  get("lesson-answer").className = right ? "right" : "wrong";
  get("lesson-back").disabled = lesson === 0;
  get("lesson-next").disabled = lesson === carom.LESSON.length - 1;
}

// A button for each shape, which a keyboard and a screen reader reach: focus selects it, and its name says how it stands.
function tellShapes() {
  const { shapes, pair } = state.scene;
  const names = shapes.map((shape, row) => {
    const letter = ["A, ", "B, "][pair?.indexOf(row)] ?? "";
    const at = [...shape.position].map((value) => Number(value.toFixed(2)));
    return `${letter}${shape.constructor.name} at ${at.join(", ")}, ${state.facts.meets[row] ? "meets another" : "apart"}`;
  });
  list("shapes", "button", names);
  const told = `${shapes.length} shapes. ${names.slice(0, 12).join("; ")}.`;
  if (canvas.getAttribute("aria-label") !== told) canvas.setAttribute("aria-label", told);
}

// --- choices ---

function show(name, layers = null) {
  const scene = scenes.get(name);
  state.show(layers === null ? scene : scene._replace({ layers: new Set(layers) }));
  view = null;
  if (tab === "steps") state.go(1);
}

function showNext(by) {
  const names = [...scenes.keys()];
  const now = names.findIndex((name) => scenes.get(name).title === state.scene.title);
  show(names[(now + by + names.length) % names.length]);
}

function open(name) {
  tab = name;
  for (const one of TABS) {
    get(one).hidden = one !== tab;
    get(`tab-${one}`).setAttribute("aria-selected", one === tab);
    document.body.classList.toggle(one, one === tab);
  }
  widthBeside = get("why").clientWidth || widthBeside;
  if (name !== "steps") state.step = null;
  else if (state.step === null) state.go(1);
  if (name === "lesson") learn(lesson);
}

function learn(part) {
  lesson = Math.min(Math.max(part, 0), carom.LESSON.length - 1);
  show(carom.LESSON[lesson].scene, carom.LESSON[lesson].layers);
}

function add(kind) {
  const [wide, high] = [canvas.clientWidth, canvas.clientHeight];
  state.add(kind, ...carom.place_for_new(state, view, [wide / 2, high / 2], high));
}

async function copy() {
  const text = state.scene.to_python();
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

// Names in the address that the page does not know, with those that it knows.
function unknownIn(asked) {
  const scene = asked.get("scene");
  if (scene !== null && !scenes.has(scene))
    return `There is no scene "${scene}". There are: ${[...scenes.keys()].join(", ")}.`;
  const layer = asked
    .get("layers")
    ?.split(",")
    .find((name) => name && !carom.LAYERS.has(name));
  if (layer === undefined) return "";
  return `There is no layer "${layer}". There are: ${[...carom.LAYERS.keys()].join(", ")}.`;
}

// --- the address: #scene=obb&layers=aabb,obb&step=2, or #lesson=1 ---

function follow() {
  hideFault();
  const asked = new URLSearchParams(location.hash.slice(1));
  state.message = unknownIn(asked);
  const layers =
    asked
      .get("layers")
      ?.split(",")
      .filter((name) => carom.LAYERS.has(name)) ?? null;
  if (scenes.has(asked.get("scene"))) show(asked.get("scene"), layers);
  else if (layers) state.scene = state.scene._replace({ layers: new Set(layers) });
  const [step, part] = [Number(asked.get("step") ?? data.step), Number(asked.get("lesson"))];
  if (part > 0) lesson = part - 1;
  if (part > 0 || step > 0) open(part > 0 ? "lesson" : "steps");
  if (tab === "steps") state.go(step - 1 - state.step);
  later();
}

// --- pointers ---

const placeOf = (event) => [event.offsetX, event.offsetY];

canvas.onpointerdown = (event) => {
  if (event.button !== 0) return;
  hideFault();
  canvas.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, placeOf(event));
  const from = [...fingers.values()];
  if (from.length === 1) {
    state.message = "";
    state.begin();
    held = { name: carom.grasp(state, view, from[0], STROKE, REACH[event.pointerType] ?? REACH.mouse) };
  } else held = { name: held?.name === "pan" ? "zoom" : "two" };
  Object.assign(held, { from, original: state.chosen, view });
  later();
};

canvas.onpointermove = (event) => {
  if (!fingers.has(event.pointerId)) return;
  fingers.set(event.pointerId, placeOf(event));
  if (held !== null) drag([...fingers.values()]);
  later();
};

canvas.onpointerup = canvas.onpointercancel = (event) => {
  fingers.delete(event.pointerId);
  held = null; // a finger that stays moves nothing, so that lifting two moves nothing
  if (!fingers.size) state.end();
  later();
};

// Each time from the first places, so that a shape rounds once.
function drag(places) {
  const { name, from, original } = held;
  const [before, now] = [from, places].map((some) => some.map((place) => new Vec(...held.view.world(place))));
  if (name === "pan" || name === "zoom") view = carom.panned(held.view, from, places);
  else if (name === "motion") state.aim(now[0].plus(state.scene.a.position.times(-1)));
  else if (name === "two") state.edit(() => carom.turned_by_two(original, before, now));
  else if (original !== null) state.edit(() => carom.dragged(name, original, before[0], now[0]));
}

canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  const notches = -(event.deltaY || event.deltaX) / (event.deltaMode === 0 ? 100 : 3);
  if (event.ctrlKey || state.selected === null) view = carom.nearer(view, placeOf(event), 1.12 ** notches);
  else if (event.shiftKey) state.scale(carom.GROWTH ** notches);
  else state.turn(notches * carom.NOTCH * (event.altKey ? 0.1 : 1));
  later();
}, { passive: false }); // biome-ignore format: one thought

// --- keys and buttons ---

const zoom = (factor) =>
  (view = carom.nearer(view, [canvas.clientWidth / 2, canvas.clientHeight / 2], factor));

function move(x, y, event) {
  const by = (event.shiftKey ? 10 : 1) / view.scale;
  state.move(new Vec(x * by, y * by));
}

// The buttons by their names.
const ACTIONS = {
  "scene-back": () => showNext(-1),
  "scene-next": () => showNext(1),
  undo: () => state.undo(),
  redo: () => state.redo(),
  copy,
  safe: () => state.flip("safe"),
  turn: (event) => state.turn((event.altKey ? 0.1 : 1) * carom.NOTCH),
  "turn-back": (event) => state.turn((event.altKey ? -0.1 : -1) * carom.NOTCH),
  smaller: () => state.scale(1 / carom.GROWTH),
  larger: () => state.scale(carom.GROWTH),
  corners: () => state.flip("corners"),
  delete: () => state.delete(),
  fit: () => (view = null),
  "axis-back": () => state.next_axis(-1),
  "axis-next": () => state.next_axis(1),
  counting: () => state.flip("counting"),
  back: () => state.go(-1),
  next: () => (tab === "steps" ? state.go(1) : open("steps")),
  "lesson-back": () => learn(lesson - 1),
  "lesson-next": () => learn(lesson + 1),
};

// Keys as the browser names them, with C+ for Control and S+ for Shift: a button's name, or what they do.
const KEYS = {
  ...{
    r: "turn",
    "S+r": "turn-back",
    s: "larger",
    "S+s": "smaller",
    e: "corners",
    f: "fit",
    b: "safe",
    t: "counting",
  },
  ...{ "[": "axis-back", "]": "axis-next", n: "next", p: "back", Delete: "delete", Backspace: "delete" },
  ...{
    PageDown: "scene-next",
    PageUp: "scene-back",
    "C+z": "undo",
    "C+S+z": "redo",
    "C+y": "redo",
    "C+c": "copy",
  },
  x: () => state.exchange(),
  "+": () => zoom(1.25),
  "=": () => zoom(1.25),
  "-": () => zoom(0.8),
  Escape: () => open("why"),
  ArrowLeft: (event) => move(-1, 0, event),
  ArrowRight: (event) => move(1, 0, event),
  ArrowUp: (event) => move(0, 1, event),
  ArrowDown: (event) => move(0, -1, event),
};
for (const [name, key] of carom.LAYER_KEYS) KEYS[key.toLowerCase()] = () => state.switch(name);

document.onkeydown = (event) => {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const plain = `${event.ctrlKey || event.metaKey ? "C+" : ""}${key}`;
  const found = (event.shiftKey && KEYS[plain.replace(key, `S+${key}`)]) || KEYS[plain];
  if (!found || event.target.tagName === "SELECT" || (found === "copy" && String(getSelection()))) return;
  act(ACTIONS[found] ?? found, event);
  event.preventDefault();
};

function act(action, event) {
  hideFault();
  state.message = "";
  action(event);
  later();
}

function listen() {
  for (const name of TABS) ACTIONS[`tab-${name}`] = () => open(name);
  for (const [id, action] of Object.entries(ACTIONS)) get(id).onclick = (event) => act(action, event);
  for (const [name, { title }] of scenes)
    get("scenes").add(new Option(title, title, false, name === data.first));
  get("scenes").onchange = ({ target }) => act(() => show([...scenes.keys()][target.selectedIndex]));
  for (const kind of carom.KINDS) {
    const button = Object.assign(document.createElement("button"), {
      type: "button",
      textContent: `+ ${kind}`,
    });
    button.onclick = () => act(() => add(kind));
    get("adding").append(button);
  }
  for (const [name, title] of carom.LAYERS) {
    const [label, key] = ["label", "kbd"].map((tag) => document.createElement(tag));
    const box = Object.assign(document.createElement("input"), { type: "checkbox" });
    box.dataset.layer = name;
    box.onchange = () => act(() => state.switch(name));
    key.textContent = carom.LAYER_KEYS.get(name);
    label.append(box, key, title);
    get("layers").append(label);
  }
  get("shapes").addEventListener("focusin", ({ target }) => act(() => state.select([...get("shapes").children].indexOf(target)))); // biome-ignore format: one thought
  new ResizeObserver(() => {
    widthBeside = get("why").clientWidth || widthBeside;
    view = null;
    later();
  }).observe(canvas);
  dark.onchange = later;
  addEventListener("hashchange", follow);
}

// For tests and for pages around this one.
const { layer_lines, tally_lines, LAYERS } = carom;
const app = {
  ...{ state, frame: 0, view: () => view, draw, read, restored, explain, cast, cos_sin },
  python: { facts_of: carom.facts_of, steps: carom.steps, layer_lines, tally_lines, LAYERS },
};
globalThis.carom = app;
state.safe = data.safe;
listen();
open("why");
follow();
state._past.length = 0; // there is nothing to undo in what the address asks for
