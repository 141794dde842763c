"""Copies of one world that are stepped together: their tables, stacked, and the `Worlds` that users hold."""
