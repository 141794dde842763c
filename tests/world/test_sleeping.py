"""Sleep as it is told: worlds and bodies that never sleep, and bodies put to sleep and woken by hand."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import carom as cm

DT = 1 / 60


def pair(**settings: Any) -> tuple[cm.World, list[cm.Body]]:
    """Return a world with two boxes on each other and one apart, at rest on a floor."""
    world = cm.World(gravity=(0, -10), **settings)
    world.add(cm.Box((0, -1), (20, 2)))
    at = ((0, 0.5), (0, 1.5), (5, 0.5))
    return world, [world.add(cm.Box(one, (1, 1)), kind="dynamic") for one in at]


def asleep(bodies: list[cm.Body]) -> list[bool]:
    return [body.asleep for body in bodies]


def test_nothing_sleeps_in_a_world_without_sleep_until_it_is_told() -> None:
    world, boxes = pair(sleep=False)
    world.step(DT, steps=120)
    assert not world.sleep
    assert not any(asleep(boxes))
    world.sleep = True
    world.step(DT, steps=60)
    assert all(asleep(boxes))
    world.sleep = False
    assert not any(asleep(boxes))


def test_one_that_cannot_sleep_keeps_its_island_awake_and_no_other() -> None:
    world, boxes = pair()
    boxes[1].can_sleep = False
    world.step(DT, steps=120)
    assert asleep(boxes) == [False, False, True]
    with pytest.raises(ValueError, match=r"can_sleep is False"):
        boxes[0].sleep()
    assert asleep(boxes) == [False, False, True]
    boxes[1].can_sleep = True
    world.step(DT, steps=60)
    assert all(asleep(boxes))
    made = world.add_many([cm.Box((8, 0.5), (1, 1))], kind="dynamic", can_sleep=False)[0]
    assert not made.can_sleep


def test_sleep_puts_an_island_to_sleep_and_wake_wakes_it() -> None:
    world, boxes = pair()
    world.step(DT)
    boxes[0].sleep()
    assert asleep(boxes) == [True, True, False]
    boxes[1].wake()
    assert not any(asleep(boxes))
    world.step(DT, steps=28)
    boxes[2].wake()  # its time begins anew
    world.step(DT, steps=10)
    assert asleep(boxes) == [True, True, False]


def test_a_body_sleeps_in_mid_air_until_it_is_hit() -> None:
    world = cm.World(gravity=(0, -10))
    hung = world.add(cm.Circle((0, 10), 0.5), kind="dynamic", velocity=(3, 1))
    hung.sleep()
    world.step(DT, steps=60)
    assert (hung.position, hung.velocity, hung.asleep) == ((0, 10), (0, 0), True)
    world.add(cm.Circle((0, 14), 0.5), kind="dynamic")
    hits = world.step(DT, steps=60)
    assert [hit.other is not None for hit in hits] == [True]
    assert not hung.asleep
    assert hung.velocity.y < 0


def test_bodies_put_to_sleep_in_mid_air_are_met_from_all_sides() -> None:
    world = cm.World()
    hung = [world.add(cm.Box((3 * k, 0), (1, 1)), kind="dynamic") for k in range(3)]
    for one in hung:
        one.sleep()
    for k in range(3):
        world.add(cm.Circle((3 * k, 1.6 if k % 2 else -1.6), 0.5), kind="dynamic", velocity=(0, -9 if k % 2 else 9))
    assert len(world.step(0.1)) == 3
    assert not any(asleep(hung))


@pytest.mark.parametrize("kind", ["static", "kinematic"])
def test_only_dynamic_bodies_are_put_to_sleep(kind: Any) -> None:
    world = cm.World()
    with pytest.raises(ValueError, match="only dynamic bodies sleep"):
        world.add(cm.Circle((0, 0), 1), kind=kind).sleep()
    still = cm.World(sleep=False).add(cm.Circle((0, 0), 1), kind="dynamic")
    with pytest.raises(ValueError, match="nothing sleeps"):
        still.sleep()


def test_sleep_is_refused_within_a_step() -> None:
    world = cm.World()
    ball = world.add(cm.Circle((0, 0), 1), kind="dynamic", velocity=(10, 0))
    world.add(cm.Box((3, 0), (1, 1)))
    for _ in world.events(1.0):
        with pytest.raises(RuntimeError, match="between steps"):
            ball.sleep()
    assert not ball.asleep


def test_what_is_told_of_sleep_is_recorded_and_kept() -> None:
    world, boxes = pair()
    with cm.Recording(world) as tape:
        boxes[2].can_sleep = False
        world.step(DT)
        boxes[0].sleep()
        world.step(DT, steps=5)
        boxes[1].wake()
        world.step(DT, steps=5)
        world.sleep = False
        world.step(DT, steps=60)
    assert tape.replay().diverged is None
    for other in (world.copy(), pickle.loads(pickle.dumps(world)), world.copies(1).world(0)):
        assert other.digest() == world.digest()
        assert (other.sleep, other.bodies[3].can_sleep) == (False, False)
    before = world.digest()
    with pytest.raises(TypeError, match=r"World\.sleep: sleep"):
        world.sleep = 1  # type: ignore[assignment]
    with pytest.raises(TypeError, match="can_sleep"):
        boxes[0].can_sleep = "no"  # type: ignore[assignment]
    assert world.digest() == before
