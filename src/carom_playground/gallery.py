"""Scenes to open by name: the tutorials' drawings, the flaws of their games, and pairs that are hard for arithmetic.

In: a name. Out: a scene with words about it. y points up here, as in a classroom; units are free. The scenes stand in
`gallery.txt`, each as a heading, name | title | layers | motion of A | pair, the last two only where they are not zero
and the first two shapes; words, with numbers of `_NUMBERS` in braces; and, indented, shapes as `carom explain` takes
them, or, where corners count to the last bit, as a scene's file has them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any

from carom import Box, Capsule, Circle, ConvexShape, Polygon, cast, separation
from carom.draw.pair import read_convex
from carom_playground.notation import from_text
from carom_playground.scene import Scene, SceneError


def _corner(scene: Scene) -> dict[str, Any]:
    """Return the way of the ball, and the way on which it leaves the corner."""
    way, hit = scene.motion, cast(scene.a, scene.b, scene.motion)
    assert hit is not None
    return {"back": -way.x, "way": way, "true": way - 2.0 * way.dot(hit.normal) * hit.normal}


def _sticky(scene: Scene) -> dict[str, Any]:
    """Return how deep the ball is in the paddle, and how many frames it needs to get out."""
    depth = -separation(scene.a, scene.b)
    return {"depth": depth, "frames": math.ceil(depth / 0.1)}


_NUMBERS: dict[str, Callable[[Scene], dict[str, Any]]] = {
    "tunnelling": lambda scene: {
        "before": separation(scene.a, scene.b),
        "after": separation(scene.a.translated(scene.motion), scene.b),
    },
    "corner": _corner,
    "sticky-paddle": _sticky,
    "aabb-formula": lambda scene: {"a": scene.a, "b": scene.b},
}


_TEXT = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
_ENTRIES = {entry.partition(" |")[0]: entry for entry in f"\n{_TEXT}".split("\n* ")[1:]}


def _made(name: str) -> Scene:
    """Return the scene of an entry."""
    heading, *lines = _ENTRIES[name].splitlines()
    _, title, layers, motion, pair = (part.strip() for part in f"{heading}||".split("|")[:5])
    listed = [line.strip() for line in lines if line.startswith(" ")]
    shapes = [from_text(line) if "(" in line else read_convex(line) for line in listed]
    x, y = map(float, motion.split() or (0.0, 0.0))
    scene = Scene.of(shapes, layers, (x, y), title=title)
    if pair:
        first, second = map(int, pair.split())
        scene = replace(scene, pair=(first, second))
    words = " ".join(line for line in lines if not line.startswith(" "))
    return replace(scene, words=words.format(**_NUMBERS[name](scene)) if name in _NUMBERS else words)


CROWD = "A crowd"


def _crowd() -> Scene:
    shapes: list[ConvexShape] = []
    for k in range(30):
        # A low-discrepancy sequence (R. Kronecker): spread evenly, and the same on every machine.
        x, y = 12.0 * ((0.5 + k * 0.7548776662466927) % 1.0), 8.0 * ((0.5 + k * 0.5698402909980532) % 1.0)
        size, turn = 0.45 + 0.4 * ((k * 0.618) % 1.0), k * 0.7
        kind = k % 5
        if kind == 0:
            shapes.append(Circle((x, y), size))
        elif kind == 1:
            shapes.append(Box((x, y), (2.0 * size, 1.2 * size)))
        elif kind == 2:
            shapes.append(Box((x, y), (2.2 * size, size), turn))
        elif kind == 3:
            turns = [turn + math.tau * j / 3 for j in range(3)]
            shapes.append(Polygon([(x + size * math.cos(t), y + size * math.sin(t)) for t in turns]))
        else:
            dx, dy = size * math.cos(turn), size * math.sin(turn)
            shapes.append(Capsule((x - dx, y - dy), (x + dx, y + dy), 0.3 * size))
    words = "Thirty shapes make 435 pairs. The partition leaves a few candidates, and cheap volumes most of the rest."
    return Scene.of(shapes, "partition", title=CROWD, words=words)


GALLERY: dict[str, Callable[[], Scene]] = {name: partial(_made, name) for name in _ENTRIES} | {"crowd": _crowd}
"""The maker of each scene: none is made before it is asked for."""
TITLES = [*(entry.split("|")[1].strip() for entry in _ENTRIES.values()), CROWD]
"""The titles of the scenes, in the same order."""


def named(name: str) -> Scene:
    """Return the scene of a name, or raise a `SceneError` that suggests one."""
    if name not in GALLERY:
        near = get_close_matches(name, GALLERY, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(GALLERY)}"
        raise SceneError(f"there is no scene {name!r}; {hint}")
    return GALLERY[name]()
