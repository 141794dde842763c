"""One file stores how bodies move, and joints hear of it: velocities are such as these allow after all that is set."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import carom as cm
from carom.world.changes.settings import SETTINGS
from carom.world.joints import kinds
from carom.world.joints.kinds import KINDS, NUMBERS

DT = 1 / 60
WORLD = Path(cm.__file__).parent / "world"
MOTION = {"vx", "vy", "spin", "way_x", "way_y", "way_spin", "pull_x", "pull_y", "pull_spin", "stalled"}


def stored(target: ast.expr) -> list[str]:
    """Return the names of the columns to which an assignment stores."""
    if isinstance(target, ast.Tuple):
        return [name for element in target.elts for name in stored(element)]
    return [target.attr] if isinstance(target, ast.Attribute) else []


def test_velocities_ways_and_waiting_are_stored_in_one_file() -> None:
    writers = set()
    for path in WORLD.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
                names = [name for target in targets if target is not None for name in stored(target)]
                writers |= {path.name} if MOTION & set(names) else set()
    assert writers == {"writer.py"}


Scene = tuple[cm.World, cm.Body, cm.Body, cm.Joint]


def scene(kind: str, driven: bool) -> Scene:
    """Join two bars that fly and turn, or one to a kinematic bar, by a joint of a kind; a third falls on them."""
    world = cm.World(gravity=(0, -10))
    a = world.add(cm.Box((0, 0), (1, 0.2)), kind="dynamic", mass=1, spin=0.3, velocity=(0.2, 0.5))
    b = world.add(cm.Box((1, 0), (1, 0.2), 0.1), kind="kinematic" if driven else "dynamic", velocity=(0.2, 0.3))
    world.add(cm.Circle((0.1, 1.5), 0.1), kind="dynamic", velocity=(0, -4), restitution=0.5)
    make: dict[str, Callable[[], cm.Joint]] = {
        "pin": lambda: world.pin(a, b, (0.5, 0)),
        "weld": lambda: world.weld(a, b, (0.5, 0)),
        "rod": lambda: world.rod(a, b, (0, 0.05), (1.2, 0)),
        "slide": lambda: world.slide(a, b, (0.5, 0), axis=(1, 0.2)),
        "wheel": lambda: world.slide(a, b, (0.5, 0), axis=(1, 0.2), turns=True, hertz=2),
        "rope": lambda: world.rope(a, b, (0, 0.05), (1.2, 0)),
        "spring": lambda: world.spring(a, b, (0, 0.05), (1.2, 0), hertz=2, damping=0.3),
        "gear": lambda: world.gear(a, b, ratio=2),
        "drag": lambda: world.drag(a, (0.3, 0), max_force=5),
        "motor": lambda: world.motor(a, b, velocity=(1, 0), max_force=5, max_torque=1),
        "pulley": lambda: world.pulley(a, b, (0, 0.1), (1.2, 0.1), over=((0, 5), (1.2, 5))),
    }
    return world, a, b, make[kind]()


def not_allowed(joint: cm.Joint) -> float:
    """Return the worst velocity that a joint does not allow."""
    a, b = joint.a, joint.b
    if b is None or joint.kind in ("rope", "spring", "motor", "pulley"):
        return 0.0  # ropes may hang, and springs, drags and motors give way
    (p, q), (wa, wb) = (joint.anchor_a, joint.anchor_b), (a.spin, b.spin)
    v, u = (
        (body.velocity.x - w * (at.y - body.position.y), body.velocity.y + w * (at.x - body.position.x))
        for body, at, w in ((a, p, wa), (b, q, wb))
    )
    x, y, turn = v[0] - u[0], v[1] - u[1], wa - wb
    if joint.kind == "rod":
        return abs(x * (p.x - q.x) + y * (p.y - q.y)) / joint.length
    if joint.kind == "gear":
        return abs(wa + joint.ratio * wb)
    if joint.kind in ("slide", "wheel"):
        along, (dx, dy) = joint.axis, (p.x - q.x, p.y - q.y)
        across = (x + wb * dy) * -along.y + (y - wb * dx) * along.x
        return max(abs(across), abs(turn) if joint.kind == "slide" else 0.0)
    return max(abs(x), abs(y), abs(turn) if joint.kind == "weld" else 0.0)


def turned_by(joint: cm.Joint) -> float:
    """Return by what a joint that turns may differ: ways are chords, which keep the energy, to the second order."""
    ends = [body for body in (joint.a, joint.b) if body is not None]
    turn, fast = max(abs(body.spin) for body in ends), max(math.hypot(*body.velocity) for body in ends)
    return DT**2 * (turn + 0.2) * (turn * fast + 2 * 10)


OTHER_SHAPE = cm.Polygon([(-0.5, -0.1), (0.5, -0.1), (0.4, 0.3)])
VALUES: dict[str, Any] = {
    "velocity": (1.5, -0.7),
    "spin": 2.0,
    "position": (0.02, 0.01),
    "angle": 0.05,
    "shape": OTHER_SHAPE,
    "kind": "kinematic",
    "mass": 5.0,
    "density": 5.0,
    "turns": False,
    "inertia": 3.0,
    "restitution": 0.9,
    "friction": 0.1,
    "damping": 2.0,
    "gravity_scale": 0.5,
    "force": (3, 4),
    "torque": 2.0,
    "acceleration": (3, 4),
    "pivot": (0.1, 0.0),
    "surface_velocity": (1, 0),
    "rolling_resistance": 0.1,
    "can_sleep": False,
    "sensor": True,
    "layer": "else",
    "mask": "default",
    "group": 3,
    "response": "slide",
    "one_way": (0, 1),
    "target": None,
}


def test_kinds_have_the_numbers_that_kept_worlds_know() -> None:
    kept = [
        kinds.PIN,
        kinds.ROD,
        kinds.ROPE,
        kinds.SPRING,
        kinds.WELD,
        kinds.SLIDE,
        kinds.WHEEL,
        kinds.GEAR,
        kinds.DRAG,
    ]
    assert [*kept, kinds.MOTOR_KIND, kinds.PULLEY] == list(range(1, len(KINDS) + 1)) == list(NUMBERS.values())


def test_each_setting_has_a_value_here() -> None:
    assert set(SETTINGS) <= set(VALUES)


@pytest.mark.parametrize("driven", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", sorted(set(SETTINGS) - {"target"}))
def test_after_each_setting_velocities_are_such_as_joints_allow(name: str, kind: str, driven: bool) -> None:
    world, a, _, joint = scene(kind, driven)
    world.step(DT)
    try:
        setattr(a, name, VALUES[name])
    except (AttributeError, ValueError, TypeError) as refused:
        pytest.skip(str(refused))
    for _ in range(5):
        world.step(DT)
        assert joint.error < 1e-8 or name in ("position", "angle")
        assert not_allowed(joint) < turned_by(joint)


EVENTS: dict[str, Callable[[Scene], Any]] = {
    "impact": lambda s: s[0].step(DT, 15),
    "impulse": lambda s: s[1].apply_impulse((1, 2), (0.3, 0.1)),
    "spun": lambda s: setattr(s[0], "gravity", (3, 5)),
    "to sleep and awake": lambda s: (s[1].wake(), s[0].step(DT)),
    "driver told": lambda s: s[2].move_to((1.02, 0.01), 0.12) if s[2].kind == "kinematic" else None,
    "driver turned": lambda s: setattr(s[2], "spin", 1.0),
    "driver stopped": lambda s: setattr(s[2], "velocity", (0, 0)),
    "kept": lambda s: s[0].restore(s[0].snapshot()),
}


@pytest.mark.parametrize("driven", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("event", sorted(EVENTS))
def test_after_each_event_velocities_are_such_as_joints_allow(event: str, kind: str, driven: bool) -> None:
    made = scene(kind, driven)
    world, _, b, joint = made
    world.step(DT)
    EVENTS[event](made)
    for _ in range(5):
        told = event == "driver told" and driven
        if told:
            b.move_to((b.position.x + 0.01, b.position.y + 0.005))
        world.step(DT)
        assert joint.error < 1e-8
        if not told:  # what was told stands where the step ends, and what it leads goes on
            assert not_allowed(joint) < turned_by(joint)


ALONG: dict[str, Any] = {
    "velocity": (1.5, 0),
    "mass": 5.0,
    "damping": 2.0,
    "gravity_scale": 0.5,
    "force": (3, 0),
    "acceleration": (3, 0),
    "restitution": 0.5,
    "can_sleep": False,
    "shape": cm.Box((0, 0), (0.8, 0.4)),
    "kind": "kinematic",
}


@pytest.mark.parametrize("kind", ["pin", "weld", "rod", "slide"])
@pytest.mark.parametrize("name", ALONG)
def test_what_goes_straight_has_one_velocity_to_rounding(name: str, kind: str) -> None:
    world = cm.World(gravity=(5, 0))
    a, b = (world.add(cm.Box((x, 0), (1, 0.2)), kind="dynamic", velocity=(0.2, 0)) for x in (0, 1.5))
    {
        "pin": lambda: world.pin(a, b, (0.75, 0)),
        "weld": lambda: world.weld(a, b, (0.75, 0)),
        "rod": lambda: world.rod(a, b, (0, 0), (1.5, 0)),
        "slide": lambda: world.slide(a, b, (0.75, 0), axis=(0, 1)),
    }[kind]()
    world.step(DT)
    setattr(a, name, ALONG[name])
    for _ in range(5):
        world.step(DT)
        assert not_allowed(world.joints[0]) < 1e-12


def test_what_is_led_by_a_body_that_is_told_goes_evenly() -> None:
    """Velocities of what hung on it were twice that of the platform and 0 in turn."""
    world = cm.World(gravity=(0, -10))
    box = world.add(cm.Box((0, 0), (1, 1)), kind="kinematic")
    disc = world.add(cm.Circle((0, -2), 0.3), kind="dynamic")
    world.slide(disc, box, (0, -2), axis=(0, 1), limits=(-1, 1))
    world.step(DT, 60)
    for k in range(60):
        box.move_to(((k + 1) * DT, 0))
        world.step(DT)
        assert box.position.x == (k + 1) * DT
        assert disc.velocity.x == pytest.approx(1, abs=1e-9)
    world.step(DT)
    assert math.hypot(*disc.velocity) < 1e-9
