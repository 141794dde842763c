"""Whether the edges of an outline touch nowhere but at the ends that neighbours share: one sweep over its points.

In: an outline whose neighbouring edges turn, its points in the order of x, then y. Out: whether it is surely simple.
The edges at the sweep line stand in a treap from low to high, and each is compared with its neighbours there (M. Shamos
and D. Hoey, Geometric intersection problems, 1976), so the time grows with n log n. Every sign is exact. Any frame.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.shapes.outlines.sure_turns import turn

# Columns of an edge at the sweep line: its places in the tree and in the list from low to high (-1 for none), its ends,
# and the node of each edge, numbered by its first point. The last row is above the root, its lower child.
UP, LOWER, HIGHER, BEFORE, AFTER, LEFT, RIGHT, NODE = range(8)
SWEEP = 8


@kernel
def touches_nowhere(
    points: Floats, begin: int, order: Integers, rank: Integers, signs: Integers, sweep: Integers, h: Floats
) -> bool:
    """Tell whether an outline is surely simple; `signs` are those of its turns, `sweep` and `h` are room."""
    count = order.shape[0]
    top = count
    sweep[top, LOWER] = sweep[top, UP] = -1
    for m in range(count):
        k = order[m]
        p, n = (k + count - 1) % count, (k + 1) % count
        last = begin + order[max(m - 1, 0)]
        if m > 0 and points[begin + k, 0] == points[last, 0] and points[begin + k, 1] == points[last, 1]:
            return False
        came, goes = rank[begin + p] < m, rank[begin + n] < m
        if came and goes:
            one, other = sweep[p, NODE], sweep[k, NODE]
            if sweep[one, AFTER] != other:
                one, other = other, one
            if sweep[one, AFTER] != other:  # something ends between them
                return False
            below, above = sweep[one, BEFORE], sweep[other, AFTER]
            take_out(sweep, one)
            take_out(sweep, other)
            if below >= 0 and above >= 0 and _touch(points, begin, sweep, below, above, h):
                return False
        elif came or goes:
            node = sweep[p, NODE] if came else sweep[k, NODE]
            sweep[node, LEFT], sweep[node, RIGHT] = k, n if came else p
            sweep[k if came else p, NODE] = node
            below, above = sweep[node, BEFORE], sweep[node, AFTER]
            if below >= 0 and _touch(points, begin, sweep, below, node, h):
                return False
            if above >= 0 and _touch(points, begin, sweep, node, above, h):
                return False
        else:
            below, above, node = -1, -1, sweep[top, LOWER]
            while node >= 0:
                side = turn(points, begin + sweep[node, LEFT], begin + sweep[node, RIGHT], begin + k, h)
                if side == 1:
                    below, node = node, sweep[node, HIGHER]
                elif side == -1:
                    above, node = node, sweep[node, LOWER]
                else:
                    return False
            # The edge to the point after k is numbered k, that to the point before it p.
            low, high = (k, p) if signs[k] > 0 else (p, k)
            for node in (low, high):
                sweep[node, LEFT], sweep[node, RIGHT], sweep[node, NODE] = k, n if node == k else p, node
            put_in(sweep, top, below, low, above)
            put_in(sweep, top, low, high, above)
            if below >= 0 and _touch(points, begin, sweep, below, low, h):
                return False
            if above >= 0 and _touch(points, begin, sweep, high, above, h):
                return False
    return True


@inner
def _touch(points: Floats, begin: int, sweep: Integers, one: int, other: int, h: Floats) -> bool:
    """Tell whether two edges may touch elsewhere than at an end that they share."""
    a, b = begin + sweep[one, LEFT], begin + sweep[one, RIGHT]
    c, d = begin + sweep[other, LEFT], begin + sweep[other, RIGHT]
    if a == c or b == d or a == d or b == c:  # neighbours, which turn there
        return False
    return not (_is_beside(points, a, b, c, d, h) or _is_beside(points, c, d, a, b, h))


@inner
def _is_beside(points: Floats, a: int, b: int, c: int, d: int, h: Floats) -> bool:
    """Tell whether c and d surely lie on one side of the line through a and b."""
    side = turn(points, a, b, c, h)
    return bool((side == 1 or side == -1) and turn(points, a, b, d, h) == side)


@inner
def _weight(node: int) -> int:
    """Return a number that looks random: of a node and its children in the treap, the node has the least."""
    mixed = ((node + 1) * 0x9E3779B1) & 0x7FFFFFFF
    return ((mixed ^ (mixed >> 15)) * 0x2C1B3C6D) & 0x7FFFFFFF


@inner
def _lift(sweep: Integers, node: int) -> None:
    """Turn the tree so that a node takes the place of the one above it."""
    above = sweep[node, UP]
    top, inward = sweep[above, UP], HIGHER if sweep[above, LOWER] == node else LOWER
    child = sweep[node, inward]
    sweep[above, LOWER if inward == HIGHER else HIGHER] = child
    if child >= 0:
        sweep[child, UP] = above
    sweep[node, inward], sweep[above, UP], sweep[node, UP] = above, node, top
    sweep[top, LOWER if sweep[top, LOWER] == above else HIGHER] = node


@inner
def put_in(sweep: Integers, top: int, below: int, node: int, above: int) -> None:
    """Put an edge between two that are next to each other, -1 for none."""
    sweep[node, BEFORE], sweep[node, AFTER] = below, above
    sweep[node, LOWER] = sweep[node, HIGHER] = -1
    if below >= 0:
        sweep[below, AFTER] = node
    if above >= 0:
        sweep[above, BEFORE] = node
    if below >= 0 and sweep[below, HIGHER] < 0:
        sweep[below, HIGHER], sweep[node, UP] = node, below
    elif above >= 0:
        sweep[above, LOWER], sweep[node, UP] = node, above
    else:
        sweep[top, LOWER], sweep[node, UP] = node, top
    while sweep[node, UP] != top and _weight(node) < _weight(sweep[node, UP]):
        _lift(sweep, node)


@inner
def take_out(sweep: Integers, node: int) -> None:
    """Take an edge out of the tree and the list."""
    below, above = sweep[node, BEFORE], sweep[node, AFTER]
    if below >= 0:
        sweep[below, AFTER] = above
    if above >= 0:
        sweep[above, BEFORE] = below
    while sweep[node, LOWER] >= 0 and sweep[node, HIGHER] >= 0:
        lower, higher = sweep[node, LOWER], sweep[node, HIGHER]
        _lift(sweep, lower if _weight(lower) < _weight(higher) else higher)
    child, over = max(sweep[node, LOWER], sweep[node, HIGHER]), sweep[node, UP]
    sweep[over, LOWER if sweep[over, LOWER] == node else HIGHER] = child
    if child >= 0:
        sweep[child, UP] = over
