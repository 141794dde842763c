"""Shapes of several convex parts: the verbs of two shapes where one of them is a Compound."""
