"""Points and lines that meet points and lines: in touch from the start, flush with tiles, tip to tip."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import carom as cm
from carom.world.changes.pending import open_for
from carom.world.step.tables import WITHIN
from tests.support.smooth_world import SmoothWorld

DT = 1 / 60
SKIN = 0.0085  # so near bodies of size 1 come to rest
PLACES = [(0.0, 0.0), (0.3, 0.0), (0.3, 1e5), (-2.0, 0.0), (1.1, 1e3), (math.pi / 2, 1e3), (0.0, 1e7)]


class Frame:
    """A floor line along which u goes, w up from it; turned, and far from the origin."""

    def __init__(self, angle: float, far: float) -> None:
        self.origin, self.along = cm.Vec(0.8 * far, -0.6 * far), cm.Vec(math.cos(angle), math.sin(angle))
        self.up = self.along.perpendicular
        self.near = 1e-9 * (1.0 + far)

    def at(self, u: float, w: float) -> cm.Vec:
        return self.origin + self.way(u, w)

    def way(self, u: float, w: float) -> cm.Vec:
        return self.along * u + self.up * w

    def seen(self, point: cm.Vec) -> tuple[float, float]:
        """Return u and w of a point."""
        return (point - self.origin).dot(self.along), (point - self.origin).dot(self.up)

    def shape(self, name: str, u: float, w: float) -> Any:
        """Return a shape along the line, with its middle at (u, w)."""
        if name == "point":
            return cm.Point(self.at(u, w))
        return cm.Segment(self.at(u - 0.5, w), self.at(u + 0.5, w))


def _rows(world: cm.World, hits: Any) -> list[Any]:
    class Row:
        def __init__(self, k: int) -> None:
            self.kind, self.other = str(hits.kind[k]), world.body(int(hits.other[k]))

    return [Row(k) for k in range(len(hits.kind))]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", ["point", "line"])
def test_a_body_slides_along_its_line(name: str, place: tuple[float, float]) -> None:
    frame = Frame(*place)
    line = cm.Segment(frame.at(0, 0), frame.at(4, 0))
    went = cm.move(frame.shape(name, 2.0, 0.0), frame.way(5.0, 0.0), line)
    assert not went.hits
    assert frame.seen(went.position)[0] == pytest.approx(7.0, abs=frame.near)


def test_a_stopping_body_passes_from_a_tile_onto_a_line() -> None:
    world = SmoothWorld()
    world.add_many(cm.Shapes([cm.Box((-1, -0.5), (2, 1)), cm.Segment((0, 0), (4, 0))]))
    body = world.add(cm.Point((-1, 0)), kind="dynamic", velocity=(3, 0), response="stop")
    assert len(world.step(1.0).kind) == 0
    assert body.position == pytest.approx((2, 0), abs=1e-9)


@pytest.mark.parametrize("far", [0.0, 1e3, 1e7])
def test_points_collide_with_points(far: float) -> None:
    world = SmoothWorld()
    still = world.add(cm.Point((far + 5, 0)), kind="dynamic")
    comes = world.add(cm.Point((far, 0)), kind="dynamic", velocity=(1, 0), restitution=1)
    beside = world.add(cm.Point((far, 1e-6 * (1 + far))), kind="dynamic", velocity=(1, 0))
    hits = world.step(10.0)
    assert hits.time.tolist() == pytest.approx([5.0], abs=1e-12 * (1 + far))
    assert (still.velocity, comes.velocity, beside.velocity) == ((1, 0), (0, 0), (1, 0))


@pytest.mark.parametrize("wall", [False, True])
def test_tips_that_meet_on_a_wall_do_not_pass_each_other(wall: bool) -> None:
    world = SmoothWorld()
    if wall:
        world.add(cm.Box((-7, 0), (2, 16)))
    low = cm.Segment((0.0, 0.0), (-0.23463492395785823, 0.3239543987342819))
    high = cm.Segment((0.0, 0.1884208086973731), (-0.3431111135029451, -0.01718746883728549))
    lower = world.add(
        low.translated((-5.7653650760421415, -5.4687591580857795)),
        kind="dynamic",
        velocity=(0, -25.73479141950568),
    )
    upper = world.add(
        high.translated((-5.656888886497055, -5.1276172905142126)),
        kind="dynamic",
        velocity=(35.463760537573016, -123.66259370924021),
    )
    hits = world.step(1e-6)
    assert hits.kind.tolist() == ["hit"]
    assert hits.time.tolist() == pytest.approx([0.0], abs=1e-12)
    assert abs(cm.separation(lower.shape, upper.shape)) <= 1e-11


ON_A_LINE = [("point", "line"), ("line", "line"), ("line", "peg")]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("pair", ON_A_LINE)
@pytest.mark.parametrize("restitution", [0.0, 1.0])
def test_a_body_put_exactly_on_a_line_lies_on_it(
    restitution: float, pair: tuple[str, str], place: tuple[float, float]
) -> None:
    frame = Frame(*place)
    world = SmoothWorld(gravity=frame.up * -10.0)
    world.add(cm.Point(frame.at(2, 0)) if pair[1] == "peg" else cm.Segment(frame.at(0, 0), frame.at(4, 0)))
    body = world.add(frame.shape(pair[0], 2.0, 0.0), kind="dynamic", restitution=restitution)
    hits = world.step(DT, steps=30)
    assert len(hits.kind) == 0
    u, w = frame.seen(body.position)
    assert (u, w) == (pytest.approx(2.0, abs=frame.near), pytest.approx(0.0, abs=SKIN))
    body.velocity = frame.up * 5.0  # thrown up, it comes down again
    world.step(DT, steps=30)
    assert frame.seen(body.position)[1] == pytest.approx(1.25, abs=SKIN)
    for _ in range(6):
        world.step(DT, steps=20)
        assert frame.seen(body.position)[1] >= -frame.near


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", ["point", "line"])
@pytest.mark.parametrize("speed", [5.0, -5.0])
def test_acceleration_decides_the_side_of_a_body_put_on_a_line(
    speed: float, name: str, place: tuple[float, float]
) -> None:
    frame = Frame(*place)
    world = SmoothWorld(gravity=frame.up * -10.0)
    line = world.add(cm.Segment(frame.at(0, 0), frame.at(4, 0)))
    body = world.add(frame.shape(name, 2.0, 0.0), kind="dynamic", restitution=1, velocity=frame.up * speed)
    hits = world.step(DT, steps=30)
    assert [(hit.kind, hit.other) for hit in _rows(world, hits)] == ([] if speed > 0.0 else [("hit", line)])
    assert frame.seen(body.position)[1] == pytest.approx(1.25, abs=SKIN)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", ["point", "line"])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_without_acceleration_velocity_decides_the_side_of_a_line(
    side: float, name: str, place: tuple[float, float]
) -> None:
    """From then on that is where it is, in a world as in moves one by one."""
    frame = Frame(*place)
    line = cm.Segment(frame.at(0, 0), frame.at(4, 0))
    world = SmoothWorld()
    world.add(line)
    body = world.add(frame.shape(name, 2.0, 0.0), kind="dynamic", velocity=frame.way(1.0, -side))
    assert world.step(0.5).kind.tolist() == ["hit"]
    shape = frame.shape(name, 2.0, 0.0)
    went = cm.move(shape, frame.way(0.5, -0.5 * side), line)
    assert [hit.fraction for hit in went.hits] == [0.0]
    for position in (body.position, went.position):
        assert frame.seen(position) == (pytest.approx(2.5, abs=frame.near), pytest.approx(0.0, abs=frame.near))
    for way in (-1.0, 1.0):
        body.velocity = frame.way(0.0, way * side)
        world.step(1.0)
        went = cm.move(went.shape, frame.way(0.0, way * side), line)
        for position in (body.position, went.position):
            assert frame.seen(position)[1] == pytest.approx(max(way, 0.0) * side, abs=frame.near)


@pytest.mark.parametrize(("length", "seed"), [(0.0, 0), (0.0, 2), (0.4, 0)])
def test_what_has_no_width_and_is_poured_over_spinning_stars_stays_out_of_their_notches(
    length: float, seed: int
) -> None:
    """At no end of a step is a Point or a Segment behind an edge by more than a pair may be."""
    rng = np.random.default_rng(seed)
    world = cm.World(gravity=(0, -10))
    for start, end in [((-4, 0), (4, 0)), ((-4, 0), (-4, 400)), ((4, 0), (4, 400))]:
        world.add(cm.Segment(start, end))
    angles = np.arange(10) * np.pi / 5
    radii = np.where(np.arange(10) % 2 == 0, 1.0, 0.4)
    star = cm.decompose(np.column_stack([radii * np.cos(angles), radii * np.sin(angles)]))
    for k in range(16):
        place, velocity = (2.2 * (k % 3 - 1), 1.5 + 2.2 * (k // 3)), rng.uniform(-3, 3, 2)
        world.add(star.translated(place), kind="dynamic", velocity=velocity, spin=rng.uniform(-12, 12))
    for _ in range(50):
        x, y = rng.uniform(-3.9, 3.5), rng.uniform(14.7, 20.7)
        thin = cm.Segment((x, y), (x + length, y)) if length > 0.0 else cm.Point((x, y))
        world.add(thin, kind="dynamic", velocity=rng.uniform(-3, 3, 2))
    deepest = 0.0
    for _ in range(150):
        world.step(DT)
        overlaps = world.overlaps()
        deepest = max(deepest, *overlaps.depth[overlaps.other >= 3 + 16], 0.0)
    assert deepest <= 0.0024 * 0.2221  # half the least width of a star's arm


@pytest.mark.parametrize("speed", [60.0, 600.0])
def test_a_piston_without_width_never_comes_past_what_goes_back_before_it(speed: float) -> None:
    """A ball that had no way out was put back to where the piston had already passed."""
    for seed in range(12):
        rng, world = np.random.default_rng(seed), cm.World(gravity=(0, -10))
        for wall in ((0, -0.5, 12, 1), (0, 2.5, 12, 1), (-5.5, 1, 1, 4), (5.5, 1, 1, 4)):
            world.add(cm.Box(wall[:2], wall[2:]))
        piston = world.add(cm.Segment((-4.5, -0.4), (-4.5, 2.4)), kind="kinematic", velocity=(speed, 0))
        balls = [
            world.add(cm.Circle((x, rng.uniform(0.4, 1.6)), rng.uniform(0.1, 0.25)), kind="dynamic")
            for x in np.linspace(-3, 4.2, 8)
        ]
        for _ in range(20):
            world.step(1 / 60)
            assert all(ball.position.x > piston.position.x for ball in balls)


def test_a_segment_whose_way_leads_into_a_wall_beside_its_velocity_stays_outside() -> None:
    """A push that opens ways in a flying pile may lead a body beside its velocity, into a wall that it slides along."""
    world = cm.World()
    wall = world.add(cm.Box((0, -1), (20, 2)))
    body = world.add(cm.Segment((-1, 1e-4), (1, 1e-4)), kind="dynamic", velocity=(0, 1e-6))
    world.step(1e-3)
    open_for(world._store, 0.1)
    w = world._store.tables
    w.state["phase"], w.state["queue"], w.queue[0], w.courses["queued"][1] = WITHIN, 1, 1, 1
    w.state["now"], w.bodies["own_time"][1], w.courses["since"][1] = 0.0, 0.0, 0.0
    w.bodies["way_y"][1], w.bodies["solved"][1], w.bodies["horizon"][1], w.parts["low_y"][1] = -1.0, 1, 0.1, -1.0
    world.resume()
    assert cm.separation(body.shape, wall.shape) > 0.0
    assert body.velocity == (0, 1e-6)
