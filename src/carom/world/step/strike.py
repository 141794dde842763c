"""One impact of two bodies at one point or two: restitution and friction, as impulses at the contact points.

In: inverse masses, velocities, the normal, the points as levers from the centres of mass, and the speed of parting that
each point is to have. Out: the impulses along the normal and across it. World frame; velocities as (x, y, spin).

Friction is Coulomb's: as large as it takes to stop the sliding, at most `friction` times the normal impulse. One point
has a closed form: it sticks or it slips. The normal impulses of two points are found at once, by the four cases of
their complementarity problem; normals and frictions then take turns until they agree.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom.world.step.constants import FEW_TURNS
from carom.world.step.minimise import AGREE, DEPENDS

Velocity = tuple[float, float, float]
Levers = tuple[float, float, float, float]  # of a point from the centre of A, x and y, and of B
Masses = tuple[float, float, float, float]  # inverse mass and inverse inertia of A, and of B
Impulses = tuple[float, float, float, float]  # along the normal and across it, at the first point and at the second


@inner
def along(v: Velocity, u: Velocity, levers: Levers, nx: float, ny: float) -> float:
    """Return how fast B parts from A along n at a point; v is the velocity of A, u that of B."""
    ax, ay, bx, by = levers
    return (u[0] - u[2] * by - v[0] + v[2] * ay) * nx + (u[1] + u[2] * bx - v[1] - v[2] * ax) * ny


@inner
def ease(masses: Masses, p: Levers, q: Levers, nx: float, ny: float, mx: float, my: float) -> float:
    """Return the speed along n at point p that a unit impulse along m at point q gives."""
    ma, ia, mb, ib = masses
    turn_a = (p[0] * ny - p[1] * nx) * (q[0] * my - q[1] * mx)
    turn_b = (p[2] * ny - p[3] * nx) * (q[2] * my - q[3] * mx)
    return (ma + mb) * (nx * mx + ny * my) + ia * turn_a + ib * turn_b


@inner
def pushed(v: Velocity, mass: float, inertia: float, lx: float, ly: float, jx: float, jy: float) -> Velocity:
    """Return the velocity of a body after an impulse j at the end of a lever."""
    return v[0] + mass * jx, v[1] + mass * jy, v[2] + inertia * (lx * jy - ly * jx)


@inner
def normal_pair(k00: float, k01: float, k11: float, c0: float, c1: float) -> tuple[float, float]:
    """Return impulses x >= 0 of two points with K x >= c, and 0 where a point parts faster than it is asked to."""
    determinant = k00 * k11 - k01 * k01
    if determinant > DEPENDS * k00 * k11:
        x0, x1 = (k11 * c0 - k01 * c1) / determinant, (k00 * c1 - k01 * c0) / determinant
        if x0 >= 0.0 and x1 >= 0.0:
            return x0, x1
    alone0, alone1 = max(c0 / k00, 0.0), max(c1 / k11, 0.0)
    return (alone0, 0.0) if alone0 * k01 >= c1 else (0.0, alone1)


@inner
def one_point(
    masses: Masses, v: Velocity, u: Velocity, nx: float, ny: float, levers: Levers, wanted: float, friction: float
) -> tuple[float, float]:
    """Return the impulses along the normal and across it of an impact at one point: it sticks, or it slips."""
    tx, ty = -ny, nx
    normal, lack = ease(masses, levers, levers, nx, ny, nx, ny), wanted - along(v, u, levers, nx, ny)
    if lack <= 0.0:
        return 0.0, 0.0
    if friction == 0.0:
        return lack / normal, 0.0
    across, both = ease(masses, levers, levers, tx, ty, tx, ty), ease(masses, levers, levers, nx, ny, tx, ty)
    slide = along(v, u, levers, tx, ty)
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
def strike(
    masses: Masses,
    v: Velocity,
    u: Velocity,
    nx: float,
    ny: float,
    count: int,
    first: Levers,
    second: Levers,
    wanted0: float,
    wanted1: float,
    friction: float,
) -> Impulses:
    """Return the impulses of an impact, on B; A gets the opposite.

    Parameters
    ----------
    masses : inverse mass and inertia of A, and of B; 0 for what cannot be moved
    v, u : velocities of A and of B before
    nx, ny : unit normal from A to B
    count : 1 or 2 points
    first, second : the points, as levers from both centres of mass
    wanted0, wanted1 : least speed of parting at each point, after
    friction : coefficient
    """
    if count == 1:
        n0, t0 = one_point(masses, v, u, nx, ny, first, wanted0, friction)
        return n0, t0, 0.0, 0.0
    ma, ia, mb, ib = masses
    tx, ty = -ny, nx
    k00, k11 = ease(masses, first, first, nx, ny, nx, ny), ease(masses, second, second, nx, ny, nx, ny)
    k01 = ease(masses, first, second, nx, ny, nx, ny)
    n0, n1, t0, t1 = 0.0, 0.0, 0.0, 0.0
    for _ in range(FEW_TURNS):
        c0 = wanted0 - along(v, u, first, nx, ny) + k00 * n0 + k01 * n1
        c1 = wanted1 - along(v, u, second, nx, ny) + k01 * n0 + k11 * n1
        m0, m1 = normal_pair(k00, k01, k11, c0, c1)
        change = max(abs(m0 - n0), abs(m1 - n1))
        for k in range(2):
            levers, d = (first, m0 - n0) if k == 0 else (second, m1 - n1)
            v = pushed(v, ma, ia, levers[0], levers[1], -d * nx, -d * ny)
            u = pushed(u, mb, ib, levers[2], levers[3], d * nx, d * ny)
        n0, n1 = m0, m1
        if friction == 0.0:
            break
        for k in range(2):
            levers, old, most = (first, t0, friction * n0) if k == 0 else (second, t1, friction * n1)
            new = old - along(v, u, levers, tx, ty) / ease(masses, levers, levers, tx, ty, tx, ty)
            new = min(max(new, -most), most)
            d = new - old
            change = max(change, abs(d))
            v = pushed(v, ma, ia, levers[0], levers[1], -d * tx, -d * ty)
            u = pushed(u, mb, ib, levers[2], levers[3], d * tx, d * ty)
            if k == 0:
                t0 = new
            else:
                t1 = new
        if change <= AGREE * (n0 + n1):
            break
    return n0, t0, n1, t1
