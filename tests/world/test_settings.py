"""Settings that change while a world goes on: each at each moment, beside a world that was built with the value.

The expectation is a second world, built anew by `add` from what the first one's bodies say of themselves at that
instant, with the new value in place of the old. Both then go on alike. A recording of the first plays to the same
digests, a snapshot and a copy carry the value, and of each entry into a sensor there is one exit.
"""

from __future__ import annotations

import math
import pickle
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import carom as cm
from carom.world.changes.body_shapes import Standing
from carom.world.step.tables import BODY

DT = 1 / 60
CROSS = cm.Compound.from_parts([cm.Box((0, 0), (1.1, 0.3)), cm.Box((0, 0), (0.3, 1.1))])
KEPT = ("velocity", "spin", "restitution", "friction", "damping", "gravity_scale", "response", "sensor", "one_way")


class Scene:
    """A floor, a tower of three crates, a sensor, a bumper on rails, and the subject of the test."""

    def __init__(self, kind: Any, at: cm.Vec, **settings: Any) -> None:
        self.world = cm.World(gravity=(0, -10))
        self.world.add(cm.Box((0, -1), (40, 2)))
        moves = {"mass": 2.0} if kind == "dynamic" else {}
        self.subject = self.world.add(cm.Box(at, (1, 1)), kind=kind, **moves, **settings)
        tower = [y for y in (0.5, 1.5, 2.5) if (0.0, y) != at]
        self.world.add_many([cm.Box((0, y), (1, 1)) for y in tower], kind="dynamic")
        self.field = self.world.add(cm.Box((8, 1.5), (3, 3)), sensor=True)
        self.world.add_many([cm.Box((x, 0.4), (0.2, 0.8)) for x in (-10, -14)])
        bouncing: Any = {"kind": "dynamic", "restitution": 1, "friction": 0, "gravity_scale": 0, "turns": False}
        self.world.add(cm.Circle((-13, 0.5), 0.25), velocity=(-60, 0), **bouncing)


def rebuilt(world: cm.World, subject: cm.Body, name: str, value: Any) -> tuple[cm.World, cm.Body]:
    """Return a world built anew, the subject with another value; and the subject in it."""
    other = cm.World(gravity=world.gravity)
    for body in world:
        given = {name: getattr(body, name) for name in KEPT}
        given |= {"mass": body.mass, "turns": body.turns} if body.kind == "dynamic" else {}
        given |= {"pivot": body.pivot} if body.kind == "kinematic" else {}
        given |= {"kind": body.kind, "shape": body.shape}
        if body == subject:
            given[name] = value
            if name == "kind":
                given.pop("mass", None), given.pop("pivot", None)
                given |= {"mass": subject.mass if math.isfinite(subject.mass) else 1.0} if value == "dynamic" else {}
                given |= {"velocity": (0, 0), "spin": 0} if value == "static" else {}
            if name == "position":
                given["shape"] = body.shape.translated(cm.Vec(*value) - body.position)
            if name == "angle":
                given["shape"] = body.shape.rotated(value - body.angle, body.pivot)
            if name == "density":
                given.pop("mass")
            for place in ("position", "angle"):
                given.pop(place, None)
        made = other.add(given.pop("shape"), **given)
        if body == subject:
            mine = made
    return other, mine


def shape_there(subject: cm.Body, shape: Any) -> Any:
    return shape.translated(subject.position - shape.position)


CHANGES: dict[str, tuple[str, str, Any]] = {
    "kind static": ("dynamic", "kind", "static"),
    "kind kinematic": ("dynamic", "kind", "kinematic"),
    "kind dynamic": ("static", "kind", "dynamic"),
    "kinematic to static": ("kinematic", "kind", "static"),
    "circle": ("dynamic", "shape", cm.Circle((0, 0), 0.4)),
    "turned box": ("dynamic", "shape", cm.Box((0, 0), (0.8, 0.5), 0.3)),
    "compound": ("dynamic", "shape", CROSS),
    "static compound": ("static", "shape", CROSS),
    "sensor": ("static", "sensor", True),
    "kinematic sensor": ("kinematic", "sensor", True),
    "slide": ("dynamic", "response", "slide"),
    "pass": ("dynamic", "response", "pass"),
    "one_way": ("static", "one_way", (0, 1)),
    "turns": ("dynamic", "turns", False),
    "pivot": ("kinematic", "pivot", (0.5, 1.0)),
    "position": ("dynamic", "position", (3.0, 4.0)),
    "angle": ("dynamic", "angle", 0.2),
    "density": ("dynamic", "density", 5.0),
}
MOMENTS = ("at first", "between", "pause", "asleep", "sensor", "pile")


