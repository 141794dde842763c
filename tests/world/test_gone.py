"""Bodies and joints that were removed still tell what they were: in hits, in handles, in twins of their world."""

from __future__ import annotations

import copy
import pickle

import pytest

import carom as cm

DT = 1 / 60


def with_a_rope() -> tuple[cm.World, cm.Body]:
    """Return a world with a load on two ropes, of which the left one breaks in the first step."""
    world = cm.World(gravity=(0, -10))
    load = world.add(cm.Box((0, 0), (2, 1)), kind="dynamic", mass=10, data="load")
    for x, most, name in ((-1, 10, "left"), (1, 1e6, "right")):
        world.rope(load, None, (x, 0.5), (x, 3), breaks_at=(most, None), data=name)
    return world, load


def test_a_broken_hit_names_the_joint_as_it_was() -> None:
    world, load = with_a_rope()
    left, right = world.joints
    hits = world.step(DT)
    (hit,) = hits
    assert hit.kind == "broken" and hit.joint is left and hit.body is load
    assert hits.joint.tolist() == [0] and left.removed and world.joints == [right]
    assert (left.kind, left.data) == ("rope", "left")
    assert left.anchor_b == (-1, 3) and left.anchor_a.distance((-1, 0.5)) < 0.01
    with pytest.raises(ValueError, match="no longer in its world"):
        _ = left.force


def test_hits_without_a_joint_name_none() -> None:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (9, 2)))
    world.add(cm.Circle((0, 0.6), 0.5), kind="dynamic")
    hits = world.step(DT, 60)
    assert len(hits) and {hit.joint for hit in hits} == {None} and set(hits.joint.tolist()) == {-1}


def test_a_broken_hit_names_its_joint_at_a_pause_in_pickles_and_in_copies() -> None:
    world, _ = with_a_rope()
    left = world.joints[0]
    twin, many = pickle.loads(pickle.dumps(world)), world.copies(2)
    seen = [hit.joint for hit in world.events(DT) if hit.kind == "broken"]
    assert seen == [left] and left.data == "left"
    hits = twin.step(DT)
    again = pickle.loads(pickle.dumps(hits))
    assert hits[0].joint.data == again[0].joint.data == "left"
    told = many.step(DT)
    assert told.joint.tolist() == [0, 0] and many.world(1).joints[0].data == "right"
    assert list(told.flat())[-1] == list(hits.flat())[-1] == "joint"


def test_a_joint_whose_row_is_given_again_is_not_the_new_one() -> None:
    world, load = with_a_rope()
    hits = world.step(DT)
    new = world.rod(load, None, (0, 0), (0, 3))
    assert new.row == hits.joint[0] and hits[0].joint != new
    assert hits[0].joint is not None and hits[0].joint.data == "left"


@pytest.mark.parametrize("kind", ["static", "kinematic", "dynamic"])
def test_a_removed_body_tells_its_kind_data_and_last_place(kind: cm.BodyKind) -> None:
    world = cm.World()
    velocity = (0, 0) if kind == "static" else (3, 0)
    body = world.add(cm.Box((1, 2), (1, 1), 0.5), kind=kind, velocity=velocity, data=["thing"])
    world.step(0.5)
    place = body.position
    world.remove(body)
    for _ in range(4):
        assert body.removed and (body.kind, body.data, body.position, body.angle) == (kind, ["thing"], place, 0.5)
        world.step(DT)
    for name in ("velocity", "mass", "shape", "row"):
        with pytest.raises(ValueError, match="no longer in its world"):
            getattr(body, name)
    for name in ("kind", "data", "position", "angle"):
        with pytest.raises(ValueError, match="no longer in its world"):
            setattr(body, name, kind if name == "kind" else (1, 1) if name == "position" else 1.0)


def test_a_body_that_is_removed_at_a_pause_tells_where_it_was_then() -> None:
    world = cm.World()
    world.add(cm.Box((5, 0), (1, 9)))
    ball = world.add(cm.Circle((0, 0), 0.5), kind="dynamic", velocity=(8, 0), data="ball")
    for hit in world.events(1.0):
        world.remove(hit.body)
        assert hit.body.position == pytest.approx((4, 0)) and hit.body.data == "ball"
    assert ball.position == pytest.approx((4, 0))


def coin_is_taken(world: cm.World) -> list[cm.WorldHit]:
    """Return the exits that are told when a coin is removed in whose middle somebody is, in the step after."""
    for _ in range(60):
        for hit in world.step(DT):
            if hit.kind == "enter":
                world.remove(hit.other)
                return [one for one in world.step(DT) if one.kind == "exit"]
    raise AssertionError


