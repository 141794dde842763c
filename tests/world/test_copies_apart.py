"""Copies with numbers of their own: each continues as a world with these numbers would, bit for bit."""

from __future__ import annotations

import copy
import math
import pickle
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import carom as cm

DT = 1 / 50


def craft(seed: int = 0, slope: float = 0.0, size: float = 1.0, **more: Any) -> cm.World:
    """A hull with two legs on pins with limits and motors, over ground of three Segments; all numbers by seed."""
    chance = np.random.default_rng(seed)
    world = cm.World(gravity=(0, -10))
    ground = [(-9, -3 - slope), (-3, -3), (3, -3 + slope), (9, -3 + 2 * slope)]
    for a, b in pairwise(ground):
        world.add(cm.Segment(a, b), friction=0.8, layer="ground")
    hull = world.add(cm.Box((0, 0), (size, 0.6)), kind="dynamic", mass=2 + seed, velocity=(0.3 * seed, 0), **more)
    for side in (-1, 1):
        leg = world.add(cm.Box((0.6 * side, -0.8), (0.2, 0.6)), kind="dynamic", friction=chance.uniform(0.2, 1.0))
        world.pin(leg, hull, (0.5 * side, -0.4), limits=(-0.4, 0.4 + 0.05 * seed), speed=0.5 * side, max_torque=3)
    world.add(cm.Circle((4, 2), 0.5), kind="dynamic", layer="ball")
    return world


def same(worlds: cm.Worlds, singles: list[cm.World]) -> None:
    """Check that copies are where worlds are."""
    for k, single in enumerate(singles):
        assert np.array_equal(worlds.positions[k], single.positions), k
        assert np.array_equal(worlds.angles[k], single.angles)
        assert np.array_equal(worlds.velocities[k], single.velocities)
        assert worlds.world(k).digest() == single.digest()


