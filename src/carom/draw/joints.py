"""Joints of a world as lines and dots: rods and ropes between their anchors, springs as zigzags, axes and limits.

In: figures, and how many pixels a unit of the world is. Out: marks in world coordinates, for the joints whose bodies
are among the figures. A mark without a length of its own, such as a weld, has one in pixels.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from carom._core.types import Floats
from carom.draw.figures import Figures, bounds_of
from carom.shapes.bounds import Bounds
from carom.vector import Vec
from carom.world.joints.kinds import KINDS, RECORDS, JointKind
from carom.world.joints.lists import rows_in_use
from carom.world.joints.measures import Pose, angle_of, axis_of, pose_of

MARK, ARC, AXIS, ZIGZAG, TICK = 5.0, 36.0, 30.0, 6.0, 5.0  # pixels
TURNS = 8  # of a spring
PIECES = 16  # of an arc, of a rope that hangs

Path = list[Vec]


class Marks(NamedTuple):
    """The marks of joints, in world coordinates."""

    lines: Floats
    """(m, 2, 2) what holds: rods, ropes, springs, welds."""
    faint: Floats
    """(k, 2, 2) where it may go: axes and limits."""
    dots: Floats
    """(d, 2) anchors."""


def marks_of(figures: Figures, zoom: float) -> Marks:
    """Return the marks of the joints of the figures."""
    lines: list[Path] = []
    faint: list[Path] = []
    dots: list[Vec] = []
    for joint in joints_of(figures):
        hold, may = paths_of(joint, 1.0 / zoom)
        lines += hold
        faint += may
        dots += joint.anchors
    return Marks(_pieces(lines), _pieces(faint), np.array(dots, dtype=np.float64).reshape(-1, 2))


class Seen(NamedTuple):
    """A joint as it is drawn."""

    kind: JointKind
    pose: Pose
    record: Any
    """Its row of the table of joints."""
    gravity: Vec

    @property
    def anchors(self) -> list[Vec]:
        """Its anchors, one of those that should be at the same place; none of a gear or a motor, which have none."""
        if self.kind in ("gear", "motor"):
            return []
        if self.kind == "pulley":
            return [self.pose.anchor_a, *self.over, self.pose.anchor_b]
        return [self.pose.anchor_a] if self.kind in ("pin", "weld") else [self.pose.anchor_a, self.pose.anchor_b]

    @property
    def over(self) -> list[Vec]:
        """The points over which a pulley runs."""
        return [Vec(float(self.record[f"over_{end}x"]), float(self.record[f"over_{end}y"])) for end in "ab"]

    @property
    def ends(self) -> list[Vec]:
        """Where the axis of a slide or a wheel ends that has limits."""
        if self.kind not in ("slide", "wheel") or self.limits is None:
            return []
        return [self.pose.anchor_b + axis_of(self.record, self.pose) * limit for limit in self.limits]

    @property
    def limits(self) -> tuple[float, float] | None:
        """How far it may go; None for any way."""
        low, high = float(self.record["low"]), float(self.record["high"])
        return None if low == -math.inf else (low, high)


def joints_of(figures: Figures) -> Iterator[Seen]:
    """Yield the joints whose bodies are among the figures."""
    shown = {-1, *figures.rows.tolist()}
    for world in figures.worlds:
        w, gravity = world._store.tables, world.gravity
        for row in rows_in_use(w):
            record = w.joints.table[row]
            if not record["off"] and int(record["a"]) in shown and int(record["b"]) in shown:
                yield Seen(KINDS[int(record["kind"]) - 1], pose_of(w, row), record, gravity)


def bounds_with_joints(figures: Figures) -> Bounds | None:
    """Return the AABB of all figures, and of the anchors and axes of their joints; None where there are none."""
    found = bounds_of(figures)
    places = [place for joint in joints_of(figures) for place in (*joint.anchors, *joint.ends)]
    if found is None or not places:
        return found
    xs, ys = zip(*places, strict=True)
    low_x, low_y, high_x, high_y = found
    return Bounds(min(low_x, *xs), min(low_y, *ys), max(high_x, *xs), max(high_y, *ys))


def paths_of(joint: Seen, pixel: float) -> tuple[list[Path], list[Path]]:
    """Return what holds, and where it may go."""
    drawn, a, b = RECORDS[joint.kind].drawn, joint.pose.anchor_a, joint.pose.anchor_b
    if drawn == "none":
        return [], []
    if drawn == "arc":
        return [], _arc(joint, pixel) if joint.limits is not None else []
    if drawn == "cross":
        x, y = Vec(MARK * pixel, MARK * pixel), Vec(MARK * pixel, -MARK * pixel)
        return [[a - x, a + x], [a - y, a + y]], []
    if drawn == "axis":
        return ([_zigzag(a, b, pixel)] if joint.record["sprung"] else [[a, b]]), _track(joint, pixel)
    if drawn == "rope":
        return [_hanging(joint)], []
    if drawn == "pulley":
        return [[a, *joint.over, b]], []
    return [_zigzag(a, b, pixel) if drawn == "zigzag" else [a, b]], []


def _zigzag(start: Vec, end: Vec, pixel: float) -> Path:
    way = end - start
    if way.length == 0.0:
        return [start, end]
    aside = Vec(-way.y, way.x) * (min(ZIGZAG * pixel, 0.2 * way.length) / way.length)
    shares = ((k + 0.5) / TURNS for k in range(TURNS))
    peaks = [start + way * (0.15 + 0.7 * share) + aside * (-1) ** k for k, share in enumerate(shares)]
    return [start, start + way * 0.15, *peaks, start + way * 0.85, end]


def _hanging(joint: Seen) -> Path:
    """Return a rope, which hangs through where it is longer than its anchors are apart."""
    start, end = joint.pose.anchor_a, joint.pose.anchor_b
    length, distance = float(joint.record["high"]), (end - start).length
    if length - distance <= 1e-6 * length or joint.gravity.length == 0.0:
        return [start, end]
    # A flat parabola with sag s is longer than its chord d by 8 s^2 / (3 d), and 1/7 is the error of a deep one.
    down = joint.gravity.normalized() * math.sqrt(0.1875 * (length + distance) * (length - distance))
    shares = [k / PIECES for k in range(PIECES + 1)]
    return [start + (end - start) * share + down * (4.0 * share * (1.0 - share)) for share in shares]


def _track(joint: Seen, pixel: float) -> list[Path]:
    """Return the axis of a slide or a wheel as far as it may go, with an end at each limit."""
    axis, at = axis_of(joint.record, joint.pose), joint.pose.anchor_b
    ends = joint.ends
    if not ends:
        return [[at - axis * (AXIS * pixel), at + axis * (AXIS * pixel)]]
    tick = Vec(-axis.y, axis.x) * (TICK * pixel)
    return [ends, *([end - tick, end + tick] for end in ends)]


def _arc(joint: Seen, pixel: float) -> list[Path]:
    """Return the arc of the angles that a pin lets its body a have, by the direction of its middle, with its ends."""
    at, body, (low, high) = joint.pose.anchor_a, joint.pose.a, joint.limits or (0.0, 0.0)
    arm = Vec(body.x, body.y) - at
    direction = (arm.angle if arm.length > 0.0 else body.angle) - angle_of(joint.record, joint.pose)
    high = min(high, low + 2.0 * math.pi)
    angles = [direction + low + (high - low) * k / PIECES for k in range(PIECES + 1)]
    arc = [at + Vec(ARC * pixel, 0.0).rotated(angle) for angle in angles]
    return [[at, *arc, at]]


def _pieces(paths: Iterable[Path]) -> Floats:
    """Return the straight pieces of paths, (n, 2, 2)."""
    found = [(start, end) for path in paths for start, end in pairwise(path)]
    return np.array(found, dtype=np.float64).reshape(-1, 2, 2)
