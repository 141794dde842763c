"""Impacts: bodies get their impulses, and new ways for the rest of the step.

In: bodies that meet now, and their contacts. Out: velocities after impulses with restitution and friction at the true
contact points; ways. Two bodies that would close again within the step are held: the push becomes an acceleration.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom.tolerances import INSTANT
from carom.world.step.constants import DEEPER, MEET_AT
from carom.world.step.contacts import closing_of, velocity_of
from carom.world.step.joint_impacts import push_at, push_together
from carom.world.step.listing import are_stuck, set_response, skin_of
from carom.world.step.motion import set_chord, set_solved_way
from carom.world.step.slow import bounce_of
from carom.world.step.strike import Impulses, Velocity, strike
from carom.world.step.tables import DYNAMIC, KINEMATIC, Record, Table, Tables


@inner
def energy_of(body: Record, vx: float, vy: float, spin: float) -> float:
    """Return twice the kinetic energy of a body at some velocity; of what cannot be moved 0."""
    mass, inertia = body.inverse_mass, body.inverse_inertia
    found = (vx * vx + vy * vy) / mass if mass > 0.0 else 0.0
    return float(found + (spin * spin / inertia if inertia > 0.0 else 0.0))


@inner
def mass_of(body: Record) -> float:
    """Return the mass of a body; of what cannot be moved 0."""
    return float(1.0 / body.inverse_mass if body.inverse_mass > 0.0 else 0.0)


@inner
def work_on(a: Record, b: Record, contact: Record) -> float:
    """Return the work that walls and belts do by the impulses of a contact, with the velocity of their surfaces."""
    work = 0.0 - contact.belt * (contact.across[0] + contact.across[1])
    for side in range(2):
        driver, sign = (a, 1.0) if side == 0 else (b, -1.0)
        if driver.kind != KINEMATIC:
            continue
        vx, vy, spin = velocity_of(driver)
        for k in range(contact.count):
            lx, ly = (contact.ax[k], contact.ay[k]) if side == 0 else (contact.bx[k], contact.by[k])
            x = contact.normal[k] * contact.nx - contact.across[k] * contact.ny
            y = contact.normal[k] * contact.ny + contact.across[k] * contact.nx
            work += sign * (x * (vx - spin * ly) + y * (vy + spin * lx))
    return float(work)


@kernel
def prepare(w: Tables, contact: Record) -> None:
    """Decide how an impact bounces and rubs."""
    state, a, b = w.state[0], w.bodies[contact.a], w.bodies[contact.b]
    set_response(contact, a, b, w.rules)
    # A body hit again and again no longer bounces, so that it comes to an end.
    stuck = are_stuck(w, contact.a, contact.b)
    contact.bounce = 0.0 if stuck else bounce_of(state, a, b, contact, w.rules)
    for k in range(2):
        contact.normal[k], contact.across[k] = 0.0, 0.0


@kernel
def resolve(w: Tables, contacts: Table, count: int, solving: Table) -> None:
    """Give the bodies of impacts at one instant their impulses, which are left in the contacts, and new ways."""
    state, bodies = w.state[0], w.bodies
    before, rubs = 0.0, False
    for c in range(count):
        contact = contacts[c]
        rubs = rubs or contact.friction > 0.0
        for side in range(2):
            number = contact.a if side == 0 else contact.b
            body, noted = bodies[number], solving[number]
            if body.kind == DYNAMIC and noted.struck == 0:
                noted.struck = 1
                noted.before_x, noted.before_y, noted.before_spin = body.vx, body.vy, body.spin
                before += energy_of(body, body.vx, body.vy, body.spin)
    if rubs or count > 1:
        push_soundly(bodies, solving, contacts, count, rubs, before)
    else:
        push_all(bodies, solving, contacts, count, False)
    for c in range(count):
        for side in range(2):
            number = contacts[c].a if side == 0 else contacts[c].b
            body, noted = bodies[number], solving[number]
            if noted.struck != 0:
                noted.struck = 0
                aim(body, state.length)
    for c in range(count):
        press_on(state, bodies[contacts[c].a], bodies[contacts[c].b], contacts[c])


@kernel
def push_soundly(bodies: Table, solving: Table, contacts: Table, count: int, rubs: bool, before: float) -> None:
    """Push all at once; the first alone where all would shoot bodies out of a wedge. `before` is twice the energy."""
    after, mass = push_within(bodies, solving, contacts, count, count, rubs, before)
    surface = 0.0
    for c in range(count):
        surface = max(surface, max(surface_speed(bodies[contacts[c].a]), surface_speed(bodies[contacts[c].b])))
    if count > 1 and shoots(before, after, mass, surface):
        start_over(bodies, solving, contacts, count)
        push_within(bodies, solving, contacts, 1, count, rubs, before)


@kernel
def push_within(
    bodies: Table, solving: Table, contacts: Table, count: int, whole: int, rubs: bool, before: float
) -> tuple[float, float]:
    """Push the first `count` impacts, without friction if that would make energy.

    Returns twice the energy of the bodies of the `whole` of the impacts, and their mass.
    """
    push_all(bodies, solving, contacts, count, rubs)
    after, mass = energy_now(bodies, solving, contacts, whole)
    if not rubs:
        return after, mass
    work = 0.0
    for c in range(count):
        work += work_on(bodies[contacts[c].a], bodies[contacts[c].b], contacts[c])
    if not after <= before + 2.0 * work + 1e-13 * (before + abs(work)):  # or if it is no number
        # Newton's restitution with friction may make energy (Kane's paradox).
        start_over(bodies, solving, contacts, whole)
        push_all(bodies, solving, contacts, count, False)
        after, mass = energy_now(bodies, solving, contacts, whole)
    return after, mass


@kernel
def energy_now(bodies: Table, solving: Table, contacts: Table, count: int) -> tuple[float, float]:
    """Return twice the energy of the dynamic bodies of impacts, and their mass, each body counted once."""
    energy, mass = 0.0, 0.0
    for c in range(count):
        for side in range(2):
            number = contacts[c].a if side == 0 else contacts[c].b
            if solving[number].struck == 1:
                solving[number].struck = 2
                body = bodies[number]
                energy += energy_of(body, body.vx, body.vy, body.spin)
                mass += mass_of(body)
    for c in range(count):
        for side in range(2):
            noted = solving[contacts[c].a if side == 0 else contacts[c].b]
            noted.struck = 1 if noted.struck == 2 else noted.struck
    return energy, mass


@kernel
def start_over(bodies: Table, solving: Table, contacts: Table, count: int) -> None:
    """Give the bodies of impacts the velocities that they had before, and no impulses."""
    begin_again(bodies, solving, contacts, count)
    for c in range(count):
        for k in range(2):
            contacts[c].normal[k], contacts[c].across[k] = 0.0, 0.0


@inner
def shoots(before: float, after: float, mass: float, surface: float) -> bool:
    """Tell whether bodies have more energy than walls of such a speed can give them but by a wedge.

    The energies are twice those of all bodies before and after, `mass` is that of all. Seen from one wall that moves,
    no energy comes from it.
    """
    return bool(not math.sqrt(after) <= (math.sqrt(before) + 2.0 * math.sqrt(mass) * surface) * (1.0 + 1e-9))


@inner
def surface_speed(body: Record) -> float:
    """Return how fast the surface of a body drives others at most: of a kinematic one, or of a belt."""
    belt = math.sqrt(body.surface_x * body.surface_x + body.surface_y * body.surface_y)
    if body.kind != KINEMATIC:
        return belt
    vx, vy, spin = velocity_of(body)
    return float(math.sqrt(vx * vx + vy * vy) + abs(spin) * body.sweep + belt)


@kernel
def begin_again(bodies: Table, solving: Table, contacts: Table, count: int) -> None:
    """Give the bodies of impacts the velocities that they had before."""
    for c in range(count):
        for side in range(2):
            number = contacts[c].a if side == 0 else contacts[c].b
            body, noted = bodies[number], solving[number]
            if body.kind == DYNAMIC:
                body.vx, body.vy, body.spin = noted.before_x, noted.before_y, noted.before_spin


@kernel
def push_all(bodies: Table, solving: Table, contacts: Table, count: int, rubs: bool) -> None:
    """Change velocities by the impulses of one impact, or of several at once, and note the impulses."""
    if count > 1:
        push_together(bodies, contacts, count, rubs)
        # Once more by the sums, since each of many small changes was rounded.
        begin_again(bodies, solving, contacts, count)
    else:
        contact = contacts[0]
        a, b = bodies[contact.a], bodies[contact.b]
        # Moreau: each point gives back its share, a parting one too; else two points at a side make energy.
        wanted0, wanted1 = -contact.bounce * contact.parting[0], -contact.bounce * contact.parting[1]
        friction = contact.friction if rubs else 0.0
        impulses = strike_bodies(a, b, contact, velocity_of(a), velocity_of(b), wanted0, wanted1, friction)
        contact.normal[0], contact.across[0], contact.normal[1], contact.across[1] = impulses
    for c in range(count):
        contact = contacts[c]
        a, b = bodies[contact.a], bodies[contact.b]
        for k in range(contact.count):
            push_at(a, b, contact, k, contact.nx, contact.ny, contact.normal[k])
            push_at(a, b, contact, k, -contact.ny, contact.nx, contact.across[k])


@inner
def strike_bodies(
    a: Record, b: Record, contact: Record, v: Velocity, u: Velocity, wanted0: float, wanted1: float, friction: float
) -> Impulses:
    """Return the impulses at the points of a contact with which bodies of these velocities part as wanted.

    Friction stops what slides on the surfaces: B is seen with the velocity that its surface has beside that of A.
    """
    masses = a.inverse_mass, a.inverse_inertia, b.inverse_mass, b.inverse_inertia
    levers0 = contact.ax[0], contact.ay[0], contact.bx[0], contact.by[0]
    levers1 = contact.ax[1], contact.ay[1], contact.bx[1], contact.by[1]
    nx, ny = contact.nx, contact.ny
    u = u[0] - contact.belt * ny, u[1] + contact.belt * nx, u[2]
    return strike(masses, v, u, nx, ny, contact.count, levers0, levers1, wanted0, wanted1, friction)


@inner
def aim(body: Record, length: float) -> None:
    """Set a body on its way for the rest of the step."""
    if body.solved != 0:
        set_solved_way(body, length)
    else:
        set_chord(body, length)


@inner
def keep_apart(state: Record, a: Record, b: Record, contact: Record, always: bool) -> bool:
    """Have two bodies that part now not close within the step; False if they would not have.

    Their ways are then as they were, since nobody has looked around on others; if `always`, those by their velocities.
    False, too, if these are the same: the two would come back at once, without end.
    """
    ways = a.way_x, a.way_y, a.way_spin, b.way_x, b.way_y, b.way_spin
    for side in range(2):
        body = a if side == 0 else b
        if body.kind == DYNAMIC:
            aim(body, state.length)
    now = a.way_x, a.way_y, a.way_spin, b.way_x, b.way_y, b.way_spin
    if press_on(state, a, b, contact) or (always and now != ways):
        return True
    a.way_x, a.way_y, a.way_spin, b.way_x, b.way_y, b.way_spin = ways
    return False


@kernel
def press_on(state: Record, a: Record, b: Record, contact: Record) -> bool:
    """Hold two bodies that would close again within the step: one more impulse, dealt out as acceleration.

    Tells whether they would.
    """
    rest = state.length - state.now
    skin, swift = skin_of(a, b), max(a.swift, b.swift)
    if swift == 0.0 or rest <= INSTANT * state.length:
        return False
    nx, ny = contact.nx, contact.ny
    closing = max(closing_of(contact), swift * rest)
    target, margin = MEET_AT * skin, DEEPER * skin
    closes = False
    wanted0, wanted1 = 0.0, 0.0
    for k in range(contact.count):
        ax, ay, bx, by = contact.ax[k], contact.ay[k], contact.bx[k], contact.by[k]
        x, y = (
            (b.way_x - b.way_spin * by) - (a.way_x - a.way_spin * ay),
            (b.way_y + b.way_spin * bx) - (a.way_y + a.way_spin * ax),
        )
        parting, gap = x * nx + y * ny, contact.gap[k]
        closes = closes or (parting < -1e-12 * closing and gap + parting * rest < target - margin)
        if k == 0:
            wanted0 = -max(gap - target, 0.0) / rest
        else:
            wanted1 = -max(gap - target, 0.0) / rest
    if not closes:
        return False
    (vxa, vya, wa), (vxb, vyb, wb) = velocity_of(a), velocity_of(b)
    v = vxa + a.pull_x * rest, vya + a.pull_y * rest, wa + a.pull_spin * rest
    u = vxb + b.pull_x * rest, vyb + b.pull_y * rest, wb + b.pull_spin * rest
    n0, t0, n1, t1 = strike_bodies(a, b, contact, v, u, wanted0, wanted1, contact.friction)
    for side in range(2):
        body, sign = (a, -1.0) if side == 0 else (b, 1.0)
        if body.kind != DYNAMIC:
            continue
        for k in range(2):
            n, t = (n0, t0) if k == 0 else (n1, t1)
            jx, jy = sign * (n * nx - t * ny) / rest, sign * (n * ny + t * nx) / rest
            lx, ly = (contact.ax[k], contact.ay[k]) if side == 0 else (contact.bx[k], contact.by[k])
            body.pull_x += body.inverse_mass * jx
            body.pull_y += body.inverse_mass * jy
            body.pull_spin += body.inverse_inertia * (lx * jy - ly * jx)
        body.solved, body.swift = 1, max(body.swift, swift)  # what it touches feels that, too
        set_solved_way(body, state.length)
    return True