def bring_to(moment: str, kind: Any, change: Callable[[cm.Body], None]) -> tuple[Scene, float]:
    """Return a scene in which a change was made at some moment, and what is left of the step then."""
    at = {"asleep": (0.0, 1.5), "pile": (0.0, 1.5), "sensor": (8.0, 1.5)}.get(moment, (4.0, 0.9))
    scene = Scene(kind, cm.Vec(*at), **({} if kind == "static" else {"spin": 0.0}))
    if moment == "pause":
        for hit in scene.world.events(DT):
            change(scene.subject)
            return scene, DT - hit.time
        raise AssertionError("nothing has happened")
    scene.world.step(DT, steps={"at first": 0, "asleep": 150}.get(moment, 3)) if moment != "at first" else None
    if moment == "asleep" and kind == "dynamic":
        assert scene.subject.asleep
    change(scene.subject)
    return scene, 0.0


def value_for(subject: cm.Body, name: str, value: Any) -> Any:
    return shape_there(subject, value) if name == "shape" else value


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("case", CHANGES)
def test_a_changed_body_goes_on_like_one_that_was_added_so(case: str, moment: str) -> None:
    kind, name, value = CHANGES[case]
    other: list[Any] = []

    def change(subject: cm.Body) -> None:
        told = value_for(subject, name, value)
        other.extend(rebuilt(subject._world, subject, name, told))
        setattr(subject, name, told)

    scene, rest = bring_to(moment, kind, change)
    world, (twin, mine) = scene.world, other
    for there, here in ((world, scene.subject), (twin, mine)):
        assert here.kind == (value if name == "kind" else kind) and len(there) == len(twin)
    if rest:
        twin.step(rest)
        world.resume()
    steps = 30
    hits, others = world.step(DT, steps=steps), twin.step(DT, steps=steps)
    free = moment in ("at first", "between", "pause", "sensor")
    assert np.allclose(world.positions, twin.positions, atol=1e-6 if free else 0.02)
    assert np.allclose(world.velocities, twin.velocities, atol=1e-4 if free else 0.3)
    assert scene.subject.mass == pytest.approx(mine.mass) and scene.subject.inertia == pytest.approx(mine.inertia)
    assert np.allclose(cm.bounds(scene.subject.shape), cm.bounds(mine.shape), atol=1e-6 if free else 0.05)
    told = [[hit.body for hit in found if hit.kind in ("enter", "exit")] for found in (hits, others)]
    assert moment not in ("at first", "between") or [b.row for b in told[0]] == [b.row for b in told[1]]


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("case", CHANGES)
def test_a_recording_plays_it_and_snapshots_carry_it(case: str, moment: str) -> None:
    kind, name, value = CHANGES[case]
    tapes: list[cm.Recording] = []

    def change(subject: cm.Body) -> None:
        if moment != "pause":
            tapes.append(cm.Recording(subject._world))
        setattr(subject, name, value_for(subject, name, value))

    if moment == "pause":
        scene = Scene(kind, cm.Vec(4.0, 0.9))
        with cm.Recording(scene.world) as tape:
            for hit in scene.world.events(DT):
                if hit.time and scene.subject.data is None:
                    change(scene.subject)
                    scene.subject.data = "changed"
            scene.world.step(DT, steps=20)
    else:
        scene, _ = bring_to(moment, kind, change)
        (tape,) = tapes
        scene.world.step(DT, steps=20)
        tape.stop()
    assert pickle.loads(pickle.dumps(tape)).replay().diverged is None
    again, before = scene.world.copy(), scene.world.snapshot()
    for there in (scene.world, again):
        there.step(DT, steps=5)
    digest = scene.world.digest()
    assert again.digest() == digest
    scene.world.restore(before)
    scene.world.step(DT, steps=5)
    assert scene.world.digest() == digest
    twin = again.body(scene.subject.row)
    assert getattr(twin, name) == getattr(scene.subject, name)


