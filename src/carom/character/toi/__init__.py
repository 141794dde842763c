"""When and where a mover meets an obstacle: times of impact, the normal at corners, seams of flush ones."""
