"""The thirteen flaws of a plain Breakout, each as a small scene played under both physics."""
