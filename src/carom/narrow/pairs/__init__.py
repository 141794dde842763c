"""Closed forms for two shapes of known kinds: discs, boxes along the axes, turned boxes, a point and a polygon."""
