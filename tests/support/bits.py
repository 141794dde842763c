"""The bits of many answers: python -m tests.support.bits prints one digest for each part of the library.

In: nothing but the kernels at work. Out: lines "part digest". Two installs that print the same lines give the same
answers to the last bit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np

import carom as cm
from carom.cli import install
from carom_breakout import self_test
from tests.support.scenes import FAMILIES, JOURNEYS, journey, pair


def told(answer: Any) -> Iterator[str]:
    """Yield the numbers of an answer, exactly; every float as its hexadecimal digits."""
    if isinstance(answer, np.ndarray):
        yield f"{answer.dtype}{answer.shape}{hashlib.sha256(np.ascontiguousarray(answer).tobytes()).hexdigest()}"
    elif isinstance(answer, float):
        yield answer.hex()
    elif isinstance(answer, (tuple, list)):
        for one in answer:
            yield from told(one)
    else:
        yield repr(answer)


def shapes(count: int) -> cm.Shapes:
    rng = np.random.default_rng(count)
    centers, sizes = rng.uniform(0, 20, (count, 2)), rng.uniform(0.3, 1.5, (count, 2))
    boxes = cm.Shapes.boxes(centers, sizes, rng.uniform(0, 6, count))
    return cm.Shapes([*cm.Shapes.circles(centers + 1.0, sizes[:, 0]), *boxes])


def pairs_one_by_one() -> Iterator[Any]:
    for family in FAMILIES:
        for row in range(12):
            a, b = pair(family, row)
            yield from (cm.intersects(a, b), cm.separation(a, b), cm.closest(a, b), cm.collide(a, b))
    for family in JOURNEYS:
        for row in range(12):
            a, b, motion = journey(family, row)
            yield from (cm.cast(a, b, motion), cm.raycast(cm.bounds(a)[:2], motion, b))
            yield cm.cast(a, b, motion, rotation=0.7) if row < 2 else None


def rows() -> Iterator[Any]:
    a, b = shapes(300), shapes(301)[:600]
    yield from (cm.intersects(a, b), cm.separation(a, b), tuple(cm.closest(a, b)), tuple(cm.collide(a, b)))
    yield from (tuple(cm.cast(a, b, (3.0, 1.0))), tuple(cm.raycast((0.0, 0.0), (20.0, 20.0), a)))


def searches() -> Iterator[Any]:
    many = shapes(200)
    index = cm.Index(many)
    yield from (cm.pairs(many), tuple(cm.contacts(many)), tuple(index.nearest((3.0, 3.0), 7)))
    yield tuple(index.raycast(np.linspace(0, 20, 40).reshape(-1, 2), (5.0, -3.0)))
    concave = cm.decompose([(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)])
    yield from (cm.collide(concave, cm.Box((2, 2), (1, 3), angle=0.2)), cm.separation(concave, cm.Point((2, 3))))
    yield tuple(cm.move(cm.Circle((-3, -3), 0.5), (20, 17), many))


PARTS = {"pairs": pairs_one_by_one, "rows": rows, "searches": searches}

if __name__ == "__main__":
    for name, answers in PARTS.items():
        digest = hashlib.sha256("".join(text for one in answers() for text in told(one)).encode())
        print(name, digest.hexdigest()[:24])
    print("world", install.world_digest())
    print("game", self_test.digest())
