"""The impulses of impacts at one instant that share bodies, and of one at two points.

In: the contacts of these impacts, with the speeds of receding before. Out: impulses with which points recede as their
restitution says, or have none and recede faster. One point has a closed form (`one_point`); else normals and frictions
are rows, as in the solver of piles, and each friction's bound is found in turns. Where these have no end, friction is
associated: a point that slides recedes, too, by its share of how fast it slides. That always has an answer.
Where the answer makes energy, it is mixed with that of bodies that give nothing back, as at one point.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom.world.step.constants import FEW_TURNS, MOST_TURNS
from carom.world.step.pairs.blows import Impulses
from carom.world.step.pairs.contacts import Contact, drive_along, velocity_of
from carom.world.step.pairs.slow import speed_of
from carom.world.step.piles import Piles
from carom.world.step.solve.minimise import AGREE, minimise
from carom.world.step.solve.one_point import KEPT, hit_at_point, share_that_keeps
from carom.world.step.solve.rows import (
    Rows,
    add_impulse,
    bound_frictions,
    has_joints,
    roots_of,
    speed_along,
    spread,
    write_row,
)
from carom.world.step.solve.speeds import clear, energy, write_speed
from carom.world.step.tables import DYNAMIC, KINEMATIC, Bodies, Body
from carom.world.step.ways.motion import velocity_after
from carom.world.step.ways.writer import set_velocity

THROUGH_JOINTS = 1e-10
"""Share of the speed by which a row may miss where joints hand impulses on: what they round in a taut mechanism."""

ROUNDED = 1e-9
"""Share of speeds: a wedge that gives bodies no more than this beyond the bound does not shoot them out."""

TOLERANCE = 10.0 * AGREE
"""Share of the speed by which a row may miss otherwise."""

Ask = tuple[float, float, float]
"""Speeds asked of points: the share of their restitution; and speeds of receding of the first contact's two points."""


@kernel
def find_impulses(bodies: Bodies, piles: Piles, count: int) -> None:
    """Write the impulses of some impacts into their contacts; velocities stay."""
    contacts, contact, bounces = piles.instant, piles.instant[0], False
    if count == 1 and contact.count == 1 and bodies[contact.a].node + bodies[contact.b].node == 0:
        found = point_impulses(bodies[contact.a], bodies[contact.b], contact, 0.0, 0.0, contact.bounce)
        contact.normal[0], contact.across[0] = found
        return
    for c in range(count):
        bounces = bounces or contacts[c].bounce > 0.0
    points, places = settle_impacts(bodies, piles, 0, count, 0.0, (1.0, 0.0, 0.0))
    take_impulses(piles, count, points, 0.0)
    if bounces:
        write_rows(bodies, piles, 0, count, points, places, (0.0, 0.0, 0.0), False)
        made, moved = energy_made(piles.rows, points, places)
        if made > KEPT * moved:
            settle_impacts(bodies, piles, 0, count, 0.0, (0.0, 0.0, 0.0))
            take_impulses(piles, count, points, share_of_bounce(piles, count, points, places))
    share = share_that_shoots_none(bodies, piles, count, points) if count > 1 else 1.0
    for c in range(count if share < 1.0 else 0):
        for k in range(2):
            contacts[c].normal[k] *= share
            contacts[c].across[k] *= share


@kernel
def pair_impulses(bodies: Bodies, piles: Piles, c: int, rest: float, ask: Ask) -> Impulses:
    """Return the impulses with which the points of impact c recede as asked after a time by acceleration."""
    contact, table = piles.instant[c], piles.rows.table
    if contact.count == 1:
        n, t = point_impulses(bodies[contact.a], bodies[contact.b], contact, rest, ask[1], 0.0)
        return n, t, 0.0, 0.0
    settle_impacts(bodies, piles, c, c + 1, rest, ask)
    n0, n1 = table[0].impulse / table[0].length, table[1].impulse / table[1].length
    return n0, table[2].impulse / table[2].length, n1, table[3].impulse / table[3].length


