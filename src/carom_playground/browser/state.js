// The state of the page: the scene, the way back, the selected shape, the step and the axis that are shown.
//
// In: edits and choices. Out: the next state, changed in place; an edit that makes no shape leaves the scene as it is, and
// `message` says why. No pixels and no events here.

import * as scenes from "./scene.js";
import { minus, positionOf, Refusal, times } from "./shapes.js";
import { stepsOf } from "./words.js";

const KEPT = 500; // scenes that can be gone back to

export class State {
  past = [];
  future = [];
  before = null;
  message = "";
  counting = false;
  safe = false;
  corners = false;

  constructor(scene) {
    this.start(scene);
  }

  start(scene) {
    this.take(scene);
    this.selected = scene.pair?.[1] ?? null;
    this.step = this.axis = null;
  }

  take(scene) {
    this.scene = scene;
    this.facts = scenes.factsOf(scene);
    this.steps = this.facts.why === null ? [] : stepsOf(this.facts.why);
    if (this.selected >= scene.shapes.length) this.selected = null;
    if (this.step !== null) this.step = this.steps.length ? Math.min(this.step, this.steps.length - 1) : null;
  }

  get shape() {
    return this.selected === null ? null : this.scene.shapes[this.selected];
  }

  // Whether a step is shown that comes before the answer, so that nothing may tell it yet.
  get asking() {
    return this.step !== null && this.step < this.steps.length - 1;
  }

  // Of a parallel axis its like.
  get shownAxis() {
    const { why } = this.facts;
    if (why === null) return 0;
    const number = (this.axis ?? why.deciding) % why.axes.length;
    return why.axes[number].parallelTo ?? number;
  }

  show(scene) {
    this.remember(this.scene);
    this.start(scene);
  }

  remember(scene) {
    this.past.push(scene);
    if (this.past.length > KEPT) this.past.shift();
    this.future = [];
  }

  // Within a gesture, from begin() to end(), only the whole of it can be undone.
  change(scene) {
    if (this.before === null) this.remember(this.scene);
    this.take(scene);
  }

  begin() {
    this.before = this.scene;
  }

  end() {
    const { before } = this;
    this.before = null;
    if (before && (before.shapes !== this.scene.shapes || before.motion !== this.scene.motion)) this.remember(before);
  }

  undo(from, to) {
    if (!from.length) return;
    to.push(this.scene);
    const scene = from.pop();
    const same = scene.name === this.scene.name; // layers are switched, not edited: they stay as they are
    this.take(same ? { ...scene, layers: this.scene.layers } : scene);
  }

  select(row) {
    this.selected = row;
    if (row !== null) this.take(scenes.lookingAt(this.scene, row));
  }

  attempt(make) {
    this.message = "";
    try {
      this.change(make());
      return true;
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      this.message = refusal.message;
      return false;
    }
  }

  edit(change) {
    const { selected, scene } = this;
    if (selected !== null) this.attempt(() => scenes.withShape(scene, selected, change(scene.shapes[selected])));
  }

  add(make) {
    if (this.attempt(() => scenes.withNew(this.scene, make()))) this.selected = this.scene.shapes.length - 1;
  }

  delete() {
    if (this.selected === null) return;
    const row = this.selected;
    this.selected = null;
    this.change(scenes.without(this.scene, row));
  }

  aim(motion) {
    this.change({ ...this.scene, motion, layers: new Set([...this.scene.layers, "motion"]) });
  }

  // A layer on or off; a first motion is made up, past B's middle.
  flip(layer) {
    let scene = scenes.withLayer(this.scene, layer);
    const still = scene.motion.every((part) => part === 0);
    if (layer === "motion" && scene.layers.has(layer) && still && scene.pair !== null) {
      const [a, b] = scene.pair.map((row) => positionOf(scene.shapes[row]));
      scene = { ...scene, motion: times(minus(b, a), 1.35) };
    }
    this.take(scene);
  }

  go(by) {
    const after = Math.min((this.step ?? -1) + by, this.steps.length - 1);
    this.step = after < 0 ? null : after;
  }

  turnAxis(by) {
    const { why } = this.facts;
    if (why === null) return;
    const listed = why.axes.map((_, k) => k).filter((k) => why.axes[k].parallelTo === null);
    this.axis = listed[(listed.indexOf(this.shownAxis) + by + listed.length) % listed.length];
  }

  exchange() {
    if (this.scene.pair !== null) this.take({ ...this.scene, pair: [this.scene.pair[1], this.scene.pair[0]] });
  }
}
