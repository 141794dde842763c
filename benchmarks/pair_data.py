"""Boxes that are easy or hard for a search of all pairs, by name, with about the same number of pairs for each box."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Rng = np.random.Generator
OVERLAPS = 3.0  # others that each box overlaps, about


def boxes(lower: Floats, sizes: Floats) -> Floats:
    return np.ascontiguousarray(np.concatenate((lower, lower + sizes), axis=1))


def side_for(sizes: Floats) -> float:
    """Return the side of the square in which so many boxes of such sizes overlap `OVERLAPS` others each."""
    w, h = sizes.T
    # The chance that two overlap is E[(w1 + w2) (h1 + h2)] over the area.
    return float(np.sqrt(len(sizes) * 2.0 * ((w * h).mean() + w.mean() * h.mean()) / OVERLAPS))


def scattered(sizes: Floats, rng: Rng) -> Floats:
    return boxes(rng.uniform(0.0, side_for(sizes), sizes.shape), sizes)


def even(n: int, rng: Rng) -> Floats:
    return scattered(rng.uniform(0.5, 1.5, (n, 2)), rng)


def spread(decades: float) -> Callable[[int, Rng], Floats]:
    return lambda n, rng: scattered(10.0 ** rng.uniform(0.0, decades, (n, 2)), rng)


def one_spot(n: int, rng: Rng) -> Floats:
    """Half of all boxes stand in a thousandth of the width, at random."""
    found = even(n, rng)
    center = found[0, :2].copy()
    found[: n // 2] = center[[0, 1, 0, 1]] + (found[: n // 2] - center[[0, 1, 0, 1]]) * 1e-3
    return found[rng.permutation(n)]


def giant(n: int, rng: Rng) -> Floats:
    found = even(n, rng)
    found[n // 2] = (-1e7, -1e7, 1e7, 1e7)
    return found


def line(n: int, rng: Rng) -> Floats:
    x = rng.uniform(0.0, n * 2.0 / OVERLAPS, n)
    return boxes(np.stack((x, np.zeros(n)), 1), rng.uniform(0.5, 1.5, (n, 2)))


def diagonal(n: int, rng: Rng) -> Floats:
    return boxes(np.repeat(rng.uniform(0.0, n * 2.0 / OVERLAPS, (n, 1)), 2, 1), rng.uniform(0.5, 1.5, (n, 2)))


def outliers(n: int, rng: Rng) -> Floats:
    found = even(n, rng)
    found[:9] += rng.uniform(-1e9, 1e9, (9, 1))
    return found


def clusters(n: int, rng: Rng) -> Floats:
    """100 spots, each with the same share of the boxes, a million widths apart."""
    home = rng.uniform(0.0, 1e6, (100, 2))[rng.integers(0, 100, n)]
    found = even(n, rng)
    found[:, :2] /= 10.0
    return boxes(home + found[:, :2], rng.uniform(0.5, 1.5, (n, 2)))


def wires(n: int, rng: Rng) -> Floats:
    """Boxes 100 times as long as wide, half of them lying, half standing."""
    lying = rng.random((n, 1)) < 0.5
    return scattered(np.where(lying, (10.0, 0.1), (0.1, 10.0)), rng)


def identical(n: int, rng: Rng) -> Floats:
    """As many stacks of equal boxes as there are boxes in each: the pairs grow faster than the boxes."""
    stacks = max(1, n // 1000)
    return np.repeat(boxes(rng.uniform(0.0, 1e6, (stacks, 2)), np.ones((stacks, 2))), n // stacks, axis=0)


CASES: dict[str, Callable[[int, Rng], Floats]] = {
    "sizes alike": even,
    "sizes spread 1,000 times": spread(3.0),
    "sizes spread over six decades": spread(6.0),
    "half in one spot": one_spot,
    "one giant": giant,
    "all on a line": line,
    "all on a diagonal": diagonal,
    "nine outliers at 1e9": outliers,
    "100 far clusters": clusters,
    "wires 100 times as long as wide": wires,
    "stacks of 1,000 identical boxes": identical,
}
