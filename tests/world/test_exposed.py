"""Exposed stretches of edges: they only spare a look at the other parts, and are what shows from outside."""

from __future__ import annotations

import itertools
import math
from random import Random

import numpy as np
import pytest

import carom as cm
from carom.world.step.declared import rows_of
from carom.world.touching import measure_contacts


def star(x: float, y: float) -> cm.Compound:
    reach = [0.7 if k % 2 == 0 else 0.3 for k in range(10)]
    outline = [(x + r * math.cos(0.2 * math.pi * k), y + r * math.sin(0.2 * math.pi * k)) for k, r in enumerate(reach)]
    found = cm.decompose(outline)
    assert isinstance(found, cm.Compound)
    return found


def tiles(x: float, y: float) -> cm.Compound:
    return cm.Compound.from_parts([cm.Box((x + i, y + j), (1, 1)) for i, j in ((0, 0), (1, 0), (2, 0), (0, 1))])


def cart(x: float, y: float) -> cm.Compound:
    wheels = [cm.Circle((x + side, y), 0.3) for side in (-0.7, 0.7)]
    return cm.Compound.from_parts([cm.Box((x, y), (1.6, 0.3)), cm.Capsule((x, y), (x, y + 0.8), 0.1), *wheels])


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("make", [star, tiles, cart])
def test_contacts_are_the_same_as_without_noted_stretches(make, seed: int) -> None:
    rng = Random(seed)
    world = cm.World()
    for _ in range(2):
        body = world.add(make(rng.uniform(-0.8, 0.8), rng.uniform(-0.8, 0.8)), kind="dynamic")
        body.angle = rng.uniform(0, 6)
    w, form = world._tables, world._store.piles.contacts.dtype
    first, last = int(w.bodies["first_part"][1]), int(w.state["parts"][0])
    pairs = list(itertools.product(range(first), range(first, last)))
    pressing, noted, found = rows_of(form, len(pairs)), w.parts["exposed"].copy(), []
    pressing["b"], pressing["count"], pressing["normal"] = 1, 1, 1.0
    pressing["name"] = [p << 32 | q for p, q in pairs]
    for exposed in (noted, 0 * noted):
        w.parts["exposed"][:] = exposed
        measured = rows_of(form, len(pairs))
        assert measure_contacts(w, pressing, len(pairs), measured) == len(pairs)
        found.append(measured.tobytes())
    assert found[0] == found[1]


def test_the_outer_edges_of_tiles_are_exposed_and_the_inner_ones_are_not() -> None:
    world = cm.World()
    world.add(cm.Compound.from_parts([cm.Box((0, 0), (1, 1)), cm.Box((1, 0), (1, 1))]), kind="dynamic")
    w = world._tables
    spans = []
    for p in range(2):
        at = w.parts["exposed"][p] + 10
        rows = w.buffer[at : at + 16].reshape(4, 4)[:, :2]
        spans.append(np.minimum(rows[:, 1], 1.0) - np.maximum(rows[:, 0], 0.0))
    assert [np.sum(span > 0.999).item() for span in spans] == [3, 3]
    assert [np.sum(span <= 0.0).item() for span in spans] == [1, 1]
