"""A scene of the playground: shapes, the pair that is looked at, a motion, the layers that are on, and words about it.

In: values. Out: a frozen scene, which every edit replaces by another, so that going back is keeping the old one; and
scenes as JSON text and back. World frame, y up, user's units.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from carom import ConvexShape, Vec
from carom.draw.pair import LAYERS as LAYERS
from carom.draw.pair import STILL as STILL
from carom.draw.pair import Scene as PairScene
from carom.draw.pair import SceneError as SceneError
from carom_playground.notation import from_text

Point2 = tuple[float, float]
FORMAT = "carom scene 1"
FIELDS = {"format", "title", "words", "shapes", "pair", "motion", "layers"}

LAYER_KEYS = dict(zip(LAYERS, "1234567890G", strict=True))
"""The key of each layer."""


@dataclass(frozen=True)
class Scene(PairScene):
    """Everything that the playground shows of a moment; every edit replaces it by another."""

    def with_shape(self, row: int, shape: ConvexShape) -> Self:
        """Return the scene with another shape in a row."""
        return replace(self, shapes=(*self.shapes[:row], shape, *self.shapes[row + 1 :]))

    def with_new(self, shape: ConvexShape) -> Self:
        """Return the scene with one more shape, which becomes B; the old B becomes A."""
        row = len(self.shapes)
        before = self.pair[1] if self.pair is not None else 0
        pair = (before, row) if row else None
        return replace(self, shapes=(*self.shapes, shape), pair=pair)

    def without(self, row: int) -> Self:
        """Return the scene without a shape; the pair moves to its neighbours where it has lost one."""
        shapes = self.shapes[:row] + self.shapes[row + 1 :]
        if len(shapes) < 2 or self.pair is None:
            return replace(self, shapes=shapes, pair=None)
        a, b = ((k - (k > row)) if k != row else -1 for k in self.pair)
        spare = [k for k in range(len(shapes)) if k not in (a, b)]
        if a < 0:
            a = spare[0]
        elif b < 0:
            b = spare[0]
        return replace(self, shapes=shapes, pair=(a, b))

    def looking_at(self, row: int) -> Self:
        """Return the scene with a third shape as B; the old B becomes A. A and B stay what they are."""
        if len(self.shapes) < 2 or (self.pair is not None and row in self.pair):
            return self
        before = self.pair[1] if self.pair is not None else next(k for k in range(len(self.shapes)) if k != row)
        return replace(self, pair=(before, row))

    def exchanged(self) -> Self:
        """Return the scene with A and B exchanged."""
        return self if self.pair is None else replace(self, pair=(self.pair[1], self.pair[0]))

    def with_layer(self, name: str) -> Self:
        """Return the scene with a layer switched on or off."""
        return replace(self, layers=self.layers ^ {name})

    def to_json(self) -> str:
        """Return the scene as text that `from_json` reads."""
        return json.dumps(
            {
                "format": FORMAT,
                "title": self.title,
                "words": self.words,
                "shapes": [repr(shape) for shape in self.shapes],
                "pair": self.pair,
                "motion": self.motion,
                "layers": sorted(self.layers, key=list(LAYERS).index),
            },
            indent=2,
            ensure_ascii=False,
        )

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the scene that a text holds, or raise a `SceneError` that names its fault."""
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise SceneError(f"is not JSON: {error}") from None
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise SceneError(f'must be an object with "format": "{FORMAT}"')
        if unknown := found.keys() - FIELDS:
            raise SceneError(f"has an unknown entry {sorted(unknown)[0]!r}; there are {', '.join(sorted(FIELDS))}")
        shapes = _read(found, "shapes", list, [])
        if wrong := [item for item in shapes if not isinstance(item, str)]:
            raise SceneError(f'"shapes" holds {wrong[0]!r}; each must be text such as "Circle((0, 0), 1)"')
        layers = _read(found, "layers", list, [])
        if any(not isinstance(item, str) for item in layers):
            raise SceneError('"layers" must hold names')
        pair = found.get("pair", [0, 1] if len(shapes) > 1 else None)
        if pair is not None and not (isinstance(pair, list) and len(pair) == 2 and all(type(k) is int for k in pair)):
            raise SceneError(f'"pair" = {pair!r} must be two row numbers')
        motion = _read(found, "motion", list, [0.0, 0.0])
        if len(motion) != 2 or any(type(k) not in (int, float) or not abs(k) <= 1e150 for k in motion):
            raise SceneError(f'"motion" = {motion!r} must be two finite numbers')
        try:
            made = tuple(from_text(item) for item in shapes)
        except ValueError as error:
            raise SceneError(f'"shapes": {error}') from None
        words = {name: _read(found, name, str, "") for name in ("title", "words")}
        chosen = None if pair is None else (pair[0], pair[1])
        return cls(made, chosen, Vec(float(motion[0]), float(motion[1])), frozenset(layers), **words)

    def to_python(self) -> str:
        """Return the Python code that makes the chosen pair and explains it."""
        lines = ["import carom as cm", "", f"a = cm.{self.a!r}", f"b = cm.{self.b!r}"]
        lines.append("print(cm.explain(a, b))")
        if self.motion != (0.0, 0.0):
            lines.append(f"print(cm.cast(a, b, ({self.motion.x!r}, {self.motion.y!r})))")
        return "\n".join(lines) + "\n"


def _read(found: dict[str, Any], name: str, kind: type, otherwise: Any) -> Any:
    value = found.get(name, otherwise)
    if not isinstance(value, kind):
        raise SceneError(f'"{name}" = {value!r} must be {"text" if kind is str else "a list"}')
    return value


def read_scene(file: Path) -> Scene:
    """Return the scene of a file, or raise a `SceneError` that names the file and its fault."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise SceneError(f"{file} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SceneError(f"{file} is not text") from None
    try:
        return Scene.from_json(text)
    except SceneError as refusal:
        raise SceneError(f"{file} {refusal}") from None
