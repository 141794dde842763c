"use strict";
const told = JSON.parse(document.getElementById("data").textContent);
const on = new Set(told.on);
let step = told.step, axis = told.axes.findIndex(a => a.id === told.deciding);
const get = name => document.getElementById(name);
const show = (name, shown) => { const part = get(name); if (part) part.toggleAttribute("hidden", !shown); };
function draw() {
  const stepping = step >= 0;
  for (const name in told.layers) {
    show("layer-" + name, on.has(name) && !(stepping && ["motion", "mtv", "closest", "contact"].includes(name)));
    const box = get("switch-" + name);
    if (box) box.checked = on.has(name);
  }
  told.axes.forEach((a, k) => show("axis-" + a.id, on.has("axes") && !stepping && k === axis));
  told.steps.forEach((_, k) => show("step-" + k, k === step));
  // What a step asks is not to be told before its answer.
  const asking = stepping && step < told.steps.length - 1;
  show("shapes", !asking);
  show("asking", asking);
  show("sentence", !asking && told.axes.length > 0);
  told.axes.forEach((a, k) => show("strips-" + a.id, on.has("axes") && !asking && k === axis));
  show("difference", on.has("minkowski") && !asking);
  show("axis-buttons", on.has("axes") && !stepping && told.axes.length > 1);
  const now = told.steps[step];
  get("heading").textContent = now ? now.heading : "";
  get("test").textContent = now ? now.test : "";
  get("text").textContent = now ? now.text : "";
  get("count").textContent = now ? `step ${step + 1} of ${told.steps.length}` : "";
  const lines = [];
  if (!stepping) for (const name in told.layers) if (on.has(name))
    lines.push(...(name === "axes" && axis >= 0 ? [told.axes[axis].text] : told.layers[name]));
  get("lines").replaceChildren(...lines.map(line => Object.assign(document.createElement("p"), {textContent: line})));
  get("back").disabled = step < 0;
  get("next").disabled = step >= told.steps.length - 1;
}
function go(by) { step = Math.max(-1, Math.min(told.steps.length - 1, step + by)); draw(); }
function turn(by) { if (told.axes.length) { axis = (axis + by + told.axes.length) % told.axes.length; draw(); } }
function flip(name) { if (!on.delete(name)) on.add(name); draw(); }
get("back").onclick = () => go(-1);
get("next").onclick = () => go(1);
get("axis-back").onclick = () => turn(-1);
get("axis-next").onclick = () => turn(1);
get("safe").onchange = event => document.body.classList.toggle("safe", event.target.checked);
document.querySelectorAll("[data-layer]").forEach(box => box.onchange = () => flip(box.dataset.layer));
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const layer = told.keys[event.key];
  if (["ArrowRight", "PageDown", "n"].includes(event.key)) go(1);
  else if (["ArrowLeft", "PageUp", "p"].includes(event.key)) go(-1);
  else if (event.key === "]") turn(1);
  else if (event.key === "[") turn(-1);
  else if (layer && get("switch-" + layer)) flip(layer);
  else return;
  event.preventDefault();
});
draw();
