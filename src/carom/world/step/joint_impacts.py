"""The impulses of impacts at one instant that share bodies.

In: the contacts of these impacts, with the speeds of parting before. Out: velocities and impulses with which each point
parts with its restitution, or has no impulse and parts faster. Normals are found all at once (`non_negative`); normals
and frictions take turns.
"""

from __future__ import annotations

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.world.step.constants import FEW_TURNS
from carom.world.step.contacts import parting_at, speed_along
from carom.world.step.minimise import AGREE
from carom.world.step.non_negative import solve_non_negative
from carom.world.step.tables import Record, Table


@kernel
def push_together(bodies: Table, contacts: Table, count: int, rubs: bool) -> None:
    """Give the bodies of some impacts their impulses, until each point parts with its restitution or has no impulse.

    A normal impulse never pulls, and friction is at most its share of the normal impulse.
    """
    points = 0
    for c in range(count):
        points += contacts[c].count
    matrix, lack, push = np.empty((points, points)), np.empty(points), np.empty(points)
    write_effects(bodies, contacts, count, matrix)
    for _ in range(FEW_TURNS if rubs else 1):
        change, largest = settle_normals(bodies, contacts, count, matrix, lack, push)
        if rubs:
            change = max(change, rub_once(bodies, contacts, count))
        if change <= AGREE * largest:
            break


@kernel
def write_effects(bodies: Table, contacts: Table, count: int, matrix: Floats) -> None:
    """Write the speed of parting at each point, a row, that a unit normal impulse at each point, a column, gives."""
    p = 0
    for c in range(count):
        for k in range(contacts[c].count):
            q = 0
            for d in range(count):
                for m in range(contacts[d].count):
                    matrix[p, q] = effect_on(bodies, contacts[c], k, contacts[d], m)
                    q += 1
            p += 1


@kernel
def settle_normals(
    bodies: Table, contacts: Table, count: int, matrix: Floats, lack: Floats, push: Floats
) -> tuple[float, float]:
    """Change velocities by the normal impulses at all points; return by how much one changed at most, and the largest.

    `lack` and `push` are scratch.
    """
    p = 0
    for c in range(count):
        contact = contacts[c]
        for k in range(contact.count):
            wanted = -contact.bounce * contact.parting[k]
            lack[p], push[p] = wanted - parting_at(bodies[contact.a], bodies[contact.b], contact, k), contact.normal[k]
            p += 1
    for p in range(lack.shape[0]):  # what the impulses so far have given counts as lacking
        for q in range(lack.shape[0]):
            lack[p] += matrix[p, q] * push[q]
    solve_non_negative(matrix, lack, push)
    change, largest, p = 0.0, 0.0, 0
    for c in range(count):
        contact = contacts[c]
        a, b = bodies[contact.a], bodies[contact.b]
        for k in range(contact.count):
            push_at(a, b, contact, k, contact.nx, contact.ny, push[p] - contact.normal[k])
            change, largest = max(change, abs(push[p] - contact.normal[k])), max(largest, push[p])
            contact.normal[k] = push[p]
            p += 1
    return change, largest


@kernel
def rub_once(bodies: Table, contacts: Table, count: int) -> float:
    """Have each friction stop its point as far as the normal impulse there allows; return the largest change."""
    change = 0.0
    for c in range(count):
        contact = contacts[c]
        a, b = bodies[contact.a], bodies[contact.b]
        tx, ty = -contact.ny, contact.nx
        for k in range(contact.count if contact.friction > 0.0 else 0):
            most = contact.friction * contact.normal[k]
            slide = (speed_along(a, b, contact, k, tx, ty) + contact.belt) / ease_at(a, b, contact, k, tx, ty)
            new = min(max(contact.across[k] - slide, -most), most)
            push_at(a, b, contact, k, tx, ty, new - contact.across[k])
            change, contact.across[k] = max(change, abs(new - contact.across[k])), new
    return change


@inner
def effect_on(bodies: Table, contact: Record, k: int, other: Record, m: int) -> float:
    """Return the speed of parting at a point that a unit normal impulse at another, or the same, gives."""
    along, total = contact.nx * other.nx + contact.ny * other.ny, 0.0
    for side in range(2):
        number, sign = (contact.a, -1.0) if side == 0 else (contact.b, 1.0)
        lx, ly = (contact.ax[k], contact.ay[k]) if side == 0 else (contact.bx[k], contact.by[k])
        for facing in range(2):
            also = other.a if facing == 0 else other.b
            if also != number:
                continue
            mx, my = (other.ax[m], other.ay[m]) if facing == 0 else (other.bx[m], other.by[m])
            body, same = bodies[number], sign * (-1.0 if facing == 0 else 1.0)
            turns = (lx * contact.ny - ly * contact.nx) * (mx * other.ny - my * other.nx)
            total += same * (body.inverse_mass * along + body.inverse_inertia * turns)
    return total


@inner
def ease_at(a: Record, b: Record, contact: Record, k: int, x: float, y: float) -> float:
    """Return the speed of parting along a direction that a unit impulse at a point gives."""
    turn_a, turn_b = contact.ax[k] * y - contact.ay[k] * x, contact.bx[k] * y - contact.by[k] * x
    masses = a.inverse_mass + b.inverse_mass
    return float(masses + a.inverse_inertia * turn_a * turn_a + b.inverse_inertia * turn_b * turn_b)


@inner
def push_at(a: Record, b: Record, contact: Record, k: int, x: float, y: float, impulse: float) -> None:
    """Change two velocities by an impulse at a point, along a direction."""
    jx, jy = impulse * x, impulse * y
    if a.inverse_mass > 0.0:  # else an impulse beyond all numbers would make no number of a velocity
        a.vx -= a.inverse_mass * jx
        a.vy -= a.inverse_mass * jy
        a.spin -= a.inverse_inertia * (contact.ax[k] * jy - contact.ay[k] * jx)
    if b.inverse_mass > 0.0:
        b.vx += b.inverse_mass * jx
        b.vy += b.inverse_mass * jy
        b.spin += b.inverse_inertia * (contact.bx[k] * jy - contact.by[k] * jx)
