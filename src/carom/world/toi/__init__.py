"""When and where two bodies meet: times of impact, the normal at corners, and seams between flush bodies."""
