"""Loops over many rows of shapes, for one answer each: the same functions as for one pair."""
