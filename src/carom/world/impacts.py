"""One impact: both bodies get their impulse, and new ways for the rest of the step.

In: two bodies that meet now, and their contact. Out: velocities after one impulse with restitution and friction at the
true contact points; ways. Two bodies that would close again within the step are held: the push becomes an acceleration.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Integers
from carom.world.contacts import velocity_of
from carom.world.filters import BOUNCE, response_of
from carom.world.listing import MOST_IMPACTS, SLOW, skin_of
from carom.world.motion import own_pull, set_chord, set_solved_way
from carom.world.strike import strike
from carom.world.tables import DYNAMIC, KINEMATIC, Record


@inner
def energy_of(vx: float, vy: float, spin: float, inverse_mass: float, inverse_inertia: float) -> float:
    """Return twice the kinetic energy of a body; of what cannot be moved 0."""
    found = (vx * vx + vy * vy) / inverse_mass if inverse_mass > 0.0 else 0.0
    return found + (spin * spin / inverse_inertia if inverse_inertia > 0.0 else 0.0)


@kernel
def resolve(state: Record, a: Record, b: Record, rules: Integers, contact: Record) -> tuple[int, float, float, float]:
    """Give two bodies that meet now their impulse, and new ways.

    Returns the point, how fast it closed, the impulse along the normal and that of friction.
    """
    skin, swift, length = skin_of(a, b), max(a.swift, b.swift), state.length
    nx, ny, count = contact.nx, contact.ny, contact.count
    # A corner that faces a side far off along it is no contact now.
    reach = max(2.0 * skin if swift > 0.0 else 0.0, 1e-4 * min(a.half_width, b.half_width))
    first = 0
    if count == 2 and abs(contact.gap[0] - contact.gap[1]) > reach:
        first, count = (0 if contact.gap[0] < contact.gap[1] else 1), 1
    levers0 = contact.ax[first], contact.ay[first], contact.bx[first], contact.by[first]
    levers1 = contact.ax[1], contact.ay[1], contact.bx[1], contact.by[1]
    closing = max(-contact.parting[first], -contact.parting[1] if count == 2 else -math.inf)
    bounces = closing > SLOW * swift * length and response_of(a, b, rules) == BOUNCE
    # A body hit again and again without progress in time no longer bounces, so that it comes to an end.
    bounces = bounces and max(a.hits, b.hits) <= MOST_IMPACTS
    restitution = max(a.restitution, b.restitution) if bounces else 0.0
    masses = a.inverse_mass, a.inverse_inertia, b.inverse_mass, b.inverse_inertia
    v, u = velocity_of(a), velocity_of(b)
    # Moreau: each point gives back its share, a parting one too; else two points at a side make energy.
    wanted0, wanted1 = -restitution * contact.parting[first], -restitution * contact.parting[1]
    impulses = strike(masses, v, u, nx, ny, count, levers0, levers1, wanted0, wanted1, contact.friction)
    before = energy_of(a.vx, a.vy, a.spin, masses[0], masses[1]) + energy_of(b.vx, b.vy, b.spin, masses[2], masses[3])
    push_both(a, b, nx, ny, levers0, levers1, impulses)
    after = energy_of(a.vx, a.vy, a.spin, masses[0], masses[1]) + energy_of(b.vx, b.vy, b.spin, masses[2], masses[3])
    driven = a.kind == KINEMATIC or b.kind == KINEMATIC
    if contact.friction > 0.0 and after > before * (1.0 + 1e-13) and not driven:
        # Newton's restitution with friction may make energy (Kane's paradox): then without friction.
        if a.kind == DYNAMIC:
            a.vx, a.vy, a.spin = v
        if b.kind == DYNAMIC:
            b.vx, b.vy, b.spin = u
        impulses = strike(masses, v, u, nx, ny, count, levers0, levers1, wanted0, wanted1, 0.0)
        push_both(a, b, nx, ny, levers0, levers1, impulses)
    for side in range(2):
        body, old = (a, v) if side == 0 else (b, u)
        if body.kind != DYNAMIC:
            continue
        if body.solved != 0 and drives_on(body, state, old):
            body.pull_x, body.pull_y, body.pull_spin = own_pull(state, body)
            body.solved = 0
        aim(body, length)
    press_on(state, a, b, contact, first, count, closing)
    return first, closing, impulses[0] + impulses[2], abs(impulses[1] + impulses[3])


@inner
def aim(body: Record, length: float) -> None:
    """Set a body on its way for the rest of the step."""
    if body.solved != 0:
        set_solved_way(body, length)
    else:
        set_chord(body, length)


@inner
def drives_on(body: Record, state: Record, old: tuple[float, float, float]) -> bool:
    """Tell whether what held a solved body would work on what an impact has added; then it ends."""
    work = 0.0
    own_x, own_y, own_spin = own_pull(state, body)
    if body.inverse_mass > 0.0:
        x, y = body.pull_x - own_x, body.pull_y - own_y
        work += (x * (body.vx - old[0]) + y * (body.vy - old[1])) / body.inverse_mass
    if body.inverse_inertia > 0.0:
        work += (body.pull_spin - own_spin) * (body.spin - old[2]) / body.inverse_inertia
    return bool(work > 0.0)


@inner
def push_both(
    a: Record,
    b: Record,
    nx: float,
    ny: float,
    first: tuple[float, float, float, float],
    second: tuple[float, float, float, float],
    impulses: tuple[float, float, float, float],
) -> None:
    """Change both velocities by the impulses at both points."""
    for k in range(2):
        levers, n, t = (first, impulses[0], impulses[1]) if k == 0 else (second, impulses[2], impulses[3])
        if n == 0.0 and t == 0.0:
            continue
        jx, jy = n * nx - t * ny, n * ny + t * nx
        a.vx -= a.inverse_mass * jx
        a.vy -= a.inverse_mass * jy
        a.spin -= a.inverse_inertia * (levers[0] * jy - levers[1] * jx)
        b.vx += b.inverse_mass * jx
        b.vy += b.inverse_mass * jy
        b.spin += b.inverse_inertia * (levers[2] * jy - levers[3] * jx)


@inner
def press_on(state: Record, a: Record, b: Record, contact: Record, first: int, count: int, closing: float) -> None:
    """Hold two bodies that would close again within the step: one more impulse, dealt out as acceleration."""
    rest = state.length - state.now
    skin, swift = skin_of(a, b), max(a.swift, b.swift)
    if swift == 0.0 or rest <= 1e-6 * state.length:
        return
    nx, ny = contact.nx, contact.ny
    target, margin = 0.5 * skin, 0.125 * skin
    closes = False
    wanted0, wanted1 = 0.0, 0.0
    for k in range(count):
        at = first if k == 0 else 1
        ax, ay, bx, by = contact.ax[at], contact.ay[at], contact.bx[at], contact.by[at]
        x, y = (
            (b.way_x - b.way_spin * by) - (a.way_x - a.way_spin * ay),
            (b.way_y + b.way_spin * bx) - (a.way_y + a.way_spin * ax),
        )
        parting, gap = x * nx + y * ny, contact.gap[at]
        closes = closes or (parting < -1e-12 * (1.0 + closing) and gap + parting * rest < target - margin)
        if k == 0:
            wanted0 = -max(gap - target, 0.0) / rest
        else:
            wanted1 = -max(gap - target, 0.0) / rest
    if not closes:
        return
    levers0 = contact.ax[first], contact.ay[first], contact.bx[first], contact.by[first]
    levers1 = contact.ax[1], contact.ay[1], contact.bx[1], contact.by[1]
    masses = a.inverse_mass, a.inverse_inertia, b.inverse_mass, b.inverse_inertia
    (vxa, vya, wa), (vxb, vyb, wb) = velocity_of(a), velocity_of(b)
    v = vxa + a.pull_x * rest, vya + a.pull_y * rest, wa + a.pull_spin * rest
    u = vxb + b.pull_x * rest, vyb + b.pull_y * rest, wb + b.pull_spin * rest
    n0, t0, n1, t1 = strike(masses, v, u, nx, ny, count, levers0, levers1, wanted0, wanted1, contact.friction)
    for side in range(2):
        body, sign = (a, -1.0) if side == 0 else (b, 1.0)
        if body.kind != DYNAMIC:
            continue
        for k in range(2):
            levers, n, t = (levers0, n0, t0) if k == 0 else (levers1, n1, t1)
            jx, jy = sign * (n * nx - t * ny) / rest, sign * (n * ny + t * nx) / rest
            lx, ly = (levers[0], levers[1]) if side == 0 else (levers[2], levers[3])
            body.pull_x += body.inverse_mass * jx
            body.pull_y += body.inverse_mass * jy
            body.pull_spin += body.inverse_inertia * (lx * jy - ly * jx)
        body.solved = 1
        set_solved_way(body, state.length)
