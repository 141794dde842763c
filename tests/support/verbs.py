"""The verbs that answer for two shapes, and row by row for two sets: one tuple for all tests.

In: the public names of Carom. Out: `VERBS`, each with all that it needs, and `NO_VERBS`, the other public functions
with the reason why they are none. `tests/house/test_verbs.py` holds both against `carom.__all__`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import carom as cm


class Verb(NamedTuple):
    """A verb and its positional arguments, each one of shape `a`, shape `b`, `path` and `origin`."""

    function: Callable[..., Any]
    takes: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.function.__name__

    def ask(self, a: Any, b: Any, path: Any = (1.0, 0.5), origin: Any = (0.0, 0.0), **options: Any) -> Any:
        """Return the answer for two shapes or two sets; a cast moves A by the path, a ray goes that way and meets B."""
        given = {"a": a, "b": b, "path": path, "origin": origin}
        return self.function(*(given[name] for name in self.takes), **options)


VERBS = (
    Verb(cm.intersects, ("a", "b")),
    Verb(cm.separation, ("a", "b")),
    Verb(cm.distance, ("a", "b")),
    Verb(cm.closest, ("a", "b")),
    Verb(cm.collide, ("a", "b")),
    Verb(cm.contains, ("a", "b")),
    Verb(cm.cast, ("a", "b", "path")),
    Verb(cm.raycast, ("origin", "path", "b")),
)
STILL_VERBS = tuple(verb for verb in VERBS if verb.takes == ("a", "b"))
PAIR_VERBS = tuple(verb.function for verb in STILL_VERBS if verb.function is not cm.contains)  # which takes points, too

NO_VERBS = {
    "kernel": "compiles a loop",
    "inner": "compiles a part of a loop",
    "uncounted_kernel": "compiles a loop",
    "will_compile": "tells of compiling",
    "source_key": "stands for sources",
    "bounding_circle": "describes one shape",
    "bounds": "describes one shape",
    "smallest_box": "describes one shape",
    "hull": "makes a shape of points",
    "clean": "makes an outline of points",
    "decompose": "makes a shape of an outline",
    "read_grid": "reads a map",
    "read_map": "reads a map",
    "explain": "describes how a pair of single shapes was decided, and has no form for rows",
    "pairs": "searches among the rows of sets",
    "contacts": "searches among the rows of sets",
    "crossings": "gives as many answers for a pair as the ray runs through the shape",
    "approaches": "searches among the ways of sets",
    "free_memory": "tells of the machine",
    "bounds_pairs": "searches among the rows of bounds",
    "pairs_plan": "says how `pairs` would search",
    "move": "moves one shape among many",
    "picture": "draws shapes",
    "playground": "opens a window",
}
