"""Every public class, pickled after use: python pickled.py pickles an object of each and uses it in another Python.

In: an installed Carom with NumPy; nothing else is needed, and what needs a package that is not there is named as
skipped. Out: a line that begins with `ok` for each class whose copies, and whose pickles of each protocol, answer as
the original does, here and in a fresh process; lines of what failed, and then exit status 1. A public class that is in
none of the tables fails, too.
"""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import importlib
import importlib.util
import inspect
import math
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import carom as cm

PACKAGES = ("carom", "carom.draw", "carom.draw.pair", "carom.kernels", "carom.maps", "carom.tables", "carom.convert")
"""What is public in these stands in their `__all__`."""
PARTS = (
    *(f"carom_breakout.{name}" for name in ("command", "flaws", "flaws.motion", "flaws.stage", "levels")),
    *(f"carom_breakout.{name}" for name in ("power_up_table", "referee", "replay", "scores", "session")),
    *(f"carom_breakout.{name}" for name in ("state", "tour")),
    *(
        f"carom_gym.{name}"
        for name in ("batch", "features", "lander", "racing", "settings", "single", "vector", "walker", "worlds")
    ),
    *(f"carom_playground.{name}" for name in ("notation", "scene", "state", "story")),
)
"""Of these all classes whose names begin without an underscore; other parts of the programs show, compile or write."""
OPTIONAL = ("gymnasium", "matplotlib", "pandas", "pyarrow", "pygame")
PROTOCOLS = range(2, pickle.HIGHEST_PROTOCOL + 1)
ALONE = {
    "carom.Shape": "a base, of which no object is made",
    "carom.ConvexShape": "a base, of which no object is made",
    "carom_gym.worlds.WorldsEnv": "a base, of which no object is made",
    "carom_gym.worlds.WorldsVectorEnv": "a base, of which no object is made",
    "carom_breakout.session.Source": "a protocol, of which no object is made",
}
"""Classes without an object of their own, and why."""


class Case(NamedTuple):
    """How an object of a class is made and used; a use returns what it learns as plain values."""

    make: Callable[[], Any]
    use: Callable[[Any], Any] | None = None
    needs: tuple[str, ...] = ()


def told(value: Any) -> Any:
    """Return what a value holds, as plain values that can be compared across processes."""
    if isinstance(value, np.ndarray):
        content = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()[:12]
        return value.dtype.str if not value.dtype.names else "record", value.shape, content
    if isinstance(value, dict):
        return [(told(name), told(one)) for name, one in value.items()]
    if isinstance(value, (set, frozenset)):
        return sorted(map(repr, value))
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *map(told, value)]
    if isinstance(value, BaseException):
        return [type(value).__name__, *map(told, value.args)]
    if isinstance(value, cm.World):
        return value.digest()
    if dataclasses.is_dataclass(value):
        names = [one.name for one in dataclasses.fields(value) if not one.name.startswith("_")]
        return [type(value).__name__, *(told(getattr(value, name)) for name in names)]
    return value.__qualname__ if inspect.isfunction(value) else repr(value)


# Objects of the library, and what is done with them.

HERO = cm.Circle((0, 0.25), 1)
ELL = [(0, 0), (1.2, 0), (1.2, 0.4), (0.4, 0.4), (0.4, 1.2), (0, 1.2)]
SHAPES = [
    HERO,
    cm.Box((3, 0), (1, 2), 0.3),
    cm.Polygon([(5, 0), (6, 0), (5, 1)], radius=0.1),
    cm.Capsule((0, 3), (1, 4), 1),
]
MAP = ["#  P ", "#  --", "#####"]


