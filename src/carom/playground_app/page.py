"""A scene as one page for the browser: the layered test step by step, and layers to switch, for slides and docs.

In: a scene. Out: HTML text that needs no server, no network and no other file. All pictures are drawn here; the script
in the page only shows and hides them, so the mathematics stands once.
"""

from __future__ import annotations

import json
from html import escape

from carom.draw.picture import SAFE_STYLES, STYLES, Item, Picture
from carom.draw.svg import HATCH, Frame, group
from carom.explain.explain import Explanation
from carom.explain.findings import largest_gaps, sentence_of
from carom.explain.picture import strips, without_title
from carom.playground_app.facts import Facts, facts_of
from carom.playground_app.layers import ABOVE, BELOW, axis_items, layer, minkowski, shapes_of, window_of
from carom.playground_app.scene import LAYER_KEYS, LAYERS, Scene
from carom.playground_app.story import DIGITS, Step, layer_lines, steps, tally_lines
from carom.shapes.bounds import Bounds

WIDE, HIGH = 900, 660
AXES = 12  # that can be gone through


def page(scene: Scene, step: int | None = None, *, safe: bool = False) -> str:
    """Return the page of a scene, opened at a step if there is one given, in blue and orange if `safe`."""
    facts = facts_of(scene)
    found = () if facts.why is None else steps(facts.why)
    title = escape(scene.title or "Playground")
    return _PAGE.format(
        title=title,
        words=escape(scene.words),
        style=_STYLE + _safe_style(),
        verdict=("none" if facts.why is None else escape(facts.why.verdict)) + " safe" * safe,
        sentence="" if facts.why is None else escape(sentence_of(facts.why, DIGITS)),
        checked=" checked" * safe,
        drawing=_drawing(scene, facts, found),
        side=_side(facts.why),
        switches=_switches(scene, facts),
        tally="".join(f"<li>{escape(line)}</li>" for line in tally_lines(scene)),
        data=json.dumps(_data(scene, facts, found) | {"step": -1 if step is None else step}).replace("</", "<\\/"),
        script=_SCRIPT,
    )


def _data(scene: Scene, facts: Facts, found: tuple[Step, ...]) -> dict[str, object]:
    """Return what the script shows: words of steps, layers and axes."""
    told = {}
    for name in LAYERS:
        one = Scene(scene.shapes, scene.pair, scene.motion, frozenset({name}))
        told[name] = layer_lines(one, facts, 0 if facts.why is None else facts.why.deciding)
    axes = []
    if facts.why is not None:
        only_axes = Scene(scene.shapes, scene.pair, layers=frozenset({"axes"}))
        axes = [{"id": k, "text": layer_lines(only_axes, facts, k)[0]} for k in _axis_numbers(facts.why)]
    return {
        "steps": [{"heading": step.heading, "test": step.test, "text": step.text} for step in found],
        "layers": told,
        "keys": {key.lower(): name for name, key in LAYER_KEYS.items()},
        "on": sorted(scene.layers),
        "axes": axes,
        "deciding": None if facts.why is None else facts.why.deciding,
    }


def _axis_numbers(why: Explanation) -> list[int]:
    return largest_gaps(why, AXES, parallel=False)


def _drawing(scene: Scene, facts: Facts, found: tuple[Step, ...]) -> str:
    """Return the scene: the shapes, one group for each layer, axis and step."""
    axes = () if facts.why is None else _axis_numbers(facts.why)
    window = window_of(Scene(scene.shapes, scene.pair, scene.motion, frozenset(LAYERS)), facts, axes)
    frame = _frame(window, WIDE, HIGH)
    below = [group(f"layer-{name}", layer(scene, facts, name), frame) for name in BELOW]
    above = [group(f"layer-{name}", layer(scene, facts, name), frame) for name in ABOVE if name != "axes"]
    if facts.why is not None:
        above += [group(f"axis-{k}", axis_items(facts.why, k), frame) for k in axes]
    played = [group(f"step-{k}", step.items, frame) for k, step in enumerate(found)]
    shapes = (
        group("shapes", shapes_of(scene, facts), frame),
        group("asking", shapes_of(scene, facts, plain=True), frame),
    )
    return _svg("scene", WIDE, HIGH, [*below, *shapes, *above, *played])


def _side(why: Explanation | None) -> str:
    """Return the pictures with a plane of their own: the strips of all axes, and the Minkowski difference."""
    if why is None:
        return ""
    listed = [_apart(f"strips-{k}", without_title(strips(why, AXES, k)), 560) for k in _axis_numbers(why)]
    return "".join(listed) + _apart("difference", minkowski(why), 560)


