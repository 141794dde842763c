"""The impulses of impacts at one instant that share bodies.

In: the contacts of these impacts, with the speeds of parting before. Out: velocities and impulses with which each point
parts with its restitution, or has no impulse and parts faster. Normals are found all at once, by a non-negative least
squares problem (C. Lawson, R. Hanson, "Solving Least Squares Problems", 1974); normals and frictions take turns.
"""

from __future__ import annotations

import numpy as np

from carom._core.jit import inner, kernel
from carom.world.contacts import parting_at, speed_along
from carom.world.minimise import AGREE
from carom.world.strike import TURNS_OF_FRICTION
from carom.world.tables import Record, Table

DEPENDS = 1e-12
"""Share of the diagonal: a point that is moved so little by what its fellows leave it depends on them."""


@kernel
def push_together(bodies: Table, contacts: Table, count: int, rubs: bool) -> None:
    """Give the bodies of some impacts their impulses, until each point parts with its restitution or has no impulse.

    A normal impulse never pulls, and friction is at most its share of the normal impulse.
    """
    for _ in range(TURNS_OF_FRICTION if rubs else 1):
        change, largest = settle_normals(bodies, contacts, count)
        for c in range(count if rubs else 0):
            contact = contacts[c]
            a, b = bodies[contact.a], bodies[contact.b]
            tx, ty = -contact.ny, contact.nx
            for k in range(contact.count if contact.friction > 0.0 else 0):
                most = contact.friction * contact.normal[k]
                slide = speed_along(a, b, contact, k, tx, ty) / ease_at(a, b, contact, k, tx, ty)
                new = min(max(contact.across[k] - slide, -most), most)
                push_at(a, b, contact, k, tx, ty, new - contact.across[k])
                change, contact.across[k] = max(change, abs(new - contact.across[k])), new
        if change <= AGREE * largest:
            break


@kernel
def settle_normals(bodies: Table, contacts: Table, count: int) -> tuple[float, float]:
    """Change velocities by the normal impulses at all points; return by how much one changed at most, and the largest.

    Points are taken one by one, the one that lacks most first, and those that push solved together; a point that would
    pull is left out again.
    """
    points = 0
    for c in range(count):
        points += contacts[c].count
    matrix, factor = np.empty((points, points)), np.empty((points, points))
    lack, push, trial = np.empty(points), np.zeros(points), np.empty(points)
    place, chosen = np.empty((points, 2), dtype=np.int64), np.empty(points, dtype=np.int64)
    at, most = 0, 0.0
    for c in range(count):
        for k in range(contacts[c].count):
            place[at, 0], place[at, 1] = c, k
            at += 1
    for p in range(points):
        contact, k = contacts[place[p, 0]], place[p, 1]
        lack[p] = -contact.bounce * contact.parting[k] - parting_at(bodies[contact.a], bodies[contact.b], contact, k)
        for q in range(points):
            other, m = contacts[place[q, 0]], place[q, 1]
            matrix[p, q] = effect_on(bodies, contact, k, other, m)
    for p in range(points):
        for q in range(points):
            other, m = contacts[place[q, 0]], place[q, 1]
            lack[p] += matrix[p, q] * other.normal[m]
        most = max(most, abs(lack[p]))
        chosen[p] = 0
    # 0: it has no impulse; 1: it pushes; 2: it depends on those that push, and is left out.
    for _ in range(3 * points):
        best, worst = -1, AGREE * most
        for p in range(points):
            left = lack[p]
            for q in range(points):
                left -= matrix[p, q] * push[q]
            if chosen[p] == 0 and left > worst:
                best, worst = p, left
        if best < 0:
            break
        chosen[best] = 1
        while True:
            # Cholesky's factor of the points that push, and what they push.
            dependent = -1
            for p in range(points):
                if chosen[p] != 1:
                    continue
                trial[p] = lack[p]
                for q in range(p + 1):
                    if chosen[q] != 1:
                        continue
                    total = matrix[p, q]
                    for r in range(q):
                        if chosen[r] == 1:
                            total -= factor[p, r] * factor[q, r]
                    if q < p:
                        factor[p, q] = total / factor[q, q]
                        trial[p] -= factor[p, q] * trial[q]
                    elif total > DEPENDS * matrix[p, p]:
                        factor[p, p] = np.sqrt(total)
                        trial[p] /= factor[p, p]
                    else:
                        dependent = p
                if dependent >= 0:
                    break
            if dependent >= 0:
                chosen[best], push[best] = 2, 0.0
                if dependent != best:
                    chosen[dependent], push[dependent] = 2, 0.0
                break
            share = 1.0
            for back in range(points):
                p = points - 1 - back
                if chosen[p] != 1:
                    continue
                for q in range(p + 1, points):
                    if chosen[q] == 1:
                        trial[p] -= factor[q, p] * trial[q]
                trial[p] /= factor[p, p]
                if trial[p] <= 0.0:
                    share = min(share, push[p] / (push[p] - trial[p]) if push[p] > 0.0 else 0.0)
            for p in range(points):
                if chosen[p] == 1:
                    pulls = trial[p] <= 0.0
                    push[p] += share * (trial[p] - push[p])
                    if pulls and push[p] <= AGREE * abs(trial[p]):
                        chosen[p], push[p] = 0, 0.0
            if share == 1.0:
                break
    change, largest = 0.0, 0.0
    for p in range(points):
        contact, k = contacts[place[p, 0]], place[p, 1]
        a, b = bodies[contact.a], bodies[contact.b]
        push_at(a, b, contact, k, contact.nx, contact.ny, push[p] - contact.normal[k])
        change, largest = max(change, abs(push[p] - contact.normal[k])), max(largest, push[p])
        contact.normal[k] = push[p]
    return change, largest


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
    a.vx -= a.inverse_mass * jx
    a.vy -= a.inverse_mass * jy
    a.spin -= a.inverse_inertia * (contact.ax[k] * jy - contact.ay[k] * jx)
    b.vx += b.inverse_mass * jx
    b.vy += b.inverse_mass * jy
    b.spin += b.inverse_inertia * (contact.bx[k] * jy - contact.by[k] * jx)
