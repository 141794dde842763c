"""One motion of a shape among obstacles, leg by leg, in one kernel: each leg goes as far as the next obstacle.

In: the records of the mover's parts and of the obstacles, the way, and the rule for a motion at a surface. Out: where
the mover ends, the hits in the order of time, the rest of the motion. World frame, user's units. Where several
obstacles are met at one instant, the answer to one of them that leaves the way free of all others is the right one;
only where there is none are they met together, as in an inner corner.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.broad.tree_hits import length_of_motion
from carom.character.rules import ACT, LEAST, STOPS, is_same, respond
from carom.character.swept import deepest_touched, meet_obstacles
from carom.character.toi.meeting import CORNER, ON_LINE, OVERLAP, PASSES_ON
from carom.narrow.signed_distance import separate
from carom.shapes.proxy import COUNT, POINTS, STRIDE, X, Y
from carom.tolerances import (
    BESIDE_SLOPS,
    MOST_LEGS,
    ONE_WAY_SIDE,
    SAME_NORMAL,
    SEAM_SLOPS,
    STAND_OFF_SLOPS,
)

# Places in an end: how far the mover has gone, what is left, the motion from there on, the motion last asked about.
GONE_X, GONE_Y, REST_X, REST_Y, HEADING_X, HEADING_Y, ASKED_X, ASKED_Y = range(8)
END = 8
FRACTION, POINT_X, POINT_Y, NORMAL_X, NORMAL_Y, ROW, OVERLAPPING = range(7)  # columns of a table of hits
HIT = 7
LATEST = 2.0  # beyond any fraction that is met
BESIDE = 64  # numbers: four of each part at a corner


class Scene(NamedTuple):
    """A mover and its obstacles."""

    records: Floats
    """Those of the mover's parts, where they are now, then those of the obstacles."""
    own: Floats
    """Those of the mover's parts at the start."""
    parts: Integers
    starts: Integers
    one_way: Floats
    """(n, 2) the direction that each obstacle blocks from; (0, 2) where all block from everywhere."""
    rule: Floats
    slop: float
    beside: Floats


class Found(NamedTuple):
    """How each obstacle is met on one leg."""

    fractions: Floats
    """(n,) infinite where it is not met."""
    normals: Floats
    """(n, 2) out of the obstacle."""
    points: Floats
    """(n, 2)"""
    marks: Integers
    """(n,) as `toi.meeting` tells."""


@inner
def put(scene: Scene, x: float, y: float) -> None:
    """Let the mover be as far from its start."""
    for k in range(scene.parts.shape[0]):
        i = scene.parts[k]
        scene.records[i + X], scene.records[i + Y] = scene.own[i + X] + x, scene.own[i + Y] + y


@inner
def advance(scene: Scene, end: Floats, x: float, y: float) -> None:
    """Move by one more leg: always from the start, so that coordinates round once."""
    end[GONE_X] += x
    end[GONE_Y] += y
    put(scene, end[GONE_X], end[GONE_Y])


@inner
def blocks(scene: Scene, k: int, nx: float, ny: float, mx: float, my: float) -> bool:
    """Tell whether a one-way obstacle blocks a motion that meets it where its normal is so.

    A mover that knows floors is blocked by a floor, or by a side that faces the obstacle's direction. A round foot that
    meets the end of a platform from the side meets neither: a steep part of its corner.
    """
    dx, dy, least = scene.one_way[k, 0], scene.one_way[k, 1], scene.rule[LEAST]
    facing = (nx * dx + ny * dy) / length_of_motion(dx, dy)
    if least < 0.0:
        return bool(facing > ONE_WAY_SIDE and mx * dx + my * dy < 0.0)
    if facing >= least or facing <= ONE_WAY_SIDE:
        return bool(facing >= least)
    j = scene.starts[k]
    count = int(scene.records[j + COUNT])
    for corner in range(count):
        place = j + POINTS + STRIDE * corner
        if is_same(scene.records[place + 2], scene.records[place + 3], nx, ny):
            return True
    return count == 1


