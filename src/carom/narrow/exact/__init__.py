"""Exact answers where floats cannot decide: signs, double-double numbers, integers, and hits that rounding hides."""
