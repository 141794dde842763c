"""A body of several parts that touch, or overlap, is told once, and not for each of the parts that meet something."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import carom as cm

SIDE = 3.0
OUTLINE = [(-SIDE, -2), (SIDE, -2), (SIDE, 0), (1, 0), (1, 1), (-1, 1), (-1, 0), (-SIDE, 0)]

# One region, 6 wide with a step in its middle, in pieces of several kinds; but for the outline a seam lies at x = 0.
GROUNDS: dict[str, Callable[[], cm.Shape]] = {
    "tiles side by side": lambda: cm.Compound.from_parts(
        [cm.Box((x + 0.5, -1), (1, 2)) for x in range(-3, 3)] + [cm.Box((x, 0.5), (1, 1)) for x in (-0.5, 0.5)]
    ),
    "parts that overlap": lambda: cm.Compound.from_parts(
        [
            cm.Box((-1.25, -1), (3.5, 2)),
            cm.Box((1.25, -1), (3.5, 2)),
            cm.Box((0, 0), (2, 2)),
            cm.Box((0, 0.25), (2, 1.5)),
        ]
    ),
    "an outline in parts": lambda: cm.decompose(OUTLINE),
    "a line of segments": lambda: cm.Compound.polyline([(-3, 0), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (3, 0)]),
}


@pytest.fixture(params=GROUNDS)
def ground(request: pytest.FixtureRequest) -> Any:
    return GROUNDS[request.param]()


def test_a_ball_that_falls_on_a_seam_hits_once(ground: Any) -> None:
    world = cm.World(gravity=(0, -10))
    body = world.add(ground)
    ball = world.add(cm.Circle((0, 3), 0.5), kind="dynamic", restitution=0.5)
    hits = world.step(1 / 60, steps=45)
    first = hits.time == hits.time.min()
    assert [(hit.body, hit.other) for hit, one in zip(hits, first, strict=True) if one] == [(ball, body)]


def test_what_rests_on_seams_is_pressed_once(ground: Any) -> None:
    world = cm.World(gravity=(0, -10))
    body = world.add(ground)
    crate = world.add(cm.Box((0, 1.25), (1.5, 0.5)), kind="dynamic")
    world.step(1 / 60, steps=30)
    found = world.contacts()  # a row for each pair of convex parts
    assert set(zip(found.body.tolist(), found.other.tolist(), strict=True)) == {(body.row, crate.row)}
    assert found.given.sum(axis=0) == pytest.approx((0, 10 / 60), abs=1e-12)
    assert found.impulses.sum() == pytest.approx(10 / 60)
    assert [under for under, _ in crate.resting_on] == [body]


def test_questions_name_the_body_once(ground: Any) -> None:
    world = cm.World()
    body = world.add(ground)
    everywhere = cm.Box((0, 0), (8, 6))
    assert list(world.query(everywhere)) == [body]
    assert list(world.query(everywhere.translated((9, 0)), within=5)) == [body]
    assert [hit.body for hit in world.raycast((0, 5), (0, -9), all=True)] == [body]
    assert [hit.body for hit in world.raycast((-5, 0.5), (10, 0), all=True)] == [body]
    assert world.nearest((0, 4), k=3).rows.tolist() == [body.row, -1, -1]
    assert list(world.contains((0, 1))) == [body]


def test_an_overlap_is_told_once(ground: Any) -> None:
    world = cm.World(overlaps="report")
    body = world.add(ground)
    inside = world.add(cm.Box((0, 0.2), (4, 1.9)), kind="dynamic")
    found = world.overlaps()
    assert list(zip(found.body.tolist(), found.other.tolist(), strict=True)) == [(body.row, inside.row)]
    hits = world.step(1 / 60)
    assert [hit.kind for hit in hits].count("overlap") == 1


@pytest.mark.parametrize("name", [name for name in GROUNDS if name != "a line of segments"])  # which has no inside
def test_a_sensor_of_parts_is_entered_and_left_once(name: str) -> None:
    world = cm.World()
    sensor = world.add(GROUNDS[name](), sensor=True)
    ball = world.add(cm.Circle((-6, 0.1), 0.5), kind="dynamic", velocity=(5, 0), friction=0)
    hits = world.step(1 / 60, steps=150)
    assert [(hit.kind, hit.body, hit.other) for hit in hits] == [("enter", ball, sensor), ("exit", ball, sensor)]


def test_a_visitor_of_parts_enters_and_leaves_once(ground: Any) -> None:
    world = cm.World()
    sensor = world.add(cm.Box((0, 0), (0.5, 8)), sensor=True)
    body = world.add(ground.translated((-8, 0)), kind="kinematic", velocity=(6, 0))
    hits = world.step(1 / 60, steps=180)
    assert [(hit.kind, hit.body, hit.other) for hit in hits] == [("enter", body, sensor), ("exit", body, sensor)]


def test_an_index_and_pairs_name_the_thing_once(ground: Any) -> None:
    things = cm.Index([cm.Circle((50, 50), 1), ground])
    asked = cm.Box((0, 0.5), (7, 1.2))
    assert things.query(asked, owners=True).tolist() == [1]
    assert things.nearest((0, 4), k=2, owners=True).rows.tolist() == [1, 0]
    assert cm.pairs([asked, ground], owners=True).tolist() == [[0, 1]]
    assert np.array_equal(cm.contacts([asked, ground], owners=True).pairs, [[0, 1]])


def test_tiles_of_a_map_that_are_merged_are_hit_once() -> None:
    level = cm.read_grid("......\n......\n######", y_up=True)
    world = cm.World(gravity=(0, -10))
    rows = [world.add(solid) for solid in level.solids]
    ball = world.add(cm.Circle((3, 2.5), 0.5), kind="dynamic")
    hits = world.step(1 / 60, steps=60)
    assert [(hit.body, hit.other) for hit in hits if hit.time == hits[0].time] == [(ball, rows[0])]
    assert len({hit.other.row for hit in hits}) == 1