def test_worlds_of_one_structure_go_their_own_ways() -> None:
    singles = [craft(k, 0.1 * k, 1 + 0.2 * k) for k in range(5)]
    singles[3].step(DT, steps=7)
    worlds = cm.Worlds.of(singles)
    assert len(worlds) == 5
    for step in range(120):
        if step == 10:
            worlds.motor_speeds[:, 0] = np.arange(5) - 2
            for k, single in enumerate(singles):
                single.joints[0].speed = k - 2
        hits, told = worlds.step(DT), [single.step(DT) for single in singles]
        assert hits.world.tolist() == [k for k, one in enumerate(told) for _ in range(len(one))]
    same(worlds, singles)
    assert [worlds.world(k).bodies[3].shape for k in range(5)] == [single.bodies[3].shape for single in singles]
    again = [copy.copy(worlds), pickle.loads(pickle.dumps(worlds))]
    begun = [craft(k, 0.1 * k, 1 + 0.2 * k) for k in range(5)]
    begun[3].step(DT, steps=7)
    for one in again:
        for _ in range(20):
            one.step(DT)
        one.reset([0, 3])
        same(one, [begun[0]])
        assert one.world(3).digest() == begun[3].digest()
        one.reset()
        same(one, begun)
        one.step(DT, steps=30)
    for single in begun:
        single.step(DT, steps=30)
    for one in again:
        same(one, begun)


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (lambda: cm.World(), "rows of bodies"),
        (
            lambda: with_body(cm.Polygon([(0, 0), (1, 0), (0, 1)])),
            r"worlds\[1\] has .* parts of other sizes|number of points",
        ),
        (lambda: with_body(cm.Segment((0, 0), (1, 0)), kind="dynamic"), "another kind"),
        (lambda: with_body(cm.Segment((0, 0), (1, 0)), layer="moon"), "layers"),
    ],
)
def test_worlds_of_other_structures_are_refused_by_name(other: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        cm.Worlds.of([with_body(cm.Segment((0, 0), (1, 0))), other()])
    with pytest.raises(TypeError, match=r"worlds\[0\] = 3 must be a World"):
        cm.Worlds.of([3])
    with pytest.raises(ValueError, match="must be from 1"):
        cm.Worlds.of([])


def with_body(shape: cm.Shape, **more: Any) -> cm.World:
    world = cm.World()
    world.add(shape, **more)
    return world


@pytest.mark.parametrize("whole", [True, False])
def test_shapes_by_copy_are_those_that_bodies_of_worlds_have(whole: bool) -> None:
    world, n = craft(), 4
    if not whole:
        for joint in world.joints:
            joint.remove()
    worlds, singles = world.copies(n), [world.copy() for _ in range(n)]
    chance = np.random.default_rng(3)
    for turn in range(3):
        heights = np.cumsum(chance.uniform(-0.3, 0.3, (n, 4)), axis=1) - 3
        points = np.stack((np.broadcast_to(np.linspace(-9, 9, 4), (n, 4)), heights), axis=2)
        ground = np.stack((points[:, :-1], points[:, 1:]), axis=2)
        chosen = [0, 2, 3] if turn == 1 else [0, 1, 2, 3]
        worlds.set_shapes([0, 1, 2], ground[chosen], copies=chosen)
        for k in chosen:
            for row in range(3):
                singles[k].body(row).shape = cm.Segment(*map(tuple, ground[k, row].tolist()))
        for k, single in enumerate(singles):
            rays = [(0, -9), (0.5, -9)]
            told = worlds.raycast((-4, 5), [rays]).point[k]
            assert np.array_equal(told, single.raycast((-4, 5), rays).point)
        for _ in range(60):
            hits = worlds.step(DT)
            told = [single.step(DT) for single in singles]
            assert len(hits) == sum(map(len, told))
        same(worlds, singles)
        for k, single in enumerate(singles):
            assert worlds.world(k).body(1).shape == single.body(1).shape
    for other in (copy.copy(worlds), pickle.loads(pickle.dumps(worlds))):
        other.step(DT, steps=20)
    worlds.step(DT, steps=20)
    for single in singles:
        single.step(DT, steps=20)
    same(worlds, singles)
    same(other, singles)
    worlds.reset()
    same(worlds, [world] * n)
    assert worlds.world(1).body(1).shape == world.body(1).shape


def test_shapes_of_bodies_that_move_and_of_ground_under_them() -> None:
    world = craft()
    worlds, singles = world.copies(2), [world.copy() for _ in range(2)]
    raised = [[(-9, -1.2), (-3, -1.2)], [(-3, -1.2), (3, -1.2)], [(3, -1.2), (9, -1.2)]]  # into the legs
    worlds.set_shapes([0, 1, 2], raised, copies=1)
    for row in range(3):
        singles[1].body(row).shape = cm.Segment(*raised[row])
    for _ in range(50):
        worlds.step(DT)
        for single in singles:
            single.step(DT)
    same(worlds, singles)
    for wrong, error, said in (
        ((3, [[(0, 0), (1, 1)]]), TypeError, "bodies"),
        ((0, [(0, 0), (1, 1)]), ValueError, r"shape \(2, 2\); it must be \(2, 1, k, 2\)"),
        ((0, [[(0, 0), (1, 1), (2, 2)]]), ValueError, "3 points a shape"),
        ((0, [[(0, 0), (math.nan, 1)]]), ValueError, "nan"),
        ((17, [[(0, 0), (1, 1)]]), ValueError, "no body of the copies"),
    ):
        with pytest.raises(error, match=said):
            worlds.set_shapes(*wrong)
    same(worlds, singles)


def test_settings_by_copy_are_those_of_worlds() -> None:
    world, n = craft(), 3
    worlds, singles = world.copies(n), [world.copy() for _ in range(n)]
    worlds.masses[:, 3] = 1, 2, 3
    worlds.frictions[1, 4:6] = 0.1, 0.9
    worlds.restitutions[2] = 0.5
    worlds.gravities[1:] = [(1, -9), (0, -3)]
    worlds.joint_limits[2, 0] = -0.2, 0.3
    worlds.joint_limits[1, 1] = -np.inf, np.inf
    worlds.joint_rests[0] = 0.1
    for k, single in enumerate(singles):
        single.body(3).mass = k + 1
    singles[1].body(4).friction, singles[1].body(5).friction = 0.1, 0.9
    for body in singles[2].bodies:
        body.restitution = 0.5
    singles[1].gravity, singles[2].gravity = (1, -9), (0, -3)
    singles[2].joints[0].limits, singles[1].joints[1].limits = (-0.2, 0.3), None
    for joint in singles[0].joints:
        joint.rest = 0.1
    for _ in range(80):
        worlds.step(DT)
        for single in singles:
            single.step(DT)
    same(worlds, singles)
    assert worlds.masses[0, 0] == math.inf
    before = [worlds.world(k).digest() for k in range(n)]
    for name, key, value, said in (
        ("masses", (0, 0), 1.0, r"masses\[0\]\[0\] = 1.0 must be from .* of a dynamic body"),
        ("masses", (1, 3), 0.0, r"masses\[1\]\[3\] = 0.0"),
        ("frictions", (1, 3), -1.0, r"frictions\[1\]\[3\] = -1.0 must be from 0"),
        ("restitutions", (1, 3), 1.5, r"restitutions\[1\]\[3\] = 1.5 must be from 0 to 1"),
        ("gravities", 0, (np.nan, 0), "nan"),
        ("joint_limits", (1, 0), (1.0, 0.0), r"joint_limits\[1\]\[0\] = \[1.0, 0.0\] must be \(low, high\)"),
        ("joint_lengths", (0, 0), 1.0, "the joint has no length"),
    ):
        with pytest.raises(ValueError, match=said):
            getattr(worlds, name)[key] = value
    assert [worlds.world(k).digest() for k in range(n)] == before


def test_lengths_of_ropes_rods_and_springs_by_copy() -> None:
    world = cm.World(gravity=(0, -10))
    hooks = [world.add(cm.Circle((3 * k, 0), 0.1)) for k in range(3)]
    balls = [world.add(cm.Circle((3 * k, -2), 0.3), kind="dynamic") for k in range(3)]
    for ball, hook, make, more in zip(
        balls, hooks, (world.rod, world.rope, world.spring), ({}, {}, {"hertz": 2, "damping": 0.3}), strict=True
    ):
        make(ball, hook, from_=ball.position, to=hook.position, **more)
    worlds, singles = world.copies(2), [world.copy() for _ in range(2)]
    worlds.joint_lengths[1] = 1.9, 2.2, 1.5
    for joint, length in zip(singles[1].joints, (1.9, 2.2, 1.5), strict=True):
        joint.length = length
    for _ in range(90):
        worlds.step(DT)
        for single in singles:
            single.step(DT)
    same(worlds, singles)
    assert np.isnan(worlds.joint_angles).all() and worlds.joint_errors.max() < 1e-9


def test_one_body_of_copies_is_told_as_the_body_of_a_world() -> None:
    world, n = craft(), 3
    worlds, singles = world.copies(n), [world.copy() for _ in range(n)]
    hull = worlds.of_body(world.body(3))
    mine = [single.body(3) for single in singles]
    for step in range(60):
        told = np.arange(n) + 0.1 * step
        if step % 10 == 3:
            hull.velocity = np.stack((told, -told), axis=1)
            worlds.of_body(3, [1, 2]).spin = told[1:]
            worlds.of_body(3, slice(0, 1)).force = 3, 4
            hull.torque = 0.5
            for k, body in enumerate(mine):
                body.velocity = float(told[k]), float(-told[k])
                if k:
                    body.spin = float(told[k])
                else:
                    body.force = (3, 4)
                body.torque = 0.5
        if step % 10 == 7:
            worlds.apply_impulses(3, np.stack((told, told), axis=1), at=hull.position + np.array((0.1, 0.2)))
            worlds.apply_impulses(3, (1, 0), copies=[True, False, False])
            for k, body in enumerate(mine):
                body.apply_impulse((float(told[k]),) * 2, at=body.position + cm.Vec(0.1, 0.2))
            mine[0].apply_impulse((1, 0))
        if step == 35:
            worlds.of_body(3, [2]).position += (0, 0.5)
            mine[2].position += (0, 0.5)
            worlds.of_body(6).angle = 0.25
            for single in singles:
                single.body(6).angle = 0.25
        worlds.step(DT)
        for single in singles:
            single.step(DT)
        same(worlds, singles)
    assert hull.position.tolist() == [list(body.position) for body in mine]
    assert hull.force == pytest.approx(np.array([body.force for body in mine]), abs=1e-12)
    assert hull.torque == pytest.approx([body.torque for body in mine], abs=1e-12)
    inertia = worlds.of_body(6, 0)
    before = float(inertia.spin[0])
    inertia.apply_impulse((0, 0), turn=0.01)
    assert inertia.spin[0] - before == pytest.approx(0.01 / (0.5 * 0.25 * 1.0), rel=1e-9)  # of a disc, m r r / 2
    for call, said in (
        (lambda: worlds.of_body(99), "no body of the copies"),
        (lambda: worlds.of_body(0).apply_impulse((1, 0)), "is for dynamic bodies"),
        (lambda: setattr(worlds.of_body(0), "velocity", (1, 0)), "of a body that moves"),
        (lambda: worlds.of_body(3, [7]), "must be from 0 to 2"),
        (lambda: setattr(hull, "velocity", np.zeros((2, 2))), "velocity"),
        (lambda: hull.apply_impulse((1e200, 0)), "impulse"),
    ):
        with pytest.raises(ValueError, match=said):
            call()
    assert [worlds.world(k).digest() for k in (1, 2)] == [single.digest() for single in singles[1:]]


def test_written_slices_are_never_lost() -> None:
    world = craft()
    worlds = world.copies(3)
    worlds.velocities[:, 3:][:, 0, 1] = 1, 2, 3
    assert worlds.velocities[:, 3, 1].tolist() == [1, 2, 3]
    worlds.velocities[np.array([True, False, True])][:, 3, 0] = 7
    assert worlds.velocities[:, 3, 0].tolist() == [7, 0, 7]
    worlds.motor_speeds[:, 1] += 1
    assert worlds.motor_speeds[:, 1].tolist() == [1.5] * 3 and worlds.world(0).joints[1].speed == 1.5
    bounds = worlds.motor_bounds[:, 0]
    bounds[1] = 9
    assert bounds.tolist() == [3, 9, 3] and worlds.motor_bounds[:, 0].tolist() == [3, 9, 3]
    worlds.velocities[:, 3] *= 2
    assert worlds.velocities[0, 3].tolist() == [14, 2]
    column = worlds.positions
    assert type(column + 1) is np.ndarray and type(column.copy()) is np.ndarray and type(column.sum()) is np.float64
    assert type(pickle.loads(pickle.dumps(column))) is np.ndarray and type(copy.deepcopy(column)) is np.ndarray
    own = column.copy()
    own[:] = 0
    assert column[0, 3].tolist() == [0, 0] and repr(column[0, 6]) == "array([4., 2.])"
    worlds.step(DT)
    assert column[0, 3].tolist() != [0, 0]  # a column that is kept follows


def test_snapshots_are_branches_of_copies() -> None:
    world = craft()
    worlds = world.copies(4)
    worlds.velocities[:, 3, 0] = range(4)
    worlds.step(DT, steps=20)
    states, digests = worlds.snapshots(), [worlds.world(k).digest() for k in range(4)]
    some = worlds.snapshots([False, True, True, False])
    assert (len(states), len(some)) == (4, 2)
    worlds.step(DT, steps=30)
    ahead = [worlds.world(k).digest() for k in range(4)]
    worlds.reset([3, 0], to=states[[1, 2]])
    assert [worlds.world(k).digest() for k in range(4)] == [digests[2], ahead[1], ahead[2], digests[1]]
    worlds.restore(states)
    assert [worlds.world(k).digest() for k in range(4)] == digests
    worlds.step(DT, steps=30)
    assert [worlds.world(k).digest() for k in range(4)] == ahead
    worlds.restore(some[-1])
    assert [worlds.world(k).digest() for k in range(4)] == [digests[2]] * 4
    fresh = craft().copies(2)
    fresh.restore(states[2:])
    fresh.step(DT, steps=30)
    assert [fresh.world(k).digest() for k in range(2)] == ahead[2:]
    single = craft(2)
    single.step(DT, steps=90)
    worlds.restore(single.snapshot(), copies=1)
    assert worlds.world(1).digest() == single.digest()
    for call, error, said in (
        (lambda: worlds.restore(states[:2]), ValueError, "has 2 states for 4 copies"),
        (lambda: worlds.restore(with_body(cm.Circle((0, 0), 1)).snapshot()), ValueError, "rows of bodies"),
        (lambda: worlds.restore(None), TypeError, "must come from"),
        (lambda: worlds.reset(to=3), TypeError, "must come from"),
        (lambda: states[9], IndexError, "out of range"),
        (lambda: states[[0, 9]], IndexError, "out of range"),
        (lambda: worlds.reset(chosen=[True] * 4), TypeError, "copies"),
    ):
        with pytest.raises(error, match=said):
            call()


def test_a_pool_of_starts_with_other_ground_serves_copies() -> None:
    pool = cm.Worlds.of([craft(k, 0.2 * k) for k in range(3)]).snapshots()
    worlds = craft().copies(5)
    worlds.step(DT, steps=10)
    worlds.reset([0, 2, 4], to=pool[[2, 0, 1]])
    alone = [craft(2, 0.4), None, craft(0), None, craft(1, 0.2)]
    worlds.step(DT, steps=100)
    for k, single in enumerate(alone):
        if single is not None:
            single.step(DT, steps=100)
            assert worlds.world(k).digest() == single.digest()


def test_joints_of_copies_are_told_as_those_of_worlds() -> None:
    singles = [craft(k) for k in range(3)]
    worlds = cm.Worlds.of(singles)
    for step in range(60):
        worlds.step(DT)
        for single in singles:
            single.step(DT)
        for k, single in enumerate(singles):
            for row, joint in enumerate(single.joints):
                assert worlds.joint_angles[k, row] == joint.angle
                assert worlds.joint_errors[k, row] == joint.error
                assert worlds.joint_forces[k, row].tolist() == list(joint.force)
                assert worlds.joint_torques[k, row] == joint.torque
                assert joint.b is not None
                assert worlds.joint_speeds[k, row] == joint.a.spin - joint.b.spin
        assert np.isnan(worlds.joint_offsets).all(), step


def test_a_slide_on_a_body_that_turns_tells_its_speed() -> None:
    world = cm.World()
    arm = world.add(cm.Box((0, 0), (4, 0.2)), kind="kinematic", spin=0.7)
    sled = world.add(cm.Box((1, 0.4), (0.4, 0.4)), kind="dynamic", velocity=(1, 0.5))
    world.slide(sled, arm, (1, 0.4), axis=(1, 0))
    worlds = world.copies(1)
    worlds.step(0.05)
    before = float(worlds.joint_offsets[0, 0])
    told = float(worlds.joint_speeds[0, 0])
    worlds.step(1e-5)
    assert (worlds.joint_offsets[0, 0] - before) / 1e-5 == pytest.approx(told, abs=1e-4)


def test_what_copies_touch() -> None:
    singles = [craft(k, 0.1 * k) for k in range(3)]
    worlds = cm.Worlds.of(singles)
    found = set()
    for _ in range(90):
        worlds.step(DT)
        told = [single.step(DT) is None or single.contacts() for single in singles]
        contacts = worlds.contacts()
        for k, one in enumerate(told):
            mine = contacts.world == k
            assert np.array_equal(contacts.body[mine], one.body) and np.array_equal(contacts.given[mine], one.given)
        touching = worlds.touching([3, 4, 5, 6], layer="ground")
        for k, one in enumerate(told):
            on_ground = {int(b) for a, b in zip(one.body, one.other, strict=True) if a < 3}
            assert touching[k].tolist() == [row in on_ground for row in (3, 4, 5, 6)]
        found |= set(map(tuple, touching.tolist()))
        near = worlds.touching(world_body := singles[0].body(6), within=1.0)
        for k, single in enumerate(singles):
            assert near[k, 0] == bool(single.query(single.body(6), within=1.0)), world_body
    assert len(found) > 2
    assert set(contacts.flat()) >= {"copy", "body", "other", "nx"}


def test_own_shapes_in_questions() -> None:
    singles = [craft(k, 0.1 * k) for k in range(3)]
    worlds = cm.Worlds.of(singles)
    worlds.step(DT, steps=40)
    for single in singles:
        single.step(DT, steps=40)
    ball = singles[0].body(6)
    assert [one.position for one in worlds.shapes_of(ball)] == [single.body(6).position for single in singles]
    for k, single in enumerate(singles):
        mine = single.body(6)
        lists = worlds.query(ball, within=3.0)
        assert lists.rows[lists.offsets[k] : lists.offsets[k + 1]].tolist() == [
            one.row for one in single.query(mine, within=3.0)
        ]
        ways = [(0, -5), (-5, 0)]
        assert worlds.cast(ball, [ways]).fraction[k].tolist() == [
            hit.fraction if (hit := single.cast(mine, way)) else math.inf for way in ways
        ]
        near = single.nearest(mine, 2)
        assert worlds.nearest(ball, 2).rows[k].tolist() == near.rows.tolist()


def test_rays_broadcast_as_numpy_does() -> None:
    world = craft()
    worlds = world.copies(4)
    origins, rays = np.array([[[0.0, k]] for k in range(1, 5)]), np.array([(0, -9.0), (1, -9), (2, -9)])
    found = worlds.raycast(origins, rays)
    assert found.distance.shape == (4, 3)
    assert np.array_equal(found.distance[2], world.raycast(np.tile(origins[2], (3, 1)), rays).distance)
    square = worlds.raycast(origins, np.vstack((rays, rays[:1])))  # as many rays as copies
    assert np.array_equal(square.distance[:, :3], found.distance)
    with pytest.raises(ValueError, match="do not go together"):
        worlds.raycast(origins[:, 0], np.zeros((4, 3, 2)))


def test_several_steps_are_one_call() -> None:
    world = craft()
    one, other = world.copies(2), world.copies(2)
    hits, told = one.step(DT, steps=50), [other.step(DT) for _ in range(50)]
    assert [one.world(k).digest() for k in range(2)] == [other.world(k).digest() for k in range(2)]
    assert len(hits) == sum(map(len, told)) > 0
    assert hits.time.tolist() == [t + k * DT for k, part in enumerate(told) for t in part.time.tolist()]


def test_sensors_and_overlaps_of_copies() -> None:
    world = cm.World(overlaps="report")
    zone = world.add(cm.Box((0, 0), (2, 2)), sensor=True)
    crate = world.add(cm.Box((5, 0), (1, 1)), kind="dynamic")
    world.add(cm.Box((9, 0), (1, 1)))
    worlds = world.copies(3)
    worlds.positions[:, crate.row, 0] = 0.5, 3, 8.5
    worlds.step(DT)
    assert worlds.inside(zone).tolist() == [[False, True, False], [False] * 3, [False] * 3]
    overlaps = worlds.overlaps()
    assert overlaps.world.tolist() == [2] and overlaps.depth.tolist() == pytest.approx([0.5])
    with pytest.raises(ValueError, match="is no sensor"):
        worlds.inside(crate)
