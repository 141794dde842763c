"""Each setting of a body times each kind of joint that holds it.

A setting that is changed before the first step is the same, to the last bit, as one given to `add`. Changed while the
world goes on, it leaves the joint whole: what gapes closes, and a copy and a recording of the world go on alike. The
scene: two boxes that fall on a floor, joined to each other. Springs are told by stiffness, since hertz would be those
of the masses at the call.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import carom as cm

DT = 1 / 60
Make = Callable[[cm.World, cm.Body, cm.Body], cm.Joint]

JOINTS: dict[str, Make] = {
    "pin": lambda w, a, b: w.pin(a, b, (1.5, 1)),
    "pin with limits and motor": lambda w, a, b: w.pin(a, b, (1.5, 1), limits=(-1, 1), speed=2, max_torque=50),
    "soft pin": lambda w, a, b: w.pin(a, b, (1.5, 1), stiffness=60, resistance=2),
    "rod": lambda w, a, b: w.rod(a, b, (0, 1), (3, 1)),
    "rope": lambda w, a, b: w.rope(a, b, (0, 1), (3, 1), length=4),
    "spring": lambda w, a, b: w.spring(a, b, (0, 1), (3, 1), stiffness=100, resistance=2, limits=(1, 5)),
    "weld": lambda w, a, b: w.weld(a, b, (1.5, 1)),
    "slide": lambda w, a, b: w.slide(a, b, (1.5, 1), (0, 2), limits=(-1, 2)),
    "slide with a motor": lambda w, a, b: w.slide(a, b, (1.5, 1), (1, 0), speed=1, max_force=9),
    "wheel": lambda w, a, b: w.slide(a, b, (0, 1), (0, 1), turns=True, stiffness=200, resistance=9, max_torque=9),
    "gear": lambda w, a, b: w.gear(a, b, ratio=2),
    "drag": lambda w, a, b: w.drag(a, (0.5, 1.5), stiffness=80, resistance=9, max_force=1000),
}

SETTINGS: dict[str, tuple[str, Any]] = {
    "velocity": ("dynamic", (1.0, 2.0)),
    "spin": ("dynamic", 3.0),
    "mass": ("dynamic", 40.0),
    "density": ("dynamic", 5.0),
    "inertia": ("dynamic", 9.0),
    "turns": ("dynamic", False),
    "restitution": ("dynamic", 0.8),
    "friction": ("dynamic", 0.0),
    "acceleration": ("dynamic", (0.0, 12.0)),
    "damping": ("dynamic", 2.0),
    "gravity_scale": ("dynamic", 0.0),
    "layer": ("dynamic", "ghost"),
    "mask": ("dynamic", "other"),
    "group": ("dynamic", 7),
    "response": ("dynamic", "slide"),
    "one_way": ("dynamic", (0.0, 1.0)),
    "surface_velocity": ("dynamic", (2.0, 0.0)),
    "rolling_resistance": ("dynamic", 0.3),
    "can_sleep": ("dynamic", False),
    "pivot": ("kinematic", (0.5, 1.0)),
    "sensor": ("static", True),
}
FORCES: dict[str, Any] = {"force": (3.0, 40.0), "torque": 5.0}
PLACES: dict[str, Any] = {
    "position": (0.4, 1.6),
    "angle": 0.4,
    "shape": cm.Circle((0.0, 1.0), 0.4),
    "kind static": "static",
    "kind kinematic": "kinematic",
}


def scene(joint: str, kind: Any, **given: Any) -> tuple[cm.World, cm.Body, cm.Joint]:
    """Return a world, the body whose setting is tried, and the joint."""
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (40, 2)), layer="default")
    world.add(cm.Circle((9, 9), 1), layer=["ghost", "other"])
    mass = {} if kind != "dynamic" or "density" in given else {"mass": given.pop("mass", 2.0)}
    a = world.add(cm.Box((0, 1), (2, 1)), kind=kind, **mass, **given)
    b = world.add(cm.Box((3, 1), (2, 1)), kind="dynamic", mass=3)
    return world, a, JOINTS[joint](world, a, b)


def moved(world: cm.World, steps: int = 25) -> list[bytes]:
    """Return where all bodies of a world are after some steps, and how they move, bit for bit."""
    world.step(DT, steps=steps)
    return [np.asarray(column).tobytes() for column in (world.positions, world.angles, world.velocities, world.spins)]


@pytest.mark.parametrize("joint", JOINTS)
@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_of_a_joined_body_is_the_one_that_it_could_have_been_added_with(name: str, joint: str) -> None:
    kind, value = SETTINGS[name]
    if joint == "drag" and kind != "dynamic":
        pytest.skip("only dynamic bodies are dragged")
    world, body, _ = scene(joint, kind)
    setattr(body, name, value)
    assert moved(world) == moved(scene(joint, kind, **{name: value})[0])


@pytest.mark.parametrize("joint", JOINTS)
@pytest.mark.parametrize("name", [*SETTINGS, *FORCES, *PLACES])
def test_a_setting_that_changes_meanwhile_leaves_the_joint_whole(name: str, joint: str) -> None:
    kind, value = SETTINGS.get(name, ("dynamic", {**FORCES, **PLACES}.get(name)))
    if joint == "drag" and (kind != "dynamic" or name.startswith("kind")):
        pytest.skip("only dynamic bodies are dragged")
    world, body, held = scene(joint, kind)
    with cm.Recording(world) as tape:
        world.step(DT, steps=5)
        if name == "shape":
            value = value.translated(body.position - value.position)
        setattr(body, name.partition(" ")[0], value)
        twin = copy.deepcopy(world)
        assert moved(world) == moved(twin)
    assert tape.replay().diverged is None
    assert not held.removed and np.isfinite(world.positions).all() and np.isfinite(world.velocities).all()
    assert held.error < 1e-6 or held.kind == "drag"
