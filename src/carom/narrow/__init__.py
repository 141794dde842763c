"""Narrow phase: whether, where and when two shapes touch; one question for each file."""
