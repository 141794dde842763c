"""A scene as pictures: the shapes with their layers, and beside them what has a plane of its own.

In: a scene. Out: drawings for any back end, and a title. World frame, y up, user's units.
"""

from __future__ import annotations

from carom.canvas.drawing import Drawing
from carom.draw.pair.explained import strips
from carom.draw.pair.facts import facts_of
from carom.draw.pair.layers import items_of, minkowski, window_of
from carom.draw.pair.scene import Scene


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