def test_what_nobody_holds_is_known_to_the_hits_of_the_next_step() -> None:
    world = cm.World()
    world.add(cm.Circle((2, 0), 0.5), sensor=True, data="coin")
    world.add(cm.Circle((0, 0), 0.5), kind="dynamic", velocity=(6, 0))
    for twin in (world.copy(), pickle.loads(pickle.dumps(world)), copy.deepcopy(world), world):
        (exit_told,) = coin_is_taken(twin)
        assert exit_told.other.removed
        assert (exit_told.other.data, exit_told.other.kind, exit_told.other.position) == ("coin", "static", (2, 0))


def test_a_pickle_between_a_removal_and_its_exit_knows_what_went() -> None:
    world = cm.World()
    coin = world.add(cm.Circle((2, 0), 0.5), sensor=True, data={"worth": 5})
    world.add(cm.Circle((1.5, 0), 0.5), kind="dynamic", velocity=(1, 0))
    world.step(DT, 2)
    world.remove(coin)
    for twin in (pickle.loads(pickle.dumps(world)), world.copy(), world.copies(2).world(1)):
        (hit,) = twin.step(DT)
        assert hit.kind == "exit" and hit.other.data == {"worth": 5} and hit.other.position == (2, 0)
    before, old = world.snapshot(), world.copy()
    world.step(DT, 9)
    world.restore(before)
    assert world.step(DT)[0].other.data == old.step(DT)[0].other.data == {"worth": 5}


def test_what_nobody_held_is_forgotten_after_two_steps() -> None:
    world = cm.World()
    row = world.add(cm.Box((9, 9), (1, 1)), data="post").row
    world.add(cm.Circle((9, 9.9), 0.5), kind="dynamic", velocity=(0, -5))
    hits = world.step(DT)
    world.remove(world.body(row))
    assert hits[0].other.data == "post"
    assert not world._store.gone_data or world.step(DT) is not None
    world.step(DT, 3)
    assert not world._store.gone and not world._store.gone_data
    with pytest.raises(ValueError, match="no longer in its world"):
        _ = hits[0].other.data


def test_a_restored_body_is_itself_again() -> None:
    world = cm.World()
    body = world.add(cm.Box((0, 0), (1, 1)), kind="kinematic", velocity=(1, 0), data=1)
    before = world.snapshot()
    world.step(0.5)
    world.remove(body)
    assert body.position.x == 0.5
    world.restore(before)
    assert not body.removed and body.position.x == 0.0
    body.data = 2
    world.step(1.0)
    world.remove(body)
    assert (body.position.x, body.data) == (1.0, 2)


# Bodies that wait are told.


def test_a_door_that_is_set_beyond_a_wall_is_told_as_long_as_it_waits() -> None:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((3, 0), (0.5, 8)))
    door = world.add(cm.Box((1, 0), (2, 0.2)), kind="dynamic")
    world.pin(door, None, (0, 0))
    door.position = (6, 0)
    told = 0
    for _ in range(60):
        waiting = [hit for hit in world.step(DT) if hit.kind == "stalled"]
        assert len(waiting) == (1 if door.waited > 0 else 0)
        told += len(waiting)
        assert all(hit.body is door and hit.other is door for hit in waiting)
    assert told > 30


def test_a_leader_that_waits_for_what_it_leads_is_told() -> None:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((6, 0), (1, 30)))
    cart = world.add(cm.Box((0, 5), (1, 0.5)), kind="kinematic", velocity=(3, 0))
    world.add(cm.Box((30, 0), (1, 1)))
    ball = world.add(cm.Circle((0, 2), 0.5), kind="dynamic")
    world.rod(ball, cart, (0, 2), (0, 5))
    cart.mask = 0
    kinds = []
    for _ in range(300):
        hits = world.step(DT)
        if cart.waited > 0 or ball.waited > 0:
            kinds.append({hit.kind for hit in hits} & {"stalled", "crushed"})
    assert kinds and all(kinds)


def test_what_goes_on_is_not_told_as_waiting() -> None:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (20, 2)))
    lift = world.add(cm.Box((0, 1), (2, 0.4)), kind="kinematic", velocity=(0, 1))
    arm = world.add(cm.Box((5, 4), (2, 0.2)), kind="dynamic")
    world.pin(arm, None, (4, 4))
    hits = world.step(DT, 120)
    assert "stalled" not in hits.kind.tolist() and lift.position.y == pytest.approx(3)


@pytest.mark.parametrize("count", range(3, 12))
def test_a_body_that_was_removed_is_no_neighbour_of_those_it_lay_on(count: int) -> None:
    """Lists of neighbours named it on, and its number -1 stood for the body in the last row of a full table."""
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (20, 2)))
    heap = [world.add(cm.Box((0.3 * (k % 3), 0.5 + k), (1, 1)), kind="dynamic") for k in range(count)]
    world.step(DT, steps=30)
    for body in heap[1::3]:
        world.remove(body)
        many = world.copies(1)  # whose tables have no row to spare
        for _ in range(10):
            world.step(DT)
            many.step(DT)
            assert many.world(0).digest() == world.digest()