@kernel
def meet(scene: Scene, mx: float, my: float, found: Found) -> float:
    """Write when the mover, going on by m, meets each obstacle, and return the first fraction."""
    meet_obstacles(
        scene.records,
        scene.parts,
        scene.starts,
        mx,
        my,
        scene.beside,
        found.fractions,
        found.normals,
        found.points,
        found.marks,
    )
    first = math.inf
    for k in range(scene.starts.shape[0]):
        if found.fractions[k] == math.inf:
            continue
        if scene.one_way.shape[0] > 0 and (scene.one_way[k, 0] != 0.0 or scene.one_way[k, 1] != 0.0):
            nx, ny = found.normals[k, 0], found.normals[k, 1]
            if found.marks[k] & OVERLAP != 0 or not blocks(scene, k, nx, ny, mx, my):
                found.fractions[k] = math.inf
        first = min(first, found.fractions[k])
    return first


@kernel
def meets_at_once(scene: Scene, mx: float, my: float, found: Found) -> bool:
    """Keep of the obstacles on a way those that are met at once, and tell whether there are any."""
    if mx == 0.0 and my == 0.0:
        return False
    meet(scene, mx, my, found)
    within, any_met = scene.slop / length_of_motion(mx, my), False
    for k in range(scene.starts.shape[0]):
        if found.fractions[k] > within or found.marks[k] & PASSES_ON != 0:
            found.fractions[k] = math.inf
        any_met = any_met or found.fractions[k] < math.inf
    return any_met


@inner
def deepest(scene: Scene, k: int) -> tuple[float, float, float]:
    """Return (separation, normal x, normal y) of the mover's part that is deepest in an obstacle, from mover to it."""
    least, nx, ny = math.inf, 0.0, 0.0
    for p in range(scene.parts.shape[0]):
        found = separate(scene.records, scene.parts[p], scene.records, scene.starts[k])
        if found[0] < least:
            least, nx, ny = found[0], found[1], found[2]
    return least, nx, ny


@inner
def touched(scene: Scene) -> int:
    """Return the obstacle that the mover is deepest in of those that it touches, if about as deep as the slop."""
    return int(deepest_touched(scene.records, scene.parts, scene.starts, 0.5 * scene.slop, SEAM_SLOPS * scene.slop))


@kernel
def back_off(scene: Scene, end: Floats, found: Found, within: float) -> None:
    """Undo the depth that a long leg's rounding adds in obstacles that it met, or touched on the way."""
    also, least, nx, ny = touched(scene), 0.0, 0.0, 0.0
    for k in range(scene.starts.shape[0]):
        if found.fractions[k] <= within or k == also:
            depth, x, y = deepest(scene, k)
            if depth < least:
                least, nx, ny = depth, x, y
    if least < -0.5 * scene.slop:
        advance(scene, end, nx * least, ny * least)


@kernel
def rise(scene: Scene, end: Floats) -> None:
    """Come half way out of an obstacle that is still nearly as deep as the slop.

    Moves along a floor, one after the other, are all rounded the same way: the mover would sink in until it met the
    hidden corners of the floor's tiles.
    """
    k = touched(scene)
    if k >= 0:
        depth, nx, ny = deepest(scene, k)
        advance(scene, end, nx * (0.5 * depth), ny * (0.5 * depth))


@inner
def add_normals(scene: Scene, found: Found, normals: Floats, count: int, tolerance: float) -> int:
    """Add the normals of the obstacles met that are not there yet; return how many there are then."""
    for k in range(scene.starts.shape[0]):
        if found.fractions[k] == math.inf:
            continue
        x, y, known = found.normals[k, 0], found.normals[k, 1], count == normals.shape[0]
        for old in range(count):
            known = known or abs(x - normals[old, 0]) + abs(y - normals[old, 1]) <= tolerance
        if not known:
            normals[count, 0], normals[count, 1] = x, y
            count += 1
    return count


