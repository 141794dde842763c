"""Nothing passes through anything, jointed or not."""

from __future__ import annotations

import pytest

from tests.support.thrown import through, thrown


@pytest.mark.parametrize("variant", [0, 1, 2])
def test_no_segment_on_a_joint_is_thrown_through_a_floor_without_width(variant: int) -> None:
    passed, waits = [], 0
    for seed in range(200):
        came, waited = through(thrown(seed, variant), 90)
        passed += [seed] if came else []
        waits += waited
    assert passed == []
    assert waits <= 0.01 * 200 * 90


@pytest.mark.full
@pytest.mark.parametrize("variant", [0, 1, 2])
def test_none_of_thousands_of_segments_on_joints_comes_through(variant: int) -> None:
    assert [seed for seed in range(200, 1400) if through(thrown(seed, variant), 120)[0]] == []