@pytest.mark.parametrize("case", CHANGES)
@pytest.mark.parametrize("pauses", [False, True])
def test_each_entry_has_its_exit(case: str, pauses: bool) -> None:
    kind, name, value = CHANGES[case]
    scene = Scene(kind, cm.Vec(8.0, 1.5), **({"velocity": (1.0, 0.0)} if kind != "static" else {}))
    field = scene.world.add(cm.Box((8, 1), (4, 2)), kind="kinematic", sensor=True, velocity=(0.5, 0))
    scene.world.add(cm.Circle((8.3, 2.5), 0.2), kind="dynamic")
    counts: Counter[tuple[int, int]] = Counter()

    def note(hits: Any) -> None:
        for hit in hits:
            if hit.kind in ("enter", "exit"):
                counts[hit.body.row, hit.other.row] += 1 if hit.kind == "enter" else -1
                assert counts[hit.body.row, hit.other.row] in (0, 1)

    old = getattr(scene.subject, name)
    for k in range(12):
        told = (value_for(scene.subject, name, value), old)[k // 3 % 2]
        told = shape_there(scene.subject, told) if name == "shape" else told
        if pauses:
            for j, hit in enumerate(scene.world.events(DT)):
                note([hit])
                if j == 0 and k % 3 == 0:
                    setattr(scene.subject, name, told)
        else:
            if k % 3 == 0:
                setattr(scene.subject, name, told)
            note(scene.world.step(DT))
    for body in scene.world:
        if body.sensor:
            inside = {one.row for one in scene.world.inside(body)}
            assert inside == {visitor for (visitor, sensor), n in counts.items() if n and sensor == body.row}
    assert field.sensor


REFUSED: list[tuple[str, str, Any, type[Exception]]] = [
    ("static", "kind", "fluid", ValueError),
    ("static", "kind", 2, TypeError),
    ("static", "pivot", (0, 0), ValueError),
    ("static", "density", 2.0, ValueError),
    ("static", "shape", "ball", TypeError),
    ("dynamic", "shape", cm.Shapes([cm.Circle((0, 0), 1)]), TypeError),
    ("dynamic", "sensor", True, ValueError),
    ("dynamic", "sensor", 1.5, TypeError),
    ("dynamic", "pivot", (0, 0), ValueError),
    ("dynamic", "density", -1.0, ValueError),
    ("dynamic", "response", "jump", ValueError),
    ("dynamic", "one_way", (0, 0), ValueError),
    ("dynamic", "turns", "no", TypeError),
    ("kinematic", "pivot", (0, math.nan), ValueError),
    ("kinematic", "density", 1.0, ValueError),
]


@pytest.mark.parametrize(("kind", "name", "value", "error"), REFUSED)
def test_a_refused_value_changes_nothing(kind: Any, name: str, value: Any, error: type[Exception]) -> None:
    scene = Scene(kind, cm.Vec(0, 1.5))
    scene.world.step(DT, steps=5)
    before = scene.world.digest()
    with pytest.raises(error, match=name):
        setattr(scene.subject, name, value)
    assert scene.world.digest() == before


def test_a_sensor_does_not_become_dynamic() -> None:
    world = cm.World()
    gate = world.add(cm.Box((0, 0), (1, 1)), sensor=True)
    with pytest.raises(ValueError, match="sensor"):
        gate.kind = "dynamic"
    gate.sensor = False
    gate.kind = "dynamic"
    assert gate.kind == "dynamic" and gate.mass == 1.0


def test_the_angle_is_that_of_a_box_and_begins_at_zero_else() -> None:
    world = cm.World()
    box = world.add(cm.Box((1, 2), (3, 1), 0.5), kind="dynamic", spin=0.25)
    rod = world.add(cm.Capsule((5, 5), (7, 6), 0.2), kind="dynamic")
    many = world.add_many(cm.Shapes.boxes([(9, 9), (20, 9)], [(1, 2), (2, 1)], angle=[0.25, 0.0]))
    assert world.angles.tolist() == [0.5, 0.0, 0.25, 0.0]
    assert world.copies(2).angles.tolist() == [[0.5, 0.0, 0.25, 0.0]] * 2
    assert box.shape == cm.Box((1, 2), (3, 1), 0.5) and many[0].shape == cm.Box((9, 9), (1, 2), 0.25)
    world.step(1.0)
    assert box.angle == pytest.approx(0.75, abs=1e-15) and box.shape.angle == box.angle
    for angle in (0.1, -3.0, 0.5, 0.0):
        for body in (box, many[0]):
            body.angle = angle
            assert body.angle == angle == body.shape.angle
    assert box.shape == cm.Box(box.position, (3, 1)) and rod.angle == 0.0


def test_a_turned_box_is_set_upright_exactly() -> None:
    worlds = [cm.World(gravity=(0, -10)) for _ in range(2)]
    for world, angle in zip(worlds, (0.7, 0.0), strict=True):
        world.add(cm.Box((0, -1), (20, 2)))
        body = world.add(cm.Box((0, 3), (1, 2), angle), kind="dynamic", spin=1.0)
        body.angle = 0.25
        world.step(DT, steps=120)
    assert np.allclose(worlds[0].positions, worlds[1].positions, atol=1e-9)
    assert np.allclose(worlds[0].angles, worlds[1].angles, atol=1e-9)


def test_a_turned_box_with_a_pivot_goes_round_it() -> None:
    world = cm.World()
    door = world.add(cm.Box((1, 1), (2, 0.2), math.pi / 4), kind="kinematic", pivot=(0, 0))
    assert door.pivot == (0.0, 0.0) and np.allclose(door.position, (1, 1), atol=1e-15) and door.spin == 0.0
    door.angle = 0.0
    assert np.allclose(door.position, (math.sqrt(2), 0), atol=1e-15) and np.allclose(door.pivot, (0, 0), atol=1e-15)
    door.spin = math.pi
    world.step(0.5)
    assert np.allclose(door.position, (0, math.sqrt(2)), atol=1e-12)
    assert np.allclose(cm.bounds(door.shape), (-0.1, math.sqrt(2) - 1, 0.1, math.sqrt(2) + 1), atol=1e-12)


def test_a_pivot_may_be_set_at_rest_and_taken_away() -> None:
    world = cm.World()
    door = world.add(cm.Box((1, 0), (2, 0.2)), kind="kinematic")
    door.pivot = (0, 0)
    door.angle = math.pi / 2
    assert np.allclose(door.position, (0, 1), atol=1e-15)
    door.pivot = None
    door.angle = 0.0
    assert np.allclose(door.position, (0, 1), atol=1e-15) and np.allclose(door.pivot, (0, 1), atol=1e-15)
    door.pivot, door.spin = (5, 1), 1.0
    door.kind = "dynamic"  # its centre goes on at the speed that it had on its circle
    assert np.allclose(door.velocity, (0, -5), atol=1e-12) and door.pivot == door.position


def test_a_body_keeps_its_mass_while_it_is_of_another_kind() -> None:
    world = cm.World()
    crate = world.add(cm.Box((0, 0), (1, 2)), kind="dynamic", mass=5, velocity=(1, 2), spin=3)
    inertia = crate.inertia
    crate.kind = "kinematic"
    assert crate.mass == crate.inertia == math.inf and crate.velocity == (1, 2) and crate.spin == 3
    crate.kind = "dynamic"
    assert crate.mass == 5 and crate.inertia == inertia and crate.velocity == (1, 2)
    crate.kind = "static"
    assert crate.velocity == (0, 0) and crate.spin == 0
    crate.kind = "dynamic"
    crate.turns = False
    assert crate.inertia == math.inf and not crate.turns and crate.mass == 5
    with pytest.raises(ValueError, match="turn"):
        crate.inertia = 2.0
    crate.kind = "static"
    crate.kind = "dynamic"
    assert crate.inertia == math.inf
    crate.turns = True
    assert crate.inertia == pytest.approx(inertia)


def test_density_gives_the_mass_of_the_area() -> None:
    world = cm.World()
    shapes = [cm.Circle((0, 0), 2), cm.Box((9, 0), (1, 3), 0.2, radius=0.5), CROSS.translated((20, 0))]
    for shape in shapes:
        body = world.add(shape, kind="dynamic", density=0.5)
        expected = shape.mass(0.5)
        assert body.mass == pytest.approx(expected.mass) and body.density == pytest.approx(0.5)
        assert body.inertia == pytest.approx(expected.inertia)
        body.density = 3
        assert body.mass == pytest.approx(6 * expected.mass) and body.inertia == pytest.approx(6 * expected.inertia)
    convex = cm.Shapes(shapes[:2])
    for given in (shapes, convex):
        density = np.arange(1.0, len(given) + 1)
        bodies = cm.World().add_many(given, kind="dynamic", density=density)
        assert [body.density for body in bodies] == pytest.approx(density)


@pytest.mark.parametrize(
    ("shape", "settings", "match"),
    [
        (cm.Circle((0, 0), 1), {"density": 1, "mass": 1}, "density"),
        (cm.Circle((0, 0), 1), {"density": 0}, "density = 0 must be positive"),
        (cm.Circle((0, 0), 1), {"density": 1, "kind": "static"}, "density = 1 is for dynamic"),
        (cm.Segment((0, 0), (1, 0)), {"density": 1}, "density = 1 is for shapes with an area"),
        (cm.Point((0, 0)), {"density": 1}, "area"),
        (cm.Box((0, 0), (1e-100, 1e-100)), {"density": 1e-100}, "mass of"),
    ],
)
def test_bad_densities_are_refused(shape: cm.Shape, settings: dict[str, Any], match: str) -> None:
    world = cm.World()
    settings = {"kind": "dynamic"} | settings
    with pytest.raises(ValueError, match=match):
        world.add(shape, **settings)
    with pytest.raises(ValueError, match="density"):
        world.add_many([shape], **settings)
    with pytest.raises(ValueError, match=r"density\[1\]"):
        world.add_many([cm.Circle((0, 0), 1)] * 2, kind="dynamic", density=[1, -1])
    assert len(world) == 0


def test_bodies_are_gone_through_and_may_be_removed_meanwhile() -> None:
    world = cm.World()
    bodies = world.add_many([cm.Circle((3 * k, 0), 1) for k in range(4)])
    assert list(world) == bodies == world.bodies
    for body in world:
        if body.row % 2:
            world.remove(body)
    assert [body.row for body in world] == [0, 2]


def test_positions_and_angles_are_set_row_by_row() -> None:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (40, 2)))
    boxes = world.add_many([cm.Box((2 * k, 0.5), (1, 1)) for k in range(6)], kind="dynamic")
    world.step(DT, steps=120)
    assert world.asleep[1:].all()
    world.remove(boxes[2])
    digest = world.digest()
    world.positions = world.positions
    world.angles = world.angles
    assert world.digest() == digest  # nothing differs, and the empty row is left alone
    positions, angles = world.positions.copy(), world.angles.copy()
    positions[2], angles[4] = (2, 3), 0.5
    world.positions, world.angles = positions, angles
    assert world.asleep.tolist() == [False, True, False, False, False, True, True]
    assert boxes[1].position == (2, 3) and boxes[3].angle == 0.5 and boxes[4].position == tuple(positions[5])
    positions = world.positions.copy()
    positions[0, 0] += 5  # a static body, too
    world.positions = positions
    assert world.body(0).position == (5, -1)
    assert all(world.overlaps().depth < 1)
    for bad, row in ((math.nan, 1), (math.inf, 4), (1e200, 0)):
        for name in ("positions", "angles"):
            values, before = getattr(world, name).copy(), world.digest()
            values[row] = bad
            with pytest.raises(ValueError, match=rf"World\.{name}: {name}\[{row}\]"):
                setattr(world, name, values)
            assert world.digest() == before
    with pytest.raises(ValueError, match="positions"):
        world.positions = positions[:3]
    world.angles = 0.0
    assert (world.angles[world.rows()] == 0).all()


