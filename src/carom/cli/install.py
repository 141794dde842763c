"""The install: which kernels are at work, and whether they answer right here.

In: nothing. Out: lines of text for `carom check`. The questions of the self-test have answers that are known exactly;
two digests stand for every bit of a world and of a game after some hundred steps.
"""

from __future__ import annotations

import argparse
import importlib
import platform
from collections.abc import Callable, Iterator
from importlib import metadata
from typing import Any

import numpy as np

from carom._core import jit
from carom.broad.index import Index
from carom.broad.pairs import pairs
from carom.character.move import move
from carom.explain.typed import Refusal
from carom.narrow.verbs import cast, closest, collide, contains, distance, intersects, raycast, separation
from carom.shapes.basic import Capsule, Circle, Point, Polygon, Segment
from carom.shapes.box import Box
from carom.shapes.compound import decompose
from carom.shapes.set import Shapes
from carom.world.world import World

WHAT = {
    "prebuilt": "compiled beforehand, in the wheel",
    "jit": "compiled here by Numba at their first calls, and kept",
    "plain": f"plain Python, about a hundred times slower; for others: {jit.prebuilt.to_install('jit')}",
}


def first(answer: Any) -> Any:
    """Return the first field of an answer: a normal, a fraction."""
    return answer[0]


# Each question with the answer that exact arithmetic gives.
KNOWN: tuple[tuple[Callable[[], Any], Any], ...] = (
    (lambda: intersects(Circle((0, 0), 1), Circle((2, 0), 1)), True),
    (lambda: intersects(Circle((0, 0), 1), Circle((2, 0), 1), touching=False), False),
    (lambda: intersects(Segment((0, 0), (3, 1)), Point((3e8, 1e8))), False),
    (lambda: separation(Circle((0, 0), 1), Circle((3, 4), 2)), 2.0),
    (lambda: separation(Box((0, 0), (2, 2)), Box((1.5, 0), (2, 2))), -0.5),
    (lambda: distance(Capsule((0, 0), (0, 4), 1), Point((3, 2))), 2.0),
    (lambda: closest(Point((0, 0)), Segment((-1, 2), (1, 2))).point_b, (0.0, 2.0)),
    (lambda: first(collide(Box((0, 0), (2, 2)), Circle((1.5, 0), 1))), (1.0, 0.0)),
    (lambda: contains(Polygon([(0, 0), (4, 0), (0, 4)]), (2, 2)), True),
    (lambda: first(raycast((-3, 0), (4, 0), Circle((0, 0), 1))), 0.5),
    (lambda: first(cast(Circle((0, 0), 0.5), Box((2.5, 0), (1, 9)), (3, 0))), 0.5),
    (lambda: separation(decompose([(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)]), Point((2, 3))) > 0.0, True),
    (lambda: pairs(Shapes.circles([(0, 0), (1, 0), (9, 0)], 1.0)).tolist(), [[0, 1]]),
    (lambda: Index([Circle((0, 0), 1), Circle((5, 0), 1)]).nearest((4, 0), 1).rows.tolist(), [1]),
    (lambda: move(Circle((0, 0), 1), (5, 0), [Box((4, 0), (2, 9))]).position, (2.0, 0.0)),
)
WORLD_DIGEST = "15494916078034967763"


def world_digest() -> str:
    """Return the digest of a small world after a hundred steps."""
    world = World(gravity=(0, -10))
    world.add(Box((0, -1), (40, 2)))
    shapes = [Circle((0, 0), 0.5), Box((0, 0), (1, 0.75)), Polygon([(0, 0), (1, 0), (0.25, 0.75)])]
    for k in range(12):
        at = (k % 4 - 1.5 + 0.125 * (k // 4), 1.0 + 1.5 * (k // 4))
        world.add(shapes[k % 3].placed(at), kind="dynamic", restitution=0.5, velocity=(0.25 * (k % 5), 0))
    for _ in range(100):
        world.step(1 / 64)
    return str(world.digest())


def faults() -> Iterator[str]:
    """Yield a line for each question of the self-test that is answered wrong."""
    for number, (ask, known) in enumerate(KNOWN):
        found = ask()
        if found != known:
            yield f"question {number}: {found!r} in place of {known!r}"
    game = importlib.import_module("carom_breakout.self_test")
    for name, digest, stored in (("world", world_digest, WORLD_DIGEST), ("game", game.digest, game.DIGEST)):
        found = digest()
        if found != stored:
            yield f"{name}: digest {found} in place of {stored}"


def place_of_kernels() -> str:
    """Return the file or the folder of the kernels at work."""
    if jit.KERNELS == "prebuilt":
        return str(jit.prebuilt.extension.__file__)
    if jit.KERNELS == "jit":
        from carom._core.jit import kernel_cache

        return str(kernel_cache.folder())
    return jit.PACKAGE


def check(options: argparse.Namespace) -> None:
    """Print which kernels are at work and where, and whether they answer as stored."""
    print(f"Carom {metadata.version('carom')}, Python {platform.python_version()}, NumPy {np.__version__}")
    print(f"{platform.system()} {platform.machine()}, {jit.PACKAGE}")
    print(f"kernels: {jit.KERNELS}, {WHAT[jit.KERNELS]}")
    print(f"         {place_of_kernels()}")
    wrong = list(faults())
    if wrong:
        raise Refusal("the self-test failed: " + "; ".join(wrong))
    print(f"self-test: {len(KNOWN)} answers and 2 digests as stored")
