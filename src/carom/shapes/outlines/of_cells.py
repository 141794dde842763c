"""Boxes and outlines of the cells that are set in a grid, such as the pixels of a mask or of a floor plan.

In: an array of bool; cell (row y, column x) is the square from (x, y) to (x + 1, y + 1). Out: the boxes that fill the
set cells, as wide as a row allows and joined where they are equally wide; and for each group of cells joined by their
sides its outline and its holes, corners only, in whole numbers. Frame and units of the grid.

Rows of cells are gone through once for each of three questions: which boxes there are, which of them hang together,
and where the border turns. Between two rows of cells a border runs from each corner with an odd number to the next.
"""

from __future__ import annotations

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Booleans, Floats, Integers
from carom.shapes.outlines.rings import Rings
from carom.vector import Point2

Outline = list[Point2]

LEFT, TOP, RIGHT, BOTTOM = range(4)
"""Columns of a box: it holds the cells from LEFT to before RIGHT in the rows from TOP to before BOTTOM."""
BOX = 4

X, Y, REGION, NEXT = range(4)
"""Columns of a corner: where it is, the region whose border turns there, and the corner to which the border goes on,
with the region where x turns to y."""
CORNER = 4

NONE = -1


def boxes_of(solid: Booleans) -> Integers:
    """Return the boxes (n, BOX) that fill the set cells of an array (h, w), by first row, then from left to right."""
    boxes = np.empty((find_boxes(solid, np.empty((0, BOX), dtype=np.int64)), BOX), dtype=np.int64)
    find_boxes(solid, boxes)
    return boxes