@kernel
def point_impulses(a: Body, b: Body, contact: Contact, rest: float, asked: float, bounce: float) -> tuple[float, float]:
    """Return the impulses along and across of a contact with one point, after a time `rest` by acceleration."""
    (vxa, vya, wa), (vxb, vyb, wb) = velocity_of(a), velocity_of(b)
    masses = a.inverse_mass, a.inverse_inertia, b.inverse_mass, b.inverse_inertia
    levers = contact.ax[0], contact.ay[0], contact.bx[0], contact.by[0]
    nx, ny = contact.nx, contact.ny
    v = vxa + a.pull_x * rest, vya + a.pull_y * rest, wa + a.pull_spin * rest
    # Friction stops what slides on the surfaces: B is seen with the velocity that its surface has beside that of A.
    u = vxb + b.pull_x * rest - contact.belt * ny, vyb + b.pull_y * rest + contact.belt * nx, wb + b.pull_spin * rest
    return hit_at_point(masses, v, u, nx, ny, levers, asked, bounce, contact.friction)


@kernel
def settle_impacts(bodies: Bodies, piles: Piles, begin: int, end: int, rest: float, ask: Ask) -> tuple[int, int]:
    """Write the rows of some impacts and settle them; return how many points and how many bodies that move there are.

    Velocities are those that acceleration leads to after a time `rest`.
    """
    contacts, rows = piles.instant, piles.rows
    points, places = lay_out(bodies, piles, begin, end, rest)
    write_rows(bodies, piles, begin, end, points, places, ask, False)
    speed, rubs = 0.0, False
    for c in range(begin, end):
        speed = max(speed, speed_of(bodies[contacts[c].a], bodies[contacts[c].b]))
        rubs = rubs or contacts[c].friction > 0.0
    tolerance = (THROUGH_JOINTS if has_joints(rows) else TOLERANCE) * speed
    minimise(rows, 0, points, 0, places + 1, tolerance, MOST_TURNS, 0.0)
    turns, turn = 1, 0
    while rubs and turns > 0 and turn < FEW_TURNS:
        bound_frictions(rows, points, 2 * points, 0, places + 1)
        turns, _ = minimise(rows, 0, 2 * points, 0, places + 1, tolerance, FEW_TURNS, 0.0)
        turn += 1
    if rubs and turns > 0:
        lay_out(bodies, piles, begin, end, rest)
        write_rows(bodies, piles, begin, end, points, places, ask, True)
        minimise(rows, 0, 2 * points, 0, places + 1, tolerance, MOST_TURNS, 0.0)
        leave_cones(piles, begin, end, points)
        write_rows(bodies, piles, begin, end, points, places, ask, False)
        for r in range(2 * points):
            rows.table[r].impulse *= rows.table[r].length
    return points, places


@kernel
def lay_out(bodies: Bodies, piles: Piles, begin: int, end: int, rest: float) -> tuple[int, int]:
    """Give each body that can be moved a place among the velocities, and the rows no impulse; see `settle_impacts`.

    Behind these bodies is the place of all others.
    """
    contacts, solving, rows, points, places = piles.instant, piles.solving, piles.rows, 0, 0
    for c in range(begin, end):
        points += contacts[c].count
        solving[contacts[c].a].spot, solving[contacts[c].b].spot = -1, -1
    for c in range(begin, end):
        for number in (contacts[c].a, contacts[c].b):
            body, noted = bodies[number], solving[number]
            if body.kind == DYNAMIC and noted.spot < 0:
                noted.spot, rows.node[places] = places, body.node
                write_speed(rows.speed, places, body, velocity_after(body, rest))
                places += 1
    rows.speed[places, 0], rows.speed[places, 1], rows.speed[places, 2], rows.node[places] = 0.0, 0.0, 0.0, 0
    for r in range(2 * points):
        rows.table[r].impulse = 0.0
    return points, places