def scene() -> cm.World:
    """Return a world in use: a pile, a sensor with a visitor, joints, data, a gap in the rows."""
    world = cm.World(gravity=(0, -10))
    floor = world.add(cm.Box((0, -1), (60, 2)), data="floor")
    world.add(cm.Box((3, 1), (2, 4)), sensor=True, layer="door")
    for k in range(6):
        world.add(cm.Circle((k % 3 - 3, 1 + k // 3), 0.45), kind="dynamic", restitution=0.2)
    world.add(cm.decompose(ELL).translated((3, 3)), kind="dynamic")
    post, load = world.add(cm.Circle((8, 5), 0.3)), world.add(cm.Box((9, 5), (0.8, 0.5)), kind="dynamic")
    world.pin(post, load, (8, 5), data="hinge")
    world.spring(floor, load, (9, 8), (9, 5), hertz=2, damping=0.5)
    gone = world.add(cm.Circle((20, 20), 1))
    world.step(1 / 60, steps=20)
    world.remove(gone)
    asked(world)
    return world


def asked(world: cm.World) -> Any:
    """Return answers of a world; they leave addresses and values behind that it keeps for the next question."""
    return told(
        [
            *(world.raycast((-9, 0.7), (20, 0)), world.cast(HERO, (9, 0)), world.nearest((1, 1), 2), world.query(HERO)),
            *(world.contains((0, -1)), world.positions, world.contacts().flat(), world.overlaps().flat()),
            *([repr(one) for one in world.joints], [(one.data, one.shape) for one in world.bodies]),
        ]
    )


def stepped(world: cm.World) -> Any:
    """Return what a world tells as it goes on."""
    hits = world.step(1 / 60, steps=10)
    other = world.add(cm.Circle((-9, 1), 0.5), kind="dynamic", velocity=(3, 0), layer="door")
    return told([hits.flat(), world.step(1 / 60).flat(), other.row, asked(world), world.digest()])


def worlds() -> cm.Worlds:
    """Return copies that have stepped."""
    many = scene().copies(2)
    many.velocities = np.where(np.isnan(many.velocities), 0.0, many.velocities)
    many.step(1 / 60)
    copied(many)
    return many


def stepped_copies() -> cm.Worlds:
    """Return copies after a step in which bodies touched."""
    many = touching().copies(2)
    many.step(1 / 30)
    return many


def branched(states: cm.WorldsSnapshot) -> Any:
    """Return what copies tell that go on from states."""
    many = scene().copies(2)
    many.restore(states[[1, 0]])
    return copied(many)


def copied(many: cm.Worlds) -> Any:
    """Return what copies tell as they go on, one of them from its start."""
    found = [told(many.step(1 / 60).flat()), told(many.raycast((-9, 0.7), (20, 0)))]
    many.reset([False, True])
    return [*found, told(many.step(1 / 60).flat()), many.world(0).digest(), many.world(1).digest()]


def tape() -> cm.Recording:
    """Return a recording under way."""
    world = scene()
    found = cm.Recording(world)
    world.step(1 / 60, steps=5)
    world.bodies[2].velocity = (1, 2)
    world.step(1 / 60, steps=5)
    return found


def replayed(found: cm.Recording) -> Any:
    replay = found.replay()
    return found.digests, replay.diverged, told(replay.world)


def restored(snapshot: cm.WorldSnapshot) -> Any:
    world = cm.World()
    world.restore(snapshot)
    return stepped(world)


def touching() -> cm.World:
    """Return a world in which bodies touch, one is in a sensor, and two overlap."""
    world = scene()
    world.add(cm.Circle((-20, 5), 1), kind="dynamic")
    world.add(cm.Circle((-20, 5.5), 1), kind="dynamic")
    world.step(1 / 60)
    return world


def reach(body: Any) -> Any:
    """Return what the handle of a body tells, also of its world."""
    body.velocity = (1.0, 2.0)
    return [told([body.row, body.position, body.shape, body.data]), [stepped(body._world), repr(body)]]


def turned(joint: Any) -> Any:
    joint.limits = (-1.0, 1.0)
    return [told([joint.row, joint.kind, joint.data, joint.anchor_a]), stepped(joint._world), repr(joint)]


def hits_of(hits: Any) -> Any:
    return [len(hits), told(hits.flat()), [repr(hits[k]) for k in range(len(hits))]]


def first_hit() -> Any:
    """Return the first hit of a ball that falls onto a floor."""
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (60, 2)))
    world.add(cm.Circle((0, 0.51), 0.5), kind="dynamic", velocity=(0, -2))
    return world.step(0.1)


def index() -> cm.Index:
    """Return an index in use, with a row that is gone and others that came."""
    found = cm.Index(cm.Shapes(SHAPES), layer="wall")
    searched(found)
    found.insert(cm.Shapes.circles([(9, 9), (-4, 0)], 1.0))
    found.remove([2])
    searched(found)
    return found


def searched(found: cm.Index) -> Any:
    answers = [found.raycast((-9, 0.5), (30, 0)), found.query(HERO, mask="wall"), found.nearest((1, 1), 2)]
    return told([*answers, found.pairs(), found.cast(HERO, (9, 0)), found.contains((0, 0)), found.rows, found.shapes])


def shape_used(shape: Any) -> Any:
    other = cm.Box((0.5, 0.25), (2, 1), 0.3)
    verbs = [verb(shape, other) for verb in (cm.collide, cm.separation, cm.closest, cm.intersects, cm.distance)]
    moved = [shape.translated((1, 2)), shape.rotated(0.5), cm.bounds(shape), hash(shape) == hash(copy.deepcopy(shape))]
    return told([*verbs, *moved, cm.raycast((-20, 0.1), (40, 0), shape), repr(shape)])


def set_used(shapes: cm.Shapes) -> Any:
    return told([cm.collide(shapes, HERO), cm.pairs(shapes), shapes.bounds, list(shapes), shapes[1:], len(shapes)])


def level() -> Any:
    found = cm.read_grid("\n".join(MAP), y_up=True)
    level_used(found)
    return found


def level_used(found: Any) -> Any:
    world = cm.World()
    found.add_to(world)
    walker = cm.Character(cm.Box((1.5, 1.6), (0.5, 0.5)), up=(0, 1))
    return told([found.outlines, found.bounds, found.triggers, found.named("P"), walker.move((0.5, -1), found), world])


def character() -> cm.Character:
    """Return a character that stands on a body of a world."""
    hero = cm.Character(cm.Box((-9, 0.5), (1, 1)), up=(0, 1))
    walked(hero, scene())
    return hero


def walked(hero: cm.Character, world: cm.World | None = None) -> Any:
    world = scene() if world is None else world
    return told(
        [hero.move((0.1, -0.1), world), hero.move((0.2, -0.1), world), hero.on_floor, hero.floor, hero.position]
    )


def drawn(picture: Any) -> Any:
    return hashlib.sha256(picture._repr_svg_().encode()).hexdigest()


def explained(why: Any) -> Any:
    return [why.sentence, why.verdict, why.separation, repr(why), told(why.axes), drawn(why)]


def looked(camera: Any) -> Any:
    found = [camera.to_pixel((1, 2)), camera.to_world((10, 20))]
    camera.position = (3, 4)
    return told([*found, camera.to_pixel((1, 2)), camera.size])


def pair_scene() -> Any:
    return importlib.import_module("carom.draw.pair").Scene.of([HERO, SHAPES[1]], "aabb", (2.0, 0.0), title="Two")


def facts() -> Any:
    return importlib.import_module("carom.draw.pair").facts_of(pair_scene())


def of(module: str, name: str, *given: Any, **named: Any) -> Callable[[], Any]:
    """Return what calls a class or function of a module, which is imported at the call."""
    return lambda: getattr(importlib.import_module(module), name)(*given, **named)


def plan() -> Any:
    import pyarrow as pa

    table = pa.table({"x": [0.0, 1.0, 9.0], "y": [0.0, 0.5, 9.0], "radius": [1.0, 1.0, 1.0]})
    return importlib.import_module("carom.tables").plan(table, columns="depth")


MANY = cm.Shapes.circles([(0, 0), (1, 0), (9, 9)], 1.0)
LIBRARY = {
    "Axis": Case(lambda: cm.explain(HERO, SHAPES[1]).axis),
    "BadFeature": Case(lambda: cm.BadFeature(1, "id", None, "an outline crosses itself", False)),
    "Body": Case(lambda: scene().bodies[4], reach),
    "BodyHit": Case(lambda: scene().cast(HERO, (9, -3))),
    "BodyList": Case(lambda: scene().query(HERO), lambda found: told([found, found.rows])),
    "BodyNeighbors": Case(lambda: scene().nearest(HERO, 2), lambda found: told([found, found.bodies])),
    "BodyRayHit": Case(lambda: scene().raycast((-9, 0.7), (20, 0))),
    "Bounds": Case(lambda: cm.bounds(HERO)),
    "Box": Case(lambda: SHAPES[1], shape_used),
    "Capsule": Case(lambda: SHAPES[3], shape_used),
    "CastColumns": Case(lambda: index().cast(cm.Shapes(SHAPES), (9, 0))),
    "Character": Case(character, walked),
    "CharacterHit": Case(lambda: cm.Character(HERO, up=(0, 1)).move((9, 0), cm.Shapes(SHAPES[1:])).hits[0]),
    "CharacterMove": Case(lambda: cm.Character(HERO, up=(0, 1)).move((9, 0), cm.Shapes(SHAPES[1:]))),
    "Circle": Case(lambda: HERO, shape_used),
    "Cleaned": Case(lambda: cm.clean([(0, 0), (1, 0), (2, 0), (2, 2), (0, 2)])),
    "Closest": Case(lambda: cm.closest(HERO, SHAPES[1])),
    "ClosestColumns": Case(lambda: cm.closest(MANY, SHAPES[1])),
    "Compound": Case(lambda: cm.decompose(ELL).translated((0.1, 0)), shape_used),
    "CompoundExplanation": Case(lambda: cm.explain(cm.decompose(ELL), HERO), explained),
    "Contact": Case(lambda: cm.collide(HERO, cm.Box((1, 0), (1, 1)))),
    "ContactColumns": Case(lambda: cm.collide(MANY, HERO)),
    "CopiesBody": Case(lambda: worlds().of_body(2), lambda body: [told(body.position), told(body.velocity)]),
    "CopiesContacts": Case(lambda: stepped_copies().contacts(), lambda found: told(found.flat())),
    "CopiesOverlaps": Case(lambda: touching().copies(2).overlaps(), lambda found: told(found.flat())),
    "CopiesHits": Case(lambda: touching().copies(2).step(1 / 30), lambda hits: told(hits.flat())),
    "Crossing": Case(lambda: cm.crossings((-9, 0), (20, 0), HERO)[0]),
    "Approaches": Case(lambda: cm.approaches([(0, 0, 0, 9, 9, 0, 0.5), (0, 5, -5, 9, 5, 5, 0.5)], [(0, 1)])),
    "CrossingLists": Case(lambda: index().crossings([(-9, 0.5)], [(30, 0)])),
    "Difference": Case(lambda: cm.explain(HERO, SHAPES[1]).difference),
    "Explanation": Case(lambda: cm.explain(HERO, SHAPES[1]), explained),
    "Features": Case(lambda: cm.Features([HERO], [0], [cm.BadFeature(1, None, None, "empty", False)]), vars),
    "Hit": Case(lambda: cm.cast(HERO, SHAPES[1], (9, 0))),
    "HitColumns": Case(lambda: cm.cast(MANY, SHAPES[1], (9, 0))),
    "HitKind": Case(lambda: next(iter(first_hit())).kind),
    "Index": Case(index, searched),
    "Interval": Case(lambda: cm.explain(HERO, SHAPES[1]).axis.a),
    "Joint": Case(lambda: scene().joints[0], turned),
    "Level": Case(level, level_used),
    "LevelBodies": Case(lambda: level().add_to(cm.World())),
    "Mass": Case(lambda: HERO.mass()),
    "Move": Case(lambda: cm.move(HERO, (9, 0), cm.Shapes(SHAPES[1:]))),
    "MoveColumns": Case(lambda: cm.move(MANY, (9, 0), cm.Shapes(SHAPES[1:]))),
    "MoveHit": Case(lambda: cm.move(HERO, (9, 0), cm.Shapes(SHAPES[1:])).hits[0]),
    "MoveHitLists": Case(lambda: cm.move(MANY, (9, 0), cm.Shapes(SHAPES[1:])).hits),
    "Neighbors": Case(lambda: index().nearest(MANY, 2)),
    "OneWay": Case(lambda: level().one_way),
    "Outline": Case(lambda: level().outlines[0]),
    "PairContacts": Case(lambda: cm.contacts(MANY)),
    "Picture": Case(lambda: cm.picture(scene()), drawn),
    "Plan": Case(lambda: cm.pairs_plan(MANY)),
    "Point": Case(lambda: cm.Point((0.5, 0.5)), shape_used),
    "Polygon": Case(lambda: SHAPES[2], shape_used),
    "RayHit": Case(lambda: cm.raycast((-9, 0), (20, 0), HERO)),
    "RayHitColumns": Case(lambda: cm.raycast((-9, 0), (20, 0), MANY)),
    "RayHitLists": Case(lambda: index().raycast_all([(-9, 0.5)], [(30, 0)])),
    "Recording": Case(tape, replayed),
    "Replay": Case(lambda: tape().replay(), lambda replay: [replay.diverged, stepped(replay.world)]),
    "RowHit": Case(lambda: index().cast(HERO, (9, 0))),
    "RowLists": Case(lambda: index().query(MANY)),
    "RowRayHit": Case(lambda: index().raycast((-9, 0.5), (30, 0))),
    "Segment": Case(lambda: cm.Segment((0, 0), (1, 2)), shape_used),
    "Shapes": Case(lambda: cm.Shapes(SHAPES), set_used),
    "Trigger": Case(lambda: level().triggers[0]),
    "Vec": Case(lambda: cm.Vec(1.0, -0.0), lambda vec: [told(vec), repr(vec.rotated(1.0)), vec.length]),
    "World": Case(scene, stepped),
    "WorldContacts": Case(lambda: touching().contacts()),
    "WorldHit": Case(lambda: next(iter(first_hit()))),
    "WorldHits": Case(first_hit, hits_of),
    "WorldOverlaps": Case(lambda: touching().overlaps()),
    "WorldSnapshot": Case(lambda: scene().snapshot(), restored),
    "Worlds": Case(worlds, copied),
    "WorldsSnapshot": Case(lambda: worlds().snapshots(), branched),
    "draw.Arrow": Case(lambda: cm.draw.Arrow("way", (0, 0), (1, 1))),
    "draw.Camera": Case(lambda: cm.draw.Camera((800, 600), position=(1, 2), zoom=50), looked),
    "draw.Dot": Case(lambda: cm.draw.Dot("point", (0, 0))),
    "draw.Drawing": Case(lambda: cm.draw.Drawing((cm.draw.Dot("point", (0, 0)),), cm.bounds(HERO))),
    "draw.Line": Case(lambda: cm.draw.Line("way", (0, 0), (1, 1))),
    "draw.Outline": Case(lambda: cm.draw.Outline("a", ((0.0, 0.0),), 1.0)),
    "draw.Style": Case(lambda: cm.draw.Style("#000", 2.0)),
    "draw.Text": Case(lambda: cm.draw.Text("words", (0, 0), "text")),
    "draw.View": Case(lambda: cm.draw.View(0, 0, -1, 1, 50), lambda view: told([view, view.place((0, 0))])),
    "draw.pair.Facts": Case(facts),
    "draw.pair.Scene": Case(pair_scene, lambda one: told([one, one.a, one.b])),
    "draw.pair.SceneError": Case(of("carom.draw.pair", "SceneError", "no pair is chosen")),
    "kernels.Contact": Case(lambda: cm.kernels.Contact(*[0.0] * len(cm.kernels.Contact._fields))),
    "kernels.Hit": Case(lambda: cm.kernels.Hit(*[0.0] * len(cm.kernels.Hit._fields))),
    "kernels.Nearest": Case(lambda: cm.kernels.Nearest(*[0.0] * len(cm.kernels.Nearest._fields))),
    "tables.BadRow": Case(of("carom.tables", "BadRow", "row 3", "radius is not finite"), None, ("pyarrow", "pandas")),
    "tables.JoinPlan": Case(plan, None, ("pyarrow", "pandas")),
    "tables.Joined": Case(of("carom.tables", "Joined", Path("pairs"), 3, (), 0, 0), None, ("pyarrow", "pandas")),
}
# Objects of the programs.


def setup() -> Any:
    levels = importlib.import_module("carom_breakout.levels").shipped_levels()
    return importlib.import_module("carom_breakout.replay").Setup(levels, 7)


def session() -> Any:
    found = importlib.import_module("carom_breakout.session").Session(setup())
    played(found)
    return found


def played(found: Any) -> Any:
    """Return a game and its replay after some ticks."""
    press = importlib.import_module("carom_breakout.session").Press
    for k in range(30):
        found.tick(press(k % 3 - 1, math.nan, 1))
    return told([found.games.view(np.ndarray), found.recorder.finish(found.games), found.last])


def recorder() -> Any:
    return session().recorder


def autoplay() -> Any:
    player = importlib.import_module("carom_breakout.session").Autoplay(3)
    player.next(session())
    return player


def autoplayed(player: Any) -> Any:
    game = session()
    return [told(player.next(game)) for _ in range(3)]


def referee() -> Any:
    game = session()
    return importlib.import_module("carom_breakout.referee").Referee(game.table, 0)


def judged(judge: Any) -> Any:
    game = session()
    before = game.games.copy()
    played(game)
    judge.judge(before, game.games, game.trace, game.setup.dt)
    return told(judge.tally)


def stage() -> Any:
    module = importlib.import_module("carom_breakout.flaws.stage")
    game = session()
    return module.Scene(game.games, game.table)


def staged(scene_of: Any) -> Any:
    return told([scene_of.games.view(np.ndarray), scene_of.levels])


def environment() -> Any:
    found = importlib.import_module("carom_gym.single").BreakoutEnv()
    found.reset(seed=7)
    acted(found)
    return found


def acted(found: Any) -> Any:
    return [told(found.step(k % 3)) for k in range(5)]


def environments() -> Any:
    found = importlib.import_module("carom_gym.vector").BreakoutVectorEnv(3, threads=2)
    found.reset(seed=7)
    acted_all(found)
    return found


def acted_all(found: Any) -> Any:
    return [told(found.step(np.full(3, k % 3))) for k in range(5)]


def task(place: str) -> Any:
    """Return an environment of a task on worlds that has begun."""
    module, name = place.split(".")
    found = getattr(importlib.import_module(f"carom_gym.{module}"), name)()
    found.reset(seed=7)
    return found


def task_used(action: Any, found: Any) -> Any:
    return [told(found.step(action)[:4]) for _ in range(5)]


def batched(batch: Any) -> Any:
    return [told(batch.step(np.full(batch.n, k % 3))) for k in range(5)]


def playing() -> Any:
    scene_of = importlib.import_module("carom_playground.scene").Scene
    return importlib.import_module("carom_playground.state").State(scene_of((HERO, SHAPES[1]), (0, 1)))


def seen(state: Any) -> Any:
    return told({name: value for name, value in vars(state).items() if not name.startswith("_")})


def no_flaw() -> Any:
    return importlib.import_module("carom_breakout.flaws").FLAWS[0]


def outcome() -> Any:
    return importlib.import_module("carom_breakout.flaws.stage").Outcome("words", {"a": 1.0}, [])


GAME, GYM, PLAY = "carom_breakout", "carom_gym", "carom_playground"
PROGRAMS = {
    "carom_breakout.command.Refusal": Case(of(f"{GAME}.command", "Refusal", "no")),
    "carom_breakout.flaws.Flaw": Case(no_flaw),
    "carom_breakout.flaws.Shown": Case(
        lambda: of(f"{GAME}.flaws", "Shown", no_flaw(), (0, 0, 1, 1), outcome(), outcome())()
    ),
    "carom_breakout.flaws.motion.Pair": Case(
        lambda: of(f"{GAME}.flaws.motion", "Pair", (0, 0, 1, 1), outcome(), outcome())()
    ),
    "carom_breakout.flaws.stage.Outcome": Case(outcome),
    "carom_breakout.flaws.stage.Played": Case(
        lambda: of(f"{GAME}.flaws.stage", "Played", session().games.view(np.ndarray), [], [], [], [], [], 0, 0.0, 0)()
    ),
    "carom_breakout.flaws.stage.Scene": Case(stage, staged),
    "carom_breakout.levels.Level": Case(lambda: setup().levels[0], lambda one: [told(one), one.text]),
    "carom_breakout.levels.LevelError": Case(of(f"{GAME}.levels", "LevelError", "line 2")),
    "carom_breakout.levels.Levels": Case(lambda: session().table),
    "carom_breakout.power_up_table.PowerUp": Case(
        of(f"{GAME}.power_up_table", "PowerUp", "wide", 3, 1.0, True, "Wide", "says", (1, 2, 3), "sign")
    ),
    "carom_breakout.referee.Contact": Case(of(f"{GAME}.referee", "Contact", 0.5, 3, (0.0, 1.0))),
    "carom_breakout.referee.Referee": Case(referee, judged),
    "carom_breakout.referee.Tally": Case(of(f"{GAME}.referee", "Tally", 3)),
    "carom_breakout.replay.Recorder": Case(recorder, lambda one: told(one.finish(session().games))),
    "carom_breakout.replay.Replay": Case(
        lambda: recorder().finish(session().games), lambda one: [told(one), list(map(repr, one.inputs()))[:9]]
    ),
    "carom_breakout.replay.ReplayError": Case(of(f"{GAME}.replay", "ReplayError", "another way")),
    "carom_breakout.replay.Run": Case(of(f"{GAME}.replay", "Run", 3, 1, None, 0)),
    "carom_breakout.replay.Setup": Case(setup),
    "carom_breakout.scores.Score": Case(of(f"{GAME}.scores", "Score", 10, "Level", "today")),
    "carom_breakout.session.Autoplay": Case(autoplay, autoplayed),
    "carom_breakout.session.Event": Case(of(f"{GAME}.session", "Event", 1, 2, 0.5, (0.0, 0.0), (0.0, 1.0))),
    "carom_breakout.session.Press": Case(of(f"{GAME}.session", "Press", 1, 5.0, 1)),
    "carom_breakout.session.Session": Case(session, played),
    "carom_breakout.session.Tick": Case(lambda: session().last),
    "carom_breakout.state.Rows": Case(
        lambda: session().games, lambda rows: [told(rows.view(np.ndarray)), told(rows.score)]
    ),
    "carom_breakout.tour.Stage": Case(of(f"{GAME}.tour", "Stage", 1, "title", "watch")),
    "carom_gym.batch.Batch": Case(lambda: environments()._batch, batched, ("gymnasium",)),
    "carom_gym.batch.Part": Case(lambda: environments()._batch._works[0], None, ("gymnasium",)),
    "carom_gym.batch.Snapshot": Case(lambda: environments()._batch.snapshot(), None, ("gymnasium",)),
    "carom_gym.batch.Step": Case(lambda: environments()._batch.step(np.zeros(3, np.int64)), None, ("gymnasium",)),
    "carom_gym.features.Feature": Case(of(f"{GYM}.features", "Feature", "x", 0.0, 1.0, "says")),
    "carom_gym.settings.Settings": Case(lambda: environment()._settings, None, ("gymnasium",)),
    "carom_gym.single.BreakoutEnv": Case(environment, acted, ("gymnasium",)),
    **{
        f"carom_gym.{place}": Case(partial(task, place), partial(task_used, action), ("gymnasium",))
        for place, action in (
            ("lander.LunarLanderEnv", 2),
            ("lander.LunarLanderVectorEnv", np.array([2])),
            ("racing.CarRacingEnv", np.array([0.1, 0.2, 0], np.float32)),
            ("racing.CarRacingVectorEnv", np.array([[0.1, 0.2, 0]], np.float32)),
            ("walker.BipedalWalkerEnv", np.full(4, 0.5, np.float32)),
            ("walker.BipedalWalkerVectorEnv", np.full((1, 4), 0.5, np.float32)),
        )
    },
    "carom_gym.vector.BreakoutVectorEnv": Case(environments, acted_all, ("gymnasium",)),
    "carom_playground.notation.NotationError": Case(of(f"{PLAY}.notation", "NotationError", "no shape")),
    "carom_playground.scene.Scene": Case(lambda: playing().scene, lambda one: [told(one), one.to_json()]),
    "carom_playground.state.State": Case(playing, seen),
    "carom_playground.story.Step": Case(
        lambda: importlib.import_module(f"{PLAY}.story").steps(cm.explain(HERO, SHAPES[1]))[1]
    ),
}
CASES = {**{f"carom.{name}": case for name, case in LIBRARY.items()}, **PROGRAMS}
REFUSED = {
    "carom_breakout.session.Playback": (
        lambda: of(f"{GAME}.session", "Playback", recorder().finish(session().games))(),
        "a player that reads a replay on and on; the replay can be pickled",
    ),
    "carom.draw.Film": (lambda: cm.draw.Film.__new__(cm.draw.Film), "a file that is being written"),
}
"""Classes whose objects refuse to be pickled by a TypeError, and why."""


def classes() -> Iterator[tuple[str, type | None]]:
    """Yield each public class with its name; a name, or module, that needs what is not installed, with None."""
    seen: set[type] = set()
    for module in (*PACKAGES, *PARTS):
        found = if_installed(importlib.import_module, module)
        if found is None:
            yield module, None
            continue
        for name in found.__all__ if module in PACKAGES else [one for one in sorted(vars(found)) if one[0] != "_"]:
            one = if_installed(getattr, found, name)
            own = module in PACKAGES or getattr(one, "__module__", "") == module
            if one is None or (inspect.isclass(one) and one not in seen and own):
                seen.add(type(None) if one is None else one)
                yield f"{module}.{name}", one


def if_installed(find: Callable[..., Any], *given: Any) -> Any:
    """Return what is found, None where a package is not installed that is not part of every install."""
    try:
        return find(*given)
    except ModuleNotFoundError as error:
        if not any(name in str(error) for name in OPTIONAL):
            raise
        return None


def use_of(name: str) -> Callable[[Any], Any]:
    return CASES[name].use or told


def answer(name: str, value: Any) -> str:
    """Return what the use of an object tells, as text."""
    return repr(use_of(name)(value))


def check(name: str, kind: type) -> bytes:
    """Return the pickle of a used object of a class, whose copies here are used; raise where one answers otherwise."""
    value = CASES[name].make()
    if not isinstance(value, kind):
        raise AssertionError(f"the table makes a {type(value).__name__}")
    others = {f"protocol {protocol}": pickle.dumps(value, protocol) for protocol in PROTOCOLS}
    deep, shallow = copy.deepcopy(value), copy.copy(CASES[name].make())
    expected = answer(name, value)  # the original goes first: the others go from their own state
    found = {how: answer(name, pickle.loads(content)) for how, content in others.items()}
    found |= {"copy.deepcopy": answer(name, deep), "copy.copy": answer(name, shallow)}
    for how, told_of in found.items():
        if told_of != expected:
            raise AssertionError(f"{how} answers {told_of:.300}\n    and not {expected:.300}")
    return pickle.dumps((name, others[f"protocol {pickle.HIGHEST_PROTOCOL}"], expected))


def refuse(name: str) -> None:
    """Make sure that an object refuses to be pickled by a TypeError."""
    make, why = REFUSED[name]
    try:
        pickle.dumps(make())
    except TypeError:
        return
    raise AssertionError(f"it was to refuse: {why}")


def use_loaded(file: Path) -> None:
    """Use what another process has pickled; print a line for each that answers otherwise."""
    for kept in pickle.loads(file.read_bytes()):
        name, content, expected = pickle.loads(kept)
        print("begins", name, flush=True)
        try:
            found = answer(name, pickle.loads(content))
        except Exception as error:
            print(f"fails {name}: {type(error).__name__}: {error}", flush=True)
            continue
        print(f"same {name}" if found == expected else f"fails {name}: {found:.300}, not {expected:.300}", flush=True)


def in_a_fresh_process(kept: list[bytes]) -> dict[str, str]:
    """Return what failed in a process of its own, by class; one that ends by itself is named with its exit status."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "kept.pickle"
        file.write_bytes(pickle.dumps(kept))
        done = subprocess.run([sys.executable, __file__, str(file)], capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    failed = dict(line.removeprefix("fails ").split(": ", 1) for line in lines if line.startswith("fails "))
    if done.returncode != 0:
        last = next((line.removeprefix("begins ") for line in reversed(lines) if line.startswith("begins ")), "?")
        failed[last] = f"the process ended with {done.returncode}: {done.stderr[-500:]}"
    return failed


def tried() -> tuple[list[str], dict[str, str], dict[str, str]]:
    """Return the names of the classes that hold, those that fail with what is wrong, and those skipped with why."""
    held, failed, skipped, kept = [], {}, {}, []
    known = {*CASES, *REFUSED, *ALONE}
    for name, kind in classes():
        needs = [one for one in CASES[name].needs if importlib.util.find_spec(one) is None] if name in CASES else []
        if kind is None or needs:
            skipped[name] = f"needs {', '.join(needs) or 'a package that is not installed'}"
            continue
        try:
            if name not in known:
                raise AssertionError("a new public class: it is in no table of tests/support/pickled.py")
            if name in REFUSED:
                refuse(name)
            elif name in CASES:
                kept.append(check(name, kind))
                held.append(name)
        except Exception as error:
            failed[name] = f"{type(error).__name__}: {error}"
    failed |= in_a_fresh_process(kept)
    return [name for name in held if name not in failed], failed, skipped


def main() -> int:
    """Try all; print a line for each class."""
    held, failed, skipped = tried()
    for name in held:
        print("ok", name)
    for name, why in skipped.items():
        print("SKIPPED", name, why)
    for name, why in failed.items():
        print("FAILS", name, why)
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) > 1:
        use_loaded(Path(sys.argv[1]))
    else:
        sys.exit(main())
