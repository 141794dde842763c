"""The rows that the solver works on: one impulse each, along one direction at one contact point.

In: how many rows and bodies. Out: the arrays, larger where they have to be. The rows are scaled: a body's velocities by
the roots of its mass and inertia, and each row to length 1. So the matrix of the problem has a diagonal of ones, and
impulses of very different sizes settle together.
"""

import math
from typing import Annotated, NamedTuple

from carom._core.jit import inner, kernel, unsigned
from carom._core.jit.bare import left_out
from carom._core.types import Floats, Integers
from carom.world.joints.elimination import solve
from carom.world.joints.tables import Graph
from carom.world.step.declared import F8, I4, I8, Length, Record, Six, Table, Use, form_of
from carom.world.step.pairs.contacts import Contact
from carom.world.step.solve.speeds import clear
from carom.world.step.tables import Body


class Row(Record):
    """One row: an impulse, and what it changes."""

    jacobian: Six  # how an impulse of the row changes the velocities x, y, spin of both its bodies
    i: I4  # the places of both bodies among the velocities
    j: I4
    impulse: F8
    low: F8  # the least impulse allowed
    high: F8  # the largest impulse allowed
    wanted: F8  # speed along the row
    lack: F8  # speed along the row that is wanted, less the speed there is
    length: F8  # the length by which the row was divided: in the user's units an impulse is impulse / length
    share: F8  # of frictions, and of what resists rolling: their largest impulse over that of their normal
    step: F8  # of a turn of the solver
    bound: I8  # of frictions: the row of that normal


ROW = form_of(Row)


class Rows(NamedTuple):
    """The solver's tables. The last body of an island cannot be moved."""

    table: Annotated[Table[Row], Length("contacts", 4, in_turn=True), Use.SCRATCH]
    speed: Annotated[Floats, Length("bodies", 2, 1, wide=(3,), in_turn=True), Use.SCRATCH]
    """Velocities, scaled."""
    push: Annotated[Floats, Length("bodies", 2, 1, wide=(3,), in_turn=True), Use.SCRATCH]
    """The change of the velocities."""
    ahead: Annotated[Floats, Length("bodies", 2, 1, wide=(3,), in_turn=True), Use.SCRATCH]
    """Velocities where a step begins."""
    node: Annotated[Integers, Length("bodies", 2, 1, in_turn=True), Use.SCRATCH]
    """1 + the place of a body in `graph`, 0 if no joint holds it."""
    graph: Graph


Roots = tuple[float, float, float, float]  # of the inverse mass and inertia of a, and of b


Span = tuple[int, int, int, int, int]
"""Of an island: where its rows of normals begin, those of frictions, and what comes behind; the places of its bodies
begin, and end."""


@inner
def roots_of(a: Body, b: Body, a_moves: bool, b_moves: bool) -> Roots:
    """Return by what the velocities of two bodies are scaled; what does not move has 0."""
    mass_a, inertia_a = (math.sqrt(a.inverse_mass), math.sqrt(a.inverse_inertia)) if a_moves else (0.0, 0.0)
    mass_b, inertia_b = (math.sqrt(b.inverse_mass), math.sqrt(b.inverse_inertia)) if b_moves else (0.0, 0.0)
    return mass_a, inertia_a, mass_b, inertia_b


@inner
def write_row(row: Row, i: int, j: int, roots: Roots, contact: Contact, k: int, x: float, y: float) -> float:
    """Write the row of point k of a contact along (x, y), without impulse, speed and bounds; return its length.

    i and j are the places of the two bodies.
    """
    ax, ay, bx, by = contact.ax[k], contact.ay[k], contact.bx[k], contact.by[k]
    return write_levers(row, i, j, roots, x, y, ax * y - ay * x, bx * y - by * x)


@inner
def write_levers(row: Row, i: int, j: int, roots: Roots, x: float, y: float, turn_a: float, turn_b: float) -> float:
    """Write a row along (x, y) with its levers about both bodies' centres; return its length."""
    mass_a, inertia_a, mass_b, inertia_b = roots
    v0, v1, v2 = -mass_a * x, -mass_a * y, -inertia_a * turn_a
    v3, v4, v5 = mass_b * x, mass_b * y, inertia_b * turn_b
    length = math.sqrt((v0 * v0 + v1 * v1 + v2 * v2) + (v3 * v3 + v4 * v4 + v5 * v5))
    jacobian, inverse = row.jacobian, 1.0 / length
    jacobian[0], jacobian[1], jacobian[2] = v0 * inverse, v1 * inverse, v2 * inverse
    jacobian[3], jacobian[4], jacobian[5] = v3 * inverse, v4 * inverse, v5 * inverse
    row.i, row.j, row.length, row.step = i, j, length, 0.0
    return length