def _apart(name: str, picture: Picture, wide: int) -> str:
    low_x, low_y, high_x, high_y = picture.window
    high = round(wide * (high_y - low_y) / (high_x - low_x))
    return _svg(name, wide, high, [group(f"{name}-items", picture.items, _frame(picture.window, wide, high))])


def _frame(window: Bounds, wide: float, high: float) -> Frame:
    """Return the frame that shows a window whole, in the middle."""
    across, up = window.max_x - window.min_x, window.max_y - window.min_y
    scale = min(wide / across, high / up)
    left, top = (wide - across * scale) / 2.0, (high - up * scale) / 2.0
    return Frame(left, window.min_x, window.max_y, scale, top)


def _svg(name: str, wide: float, high: float, groups: list[str]) -> str:
    hatch = f"<defs>{HATCH}</defs>" if name == "scene" else ""
    return (
        f'<svg id="{name}" viewBox="0 0 {wide} {high}" role="img" xmlns="http://www.w3.org/2000/svg" '
        f'font-family="Helvetica, Arial, sans-serif">{hatch}\n' + "\n".join(groups) + "\n</svg>\n"
    )


def _switches(scene: Scene, facts: Facts) -> str:
    """Return a switch for each layer that has something to show."""
    rows = []
    for name, title in LAYERS.items():
        items: list[Item] = layer(scene, facts, name)
        if items or (name == "minkowski" and facts.why is not None):
            checked = " checked" if name in scene.layers else ""
            label = f'<input type="checkbox" id="switch-{name}" data-layer="{name}"{checked}> {escape(title)}'
            rows.append(f"<label><kbd>{LAYER_KEYS[name]}</kbd>{label}</label>")
    return "\n".join(rows)


def _safe_style() -> str:
    """Return the colours for those who tell red from green badly, as rules that the script switches on."""
    rules = []
    for role, style in SAFE_STYLES.items():
        if style != STYLES[role]:
            names = "".join(f".{word}" for word in role.split())
            rules.append(f"body.safe path{names} {{ fill: {style.fill}; fill-opacity: {style.opacity}; }}")
    return "\n".join(rules)


_STYLE = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; font: 18px/1.45 Helvetica, Arial, sans-serif; color: #1A1A1A; background: #FBFAF7; }
main { display: grid; grid-template-columns: minmax(0, 1fr) minmax(330px, 34%); min-height: 100vh; }
@media (max-width: 900px) { main { grid-template-columns: 1fr; } }
#left { padding: 12px; }
#scene { width: 100%; height: auto; max-height: 78vh; }
#right { background: #FFF; border-left: 1px solid #CFCBC2; padding: 20px; }
#right svg { width: 100%; height: auto; }
h1 { font-size: 26px; margin: 0 0 6px; }
h2 { font-size: 21px; margin: 14px 0 4px; }
p { margin: 4px 0; }
.grey { color: #5F5F5F; }
#right svg { max-width: 560px; display: block; }
.safe #sentence { border-color: #0072B2 !important; background: #E1EDF5 !important; }
.safe.overlap #sentence, .safe.touch #sentence { border-color: #E69F00 !important; background: #FCF0D9 !important; }
#sentence { border-left: 7px solid #009E73; background: #E3F4EF; padding: 8px 12px; margin: 12px 0; font-weight: bold; }
.overlap #sentence, .touch #sentence { border-color: #D55E00; background: #FBE9DD; }
button { font: inherit; padding: 4px 16px; border: 1px solid #B9B5AB; border-radius: 5px; background: #FFF; }
button:hover:enabled { background: #DCEBF5; }
#switches { display: grid; grid-template-columns: repeat(auto-fill, minmax(230px, 1fr)); gap: 2px 12px; margin: 8px; }
#switches label { display: flex; align-items: baseline; gap: 6px; }
kbd { display: inline-block; min-width: 1.3em; color: #5F5F5F; font-family: inherit; }
[hidden] { display: none !important; }
ul { margin: 4px 0; padding-left: 20px; }
"""

_SCRIPT = """
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
"""

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body class="{verdict}">
<main>
<div id="left">
{drawing}<div id="switches">
{switches}
<label><kbd></kbd><input type="checkbox" id="safe"{checked}> blue and orange</label>
</div>
</div>
<div id="right">
<h1>{title}</h1>
<p class="grey">{words}</p>
<p id="sentence">{sentence}</p>
<p><button id="back">Back</button> <button id="next">Next</button> <span id="count" class="grey"></span></p>
<h2 id="heading"></h2>
<p id="test"></p>
<p id="text" class="grey"></p>
<div id="lines"></div>
<p id="axis-buttons" class="grey"><button id="axis-back">[</button> <button id="axis-next">]</button> axis</p>
{side}
<h2>The layered test over the scene</h2>
<ul class="grey">{tally}</ul>
</div>
</main>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""
