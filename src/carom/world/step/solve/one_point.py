"""One impact of two bodies at one point: restitution and friction in closed form, and no energy from them.

In: inverse masses, velocities, the normal and the point as levers from the centres of mass. Out: the impulses along the
normal and across it. World frame; velocities as (x, y, spin).

Friction is Coulomb's: as large as it takes to stop the sliding, at most `friction` times the normal impulse. Newton's
restitution may make energy with it (Kane's paradox). So the answer is a mixture of the impulses with which the two stay
together and of those with which they recede, at most so much of these that no energy is made. Neither breaks friction's
bound or has the two close, and so no mixture of them does.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom.world.step.pairs.contacts import Velocity
from carom.world.step.solve.minimise import DEPENDS

Levers = tuple[float, float, float, float]  # of a point from the centre of A, x and y, and of B
Masses = tuple[float, float, float, float]  # inverse mass and inverse inertia of A, and of B

KEPT = 1e-12
"""Share of the energies that an impact exchanges: so much more is rounding."""


@inner
def along(v: Velocity, u: Velocity, levers: Levers, nx: float, ny: float) -> float:
    """Return how fast B recedes from A along n at a point; v is the velocity of A, u that of B."""
    ax, ay, bx, by = levers
    return (u[0] - u[2] * by - v[0] + v[2] * ay) * nx + (u[1] + u[2] * bx - v[1] - v[2] * ax) * ny


@inner
def ease(masses: Masses, p: Levers, nx: float, ny: float, mx: float, my: float) -> float:
    """Return the speed along n at a point that a unit impulse along m gives there."""
    ma, ia, mb, ib = masses
    turn_a = (p[0] * ny - p[1] * nx) * (p[0] * my - p[1] * mx)
    turn_b = (p[2] * ny - p[3] * nx) * (p[2] * my - p[3] * mx)
    return (ma + mb) * (nx * mx + ny * my) + ia * turn_a + ib * turn_b


@inner
def share_that_keeps(made: float, slope: float, bend: float) -> float:
    """Return how much of a change may be made, so that `made + slope * share + bend * share^2` is at most 0.

    That is the energy which a mixture makes of an answer that makes none and of one that does.
    """
    root = math.sqrt(max(slope * slope - 4.0 * bend * min(made, 0.0), 0.0))
    if slope > 0.0:
        return min(2.0 * max(-made, 0.0) / (slope + root), 1.0)
    return min((root - slope) / (2.0 * bend), 1.0) if bend > 0.0 else 0.0


@inner
def stick_or_slip(
    normal: float, across: float, both: float, lack: float, slide: float, friction: float
) -> tuple[float, float]:
    """Return the impulses along the normal and across it at a point that lacks a speed of receding, and slides."""
    if lack <= 0.0:
        return 0.0, 0.0
    if friction == 0.0:
        return lack / normal, 0.0
    determinant = normal * across - both * both
    n, t = (across * lack + both * slide) / determinant, (0.0 - normal * slide - both * lack) / determinant
    if determinant > DEPENDS * normal * across and abs(t) <= friction * n:
        return n, t
    side = friction if slide < 0.0 else 0.0 - friction
    if determinant > DEPENDS * normal * across:
        side = friction if t > 0.0 else 0.0 - friction
    resisting = normal + side * both
    if resisting <= DEPENDS * normal:
        return lack / normal, 0.0  # friction would press it on without end
    return lack / resisting, side * (lack / resisting)


@kernel
def hit_at_point(
    masses: Masses,
    v: Velocity,
    u: Velocity,
    nx: float,
    ny: float,
    levers: Levers,
    asked: float,
    bounce: float,
    friction: float,
) -> tuple[float, float]:
    """Return the impulses of an impact along the normal and across it, on B; A gets the opposite.

    Parameters
    ----------
    masses : inverse mass and inertia of A, and of B; 0 for what cannot be moved
    v, u : velocities of A and of B before
    nx, ny : unit normal from A to B
    levers : the point, as levers from both centres of mass
    asked : the least speed of receding after, if nothing is given back
    bounce : the share of the speed of closing that is given back
    friction : coefficient
    """
    normal, receding = ease(masses, levers, nx, ny, nx, ny), along(v, u, levers, nx, ny)
    wanted = max(asked, -bounce * receding) if bounce > 0.0 else asked
    if friction == 0.0:
        return max(wanted - receding, 0.0) / normal, 0.0
    across, both = ease(masses, levers, -ny, nx, -ny, nx), ease(masses, levers, nx, ny, -ny, nx)
    slide = along(v, u, levers, -ny, nx)
    n, t = stick_or_slip(normal, across, both, wanted - receding, slide, friction)
    made = n * receding + t * slide + 0.5 * (n * n * normal + t * t * across) + n * t * both
    if bounce == 0.0 or made <= KEPT * (abs(n * receding) + abs(t * slide)):
        return n, t
    m, s = stick_or_slip(normal, across, both, asked - receding, slide, friction)
    made = m * receding + s * slide + 0.5 * (m * m * normal + s * s * across) + m * s * both
    dn, dt = n - m, t - s
    slope = dn * (receding + normal * m + both * s) + dt * (slide + both * m + across * s)
    share = share_that_keeps(made, slope, 0.5 * (dn * dn * normal + dt * dt * across) + dn * dt * both)
    return m + share * dn, s + share * dt
