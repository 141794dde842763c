"""What holds a body against its acceleration: up to two supports, noted where it comes to lie on something.

In: contacts that are solved, and bodies that have left what held them. Out: accelerations less what supports take away.
What is immovable can be a support, and what stands on it. Between two that move nothing holds: each push of the one
asks for one of the other, for as long as both last, and that only a huddle knows.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom.tolerances import ALIGNED, MOST_HUDDLES, MOST_STACKED, RATTLES
from carom.world.contacts import ASIDE, STICKS, inverse_mass, parting_pull, parting_speed
from carom.world.tables import DYNAMIC, Record, Table


@inner
def rests(body: Record) -> bool:
    """Tell whether a body stands still, and will in the rest of the step."""
    return bool(body.vx == 0.0 and body.vy == 0.0 and body.pull_x == 0.0 and body.pull_y == 0.0)


@inner
def bears(body: Record, other: Record, x: float, y: float) -> bool:
    """Tell whether a body lies on another, which pushes it along the unit vector (x, y), and does not leave it."""
    speed = abs(body.vx) + abs(body.vy) + abs(other.vx) + abs(other.vy)
    return bool(abs((body.vx - other.vx) * x + (body.vy - other.vy) * y) <= ALIGNED * speed)


@inner
def stands_still(body: Record) -> bool:
    """Tell whether a body is immovable, or rests on something."""
    return bool(inverse_mass(body) == 0.0 or (body.held > 0 and rests(body)))


@inner
def drives_along(body: Record, x: float, y: float) -> bool:
    """Tell whether what holds others along (x, y) moves along it itself, as only kinematic bodies do."""
    speed = abs(body.vx) + abs(body.vy)
    return bool(body.turn != 0.0 or abs(body.vx * x + body.vy * y) > ALIGNED * speed)


@kernel
def stands(bodies: Table, body: Record, x: float, y: float, carried: bool) -> bool:
    """Tell whether a body's supports hold it against a push along the unit vector (x, y), so that it will not move.

    What moves along the push does not stand: to what it meets it would give energy, and lose none. `carried`: it does
    stand on what moves along the push, with the speed of that.
    """
    for _ in range(MOST_STACKED):
        found = -1
        for k in range(body.held):
            if body.support[2 * k] * x + body.support[2 * k + 1] * y <= ALIGNED - 1.0:
                found = k
        if found < 0:
            return lies_between(bodies, body, x, y, carried)
        other = bodies[body.supporter[found]]
        if not bears(body, other, x, y):
            return False
        if stands_still(other):
            return carried or not drives_along(other, x, y)
        body = other
    return False


@kernel
def lies_between(bodies: Table, body: Record, x: float, y: float, carried: bool) -> bool:
    """Tell whether two supports that stand still hold a body against a push along (x, y)."""
    if body.held < 2:
        return False
    ax, ay, bx, by = body.support[0], body.support[1], body.support[2], body.support[3]
    # The push's opposite is a sum of both with positive shares.
    area = ax * by - ay * bx
    if area == 0.0 or (y * bx - x * by) * area < 0.0 or (x * ay - y * ax) * area < 0.0:
        return False
    for k in range(2):
        other, sx, sy = bodies[body.supporter[k]], body.support[2 * k], body.support[2 * k + 1]
        if not stands_still(other) or not bears(body, other, sx, sy):
            return False
        if not carried and drives_along(other, sx, sy):
            return False
    return True


@kernel
def agree_on_shares(bodies: Table, contacts: Table, first: int, last: int) -> None:
    """Have whoever gives way for one of the contacts from `first` up to `last` do so for all of them.

    Were it held for another, that one would not feel how it moves, and would hand on energy that nothing loses.
    """
    # Between its contacts and its course a body has no use for its pushes.
    for c in range(first, last):
        bodies[contacts[c].a].push_x, bodies[contacts[c].b].push_x = 0.0, 0.0
    for c in range(first, last):
        contact = contacts[c]
        if contact.state & ASIDE == 0:
            bodies[contact.a].push_x += contact.share_a
            bodies[contact.b].push_x += contact.share_b
    for c in range(first, last):
        contact = contacts[c]
        if contact.state & ASIDE == 0:
            a, b = bodies[contact.a], bodies[contact.b]
            contact.share_a = inverse_mass(a) if a.push_x > 0.0 else 0.0
            contact.share_b = inverse_mass(b) if b.push_x > 0.0 else 0.0
    for c in range(first, last):
        bodies[contacts[c].a].push_x, bodies[contacts[c].b].push_x = 0.0, 0.0


@kernel
def hold(state: Record, bodies: Table, contact: Record) -> None:
    """Let what rests on the other side of a contact hold a body against its acceleration towards it.

    Two that both give way are to huddle.
    """
    pull = parting_pull(bodies, contact)
    a, b = bodies[contact.a], bodies[contact.b]
    if pull >= 0.0 or a.turn != 0.0 or b.turn != 0.0:
        return
    # What parts so slowly that it would come back within the step lies there already.
    parting = parting_speed(bodies, contact)
    if parting > -pull * state.length:
        return
    parting = max(parting, 0.0)
    nx, ny = contact.nx, contact.ny
    # What presses on the other by itself is not held by what it stands on.
    presses_a = a.pull_x * nx + a.pull_y * ny > -ALIGNED * pull
    presses_b = b.pull_x * nx + b.pull_y * ny < ALIGNED * pull
    share_a = 0.0 if not presses_a and stands(bodies, a, -nx, -ny, True) else inverse_mass(a)
    share_b = 0.0 if not presses_b and stands(bodies, b, nx, ny, True) else inverse_mass(b)
    total = share_a + share_b
    if total == 0.0:
        return
    both = share_a != 0.0 and share_b != 0.0
    if both and contact.state & STICKS == 0 and (ask_for_huddle(state, a) or ask_for_huddle(state, b)):
        return
    share_a, share_b = share_a / total, share_b / total
    a.vx, a.vy = a.vx + parting * share_a * nx, a.vy + parting * share_a * ny
    b.vx, b.vy = b.vx - parting * share_b * nx, b.vy - parting * share_b * ny
    if share_b == 0.0:
        add_support(state, a, contact.b, -nx, -ny)
    elif share_a == 0.0:
        add_support(state, b, contact.a, nx, ny)
    else:
        a.pull_x, a.pull_y = a.pull_x + pull * share_a * nx, a.pull_y + pull * share_a * ny
        b.pull_x, b.pull_y = b.pull_x - pull * share_b * nx, b.pull_y - pull * share_b * ny


@inner
def ask_for_huddle(state: Record, body: Record) -> bool:
    """Have a body huddle, if it may."""
    if body.kind != DYNAMIC or body.huddled >= MOST_HUDDLES:
        return False
    body.rattles = max(body.rattles, RATTLES)
    state.rattling = 1
    return True


@kernel
def add_support(state: Record, body: Record, other: int, x: float, y: float) -> None:
    """Note that `other` holds a body along (x, y), in place of the one of two supports that it is leaving."""
    slot = body.held
    for k in range(body.held):
        if body.support[2 * k] * x + body.support[2 * k + 1] * y >= 1.0 - ALIGNED:
            slot = k
    if slot == 2:
        first = body.pull_x * body.support[0] + body.pull_y * body.support[1]
        slot = 0 if first > body.pull_x * body.support[2] + body.pull_y * body.support[3] else 1
    body.held = max(body.held, slot + 1)
    body.support[2 * slot], body.support[2 * slot + 1] = x, y
    body.supporter[slot] = other
    pull_between_supports(state, body)


@kernel
def drop_supports(state: Record, bodies: Table, body: Record) -> None:
    """Drop the supports that a body leaves or that give way, and what else pushes it in a huddle.

    Its acceleration is what the other supports leave of it. Who was pushed, and pushed others, huddles anew with them.
    """
    kept = 0
    for k in range(body.held):
        other = bodies[body.supporter[k]]
        sx, sy = body.support[2 * k], body.support[2 * k + 1]
        leaving = (body.vx - other.vx) * sx + (body.vy - other.vy) * sy
        if leaving > ALIGNED * (abs(body.vx) + abs(body.vy) + abs(other.vx) + abs(other.vy)):
            continue
        if stands_still(other) or stands(bodies, other, -sx, -sy, True):
            body.support[2 * kept], body.support[2 * kept + 1] = sx, sy
            body.supporter[kept] = body.supporter[k]
            kept += 1
    pushed = 0 < body.huddled < MOST_HUDDLES and not rests(body)
    if kept == body.held and not pushed:
        return
    body.held = kept
    ax, ay = body.pull_x, body.pull_y
    pull_between_supports(state, body)
    if pushed:
        change = abs(body.pull_x - ax) + abs(body.pull_y - ay)
        if change > ALIGNED * (abs(state.gravity_x + body.acceleration_x) + abs(state.gravity_y + body.acceleration_y)):
            ask_for_huddle(state, body)


@kernel
def pull_between_supports(state: Record, body: Record) -> None:
    """Give a body the nearest acceleration to its own that does not press it into its supports."""
    gx, gy = state.gravity_x + body.acceleration_x, state.gravity_y + body.acceleration_y
    body.pull_x, body.pull_y = gx, gy
    for k in range(body.held):
        sx, sy = body.support[2 * k], body.support[2 * k + 1]
        along = min(gx * sx + gy * sy, 0.0)
        body.pull_x, body.pull_y = gx - along * sx, gy - along * sy
        if body.held == 1:
            return
        ox, oy = body.support[2 - 2 * k], body.support[3 - 2 * k]
        if body.pull_x * ox + body.pull_y * oy >= -ALIGNED * (abs(gx) + abs(gy)):
            return
    if body.held == 2:
        body.pull_x, body.pull_y = 0.0, 0.0
