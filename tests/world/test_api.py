"""A world as its user handles it: bodies, pauses, exceptions, snapshots, copies, digests, and bad input."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import carom as cm
from tests.support.plain_python import printed_by_other_mode
from tests.support.smooth_world import SmoothWorld

ELASTIC: dict[str, Any] = {"kind": "dynamic", "restitution": 1.0}


def room(seed: int = 1, gravity: tuple[float, float] = (0.5, -3.0), count: int = 12) -> cm.World:
    """Return a room with discs, boxes, turned boxes, polygons, a compound, a sensor and a moving bar."""
    rng = np.random.default_rng(seed)
    world = SmoothWorld(gravity=gravity)
    for low, high in (((-1, -1), (0, 13)), ((12, -1), (13, 13)), ((-1, -1), (13, 0)), ((-1, 12), (13, 13))):
        world.add(cm.Box.from_corners(low, high))
    world.add(cm.Circle((6, 6), 1), sensor=True)
    world.add(cm.Box((9, 2), (0.25, 1)), kind="kinematic", velocity=(-0.5, 0))
    corner = cm.decompose([(0, 0), (1, 0), (1, 0.25), (0.25, 0.25), (0.25, 1), (0, 1)])
    for k in range(count):
        x, y = 1.5 + 3 * (k % 4), 1.5 + 3 * (k // 4)
        shape = [
            cm.Circle((x, y), 0.5),
            cm.Box((x, y), (1, 0.75)),
            cm.Polygon([(x, y), (x + 1, y + 0.25), (x + 0.25, y + 0.75)]),
            cm.Capsule((x, y), (x + 0.5, y + 0.5), 0.25),
            corner.translated((x, y)),
        ][k % 5]
        velocity = np.round(rng.uniform(-8, 8, 2) * 64) / 64
        world.add(shape, velocity=velocity, mass=1 + k % 3, kind="dynamic", restitution=[1.0, 0.5, 0.0][k % 3])
    return world


GOLDEN = 15196483792750878418


def golden_digest() -> int:
    world = room()
    world.step(1 / 64, steps=30)
    return world.digest()


def test_the_digest_is_the_golden_one() -> None:
    assert golden_digest() == GOLDEN


def test_plain_python_has_the_golden_digest() -> None:
    code = "from tests.world.test_api import golden_digest; print(golden_digest())"
    assert int(printed_by_other_mode(code)) == GOLDEN


def test_two_threads_at_once_have_the_golden_digest() -> None:
    with ThreadPoolExecutor(2) as pool:
        assert [work.result() for work in [pool.submit(golden_digest) for _ in range(2)]] == [GOLDEN] * 2


@pytest.mark.parametrize("way", ["copy", "deep", "pickle", "snapshot"])
def test_copies_continue_bit_for_bit(way: str) -> None:
    world = room()
    world.step(1 / 60, steps=20)
    if way == "snapshot":
        kept = world.snapshot()
        world.step(1 / 60, steps=20)
        expected = world.digest()
        world.step(1 / 60, steps=7)
        world.restore(kept)
        other = world
    else:
        other = {"copy": world.copy, "deep": lambda: copy.copy(world), "pickle": lambda: again(world)}[way]()
        world.step(1 / 60, steps=20)
        expected = world.digest()
        assert other.digest() != expected
    other.step(1 / 60, steps=20)
    assert other.digest() == expected


def again(world: cm.World) -> cm.World:
    loaded: cm.World = pickle.loads(pickle.dumps(world))
    return loaded


def test_many_steps_in_one_call_are_steps_one_by_one() -> None:
    one, many = room(), room()
    parts = [one.step(1 / 60) for _ in range(30)]
    together = many.step(1 / 60, steps=30)
    assert one.digest() == many.digest()
    assert np.array_equal(together.body, np.concatenate([hits.body for hits in parts]))
    assert np.array_equal(together.time, np.concatenate([hits.time + k * (1 / 60) for k, hits in enumerate(parts)]))
    assert (np.diff(together.time) >= 0).all()


def test_pausing_changes_nothing() -> None:
    one, other = room(), room()
    for _ in range(30):
        hits = one.step(1 / 60)
        paused = list(other.events(1 / 60))
        assert [(hit.body.row, hit.other.row, hit.time) for hit in paused] == list(
            zip(hits.body.tolist(), hits.other.tolist(), hits.time.tolist(), strict=True)
        )
        assert one.digest() == other.digest()


def test_reading_changes_nothing() -> None:
    worlds = [room(), room()]
    for world in worlds:
        world.add(cm.Box((6, 9), (3, 0.2)), kind="kinematic", spin=5.0, pivot=(5, 9))
        world.add(cm.Circle((3.3, 1.5), 0.5), kind="dynamic")  # in another
    read, left = worlds
    with cm.Recording(read) as tape:
        for _ in range(20):
            for _hit in read.events(1 / 60):
                assert len(read.overlaps().depth) <= 3
                for body in read.bodies:
                    _ = body.position, body.velocity, body.shape, body.angle, body.resting_on
                _ = read.positions, read.velocities, read.digest(), read.gravity
            left.step(1 / 60)
            assert read.digest() == left.digest()
    assert tape.replay().diverged is None


def wall_and_balls() -> tuple[cm.World, list[cm.Body], cm.Body]:
    world = SmoothWorld()
    wall = world.add(cm.Box((5, 0), (1, 100)))
    balls = [world.add(cm.Circle((0, 3 * k), 0.5), velocity=(16 / (k + 1), 0), **ELASTIC) for k in range(3)]
    return world, balls, wall


def test_reading_at_a_pause_gives_that_instant() -> None:
    world, balls, wall = wall_and_balls()
    for k, hit in enumerate(world.events(1.0)):
        assert (hit.kind, hit.body, hit.other) == ("hit", balls[k], wall)
        assert hit.time == 0.25 * (k + 1)
        assert hit.normal == (-1, 0)
        assert hit.point == (4.5, 3 * k)
        assert balls[k].position.x == pytest.approx(4)
        assert balls[k].velocity.x == -16 / (k + 1)
        assert balls[2].position.x == pytest.approx(16 / 3 * hit.time)
        assert world.positions[balls[2].row, 0] == pytest.approx(16 / 3 * hit.time)
    assert k == 2
    assert balls[0].position.x == pytest.approx(4 - 12)


def test_bodies_may_be_removed_added_and_changed_at_a_pause() -> None:
    world, balls, wall = wall_and_balls()
    for hit in world.events(1.0):
        assert hit.body == balls[0]
        world.remove(wall)
        world.add(cm.Box((10, 3), (1, 1)))
        balls[0].velocity = (0, 1)
    assert wall.removed
    assert balls[0].position.y == pytest.approx(0.75)
    assert balls[1].position.x == pytest.approx(8.0), "it flies on where the wall was"
    world.step(0.5)
    assert balls[1].velocity.x == pytest.approx(-8)


def play_a_while(world: cm.World) -> None:
    ball = world.bodies[-1]
    world.step(1 / 60, steps=5)
    ball.velocity = (3, 4)
    for hit in world.events(1.0):
        if hit.kind == "hit":
            hit.body.velocity = hit.body.velocity * 0.5
    new = world.add_many(cm.Shapes.circles([(6, 3), (6, 9)], 0.25), kind="dynamic", velocity=(5, 5), restitution=1)
    for _hit in world.events(1.0):
        break
    world.remove(new[0])
    world.rule("default", "default", "slide")
    world.gravity = (0, 1)
    ball.position = (6, 10.5)
    world.step(1 / 60, steps=5)


def test_a_recording_replays_to_the_same_digests() -> None:
    world = room()
    with cm.Recording(world) as tape:
        play_a_while(world)
    assert len(tape.digests) == 12
    for again in (tape, pickle.loads(pickle.dumps(tape))):
        replay = again.replay()
        assert replay.diverged is None
        assert replay.world.digest() == world.digest()
    world.step(1.0)
    assert len(tape.digests) == 12


def fail_within(events: Iterable[cm.WorldHit]) -> None:
    for _hit in events:
        _ = 1 / 0


@pytest.mark.parametrize("within", [False, True])
def test_a_lift_that_would_crush_can_be_turned_round(within: bool) -> None:
    world = SmoothWorld()
    world.add(cm.Box((0, 5), (9, 1)))
    lift = world.add(cm.Box((0, 0), (3, 1)), kind="kinematic", velocity=(0, 6))
    world.add(cm.Box((0, 2), (1, 1)), kind="dynamic")
    turned = 0
    for _ in range(60):
        if within:
            for hit in world.events(1 / 60):
                if hit.kind == "crushed":
                    assert list(hit.other.velocity) == world.velocities[hit.other.row].tolist() == [0, 6]
                    hit.other.velocity = -hit.other.velocity
                    turned += 1
        elif (world.step(1 / 60).kind == "crushed").any():
            lift.velocity = -lift.velocity
            turned += 1
    assert turned == 1 and lift.velocity == (0, -6) and lift.position.y < 0.2
    assert world.velocities[lift.row].tolist() == [0, -6]


@pytest.mark.parametrize("many", [False, True])
def test_a_handle_of_an_undone_body_never_means_another_body(many: bool) -> None:
    world = SmoothWorld()
    kept_body = world.add(cm.Circle((0, 0), 1))
    before = world.snapshot()
    lost = world.add(cm.Circle((5, 0), 1), kind="dynamic")
    digest = world.digest()
    world.restore(before)
    assert lost.removed and not kept_body.removed
    shape = cm.Circle((5, 0), 1)
    new = world.add_many([shape], kind="dynamic")[0] if many else world.add(shape, kind="dynamic")
    assert new.row == lost._row and lost.removed and lost != new and lost not in world
    assert world.digest() == digest


def test_a_recording_goes_back_where_the_world_did() -> None:
    """To snapshots from before and within the recording, between steps and within one that was left."""
    world, balls, _ = wall_and_balls()
    before = world.snapshot()
    with cm.Recording(world) as tape:
        world.step(0.3)
        within = world.snapshot()
        world.restore(before)
        balls[1].velocity = (50, 3)
        world.step(0.1, steps=3)
        world.restore(within)
        with pytest.raises(ZeroDivisionError):
            fail_within(world.events(1.0))
        left = world.snapshot()
        world.resume()
        balls[0].data = "back again"
        world.restore(left)
    for again in (tape, pickle.loads(pickle.dumps(tape))):
        replay = again.replay()
        assert replay.diverged is None
        assert replay.world.digest() == world.digest()
        assert replay.world.unfinished
    with cm.Recording(world) as tape:
        balls[0].data = {"hits": 3}
    assert tape.replay().world.body(balls[0].row).data == {"hits": 3}


def test_a_recording_replays_loops_left_in_every_way() -> None:
    """Loops left by break and by exceptions, with a name and without, abandoned, and never begun."""
    world, balls, _ = wall_and_balls()
    with cm.Recording(world) as tape:
        never = world.events(1.0)
        for _hit in world.events(0.3):
            balls[0].velocity = (5, 5)
            break
        events = world.events(0.3)
        balls[2].velocity = (20, 0)
        with pytest.raises(ZeroDivisionError):
            fail_within(events)
        balls[0].position = (1, 1)
        world.step(0.2)
        held = enumerate(world.events(1.0))
        balls[1].velocity = (30, 0)
        assert next(held)
        world.abandon()
        balls[1].velocity = (3, 1)
        for _hit in world.events(1.0):
            world.abandon()
        world.step(0.1)
        del never
    replay = tape.replay()
    assert replay.diverged is None
    assert replay.world.digest() == world.digest()


def test_a_recording_names_the_first_step_that_differs() -> None:
    world = room()
    with cm.Recording(world) as tape:
        world.step(1 / 60, steps=10)
    where = [k for k, call in enumerate(tape._calls) if call[0] == "_one_step"][6]
    tape._calls[where] = ("_one_step", 1 / 61)
    assert tape.replay().diverged == 6


def test_leaving_a_loop_early_plays_the_rest() -> None:
    world, balls, _ = wall_and_balls()
    for _hit in world.events(1.0):
        break
    assert not world.unfinished
    assert [ball.velocity.x for ball in balls] == [-16, -8, -16 / 3]

    def first_hit() -> float:
        for hit in world.events(1.0):
            return hit.time
        return 0.0

    world, balls, _ = wall_and_balls()
    assert first_hit() == 0.25
    assert not world.unfinished
    assert [ball.velocity.x for ball in balls] == [-16, -8, -16 / 3]


@pytest.mark.parametrize("then", ["resume", "abandon", "step"])
def test_an_exception_leaves_the_world_at_its_instant(then: str) -> None:
    world, balls, _ = wall_and_balls()

    def play() -> None:
        for hit in world.events(1.0):
            _ = 1 / (balls[0].velocity.x + 16) / hit.time

    with pytest.raises(ZeroDivisionError):
        play()
    assert world.unfinished
    assert balls[0].position.x == pytest.approx(4)
    assert balls[1].position.x == pytest.approx(2)
    if then == "resume":
        assert world.resume().time.tolist() == [0.5, 0.75]
        assert balls[1].velocity.x == -8
    elif then == "abandon":
        world.abandon()
        assert balls[1].position.x == pytest.approx(2)
        assert world.step(1.0).time.tolist() == pytest.approx([0.25, 0.5])
    else:
        world.step(0.5)
        assert balls[1].position.x == pytest.approx(4 - 4 - 4)
    assert not world.unfinished


def test_a_step_within_a_step_is_refused() -> None:
    world, _, _ = wall_and_balls()
    count = 0
    for _hit in world.events(1.0):
        count += 1
        for call in (lambda: world.step(1.0), lambda: world.events(1.0), world.snapshot, world.copy):
            with pytest.raises(RuntimeError, match="under way"):
                call()
    assert count == 3


def test_handles_say_when_they_are_removed() -> None:
    world = SmoothWorld()
    a, b = world.add(cm.Circle((0, 0), 1), data="a"), world.add(cm.Circle((5, 0), 1), data="b")
    row = a.row
    world.remove(a)
    assert a.removed
    assert repr(a) == "<Body 0: removed>"
    assert (len(world), world.bodies, a in world, b in world) == (1, [b], False, True)
    with pytest.raises(ValueError, match="no longer in its world"):
        _ = a.velocity
    with pytest.raises(ValueError, match="no longer in its world"):
        world.remove(a)
    assert np.isnan(world.positions[row]).all()
    c = world.add(cm.Circle((9, 9), 1))
    assert c.row == row
    assert c != a
    assert a.removed
    with pytest.raises(ValueError, match="another world"):
        SmoothWorld().remove(b)


def test_rows_of_removed_bodies_are_used_again() -> None:
    world = SmoothWorld()
    world.add(cm.Box((0, -5), (100, 1)))
    rng = np.random.default_rng(3)
    alive: list[cm.Body] = []
    for _ in range(40):
        shapes = cm.Shapes.circles(rng.uniform((-40, 5), (40, 85), (30, 2)), 0.25)
        alive += world.add_many(shapes, kind="dynamic", velocity=rng.uniform(-50, 50, (30, 2)), restitution=1)
        world.step(1 / 30)
        gone = [alive[k] for k in rng.choice(len(alive), len(alive) // 2, replace=False)]
        world.remove(gone)
        alive = [body for body in alive if not body.removed]
    assert len(world) == len(alive) + 1
    assert len(world.positions) <= 100
    assert sorted(world.rows(alive).tolist()) == world.rows().tolist()[1:]
    for body in alive:
        assert body.shape == cm.Circle(body.position, 0.25)


@pytest.mark.parametrize("given", ["list", "set"])
def test_add_many_is_add_one_by_one(given: str) -> None:
    kinds = [
        cm.Circle((0, 0), 0.5),
        cm.Box((0, 0), (1, 0.75)),
        cm.Polygon([(0, 0), (1, 0.25), (0.25, 0.75)]),
        cm.Capsule((0, 0), (0.5, 0.5), 0.25),
        cm.Box((0, 0), (1, 0.5), angle=0.3),
        cm.Point((0, 0)),
        cm.Segment((0, 0), (1, 0)),
    ]
    shapes = [kinds[k % 7].translated((3 * (k % 10), 3 * (k // 10))) for k in range(50)]
    velocities = np.random.default_rng(0).normal(0, 1, (50, 2))
    masses = [1.0 + k % 3 for k in range(50)]
    found = []
    for way in ("one by one", given):
        world = SmoothWorld(gravity=(0, -1))
        world.add(cm.Box((15, -3), (100, 1)))
        early = [world.add(shape.translated((0, 50)), kind="dynamic") for shape in shapes[:8]]
        world.remove(early[2], early[5], early[6])  # so that there are rows and parts to be given again
        if way == "one by one":
            bodies = [
                world.add(shape, kind="dynamic", velocity=speed, mass=mass, restitution=0.5, data=mass)
                for shape, speed, mass in zip(shapes, velocities.tolist(), masses, strict=True)
            ]
        else:
            many = shapes if way == "list" else cm.Shapes(shapes)
            bodies = world.add_many(
                many, kind="dynamic", velocity=velocities, mass=masses, restitution=0.5, data=masses
            )
        told = [(body.row, body.data, body.shape, body.mass) for body in bodies]
        before = world.digest()
        world.step(1 / 60, steps=20)
        found.append((told, before, world.digest(), [body.shape for body in bodies]))
    assert found[0] == found[1]


def test_views_are_live_and_read_only() -> None:
    world, balls, _ = wall_and_balls()
    positions = world.positions
    with pytest.raises(ValueError, match="read-only"):
        positions[0] = 0
    before = positions.copy()
    world.step(0.125)
    assert not np.array_equal(positions, before)
    world.velocities = world.velocities * 2
    assert balls[0].velocity == (32, 0)
    with pytest.raises(ValueError, match=r"velocities\[0\].*static"):
        world.velocities = np.ones((4, 2))


def test_setting_a_position_moves_the_body_there() -> None:
    world, balls, wall = wall_and_balls()
    balls[0].position = (9, 0)
    assert balls[0].shape == cm.Circle((9, 0), 0.5)
    wall.position = (20, 0)
    assert world.step(1.0).time.tolist() == [(19.5 - 9.5) / 16]
    balls[0].mass = 3
    balls[0].restitution = 0.5
    assert (balls[0].mass, balls[0].restitution, wall.mass) == (3, 0.5, float("inf"))


NAN = float("nan")
WRONG = [
    (lambda w, b: w.add((0, 0)), TypeError, "World.add: shape"),
    (lambda w, b: w.add(cm.Circle((0, 0), 1), kind="moving"), ValueError, "kind = 'moving' must be one of"),
    (lambda w, b: w.add(cm.Circle((0, 0), 1), velocity=(1, 0)), ValueError, 'use kind="kinematic"'),
    (lambda w, b: w.add(cm.Circle((0, 0), 1), kind="dynamic", velocity=(NAN, 0)), ValueError, "velocity"),
    (lambda w, b: w.add(cm.Circle((0, 0), 1), kind="dynamic", mass=0), ValueError, "mass = 0 must be positive"),
    (lambda w, b: w.add(cm.Circle((0, 0), 1), mass=1), ValueError, "mass"),
    (lambda w, b: w.add(cm.Circle((0, 0), 1), restitution=1.5), ValueError, "between 0 and 1"),
    (lambda w, b: w.add(cm.Circle((0, 0), 1), response="boing"), ValueError, "must be one of bounce"),
    (lambda w, b: w.add(cm.Circle((0, 0), 1), kind="dynamic", sensor=True), ValueError, "sensor"),
    (lambda w, b: w.add(cm.Circle((0, 0), 1), one_way=(0, 0)), ValueError, "must be a direction"),
    (lambda w, b: w.add(cm.Circle((0, 0), 1), layer=3.5), TypeError, "layer"),
    (lambda w, b: w.add_many([cm.Circle((0, 0), 1), 3]), TypeError, r"shapes\[1\] = 3"),
    (lambda w, b: w.add_many([cm.Circle((0, 0), 1)], data=[1, 2]), ValueError, "data has 2 entries"),
    (lambda w, b: w.step(NAN), ValueError, "dt"),
    (lambda w, b: w.step(1, steps=0), ValueError, "steps"),
    (lambda w, b: w.step(1, steps=2**63), ValueError, "steps"),
    (lambda w, b: w.step(1e150, steps=10), ValueError, r"World.step: dt = 1e\+150 is too long"),
    (lambda w, b: w.add(cm.Circle((0, 0), 1), layer="new", mask=["other", 3]), TypeError, r"mask\[1\] = 3"),
    (lambda w, b: w.add_many([b.shape] * 2, restitution=[0, 2]), ValueError, r"restitution\[1\] = 2"),
    (lambda w, b: w.add_many([b.shape] * 2, velocity=[(0, 0), (1, 0)]), ValueError, r"velocity\[1\]"),
    (lambda w, b: w.remove(b, 3), TypeError, r"bodies\[1\]"),
    (lambda w, b: w.remove([b, 3]), TypeError, r"bodies\[1\] = 3 must be a Body"),
    (lambda w, b: w.inside(b), ValueError, "is no sensor"),
    (lambda w, b: w.events(-1), ValueError, "dt"),
    (lambda w, b: w.remove(3), TypeError, "not iterable|must be a Body"),
    (lambda w, b: w.rows([3]), TypeError, "must be a Body"),
    (lambda w, b: w.body(99), ValueError, "has no body"),
    (lambda w, b: setattr(b, "velocity", (NAN, 0)), ValueError, r"Body \(row 0, data 'ball'\): velocity"),
    (lambda w, b: setattr(b, "position", (1e200, 0)), ValueError, "position"),
    (lambda w, b: setattr(b, "mass", -1), ValueError, "mass"),
    (lambda w, b: w.restore(3), TypeError, "World.snapshot"),
    (lambda w, b: w.rule("a", "b", "boing"), ValueError, "response"),
    (lambda w, b: SmoothWorld(gravity=1), TypeError, "gravity"),
]


@pytest.mark.parametrize(("call", "error", "text"), WRONG)
def test_bad_input_is_refused_and_changes_nothing(call: Any, error: type[Exception], text: str) -> None:
    world = SmoothWorld()
    body = world.add(cm.Circle((0, 0), 1), kind="dynamic", velocity=(2, 0), data="ball")
    before = world.digest()
    with pytest.raises(error, match=text):
        call(world, body)
    assert world.digest() == before
    assert len(world) == 1


def test_nan_in_a_loop_leaves_the_instant_as_it_was() -> None:
    world, balls, _ = wall_and_balls()

    def play() -> None:
        for hit in world.events(1.0):
            hit.body.velocity = (NAN, 0)

    with pytest.raises(ValueError, match=r"Body \(row 1\): velocity"):
        play()
    assert world.unfinished
    assert balls[0].velocity == (-16, 0)
    world.resume()
    assert [ball.velocity.x for ball in balls] == [-16, -8, -16 / 3]


def test_columns_read_at_a_pause_are_of_that_instant() -> None:
    world = SmoothWorld()
    world.add(cm.Box((10, 0), (1, 40)))
    balls = [world.add(cm.Circle((0, 2 * k), 0.5), kind="dynamic", velocity=(4, k), restitution=1) for k in range(3)]
    positions, velocities = world.positions, world.velocities
    pauses = 0
    for _ in range(20):
        for _ in world.events(0.5):
            pauses += 1
            rows = world.rows(balls)
            assert world.positions[rows].tolist() == [list(ball.position) for ball in balls]
            assert world.velocities[rows].tolist() == [list(ball.velocity) for ball in balls]
    assert pauses == 3
    assert (positions == world.positions).all()
    assert (velocities == world.velocities).all()


@pytest.mark.parametrize("at_pause", [False, True])
def test_velocities_set_as_columns_are_those_set_one_by_one(at_pause: bool) -> None:
    """Bodies that rest on a changed or removed one wake."""

    def scene() -> cm.World:
        world = SmoothWorld(gravity=(0, -10))
        world.add(cm.Box((0, -1), (40, 2)))
        lift = cm.Box((-6, 0.5), (2, 1))
        world.add(lift, kind="kinematic")
        for x in (-6, 0, 3):
            for k in range(3):
                world.add(cm.Box((x, (x == -6) + 0.5 + k), (1, 1)), kind="dynamic")
        world.add(cm.Circle((9, 2), 0.5), kind="dynamic", velocity=(0, -9), restitution=1)
        world.step(1 / 60, steps=4)
        return world

    def change(world: cm.World, columns: bool) -> None:
        wanted = world.velocities.copy()
        wanted[1], wanted[2], wanted[5] = (0, -2), (1, 0), (-3, 4)
        if columns:
            world.velocities = wanted
        else:
            for row in (1, 2, 5):
                world.body(row).velocity = wanted[row]
        world.remove(world.body(8))

    ways = []
    for columns in (False, True):
        world = scene()
        with cm.Recording(world) as tape:
            if at_pause:
                for hit in world.events(0.2):
                    if hit.body.row == 11:
                        change(world, columns)
            else:
                change(world, columns)
            world.step(1 / 60, steps=20)
        assert tape.replay().diverged is None
        ways.append((world.digest(), world.positions.tobytes()))
        assert max(world.positions[[3, 9], 1] - [2.5, 1.5]) < -0.3, "they fell"
    assert ways[0] == ways[1]


def test_bodies_that_stop_at_each_other_and_a_wall_stop_at_once() -> None:
    world = SmoothWorld()
    ball = world.add(cm.Circle((0, 0), 1), kind="dynamic", velocity=(4, -3), response="stop")
    box = world.add(cm.Box((0, 1.5), (1, 1)), kind="dynamic", velocity=(4, -3))
    wall = world.add(cm.Box((3, 0), (2, 16)))
    hits = world.step(1 / 60, steps=120)
    assert {world.bodies[k] for k in hits.other} == {wall, box}
    assert hits.time.tolist() == pytest.approx([0.25] * len(hits), rel=1e-9)
    assert tuple(ball.velocity) == pytest.approx((0, 0), abs=1e-9)
    assert tuple(box.velocity) == pytest.approx((0, 0), abs=1e-9)


@pytest.mark.parametrize("seed", range(40))
def test_mixed_responses_do_not_stall_without_gravity(seed: int) -> None:
    rng = np.random.default_rng(seed)
    world = SmoothWorld()
    for x, y, w, h in ((0, -6, 14, 2), (0, 6, 14, 2), (-6, 0, 2, 14), (6, 0, 2, 14)):
        world.add(cm.Box((x, y), (w, h)))
    for k in range(9):
        center = 3 * np.array((k % 3 - 1, k // 3 - 1)) + rng.uniform(-0.4, 0.4, 2)
        shapes = cm.Circle(center, 0.8), cm.Box(center, rng.uniform(0.8, 1.6, 2))
        response = str(rng.choice(["bounce", "slide", "stop"]))
        velocity = rng.normal(0, 5, 2)
        world.add(shapes[k % 2], kind="dynamic", velocity=velocity, response=response, restitution=0.5)
    energy = float((world.velocities**2).sum())
    for _ in range(300):
        assert not np.isin(world.step(1 / 60).kind, ("stalled", "cut")).any()
    assert float((world.velocities**2).sum()) < 2 * energy  # masses are between 0.64 and 2.56


def test_bodies_that_stop_at_each_other_fall_as_one() -> None:
    world = SmoothWorld(gravity=(0, -10))
    first = world.add(cm.Box((0, 0), (1, 1)), kind="dynamic", response="stop")
    second = world.add(cm.Box((1, 0), (1, 1)), kind="dynamic", response="stop", acceleration=(-2, 1))
    world.step(1 / 60, steps=60)
    assert tuple(first.velocity) == pytest.approx(tuple(second.velocity), abs=1e-3)
    assert first.velocity == pytest.approx((-1, -9.5), rel=1e-3)


@pytest.mark.parametrize("kind", ["static", "kinematic", "dynamic"])
def test_add_many_of_one_body_equals_add(kind: str) -> None:
    one, many = SmoothWorld(), SmoothWorld()
    given: dict[str, Any] = {"kind": kind, "restitution": 0.5, "one_way": (0, 1)}
    given |= {"layer": ("a", "b"), "mask": ("a", "b")}
    if kind != "static":
        given["velocity"] = (-1.0, 2.0)
    one.add(cm.Circle((1, 2), 0.5), **given)
    many.add_many([cm.Circle((1, 2), 0.5)], **given)
    assert one.digest() == many.digest()
    one.step(0.5)
    many.step(0.5)
    assert one.digest() == many.digest()


def test_a_recording_keeps_the_layers_of_a_rule_as_they_were() -> None:
    for names in (["b"], iter(["b"])):
        world = cm.World()
        with cm.Recording(world) as tape:
            world.add(cm.Circle((0, 0), 0.5), kind="dynamic", velocity=(10, 0), layer="a")
            world.add(cm.Box((5, 0), (1, 9)), layer="b")
            world.rule("a", names, "pass")
            world.step(1.0)
            if isinstance(names, list):
                names[:] = ["other"]
        assert tape.replay().diverged is None


def test_no_body_is_told_to_find_its_inertia_anew() -> None:
    world = cm.World()
    for kind in ("static", "dynamic"):
        body = world.add(cm.Box((0, 0), (1, 1)), kind=kind)
        digest, none = world.digest(), None
        with pytest.raises(TypeError, match="inertia = None"):
            body.inertia = none  # type: ignore[assignment]
        assert world.digest() == digest
