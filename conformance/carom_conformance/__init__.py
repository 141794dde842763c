"""Scenes with exact or closed-form answers, run against any engine of 2D collision through a small adapter.

In: the name of an adapter. Out: for each scene whether the engine's answer is right, wrong and by how much, or whether
the engine crashed, did not end, or does not offer the question. The package imports no engine itself.
"""