def test_places_set_at_once_are_those_set_one_by_one() -> None:
    worlds = [cm.World() for _ in range(2)]
    rng = np.random.default_rng(5)
    for world in worlds:
        world.add_many([cm.Box((4 * k, 0), (1, 2), 0.3 * k) for k in range(5)], kind="dynamic", velocity=(1, 1))
        world.step(DT)
    positions, angles = worlds[0].positions + rng.uniform(-0.5, 0.5, (5, 2)), rng.uniform(-2, 2, 5)
    worlds[0].positions, worlds[0].angles = positions, angles
    for body in worlds[1]:
        body.position = positions[body.row]
    for body in worlds[1]:
        body.angle = angles[body.row]
    assert worlds[0].digest() == worlds[1].digest()
    for world in worlds:
        world.step(DT, steps=20)
    assert worlds[0].digest() == worlds[1].digest()


@pytest.mark.parametrize("overlaps", ["part", "report"])
def test_a_body_that_grows_into_another_is_treated_as_one_added_there(overlaps: Any) -> None:
    hits, ends = [], []
    for grows in (False, True):
        world = cm.World(overlaps=overlaps)
        world.add(cm.Box((0, 0), (2, 2)))
        ball = world.add(cm.Circle((1.8, 0), 0.5 if grows else 1.0), kind="dynamic")
        if grows:
            ball.shape = cm.Circle((1.8, 0), 1.0)
        assert world.overlaps().depth.tolist() == pytest.approx([0.2])
        hits.append([str(hit.kind) for hit in world.step(DT, steps=20)])
        ends.append(ball.position)
    assert hits[0] == hits[1] == (["overlap"] if overlaps == "report" else [])
    assert ends[0] == ends[1]