@kernel
def write_rows(
    bodies: Bodies, piles: Piles, begin: int, end: int, points: int, places: int, ask: Ask, cones: bool
) -> None:
    """Write the rows of normals, then those of frictions; or, if `cones`, those of both sides of friction's cone."""
    rows, r = piles.rows, 0
    for c in range(begin, end):
        contact = piles.instant[c]
        a, b = bodies[contact.a], bodies[contact.b]
        i, j = piles.solving[contact.a].spot, piles.solving[contact.b].spot
        i, j = i if i >= 0 else places, j if j >= 0 else places
        roots = roots_of(a, b, i != places, j != places)
        for k in range(contact.count):
            along, across = drive_along(a, b, contact, k, False), drive_along(a, b, contact, k, True)
            asked = max(-ask[0] * contact.bounce * contact.receding[k], 0.0)
            asked += (ask[1] if k == 0 else ask[2]) if c == begin else 0.0
            for second in range(2):
                row = rows.table[r + second * points]
                straight, aside = (0.0, 1.0) if second == 1 else (1.0, 0.0)
                if cones:
                    straight, aside = 1.0, contact.friction if second == 0 else -contact.friction
                x, y = straight * contact.nx - aside * contact.ny, straight * contact.ny + aside * contact.nx
                length = write_row(row, i, j, roots, contact, k, x, y)
                row.wanted = (straight * (along + asked) + aside * across) / length
                row.low, row.high = 0.0, math.inf if cones or second == 0 else 0.0
                row.share, row.bound = contact.friction * length / rows.table[r].length, r
            r += 1


@kernel
def leave_cones(piles: Piles, begin: int, end: int, points: int) -> None:
    """Turn the impulses along both sides of the cones into such along the normals and across them."""
    r = 0
    for c in range(begin, end):
        contact = piles.instant[c]
        for _ in range(contact.count):
            first, second = piles.rows.table[r], piles.rows.table[points + r]
            one, other = first.impulse / first.length, second.impulse / second.length
            first.impulse, second.impulse = one + other, contact.friction * (one - other)
            r += 1


@kernel
def take_impulses(piles: Piles, count: int, points: int, share: float) -> None:
    """Write the impulses of the rows into the contacts, with a share of how those there differ from them."""
    r = 0
    for c in range(count):
        contact = piles.instant[c]
        for k in range(contact.count):
            normal, across = piles.rows.table[r], piles.rows.table[points + r]
            n, t = normal.impulse / normal.length, across.impulse / across.length
            contact.normal[k] = n + share * (contact.normal[k] - n)
            contact.across[k] = t + share * (contact.across[k] - t)
            r += 1


@kernel
def energy_made(rows: Rows, points: int, places: int) -> tuple[float, float]:
    """Return the energy that the impulses of the rows make beyond the work of walls and belts, and how much they move.

    The rows want the speeds at which walls and belts move.
    """
    clear(rows.push, 0, places + 1)
    for r in range(2 * points):
        add_impulse(rows.table[r], rows.push, rows.table[r].impulse)
    made, moved = 0.0, 0.0
    for r in range(2 * points):
        row = rows.table[r]
        work = row.impulse * (speed_along(row, rows.speed) - row.wanted)
        made, moved = made + work, moved + abs(work)
    square = 0.5 * square_of(rows, places)
    return made - square, moved + square


@kernel
def share_of_bounce(piles: Piles, count: int, points: int, places: int) -> float:
    """Return how much of the impulses in the contacts may be mixed into those of the rows: no energy is made."""
    rows, slope, r = piles.rows, 0.0, 0
    made, _ = energy_made(rows, points, places)
    clear(rows.push, 0, places + 1)
    for c in range(count):
        contact = piles.instant[c]
        for k in range(contact.count):
            for second in range(2):
                row = rows.table[r + second * points]
                impulse = (contact.normal[k] if second == 0 else contact.across[k]) * row.length
                add_impulse(row, rows.push, impulse - row.impulse)
                slope += (impulse - row.impulse) * (speed_along(row, rows.speed) - row.wanted)
            r += 1
    return share_that_keeps(made, slope, 0.5 * square_of(rows, places))