def rings_of_cells(solid: Booleans, boxes: Integers, *, twice: bool = False) -> Rings:
    """Return outlines and holes of the set cells, given with their boxes, region by region.

    Each ring begins at the corner of least y, of several the one of least x, and goes round counter-clockwise in
    (x, y), holes too. Where a region touches itself at a corner, the gap that it encloses there is a hole; or, if a
    ring may go through a point `twice`, a part of the outside.
    """
    height, width = solid.shape
    region = np.empty(len(boxes), dtype=np.int64)
    join_boxes(boxes, width, region)
    around = np.zeros((height + 2, width + 2), dtype=np.bool_)  # each cell has neighbours
    around[1:-1, 1:-1] = solid
    corners = np.empty((count_corners(around), CORNER), dtype=np.int64)
    find_corners(around, boxes, region, twice, corners)
    starts, sizes = np.empty(len(corners) // 4, dtype=np.int64), np.empty(len(corners) // 4, dtype=np.int64)
    count = find_rings(corners, starts, sizes)
    regions = corners[starts[:count], REGION]
    order = np.argsort(regions, kind="stable")
    first = np.append(0, np.cumsum(sizes[:count][order]))
    points = np.empty((len(corners), 2))
    write_rings(corners, starts[:count][order], first, points)
    return Rings(points, first, regions[order])


def outlines(solid: Booleans) -> list[tuple[Outline, list[Outline]]]:
    """Return outline and holes of each group of cells joined by their sides, in the order of their first cells.

    A ring may touch itself and others at corners; a gap that meets the outside at a corner is no hole.
    """
    points, first, region = rings_of_cells(solid, boxes_of(solid), twice=True)
    places, found = [(x, y) for x, y in points.tolist()], dict[int, list[Outline]]()
    for k, number in enumerate(region.tolist()):
        found.setdefault(number, []).append(places[first.item(k) : first.item(k + 1)])
    return [(outline, holes) for outline, *holes in found.values()]


@kernel
def find_boxes(solid: Booleans, out: Integers) -> int:
    """Write the boxes of set cells, as many as there is room for; return how many there are."""
    height, width = solid.shape
    count, room = 0, out.shape[0]
    ends = np.empty(width, dtype=np.int64)  # of the box that begins in this column: where it ends,
    last = np.empty(width, dtype=np.int64)  # its last row,
    box = np.empty(width, dtype=np.int64)  # and its number
    for x in range(width):
        ends[x] = last[x] = box[x] = NONE
    for y in range(height):
        x = 0
        while x < width:
            if not solid[y, x]:
                x += 1
                continue
            left = x
            while x < width and solid[y, x]:
                x += 1
            if ends[left] != x or last[left] != y - 1:
                ends[left], box[left] = x, count
                if count < room:
                    out[count, LEFT], out[count, TOP], out[count, RIGHT] = left, y, x
                count += 1
            last[left] = y
            if box[left] < room:
                out[box[left], BOTTOM] = y + 1
    return count


@kernel
def join_boxes(boxes: Integers, width: int, region: Integers) -> None:
    """Write for each box the least number of those that it hangs together with by sides."""
    above = np.empty(width, dtype=np.int64)  # the last box in each column
    for x in range(width):
        above[x] = NONE
    for k in range(boxes.shape[0]):
        region[k] = k
        before = NONE
        for x in range(boxes[k, LEFT], boxes[k, RIGHT]):
            other = above[x]
            above[x] = k
            if other != before and other >= 0 and boxes[other, BOTTOM] == boxes[k, TOP]:
                one, two = root(region, k), root(region, other)
                region[max(one, two)] = min(one, two)
            before = other
    for k in range(boxes.shape[0]):
        region[k] = region[region[k]]


@inner
def root(region: Integers, k: int) -> int:
    """Return the least box that this one is known to hang together with, and make the way there shorter."""
    while region[k] != k:
        region[k] = region[region[k]]
        k = region[k]
    return int(k)


@kernel
def count_corners(around: Booleans) -> int:
    """Return how many corners the borders have; two where two cells touch at a corner only."""
    count = 0
    for y in range(around.shape[0] - 1):
        for x in range(around.shape[1] - 1):
            a, b, c, d = around[y, x], around[y, x + 1], around[y + 1, x], around[y + 1, x + 1]
            if (a != b or c != d) and (a != c or b != d):
                count += 2 if a == d and b == c else 1
    return count


@kernel
def find_corners(around: Booleans, boxes: Integers, region: Integers, twice: bool, out: Integers) -> None:
    """Write the corners row by row, from left to right, each with the one that follows round its ring."""
    height, width = around.shape[0] - 1, around.shape[1] - 1
    above, below = np.empty(width + 1, dtype=np.int64), np.empty(width + 1, dtype=np.int64)  # box at each set cell
    upper = np.empty(width, dtype=np.int64)  # the corner in each column whose border goes down from it
    for x in range(width + 1):
        above[x] = below[x] = NONE
    for x in range(width):
        upper[x] = NONE
    count, opened = 0, 0
    for y in range(height):
        begun = opened
        while opened < boxes.shape[0] and boxes[opened, TOP] == y:
            for x in range(boxes[opened, LEFT], boxes[opened, RIGHT]):
                below[x + 1] = opened
            opened += 1
        left = NONE  # the corner whose border goes right from it
        for x in range(width):
            a, b, c, d = around[y, x], around[y, x + 1], around[y + 1, x], around[y + 1, x + 1]
            if (a == b and c == d) or (a == c and b == d):
                continue
            if a != d or b != c:
                box = above[x] if a else (above[x + 1] if b else (below[x] if c else below[x + 1]))
                left, upper[x] = write_corner(out, count, x, y, region[box], left, upper[x], a != c, a != b, a, c, d)
                count += 1
                continue
            one = region[above[x] if a else below[x]]
            other = region[below[x + 1] if a else above[x + 1]]
            # Two corners, of the borders to the left and to the right: round the cells or round the gaps between them.
            rises = a == (twice or one != other)
            over = upper[x]
            left, down = write_corner(out, count, x, y, one, left, over, True, rises, a, c, d)
            right, lower = write_corner(out, count + 1, x, y, other, left, over, False, not rises, a, c, d)
            left, upper[x] = right, lower if rises else down
            count += 2
        for k in range(begun, opened):
            for x in range(boxes[k, LEFT] + 1, boxes[k, RIGHT] + 1):
                above[x] = k


@inner
def write_corner(
    out: Integers,
    k: int,
    x: int,
    y: int,
    region: int,
    left: int,
    upper: int,
    to_left: bool,
    to_top: bool,
    a: bool,
    c: bool,
    d: bool,
) -> tuple[int, int]:
    """Write a corner and tie its borders to the left and up; return the open corners to the left and above after it.

    `a`, `c` and `d` tell whether the cells above left, below left and below right are set.
    """
    out[k, X], out[k, Y], out[k, REGION] = x, y, region
    if to_left:
        if c:
            out[left, NEXT] = k
        else:
            out[k, NEXT] = left
    if to_top:
        if a:
            out[upper, NEXT] = k
        else:
            out[k, NEXT] = upper
    return NONE if to_left else k, NONE if to_top else k


@kernel
def find_rings(corners: Integers, starts: Integers, sizes: Integers) -> int:
    """Write the first corner and the number of corners of each ring; return how many rings there are."""
    count, seen = 0, np.zeros(corners.shape[0], dtype=np.bool_)
    for first in range(corners.shape[0]):
        if seen[first]:
            continue
        size, k = 0, first
        while not seen[k]:
            seen[k] = True
            size += 1
            k = corners[k, NEXT]
        starts[count], sizes[count] = first, size
        count += 1
    return count


@kernel
def write_rings(corners: Integers, starts: Integers, first: Integers, points: Floats) -> None:
    """Write the corners of each ring counter-clockwise: holes, which go down from their first corner, backwards."""
    for ring in range(starts.shape[0]):
        k, size = starts[ring], first[ring + 1] - first[ring]
        hole = corners[corners[k, NEXT], X] == corners[k, X]
        for m in range(size):
            place = first[ring] + (size - m if hole and m else m)
            points[place, 0], points[place, 1] = corners[k, X], corners[k, Y]
            k = corners[k, NEXT]