@pytest.mark.parametrize("name", ["sensor", "response", "one_way"])
def test_what_no_longer_meets_is_no_longer_parted(name: str) -> None:
    world = cm.World()
    wall = world.add(cm.Box((0, 0), (2, 2)))
    ball = world.add(cm.Circle((1.5, 0), 1), kind="dynamic")
    world.step(DT)
    assert world.overlaps().body.size == 1
    there = ball.position
    setattr(wall, name, {"sensor": True, "response": "pass", "one_way": (0, 1)}[name])
    world.step(DT, steps=5)
    assert ball.position == there and world.overlaps().body.size == 0
    setattr(wall, name, {"sensor": False, "response": "bounce", "one_way": None}[name])
    assert world.overlaps().body.size == 1
    world.step(DT, steps=60)
    assert world.overlaps().body.size == 0 and ball.position.x > there.x


def test_a_shape_is_told_as_it_was_given_and_stands_where_it_says() -> None:
    world = cm.World()
    body = world.add(cm.Circle((0, 0), 1), kind="dynamic", spin=1.0, mass=3)
    world.step(1.0)
    triangle = cm.Polygon([(5, 5), (7, 5), (5, 8)])
    handle, row = body, body.row
    body.shape = triangle
    assert body.shape == triangle and body.angle == 1.0 and body.position == triangle.position
    assert body is handle and body.row == row and body.mass == 3 and body.spin == 1.0
    assert body.inertia == pytest.approx(triangle.mass(3 / triangle.area).inertia)
    body.angle = 0.0
    assert np.allclose(body.shape.vertices, triangle.rotated(-1.0).vertices, atol=1e-12)
    digest = world.digest()
    body.shape = body.shape
    assert np.allclose(body.shape.vertices, triangle.rotated(-1.0).vertices, atol=1e-12) and digest
    for shape in (CROSS, cm.Circle((0, 0), 3), cm.Compound.from_parts([cm.Box((k, 0), (1, 1)) for k in range(30)])):
        body.shape = shape.translated((0, 50))
        assert body.shape == shape.translated((0, 50))
        world.step(DT)


