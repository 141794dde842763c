"""Outlines of the cells that are set in a grid, such as the pixels of a mask.

In: the set cells as pairs of whole numbers; cell (x, y) is the square from there to (x + 1, y + 1). Out: for each group
of cells joined by their sides its outline and its holes, along the sides of the cells. Frame and units of the grid.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

Cell = tuple[int, int]
Ring = list[Cell]

_SIDES = (((0, 0), (1, 0)), ((1, 0), (1, 1)), ((1, 1), (0, 1)), ((0, 1), (0, 0)))  # the cell on the left


def outlines(cells: Iterable[Cell]) -> list[tuple[Ring, list[Ring]]]:
    """Return outline and holes of each group of cells joined by their sides, in the order of their first cells.

    Outlines are counter-clockwise in (x, y), holes clockwise; they may touch themselves and one another at corners.
    """
    found = []
    left = dict.fromkeys(sorted(cells))
    while left:
        group = _group(left)
        rings = _rings(group)
        outline = max(rings, key=_twice_area)
        found.append((outline, [ring for ring in rings if ring is not outline]))
    return found


def _group(left: dict[Cell, None]) -> set[Cell]:
    """Take the first cell and all that are joined to it out of `left`."""
    waiting = [next(iter(left))]
    group = set(waiting)
    while waiting:
        x, y = waiting.pop()
        del left[x, y]
        for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if near in left and near not in group:
                group.add(near)
                waiting.append(near)
    return group


def _rings(cells: set[Cell]) -> list[Ring]:
    """Return the boundary of cells as rings with the cells on the left, turning left where two edges leave a corner."""
    leaving: defaultdict[Cell, set[Cell]] = defaultdict(set)
    for x, y in sorted(cells):
        for ((ax, ay), (bx, by)), beyond in zip(_SIDES, ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)), strict=True):
            if beyond not in cells:
                leaving[x + ax, y + ay].add((bx - ax, by - ay))
    rings = []
    while leaving:
        x, y = start = next(iter(leaving))
        dx, dy = min(leaving[start])
        ring: Ring = []
        while (dx, dy) in leaving.get((x, y), ()):
            leaving[x, y].remove((dx, dy))
            if not leaving[x, y]:
                del leaving[x, y]
            ring.append((x, y))
            x, y = x + dx, y + dy
            ways = leaving.get((x, y), ())
            dx, dy = next((way for way in ((-dy, dx), (dx, dy), (dy, -dx)) if way in ways), (0, 0))
        rings.append(ring)
    return rings


def _twice_area(ring: Ring) -> int:
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(ring, ring[1:] + ring[:1], strict=True))
