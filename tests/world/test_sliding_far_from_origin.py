"""Bodies slide on down a slanted floor of flush tiles: at any speed, however far from the origin the floor lies.

The tiles are polygons with rounded corners, so that their faces differ by units in the last place. Gravity presses
square to them. The slop that nothing may sink deeper than is that of NUMERICS.md.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

import carom as cm
from tests.support.smooth_world import SmoothWorld

EPSILON = 2.0**-52
DT = 1 / 60
TILES = 16
MOVERS = ["circle", "capsule", "rounded", "box", "overhanging", "on its tip"]

SKIN = 0.0082  # of tiles: bodies come to rest so near


class Ramp:
    """Unit squares in a row along a direction, and the shapes put on them."""

    def __init__(self, far: float, angle: float, tiles: int = TILES) -> None:
        self.origin = cm.Vec(0.8 * far, -0.6 * far)
        self.along = cm.Vec(math.cos(angle), math.sin(angle))
        self.up = self.along.perpendicular
        outline = [(0, -1), (1, -1), (1, 0), (0, 0)]
        self.tiles = cm.Shapes([cm.Polygon([self.at(k + u, w) for u, w in outline]) for k in range(tiles)])
        self.slop = max(2e-13, 16 * EPSILON * (far + tiles))

    def at(self, along: float, up: float) -> cm.Vec:
        return self.origin + self.along * along + self.up * up

    def mover(self, name: str) -> Any:
        """Return a shape that stands on the third tile."""
        if name == "circle":
            return cm.Circle(self.at(2.5, 0.3), 0.3)
        if name == "capsule":
            return cm.Capsule(self.at(2.3, 0.2), self.at(2.7, 0.4), 0.2)
        if name == "rounded":
            return cm.Polygon([self.at(2 + u, w) for u, w in ((0, 0.1), (0.7, 0.1), (0.3, 0.8))], radius=0.1)
        corners = {
            "box": ((0, 0), (0.6, 0), (0.6, 0.6), (0, 0.6)),
            "overhanging": ((0.2, 0), (0.6, 0), (0.9, 0.4), (-0.1, 0.4)),
            "on its tip": ((0.3, 0), (0.6, 0.3), (0, 0.5)),
        }[name]
        return cm.Polygon([self.at(2 + u, w) for u, w in corners])


@pytest.mark.parametrize("far", [0.0, 1e3, 1e5, 1e7])
@pytest.mark.parametrize("name", MOVERS)
def test_bodies_slide_down_flush_tiles_without_a_hit(name: str, far: float) -> None:
    for angle, speed in ((1.1, 0.3), (2.5, 3.0), (-0.7, 40.0)):
        ramp = Ramp(far, angle)
        world = SmoothWorld(gravity=ramp.up * -10.0)
        world.add_many(ramp.tiles)
        body = world.add(ramp.mover(name), kind="dynamic")
        world.step(DT, steps=10)
        start, steps = body.position, min(600, int(11.0 / (speed * DT)))
        body.velocity = ramp.along * speed
        for _ in range(10):
            hits = world.step(DT, steps=steps // 10)
            assert (hits.speed < 0.2).all(), (angle, speed, hits.kind, hits.normal)
            assert -SKIN <= min(cm.separation(body.shape, ramp.tiles)) <= SKIN
        # That the tiles' own slants differ by rounding lets gravity change its speed.
        time = steps // 10 * 10 * DT
        room = 10.0 * time * 16 * EPSILON * (far + TILES) + 0.005
        assert abs(body.velocity.dot(ramp.along) - speed) <= room
        assert abs((body.position - start).dot(ramp.along) - speed * time) <= room * time + SKIN


@pytest.mark.parametrize("far", [0.0, 1e3, 1e5, 1e7])
@pytest.mark.parametrize("name", MOVERS)
def test_a_shape_moved_along_flush_tiles_stays_on_them(name: str, far: float) -> None:
    for angle in (0.3, -2.0, 1.1, 2.5, -0.7, 0.9):
        ramp = Ramp(far, angle, 56)
        for press in (0.0, 1e-9, 1e-3, 1.0):
            for legs in (1, 5, 50):
                shape = ramp.mover(name)
                for _ in range(legs):
                    before, way = shape, 50.0 / legs
                    shape = cm.move(before, ramp.along * way - ramp.up * (press * way), ramp.tiles).shape
                    gone = (shape.position - before.position).dot(ramp.along)
                    assert gone == pytest.approx(way, rel=1e-7)
                    # Without press nothing brings it back from where the slant of one tile has led.
                    apart = min(cm.separation(shape, ramp.tiles))
                    assert -ramp.slop <= apart <= (4 if press else 16) * ramp.slop, (angle, press, legs)


def test_long_paths_are_rounded_once() -> None:
    world = SmoothWorld()
    body = world.add(cm.Circle((1e3, 0.1), 1), kind="dynamic", velocity=(0.003, -0.007))
    way = [Fraction(speed) * Fraction(0.1) for speed in (0.003, -0.007)]
    world.step(0.1, steps=5000)
    for end, start, step in zip(body.position, (1e3, 0.1), way, strict=True):
        assert abs(Fraction(end) - (Fraction(start) + 5000 * step)) <= Fraction(math.ulp(end))


def test_reading_a_body_gives_the_place_it_is_advanced_to() -> None:
    worlds = [SmoothWorld() for _ in range(2)]
    seen = []
    for reads, world in enumerate(worlds):
        body = world.add(cm.Circle((1e3, 0.1), 0.5), kind="dynamic", velocity=(0.3, 0))
        other = world.add(cm.Circle((0, 0), 0.5), kind="dynamic", velocity=(7, 0.01))
        world.add(cm.Box((3.3, 0), (1, 5)))
        for _ in range(9):
            for _ in world.events(0.1):
                if reads:
                    seen.append((body.position, body.shape.position, other.position))
                    body.velocity = (0.3, 0)  # brings it there
                    assert body.position == seen[-1][0] == seen[-1][1]
    assert seen


def test_a_body_that_moved_after_a_spin_keeps_its_pivot() -> None:
    world = SmoothWorld()
    door = world.add(cm.Box((0, 0), (2, 1)), kind="kinematic", spin=1.0)
    world.step(0.5)
    door.spin, door.velocity = 0.0, (4, 0)
    world.step(0.5)
    door.spin, door.velocity = 1.0, (0, 0)
    world.step(0.5)
    assert door.position == pytest.approx((2, 0))


@pytest.mark.parametrize("far", [0.0, 1e3, 1e7])
@pytest.mark.parametrize("shape", ["tip", "blunt tip", "slanted segment"])
def test_a_tip_exactly_on_a_seam_is_not_wedged(shape: str, far: float) -> None:
    """Each tile alone may have it slip off along its own slanted side; between the two there is no room for that."""
    points = {
        "tip": ((0, 0), (0.5, 0.5), (-0.5, 0.5)),
        "blunt tip": ((0, 0), (0.5, 0.1), (0, 0.5), (-0.5, 0.2)),
        "slanted segment": ((0, 0), (0.7, 0.9)),
    }[shape]
    for angle, fall in ((0.0, 0.0), (0.3, 0.0), (-2.0, 0.05), (1.1, 0.2), (2.5, 0.0), (-0.7, 0.2)):
        ramp = Ramp(far, angle)
        world = SmoothWorld(gravity=ramp.up * -100.0)
        world.add_many(ramp.tiles)
        places = [ramp.at(3 + u, w + fall) for u, w in points]
        body = world.add(cm.Polygon(places) if len(points) > 2 else cm.Segment(*places), kind="dynamic")
        start = body.position
        world.step(DT, steps=20)
        assert (body.position - start).dot(ramp.along) == pytest.approx(0.0, abs=1e-6)
        assert (body.position - start).dot(ramp.up) == pytest.approx(-fall, abs=SKIN)
        start, body.velocity = body.position, ramp.along * 2.0
        hits = world.step(DT, steps=60)
        assert (hits.speed < 0.2).all(), (angle, hits.kind, hits.normal)
        assert (body.position - start).dot(ramp.along) == pytest.approx(2.0, abs=1e-3)


@pytest.mark.parametrize("far", [0.0, 1e3, 1e7])
@pytest.mark.parametrize("lean", [0.02, 0.3, math.pi / 2, 2.8])
def test_a_leaning_segment_stands_a_few_slops_beside_a_seam(far: float, lean: float) -> None:
    """There its side is as near to the next tile's corner as its tip is to the seam."""
    for angle, size in ((0.0, 0.5), (-0.7, 2.0), (2.5, 0.1)):
        ramp = Ramp(far, angle, 6)
        slop = max(1e-12 * min(size, 1.0), 16 * EPSILON * far)
        for beside in (-4.8, -1.4, 0.0, 0.8, 1.03, 4.5):
            for fall in (0.0, 0.2):
                foot = 3 + beside * slop
                top = foot + size * math.cos(lean), fall + size * math.sin(lean)
                shape = cm.Segment(ramp.at(foot, fall), ramp.at(*top))
                world = SmoothWorld(gravity=ramp.up * -10.0)
                world.add_many(ramp.tiles)
                body = world.add(shape, kind="dynamic")
                world.step(DT, steps=15)
                assert (body.position - shape.position).dot(ramp.along) == pytest.approx(0.0, abs=1e-6 + ramp.slop)
                assert (body.position - shape.position).dot(ramp.up) == pytest.approx(-fall, abs=SKIN * size)
                for way in (0.4, -0.4):
                    start, body.velocity = body.position, ramp.along * way
                    hits = world.step(DT, steps=3)
                    assert (hits.speed < 0.2).all(), (beside, fall, way, hits.normal)
                    along = (body.position - start).dot(ramp.along)
                    assert along == pytest.approx(3 * DT * way, rel=1e-3, abs=4 * ramp.slop)


@pytest.mark.parametrize("name", MOVERS)
def test_a_body_slightly_inside_gets_out_and_slides(name: str) -> None:
    for depth, speed in ((1e-9, 3.0), (1e-10, 40.0), (1e-11, 0.3), (3e-12, 3.0)):
        ramp = Ramp(0.0, 1.1)
        world = SmoothWorld(gravity=ramp.up * -10.0)
        world.add_many(ramp.tiles)
        body = world.add(ramp.mover(name).translated(ramp.up * -depth), kind="dynamic")
        world.step(DT, steps=10)
        body.velocity = ramp.along * speed
        hits = world.step(DT, steps=int(11.0 / (speed * DT)))
        assert (hits.speed < 0.2).all(), (depth, hits.kind, hits.normal)
        assert abs(body.velocity.dot(ramp.along) - speed) <= 0.005
