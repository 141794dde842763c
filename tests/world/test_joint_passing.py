"""Nothing passes through anything, jointed or not."""

from __future__ import annotations

import pytest

import carom as cm
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


WALLS = [cm.Box((0, 0), (0.2, 50)), cm.Box((0, 0), (2, 50)), cm.Segment((0, -25), (0, 25))]
BODIES = [cm.Circle((0, 0), 0.4), cm.Box((0, 0), (0.8, 0.5), angle=0.3), cm.Segment((-0.3, -0.2), (0.3, 0.2))]


@pytest.mark.parametrize("wall", WALLS)
@pytest.mark.parametrize("shape", BODIES)
@pytest.mark.parametrize("kind", ["pin", "weld", "rod"])
@pytest.mark.parametrize("place", [(8, 0), (3.3, 1), (1.8, -5)])
def test_what_is_set_beyond_a_wall_draws_nothing_through_it(
    kind: str, shape: cm.Shape, wall: cm.Shape, place: tuple[float, float]
) -> None:
    world = cm.World()
    world.add(wall)
    one, other = (world.add(shape.translated((x, 0)), kind="dynamic") for x in (-3, -1.8))
    getattr(world, kind)(one, other, *((one.position, other.position) if kind == "rod" else ((-2.2, 0),)))
    world.step(1 / 60)
    other.position = place
    for _ in range(60):
        world.step(1 / 60)
        assert one.position.x < 0 < other.position.x


@pytest.mark.parametrize("shelf", [cm.Box((0, -3), (6, 0.2)), cm.Segment((-3, -3), (3, -3))])
@pytest.mark.parametrize("shape", BODIES)
@pytest.mark.parametrize("length", [1, 2.5, 2.9])
def test_a_rod_that_is_set_shorter_draws_nothing_through_a_shelf(
    length: float, shape: cm.Shape, shelf: cm.Shape
) -> None:
    world = cm.World(gravity=(0, -10))
    world.add(shelf)
    body = world.add(shape.translated((0, -5)), kind="dynamic")
    rod = world.rod(body, None, body.position, (0, 0))
    rod.length = length
    for _ in range(60):
        world.step(1 / 60)
        assert body.position.y < -3
