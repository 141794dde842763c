"""Marks that are drawn over figures on request: contacts, normals, velocities, bounds and rows; in world coordinates.

In: figures, and the names of what to show. Out: dots, arrows, boxes. The arrow of a velocity is the way of a quarter of
a second; arrows of normals and marks of one-way sides have a length in pixels, so they take the zoom.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from carom._core import inputs
from carom._core.names import near_name
from carom._core.types import Floats
from carom.draw.figures import Figures, bounds_of_parts, places_of

OVERLAYS = ("contacts", "normals", "velocities", "aabb", "rows", "names", "legend")
SECONDS = 0.25  # whose way the arrow of a velocity is
NORMAL_LENGTH, ONE_WAY_LENGTH = 24.0, 20.0  # pixels


class Overlays(NamedTuple):
    """The marks over the figures, in world coordinates."""

    dots: Floats
    """(c, 2) points where bodies press on each other."""
    normals: Floats
    """(c, 2, 2) from each such point along the normal."""
    velocities: Floats
    """(v, 2, 2) from the middle of what moves, the way it goes."""
    one_way: Floats
    """(o, 2, 2) through the middle of a one-way figure, the way that it lets through."""
    boxes: Floats
    """(p, 4) AABBs."""


def names_of(
    where: str, layers: Any, known: Iterable[str], others: Iterable[str] = (), remedy: str = ""
) -> frozenset[str]:
    """Return the names of layers, given with commas between or one by one, or refuse one that there is not.

    The remedy is told of a name that is among some others.
    """
    given = layers.split(",") if isinstance(layers, str) else _listed(where, layers)
    chosen = [name.strip() for name in given if name.strip()]
    there = tuple(known)
    for name in chosen:
        if name not in there:
            near = f"; {remedy}" if name in others else near_name(name, there)
            inputs.refuse(ValueError, where, "layers", name, f"must be one of {', '.join(there)}{near}")
    return frozenset(chosen)


def _listed(where: str, layers: Any) -> list[str]:
    found = inputs.listed(where, "layers", layers, "names with commas between")
    for name in found:
        if not isinstance(name, str):
            inputs.refuse(TypeError, where, "layers", name, "must be a name of a layer")
    return list(found)


def overlays_of(figures: Figures, chosen: frozenset[str], zoom: float) -> Overlays:
    """Return what is asked for of the figures that are seen; the marks of one-way figures without being asked for."""
    none, flat = np.zeros((0, 2, 2)), np.zeros((0, 2))
    dots = normals = flat
    if chosen & {"contacts", "normals"}:
        found = [world.contacts() for world in figures.worlds]
        has = [np.arange(2) < one.count[:, None] for one in found]
        dots = np.concatenate([flat, *(one.points[of] for one, of in zip(found, has, strict=True))])
        along = (np.repeat(one.normal, one.count, axis=0) for one in found)
        normals = np.concatenate([flat, *along])
    places = places_of(figures)
    seen = ~np.isnan(places[:, 0])
    moving = seen & (figures.velocities != 0.0).any(axis=1) & ("velocities" in chosen)
    ways = places[moving], figures.velocities[moving] * SECONDS
    blocking = seen & (figures.one_way != 0.0).any(axis=1)
    through = figures.one_way[blocking]
    through = through / np.maximum(np.hypot(*through.T), 1e-300)[:, None] * (ONE_WAY_LENGTH / zoom)
    return Overlays(
        dots if "contacts" in chosen else flat,
        _arrows(dots, normals * (NORMAL_LENGTH / zoom)) if "normals" in chosen else none,
        _arrows(*ways),
        _arrows(places[blocking] - through / 2.0, through),
        bounds_of_parts(figures) if "aabb" in chosen else np.zeros((0, 4)),
    )


def _arrows(starts: Floats, ways: Floats) -> Floats:
    return np.stack((starts, starts + ways), axis=1)


def labels_of(where: str, figures: Figures, labels: Any, chosen: frozenset[str]) -> Sequence[str]:
    """Return the words for figures: those given, or their rows and names if these are asked for, or none."""
    if labels is None:
        shown = figures.rows.tolist() if "rows" in chosen or "names" in chosen else ()
        return [_word_of(figures, k, row, chosen) for k, row in enumerate(shown)]
    if isinstance(labels, str):
        inputs.refuse_type(where, "labels", labels, "must be a list with a text for each figure")
    words = inputs.sequence(where, "labels", labels, len(figures.roles), "figures")
    for k, one in enumerate(words):
        if not isinstance(one, str):
            inputs.refuse_type(where, f"labels[{k}]", one, "must be text")
    return words


def _word_of(figures: Figures, k: int, row: int, chosen: frozenset[str]) -> str:
    """Return the row of a figure, its name, or both: of a trigger its own, of a body its data if that is text."""
    data = figures.worlds[0]._store.data[row] if len(figures.worlds) == 1 else None
    name = figures.names.get(k, data if isinstance(data, str) else "")
    if "names" not in chosen:
        return figures.names.get(k, str(row))
    return f"{row} {name}".strip() if "rows" in chosen and k not in figures.names else name
