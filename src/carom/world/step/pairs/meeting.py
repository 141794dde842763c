"""When two parts meet on their ways: at which gap that counts as meeting, by what presses and what the solver knows.

In: two parts on their ways. Out: after what time they meet. With acceleration they meet a little apart, so that
impacts come to an end; without, where they touch, so that a gas is exact.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.tolerances import STAND_OFF_SLOPS
from carom.world.step.constants import DEEPER, DEEPEST, MEET_AT, MEET_TURNING
from carom.world.step.pairs.contacts import skin_of
from carom.world.step.tables import Tables
from carom.world.step.ways.motion import slop_between, time_on_ways, turns_part

UNKNOWN, KNOWN, SOLVED_TOGETHER = 0, 1, 2
"""What the solver knows of a pair: nothing; its contact; both bodies, which move."""


@inner
def are_stuck(w: Tables, number_a: int, number_b: int) -> bool:
    """Tell whether one of two bodies is hit without end, so that it is solved, and does not bounce."""
    return bool(w.courses[number_a].stuck + w.courses[number_b].stuck > 0)


@kernel
def meeting_time(w: Tables, part_a: int, part_b: int, rest: float, known: int, work: Floats) -> float:
    """Return after what time two parts meet on their ways, both from the same instant on; or infinity.

    With acceleration they meet at half a skin, or, if the solver has their contact, where it lets them go deeper than a
    skin. Without acceleration they meet where they touch. Solved bodies that both move meet so deep that they might
    come out on the other side. Where one has no width, ways of mechanisms, which close again after each impact, halve
    their gap each time.
    """
    p, q, buffer = w.parts[part_a], w.parts[part_b], w.buffer
    a, b = w.bodies[p.body], w.bodies[q.body]
    size = min(a.half_width, b.half_width)
    slop = slop_between(buffer, p, q)
    target, margin, floor, tolerance = 0.0, 0.0, 0.0, slop
    thin = p.thin != 0 or q.thin != 0
    if max(a.swift, b.swift) > 0.0:
        skin = skin_of(a, b)
        target, margin, floor, tolerance = MEET_AT * skin, DEEPER * skin, -skin, 0.25 * DEEPER * skin
        if known != UNKNOWN:
            target = 0.5 * MEET_AT * skin if thin else floor
    elif turns_part(a, buffer, p) or turns_part(b, buffer, q):
        target = MEET_TURNING * size
        margin, floor, tolerance = 0.25 * target, -target, 0.025 * target
    if thin and max(a.swift, b.swift) == 0.0:
        target, margin = max(target, 2.0 * STAND_OFF_SLOPS * slop), max(margin, slop)
    if known == SOLVED_TOGETHER and not thin:
        target = -size if are_stuck(w, p.body, q.body) else -DEEPEST * size
        margin, floor, tolerance = DEEPEST * size, -math.inf, 0.25 * DEEPEST * size
    if thin:
        # A part without width has no inside: it stands off, so that it is always known on which side.
        least = margin if a.node + b.node == 0 else 0.0
        floor, tolerance = max(least, 2.0 * slop), 0.5 * slop
    return time_on_ways(w, part_a, part_b, rest, (target, margin, floor, tolerance), work)
