"""The contacts of one instant, solved together: impulses that make every contact part as fast as it should.

In: rows of `contacts`, each with its normal and the least speed of parting it asks for. Out: new velocities. Impulses
only push, so the contacts are gone through again and again until none changes (projected Gauss-Seidel; M. Anitescu,
F. A. Potra 1997 state the problem). Then what rests is held: supports take away the acceleration towards them.
"""

from __future__ import annotations

from carom._jit import inner, kernel
from carom.motion.tables import Record, Table
from carom.tolerances import ALIGNED, MOST_SWEEPS, SETTLED

# Bits of a contact's state.
ASIDE = 1  # left out: it waits, or it did not close
INELASTIC = 2
STICKS = 4
CORNERS_MEET = 8
REPORTED = 16  # told as a hit


@inner
def inverse_mass(body: Record) -> float:
    """Return 1 / mass, 0 for what stands still for the rest of the step."""
    return 0.0 if body.stopped != 0 else float(body.inverse_mass)


@kernel
def is_held(body: Record, x: float, y: float) -> bool:
    """Tell whether a body's supports hold it against a push along the unit vector (x, y)."""
    if body.held == 0:
        return False
    ax, ay = body.support[0], body.support[1]
    if ax * x + ay * y <= ALIGNED - 1.0:
        return True
    if body.held == 1:
        return False
    bx, by = body.support[2], body.support[3]
    # Between the two: the push's opposite is a sum of both with positive shares.
    area = ax * by - ay * bx
    between = (y * bx - x * by) * area >= 0.0 and (x * ay - y * ax) * area >= 0.0 and area != 0.0
    return bool(bx * x + by * y <= ALIGNED - 1.0 or between)


@inner
def parting_speed(bodies: Table, contact: Record) -> float:
    """Return how fast the two bodies of a contact part along its normal; negative: approach."""
    a, b = bodies[contact.a], bodies[contact.b]
    return float((b.vx - a.vx) * contact.nx + (b.vy - a.vy) * contact.ny + contact.extra)


@inner
def parting_pull(bodies: Table, contact: Record) -> float:
    """Return the acceleration with which the two bodies of a contact part along its normal."""
    a, b = bodies[contact.a], bodies[contact.b]
    return float((b.pull_x - a.pull_x) * contact.nx + (b.pull_y - a.pull_y) * contact.ny)


@kernel
def solve(bodies: Table, contacts: Table, first: int, last: int) -> None:
    """Find the impulses of the contacts from `first` up to `last`, and apply them."""
    for _ in range(MOST_SWEEPS):
        largest, speed, solved = 0.0, 0.0, 0
        for c in range(first, last):
            contact = contacts[c]
            total = contact.share_a + contact.share_b
            if contact.state & ASIDE != 0 or total == 0.0:
                continue
            a, b = bodies[contact.a], bodies[contact.b]
            nx, ny = contact.nx, contact.ny
            parting = (b.vx - a.vx) * nx + (b.vy - a.vy) * ny + contact.extra
            before = contact.impulse
            contact.impulse = max(before + (contact.target - parting) / total, 0.0)
            change = contact.impulse - before
            # What is immovable is left as it is, to the bit.
            if contact.share_a != 0.0:
                a.vx -= change * contact.share_a * nx
                a.vy -= change * contact.share_a * ny
            if contact.share_b != 0.0:
                b.vx += change * contact.share_b * nx
                b.vy += change * contact.share_b * ny
            largest = max(largest, abs(change) * total)
            speed = max(speed, abs(parting))
            solved += 1
        if solved <= 1 or largest <= SETTLED * speed:
            return


@kernel
def stick(bodies: Table, contact: Record) -> None:
    """Take away the speed along a contact, too, and what would build it up again in this step."""
    a, b = bodies[contact.a], bodies[contact.b]
    total = inverse_mass(a) + inverse_mass(b)
    if total == 0.0:
        return
    tx, ty = -contact.ny, contact.nx
    along = ((b.vx - a.vx) * tx + (b.vy - a.vy) * ty) / total
    a.vx += along * inverse_mass(a) * tx
    a.vy += along * inverse_mass(a) * ty
    b.vx -= along * inverse_mass(b) * tx
    b.vy -= along * inverse_mass(b) * ty
    a.pull_x, a.pull_y, b.pull_x, b.pull_y = 0.0, 0.0, 0.0, 0.0


@kernel
def hold(bodies: Table, contact: Record) -> None:
    """Let what rests on the other side of a contact hold a body against its acceleration towards it."""
    pull = parting_pull(bodies, contact)
    a, b = bodies[contact.a], bodies[contact.b]
    if pull >= 0.0 or a.turn != 0.0 or b.turn != 0.0:
        return
    nx, ny = contact.nx, contact.ny
    share_a = 0.0 if is_held(a, -nx, -ny) else inverse_mass(a)
    share_b = 0.0 if is_held(b, nx, ny) else inverse_mass(b)
    total = share_a + share_b
    if total == 0.0:
        return
    # What parts so slowly that it would come back within the step lies there already.
    parting = max(parting_speed(bodies, contact), 0.0) if share_a == 0.0 or share_b == 0.0 else 0.0
    if share_a != 0.0:
        a.pull_x += pull * share_a / total * nx
        a.pull_y += pull * share_a / total * ny
        a.vx += parting * nx
        a.vy += parting * ny
    if share_b != 0.0:
        b.pull_x -= pull * share_b / total * nx
        b.pull_y -= pull * share_b / total * ny
        b.vx -= parting * nx
        b.vy -= parting * ny
    if share_b == 0.0:
        add_support(a, contact.b, -nx, -ny, pull)
    elif share_a == 0.0:
        add_support(b, contact.a, nx, ny, pull)


@kernel
def add_support(body: Record, other: int, x: float, y: float, pull: float) -> None:
    """Note that `other` holds a body along (x, y), against `pull`; between two it has no acceleration."""
    held = body.held
    for k in range(held):
        if body.support[2 * k] * x + body.support[2 * k + 1] * y >= 1.0 - ALIGNED:
            return
    if held == 2:
        return
    body.support[2 * held], body.support[2 * held + 1] = x, y
    body.supporter[held] = other
    body.held = held + 1
    if held == 1 and body.pull_x * body.support[0] + body.pull_y * body.support[1] <= ALIGNED * -pull:
        # Held along this one it would sink into the other: it lies between the two.
        body.pull_x, body.pull_y = 0.0, 0.0


@kernel
def drop_supports(state: Record, bodies: Table, body: Record) -> None:
    """Drop the supports that a body leaves, and give back the acceleration that the others do not take."""
    kept = 0
    for k in range(body.held):
        other = bodies[body.supporter[k]]
        sx, sy = body.support[2 * k], body.support[2 * k + 1]
        leaving = (body.vx - other.vx) * sx + (body.vy - other.vy) * sy
        if leaving <= ALIGNED * (abs(body.vx) + abs(body.vy) + abs(other.vx) + abs(other.vy)):
            body.support[2 * kept], body.support[2 * kept + 1] = sx, sy
            body.supporter[kept] = body.supporter[k]
            kept += 1
    if kept == body.held:
        return
    body.held = kept
    body.pull_x, body.pull_y = state.gravity_x + body.acceleration_x, state.gravity_y + body.acceleration_y
    if kept == 1:
        sx, sy = body.support[0], body.support[1]
        along = min(body.pull_x * sx + body.pull_y * sy, 0.0)
        body.pull_x -= along * sx
        body.pull_y -= along * sy
