"""Damaged pickles of shapes, sets, Compounds and indexes raise: none becomes another value."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np
import pytest

import carom as cm

SHAPES: list[cm.Shape] = [
    cm.Circle((0, 0), 1),
    cm.Box((3, 0), (1, 2), 0.3),
    cm.Polygon([(5, 0), (6, 0), (5, 1)], radius=0.1),
    cm.Segment((0, 3), (1, 4)),
    cm.Point((7, 7)),
]
ELL = [(0, 0), (1.2, 0), (1.2, 0.4), (0.4, 0.4), (0.4, 1.2), (0, 1.2)]
KINDS = ["shape", "set", "compound", "joined", "index"]


def value_of(kind: str) -> Any:
    if kind == "index":
        index = cm.Index(cm.Shapes(SHAPES), layer="wall")
        index.insert(cm.Circle((9, 9), 1))
        index.remove([2])
        return index
    made = {
        "shape": SHAPES[2],
        "set": cm.Shapes(SHAPES),
        "compound": cm.decompose(ELL),
        "joined": cm.Compound.from_parts([SHAPES[0], cm.Box((0.5, 0), (1, 1))]),
    }
    return made[kind]


def told(value: Any) -> Any:
    """Return what a value tells of itself, to compare by."""
    if isinstance(value, cm.Index):
        return value.rows.tolist(), value.shapes, value.query(cm.Circle((0, 0), 4), mask="wall").tolist()
    return value


@pytest.mark.parametrize("kind", KINDS)
def test_a_pickle_brings_back_what_it_was_made_of(kind: str) -> None:
    value = value_of(kind)
    assert told(pickle.loads(pickle.dumps(value))) == told(value)


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_pickle_raises_or_holds_what_it_held(kind: str) -> None:
    value = value_of(kind)
    whole, content, refused = told(value), pickle.dumps(value), 0
    for seed in range(400):
        rng, damaged = random.Random(seed), bytearray(content)
        for _ in range(rng.randint(1, 3)):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        try:
            found = pickle.loads(bytes(damaged))
        except Exception:
            refused += 1
            continue
        if isinstance(found, type(value)):
            assert told(found) == whole
    assert refused > 300


def test_a_damaged_record_is_refused_by_name() -> None:
    content = pickle.dumps(cm.Circle((1.5, 2.5), 0.75))
    damaged = content.replace(np.float64(0.75).tobytes(), np.float64(-0.75).tobytes())
    assert damaged != content
    with pytest.raises(ValueError, match="damaged"):
        pickle.loads(damaged)
