"""The parts around a place of a world: the obstacles of a motion that is played elsewhere.

In: a world at any instant, and a box. Out: the convex parts of the bodies that block, as a set, with the row of each
and the direction that it blocks from. World frame, user's units.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carom._core.types import Floats, Integers
from carom.broad.queries import point_queries
from carom.narrow.slab import Box4
from carom.shapes.set import Shapes
from carom.shapes.set_rows import Proxies
from carom.world.questions.again import candidates
from carom.world.questions.door import filters_in, passed_rows, world_as_asked
from carom.world.questions.present import records_now
from carom.world.step.pairs.filters import PASS


def solids_around(world: Any, where: str, box: Box4, mask: Any, ignore: Any) -> tuple[Shapes, Integers, Floats]:
    """Return the parts that block near a box, their rows, and the directions they block from, 0 where from all."""
    seen, passed = world_as_asked(world, where, False), passed_rows(world, where, ignore)
    asked = point_queries(np.zeros((1, 2)), *filters_in(world, where, 1, mask, passed, True))
    _, near = candidates(where, seen, asked, np.array([box]), np.zeros((1, 2)), np.ones(1), 1)
    parts, bodies = np.unique(near), world._tables.bodies
    rows = world._tables.parts["body"][parts]
    blocks = bodies["response"][rows] != PASS
    parts, rows = parts[blocks], rows[blocks]
    directions = np.column_stack((bodies["one_way_x"][rows], bodies["one_way_y"][rows]))
    return Shapes._of(Proxies(*records_now(seen.view(), parts))), rows, directions
