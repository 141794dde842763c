"""Long runs of random mechanisms in mixed piles, in which no step breaks a promise, and a crane that is shaken."""

from __future__ import annotations

import pytest

from tests.support.workshop import Workshop


@pytest.mark.parametrize(("kind", "seed"), [("passive", 0), ("driven", 0), ("wild", 1)])
def test_random_mechanisms_keep_all_promises(kind: str, seed: int) -> None:
    assert Workshop(kind, seed).play()[0] == []


@pytest.mark.full
@pytest.mark.parametrize("kind", ["passive", "driven", "wild"])
@pytest.mark.parametrize("seed", range(2, 60))
def test_hundreds_of_rooms_of_random_mechanisms_keep_all_promises(kind: str, seed: int) -> None:
    assert Workshop(kind, seed).play()[0] == []
