"""Single bodies whose motion has a closed form: at the apex of a slope, through one-way platforms, in a long step."""

from __future__ import annotations

import math
from random import Random

import pytest

import carom as cm

STEP = 1 / 60


@pytest.mark.parametrize("speed", [0.1, 1.0])
@pytest.mark.parametrize("radius", [0.05, 0.5])
@pytest.mark.parametrize("angle", [0.3, 1.0, 2.0, 8.0])
def test_a_ball_rolls_up_a_slope_and_back_however_slowly_it_turns(angle: float, radius: float, speed: float) -> None:
    """It stands still at its apex for an instant, where it fell asleep."""
    slope = math.radians(angle)
    along, out = (math.cos(slope), math.sin(slope)), (-math.sin(slope), math.cos(slope))
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((-out[0], -out[1]), (4000, 2), angle=slope))
    place, velocity = (radius * out[0], radius * out[1]), (speed * along[0], speed * along[1])
    ball = world.add(cm.Circle(place, radius), kind="dynamic", velocity=velocity, spin=-speed / radius)
    pull = 10 * math.sin(slope) * 2 / 3
    steps = round(2.6 * speed / pull / STEP)
    world.step(STEP, steps=steps)
    time = steps * STEP
    gone = (ball.position.x - place[0]) * along[0] + (ball.position.y - place[1]) * along[1]
    assert not ball.asleep
    # A step ends with the velocity of its way.
    assert gone == pytest.approx(speed * time - pull * time * (time + STEP) / 2, rel=1e-4, abs=1e-3)


def test_a_ball_that_has_come_to_rest_on_a_flat_floor_sleeps() -> None:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (20, 2)))
    ball = world.add(cm.Circle((0, 1), 0.5), kind="dynamic", restitution=0.5)
    world.step(STEP, steps=240)
    assert ball.asleep


@pytest.mark.parametrize("shape", ["ball", "box", "bar"])
@pytest.mark.parametrize("seed", range(5))
def test_what_rises_through_one_way_platforms_keeps_its_path(seed: int, shape: str) -> None:
    rng, world = Random(seed), cm.World(gravity=(0, -10))
    for y in range(1, 17):
        world.add(cm.Box((0, y), (100, rng.uniform(0.02, 0.3))), one_way=(0, 1))
    shapes = {"ball": cm.Circle((0, 0), 0.4), "box": cm.Box((0, 0), (0.6, 0.3)), "bar": cm.Segment((-0.3, 0), (0.3, 0))}
    x, y, spin = rng.uniform(-3, 3), rng.uniform(14, 19), rng.uniform(-5, 5)
    body = world.add(shapes[shape], kind="dynamic", velocity=(x, y), spin=spin)
    steps = int(0.95 * y / 10 / STEP)
    hits = world.step(STEP, steps=steps)
    assert len(hits) == 0
    assert tuple(body.velocity) == pytest.approx((x, y - 10 * steps * STEP), abs=1e-12)
    assert body.spin == spin
    time = steps * STEP
    assert tuple(body.position) == pytest.approx((x * time, y * time - 5 * time * time), abs=1e-11)


@pytest.mark.parametrize("restitution", [1.0, 0.9])
@pytest.mark.parametrize("long", [0.05, 0.1, 0.2])
@pytest.mark.parametrize("before", range(1, 18, 4))
def test_one_long_step_among_short_ones_takes_no_height(before: int, long: float, restitution: float) -> None:
    def ball_after(steps: list[float]) -> float:
        world = cm.World(gravity=(0, -10))
        world.add(cm.Box((0, -0.5), (30, 1)))
        ball = world.add(cm.Circle((0, 0.75), 0.5), kind="dynamic", restitution=restitution, friction=0)
        for step in steps:
            world.step(step)
        return float(ball.velocity.y**2 / 2 + 10 * (ball.position.y - 0.5))

    short = [STEP] * before
    time = round(long / STEP)
    found = ball_after([*short, long, *[STEP] * 30])
    assert found == pytest.approx(ball_after([*short, *[STEP] * (time + 30)]), rel=0.02)
    assert restitution < 1 or found == pytest.approx(2.5, rel=0.01)
