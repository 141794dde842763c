"""The solvers of islands: rows in, velocities and ways out."""
