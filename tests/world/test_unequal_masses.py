"""Masses that differ much, and stacks that are carried: no energy, no overlap, a bounded search, the same in copies."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

import carom as cm
from carom.world.joints.elimination import factor, solve_places
from carom.world.joints.tables import Matrix
from carom.world.step.solve.body_order import find_structure, order_bodies
from carom.world.step.solve.island_kinds import UNEQUAL

SKIN = 0.008


@pytest.mark.parametrize("seed", range(4))
def test_the_factor_of_blocks_solves_as_a_dense_matrix_does(seed: int) -> None:
    rng, count = Random(seed), 15
    pairs = [tuple(rng.sample(range(count), 2)) for _ in range(25)]
    near, place = np.zeros((count, count), np.bool_), np.zeros(count, np.int64)
    for a, b in pairs:
        near[a, b] = near[b, a] = True
    blocks, changes = order_bodies(near, near.sum(axis=1), place)
    whole = [np.zeros(size, np.int64) for size in (count + 1, blocks, count + 1, changes)]
    matrix = Matrix(*whole, np.zeros((count, 9)), np.zeros((count, 6)), np.zeros((blocks, 9)))
    block = np.empty((count, count), np.int64)
    find_structure(near, place, matrix, block)
    matrix.diagonal[:] = np.eye(3).ravel()
    dense = np.eye(3 * count)
    for a, b in pairs:
        row, weight = np.array([rng.uniform(-1, 1) for _ in range(6)]), 10 ** rng.uniform(-3, 6)
        p, q, halves = place[a], place[b], (row[:3], row[3:])
        matrix.diagonal[p] += weight * np.outer(halves[0], halves[0]).ravel()
        matrix.diagonal[q] += weight * np.outer(halves[1], halves[1]).ravel()
        later = int(q > p)
        matrix.off[block[p, q]] += weight * np.outer(halves[later], halves[1 - later]).ravel()
        whole_row = np.zeros((count, 3))
        whole_row[p], whole_row[q] = halves
        dense += weight * np.outer(whole_row, whole_row)
    factor(matrix, 0, count)
    right = np.array([[rng.uniform(-1, 1) for _ in range(3)] for _ in range(count)])
    found = right.copy()
    solve_places(matrix, found, 0, count)
    assert dense @ found.ravel() == pytest.approx(right.ravel(), abs=1e-6)
    assert found.ravel() == pytest.approx(np.linalg.solve(dense, right.ravel()), abs=1e-6)


def heavy_on_light(ratio: float) -> cm.World:
    """Return ten heavy discs above forty light boxes in a bin."""
    world, rng = cm.World(gravity=(0, -10)), np.random.default_rng(3)
    for center, size in (((3, -0.5), (8, 1)), ((-0.5, 8), (1, 18)), ((6.5, 8), (1, 18))):
        world.add(cm.Box(center, size))
    for k in range(40):
        box = cm.Box((0.6 + k % 5 * 1.05, 0.5 + k // 5), (0.7, 0.7), rng.uniform(0, 3))
        world.add(box, kind="dynamic", mass=1)
    for k in range(10):
        world.add(cm.Circle((0.7 + k % 5 * 1.05, 9 + k // 5 * 1.1), 0.45), kind="dynamic", mass=ratio)
    return world


@pytest.mark.parametrize(("ratio", "more"), [(1e3, 1e-6), (1e6, 0.01)])
def test_heavy_discs_on_light_boxes_make_no_energy_and_leave_none_deep(ratio: float, more: float) -> None:
    world = heavy_on_light(ratio)
    half = np.array([min(body.shape.size) / 2 if isinstance(body.shape, cm.Box) else 0.45 for body in world.bodies])
    masses = np.array([body.mass if body.kind == "dynamic" else 0.0 for body in world.bodies])

    def energy() -> float:
        motion = 0.5 * (world.velocities[masses > 0] ** 2).sum(axis=1) + 10 * world.positions[masses > 0, 1]
        return float((masses[masses > 0] * motion).sum())

    before, settled = energy(), 0
    for _ in range(100):
        world.step(1 / 60)
        settled += world._store.piles.islands.missed[: world._tables.state["islands"][0]].max(initial=0.0) < 10
        assert energy() <= before * (1 + more), "what opens a gap lifts"
        shapes = cm.Shapes([body.shape for body in world.bodies])
        near = cm.pairs(shapes)
        near = near[(near >= 3).any(axis=1)]
        depth = -cm.separation(shapes[near[:, 0]], shapes[near[:, 1]]) / (SKIN * half[near].min(axis=1))
        assert depth.max(initial=0.0) <= 0.3 + 1e-6
    assert settled >= 85
    assert all(0 < body.position.x < 6 and body.position.y > 0 for body in world.bodies[3:])


def test_copies_solve_unequal_masses_as_the_world_does() -> None:
    world = heavy_on_light(1e4)
    worlds = world.copies(2)
    for _ in range(45):
        world.step(1 / 60)
        worlds.step(1 / 60)
    assert np.array_equal(worlds.positions[0], world.positions, equal_nan=True)
    assert np.array_equal(worlds.positions[1], world.positions, equal_nan=True)


@pytest.mark.parametrize("velocity", [(0.2, 0.0), (3.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
@pytest.mark.parametrize("height", [8, 13, 20])
def test_a_stack_that_is_carried_stands(height: int, velocity: tuple[float, float]) -> None:
    world = cm.World(gravity=(0, -10))
    base = world.add(cm.Box((0, -0.5), (60, 1)), kind="kinematic", velocity=velocity)
    boxes = [world.add(cm.Box((0, 0.5 + k), (1, 1)), kind="dynamic", velocity=velocity) for k in range(height)]
    world.step(1 / 60, steps=900)
    for k, box in enumerate(boxes):
        assert box.position.x - base.position.x == pytest.approx(0.0, abs=1e-4)
        assert box.position.y - base.position.y == pytest.approx(1.0 + k, abs=0.02)
        assert math.hypot(box.velocity.x - velocity[0], box.velocity.y - velocity[1]) < 1e-4


@pytest.mark.parametrize("ratio", [2e4, 1e5, 1e6, 1e7, 1e8, 1e9])
@pytest.mark.parametrize("beside", [False, True])
def test_a_light_box_that_a_heavy_one_falls_on_is_not_thrown(ratio: float, beside: bool) -> None:
    """Normals that settled before frictions pressed it out: thrown at up to thousands of units a second."""
    for seed in range(10):
        rng, world = np.random.default_rng(seed), cm.World(gravity=(0, -10))
        world.add(cm.Box((0, -0.5), (40, 1)))
        bodies = [world.add(cm.Box((0, 0.5), (1, 1)), kind="dynamic", mass=1)]
        if beside:
            place = rng.choice([-1, 1]) * rng.uniform(1.05, 1.6), 0.5
            bodies.append(world.add(cm.Box(place, (1, 1)), kind="dynamic", mass=10 ** rng.uniform(0, 2)))
        place = rng.uniform(-0.8, 0.8), 2 + rng.choice([0.2, 1.0, 3.0])
        shape = cm.Box(place, rng.uniform(0.6, 1.6, 2), rng.uniform(-0.8, 0.8))
        bodies.append(world.add(shape, kind="dynamic", mass=ratio))
        for _ in range(60):
            before = max(math.hypot(*body.velocity) + 0.8 * abs(body.spin) for body in bodies)
            world.step(1 / 60)
            unequal = world._store.piles.islands.kind[: world._tables.state["islands"][0]] == UNEQUAL
            assert max(math.hypot(*body.velocity) for body in bodies) <= 3 * (before + 2 * 10 / 60)
            assert (world._store.piles.islands.missed[: unequal.shape[0]][unequal] <= 10).all()