@inner
def speed_along(row: Row, speed: Floats) -> float:
    """Return the speed along a row that some velocities make."""
    i, j, jacobian = unsigned(row.i), unsigned(row.j), row.jacobian
    first = speed[i, 0] * jacobian[0] + speed[i, 1] * jacobian[1] + speed[i, 2] * jacobian[2]
    return float(first + (speed[j, 0] * jacobian[3] + speed[j, 1] * jacobian[4] + speed[j, 2] * jacobian[5]))


@inner
def add_impulse(row: Row, speed: Floats, change: float) -> None:
    """Add to velocities what a change of the impulse of a row makes of them."""
    if change == 0.0:
        return
    i, j, jacobian = unsigned(row.i), unsigned(row.j), row.jacobian
    speed[i, 0] += change * jacobian[0]
    speed[i, 1] += change * jacobian[1]
    speed[i, 2] += change * jacobian[2]
    speed[j, 0] += change * jacobian[3]
    speed[j, 1] += change * jacobian[4]
    speed[j, 2] += change * jacobian[5]


@kernel
def bound_frictions(rows: Rows, middle: int, last: int, low: int, high: int) -> None:
    """Bound each friction by the normal impulse there is, and take back what is beyond."""
    jointed = has_joints(rows)
    changed = rows.push if jointed else rows.speed
    if jointed:
        clear(rows.push, low, high)
    for r in range(middle, last):
        row = rows.table[r]
        most = row.share * rows.table[row.bound].impulse
        row.low, row.high = -most, most
        new = min(max(row.impulse, -most), most)
        add_impulse(row, changed, new - row.impulse)
        row.impulse = new
    if jointed:
        spread(rows, low, high, False, 0.0)
        for k in range(low, high):
            for c in range(3):
                rows.speed[k, c] += rows.push[k, c]


@inner
@left_out(False)
def has_joints(rows: Rows) -> bool:
    """Tell whether joints hold some of the bodies."""
    return bool(rows.graph.mechanisms[0] > 0)


@kernel
@left_out(0.0)
def spread(rows: Rows, low: int, high: int, ahead: bool, total: float) -> float:
    """Have joints hand on the changes of velocities in `push`, or what `push` has beyond `ahead`.

    In: what impulses do to each body by itself. Out: what they do to it as its joints hold it, with the factors of its
    mechanism. Returns `total` and twice the energy of these changes.
    """
    push, node, graph = rows.push, rows.node, rows.graph
    x, lead, mechanism = graph.x, graph.lead, graph.mechanism
    for k in range(low, high):
        if node[k] != 0:
            lead[mechanism[node[k] - 1]] = -1
    for k in range(low, high):
        n = node[k] - 1
        if n < 0:
            continue
        m, moved = mechanism[n], False
        for c in range(3):
            moved = moved or push[k, c] != (rows.ahead[k, c] if ahead else 0.0)
        if moved and lead[m] < 0:
            lead[m] = k
            for p in range(graph.starts[m], graph.middle[m]):
                x[p, 0], x[p, 1], x[p, 2] = 0.0, 0.0, 0.0
        for c in range(3 if moved else 0):
            x[n, c] = graph.root[n, c] * (push[k, c] - (rows.ahead[k, c] if ahead else 0.0))
    for k in range(low, high):
        if node[k] != 0 and lead[mechanism[node[k] - 1]] == k:
            solve(graph, mechanism[node[k] - 1])
    for k in range(low, high):
        n = node[k] - 1
        for c in range(3):
            begun = rows.ahead[k, c] if ahead else 0.0
            given = push[k, c] - begun
            if n >= 0 and lead[mechanism[n]] >= 0:
                push[k, c] = begun + graph.root[n, c] * x[n, c]
            total += given * (push[k, c] - begun)
    for k in range(high - 1, low - 1, -1):
        if node[k] != 0:
            lead[mechanism[node[k] - 1]] = k
    return total
