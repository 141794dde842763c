"""How many convex parts there are, against the fewest possible without added points, found by dynamic programming.

Coordinates are whole numbers below 2**20, so that every turn is exact.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import carom as cm
from carom._core.jit import is_compiled, kernel

MANY = 10**6
LARGEST = 40 if is_compiled() else 12


@kernel
def turn(points, a, b, c):
    """Return twice the area of a triangle, positive if it is counter-clockwise."""
    ux, uy = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1]
    return ux * (points[c, 1] - points[a, 1]) - uy * (points[c, 0] - points[a, 0])


@kernel
def goes_inside(points, v, w):
    """Tell whether the way from corner v to corner w begins inside."""
    n = points.shape[0]
    before, after = (v + n - 1) % n, (v + 1) % n
    if turn(points, before, v, after) > 0:
        return turn(points, v, after, w) > 0 and turn(points, v, w, before) > 0
    return turn(points, v, before, w) < 0 or turn(points, v, w, after) < 0


@kernel
def are_joined(points, i, j):
    """Tell whether corners i < j are the ends of an edge, or see one another inside."""
    n = points.shape[0]
    if j == i + 1 or (i == 0 and j == n - 1):
        return True
    if not (goes_inside(points, i, j) and goes_inside(points, j, i)):
        return False
    for k in range(n):
        m = (k + 1) % n
        if k == i or k == j or m == i or m == j:
            continue
        one, other = turn(points, i, j, k), turn(points, i, j, m)
        first, second = turn(points, k, m, i), turn(points, k, m, j)
        if not ((one > 0 and other > 0) or (one < 0 and other < 0)) and not (
            (first > 0 and second > 0) or (first < 0 and second < 0)
        ):
            return False
    return True


@kernel
def fewest_parts(points):
    """Return the least number of convex parts of a counter-clockwise outline, with diagonals alone.

    fewest[i, j] is that of the corners i to j, cut off by their diagonal. The part beside it is a chain of corners from
    i to j that turns left everywhere; chain[a, b] is the least cost of one that has come over a to b.
    """
    n = points.shape[0]
    joined = np.zeros((n, n), dtype=np.bool_)
    fewest, chain = np.full((n, n), MANY), np.full((n, n), MANY)
    for i in range(n):
        for j in range(i + 1, n):
            joined[i, j] = are_joined(points, i, j)
    for i in range(n - 1):
        fewest[i, i + 1] = 0
    for length in range(2, n):
        for i in range(n - length):
            j, best = i + length, MANY
            if not joined[i, j]:
                continue
            for v in range(i + 1, j):
                if not joined[i, v] or fewest[i, v] >= best or turn(points, j, i, v) < 0:
                    continue
                chain[i : j + 1, i : j + 1] = MANY
                chain[i, v] = fewest[i, v]
                for b in range(v, j):
                    for a in range(i, b):
                        if chain[a, b] >= best:
                            continue
                        for c in range(b + 1, j + 1):
                            if not joined[b, c] or turn(points, a, b, c) < 0:
                                continue
                            cost = chain[a, b] + fewest[b, c]
                            if c < j:
                                chain[b, c] = min(chain[b, c], cost)
                            elif turn(points, b, j, i) >= 0:
                                best = min(best, cost)
            fewest[i, j] = best + 1
    return fewest[0, n - 1]


def star(n, rng):
    """Corners at random distances round a point."""
    angles, sizes = np.sort(rng.uniform(0, 2 * math.pi, n)), rng.uniform(200, 1000, n)
    return np.stack((sizes * np.cos(angles), sizes * np.sin(angles)), axis=1).round()


def walk(n, rng):
    """A way through random points, untangled: of two edges that cross, the part between them is turned round."""
    points = rng.integers(-1000, 1000, (n, 2)).astype(np.float64)
    tangled = True
    while tangled:
        tangled = False
        for i in range(n - 2):
            for j in range(i + 2, n - (i == 0)):
                four = np.array([points[i], points[i + 1], points[j], points[(j + 1) % n]])
                one = turn(four, 0, 1, 2) * turn(four, 0, 1, 3)
                if one < 0 and turn(four, 2, 3, 0) * turn(four, 2, 3, 1) < 0:
                    points[i + 1 : j + 1] = points[i + 1 : j + 1][::-1].copy()
                    tangled = True
    return points


def test_the_fewest_parts_of_known_outlines():
    square = [(0, 0), (4, 0), (4, 4), (0, 4)]
    arrow = [(0, 0), (4, -2), (3, 0), (4, 2)]
    cross = [(1, 0), (2, 0), (2, 1), (3, 1), (3, 2), (2, 2), (2, 3), (1, 3), (1, 2), (0, 2), (0, 1), (1, 1)]
    assert [fewest_parts(np.array(one, dtype=np.float64)) for one in (square, arrow, cross)] == [1, 2, 3]


@pytest.mark.parametrize("make", [star, walk])
@pytest.mark.parametrize("seed", range(15))
def test_there_are_at_most_half_as_many_parts_again_as_are_needed(make, seed):
    rng, seen = np.random.default_rng(seed), 0
    for _ in range(20 if is_compiled() else 2):
        points = make(int(rng.integers(5, LARGEST + 1)), rng)
        if (points[:, 0] * np.roll(points[:, 1], -1) - points[:, 1] * np.roll(points[:, 0], -1)).sum() < 0:
            points = points[::-1].copy()
        try:
            parts = len(cm.decompose(points).parts)
        except ValueError:  # two corners in one place, or a corner on an edge
            continue
        needed = fewest_parts(points)
        assert needed <= parts <= 1.5 * needed
        seen += 1
    assert seen > 0
