"""The kind of an island, which decides how it is solved.

In: an island with velocities at the start of the step. Out: CALM, where all contacts are slow; VIOLENT, where many are
not; UNEQUAL, where masses differ much; JOINTED, where joints hold some;
else MOVING. Speeds are those of contacts, so that a stack on a lift is as calm
as on the ground. An island that a kinematic body drives is neither violent nor unequal, since only the general
solver tells whether there is room for it. One of a few points is not violent, since the others solve it all but
exactly. It is unequal from a larger difference of masses on: normals that settle before frictions throw a light body
out from under a heavy one.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom.world.step.constants import FEW, QUICK_SHARE
from carom.world.step.pairs.contacts import Contacts, velocity_at, velocity_of
from carom.world.step.pairs.slow import is_slow
from carom.world.step.solve.islands import Islands
from carom.world.step.tables import Bodies
from carom.world.step.ways.motion import drives

CALM, MOVING, VIOLENT, UNEQUAL, JOINTED = 0, 1, 2, 3, 4

UNEQUAL_MASSES = 100
"""Times the smallest mass: from here on steps along the gradient take longer than factors; of few points from the
square of it on."""
MOST_INSIDE = 400
"""Bodies: with more, factors take longer than sweeps."""


@kernel
def kind_of(bodies: Bodies, contacts: Contacts, islands: Islands, s: int, step: float) -> int:
    """Return what island s is."""
    for k in range(islands.starts[s], islands.starts[s + 1]):
        if bodies[islands.members[k]].node != 0:
            return JOINTED
    begin, end, fast, points, driven = islands.begins[s], islands.begins[s + 1], 0, 0, False
    for c in range(begin, end):
        contact = contacts[islands.order[c]]
        a, b = bodies[contact.a], bodies[contact.b]
        points += contact.count
        driven = driven or drives(a) or drives(b)
        x, y = velocity_at(velocity_of(a), velocity_of(b), contact, 0)
        fast += 0 if is_slow(math.sqrt(x * x + y * y), max(a.swift, b.swift), step) else 1
    if not driven:
        least, most, count = math.inf, 0.0, islands.starts[s + 1] - islands.starts[s]
        for k in range(islands.starts[s], islands.starts[s + 1]):
            inverse = bodies[islands.members[k]].inverse_mass
            least, most = min(least, inverse), max(most, inverse)
        bearable = UNEQUAL_MASSES if points > FEW else UNEQUAL_MASSES * UNEQUAL_MASSES
        if most > bearable * least and count <= MOST_INSIDE:
            return UNEQUAL
        if points > FEW and fast > QUICK_SHARE * (end - begin):
            return VIOLENT
    return CALM if fast == 0 else MOVING


@inner
def is_coarse(kind: int) -> bool:
    """Tell whether quick rounds solve islands of a kind coarsely: what is calm meets nobody new, and is solved once."""
    return kind == MOVING or kind == VIOLENT


@inner
def waits_for_caller(kind: int) -> bool:
    """Tell whether islands of a kind are solved between two calls of the step."""
    return kind == UNEQUAL or kind == JOINTED
