"""A scene as one page for the browser: the layered test step by step, and layers to switch, for slides and docs.

In: a scene, and the frame, style and script of the page (page.html, .css and .js). Out: HTML text that needs no server,
no network and no other file. All pictures are drawn here; the script only shows and hides them, so the mathematics
stands once.
"""

from __future__ import annotations

import json
from html import escape
from pathlib import Path

from carom import Explanation
from carom.draw import SAFE_STYLES, STYLES, Drawing, Item, fit
from carom.draw.pair import (
    ABOVE,
    BELOW,
    HATCH,
    Facts,
    axis_items,
    facts_of,
    group,
    largest_gaps,
    layer,
    minkowski,
    sentence_of,
    shapes_of,
    strips,
    window_of,
    without_title,
)
from carom_playground.scene import LAYER_KEYS, LAYERS, Scene
from carom_playground.story import DIGITS, Step, layer_lines, steps, tally_lines

WIDE, HIGH = 900, 660
AXES = 12  # that can be gone through


def page(scene: Scene, step: int | None = None, *, safe: bool = False) -> str:
    """Return the page of a scene, opened at a step if there is one given, in blue and orange if `safe`."""
    facts = facts_of(scene)
    found = () if facts.why is None else steps(facts.why)
    title = escape(scene.title or "Playground")
    return _file("html").format(
        title=title,
        words=escape(scene.words),
        style="\n" + _file("css") + _safe_style(),
        verdict=("none" if facts.why is None else escape(facts.why.verdict)) + " safe" * safe,
        sentence="" if facts.why is None else escape(sentence_of(facts.why.closest, DIGITS)),
        checked=" checked" * safe,
        drawing=_drawing(scene, facts, found),
        side=_side(facts.why),
        switches=_switches(scene, facts),
        tally="".join(f"<li>{escape(line)}</li>" for line in tally_lines(scene)),
        data=json.dumps(_data(scene, facts, found) | {"step": -1 if step is None else step}).replace("</", "<\\/"),
        script="\n" + _file("js"),
    )


def _data(scene: Scene, facts: Facts, found: tuple[Step, ...]) -> dict[str, object]:
    """Return the words of steps, layers and axes, for the script to show."""
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
    return largest_gaps(why, AXES)


def _drawing(scene: Scene, facts: Facts, found: tuple[Step, ...]) -> str:
    """Return the scene: the shapes, one group for each layer, axis and step."""
    axes = () if facts.why is None else _axis_numbers(facts.why)
    window = window_of(Scene(scene.shapes, scene.pair, scene.motion, frozenset(LAYERS)), facts, axes)
    view = fit(window, (WIDE, HIGH))
    below = [group(f"layer-{name}", layer(scene, facts, name), view) for name in BELOW]
    above = [group(f"layer-{name}", layer(scene, facts, name), view) for name in ABOVE if name != "axes"]
    if facts.why is not None:
        above += [group(f"axis-{k}", axis_items(facts.why, k), view) for k in axes]
    played = [group(f"step-{k}", step.items, view) for k, step in enumerate(found)]
    shapes = (
        group("shapes", shapes_of(scene, facts), view),
        group("asking", shapes_of(scene, facts, plain=True), view),
    )
    return _svg("scene", WIDE, HIGH, [*below, *shapes, *above, *played])


def _side(why: Explanation | None) -> str:
    """Return the pictures with a plane of their own: the strips of all axes, and the Minkowski difference."""
    if why is None:
        return ""
    listed = [_apart(f"strips-{k}", without_title(strips(why, AXES, k)), 560) for k in _axis_numbers(why)]
    return "".join(listed) + _apart("difference", minkowski(why), 560)


def _apart(name: str, picture: Drawing, wide: int) -> str:
    low_x, low_y, high_x, high_y = picture.window
    high = round(wide * (high_y - low_y) / (high_x - low_x))
    return _svg(name, wide, high, [group(f"{name}-items", picture.items, fit(picture.window, (wide, high)))])


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


def _file(ending: str) -> str:
    """Return a part of the page from the file beside this one: its frame, style or script."""
    return Path(__file__).with_suffix(f".{ending}").read_text(encoding="utf-8")
