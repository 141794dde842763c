"""Questions to a world about its bodies as they are now: rays, casts, regions, points, neighbours."""
