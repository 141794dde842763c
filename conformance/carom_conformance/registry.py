"""The list of scenes: each has a name, a chapter, a text, a source, and a function of an engine that answers.

In: functions with the decorator `scene` or `scenes`. Out: `all_scenes`, by name, in the order of the chapters.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from carom_conformance.engine import Engine

CHAPTERS = {
    "pairs": "Pairs of shapes",
    "casts": "Rays and casts",
    "motion": "Motion",
    "joints": "Joints",
    "input": "Bad and odd input",
}
MODULES = (
    "pairs",
    "lattice",
    "gaps",
    "depths",
    "rays",
    "casts",
    "bullets",
    "impacts",
    "sliding",
    "resting",
    "carried",
    "noticing",
    "pendulums",
    "chains",
    "held",
    "input",
)

TOPICS = {
    "Shapes that touch": "touching-boxes-side-by-side",
    "Apart or overlapping by the last bit": "an-ulp-apart-boxes",
    "Crossing, nested, parallel": "meeting-one-within-the-other",
    "Hundreds of pairs": "of-300-pairs-triangles",
    "Distances": "distance-circles",
    "Points in shapes, and more distances": "contains-on-a-slanted-edge",
    "Depths and normals": "depth-circles",
    "Rays: how far": "ray-fraction-a-box",
    "Rays that graze or just miss, normals": "ray-hit-a-ray-that-ends-on-the-surface",
    "Casts": "cast-fraction-a-ball-and-a-wall",
    "Bullets and flights": "bullets-at-a-wall-100-units-a-second",
    "Impacts": "first-bounce-of-restitution-1",
    "Sliding and rolling": "smooth-over-flush-tiles-a-box-over-tiles-of-1",
    "Stacks and balance": "a-stack-stands-5-boxes",
    "Sleep and waking": "a-box-falls-asleep",
    "Drums, lifts and belts": "a-ball-in-a-drum-1-rad-s",
    "Sensors, groups, bodies that come and go": "through-a-sensor-1-unit-a-second",
    "Pendulums and springs": "period-of-a-pendulum-5-degrees",
    "Chains, bridges and ropes": "a-hanging-chain-1",
    "Limits, motors, gears and slides": "limit-of-a-hinge-0.5-rad",
    "Shapes that are none": "refuses-a-circle-of-radius-nan",
    "Worlds that refuse": "world-refuses-a-step-backwards",
    "Odd, but right": "odd-but-right-clockwise-vertices",
}
"""Topics within the chapters: each begins with this scene and goes on until the next."""

RATIONAL = "rational arithmetic"
CLOSED = "closed form"

Value: TypeAlias = bool | int | float | str | tuple[float, ...] | None


class Answer(NamedTuple):
    """What an engine answered and the right answer; numbers may differ by `within`, for the reason given."""

    measured: Value
    expected: Value
    within: float = 0.0
    reason: str = ""


class Scene(NamedTuple):
    """A scene: `play` asks an engine."""

    name: str
    chapter: str
    text: str
    source: str
    play: Callable[[Engine], Answer]


_SCENES: dict[str, Scene] = {}


def scene(chapter: str, source: str) -> Callable[[Callable[[Engine], Answer]], Callable[[Engine], Answer]]:
    """Register a function of an engine under its name; its docstring is the scene's text."""

    def register(play: Callable[[Engine], Answer]) -> Callable[[Engine], Answer]:
        _keep(Scene(_name(play), chapter, _text(play), source, play))
        return play

    return register


def scenes(
    chapter: str, source: str, cases: Mapping[str, tuple[Any, ...]]
) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    """Register a function of an engine and more arguments, once for each case: `{}` in the text is the case's name."""

    def register(play: Callable[..., Answer]) -> Callable[..., Answer]:
        for case, arguments in cases.items():
            name = f"{_name(play)}-{re.sub(r'[^a-z0-9.]+', '-', case.lower())}"

            def one(engine: Engine, arguments: tuple[Any, ...] = arguments) -> Answer:
                return play(engine, *arguments)

            _keep(Scene(name, chapter, _text(play).replace("{}", case), source, one))

        return play

    return register


def _keep(found: Scene) -> None:
    if found.name in _SCENES:
        raise ValueError(f"two scenes are called {found.name}")
    if found.chapter not in CHAPTERS:
        raise ValueError(f"no chapter is called {found.chapter}")
    _SCENES[found.name] = found


def _name(play: Callable[..., Answer]) -> str:
    return play.__name__.replace("_", "-")


def _text(play: Callable[..., Answer]) -> str:
    return " ".join((inspect.getdoc(play) or "").split())


def all_scenes() -> dict[str, Scene]:
    """Return all scenes by name, chapter by chapter."""
    for module in MODULES:
        importlib.import_module(f"carom_conformance.scenes.{module}")
    order = list(CHAPTERS)
    return {one.name: one for one in sorted(_SCENES.values(), key=lambda one: order.index(one.chapter))}
