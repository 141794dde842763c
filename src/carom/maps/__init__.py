"""Levels from files: Tiled and LDtk maps and plain text grids, as merged outlines, one-way edges and triggers."""
