"""Forces of joints are all that joints do in a step, over its time: what momentum lacks tells."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import carom as cm

DT = 1 / 60
G = 10.0


def momentum(world: cm.World) -> np.ndarray:
    total = np.zeros(2)
    for body in world.bodies:
        if body.kind == "dynamic":
            total += body.mass * np.array(body.velocity)
    return total


def hung(world: cm.World, restitution: float) -> cm.Joint:
    """Hang three links on the world, level, with nothing else that cannot be moved."""
    before, first = None, None
    for k in range(3):
        link = world.add(cm.Box((k + 0.5, 0), (1, 0.1)), kind="dynamic", mass=1, restitution=restitution)
        pin = world.pin(link, before, (k, 0))
        before, first = link, first or pin
    assert first is not None
    return first


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
def test_what_holds_a_chain_that_is_hit_is_what_its_momentum_lacks(restitution: float) -> None:
    world = cm.World(gravity=(0, -G), sleep=False)
    nail = hung(world, restitution)
    rng = np.random.default_rng(3)
    for k in range(6):
        at, way = (0.5 * k, 2 if k % 2 else -2), rng.uniform(-9, 9, 2)
        world.add(cm.Circle(at, 0.2), kind="dynamic", mass=0.5 + k, velocity=way, restitution=restitution)
    weight = sum(body.mass for body in world.bodies) * np.array([0, -G])
    hits = 0
    for _ in range(180):
        before = momentum(world)
        told = world.step(DT)
        lacks = momentum(world) - before - (weight + np.array(nail.force)) * DT
        # An impact in the middle of a chord keeps energy exactly, and momentum to the second order of the step.
        moved = sum(body.mass * body.velocity.length for body in world.bodies)
        assert np.abs(lacks).max() < (0.02 * moved if len(told) else 1e-3)
        hits += len(told)
    assert hits > 2


def test_a_blow_along_a_rod_is_its_force() -> None:
    world = cm.World(sleep=False)
    bob = world.add(cm.Circle((0, -1), 0.1), kind="dynamic", mass=1, restitution=1)
    rod = world.rod(bob, None, from_=(0, -1), to=(0, 0))
    bullet = world.add(cm.Circle((0, -2), 0.05), kind="dynamic", mass=0.25, velocity=(0, 40), restitution=1)
    hits = list(itertools.chain(*(world.step(DT) for _ in range(4))))
    assert len(hits) == 1 and bullet.velocity.y == pytest.approx(-40)
    assert rod.force.y == pytest.approx(0, abs=1e-9), "it bore the blow in an earlier step"
    world.remove(bullet)
    world.add(cm.Circle((0, -1.3), 0.05), kind="dynamic", mass=0.25, velocity=(0, 40), restitution=1)
    world.step(DT)
    assert rod.force.y == pytest.approx(-2 * 0.25 * 40 / DT, rel=1e-9)
    assert math.isclose(world.joint_forces[rod.row, 1], rod.force.y)


@pytest.mark.parametrize(("share", "breaks"), [(0.99, True), (1.01, False)])
def test_a_joint_breaks_by_a_blow(share: float, breaks: bool) -> None:
    world = cm.World(sleep=False)
    bob = world.add(cm.Circle((0, -1), 0.1), kind="dynamic", mass=1, restitution=1)
    blow = 2 * 0.25 * 40
    rod = world.rod(bob, None, from_=(0, -1), to=(0, 0), breaks_at=(share * blow / DT, None))
    world.add(cm.Circle((0, -1.3), 0.05), kind="dynamic", mass=0.25, velocity=(0, 40), restitution=1)
    kinds = world.step(DT).kind.tolist()
    assert rod.removed is breaks and ("broken" in kinds) is breaks


def test_what_lies_on_a_plank_is_borne_by_its_pins() -> None:
    world = cm.World(gravity=(0, -G), sleep=False)
    plank = world.add(cm.Box((0, 0), (4, 0.2)), kind="dynamic", mass=2, restitution=0.5)
    left, right = (world.rope(plank, None, from_=(x, 0), to=(x, 3), length=3) for x in (-1.9, 1.9))
    world.add(cm.Box((-0.5, 2), (0.6, 0.6)), kind="dynamic", mass=3, restitution=0.5)
    hits = 0
    for _ in range(120):
        before = momentum(world)
        told = world.step(DT)
        borne = np.array(left.force) + np.array(right.force) + 5 * np.array([0, -G])
        lacks = momentum(world) - before - borne * DT
        assert abs(lacks[1]) < 1e-3 + 0.05 * sum(hit.impulse for hit in told)
        hits += len(told)
    assert hits > 0 and (left.force + right.force).y == pytest.approx(5 * G, rel=0.02)


def test_a_rope_that_winds_round_a_post_without_gravity_lies_on_it() -> None:
    world = cm.World()
    world.add(cm.Circle((0, 0), 0.5), friction=0.5)
    hook = world.add(cm.Circle((0.5, 0.6), 0.3), kind="dynamic", mass=1)
    world.pin(hook, None, (0.5, 0.6))
    before = hook
    for k in range(8):
        link = world.add(
            cm.Box((1.05 + 0.5 * k, 0.6), (0.5, 0.1)), kind="dynamic", mass=0.5, velocity=(0, -4), friction=0.5
        )
        world.pin(link, before, (0.8 + 0.5 * k, 0.6))
        before = link
    hits, wound = 0, 0
    for _ in range(300):
        hits += len(world.step(DT))
        wound = max(wound, len(world.contacts()))
        assert not world.waited.any()
    assert hits < 1000 and wound > 4, "each link is hit a few times, not all the while"


def test_what_a_spring_presses_without_gravity_rests() -> None:
    world = cm.World()
    box = world.add(cm.Box((0, 0), (1, 1)), kind="dynamic", mass=1)
    world.add(cm.Box((3, 0), (1, 4)))
    spring = world.spring(box, None, from_=(0, 0), to=(5, 0), length=1, hertz=1, damping=1)
    hits = sum(len(world.step(DT)) for _ in range(300))
    assert hits < 20 and box.asleep
    assert box.position.x == pytest.approx(2, abs=1e-3)
    assert spring.force.x == pytest.approx(spring.stiffness * 2, rel=1e-2)
