"""Discs that move evenly: numbers against exact polynomials in time, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import carom as cm
from carom.narrow.approach import approaches as module
from carom.narrow.approach.exact import exact_approach
from tests.support.motions import drawn, near, of_polynomials


def approaches(pieces: Any, a: Any, b: Any, within: float) -> cm.Approaches:
    return cm.approaches(pieces, np.stack((a, b), axis=1), within=within)


@pytest.mark.parametrize("family", ["whole", "any", "far", "convoy", "formation", "tiny", "huge"])
def test_numbers_are_those_of_exact_polynomials(family: str) -> None:
    rng = np.random.default_rng(7)
    pieces = drawn(family, rng)
    a, b = rng.integers(0, len(pieces), (2, 700))
    unit = {"tiny": 1e-140, "huge": 1e140}.get(family, 1.0)
    for within in (0.0, 2.0 * unit, 7.5 * unit):
        found = approaches(pieces, a, b, within)
        for k in range(len(a)):
            wanted = of_polynomials(pieces[a[k]].tolist(), pieces[b[k]].tolist(), within)
            assert found.meets[k] == (wanted is not None)
            if wanted is not None:
                told = found.first[k], found.separation[k], found.closest[k]
                assert all(map(near, told, wanted)), (told, wanted)
        turned = approaches(pieces, b, a, within)
        assert all((one == other).all() for one, other in zip(found, turned, strict=True))


def at_rest(family: str, rng: np.random.Generator, count: int = 150) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return pieces of things that hardly move relative to each other; the words of the family say how."""
    words = family.split()
    pieces = np.zeros((count, 7))
    pieces[:, 0] = rng.uniform(0, 8, count) if "any times" in family else rng.integers(0, 8, count)
    pieces[:, 3] = pieces[:, 0] + (rng.uniform(0.1, 6, count) if "any times" in family else rng.integers(0, 6, count))
    speed = {"moving": (3.1, 2.7), "even": (3.0, 3.0)}.get(words[0], (0.0, 0.0))
    places = rng.integers(0, 4, (count, 2)) if "berths" in words else rng.uniform(0, 3, (count, 2))
    places = places * (0.0 if "one" in words else 1.0) + (1e6 if "far" in words else 0.0)
    pieces[:, 1:3], pieces[:, 4:6] = (places + pieces[:, k : k + 1] * speed for k in (0, 3))
    if "noise" in words:
        pieces[:, 4:6] += rng.normal(size=(count, 2)) * 1e-10
    instant = pieces[:, 0] == pieces[:, 3]
    pieces[instant, 4:6] = pieces[instant, 1:3]
    pieces[:, 6] = 0.5 * rng.integers(0, 3, count) if "discs" in words else 0.0
    return pieces


AT_REST = [
    *("still one", "still berths", "still berths discs", "still far berths discs any times", "moving places"),
    *(
        "moving places discs",
        "moving places noise",
        "moving places discs any times",
        "moving one",
        "even one any times",
    ),
    *("even berths discs", "moving far berths discs", "still one noise", "moving berths noise discs"),
]


@pytest.mark.parametrize("family", AT_REST)
def test_things_at_rest_to_each_other_are_told_without_fractions(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers are those of exact polynomials; rational arithmetic, which takes a hundred times longer, is for few."""
    rng, slow = np.random.default_rng(8), []
    monkeypatch.setattr(module, "exact_approach", lambda *given: slow.append(1) or exact_approach(*given))
    pieces = at_rest(family, rng)
    a, b = rng.integers(0, len(pieces), (2, 600))
    for within in (1.0, 1.5):
        found = approaches(pieces, a, b, within)
        for k in range(len(a)):
            wanted = of_polynomials(pieces[a[k]].tolist(), pieces[b[k]].tolist(), within)
            assert found.meets[k] == (wanted is not None)
            if wanted is not None:
                told = found.first[k], found.separation[k], found.closest[k]
                assert all(map(near, told, wanted)), (told, wanted)
    assert found.meets.any()
    assert len(slow) <= 36


@pytest.mark.parametrize("scale", [2.0**-300, 1.0, 3.0, 2.0**300])
def test_a_distance_that_is_just_reached_counts(scale: float) -> None:
    # The first passes 5 below the second and 4 below the third, which is a disc of radius 1, at t = 3.
    pieces = np.array([[0, -3, 0, 6, 3, 0, 0], [0, 0, 5, 6, 0, 5, 0], [0, 0, 4, 7, 0, 4, 1]], dtype=float)
    pieces[:, [1, 2, 4, 5, 6]] *= scale
    a, b = np.array([0, 0]), np.array([1, 2])
    reach = np.array([5.0, 3.0]) * scale
    for k in range(2):
        there = approaches(pieces, a[k : k + 1], b[k : k + 1], reach[k])
        assert there.meets[0]
        assert (there.first[0], there.separation[0], there.closest[0]) == (3.0, reach[k], 3.0)
        assert not approaches(pieces, a[k : k + 1], b[k : k + 1], np.nextafter(reach[k], 0.0)).meets[0]


PIECES = [(0, 0, 0, 9, 9, 0, 0.5), (0, 5, -5, 9, 5, 5, 0.5)]


@pytest.mark.parametrize(
    ("pieces", "pairs", "within", "text"),
    [
        ([(1, 0, 0, 0, 9, 0, 0.5)], [(0, 0)], 0.0, r"pieces\[0\]\[3\] = 0.0 must not be below t0"),
        ([(0, 0, 0, 1, 9, 0, -0.5)], [(0, 0)], 0.0, r"pieces\[0\]\[6\] = -0.5 must not be negative"),
        (PIECES, [(0, 2)], 0.0, r"pairs\[0\] = \(0, 2\) must name rows 0 to 1"),
        (PIECES, [(0, -1)], 0.0, r"pairs\[0\] = \(0, -1\) must name rows"),
        (PIECES, [0, 1], 0.0, r"pairs has shape \(2,\); it must be \(m, 2\)"),
        (PIECES, [(0, 1)], -1.0, "within = -1.0 must not be negative"),
    ],
)
def test_what_is_no_motion_or_no_pair_is_refused(pieces: Any, pairs: Any, within: float, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        cm.approaches(pieces, pairs, within=within)


def test_no_pairs_have_no_approaches() -> None:
    assert [len(column) for column in cm.approaches(PIECES, [])] == [0, 0, 0, 0]
    assert [len(column) for column in cm.approaches([], np.zeros((0, 2), int))] == [0, 0, 0, 0]