@kernel
def share_that_shoots_none(bodies: Bodies, piles: Piles, count: int, points: int) -> float:
    """Return how much of the impulses in the contacts bodies may get, so that a wedge does not shoot them out.

    The others press blow by blow, at the same instant.
    """
    contacts, rows, surface, mass = piles.instant, piles.rows, 0.0, 0.0
    for c in range(count):
        surface = max(surface, surface_speed(bodies[contacts[c].a]), surface_speed(bodies[contacts[c].b]))
    if surface == 0.0:
        return 1.0
    _, places = lay_out(bodies, piles, 0, count, 0.0)
    clear(rows.push, 0, places + 1)
    r = 0
    for c in range(count):
        contact = contacts[c]
        for number in (contact.a, contact.b):
            if piles.solving[number].spot >= 0:
                mass += mass_of(bodies[number])
                piles.solving[number].spot = -1
        for k in range(contact.count):
            for second in range(2):
                row = rows.table[r + second * points]
                impulse = (contact.normal[k] if second == 0 else contact.across[k]) * row.length
                add_impulse(row, rows.push, impulse)
            r += 1
    before, slope = 0.0, 0.0
    for k in range(places):
        for axis in range(3):
            before += rows.speed[k, axis] * rows.speed[k, axis]
            slope += 2.0 * rows.speed[k, axis] * rows.push[k, axis]
    return share_that_keeps(before - most_energy(before, mass, surface), slope, square_of(rows, places))


@inner
def most_energy(before: float, mass: float, surface: float) -> float:
    """Return twice the energy that bodies have at most after a wall of some speed has hit them, but by a wedge.

    Seen from one wall that moves no energy comes from it: it gives all bodies twice its speed at most.
    """
    root = (math.sqrt(before) + 2.0 * math.sqrt(mass) * surface) * (1.0 + ROUNDED)
    return root * root


@inner
def energy_of(body: Body, vx: float, vy: float, spin: float) -> float:
    """Return twice the kinetic energy of a body at some velocity; of what cannot be moved 0."""
    mass, inertia = body.inverse_mass, body.inverse_inertia
    found = (vx * vx + vy * vy) / mass if mass > 0.0 else 0.0
    return float(found + (spin * spin / inertia if inertia > 0.0 else 0.0))


@inner
def mass_of(body: Body) -> float:
    """Return the mass of a body; of what cannot be moved 0."""
    return float(1.0 / body.inverse_mass if body.inverse_mass > 0.0 else 0.0)


@inner
def surface_speed(body: Body) -> float:
    """Return how fast the surface of a body drives others at most: of a kinematic one, or of a belt."""
    belt = math.sqrt(body.surface_x * body.surface_x + body.surface_y * body.surface_y)
    if body.kind != KINEMATIC:
        return belt
    vx, vy, spin = velocity_of(body)
    return float(math.sqrt(vx * vx + vy * vy) + abs(spin) * body.sweep + belt)


@inner
def square_of(rows: Rows, places: int) -> float:
    """Return twice the energy of changes of velocities, which joints hand on."""
    return float(spread(rows, 0, places, False, 0.0) if has_joints(rows) else energy(rows.push, 0, places, 0.0))


@inner
def push_at(a: Body, b: Body, contact: Contact, k: int, x: float, y: float, impulse: float) -> None:
    """Change two velocities by an impulse at a point, along a direction."""
    jx, jy = impulse * x, impulse * y
    if a.inverse_mass > 0.0:  # else an impulse beyond all numbers would make no number of a velocity
        turn = a.inverse_inertia * (contact.ax[k] * jy - contact.ay[k] * jx)
        set_velocity(a, a.vx - a.inverse_mass * jx, a.vy - a.inverse_mass * jy, a.spin - turn)
    if b.inverse_mass > 0.0:
        turn = b.inverse_inertia * (contact.bx[k] * jy - contact.by[k] * jx)
        set_velocity(b, b.vx + b.inverse_mass * jx, b.vy + b.inverse_mass * jy, b.spin + turn)
