"""Parts of figures as polygons and discs in pixels, all parts of a kind at once.

In: figures and a camera. Out: for each part a disc, a stroke or a polygon with its arcs cut fine. Parts that reach far
beyond the surface are cut off there, since pygame fills line by line, seen or not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from carom._core.quick import new
from carom._core.types import Floats, Integers
from carom.draw.camera import Camera
from carom.draw.figures import Figures
from carom.shapes.proxy import COUNT, POINTS, RADIUS, STRIDE, X
from carom.vector import Point2

FAR = 3000.0  # pixels from the middle beyond which a polygon is cut off
LARGE = 400.0  # radius in pixels from which a disc is drawn as a polygon, which can be cut off
MOST_PIECES = 24  # of an arc at a corner
DISC_CORNERS = 4.0  # a disc takes pygame as long as a polygon with so many corners
MITRE = 0.3  # least cosine of half the turn at a corner for which an inner outline follows it exactly


class Disc(NamedTuple):
    """A disc, in pixels."""

    x: float
    y: float
    radius: float


Part = Disc | list[Point2]
"""A disc, the two ends of a stroke, or a polygon."""


def corners_about(figures: Figures) -> int:
    """Return roughly how many corners all parts have as polygons."""
    counts, radii = figures.buffer[figures.records + COUNT], figures.buffer[figures.records + RADIUS]
    return int(np.where(radii > 0.0, np.where(counts == 1.0, DISC_CORNERS, 4.0 * counts + 4.0), counts).sum())


def parts_of(figures: Figures, camera: Camera, insets: Floats) -> tuple[list[Part], list[Part]]:
    """Return the parts in pixels, and of each a second outline so many pixels inside of it; outside, if negative.

    A stroke has none, nor has a part whose inset is 0.
    """
    at, buffer = figures.records, figures.buffer
    counts = buffer[at + COUNT].astype(np.int64)
    radii = buffer[at + RADIUS] * camera.zoom
    origins = camera.to_pixel(np.column_stack((buffer[at + X], buffer[at + X + 1])))
    scale = np.array((camera.zoom, -camera.zoom if camera.y_up else camera.zoom))
    outer: list[Part] = [Disc(0.0, 0.0, 0.0)] * len(at)
    inner: list[Part] = [[]] * len(at)
    for count in np.unique(counts).tolist():
        for round_ones in (False, True):
            chosen = np.flatnonzero((counts == count) & ((radii > 0.0) == round_ones))
            if not chosen.size:
                continue
            slots = (at[chosen] + POINTS)[:, None] + STRIDE * np.arange(count)
            points = np.stack((buffer[slots], buffer[slots + 1]), axis=-1) * scale + origins[chosen, None]
            if count == 1:
                centers = points[:, 0]
                _put_discs(outer, chosen, centers, radii[chosen])
                wanted = insets[chosen] != 0.0
                within = np.maximum(radii[chosen] - insets[chosen], 0.0)
                _put_discs(inner, chosen[wanted], centers[wanted], within[wanted])
                continue
            if round_ones:
                normals = np.stack((buffer[slots + 2], buffer[slots + 3]), axis=-1) * np.sign(scale)
                points = _rounded(points, normals, radii[chosen], math.copysign(math.pi, scale[1]))
            _put(outer, chosen, points)
            for wanted, moved in ((insets[chosen] > 0.0, _inset), (insets[chosen] < 0.0, _rim)):
                if points.shape[1] > 2 and wanted.any():
                    _put(inner, chosen[wanted], moved(points[wanted], insets[chosen][wanted]))
    return outer, inner


def _put_discs(parts: list[Part], chosen: Integers, centers: Floats, radii: Floats) -> None:
    """Enter discs; large ones as polygons."""
    for k, disc in zip(chosen.tolist(), np.column_stack((centers, radii)).tolist(), strict=True):
        parts[k] = new(Disc, disc) if disc[2] < LARGE else _large_disc(*disc)


def _put(parts: list[Part], chosen: Integers, points: Floats) -> None:
    """Enter polygons, cut off where they reach far beyond the surface."""
    reach: Floats = np.abs(points).max(axis=(1, 2))
    for k, polygon, far in zip(chosen.tolist(), points.tolist(), reach.tolist(), strict=True):
        parts[k] = cut_off(polygon) if far > FAR else polygon


def _rounded(points: Floats, normals: Floats, radii: Floats, half_turn: float) -> Floats:
    """Return convex polygons with an arc at each corner: (m, k, 2) become (m, k x pieces, 2).

    At the end of a stroke the arc is half a turn, pi or -pi as the surface counts angles.
    """
    m, k, _ = points.shape
    pieces = 1 + int(min(MOST_PIECES, max(2.0, math.sqrt(float(radii.max())) * (1.5 if k == 2 else 0.8))))
    last = np.arctan2(normals[..., 1], normals[..., 0])
    first = np.roll(last, 1, axis=1)
    turn = (last - first + math.pi) % (2.0 * math.pi) - math.pi if k > 2 else np.full((m, k), half_turn)
    angles = first[..., None] + turn[..., None] * np.linspace(0.0, 1.0, pieces)
    rim: Floats = np.stack((np.cos(angles), np.sin(angles)), axis=-1) * radii[:, None, None, None]
    found: Floats = (points[:, :, None] + rim).reshape(m, k * pieces, 2)
    return found


def _inset(points: Floats, insets: Floats) -> Floats:
    """Return polygons whose edges lie so many pixels further in; whichever way round they go."""
    normals = _inwards(points)
    before = np.roll(normals, 1, axis=1)
    cosine = 1.0 + (normals * before).sum(axis=-1)
    moved: Floats = points + insets[:, None, None] * (normals + before) / np.maximum(cosine, MITRE)[..., None]
    return moved


def _rim(points: Floats, insets: Floats) -> Floats:
    """Return polygons whose edges lie further out, by the negative of the insets, with corners cut off: no spikes."""
    normals = _inwards(points)
    ends = np.stack((np.roll(normals, 1, axis=1), normals), axis=2) * insets[:, None, None, None]
    m, k, _ = points.shape
    found: Floats = (points[:, :, None] + ends).reshape(m, 2 * k, 2)
    return found


def _inwards(points: Floats) -> Floats:
    """Return the unit normal of each edge, from each corner to the next, that leads into the polygon."""
    edges = np.roll(points, -1, axis=1) - points
    area = (points[..., 0] * np.roll(points, -1, axis=1)[..., 1]).sum(axis=1)
    area -= (points[..., 1] * np.roll(points, -1, axis=1)[..., 0]).sum(axis=1)
    lengths = np.maximum(np.hypot(edges[..., 0], edges[..., 1]), 1e-9)
    way = np.where(area > 0.0, 1.0, -1.0)[:, None] / lengths
    normals: Floats = np.stack((-edges[..., 1] * way, edges[..., 0] * way), axis=-1)
    return normals


def _large_disc(x: float, y: float, radius: float) -> list[Point2]:
    pieces = int(min(4000.0, 12.0 * math.sqrt(radius)))
    turns = np.linspace(0.0, 2.0 * math.pi, pieces, endpoint=False)
    found: list[Point2] = np.column_stack((x + radius * np.cos(turns), y + radius * np.sin(turns))).tolist()
    return cut_off(found)


def cut_off(points: Sequence[Point2]) -> list[Point2]:
    """Return the part of a convex polygon, or of a stroke, that lies not too far from the surface."""
    kept = list(points)
    for axis in (0, 1):
        for sign in (1.0, -1.0):
            found: list[Point2] = []
            closed = len(kept) > 2
            for k, one in enumerate(kept):
                other = kept[k - 1]
                a, b = FAR - sign * other[axis], FAR - sign * one[axis]
                if (a < 0.0) != (b < 0.0) and (closed or k):
                    share = a / (a - b)
                    found.append(tuple(p + share * (q - p) for p, q in zip(other, one, strict=True)))  # type: ignore[arg-type]
                if b >= 0.0:
                    found.append(one)
            kept = found
    return kept
