"""Levels from files: Tiled and LDtk maps and plain text grids, as merged outlines, one-way edges and triggers."""

from carom.maps.level import Level
from carom.maps.reading import read_map
from carom.maps.text import read_grid

__all__ = ["Level", "read_grid", "read_map"]
