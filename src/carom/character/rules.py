"""The rule of a mover at a surface: it stops, slides or bounces, walks along floors, or flies until it lands.

In: a rule, a motion, the normal of the surface. Out: the motion after. World frame, user's units.
"""

from __future__ import annotations

import numpy as np

from carom._core.jit import inner
from carom._core.types import Floats
from carom.broad.tree_hits import length_of_motion
from carom.tolerances import SAME_NORMAL
from carom.vector import Vec

STOPS, SLIDES, WALKS, FLIES, LANDS = range(5)  # what a mover does at a surface; LANDS is FLIES that stops on a floor
# Places in a rule: what the mover does; the share of the motion into a surface that is taken back; which way is up and
# along; the least part of a floor's normal along up, or -1 for a mover that knows no floors.
NOWHERE = Vec(0.0, 0.0)
ACT, SHARE, UP_X, UP_Y, ALONG_X, ALONG_Y, LEAST = range(7)
RULE = 7


def rule_of(act: int, share: float = 1.0, up: Vec = NOWHERE, along: Vec = NOWHERE, least: float = -1.0) -> Floats:
    """Return the rule for a motion at a surface; see the places in a rule."""
    rule = np.zeros(RULE)
    rule[ACT], rule[SHARE], rule[LEAST] = act, share, least
    rule[UP_X], rule[UP_Y], rule[ALONG_X], rule[ALONG_Y] = *up, *along
    return rule


@inner
def is_same(ax: float, ay: float, bx: float, by: float) -> bool:
    """Tell whether two normals are those of one surface."""
    return abs(ax - bx) + abs(ay - by) <= SAME_NORMAL


@inner
def slid(mx: float, my: float, nx: float, ny: float, share: float) -> tuple[float, float]:
    """Return a motion less a share of what goes into a surface, and less what rounding leaves of that."""
    into = share * (mx * nx + my * ny)
    mx, my = mx - nx * into, my - ny * into
    into = min(mx * nx + my * ny, 0.0)
    return mx - nx * into, my - ny * into


@inner
def respond(rule: Floats, mx: float, my: float, nx: float, ny: float) -> tuple[float, float]:
    """Return a motion after it has met a surface."""
    act = rule[ACT]
    if act == SLIDES:
        return slid(mx, my, nx, ny, rule[SHARE])
    upward = nx * rule[UP_X] + ny * rule[UP_Y]
    floor = upward >= rule[LEAST]
    if act == WALKS:
        if not floor:
            return 0.0, 0.0
        length = length_of_motion(mx, my)
        if ny * rule[ALONG_X] - nx * rule[ALONG_Y] > 0.0:
            return ny * length, -nx * length
        return -ny * length, nx * length
    if floor and act == LANDS:
        return 0.0, 0.0
    if not floor and upward > -rule[LEAST]:
        # A push sideways into a wall is stopped, not turned up or down it.
        right_x, right_y = rule[UP_Y], 0.0 - rule[UP_X]
        side = mx * right_x + my * right_y
        if side * (nx * right_x + ny * right_y) < 0.0:
            mx, my = mx - right_x * side, my - right_y * side
    into = min(mx * nx + my * ny, 0.0)
    return slid(mx - nx * into, my - ny * into, nx, ny, 0.0)
