"""Copies of a world that are stepped together continue as each would alone, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

import carom as cm


def crates():
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, 0), (40, 1)))
    for k in range(5):
        world.add(cm.Box((0.1 * k, 1 + 1.05 * k), (1, 1)), kind="dynamic")
    world.add(cm.Circle((-8, 3), 0.5), kind="dynamic", velocity=(9, 2), restitution=0.5)
    return world


def rain():
    """Many bodies on a heap: tables of contacts, events and hits grow."""
    world = cm.World(gravity=(0, -10))
    for box in (cm.Box((0, -0.5), (12, 1)), cm.Box((-5.5, 5), (1, 12)), cm.Box((5.5, 5), (1, 12))):
        world.add(box)
    shapes = (cm.Circle((0, 0), 0.3), cm.Box((0, 0), (0.5, 0.6)), cm.Polygon([(0, 0), (0.7, 0), (0.3, 0.6)]))
    for k in range(45):
        world.add(
            shapes[k % 3].translated((k % 9 - 4, 1 + k // 9 + 0.01 * k)),
            kind="dynamic",
            restitution=0.2,
            spin=k % 4 - 2,
        )
    return world


def machines():
    """A sensor, a lift, a flipper, a removed body, a damped one, layers."""
    world = cm.World(gravity=(0, -5))
    world.add(cm.Box((0, -1), (30, 1)))
    gone = world.add(cm.Circle((3, 3), 1))
    world.add(cm.Circle((2, 1), 1), sensor=True)
    world.add(cm.Box((-3, 0), (2, 0.3)), kind="kinematic", velocity=(0, 1))
    world.add(cm.Capsule((4, 2), (6, 2), 0.2), kind="kinematic", spin=3, pivot=(4, 2))
    world.add(cm.Box((-3, 1), (0.5, 0.5)), kind="dynamic")
    world.add(cm.Circle((0, 1), 0.4), kind="dynamic", velocity=(3, 1), damping=0.1, restitution=0.8)
    world.add(cm.Circle((5, 4), 0.4), kind="dynamic", layer="ghost", mask=["default"])
    world.remove(gone)
    return world


@pytest.mark.parametrize("scene", [crates, rain, machines])
def test_copies_go_the_way_of_single_worlds(scene):
    n, chance = 4, np.random.default_rng(2)
    world = scene()
    world.step(1 / 60, steps=3)
    worlds, singles = world.copies(n), [world.copy() for _ in range(n)]
    assert len(worlds) == n
    rows = [body.row for body in world.bodies if body.kind == "dynamic"]
    told = 0
    for step in range(60):
        if step % 20 == 5:
            velocities, spins = worlds.velocities.copy(), worlds.spins.copy()
            velocities[:, rows] += chance.uniform(-2, 2, (n, len(rows), 2))
            velocities[0] = worlds.velocities[0]
            spins[:, rows[0]] = chance.uniform(-2, 2, n)
            worlds.velocities, worlds.spins = velocities, spins
            for k, single in enumerate(singles):
                single.velocities = velocities[k]
                single.spins = spins[k]
        hits, expected = worlds.step(1 / 60, threads=1 + step % 2), [single.step(1 / 60) for single in singles]
        for k, single in enumerate(singles):
            assert np.array_equal(worlds.positions[k], single.positions, equal_nan=True)
            assert np.array_equal(worlds.angles[k], single.angles, equal_nan=True)
            assert np.array_equal(worlds.velocities[k], single.velocities)
            assert np.array_equal(worlds.spins[k], single.spins)
            assert np.array_equal(worlds.asleep[k], single.asleep)
            mine = hits.world == k
            for name in ("time", "kind", "body", "other", "point", "normal", "speed", "impulse", "friction_impulse"):
                assert np.array_equal(getattr(hits, name)[mine], getattr(expected[k], name)), name
        told += len(hits)
    assert told > 0
    for k, single in enumerate(singles):
        again = worlds.world(k)
        assert again.digest() == single.digest()
        again.step(1 / 60)
        single.step(1 / 60)
        assert again.digest() == single.digest()


def test_the_world_itself_is_left_alone():
    world = crates()
    before = world.copy().digest()
    worlds = world.copies(3)
    worlds.step(1 / 60)
    assert world.digest() == before
    assert not np.array_equal(worlds.positions[0], world.positions)


def test_a_reset_copy_plays_the_same_again():
    world = rain()
    worlds = world.copies(3)
    course = []
    for _ in range(40):
        worlds.step(1 / 30)
        course.append(worlds.positions.copy())
    kept = worlds.positions[1].copy()
    worlds.reset(np.array([True, False, True]))
    assert np.array_equal(worlds.positions[0], world.positions)
    assert np.array_equal(worlds.positions[1], kept)
    for k in range(40):
        worlds.step(1 / 30)
        assert np.array_equal(worlds.positions[[0, 2]], course[k][[0, 2]])
    worlds.reset()
    worlds.step(1 / 30)
    assert np.array_equal(worlds.positions, course[0])


def test_accelerations_hold_and_wake():
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (40, 1)))
    craft = world.add(cm.Box((0, 0), (1, 1)), kind="dynamic", mass=2.0)
    world.step(1 / 60, steps=120)
    assert craft.asleep
    worlds = world.copies(2)
    pull = worlds.accelerations
    pull[1, craft.row] = 0, 14
    worlds.accelerations = pull
    assert np.array_equal(worlds.accelerations, pull)
    assert worlds.asleep[0, craft.row]
    assert not worlds.asleep[1, craft.row]
    start = worlds.positions[1, craft.row].copy()
    for _ in range(60):
        worlds.step(1 / 60)
    assert np.array_equal(worlds.positions[0], world.positions)
    alone = world.copy()
    alone.body(craft.row).acceleration = (0, 14)
    alone.step(1 / 60, steps=60)
    assert np.array_equal(worlds.positions[1], alone.positions)
    assert worlds.positions[1, craft.row] - start == pytest.approx([0, 2], abs=2e-3)  # 4 / 2, in one second
    turn = worlds.angular_accelerations
    turn[1, craft.row] = 0.5
    worlds.angular_accelerations = turn
    for _ in range(60):
        worlds.step(1 / 60)
    assert worlds.spins[1, craft.row] == pytest.approx(0.5, abs=1e-12)
    assert worlds.angles[1, craft.row] == pytest.approx(0.25, abs=1e-12)


def test_refusals_name_the_copy_and_change_nothing():
    world = crates()
    with pytest.raises(ValueError, match="n = 0"):
        world.copies(0)
    with pytest.raises(TypeError, match=r"n = 1\.5"):
        world.copies(1.5)
    worlds = world.copies(2)
    before = [worlds.world(k).digest() for k in range(2)]
    velocities = worlds.velocities.copy()
    velocities[1, 3] = np.nan, 0
    with pytest.raises(ValueError, match=r"velocities\[1\]\[3\]"):
        worlds.velocities = velocities
    velocities = worlds.velocities.copy()
    velocities[1, 0] = 1, 0
    with pytest.raises(ValueError, match=r"velocities\[1\]\[0\] = \[1.0, 0.0\].*moves"):
        worlds.velocities = velocities
    with pytest.raises(ValueError, match=r"shape \(7,\); it must be \(2, 7\)"):
        worlds.spins = np.zeros(7)
    for dt in (0.0, -1.0, float("nan"), 1e200):
        with pytest.raises(ValueError, match="dt"):
            worlds.step(dt)
    with pytest.raises(ValueError, match="threads"):
        worlds.step(1 / 60, threads=0)
    for wrong, error, said in (
        ([True, 0], TypeError, r"copies\[1\] = 0 must be like those before"),
        ([True], ValueError, "copies has 1 entries; there are 2 copies"),
        (np.ones(3, bool), ValueError, r"copies has shape \(3,\); a mask of copies must be \(2,\)"),
        ([0, 2], ValueError, r"copies\[1\] = 2 must be from 0 to 1"),
        ([1, 1], ValueError, "must name each copy once"),
        ([0.5], TypeError, r"copies\[0\] = 0.5 must be a whole number"),
        ("all", TypeError, "copies = 'all' must be a mask, or numbers of copies"),
    ):
        with pytest.raises(error, match=said):
            worlds.reset(wrong)
    with pytest.raises(ValueError, match="k = 2"):
        worlds.world(2)
    assert [worlds.world(k).digest() for k in range(2)] == before
    positions, angles = worlds.positions.copy(), worlds.angles.copy()
    positions[0, 2], positions[1, 3] = (50, 50), (np.nan, 0)
    with pytest.raises(ValueError, match=r"positions\[1\]\[3\] = \[nan, 0.0\] must be finite"):
        worlds.positions = positions
    with pytest.raises(ValueError, match=r"positions\[1\]\[3\]"):
        worlds.positions = positions.tolist()
    angles[1, 2] = 1e200
    with pytest.raises(ValueError, match=r"angles\[1\]\[2\] = 1e\+200 must be finite"):
        worlds.angles = angles
    with pytest.raises(ValueError, match=r"positions = \(0, 0\) must be \(n, rows, 2\)"):
        worlds.positions = (0, 0)
    with pytest.raises(ValueError, match=r"shape \(7, 2\); it must be \(2, 7, 2\)"):
        worlds.positions = np.zeros((7, 2))
    assert [worlds.world(k).digest() for k in range(2)] == before


def yard(overlaps):
    """Bodies that are put into others, across sensors and onto lines; a row without a body, and a damped one."""
    world = cm.World(gravity=(0, -10), overlaps=overlaps)
    world.add(cm.Box((0, -1), (30, 2)))
    gone = world.add(cm.Circle((3, 3), 0.2))
    world.add(cm.Box((4, 1), (3, 3)), sensor=True)
    world.add(cm.Compound.from_parts([cm.Box((-4, 1), (2, 1)), cm.Box((-4, 2), (1, 1))]), sensor=True)
    world.add(cm.Segment((-1, 3), (1, 3)))
    for k in range(3):
        world.add(cm.Box((k - 1, 0.5), (0.8, 0.8)), kind="dynamic")
    world.add(cm.Circle((4, 1), 0.4), kind="dynamic", damping=0.3, gravity_scale=0.5)
    world.add(cm.Segment((-6, 1), (-5, 1)), kind="dynamic")
    world.remove(gone)
    return world


@pytest.mark.parametrize("reports", [False, True])
def test_copies_whose_bodies_are_put_elsewhere_go_on_as_such_worlds(reports: bool) -> None:
    n, chance, told = 6, np.random.default_rng(3), set()
    world = yard("report" if reports else "part")
    world.step(1 / 60, steps=2)
    worlds, singles = world.copies(n), [world.copy() for _ in range(n)]
    for step in range(60):
        if step % 12 == 3:
            positions, angles = worlds.positions.copy(), worlds.angles.copy()
            positions[1:, 5:] = chance.uniform((-6, 0), (6, 4), (n - 1, 5, 2))
            positions[1, 9] = 0.2, 3  # a line onto a line
            positions[2, 2], positions[3, 6] = chance.uniform(-3, 3, 2), positions[3, 5]
            angles[1:4, 5:] = chance.choice([0, 0.5, 1.5, 9], (3, 5))
            worlds.positions = positions if step % 24 else positions.tolist()
            worlds.angles = angles
            for k, single in enumerate(singles):
                single.positions, single.angles = positions[k], angles[k]
            assert [worlds.world(k).digest() for k in range(n)] == [single.digest() for single in singles]
        if step == 30:
            kept = worlds.world(5)
            assert kept.step(1 / 60).kind.tolist() == singles[5].copy().step(1 / 60).kind.tolist()
        hits, expected = worlds.step(1 / 60, threads=1 + step % 2), [single.step(1 / 60) for single in singles]
        for k, single in enumerate(singles):
            assert worlds.world(k).digest() == single.digest()
            mine = hits.world == k
            for name in ("time", "kind", "body", "other", "point", "normal", "speed", "impulse"):
                assert np.array_equal(getattr(hits, name)[mine], getattr(expected[k], name)), name
            told.update(expected[k].kind.tolist())
    assert {"enter", "exit", "hit"} <= told and ("overlap" in told) == reports
    worlds.reset()
    assert [worlds.world(k).digest() for k in range(n)] == [world.digest()] * n


def test_copies_of_a_world_with_bodies_in_each_other_part_them_as_it_does() -> None:
    """They were refused."""
    world = cm.World()
    for k in range(12):
        world.add(cm.Circle((0.3 * k, 0), 1), kind="dynamic")
    worlds, first = world.copies(3), world.digest()
    for _again in range(2):
        single = world.copy()
        for _ in range(30):
            single.step(1 / 60)
            worlds.step(1 / 60)
            assert [worlds.world(k).digest() for k in range(3)] == [single.digest()] * 3
        assert single.digest() != first
        worlds.reset()
    worlds.step(1 / 60)
    late = worlds.world(1)
    worlds.reset([True, False, False])
    assert worlds.world(0).digest() == first and worlds.world(1).digest() == late.digest()


def test_hits_of_copies_make_one_flat_table() -> None:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (20, 2)))
    world.add(cm.Circle((0, 1), 0.5), "dynamic", restitution=0.5)
    worlds = world.copies(3)
    worlds.velocities = np.array([[(0, 0), (0, -speed)] for speed in (0, 1, 2)], dtype=float)
    hits = worlds.step(0.5)
    table = hits.flat()
    assert table["copy"].tolist() == hits.world.tolist() and set(table["copy"].tolist()) == {0, 1, 2}
    own = [worlds.world(k).step(1.0).flat() for k in range(3)]
    assert list(table) == ["copy", *own[0]]
    assert all(column.shape == (len(hits),) for column in table.values())
    assert np.array_equal(table["ny"], hits.normal[:, 1]) and np.array_equal(table["speed"], hits.speed)


@pytest.mark.parametrize("stepped", [False, True])
def test_copies_tell_the_exits_that_the_world_has_left_to_tell(stepped: bool) -> None:
    """They were refused, though nothing overlapped."""
    world = cm.World()
    sensor = world.add(cm.Box((0, 0), (4, 4)), sensor=True)
    visitor = world.add(cm.Circle((0, 0), 0.5), kind="dynamic")
    world.add(cm.Circle((9, 0), 0.5), kind="dynamic", velocity=(1, 0))
    world.step(1 / 60)
    row = visitor.row
    world.remove(visitor)
    worlds = world.copies(2)
    if stepped:
        hits = worlds.step(1 / 60)
        assert (hits.world.tolist(), hits.kind.tolist()) == ([0, 1], ["exit"] * 2)
        assert (hits.body.tolist(), hits.other.tolist()) == ([row] * 2, [sensor.row] * 2)
        worlds.reset([True, False])
    assert worlds.world(0).step(1 / 60).kind.tolist() == ["exit"]
    assert worlds.world(1).step(1 / 60).kind.tolist() == ([] if stepped else ["exit"])
    assert worlds.step(1 / 60).world.tolist() == ([0] if stepped else [0, 1])
    assert len(worlds.step(1 / 60).world) == 0
    expected = world.copy()
    expected.step(1 / 60, steps=2)
    assert worlds.world(0).digest() == expected.digest()
