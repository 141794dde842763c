"""The first body that a ray meets among the parts of a world that are laid out in cells.

In: the cells, and a ray that does not come from so far that rounding could lead it past one. Out: the same as the
world's own grid tells, to the last bit. World frame, user's units.
"""

from __future__ import annotations

from carom._core.jit import inner
from carom._core.types import Floats, Integers
from carom.broad.queries import Queries, sees
from carom.broad.tree_grid import FAR, PLACES
from carom.broad.tree_hits import Nearest, enter_grid, next_cell, no_hit, struck
from carom.broad.tree_paths import Mover, Path, is_passed, meet_box
from carom.tolerances import SMALLEST_MOTION
from carom.world.questions.ground import Ground


@inner
def goes_on_ground(ground: Ground, mover: Mover) -> bool:
    """Tell whether a mover is a ray that can go from cell to cell."""
    apart = max(abs(mover.x - ground.grid.x), abs(mover.y - ground.grid.y))
    cells = mover.ray and ground.grid.columns > 0
    return bool(cells and mover.length > SMALLEST_MOTION and apart < FAR * ground.grid.cell)


@inner
def first_on_ground(
    ground: Ground, buffer: Floats, asked: Queries, query: int, mover: Mover, path: Path, doubts: Integers
) -> tuple[Nearest, bool]:
    """Return the first hit of a ray that goes cell by cell, and whether it has to be asked again."""
    grid, nearest, again, mask = ground.grid, no_hit(0), False, asked.masks[query]
    per_x, per_y = path[8], path[9]
    walk = enter_grid(grid, mover, per_x, per_y)
    while walk.column >= 0:
        cell = walk.line * grid.columns + walk.column
        for k in range(grid.first[cell], grid.first[cell + 1]):
            near, far = meet_box(grid.boxes, 4 * k, 1, path)
            part = grid.entries[k] // PLACES
            if not near <= min(far, nearest.fraction, 1.0) or part == nearest.slot:
                continue
            start, row = ground.parts[part, 0], ground.parts[part, 1]
            if not sees(asked, query, mask, ground.parts[part, 2], row):
                continue
            again = again or (near == 0.0 and ground.parts[part, 3] == 1)
            if is_passed(mover, ground.circles, part):
                continue
            nearest = struck(mover, buffer, start, ground.circles, part, part, row, near, doubts, nearest)
            if nearest.slot == -2:
                return nearest, True
        if min(walk.when_x, walk.when_y) > min(nearest.fraction, 1.0):
            break
        walk = next_cell(grid, mover, per_x, per_y, walk)
    return nearest, again or (nearest.slot >= 0 and ground.parts[nearest.slot, 3] == 1)
