"""When a mover, on one leg of its way, meets each of the obstacles that stand, seams between flush ones included.

In: the records of the mover's parts and of the obstacles, and the motion. Out: for each obstacle the fraction of the
motion, infinite for none, the normal out of it, the point, and marks as `meeting` tells. World frame, user's units.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.character.toi.exposed_sides import (
    corner_at,
    ends_at,
    outer_side,
    side_of_corner,
    surface_along,
    way_to_outside,
)
from carom.character.toi.internal_edges import bounds_touch, closing_part, put_beside, way_to_corner
from carom.character.toi.meeting import CORNER, PASSES_ON, Meeting, never
from carom.character.toi.toi import meet_any
from carom.narrow.signed_distance import separate_near
from carom.narrow.slab import box_of
from carom.narrow.slop import slop_of_pair
from carom.shapes.moments import least_width
from carom.shapes.proxy import X, Y
from carom.tolerances import SEAM_SLOPS, THIN_SLOPS


@kernel
def meet_obstacles(
    records: Floats,
    parts: Integers,
    starts: Integers,
    mx: float,
    my: float,
    beside: Floats,
    out_fractions: Floats,
    out_normals: Floats,
    out_points: Floats,
    out_marks: Integers,
) -> None:
    """Write for each obstacle when the first of the mover's parts, all moved by m, meets it."""
    for row in range(starts.shape[0]):
        j = starts[row]
        out_fractions[row] = math.inf
        width = least_width(records, j)
        for k in range(parts.shape[0]):
            i = parts[k]
            slop = slop_of_pair(records, i, records, j)
            found = meet_any(records, i, j, mx, my, slop)
            most = THIN_SLOPS * slop
            if width <= most or least_width(records, i) <= most:
                found = meet_flush(records, parts, starts, k, row, mx, my, slop, beside, found)
            if found[5] & CORNER != 0:
                found = meet_corner(records, parts, starts, k, row, mx, my, slop, beside, found)
            fraction, nx, ny, x, y, marks = found
            if fraction < out_fractions[row]:
                out_fractions[row], out_marks[row] = fraction, marks
                out_normals[row, 0], out_normals[row, 1] = 0.0 - nx, 0.0 - ny
                out_points[row, 0] = records[i + X] + (fraction * mx + x)
                out_points[row, 1] = records[i + Y] + (fraction * my + y)


@kernel
def any_on_way(record: Floats, mx: float, my: float, records: Floats, starts: Integers) -> bool:
    """Tell whether the box of any obstacle meets the box of a shape's whole way."""
    low_x, low_y, high_x, high_y = box_of(record, 0)
    low_x, low_y, high_x, high_y = (
        low_x + min(mx, 0.0),
        low_y + min(my, 0.0),
        high_x + max(mx, 0.0),
        high_y + max(my, 0.0),
    )
    for row in range(starts.shape[0]):
        left, low, right, high = box_of(records, starts[row])
        if left <= high_x and low <= high_y and right >= low_x and high >= low_y:
            return True
    return False


@kernel
def deepest_touched(records: Floats, parts: Integers, starts: Integers, least: float, most: float) -> int:
    """Return the obstacle that the mover is deepest in, of those at least and at most so deep; -1 if there is none."""
    deepest, found = least, -1
    for row in range(starts.shape[0]):
        depth = 0.0
        for k in range(parts.shape[0]):
            depth = max(depth, -separate_near(records, parts[k], records, starts[row])[0])
        if deepest <= depth <= most:
            deepest, found = depth, row
    return found


@inner
def gather_beside(
    records: Floats,
    parts: Integers,
    starts: Integers,
    k: int,
    row: int,
    moves: bool,
    sx: float,
    sy: float,
    px: float,
    py: float,
    reach: float,
    beside: Floats,
) -> int:
    """Note what else is at p once the mover has gone by s; its own parts only if the thin one is not among them."""
    count = 0
    for other in range(starts.shape[0]):
        c = starts[other]
        x, y = records[c + X], records[c + Y]
        if other != row and bounds_touch(records, c, x, y, px, py, reach):
            count = put_beside(beside, count, c, x, y, other)
    for other in range(parts.shape[0]):
        c = parts[other]
        x, y = records[c + X] + sx, records[c + Y] + sy
        if not moves and other != k and bounds_touch(records, c, x, y, px, py, reach):
            count = put_beside(beside, count, c, x, y, other)
    return count


