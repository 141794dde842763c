"""Pairs of bodies: their contacts, filters and seams, and which of them the solver gets."""
