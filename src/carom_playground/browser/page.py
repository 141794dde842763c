"""A scene as a live page: one file that needs no server, with all scenes and Carom's own kernels in it.

In: a scene, and the frame, style, scripts and kernels beside this module. Out: HTML text. The scripts are modules that
import one another; joined in the order of their imports they are one, for a file cannot load another.
"""

from __future__ import annotations

import base64
import json
import re
from html import escape
from pathlib import Path
from typing import Any

from carom import ConvexShape
from carom.draw import SAFE_STYLES, STYLES
from carom_playground.browser import offered
from carom_playground.browser.module import NotLive, module
from carom_playground.browser.translate import Translation
from carom_playground.gallery import GALLERY, named
from carom_playground.scene import LAYER_KEYS, LAYERS, Scene

__all__ = ["NotLive", "live_page", "told", "told_shape"]

HERE = Path(__file__).parent
SCRIPTS = ("numbers", "kernels", "python", "builtins", "library", "methods", "shapes", "verbs", "space", "paint", "app")
TRANSLATED_BEFORE = "paint"  # what Python defines comes after the scripts that it needs; these ask for it when called
MODULES = "const modules = { carom: {} };"
MOST = 60  # shapes, as in space.js
LARGEST = 1e60  # number, as in shapes.js
OWN = "yours"  # the name of a scene that is none of the gallery's


def live_page(scene: Scene, step: int | None = None, *, safe: bool = False) -> str:
    """Return the page that opens with a scene, at a step if there is one given, in blue and orange if `safe`.

    Raises
    ------
    NotLive : if the kernels for the browser are not there or older than the sources, or the scene does not fit
    """
    if len(scene.shapes) > MOST:
        raise NotLive(f"a live page holds at most {MOST} shapes, not {len(scene.shapes)}")
    if any(abs(shape._record).max() > LARGEST for shape in scene.shapes):
        raise NotLive(f"a live page holds no number beyond {LARGEST:g}")
    scenes = {name: named(name) for name in GALLERY}
    first = next((name for name, known in scenes.items() if known.title == scene.title), OWN)
    data = {
        "scenes": [told(name, one) for name, one in ({first: scene} | scenes | {first: scene}).items()],
        "first": first,
        "step": 0 if step is None else step + 1,
        "safe": safe,
        "layers": LAYERS,
        "keys": LAYER_KEYS,
        "styles": {role: style._asdict() for role, style in STYLES.items()},
        "safeStyles": {role: style._asdict() for role, style in SAFE_STYLES.items()},
        "module": base64.b64encode(module()).decode(),
    }
    return _file("page.html").format(
        title=f"{escape(scene.title or 'Playground')} – Carom",
        style=_file("page.css"),
        data=json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("</", "<\\/"),
        fault=_file("fault.js"),
        script=joined(),
    )


def told(name: str, scene: Scene) -> dict[str, Any]:
    """Return a scene as the page reads it: each shape by the record that kernels read."""
    return {
        "name": name,
        "title": scene.title or "Your shapes",
        "words": scene.words,
        "shapes": [told_shape(shape) for shape in scene.shapes],
        "pair": scene.pair,
        "motion": scene.motion,
        "layers": sorted(scene.layers),
    }


def told_shape(shape: ConvexShape) -> dict[str, Any]:
    """Return a shape as the page reads it."""
    return {"type": type(shape).__name__, "record": shape._record.tolist(), "detail": shape._detail}


def joined() -> str:
    """Return all scripts as one: each a function of its own, which gives its exports and takes those of others."""
    scripts = scripts_of_page()
    before = SCRIPTS.index(TRANSLATED_BEFORE)
    translated = f"Object.assign(modules.carom, (() => {{\n{Translation(scripts).script()}}})());"
    made = [as_function(name, script) for name, script in scripts.items()]
    return "\n".join([MODULES, *made[:before], translated, *made[before:]]) + "\n"


def scripts_of_page() -> dict[str, str]:
    """Return the scripts by name, each before those that import it."""
    return {name: _file(f"{name}.js") for name in SCRIPTS}


def as_function(name: str, script: str) -> str:
    """Return a script as a function that is called at once and gives its exports."""
    exports = offered.read(script).names
    body = re.sub(r"^export ", "", script, flags=re.MULTILINE)
    body = re.sub(r'^import \* as (\w+) from "./(\w+).js";', r"const \1 = modules.\2;", body, flags=re.MULTILINE)
    body = re.sub(r'^import ({[^}]*}) from "./(\w+).js";', _taken, body, flags=re.MULTILINE)
    return f"modules.{name} = (() => {{\n{body}return {{ {', '.join(exports)} }};\n}})();"


def _taken(match: re.Match[str]) -> str:
    """Return an import as the names taken out of another script's exports."""
    return f"const {match[1].replace(' as ', ': ')} = modules.{match[2]};"


def _file(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")
