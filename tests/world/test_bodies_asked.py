"""Bodies, characters and triggers stand for their shapes in questions; a world passes by the body that asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import carom as cm

ELL = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)]
WORLD = cm.World()
BODIES = [
    WORLD.add(cm.Circle((0, 0), 1), kind="dynamic"),
    WORLD.add(cm.Box((3, 0), (1, 1), 0.3), kind="dynamic"),
    WORLD.add(cm.decompose(ELL).translated((0.5, 0.5)), kind="dynamic"),
    WORLD.add(cm.Box((0, 0), (6, 6)), sensor=True),
]
VERBS: dict[str, Callable[[Any, Any], Any]] = {
    "intersects": cm.intersects,
    "intersects, touching": lambda a, b: cm.intersects(a, b, touching=False),
    "separation": cm.separation,
    "distance": cm.distance,
    "contains": cm.contains,
    "closest": lambda a, b: repr(cm.closest(a, b)),
    "collide": lambda a, b: repr(cm.collide(a, b)),
    "cast": lambda a, b: repr(cm.cast(a, b, (9, 0.25))),
    "cast, turning": lambda a, b: repr(cm.cast(a, b, (9, 0.25), rotation=1.0)),
    "cast, both turning": lambda a, b: repr(cm.cast(a, b, (9, 0.25), rotation=1.0, other_rotation=0.5)),
    "raycast": lambda _, b: repr(cm.raycast((-9, 0.1), (20, 0), b)),
    "bounds": lambda a, _: cm.bounds(a),
    "bounding_circle": lambda a, _: repr(cm.bounding_circle(a)),
    "explain": lambda a, b: cm.explain(a, b).verdict,
    "pairs": lambda a, b: (
        cm.pairs([a, b]).tolist() if not isinstance(getattr(a, "shape", a), cm.Compound) else len(cm.Index(a))
    ),
    "move": lambda a, b: repr(cm.move(cm.Circle((-9, 0), 1), (9, 0), b)),
}


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("a", BODIES, ids=lambda body: type(body.shape).__name__)
@pytest.mark.parametrize("b", BODIES, ids=lambda body: type(body.shape).__name__)
def test_a_body_is_asked_about_as_its_shape_is(verb: str, a: cm.Body, b: cm.Body) -> None:
    if verb == "pairs" and cm.Compound in (type(a.shape), type(b.shape)):
        pytest.skip("lists hold shapes of one part")
    ask = VERBS[verb]
    expected = ask(a.shape, b.shape)
    assert ask(a, b) == ask(a.shape, b) == ask(a, b.shape) == expected


def test_bodies_in_a_list_go_row_by_row() -> None:
    assert cm.distance(BODIES[:2], BODIES[3]).tolist() == [0.0, 0.0]


def test_characters_and_triggers_are_asked_about_by_their_shapes() -> None:
    hero = cm.Character(cm.Circle((5, 0), 1), up=(0, 1))
    coin = cm.read_grid("P").named("P")[0]
    assert cm.distance(hero, BODIES[0]) == 3.0
    assert cm.distance(hero, coin) == cm.distance(hero.shape, coin.shape)


def test_a_world_passes_by_the_body_that_is_asked_about() -> None:
    ball, box, ell, sensor = BODIES
    assert WORLD.query(ball) == [ell] == WORLD.query(ball.shape, ignore=ball)
    assert WORLD.query(ball, ignore=ell) == WORLD.query(ball, ignore=[ell]) == WORLD.query(ball, ignore=ell.row) == []
    assert WORLD.query(ell, sensors=True) == [ball, box, sensor]
    assert WORLD.nearest(box).bodies == WORLD.nearest(box.shape, ignore=box).bodies != [box]
    assert (found := WORLD.cast(ball, (9, 0), ignore=ell)) is not None
    assert found.body is box
    assert WORLD.query(sensor) == [ball, box, ell]


def test_a_body_of_another_world_is_met_as_any_shape() -> None:
    other = cm.World()
    assert other.query(BODIES[0]) == []
    twin = other.add(BODIES[0].shape)
    assert other.query(BODIES[0]) == [twin]


def test_a_ray_goes_on_through_all_that_it_meets() -> None:
    rng = np.random.default_rng(3)
    world = cm.World()
    bodies = world.add_many(cm.Shapes.circles(rng.uniform(-20, 20, (60, 2)), rng.uniform(0.5, 3, 60)))
    world.add(cm.Box((0, 0), (3, 50)), sensor=True)
    found = world.raycast((-25, 0.5), (50, 0), all=True, ignore=bodies[:3])
    alone = {body.row: cm.raycast((-25, 0.5), (50, 0), body) for body in bodies[3:]}
    expected = sorted((hit.fraction, row) for row, hit in alone.items() if hit is not None)
    assert [(hit.fraction, hit.row) for hit in found] == expected
    assert len(expected) > 5
    with_sensor = world.raycast((-25, 0.5), (50, 0), all=True, sensors=True)
    assert sum(hit.body.sensor for hit in with_sensor) == 1
    assert world.raycast((-25, 40), (50, 0), all=True) == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"translation": [(1, 0), (2, 0)], "all": True}, "all = True is for one ray"),
        ({"all": 2}, "all = 2 must be True"),
    ],
)
def test_all_is_for_one_ray(options: dict[str, Any], said: str) -> None:
    with pytest.raises((TypeError, ValueError), match=said):
        WORLD.raycast(**({"origin": (0, 0), "translation": (1, 0)} | options))
