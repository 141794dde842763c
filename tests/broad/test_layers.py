"""Layers by name and as bits: of an Index, of pairs, of moves, of bodies; what is read back is what was given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import carom as cm

HERE = [cm.Circle((0, 0), 1), cm.Circle((0.5, 0), 1), cm.Circle((0, 0.5), 1)]
NAMED: Any = {"layer": ["hero", "wall", ("wall", "glass")], "mask": [("wall", "glass"), "hero", "hero"]}
AS_BITS: Any = {"layer": [1, 2, 6], "mask": [6, 1, 1]}


def test_names_give_the_pairs_of_their_bits() -> None:
    assert cm.pairs(HERE, **NAMED).tolist() == cm.pairs(HERE, **AS_BITS).tolist() == [[0, 1], [0, 2]]
    assert cm.Index(HERE, **NAMED).pairs().tolist() == [[0, 1], [0, 2]]
    assert cm.contacts(HERE, **NAMED).pairs.tolist() == [[0, 1], [0, 2]]
    others = cm.pairs(HERE[:1], HERE[1:], layer="hero", mask="glass", others_layer=["wall", "glass"])
    assert others.tolist() == [[0, 1]]


def test_an_index_asks_the_rows_of_the_named_layers() -> None:
    index, spot = cm.Index(HERE, layer=NAMED["layer"]), cm.Point((0.2, 0.2))
    assert index.query(spot, mask="wall").tolist() == [1, 2]
    assert index.query(spot, mask=("hero", "glass")).tolist() == [0, 2]
    assert index.query(spot).tolist() == [0, 1, 2]
    assert index.insert(cm.Circle((0, 0), 1), layer="ghost").tolist() == [3]
    assert index.query(spot, mask="ghost").tolist() == [3]
    assert index.raycast((-9, 0), (20, 0), mask="glass").row == 2
    assert cm.move(cm.Circle((-9, 0), 0.5), (20, 0), index, mask="default").hits == ()


def test_rows_without_a_layer_are_on_the_default_one() -> None:
    index = cm.Index(HERE[:1])
    index.insert(HERE[1], layer="wall")
    assert index.query(HERE[2], mask="default").tolist() == [0]


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: cm.Index(HERE, layer=["a", "b"]), ValueError, "Index: layer has 2 entries for 3 rows"),
        (lambda: cm.Index(HERE, layer=["a", "b", 3]), TypeError, r"Index: layer\[2\] = 3 cannot be used"),
        (lambda: cm.Index(HERE, layer="a").query(HERE[0], mask=1), TypeError, "Index.query: mask = 1 cannot be used"),
        (lambda: cm.Index(HERE, layer=1).insert(HERE[0], layer="a"), TypeError, "Index.insert: layer = 'a' cannot"),
        (lambda: cm.pairs(HERE, layer="a", mask=1), TypeError, "pairs: mask = 1 cannot be used"),
        (lambda: cm.pairs(HERE, layer=tuple(f"{k}" for k in range(63))), ValueError, "one layer more than the 63"),
        (lambda: cm.World().add(HERE[0], layer=()), ValueError, "World.add: layer"),
        (lambda: cm.World().add(HERE[0], layer=["a", 3]), TypeError, r"World.add: layer\[1\] = 3"),
    ],
)
def test_names_and_bits_do_not_mix_and_are_counted(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


def test_a_refused_call_hands_out_no_layer() -> None:
    index = cm.Index(HERE, layer="a")
    with pytest.raises(TypeError):
        index.insert(HERE[0], layer="b", mask=3)
    assert index._layers.names == ("default", "a")


@pytest.mark.parametrize("given", ["wall", ("hero", "wall"), 5, 1])
def test_a_body_shows_the_layers_that_it_was_given(given: Any) -> None:
    world = cm.World()
    body = world.add(cm.Circle((0, 0), 1), kind="dynamic", layer=given, mask=given)
    assert (body.layer, body.mask) == (given, given)
    body.mask = None
    assert body.mask is None and cm.World().add(cm.Point((0, 0))).layer == "default"


@pytest.mark.filterwarnings("ignore:World.step. nothing has ever been on layer 'water'")
@pytest.mark.parametrize(("mask", "stops"), [("wall", 1), (("glass", "water"), 2), ("water", None), (None, 1)])
def test_a_body_meets_the_layers_of_its_mask_also_of_several(mask: Any, stops: int | None) -> None:
    world = cm.World()
    ball = world.add(cm.Circle((0, 0), 0.5), kind="dynamic", velocity=(9, 0), layer=("hero", "ball"), mask=mask)
    world.add(cm.Box((3, 0), (1, 4)), layer="wall", mask="ball")
    world.add(cm.Box((6, 0), (1, 4)), layer=("glass", "thin"), mask="hero")
    hits = world.step(0.75)
    assert [hit.other.row for hit in hits][:1] == ([] if stops is None else [stops]) and ball.row == 0


def test_the_later_response_of_several_rules_counts() -> None:
    world = cm.World()
    ball = world.add(cm.Circle((0, 0), 0.5), kind="dynamic", velocity=(9, 0), restitution=1, layer=("a", "b"))
    world.add(cm.Box((3, 0), (1, 4)), layer="wall")
    world.rule("a", "wall", "bounce")
    world.rule("b", "wall", "stop")
    world.step(1.0)
    assert ball.velocity == (0.0, 0.0)
    world.rule(("a", "b"), "wall", "pass")
    ball.velocity = (9, 0)
    assert len(world.step(1.0)) == 0 and np.isclose(ball.position.x, 11.0)
