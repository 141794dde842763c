"""Tables of shapes that are larger than memory: joins on Dask, and their pieces under any engine."""

from carom._core.missing import need

need("carom.tables", "dask", "pandas", "pyarrow", "shapely", extra="tables")

from carom.tables.answer_folder import Joined
from carom.tables.bad_rows import BadRow
from carom.tables.encounters import encounters
from carom.tables.joins import frames, join, plan
from carom.tables.nearest import nearest
from carom.tables.plans import JoinPlan
from carom.tables.tile_join import join_tile
from carom.tables.tiles import assign_tiles

__all__ = [
    "BadRow",
    "JoinPlan",
    "Joined",
    "assign_tiles",
    "encounters",
    "frames",
    "join",
    "join_tile",
    "nearest",
    "plan",
]