@kernel
def meet_flush(
    records: Floats,
    parts: Integers,
    starts: Integers,
    k: int,
    row: int,
    mx: float,
    my: float,
    slop: float,
    beside: Floats,
    found: Meeting,
) -> Meeting:
    """Return when part k of the mover meets an obstacle, of which one is thin, given what they do as if alone."""
    length = math.sqrt(mx * mx + my * my)
    if length == 0.0:
        return found
    for turn in range(2):
        moves = turn == 0  # whether it is the thin one that moves
        sign = 1.0 if moves else -1.0
        i, j = (parts[k], starts[row]) if moves else (starts[row], parts[k])
        width = least_width(records, i)
        if width > THIN_SLOPS * slop:
            continue
        ux, uy, reach = sign * mx / length, sign * my / length, SEAM_SLOPS * slop + width
        xi, yi, xj, yj = records[i + X], records[i + Y], records[j + X], records[j + Y]
        way, place, qx, qy = way_to_corner(records, i, j, xj - xi, yj - yi, ux, uy, length, slop)
        steepest, closed = True, False
        fraction, nx, ny, marks = found[0], found[1], found[2], found[5]
        if way <= min(fraction, 2.0) * length + slop:
            sx, sy = mx * (way / length), my * (way / length)
            x, y = (xj, yj) if moves else (xj + sx, yj + sy)
            px, py = x + qx, y + qy
            count = gather_beside(records, parts, starts, k, row, moves, sx, sy, px, py, reach, beside)
            closed = closing_part(records, beside, count, j, x, y, px, py, ux, uy, reach) >= 0
        if not closed:
            if not fraction <= 1.0:
                continue
            sx, sy = fraction * mx, fraction * my
            px, py = records[parts[k] + X] + (sx + found[3]), records[parts[k] + Y] + (sy + found[4])
            x, y = (xj, yj) if moves else (xj + sx, yj + sy)
            count = gather_beside(records, parts, starts, k, row, moves, sx, sy, px, py, reach, beside)
            way, place, steepest = way_to_outside(
                records, beside, count, i, j, x, y, px, py, sign * nx, sign * ny, ux, uy, fraction * length, reach
            )
            if place < 0:
                continue
            sx, sy = mx * (way / length), my * (way / length)
            x, y = (xj, yj) if moves else (xj + sx, yj + sy)
            px, py = x + records[place], y + records[place + 1]
            count = gather_beside(records, parts, starts, k, row, moves, sx, sy, px, py, reach, beside)
        outward_x, outward_y, covered = outer_side(
            records, beside, count, j, x, y, place, ux, uy, reach, steepest, -sign * nx, -sign * ny
        )
        if outward_x == 0.0 and outward_y == 0.0:
            on, ox, oy = False, 0.0, 0.0
            if not closed and not covered:
                on, ox, oy = surface_along(records, beside, count, j, px, py, ux, uy, reach)
            if on and ox == 0.0 and oy == 0.0:
                return never()
            if on:
                return fraction, 0.0 - sign * ox, 0.0 - sign * oy, found[3], found[4], PASSES_ON
            if not closed or covered:
                continue  # what covers it is met itself
            outward_x, outward_y = -ux, -uy
        px, py = px - (records[parts[k] + X] + sx), py - (records[parts[k] + Y] + sy)
        return way / length, 0.0 - sign * outward_x, 0.0 - sign * outward_y, px, py, marks if not closed else 0
    return found


@kernel
def meet_corner(
    records: Floats,
    parts: Integers,
    starts: Integers,
    k: int,
    row: int,
    mx: float,
    my: float,
    slop: float,
    beside: Floats,
    found: Meeting,
) -> Meeting:
    """Return how part k of the mover meets an obstacle, corner to corner as found, if others lie at that corner."""
    length, reach, fraction = math.sqrt(mx * mx + my * my), SEAM_SLOPS * slop, found[0]
    sx, sy = fraction * mx, fraction * my
    px, py = records[parts[k] + X] + (sx + found[3]), records[parts[k] + Y] + (sy + found[4])
    for turn in range(2):
        moves = turn == 0
        sign = 1.0 if moves else -1.0
        i, j = (parts[k], starts[row]) if moves else (starts[row], parts[k])
        ux, uy = sign * mx / length, sign * my / length
        xi, yi, x, y = records[i + X], records[i + Y], records[j + X], records[j + Y]
        if moves:
            xi, yi = xi + sx, yi + sy
        else:
            x, y = x + sx, y + sy
        place, _ = corner_at(records, j, x, y, px, py, 0.0, 0.0, ux, uy)
        if place < 0 or not ends_at(records, place, x, y, px, py, found[1], found[2], reach):
            continue
        cx, cy = x + records[place], y + records[place + 1]
        count = gather_beside(records, parts, starts, k, row, moves, sx, sy, cx, cy, reach, beside)
        nx, ny = side_of_corner(
            records, beside, count, i, xi, yi, j, x, y, place, ux, uy, reach, -sign * found[1], -sign * found[2]
        )
        if nx != 0.0 or ny != 0.0:
            return fraction, 0.0 - sign * nx, 0.0 - sign * ny, found[3], found[4], found[5]
    return found
