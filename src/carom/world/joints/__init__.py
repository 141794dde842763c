"""Joints: what each one measures, how a mechanism of them is solved at once, and where a step uses that."""
