"""Violent islands: opened ways leave no row short, pushes are no velocity, and no pair ends a step too deep."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

import carom as cm
from carom.world.step.declared import make
from carom.world.step.solve.open_ways import MOST_OF_GAPS, open_rows
from carom.world.step.solve.rows import Rows

SKIN = 0.008


def chain(rng: Random, count: int) -> Rows:
    """Return rows of a stack of bodies that only move upwards, the lowest on what cannot be moved."""
    rows = make(Rows, contacts=count, bodies=count, nodes=0, blocks=0, changes=0)
    table = rows.table
    for r in range(count):
        below, above = (r - 1 if r else count), r
        table["i"][r], table["j"][r] = below, above
        table["jacobian"][r] = np.array([0.0, -1.0 if r else 0.0, 0.0, 0.0, 1.0, 0.0]) / math.sqrt(2.0 if r else 1.0)
        table["wanted"][r], table["share"][r] = rng.uniform(-2, 1), 0.1
    rows.push[:count, 0] = [2.0**k for k in range(count)]
    return rows


@pytest.mark.parametrize("seed", range(5))
def test_opened_rows_lack_no_more_than_does_not_matter(seed: int) -> None:
    count = 40
    rows = chain(Random(seed), count)
    open_rows(rows, 0, count, MOST_OF_GAPS)
    height = rows.ahead[:count, 1]
    there = np.diff(height, prepend=0.0) / np.where(np.arange(count), math.sqrt(2.0), 1.0)
    assert (rows.table["wanted"][:count] - there <= 0.1 * 1.5 + 1e-12).all()
    assert (rows.table["step"][:count] >= 0.0).all()
    assert rows.ahead[count].tolist() == [0.0, 0.0, 0.0], "what cannot be moved stays"


def test_what_lacks_nothing_is_not_pushed() -> None:
    rows = chain(Random(0), 10)
    rows.table["wanted"][:10] = 0.05
    open_rows(rows, 0, 10, MOST_OF_GAPS)
    assert not rows.ahead.any()


def bin_of(boxes: int, seed: int, order: int) -> tuple[cm.World, list[cm.Body]]:
    """Return boxes of many sizes above each other in a bin, put in from below or from above."""
    world, rng = cm.World(gravity=(0, -10)), np.random.default_rng(seed)
    for center, size in (((0, -1), (14, 2)), ((-6, 40), (2, 84)), ((6, 40), (2, 84))):
        world.add(cm.Box(center, size))
    shapes = [
        cm.Box(
            (-4 + 2 * (k % 5) + rng.uniform(-0.2, 0.2), 1 + 1.3 * (k // 5)), rng.uniform(0.4, 1, 2), rng.uniform(0, 6)
        )
        for k in range(boxes)
    ]
    return world, [world.add(shape, kind="dynamic", mass=rng.uniform(0.5, 3)) for shape in shapes[::order]]


@pytest.mark.parametrize(("seed", "order"), [(1, 1), (2, -1)])
def test_no_pair_of_a_falling_pile_ends_a_step_too_deep(seed: int, order: int) -> None:
    world, bodies = bin_of(80, seed, order)
    half = np.array([min(body.shape.size) / 2 for body in world.bodies])
    rough = 0
    for _ in range(150):
        world.step(1 / 60)
        piles, state = world._store.piles, world._tables.state[0]
        rough += int(piles.solving["violent"][piles.solved[: state["solved"]]].any())
        shapes = cm.Shapes([body.shape for body in world.bodies])
        near = cm.pairs(shapes)
        near = near[(near >= 3).any(axis=1)]
        depth = -cm.separation(shapes[near[:, 0]], shapes[near[:, 1]]) / (SKIN * half[near].min(axis=1))
        assert depth.max(initial=0.0) <= 0.3 + 1e-6
    assert rough > 20, "the pile was violent for a while"
    assert all(abs(body.position.x) < 5 and body.position.y > 0 for body in bodies)


def test_bodies_that_move_together_are_not_violent() -> None:
    world = cm.World(gravity=(0, -10))
    lift = world.add(cm.Box((0, -0.5), (20, 1)), kind="kinematic", velocity=(0, 5))
    boxes = [
        world.add(cm.Box((1.1 * k - 5, 0.5 + j), (1, 1)), kind="dynamic", velocity=(0, 5))
        for k in range(5)
        for j in range(4)
    ]
    for _ in range(30):
        world.step(1 / 60)
        piles, state = world._store.piles, world._tables.state[0]
        assert not piles.solving["violent"][piles.solved[: state["solved"]]].any()
    assert all(body.position.y - lift.position.y > 0.9 for body in boxes)
