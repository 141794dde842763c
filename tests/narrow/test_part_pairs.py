"""Which pairs of parts are left out of a cast: none that is hit so early as the first hit so far.

In come journeys of two shapes, each a body of one part, that start apart: of others no cast asks this. What comes out
is judged by `cast`, which is exact.
"""

from __future__ import annotations

from typing import Any

import pytest

import carom as cm
from carom._core.jit import kernel
from carom._core.types import Floats
from carom.narrow.compound.part_pairs import apart_until
from tests.support import scenes

ROWS = [60, pytest.param(3_000, marks=pytest.mark.full)]


@kernel
def are_apart(a: Floats, b: Floats, mx: float, my: float, share: float) -> bool:
    """Ask of two records, as only kernels do."""
    return apart_until(a, 0, b, 0, mx, my, share)


def wrongly_left_out(a: Any, b: Any, path: tuple[float, float]) -> str | None:
    hit = cm.cast(a, b, path)
    if hit is None or hit.fraction == 0.0 or not are_apart(a._record, b._record, *path, hit.fraction):
        return None
    return f"they meet at {hit.fraction}, and are said to be apart until then"


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("family", scenes.JOURNEYS)
def test_no_side_keeps_apart_what_meets(family: str, rows: int) -> None:
    assert not scenes.failures(rows, lambda row: scenes.journey(family, row), wrongly_left_out)


def test_a_side_keeps_apart_what_is_beyond_it() -> None:
    square, disc = cm.Box((0, 0), (2, 2)), cm.Circle((5, 0), 1)
    for share, apart in ((0.29, True), (0.3, False), (1.0, False)):
        assert are_apart(square._record, disc._record, 10.0, 0.0, share) == apart
    assert are_apart(square._record, disc._record, -10.0, 0.0, 1.0)
