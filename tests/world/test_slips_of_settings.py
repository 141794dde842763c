"""Settings that cannot be meant: a mask of a layer that nothing is on, a belt that is a sensor, limits in degrees."""

from __future__ import annotations

import math
import warnings
from typing import Any

import pytest

import carom as cm


def floor_and_box(**settings: Any) -> tuple[cm.World, cm.Body]:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (20, 2)), layer="ground")
    return world, world.add(cm.Box((0, 1), (1, 1)), kind="dynamic", **settings)


def test_a_mask_of_a_layer_that_nothing_was_ever_on_warns_once() -> None:
    world, box = floor_and_box(mask="grond")
    with pytest.warns(UserWarning, match=r"World.step: nothing has ever been on layer 'grond'.*did you mean ground\?"):
        world.step(1 / 60)
    world.step(1 / 60, steps=5)
    box.mask = "goal"
    with pytest.warns(UserWarning, match="World.events: nothing has ever been on layer 'goal'"):
        list(world.events(1 / 60))


def test_a_rule_of_a_layer_whose_bodies_come_later_does_not_warn() -> None:
    world, _ = floor_and_box()
    world.rule("ground", "ghost", "pass")
    hits = world.step(1 / 60)
    assert len(hits) == 0


def test_a_mask_of_a_layer_that_a_body_is_or_was_on_does_not_warn() -> None:
    world, box = floor_and_box(mask=("ground", "coin"))
    world.add(cm.Circle((9, 9), 1), layer="coin").layer = "default"
    world.step(1 / 60)
    box.mask = ("ground", "default")
    world.step(1 / 60)
    twin = world.copy()
    twin.step(1 / 60)
    assert twin.steps == world.steps + 1


def test_a_world_whose_layers_are_bits_does_not_warn() -> None:
    world = cm.World()
    world.add(cm.Circle((0, 0), 1), kind="dynamic", layer=1, mask=8)
    world.step(1 / 60)
    assert world.bodies[0].mask == 8


def test_a_sensor_carries_nothing() -> None:
    world = cm.World()
    box = cm.Box((0, 0), (9, 1))
    with pytest.raises(ValueError, match=r"World.add: surface_velocity = \(3, 0\).*sensor"):
        world.add(box, sensor=True, surface_velocity=(3, 0))
    sensor, belt = world.add(box, sensor=True, surface_velocity=(0, 0)), world.add(box, surface_velocity=(3, 0))
    with pytest.raises(ValueError, match=r"surface_velocity = .*nothing touches a sensor"):
        sensor.surface_velocity = (0, 1)
    with pytest.raises(ValueError, match="sensor = True is not for bodies with a surface_velocity"):
        belt.sensor = True
    belt.surface_velocity = (0, 0)
    belt.sensor = True
    assert belt.sensor
    assert sensor.surface_velocity == (0, 0)


@pytest.mark.parametrize("limits", [(-45, 45), (0, 90), (-180, 180), (-30.0, 360.0)])
def test_limits_like_degrees_ask_what_was_meant(limits: tuple[float, float]) -> None:
    world, box = floor_and_box()
    with pytest.warns(UserWarning, match="World.pin: limits = .*math.radians"):
        world.pin(box, None, (0, 1), limits=limits)
    joint = world.pin(box, None, (0, 1))
    with pytest.warns(UserWarning, match="limits = .*math.radians"):
        joint.limits = limits


@pytest.mark.parametrize("limits", [(-1, 1), (0, 2 * math.pi), (-10, 10), (0, 20 * math.pi), (0, 1000), None])
def test_limits_in_radians_are_taken(limits: tuple[float, float] | None) -> None:
    world, box = floor_and_box()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert world.pin(box, None, (0, 1), limits=limits).limits == limits


@pytest.mark.parametrize("name", ["on_floor", "on_wall", "on_ceiling", "crushed", "floor", "floor_normal"])
def test_what_a_character_found_is_not_set(name: str) -> None:
    hero = cm.Character(cm.Circle((0, 0.5), 0.5), up=(0, 1))
    hero.move((0, -1), cm.Shapes.boxes([(0, -1)], (9, 1)))
    before = getattr(hero, name)
    with pytest.raises(AttributeError, match=f"Character.{name} cannot be set"):
        setattr(hero, name, "x")
    assert getattr(hero, name) == before
