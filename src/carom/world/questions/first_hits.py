"""The first body that each ray, or each moving shape, meets in a world.

In: what questions read of a world, and queries with their motions. Out: for each query the part that is met first, of
equal ones that of the lower row, and the hit, to the last bit as `strike` tells it for that part; and whether it has to
be asked again by `again`: a hit that may count lies inside the error bound, or a body of several parts is met, whose
whole decides. World frame, user's units.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Booleans, Floats, Integers
from carom.broad.queries import Queries, place_of, sees
from carom.broad.tree_circles import write_circle
from carom.broad.tree_hits import Nearest, length_of_motion, mover_of, no_hit, struck
from carom.broad.tree_paths import Mover, Path, is_passed, meet_corners, path_of
from carom.narrow.cast import HitColumns
from carom.narrow.slab import box_of
from carom.shapes.proxy import COUNT, POINTS, STRIDE
from carom.tolerances import SMALLEST_MOTION
from carom.world.questions.ground import Ground
from carom.world.questions.many_rays import first_on_ground, goes_on_ground
from carom.world.questions.present import is_on_its_way, write_now
from carom.world.questions.walk import View, Views, look_along, next_part
from carom.world.step.tables import Body


@inner
def is_seen(asked: Queries, query: int, sensors: bool, body: Body, row: int) -> bool:
    """Tell whether a query sees a body."""
    return (sensors or body.sensor == 0) and sees(asked, query, asked.masks[query], body.layer, row)


@inner
def met_part(
    mover: Mover,
    path: Path,
    records: Floats,
    at: int,
    circles: Floats,
    part: int,
    row: int,
    doubts: Integers,
    nearest: Nearest,
) -> tuple[Nearest, bool]:
    """Return the first hit once a part is tested, too, and whether the start lies within its box."""
    when, leave = meet_corners(box_of(records, at), path)
    if not when <= min(leave, nearest.fraction, 1.0):
        return nearest, False
    write_circle(records, at, circles, 0)
    if mover.length > SMALLEST_MOTION and is_passed(mover, circles, 0):
        return nearest, when == 0.0
    return struck(mover, records, at, circles, 0, part, row, when, doubts, nearest), when == 0.0


@inner
def first_hit(
    view: View,
    asked: Queries,
    query: int,
    records: Floats,
    at: int,
    mx: float,
    my: float,
    sensors: bool,
    scratch: Floats,
    circles: Floats,
    doubts: Integers,
) -> tuple[Nearest, bool]:
    """Return the first hit of a query, and whether it has to be asked again; `doubts` has no room."""
    state, bodies, parts = view.state[0], view.bodies, view.parts
    mover, nearest, again = mover_of(records, at, mx, my, asked.points.shape[0] > 0), no_hit(0), False
    way, walk = look_along(view, box_of(records, at), mx, my)
    while nearest.slot != -2:
        walk = next_part(view, way, walk, nearest.fraction)
        part = walk.part
        if part < 0:
            break
        row = parts[part].body
        body = bodies[row]
        if not is_seen(asked, query, sensors, body, row):
            continue
        if is_on_its_way(state, body):
            write_now(view, part, scratch, 0)
            nearest, within = met_part(mover, way.path, scratch, 0, circles, part, row, doubts, nearest)
        else:
            start = parts[part].record
            nearest, within = met_part(mover, way.path, view.buffer, start, circles, part, row, doubts, nearest)
        again = again or (within and body.part_count > 1)
    if nearest.slot == -2:
        return nearest, True
    return nearest, again or (nearest.slot >= 0 and bodies[nearest.row].part_count > 1)


@inner
def first_of_query(
    ground: Ground,
    view: View,
    asked: Queries,
    query: int,
    records: Floats,
    at: int,
    mx: float,
    my: float,
    sensors: bool,
    scratch: Floats,
    circles: Floats,
    doubts: Integers,
) -> tuple[Nearest, bool]:
    """Do as `first_hit`, through the cells in which the world is laid out where the query can go through them."""
    mover = mover_of(records, at, mx, my, asked.points.shape[0] > 0)
    if goes_on_ground(ground, mover):
        path = path_of(box_of(records, at), mx, my)
        return first_on_ground(ground, view.buffer, asked, query, mover, path, doubts)
    return first_hit(view, asked, query, records, at, mx, my, sensors, scratch, circles, doubts)


@inner
def write_hit(
    asked: Queries,
    query: int,
    mx: float,
    my: float,
    found: Nearest,
    again: bool,
    out_rows: Integers,
    out_distances: Floats,
    out_hits: HitColumns,
    out_again: Booleans,
) -> None:
    """Write the first hit of a query; where there is none, the row is -1."""
    hit = found.slot >= 0
    out_again[query], out_rows[query] = again, found.row if hit else -1
    out_hits.hit[query], out_hits.fraction[query], out_hits.overlapping[query] = hit, found.fraction, found.overlapping
    out_hits.point[query, 0], out_hits.point[query, 1] = found.px, found.py
    out_hits.normal[query, 0], out_hits.normal[query, 1] = found.nx, found.ny
    if asked.points.shape[0] > 0:
        out_distances[query] = found.fraction * length_of_motion(mx, my) if hit else math.inf
        if hit and found.fraction == 0.0:
            out_hits.point[query, 0], out_hits.point[query, 1] = asked.points[query, 0], asked.points[query, 1]


@kernel
def first_hits(
    ground: Ground,
    views: Views,
    each: int,
    asked: Queries,
    motions: Floats,
    sensors: bool,
    room: int,
    begin: int,
    end: int,
    out_rows: Integers,
    out_distances: Floats,
    out_hits: HitColumns,
    out_again: Booleans,
) -> None:
    """Write the first hit of each query from `begin` to `end`; where there is none, the row is -1.

    Copies of a world are asked `each` queries, one copy after the other; the views have them as the first axis. Points
    move as rays, shapes as `cast` has them move; of rays the distances are written. Where the only world is laid out,
    `ground`, rays go through its cells. A record of any part has `room` numbers at most.
    """
    scratch, circles, doubts = np.empty(room), np.empty((1, 4)), np.empty(0, dtype=np.int64)
    point = np.zeros(POINTS + STRIDE)
    point[COUNT] = 1.0
    ray = asked.points.shape[0] > 0
    records = point if ray else asked.records
    k = -1
    for query in range(begin, end):
        if query // each != k:
            k = query // each
            view = View(
                views.state[k],
                views.bodies[k],
                views.parts[k],
                views.buffer[k],
                views.models[k % views.models.shape[0]],  # of copies that share them the only ones
                views.cells[k],
                views.levels[k],
            )
        at = place_of(asked, query, point)
        mx, my = motions[query, 0], motions[query, 1]
        found, again = first_of_query(
            ground, view, asked, query, records, at, mx, my, sensors, scratch, circles, doubts
        )
        write_hit(asked, query, mx, my, found, again, out_rows, out_distances, out_hits, out_again)