def test_shapes_of_many_parts_are_changed_in_a_crowd() -> None:
    rng = np.random.default_rng(1)
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (60, 2)))
    bodies = [world.add(cm.Box((2.0 * (k % 8) - 7, 1.0 + 2 * (k // 8)), (1, 1)), kind="dynamic") for k in range(32)]
    comb = [cm.Box((0.22 * k, 0), (0.2, 0.8)) for k in range(5)]
    forms = [cm.Circle((0, 0), 0.5), CROSS, cm.Box((0, 0), (1, 0.4), 0.4), cm.Compound.from_parts(comb)]
    with cm.Recording(world) as tape:
        for _ in range(40):
            for k in rng.integers(0, 32, 4).tolist():
                bodies[k].shape = shape_there(bodies[k], forms[int(rng.integers(4))])
            world.step(DT)
        world.step(DT, steps=300)
    assert len({id(body) for body in world}) <= 33 and np.isfinite(world.positions).all()
    assert (world.positions[1:, 1] > 0).all() and not (world.overlaps().depth > 0.05).any()
    assert tape.replay().diverged is None


def test_worlds_of_earlier_versions_keep_the_meaning_of_their_angles() -> None:
    world = cm.World()
    box = world.add(cm.Box((0, 0), (1, 2), 0.5), kind="dynamic")
    world.add(cm.Circle((5, 0), 1), kind="dynamic", turns=False)
    state = world.__getstate__()
    earlier = [name for name in BODY.names or () if name not in ("upright", "kept_mass")]
    store = state.copy()
    bodies = store.tables.bodies[earlier].copy()
    bodies["angle"] = 0.0
    values = vars(store) | {"tables": store.tables._replace(bodies=bodies)}
    store.__setstate__(values)
    old = cm.World()
    old.__setstate__(store)
    turned, ball = old.bodies
    assert isinstance(store.shapes[0], Standing) and turned.shape == box.shape and turned.angle == 0.0
    assert not ball.turns and turned.turns