@kernel
def answer_beside(
    scene: Scene, end: Floats, mx: float, my: float, met: Found, beside: Found, other: Found, best: float
) -> tuple[float, float, int, float, float]:
    """Return the best free motion after meeting the other side of a corner that is met with a corner.

    A box on a floor meets the foot of a ramp so: in a corner of its own, whose side stands in the way, and in the ramp
    that it can slide up. A hair beside its path it meets the other one alone. The normal found so is put in place of
    the first, and returned.
    """
    best_x, best_y, best_nx, best_ny, free = 0.0, 0.0, 0.0, 0.0, 0
    corners = False
    for k in range(scene.starts.shape[0]):
        corners = corners or (met.fractions[k] < math.inf and met.marks[k] & CORNER != 0)
    if not corners:
        return best_x, best_y, free, best_nx, best_ny
    length = length_of_motion(mx, my)
    for turn in range(2):
        aside = (1.0 if turn == 0 else -1.0) * BESIDE_SLOPS * scene.slop / length
        put(scene, end[GONE_X] - my * aside, end[GONE_Y] + mx * aside)
        meet(scene, mx, my, beside)
        put(scene, end[GONE_X], end[GONE_Y])
        for k in range(scene.starts.shape[0]):
            if met.fractions[k] == math.inf or met.marks[k] & CORNER == 0 or beside.fractions[k] == math.inf:
                continue
            nx, ny = beside.normals[k, 0], beside.normals[k, 1]
            if not mx * nx + my * ny < 0.0:
                continue
            ax, ay = respond(scene.rule, mx, my, nx, ny)
            if (ax != 0.0 or ay != 0.0) and not meets_at_once(scene, ax, ay, other):
                met.normals[k, 0], met.normals[k, 1] = nx, ny
                if ax * mx + ay * my > best:
                    best, best_x, best_y, best_nx, best_ny, free = ax * mx + ay * my, ax, ay, nx, ny, 1
    return best_x, best_y, free, best_nx, best_ny


@kernel
def answer(
    scene: Scene, end: Floats, mx: float, my: float, met: Found, beside: Found, other: Found, normals: Floats
) -> tuple[float, float, int, int]:
    """Return the motion after meeting some obstacles at once, and which normals counted: the first, and one past them.

    `met` holds the obstacles met, all others at infinity; `beside` and `other` are room; `normals` is overwritten.
    """
    count = add_normals(scene, met, normals, 0, SAME_NORMAL)
    if scene.rule[ACT] == STOPS:
        return 0.0, 0.0, 0, count
    end[ASKED_X], end[ASKED_Y] = mx, my
    best, best_x, best_y, counted, moves = -math.inf, 0.0, 0.0, -1, False
    k = 0
    while k < count:  # it grows by the normals met at once on the new way
        ax, ay = respond(scene.rule, mx, my, normals[k, 0], normals[k, 1])
        if meets_at_once(scene, ax, ay, other):
            # A normal that differs by rounding from one that is there may be the one that leaves the way free.
            count = add_normals(scene, other, normals, count, 0.0)
        else:
            moves = moves or ax != 0.0 or ay != 0.0
            if ax * mx + ay * my > best:
                best, best_x, best_y, counted = ax * mx + ay * my, ax, ay, k
        k += 1
    if not moves:
        ax, ay, free, nx, ny = answer_beside(scene, end, mx, my, met, beside, other, best)
        if free > 0:
            normals[0, 0], normals[0, 1] = nx, ny
            return ax, ay, 0, 1
    if counted >= 0:
        return best_x, best_y, counted, counted + 1
    for _ in range(count):
        for k in range(count):
            if mx * normals[k, 0] + my * normals[k, 1] < 0.0:
                end[ASKED_X], end[ASKED_Y] = mx, my
                mx, my = respond(scene.rule, mx, my, normals[k, 0], normals[k, 1])
    if meets_at_once(scene, mx, my, other):
        return 0.0, 0.0, 0, count
    return mx, my, 0, count


