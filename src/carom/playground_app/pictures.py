"""A scene as pictures: the shapes with their layers, and beside them what has a plane of its own.

In: a scene. Out: drawings for any back end, and a title. World frame, y up, user's units.
"""

from __future__ import annotations

from typing import Any

from carom._core import inputs
from carom.canvas.drawing import Drawing
from carom.explain.picture import strips
from carom.playground_app.facts import facts_of
from carom.playground_app.layers import items_of, minkowski, window_of
from carom.playground_app.scene import Scene
from carom.shapes.base import ConvexShape


def pictures(scene: Scene) -> list[Drawing]:
    """Return the scene's picture and, if their layers are on, the strips of all axes and the Minkowski difference."""
    facts = facts_of(scene)
    found = [Drawing(tuple(items_of(scene, facts)), window_of(scene, facts))]
    if facts.why is not None and "axes" in scene.layers:
        found.append(strips(facts.why))
    if facts.why is not None and "minkowski" in scene.layers:
        found.append(minkowski(facts.why))
    return found


def title_of(scene: Scene) -> str:
    """Return the scene's title, or else what is to be seen of its pair."""
    why = facts_of(scene).why
    return scene.title or ("Shapes" if why is None else why.sentence)


def refuse_others(where: str, row: int, shape: Any) -> None:
    """Refuse an argument that is no shape, by its row."""
    if not isinstance(shape, ConvexShape):
        inputs.refuse(TypeError, where, f"shapes[{row}]", shape, f"must be a shape, not {type(shape).__name__}")
