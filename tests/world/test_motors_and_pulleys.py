"""Motors of bodies and pulleys, joints that are switched off, and anchors and axes that are set.

Against closed forms: the way of a brake, Atwood's machine, the energy and the bits of scaled twins; a joint that is off
against none at all.
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable

import numpy as np
import pytest

import carom as cm
from tests.support.joined import KINDS, joined, two_boxes

DT = 1 / 60


def puck(**settings: object) -> tuple[cm.World, cm.Body]:
    world = cm.World()
    return world, world.add(cm.Circle((0, 0), 0.5), kind="dynamic", mass=2, **settings)


# Motors.


@pytest.mark.parametrize("speed", [0.3, 3.0, 3.005, 40.0])
@pytest.mark.parametrize("unit", [1 / 64, 1.0, 64.0])
def test_a_motor_stops_a_puck_as_the_ground_does(speed: float, unit: float) -> None:
    world = cm.World()
    body = world.add(cm.Circle((0, 0), 0.5 * unit), kind="dynamic", mass=2, velocity=(speed * unit, 0))
    world.motor(body, max_force=2 * 10 * unit)
    world.step(DT, steps=math.ceil(60 * speed / 10) + 1)
    assert body.position.x == pytest.approx(unit * speed**2 / 20, abs=unit * 10 * DT**2 / 8)
    assert body.velocity == (0.0, 0.0) or abs(body.velocity.x) < 1e-9 * speed * unit
    world.step(DT, steps=60)
    assert body.asleep


def test_the_force_of_a_motor_has_a_bound_in_every_direction() -> None:
    world, body = puck(velocity=(3, 4))
    motor = world.motor(body, max_force=10)
    world.step(DT)
    assert motor.force == pytest.approx((-6, -8), rel=1e-9)
    assert body.velocity == pytest.approx((3 - 3 * DT, 4 - 4 * DT), rel=1e-9)


def test_a_motor_turns_a_body_with_a_torque_of_its_own() -> None:
    world, body = puck(spin=-1.0)
    motor = world.motor(body, speed=2, max_torque=0.5)
    world.step(DT)
    assert motor.torque == pytest.approx(0.5) and motor.force == (0.0, 0.0)
    assert body.spin == pytest.approx(-1 + 0.5 / body.inertia * DT)
    world.step(DT, steps=120)
    assert body.spin == pytest.approx(2.0, rel=1e-9) and abs(motor.torque) < 1e-6


def test_a_motor_between_two_bodies_keeps_their_momentum() -> None:
    world, body = puck(velocity=(3, 1), spin=4.0)
    deck = world.add(cm.Box((0, -5), (8, 2)), kind="dynamic", mass=5)
    motor = world.motor(body, deck, velocity=(1, 0), max_force=7, max_torque=1)

    def momenta() -> tuple[float, float, float]:
        x = sum(one.mass * one.velocity.x for one in (body, deck))
        y = sum(one.mass * one.velocity.y for one in (body, deck))
        return x, y, sum(one.mass * one.position.cross(one.velocity) + one.inertia * one.spin for one in (body, deck))

    before = momenta()
    world.step(DT, steps=120)
    assert momenta() == pytest.approx(before, rel=1e-9)
    assert body.spin - deck.spin == pytest.approx(0.0, abs=1e-6) and motor.velocity == (1, 0)


def test_a_motor_holds_against_what_is_less_than_its_force_and_slips_under_more() -> None:
    world, body = puck()
    world.motor(body, max_force=10)
    body.force = (9.9, 0)
    world.step(DT, steps=120)
    assert abs(body.position.x) < 1e-9
    body.force = (11, 0)
    world.step(DT, steps=60)
    assert body.velocity.x == pytest.approx(0.5, rel=1e-6)


def test_a_crate_on_a_floor_is_driven_by_a_motor_as_far_as_friction_lets_it() -> None:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (100, 2)), friction=1.0)
    crate = world.add(cm.Box((0, 0.5), (1, 1)), kind="dynamic", mass=1, friction=0.25)
    motor = world.motor(crate, velocity=(2, 0), max_force=3)  # friction takes 5
    world.step(DT, steps=60)
    assert abs(crate.velocity.x) < 1e-6
    motor.max_force = 8
    world.step(DT, steps=60)
    assert crate.velocity.x == pytest.approx(2.0, abs=1e-6)


@pytest.mark.parametrize("resistance", [10.0, 1e3, 1e6, 1e9])
def test_whatever_a_spring_resists_a_body_comes_to_rest(resistance: float) -> None:
    world, body = puck(velocity=(3, 0))
    world.drag(body, (0, 0), stiffness=0, resistance=resistance)
    last = body.velocity.x
    for _ in range(120):
        world.step(DT)
        assert -1e-12 < body.velocity.x < last + 1e-12
        last = body.velocity.x
    assert last < 3 * math.exp(-2.0)


# Pulleys.


@pytest.mark.parametrize("ratio", [0.5, 1.0, 2.0, 3.0])
def test_weights_on_a_pulley_are_accelerated_as_in_the_books(ratio: float) -> None:
    world = cm.World(gravity=(0, -10))
    light = world.add(cm.Circle((-1, 0), 0.2), kind="dynamic", mass=1)
    heavy = world.add(cm.Circle((1, 0), 0.2), kind="dynamic", mass=9)
    rope = world.pulley(light, heavy, (-1, 0), (1, 0), over=((-1, 50), (1, 50)), ratio=ratio)
    pull = 10 * (1 + ratio) * 9 / (9 + ratio**2)  # of m1, m2: g m1 m2 (1 + k) / (m2 + k^2 m1)
    world.step(DT, steps=30)
    assert light.velocity.y == pytest.approx((pull - 10) / 2, rel=1e-9)
    assert light.velocity.y == pytest.approx(-ratio * heavy.velocity.y, rel=1e-9)
    assert rope.force == pytest.approx((0, pull), rel=1e-9, abs=1e-9) and rope.error < 1e-12


def swinging(unit: float = 1.0) -> tuple[cm.World, cm.Joint]:
    """Hang a box that swings and turns on a pulley, with a disc on its other side."""
    world = cm.World(gravity=(0, -10 * unit), sleep=False)
    box = world.add(cm.Box((-unit, 0), (0.6 * unit, 0.4 * unit)), kind="dynamic", mass=1, spin=3)
    box.velocity = 2 * unit, 0
    disc = world.add(cm.Circle((unit, 0), 0.2 * unit), kind="dynamic", mass=2.2)
    over = ((-unit, 5 * unit), (unit, 5 * unit))
    return world, world.pulley(box, disc, (-0.8 * unit, 0.2 * unit), (unit, 0.1 * unit), over=over, ratio=2)


def test_a_pulley_keeps_energy_and_its_length_while_its_ends_swing() -> None:
    world, rope = swinging()
    bodies = world.bodies

    def energy() -> float:
        return sum(
            one.mass * (0.5 * one.velocity.dot(one.velocity) + 10 * one.position.y) + 0.5 * one.inertia * one.spin**2
            for one in bodies
        )

    world.step(DT, steps=30)  # it is taut from now on
    before, worst = energy(), 0.0
    for _ in range(240):
        world.step(DT)
        worst = max(worst, rope.error)
    assert worst < 1e-9
    assert energy() == pytest.approx(before, abs=1e-6)


@pytest.mark.parametrize("unit", [1 / 64, 64.0])
def test_a_pulley_has_the_same_bits_at_other_scales(unit: float) -> None:
    (world, _), (other, _) = swinging(), swinging(unit)
    for _ in range(120):
        world.step(DT)
        other.step(DT)
    assert (np.asarray(other.positions) / unit == np.asarray(world.positions)).all()


def test_a_pulley_goes_slack_and_catches() -> None:
    world = cm.World(gravity=(0, -10))
    one = world.add(cm.Circle((-1, 0), 0.2), kind="dynamic", mass=1, velocity=(0, 4))
    other = world.add(cm.Circle((1, 0), 0.2), kind="dynamic", mass=1)
    rope = world.pulley(one, other, (-1, 0), (1, 0), over=((-1, 5), (1, 5)))
    world.step(DT, steps=12)
    assert rope.distance < rope.length - 0.1 and rope.force == (0.0, 0.0)
    for _ in range(120):
        world.step(DT)
        assert rope.error < 1e-6
    rope.length = 6  # wound in
    world.step(DT, steps=240)
    assert rope.distance == pytest.approx(6, abs=1e-6)


def test_what_a_pulley_lifts_has_its_weight_and_the_floor_carries_the_rest() -> None:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (20, 2)))
    crate = world.add(cm.Box((1, 0.5), (1, 1)), kind="dynamic", mass=5)
    weight = world.add(cm.Circle((-1, 3), 0.3), kind="dynamic", mass=2)
    rope = world.pulley(weight, crate, (-1, 3), (1, 1), over=((-1, 6), (1, 6)), ratio=2)
    world.step(DT, steps=240)
    assert rope.force.y == pytest.approx(20, rel=1e-6) and abs(weight.velocity.y) < 1e-6
    given = [abs(one) for one in np.asarray(world.contacts().given)[:, 1]]
    assert sum(given) == pytest.approx((50 - 40) * DT, rel=1e-3)


# Of all kinds.


def ways(world: cm.World, steps: int = 60) -> list[object]:
    found = []
    for _ in range(steps):
        world.step(DT)
        found.append((np.asarray(world.positions).tolist(), np.asarray(world.velocities).tolist()))
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_a_joint_that_is_off_is_as_if_it_were_removed(kind: str) -> None:
    (world, joint), (other, gone) = joined(kind), joined(kind)
    for one in (world, other):
        one.step(DT, steps=5)
    joint.enabled = False
    other.remove(gone)
    assert not joint.enabled and world.joints == [joint] and joint.force == (0.0, 0.0)
    assert ways(world) == ways(other)


@pytest.mark.parametrize("kind", KINDS)
def test_a_joint_that_is_switched_goes_on_alike_in_copies_pickles_and_recordings(kind: str) -> None:
    world, joint = joined(kind)
    world.step(DT, steps=3)
    tape = cm.Recording(world)
    joint.enabled = False
    world.step(DT, steps=10)
    twins = [world.copy(), pickle.loads(pickle.dumps(world))]
    copies = world.copies(2)
    for one in (*twins, world):
        one.joints[0].enabled = True
        one.step(DT, steps=30)
    assert len({one.digest() for one in (*twins, world)}) == 1
    replay = tape.replay()
    assert replay.diverged is None and replay.world.joints[0].enabled
    alone = copies.world(1)
    copies.step(DT, steps=5)
    alone.step(DT, steps=5)
    assert copies.world(1).digest() == alone.digest()
    assert not copies.world(0).joints[0].enabled


@pytest.mark.parametrize("kind", KINDS)
def test_a_body_takes_its_joints_with_it_that_are_off(kind: str) -> None:
    world, joint = joined(kind)
    joint.enabled = False
    world.remove(world.body(0))
    assert joint.removed and world.joints == []
    world.step(DT, steps=3)


def test_bodies_of_a_joint_that_is_off_meet_and_part() -> None:
    world = cm.World()
    a, b = (world.add(cm.Box((x, 0), (1, 1)), kind="dynamic") for x in (0, 0.5))
    weld = world.weld(a, b, (0.25, 0))
    world.step(DT, steps=30)
    assert abs(a.position.x - b.position.x) == pytest.approx(0.5)
    weld.enabled = False
    world.step(DT, steps=120)
    assert world.overlaps().body.size == 0
    weld.enabled = True
    world.step(DT, steps=240)
    assert weld.error < 1e-9 and abs(a.position.x - b.position.x) == pytest.approx(0.5, abs=1e-6)


SET: dict[str, Callable[[cm.Joint], object]] = {
    "anchor_a": lambda joint: setattr(joint, "anchor_a", cm.Vec(0.2, 0.1) + joint.anchor_a),
    "anchor_b": lambda joint: setattr(joint, "anchor_b", cm.Vec(-0.1, 0.2) + joint.anchor_b),
    "axis": lambda joint: setattr(joint, "axis", (1, 1)),
}


HAVE_ANCHORS = {
    "gear": (),
    "motor": ("anchor_a",),
    "slide": ("anchor_a", "anchor_b", "axis"),
    "wheel": ("anchor_a", "anchor_b", "axis"),
}


@pytest.mark.parametrize("what", SET)
@pytest.mark.parametrize("kind", KINDS)
def test_anchors_and_axes_that_are_set_close_without_a_jump(kind: str, what: str) -> None:
    world, joint = joined(kind)
    world.gravity = (0, 0)
    has = what in HAVE_ANCHORS.get(kind, ("anchor_a", "anchor_b"))
    if not has:
        with pytest.raises(AttributeError, match=what):
            SET[what](joint)
        return
    before = getattr(joint, what)
    SET[what](joint)
    assert getattr(joint, what) != before
    last = np.asarray(world.positions).copy()
    for _ in range(120):
        world.step(DT)
        now = np.asarray(world.positions).copy()
        assert np.abs(now - last).max() < 0.25
        last = now
    assert joint.error < 1e-6


def test_speeds_of_motors_are_set_by_copy() -> None:
    world, _ = joined("motor")
    worlds, alone = world.copies(3), [world.copy() for _ in range(3)]
    assert worlds.motor_speeds.tolist() == [[2.0]] * 3 and np.isnan(worlds.motor_bounds).all()
    worlds.motor_speeds[:, 0] = 1.0, -3.0, 0.0
    with pytest.raises(ValueError, match="the joint has no motor"):
        worlds.motor_bounds = [[1.0]] * 3
    for one, speed in zip(alone, (1.0, -3.0, 0.0), strict=True):
        one.joints[0].speed = speed
        one.step(DT, steps=40)
    worlds.step(DT, steps=40)
    assert [worlds.world(k).digest() for k in range(3)] == [one.digest() for one in alone]
    assert len({one.digest() for one in alone}) == 3


def test_ropes_rods_springs_and_pulleys_have_lengths_by_copy() -> None:
    world, a, b = two_boxes()
    for kind in ("rod", "rope", "spring", "pulley", "pin"):
        KINDS[kind](world, a, b)
    worlds = world.copies(2)
    assert np.isnan(worlds.joint_lengths).tolist() == [[False] * 4 + [True]] * 2
    lengths = [3.1, 4.1, 3.2, worlds.joint_lengths[0, 3] + 0.5, np.nan]
    worlds.joint_lengths[1] = lengths
    assert [joint.length for joint in worlds.world(1).joints[:4]] == pytest.approx(lengths[:4])
    assert [joint.length for joint in worlds.world(0).joints[:4]] == [joint.length for joint in world.joints[:4]]
