"""WorldHits: a class of columns that gives each hit with its bodies, also removed ones; steps of no time."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import carom as cm
from carom.world.reports.hits import KINDS
from carom.world.step import tables
from tests.support.smooth_world import SmoothWorld


def bounced() -> tuple[cm.World, cm.Body, cm.Body, cm.WorldHits]:
    world = SmoothWorld()
    ball = world.add(cm.Circle((0, 0), 0.5), kind="dynamic", velocity=(10, 0), restitution=1)
    wall = world.add(cm.Box((5, 0), (1, 9)))
    world.add(cm.Box((-5, 0), (1, 9)))
    return world, ball, wall, world.step(0.5, 6)


def test_hits_are_a_sequence_of_their_rows() -> None:
    _, ball, wall, hits = bounced()
    assert len(hits) == 4 and hits and not hits[4:]
    assert hits[0] == next(iter(hits)) and hits[-1] == [*hits][3]
    assert (hits[0].body, hits[0].other, hits[0].kind) == (ball, wall, "hit")
    assert [hit.time for hit in hits[1:3]] == hits.time[1:3].tolist() == [1.2, 2.0]
    assert hits.kind[0] == cm.HitKind.HIT and hits.normal.tolist()[0] == [-1.0, 0.0] == list(hits[0].normal)
    assert repr(hits) == "<WorldHits: 4 hit>"


def test_a_removed_body_comes_as_its_handle_even_if_its_row_is_given_again() -> None:
    world, _, wall, hits = bounced()
    world.remove(wall)
    world.step(0.01)
    other = world.add(cm.Circle((99, 0), 1))
    assert other.row == hits.other[0] and hits[0].other == wall != other and hits[0].other.removed


def test_columns_that_are_read_late_are_those_of_their_step() -> None:
    world, ball, wall, _ = bounced()
    at_once, late, kept = (world.copy().step(0.5, steps) for steps in (6, 6, 1))
    hits = world.step(0.5)
    told = {name: column.copy() for name, column in at_once.flat().items()}
    world.remove(wall)
    world.step(0.5, 3)
    assert len(late) == len(at_once) and len(hits) == len(kept)
    for read in (late, pickle.loads(pickle.dumps(late)), late[:]):
        assert {name: column.tolist() for name, column in read.flat().items()} == {
            name: column.tolist() for name, column in told.items()
        }
    assert hits.flat().keys() == told.keys() and hits.time.tolist() == kept.time.tolist()
    assert hits.time is hits.time and hits.time.flags.writeable
    assert all(hit.body == ball and hit.other == wall for hit in hits)
    with pytest.raises(AttributeError, match="WorldHits has no attribute 'times'; did you mean time"):
        _ = world.step(0.5).times  # type: ignore[attr-defined]


def test_columns_are_frozen_and_wrong_rows_refused() -> None:
    *_, hits = bounced()
    with pytest.raises(AttributeError):
        hits.time = hits.time  # type: ignore[misc]
    with pytest.raises(IndexError, match="index 4 is out of range; there are 4 hits"):
        hits[4]
    with pytest.raises(TypeError, match="index = 'a' must be a place or a mask"):
        hits["a"]  # type: ignore[call-overload]


def test_a_step_of_no_time_is_no_motion() -> None:
    world, ball, _, _ = bounced()
    before, at = world.digest(), ball.position
    assert len(world.step(0)) == len(world.step(0.0, 3)) == len([*world.events(0)]) == 0
    assert (world.digest(), ball.position) == (before, at)
    with pytest.raises(ValueError, match=r"World.step: dt = -1 must be positive"):
        world.step(-1)


def test_events_and_hits_of_sensors_are_the_same() -> None:
    def make() -> cm.World:
        world = SmoothWorld()
        world.add(cm.Circle((0, 0), 0.5), kind="dynamic", velocity=(10, 0))
        world.add(cm.Box((5, 0), (1, 9)), sensor=True)
        return world

    hits, events = make().step(1.0), [*make().events(1.0)]
    assert [(hit.kind, hit.time) for hit in hits] == [(hit.kind, hit.time) for hit in events]
    assert hits.kind.tolist() == [cm.HitKind.ENTER, cm.HitKind.EXIT]


def test_a_body_shows_all_that_it_was_given() -> None:
    world = SmoothWorld()
    gate = world.add(cm.Box((5, 0), (1, 9)), sensor=True, response="slide", one_way=(0, 2))
    assert (gate.sensor, gate.response, gate.one_way, gate.pivot) == (True, "slide", (0.0, 1.0), (5.0, 0.0))
    door = world.add(cm.Box((0, 0), (2, 1)), kind="kinematic", spin=1.0, velocity=(2, 0), pivot=(-1, 0))
    world.step(0.5)
    assert door.pivot is not None and np.allclose(door.pivot, (0, 0)) and door.one_way is None


def through_a_gate() -> tuple[cm.World, cm.Body, cm.Body]:
    world = SmoothWorld()
    gate = world.add(cm.Box((5, 0), (2, 2)), sensor=True)
    return world, gate, world.add(cm.Circle((0, 0), 0.5), kind="dynamic", velocity=(100, 0))


def test_kinds_compare_with_words_and_members_in_columns_and_rows() -> None:
    world, _, _ = through_a_gate()
    copies = world.copies(2)
    hits, of_copies = world.step(1.0), copies.step(1.0)
    for word in ("enter", cm.HitKind.ENTER):
        assert (hits.kind == word).tolist() == [True, False] == [hit.kind == word for hit in hits]
        assert (of_copies.kind == word).tolist() == [True, False] * 2
    assert isinstance(hits[0].kind, cm.HitKind) and hits.kind[1] == hits[1].kind
    assert np.isin(hits.kind, list(cm.HitKind)).all() and hits.flat()["kind"].tolist() == ["enter", "exit"]
    assert [kind.value for kind in KINDS] == ["hit", "enter", "exit", "crushed", "stalled", "cut", "overlap", "broken"]
    numbers = [tables.HIT, tables.ENTERED, tables.EXITED, tables.CRUSHED, tables.STALLED, tables.CUT]
    assert [*numbers, tables.OVERLAPPED, tables.BROKEN] == [*range(len(KINDS))]


def test_a_body_has_one_handle_wherever_the_world_names_it() -> None:
    world, gate, hero = through_a_gate()
    crate = world.add(cm.Box((0, 5), (1, 1)), kind="dynamic", acceleration=(0, -10))
    floor = world.add(cm.Box((0, 4), (9, 1)))
    paused = next(iter(world.events(0.05)))
    assert paused.body is hero and paused.other is gate and world.inside(gate)[0] is hero
    hits = world.resume() or world.step(0.1)
    assert hits[0].body is hero and hits[0].other is gate
    assert world.bodies[1] is hero is world.body(hero.row) is copy.copy(hero)
    assert crate.resting_on[0][0] is floor
    state = world.snapshot()
    world.remove(hero)
    world.restore(state)
    assert world.body(hero.row) is hero and not hero.removed
    other = world.copy()
    assert other.body(hero.row) is not hero and other.body(hero.row) != hero


def test_a_pickled_or_deeply_copied_body_is_the_handle_of_its_world() -> None:
    world, gate, hero = through_a_gate()
    gate.data, hero.data = [hero], (world, gate)
    for given in ((world, hero), (hero, world), (gate.data, world)):
        for made in (pickle.loads(pickle.dumps(given)), copy.deepcopy(given)):
            first = made[0] if isinstance(made[0], cm.World) else made[1]
            assert first.body(gate.row).data[0] is first.body(hero.row) is not hero
            assert first.body(hero.row).data == (first, first.body(gate.row))
            held = made[0][0] if isinstance(made[0], list) else next(one for one in made if isinstance(one, cm.Body))
            assert first.body(hero.row) is held


def test_a_body_compared_with_a_row_names_the_way() -> None:
    world, _, hero = through_a_gate()
    hits = world.step(1.0)
    with pytest.raises(TypeError, match=r"compared with 1, .*hits.body\[0\] == hero.row.*hits\[0\].body == hero"):
        hits.body[0] == hero  # noqa: B015
    for compare in (lambda: hero == 1, lambda: hits.body == hero, lambda: hero in hits.body, lambda: hero != 1):
        with pytest.raises(TypeError, match=r"compared with 1, .*hero\.row"):
            compare()
    assert hero != "hero" and hero is not None and (np.array([hero, None, "a"], dtype=object) == hero).tolist()[0]


def test_a_mask_or_places_choose_hits_with_their_columns_and_bodies() -> None:
    world = cm.World(gravity=(0, -10))
    floor = world.add(cm.Box((0, -1), (20, 2)))
    sensor = world.add(cm.Box((0, 0.5), (20, 0.4)), sensor=True)
    balls = [world.add(cm.Circle((2 * k, 1.5 + k), 0.5), kind="dynamic", mass=1 + 9 * k) for k in range(3)]
    hits = world.step(1 / 60, steps=90)
    hard = hits[hits.impulse > 20]
    assert 0 < len(hard) < len(hits) and (hard.impulse > 20).all()
    assert [hit.body for hit in hard] == [hit.body for hit in hits if hit.impulse > 20]
    assert {hit.other for hit in hits.of_kind("enter")} == {sensor}
    assert {hit.body for hit in hits.of_kind("enter")} == set(balls)
    assert {hit.other for hit in hits.of_kind("hit")} == {floor}
    assert hits[[2, 0]].time.tolist() == [hits.time[2], hits.time[0]] == hits[np.array([2, -len(hits)])].time.tolist()
    assert len(hits[[]]) == len(hits[np.zeros(len(hits), bool)]) == len(hits.of_kind("broken")) == 0
    for wrong, error in (
        (hits.impulse[1:] > 5, IndexError),
        ([99], IndexError),
        ("enter", TypeError),
        ([0.5], TypeError),
    ):
        with pytest.raises(error, match="WorldHits"):
            hits[wrong]
    many = world.copies(3)
    many.velocities = np.full((3, world.rows().size, 2), 0.0)
    again = many.step(0.01)
    assert set(again[again.world == 1].world.tolist()) <= {1} and len(again.of_kind("cut")) == 0