@inner
def note_hits(
    scene: Scene, met: Found, normals: Floats, first: int, last: int, time: float, hits: Floats, count: int
) -> int:
    """Write down the hits of an instant, but for corners whose direction did not count; return how many there are."""
    for k in range(scene.starts.shape[0]):
        if met.fractions[k] == math.inf:
            continue
        nx, ny, counts = met.normals[k, 0], met.normals[k, 1], met.marks[k] & CORNER == 0
        for m in range(first, last):
            counts = counts or is_same(nx, ny, normals[m, 0], normals[m, 1])
        if counts and count < hits.shape[0]:
            hits[count, FRACTION], hits[count, ROW] = time, k
            hits[count, POINT_X], hits[count, POINT_Y] = met.points[k, 0], met.points[k, 1]
            hits[count, NORMAL_X], hits[count, NORMAL_Y] = nx, ny
            hits[count, OVERLAPPING] = 1.0 if met.marks[k] & OVERLAP != 0 else 0.0
        count += 1 if counts else 0
    return count


@kernel
def play_legs(
    records: Floats,
    own: Floats,
    parts: Integers,
    starts: Integers,
    one_way: Floats,
    rule: Floats,
    wx: float,
    wy: float,
    slop: float,
    hits: Floats,
    end: Floats,
) -> int:
    """Play a motion out, or until nothing more can be done; return how many hits there were.

    Parameters
    ----------
    records, own, parts, starts, one_way, rule, slop
        See `Scene`.
    wx, wy
        The way.
    hits : (k, HIT)
        Overwritten. If there were more than k, play once more with more room.
    end : (END,)
        Overwritten.
    """
    n = starts.shape[0]
    scene = Scene(records, own, parts, starts, one_way, rule, slop, np.empty(BESIDE))
    met = Found(np.empty(n), np.empty((n, 2)), np.empty((n, 2)), np.empty(n, np.int64))
    beside = Found(np.empty(n), np.empty((n, 2)), np.empty((n, 2)), np.empty(n, np.int64))
    other = Found(np.empty(n), np.empty((n, 2)), np.empty((n, 2)), np.empty(n, np.int64))
    normals = np.empty((4 * n + 16, 2))
    for k in range(END):
        end[k] = 0.0
    for k in range(own.shape[0]):  # all of them: moving a shape may have put its local points elsewhere
        records[k] = own[k]
    left, count, hx, hy, rest_x, rest_y = 1.0, 0, wx, wy, 0.0, 0.0  # h: the motion of a whole step from here on
    for _ in range(MOST_LEGS):
        mx, my = hx * left, hy * left
        rest_x, rest_y = mx, my
        if mx == 0.0 and my == 0.0:
            break
        first = meet(scene, mx, my, met)
        if first == math.inf:
            advance(scene, end, mx, my)
            rest_x, rest_y = 0.0, 0.0
            break
        within = min(first + slop / length_of_motion(mx, my), LATEST)
        if first > 0.0:
            advance(scene, end, mx * first, my * first)
            back_off(scene, end, met, within)
        any_met = False
        for k in range(n):
            if met.fractions[k] > within:
                met.fractions[k] = math.inf
                continue
            if met.marks[k] & (ON_LINE | PASSES_ON) != 0:
                # As far off a line that the mover lies on as a mover without width stops before a line.
                away = STAND_OFF_SLOPS * slop
                advance(scene, end, met.normals[k, 0] * away, met.normals[k, 1] * away)
            if met.marks[k] & PASSES_ON != 0:
                met.fractions[k] = math.inf
            any_met = any_met or met.fractions[k] < math.inf
        left *= 1.0 - first
        rest_x, rest_y = mx * (1.0 - first), my * (1.0 - first)
        if not any_met:
            continue
        hx, hy, begin, stop = answer(scene, end, hx, hy, met, beside, other, normals)
        count = note_hits(scene, met, normals, begin, stop, 1.0 - left, hits, count)
        if hx == 0.0 and hy == 0.0:
            break
    rise(scene, end)
    end[REST_X], end[REST_Y], end[HEADING_X], end[HEADING_Y] = rest_x, rest_y, hx, hy
    return count
