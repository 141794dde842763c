"""What a world answers about its bodies as they are now: rays, casts, regions, points, neighbours."""
