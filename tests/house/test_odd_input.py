"""Every public function, method and constructor against a list of odd input: it works, or it names the fault.

`CALLS` names each public callable with good arguments; each argument in turn becomes every odd value, alone, as a row
of an array and as one coordinate. Either the call works, or a ValueError or TypeError names the callable and the
argument, and the row where there are rows. Nothing else is raised, nothing warns, no argument is changed. What is
public is read from the package itself, so that a new name without an entry here fails.
"""

from __future__ import annotations

import array
import copy
import inspect
import math
import pickle
import re
import tempfile
from collections import OrderedDict, deque, namedtuple
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import shapely

import carom as cm
from carom.world.addressed import arrays_in
from tests.support.verbs import PAIR_VERBS

Make = Callable[[], Any]

BALL, BOX = cm.Circle((0, 0), 1.0), cm.Box((3, 0), (1, 1))
TRIANGLE = cm.Polygon([(0, 0), (2, 0), (1, 2)])
REGION = cm.decompose([(0, 0), (4, -2), (3, 0), (4, 2)])
MANY = cm.Shapes([BALL, BOX, TRIANGLE])
SAVED = Path(tempfile.mkdtemp()) / "many.shapes"
MANY.save(SAVED)
SAVED_MAP = SAVED.with_name("map.txt")
SAVED_MAP.write_text("#P-")
LEVEL = cm.read_grid("#P-")
POINTS = [(0.0, 0.0), (2.0, 0.5), (1.0, 2.0)]


class Floats(float):
    pass


class Whole(int):
    pass


class Listed(list):  # type: ignore[type-arg]
    pass


class OnlyFloat:
    def __float__(self) -> float:
        return 1.5


class OnlyIndex:
    def __index__(self) -> int:
        return 2


class OnlyArray:
    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array([1.0, 2.0], dtype=dtype)


class OnlyItems:
    def __len__(self) -> int:
        return 2

    def __getitem__(self, at: int) -> float:
        return (1.0, 2.0)[at]


Pair = namedtuple("Pair", "x y")


def read_only(values: Any) -> Any:
    result = np.array(values)
    result.flags.writeable = False
    return result


NUMBERS: dict[str, Make] = {
    "None": lambda: None,
    "nan": lambda: math.nan,
    "inf": lambda: math.inf,
    "-inf": lambda: -math.inf,
    "1e308": lambda: 1e308,
    "1e151": lambda: 1e151,
    "-1e151": lambda: -1e151,
    "1e150": lambda: 1e150,
    "-1": lambda: -1,
    "0": lambda: 0,
    "-0.0": lambda: -0.0,
    "1e-150": lambda: 1e-150,
    "1e-151": lambda: 1e-151,
    "5e-324": lambda: 5e-324,
    "10**400": lambda: 10**400,
    "2**63": lambda: 2**63,
    "True": lambda: True,
    "numpy True": lambda: np.True_,
    "text": lambda: "1",
    "empty text": lambda: "",
    "bytes": lambda: b"1",
    "complex": lambda: 1j,
    "Decimal": lambda: Decimal("1.5"),
    "Decimal NaN": lambda: Decimal("NaN"),
    "Fraction": lambda: Fraction(4, 3),
    "large Fraction": lambda: Fraction(10**400, 3),
    **{
        f"numpy {kind}": lambda kind=kind: np.dtype(kind).type(1)  # type: ignore[misc]
        for kind in ("f2", "f4", "f8", "g", "i1", "u1", "i2", "i4", "i8", "u8", "c8", "c16")
    },
    "numpy nan": lambda: np.float32("nan"),
    "longdouble 1e4000": lambda: np.longdouble("1e4000"),
    "numpy text": lambda: np.str_("1"),
    "datetime": lambda: np.datetime64("2020-01-01"),
    "timedelta": lambda: np.timedelta64(1, "s"),
    "float subclass": lambda: Floats(1.5),
    "int subclass": lambda: Whole(2),
    "only __float__": OnlyFloat,
    "only __index__": OnlyIndex,
    "0-d array": lambda: np.array(1.5),
    "0-d object array": lambda: np.array(None, dtype=object),
    "array of one": lambda: np.array([1.5]),
    "object": object,
    "Ellipsis": lambda: ...,
    "NotImplemented": lambda: NotImplemented,
}

# Alone or as a whole row; as a number among others NumPy itself warns of it, and it is refused as NaN.
MASKED: Make = lambda: np.ma.masked  # noqa: E731

ODD: dict[str, Make] = {
    **NUMBERS,
    "long text": lambda: "ab" * 500,
    "two letters": lambda: "ab",
    "bytearray": lambda: bytearray(b"ab"),
    "memoryview": lambda: memoryview(b"ab"),
    "array.array": lambda: array.array("d", [1.0, 2.0]),
    "only __array__": OnlyArray,
    "only items": OnlyItems,
    "empty tuple": tuple,
    "empty list": list,
    "one": lambda: (1.0,),
    "two": lambda: (1.0, 2.0),
    "two in a list": lambda: [1, 2],
    "two in a subclass": lambda: Listed([1.0, 2.0]),
    "two in a named tuple": lambda: Pair(1.0, 2.0),
    "Vec": lambda: cm.Vec(1.0, 2.0),
    "two Nones": lambda: (None, None),
    "two texts": lambda: ("1", "2"),
    "two bools": lambda: (True, False),
    "two NaN": lambda: (math.nan, math.nan),
    "two too large": lambda: (1e308, -1e308),
    "two negative": lambda: (-1.0, -2.0),
    "two of numpy": lambda: (np.float32(1), np.int8(2)),
    "Fractions": lambda: (Fraction(1, 3), Fraction(2)),
    "Decimals": lambda: (Decimal(1), Decimal(2)),
    "three": lambda: (1.0, 2.0, 3.0),
    "four": lambda: (1.0, 2.0, 3.0, 4.0),
    "nested": lambda: ((1.0, 2.0),),
    "nested twice": lambda: [[(1.0, 2.0)], [(3.0, 4.0)]],
    "ragged": lambda: [(1.0, 2.0), (3.0,)],
    "ragged deep": lambda: [[(0, 0), (1, 0), (0, 1)], [(0, 0), (1,)]],
    "three points": lambda: [(0, 0), (1, 0), (0, 1)],
    "one point thrice": lambda: [(1, 1)] * 3,
    "points on a line": lambda: [(0, 0), (1, 1), (2, 2)],
    "crossing": lambda: [(0, 0), (2, 2), (2, 0), (0, 2)],
    "concave": lambda: [(0, 0), (4, 0), (1, 1), (0, 4)],
    "generator": lambda: (value for value in (1.0, 2.0)),
    "iterator": lambda: iter((1.0, 2.0)),
    "range": lambda: range(2),
    "set": lambda: {1.0, 2.0},
    "frozenset": lambda: frozenset((1.0, 2.0)),
    "dict": lambda: {1.0: 2.0, 3.0: 4.0},
    "dict keys": lambda: {1.0: 2.0, 3.0: 4.0}.keys(),
    "OrderedDict": lambda: OrderedDict(x=1.0, y=2.0),
    "deque": lambda: deque((1.0, 2.0)),
    "class": lambda: cm.Circle,
    "function": lambda: len,
    "module": lambda: math,
    "no numbers": lambda: np.zeros(0),
    "no points": lambda: np.zeros((0, 2)),
    "no points of 3": lambda: np.zeros((0, 3)),
    "points (1, 2)": lambda: np.ones((1, 2)),
    "points (2, 2)": lambda: np.array([(0.0, 1.0), (2.0, 3.0)]),
    "points (3, 2)": lambda: np.array(POINTS),
    "points (2, 3)": lambda: np.ones((2, 3)),
    "points (2, 2, 2)": lambda: np.ones((2, 2, 2)),
    "points (2, 3, 2)": lambda: np.array([POINTS, POINTS]),
    "points (3, 0)": lambda: np.zeros((3, 0)),
    "float16": lambda: np.array(POINTS, dtype=np.float16),
    "float32": lambda: np.array(POINTS, dtype=np.float32),
    "int8": lambda: np.array(POINTS, dtype=np.int8),
    "uint64": lambda: np.array(POINTS, dtype=np.uint64),
    "longdouble": lambda: np.array(POINTS, dtype=np.longdouble),
    "too long a double": lambda: np.full((3, 2), np.longdouble("1e4000")),
    "big-endian": lambda: np.array(POINTS, dtype=">f8"),
    "bool array": lambda: np.ones((3, 2), dtype=bool),
    "complex array": lambda: np.ones((3, 2), dtype=complex),
    "text array": lambda: np.full((3, 2), "1"),
    "bytes array": lambda: np.full((3, 2), b"1"),
    "datetime array": lambda: np.zeros((3, 2), dtype="datetime64[s]"),
    "record array": lambda: np.zeros(3, dtype=[("x", float), ("y", float)]),
    "object array": lambda: np.array(POINTS, dtype=object),
    "object array of None": lambda: np.full((3, 2), None),
    "object array of mixed": lambda: np.array([1.0, "2"], dtype=object),
    "masked array": lambda: np.ma.array(POINTS, mask=[(0, 0), (1, 0), (0, 0)]),
    "masked nothing": lambda: np.ma.array(POINTS),
    "masked pair": lambda: np.ma.array([1.0, 2.0], mask=[False, True]),
    "read-only": lambda: read_only(POINTS),
    "strided": lambda: np.zeros((6, 4))[::2, ::2] + np.array(POINTS),
    "Fortran": lambda: np.asfortranarray(np.array(POINTS)),
    "transposed": lambda: np.array([(0.0, 2.0, 1.0), (0.0, 0.5, 2.0)]).T,
    "backwards": lambda: np.array(POINTS)[::-1],
    "NaN in row 1": lambda: np.array([(0, 0), (math.nan, 0), (1, 2)]),
    "inf in row 1": lambda: np.array([(0, 0), (0, math.inf), (1, 2)]),
    "column with NaN": lambda: np.array([1.0, math.nan, 1.0]),
    "column of 3": lambda: np.array([1.0, 2.0, 3.0]),
    "column of 5": lambda: np.ones(5),
    "negative column": lambda: np.array([1.0, -2.0, 3.0]),
    "int column": lambda: np.array([1, 2, 3]),
    "shape": lambda: cm.Circle((5, 5), 1),
    "turned box": lambda: cm.Box((5, 5), (1, 2), 0.3),
    "shapes": lambda: cm.Shapes([cm.Circle((5, 5), 1)]),
    "three shapes": lambda: cm.Shapes(MANY),
    "five shapes": lambda: cm.Shapes.repeat(BALL, 5),
    "no shapes": cm.Shapes,
    "list of shapes": lambda: [BALL, BOX, TRIANGLE],
    "compound": lambda: REGION,
    "contact": lambda: cm.collide(cm.Circle((0, 0), 1), cm.Circle((1, 0), 1)),
}

# For each public callable: the call by keyword, and a good value of every argument that takes input.
Good = dict[str, Make]
Entry = tuple[Callable[..., Any], Good]

SHAPE: Make = lambda: TRIANGLE  # noqa: E731
POINT: Make = lambda: (1.0, 2.0)  # noqa: E731
NUMBER: Make = lambda: 1.5  # noqa: E731
TABLE: Make = lambda: [tuple(point) for point in POINTS]  # noqa: E731
ARRAY: Make = lambda: np.array(POINTS)  # noqa: E731
COLUMN: Make = lambda: [1.0, 2.0, 3.0]  # noqa: E731
THREADS: Good = {"threads": lambda: 2}
TOUCHING: Good = {"touching": lambda: False}
PAIR: Good = {"a": SHAPE, "b": lambda: BALL, **THREADS}
SEARCH: Good = {"method": lambda: "grid", **THREADS}
LAYERS: Good = {"layer": lambda: [1, 2, 3], "mask": lambda: 3}
SETS: Good = {
    "shapes": lambda: MANY,
    "others": lambda: MANY,
    **LAYERS,
    **{f"others_{name}": make for name, make in LAYERS.items()},
    **SEARCH,
}
BOUNDS: Make = lambda: [(0, 0, 1, 1), (2.0, 0.5, 3.0, 2.5)]  # noqa: E731
SQUARE: Make = lambda: [(0, 0), (4, 0), (4, 4), (0, 4)]  # noqa: E731


def methods(name: str, shape: Any) -> dict[str, Entry]:
    """Return the entries of the methods that every shape has."""
    return {
        f"{name}.mass": (shape.mass, {"density": NUMBER}),
        f"{name}.translated": (shape.translated, {"vector": POINT}),
        f"{name}.rotated": (shape.rotated, {"angle": NUMBER, "pivot": POINT}),
    }


PLACED: Good = {"position": POINT, "angle": NUMBER}


def on_an_index(method: str) -> Callable[..., Any]:
    """Return a method of an index that is made anew for each call, since calls may change it."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return getattr(cm.Index(MANY), method)(*args, **kwargs)

    call.__signature__ = inspect.signature(getattr(cm.Index(), method))  # type: ignore[attr-defined]
    return call


WORLD = cm.World(gravity=(0, -10))
SENSOR = WORLD.add(cm.Circle((-20, 0), 5), sensor=True)
LIFT = WORLD.add(cm.Box((20, 0), (1, 1)), kind="kinematic", velocity=(0, 1))
CRATE = WORLD.add(TRIANGLE, kind="dynamic", velocity=(1, 2), layer="crates", data="crate")
BODIES = [SENSOR, LIFT, CRATE]
AT_FIRST = WORLD.snapshot()
IN_WORLD: Good = {
    "ignore": lambda: CRATE,
    "mask": lambda: "crates",
    "sensors": lambda: True,
    "threads": lambda: 2,
}
QUESTIONS: dict[str, Good] = {
    "raycast": {"origin": POINT, "translation": POINT},
    "cast": {"shape": SHAPE, "translation": POINT, "rotation": NUMBER, "pivot": POINT},
    "query": {"shape": SHAPE, **TOUCHING, "within": NUMBER},
    "contains": {"point": POINT},
    "nearest": {"shape": SHAPE, "k": lambda: 2, "within": NUMBER},
}


UNCHANGED: list[Any] = []
"""The world as a refused call of this test has left it, while nothing else has touched it."""


@pytest.fixture(autouse=True)
def _another_test_may_have_touched_the_world() -> None:
    UNCHANGED.clear()


def state_of(world: cm.World) -> Any:
    """Return all that a world is, in a form that can be compared; a pickle of it takes four times as long."""
    rest = {name: value for name, value in vars(world._store).items() if name not in ("tables", "piles", "known")}
    arrays = arrays_in((world._store.tables, world._store.piles))
    return [array.tobytes() for array in arrays], pickle.dumps(rest)


def in_the_world(
    work: Callable[..., Any], like: Callable[..., Any] | None = None, world: cm.World = WORLD
) -> Callable[..., Any]:
    """Return a call that leaves the world as it was, and finds it so where it is refused."""
    at_first = world.snapshot()

    def call(*args: Any, **kwargs: Any) -> Any:
        before = UNCHANGED.pop() if UNCHANGED else state_of(world)
        unchanged = False
        try:
            return work(*args, **kwargs)
        except (TypeError, ValueError):
            unchanged = state_of(world) == before
            assert unchanged, "the world has changed"
            UNCHANGED.append(before)
            raise
        finally:
            if not unchanged:
                world.restore(at_first)

    call.__signature__ = inspect.signature(like or work)  # type: ignore[attr-defined]
    return call


COPIES = WORLD.copies(2)
CRATES = COPIES.of_body(CRATE)
LINE = cm.World()
LINE.add(cm.Segment((0, 0), (1, 0)))
LINES = LINE.copies(2)


MACHINE = cm.World()
MACHINE.pin(MACHINE.add(cm.Box((0, 0), (1, 1)), kind="dynamic"), None, (1, 1), max_torque=1)
MACHINES = MACHINE.copies(2)


def in_copies(
    work: Callable[..., Any], like: Callable[..., Any] | None = None, copies: Any = COPIES
) -> Callable[..., Any]:
    """The same of copies of the world."""

    def digests() -> list[Any]:
        return [copies.world(k).digest() for k in range(len(copies))]

    def call(*args: Any, **kwargs: Any) -> Any:
        before = UNCHANGED.pop() if UNCHANGED else digests()
        try:
            return work(*args, **kwargs)
        except (TypeError, ValueError):
            assert digests() == before, "the copies have changed"
            raise
        finally:
            copies.reset()
            UNCHANGED.append(before)

    call.__signature__ = inspect.signature(like or work)  # type: ignore[attr-defined]
    return call


def setting(thing: Any, name: str, good: Make) -> Entry:
    """Return the entry of a property that can be set."""

    def call(*args: Any, **kwargs: Any) -> None:
        signature.bind(*args, **kwargs)  # as a method would be called
        setattr(thing, name, kwargs[name])

    signature = inspect.Signature([inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD)])
    call.__signature__ = signature  # type: ignore[attr-defined]
    if thing in (COPIES, MACHINES):
        return in_copies(call, copies=thing), {name: good}
    if isinstance(thing, cm.CopiesBody):
        return in_copies(call, copies=COPIES), {name: good}
    return in_the_world(call, world=MECHANISM if isinstance(thing, cm.Joint) else WORLD), {name: good}


MECHANISM = cm.World()
ARM, LEVER = (MECHANISM.add(cm.Box((x, 0), (1, 1)), kind="dynamic") for x in (0, 3))
PIN, SLIDE, GEAR, ROD, DRAG, MOTOR, PULLEY = (
    MECHANISM.pin(ARM, LEVER, (1, 1)),
    MECHANISM.slide(ARM, None, (1, 1), (0, 1)),
    MECHANISM.gear(ARM, LEVER),
    MECHANISM.rod(ARM, LEVER, (0, 0), (3, 0)),
    MECHANISM.drag(ARM, (1, 1)),
    MECHANISM.motor(ARM, None, max_force=5),
    MECHANISM.pulley(ARM, LEVER, (0, 0.5), (3, 0.5), over=((0, 4), (3, 4))),
)
JOINED: Good = {"collide": lambda: False, "breaks_at": POINT, "data": NUMBER}
SPRINGY: Good = {"hertz": NUMBER, "damping": NUMBER}
STIFF: Good = {"stiffness": NUMBER, "resistance": NUMBER}
HINGES = ("pin", "weld")
HINGED: Good = {"a": lambda: CRATE, "b": lambda: LIFT, "point": POINT}
BETWEEN: Good = {"a": lambda: CRATE, "b": lambda: LIFT, "from_": POINT, "to": lambda: (20.0, 0.5)}
JOINTS: dict[str, Good] = {
    "pin": {**HINGED, "limits": POINT, "speed": NUMBER, "max_torque": NUMBER, **SPRINGY, "rest": NUMBER},
    "weld": {**HINGED, **SPRINGY},
    "rod": {**BETWEEN, "length": NUMBER},
    "rope": {**BETWEEN, "length": NUMBER},
    "spring": {**BETWEEN, "length": NUMBER, **SPRINGY, "limits": POINT},
    "slide": {**HINGED, "axis": POINT, "turns": lambda: False, "limits": POINT, **SPRINGY, "rest": NUMBER},
}

HERO = cm.Character(BALL, up=(0, 1), step_height=0.2)


def as_a_character(work: Callable[..., Any]) -> Callable[..., Any]:
    """Return a call of a method of a character, which is as it was where it is refused."""

    def call(*args: Any, **kwargs: Any) -> Any:
        hero, before = copy.copy(HERO), pickle.dumps(WORLD)
        try:
            return work(hero, *args, **kwargs)
        except (TypeError, ValueError):
            assert vars(hero) == vars(HERO) and pickle.dumps(WORLD) == before, "it has changed"
            raise

    signature = inspect.signature(work)
    call.__signature__ = signature.replace(parameters=list(signature.parameters.values())[1:])  # type: ignore[attr-defined]
    return call


ADDED: Good = {
    "shape": SHAPE,
    "restitution": lambda: 0.5,
    "layer": lambda: "walls",
    "mask": lambda: ["walls", "crates"],
    "response": lambda: "slide",
    "one_way": POINT,
    "surface_velocity": POINT,
    "rolling_resistance": lambda: 0.5,
    "group": lambda: 3,
    "can_sleep": lambda: False,
    "data": lambda: "new",
}
ADDED_MANY: Good = {
    **ADDED,
    "shapes": lambda: [BALL, BOX, TRIANGLE],
    "restitution": lambda: [0.5, 0.25, 1.0],
    "velocity": TABLE,
    "kind": lambda: "dynamic",
    "data": lambda: [1, 2, 3],
}
del ADDED_MANY["shape"]
WITHOUT_BELT = {name: good for name, good in ADDED_MANY.items() if name != "surface_velocity"}

RUBBING: Good = {
    "friction": lambda: [0.5, 0.25, 1.0],
    "spin": lambda: [0.5, 0.25, 1.0],
    "damping": NUMBER,
    "gravity_scale": NUMBER,
    "turns": lambda: True,
}

FILTERS: Good = {"mask": lambda: 1, "ignore": lambda: -1, **THREADS}

CALLS: dict[str, Entry] = {
    "bounding_circle": (cm.bounding_circle, {"shape": SHAPE}),
    "bounds": (cm.bounds, {"shape": SHAPE}),
    "smallest_box": (cm.smallest_box, {"shape": SHAPE}),
    "cast": (cm.cast, {**PAIR, "translation": POINT, "rotation": NUMBER, "pivot": POINT}),
    "cast of two that turn": (
        cm.cast,
        {"a": lambda: BOX, "b": lambda: BALL, "translation": POINT, "other_rotation": NUMBER, "other_pivot": POINT},
    ),
    "clean": (cm.clean, {"outline": TABLE}),
    "closest": (cm.closest, PAIR),
    "collide": (cm.collide, PAIR),
    "contains": (cm.contains, {"shape": SHAPE, "other": POINT, **THREADS}),
    "decompose": (cm.decompose, {"outline": SQUARE, "holes": lambda: [[(1, 1), (3, 1), (3, 3)]]}),
    "distance": (cm.distance, PAIR),
    "move": (
        cm.move,
        {
            "shape": SHAPE,
            "translation": POINT,
            "obstacles": lambda: MANY,
            "response": lambda: "slide",
            "restitution": lambda: 0.5,
            "ignore": lambda: [0],
        },
    ),
    "move in an Index": (
        cm.move,
        {"shape": SHAPE, "translation": POINT, "obstacles": lambda: cm.Index(MANY), "mask": lambda: 3},
    ),
    "Character": (
        cm.Character,
        {"shape": SHAPE, "up": POINT, "max_slope": lambda: 0.5, "snap": NUMBER, "step_height": NUMBER},
    ),
    "Character.move": (
        as_a_character(cm.Character.move),
        {
            "translation": POINT,
            "obstacles": lambda: MANY,
            "one_way": lambda: [0, 2],
            "drop": lambda: True,
            "ignore": lambda: [1],
        },
    ),
    "Character.move in an Index": (
        as_a_character(cm.Character.move),
        {
            "translation": POINT,
            "obstacles": lambda: cm.Index(MANY),
            "one_way": lambda: [0, 2],
            "ignore": lambda: [1, -1],
            "mask": lambda: 3,
        },
    ),
    "Character.move in a World": (
        as_a_character(cm.Character.move),
        {
            "push": NUMBER,
            "dt": NUMBER,
            "translation": POINT,
            "obstacles": lambda: WORLD,
            "ignore": lambda: [LIFT],
            "mask": lambda: ["default", "crates"],
        },
    ),
    "Character.shape": setting(HERO, "shape", SHAPE),
    "Character.position": setting(HERO, "position", POINT),
    "picture": (
        lambda things, layers, motion: cm.picture(BALL, things, layers=layers, motion=motion),
        {"things": SHAPE, "layers": lambda: "motion", "motion": POINT},
    ),
    "picture of a list": (
        lambda things, layers, color, labels, window, y_up, joints: cm.picture(
            [BALL, things], layers=layers, color=color, labels=labels, window=window, y_up=y_up, joints=joints
        ),
        {
            "things": SHAPE,
            "layers": lambda: "aabb,rows",
            "color": lambda: ["#FF0000", None],
            "labels": lambda: ["ball", "it"],
            "window": lambda: (0, 0, 4, 3),
            "y_up": lambda: True,
            "joints": lambda: True,
        },
    ),
    "draw.paint": (
        lambda thing, camera, layers, color, labels, joints: cm.draw.paint(
            pytest.importorskip("pygame").Surface((40, 30)),
            [BALL, thing],
            camera,
            layers=layers,
            color=color,
            labels=labels,
            joints=joints,
        ),
        {
            "thing": SHAPE,
            "camera": lambda: cm.draw.Camera((40, 30)),
            "joints": lambda: False,
            "layers": lambda: "aabb",
            "color": lambda: ["#FF0000", None],
            "labels": lambda: ["ball", "it"],
        },
    ),
    "draw.frames": (
        cm.draw.frames,
        {"size": lambda: (40, 30), "title": lambda: "A", "argv": lambda: ["a.py", "--frames", "1"]},
    ),
    "draw.film": (
        lambda thing, file, seconds, dt, size, camera, fps, layers, color, background, joints: cm.draw.film(
            thing,
            file,
            seconds=seconds,
            dt=dt,
            size=size,
            camera=camera,
            fps=fps,
            layers=layers,
            color=color,
            background=background,
            joints=joints,
        ),
        {
            "thing": cm.World,
            "file": lambda: SAVED.parent / "film.gif",
            "seconds": lambda: 0.1,
            "dt": lambda: 0.05,
            "size": lambda: (40, 30),
            "camera": lambda: cm.draw.Camera((40, 30)),
            "fps": lambda: 20,
            "layers": lambda: "aabb",
            "color": lambda: "kind",
            "background": lambda: "white",
            "joints": lambda: True,
        },
    ),
    "WorldHits.of_kind": (WORLD.copy().step(0.01).of_kind, {"kind": lambda: "hit"}),
    "CopiesHits.of_kind": (WORLD.copies(2).step(0.01).of_kind, {"kind": lambda: "hit"}),
    "explain": (cm.explain, {"a": SHAPE, "b": lambda: BALL}),
    "hull": (cm.hull, {"points": TABLE}),
    "intersects": (cm.intersects, {**PAIR, **TOUCHING}),
    "raycast": (cm.raycast, {"origin": POINT, "translation": POINT, "shape": SHAPE, **THREADS}),
    "crossings": (cm.crossings, {"origin": POINT, "translation": POINT, "shape": SHAPE, **THREADS}),
    "separation": (cm.separation, PAIR),
    "approaches": (
        cm.approaches,
        {
            "pieces": lambda: [(0, 0, 0, 9, 9, 0, 0.5), (0, 5, -5, 9, 5, 5, 0.5), (1, 2, 3, 4, 5, 6, 7)],
            "pairs": lambda: [(0, 1), (1, 2), (0, 2)],
            "within": NUMBER,
        },
    ),
    "pairs": (cm.pairs, {**SETS, **TOUCHING, "within": NUMBER, "block": lambda: 3, "owners": lambda: True}),
    "contacts": (cm.contacts, {**SETS, **TOUCHING, "within": NUMBER, "block": lambda: 3, "owners": lambda: True}),
    "pairs_plan": (cm.pairs_plan, {"shapes": lambda: MANY, "others": lambda: MANY, "within": NUMBER, **SEARCH}),
    "bounds_pairs": (cm.bounds_pairs, {"bounds": BOUNDS, "others": BOUNDS, **SEARCH, "block": lambda: 3}),
    "Point": (cm.Point, {"position": POINT}),
    "Segment": (cm.Segment, {"start": lambda: (5.0, 6.0), "end": POINT}),
    "Circle": (cm.Circle, {"center": POINT, "radius": NUMBER}),
    "Capsule": (cm.Capsule, {"start": lambda: (5.0, 6.0), "end": POINT, "radius": NUMBER}),
    "Box": (cm.Box, {"center": POINT, "size": POINT, "angle": NUMBER, "radius": NUMBER}),
    "Box.from_corners": (cm.Box.from_corners, {"lower": lambda: (-5, -6), "upper": POINT, "radius": NUMBER}),
    "Box.from_corner": (cm.Box.from_corner, {"corner": POINT, "size": POINT, "radius": NUMBER}),
    "Box.from_rect": (cm.Box.from_rect, {"rect": lambda: (0, 0, 1, 2), "radius": NUMBER}),
    "Polygon": (cm.Polygon, {"vertices": TABLE, "radius": NUMBER, "vertex_ids": lambda: (3, 4, 5)}),
    **methods("Point", cm.Point((1, 2))),
    **methods("Segment", cm.Segment((0, 0), (1, 2))),
    **methods("Circle", BALL),
    **methods("Capsule", cm.Capsule((0, 0), (1, 2), 0.5)),
    **methods("Box", cm.Box((1, 2), (1, 2), 0.3)),
    **methods("Polygon", TRIANGLE),
    **methods("Compound", REGION),
    "Compound.polyline": (cm.Compound.polyline, {"points": TABLE, "closed": lambda: True}),
    "Compound.from_parts": (cm.Compound.from_parts, {"parts": lambda: [BALL, BOX, TRIANGLE]}),
    **methods("Shape", cm.Box((1, 2), (1, 2))),
    **methods("ConvexShape", cm.Box((1, 2), (1, 2))),
    "Point.placed": (cm.Point((1, 2)).placed, PLACED),
    "Segment.placed": (cm.Segment((0, 0), (1, 2)).placed, PLACED),
    "Circle.placed": (BALL.placed, PLACED),
    "Capsule.placed": (cm.Capsule((0, 0), (1, 2), 0.5).placed, PLACED),
    "Box.placed": (cm.Box((1, 2), (1, 2), 0.3).placed, PLACED),
    "Polygon.placed": (TRIANGLE.placed, PLACED),
    "Shape.placed": (BOX.placed, PLACED),
    "ConvexShape.placed": (BOX.placed, PLACED),
    "Compound.placed": (REGION.placed, PLACED),
    "Shapes": (cm.Shapes, {"values": lambda: [BALL, BOX, TRIANGLE]}),
    "Shapes.points": (cm.Shapes.points, {"position": TABLE}),
    "Shapes.circles": (cm.Shapes.circles, {"center": ARRAY, "radius": COLUMN}),
    "Shapes.segments": (cm.Shapes.segments, {"start": lambda: [(9, 9)] * 3, "end": TABLE}),
    "Shapes.capsules": (cm.Shapes.capsules, {"start": lambda: [(9, 9)] * 3, "end": ARRAY, "radius": COLUMN}),
    "Shapes.boxes": (
        cm.Shapes.boxes,
        {"center": TABLE, "size": lambda: [(1.0, 2.0)] * 3, "angle": COLUMN, "radius": COLUMN},
    ),
    "Shapes.boxes of bounds": (cm.Shapes.boxes, {"bounds": BOUNDS, "radius": NUMBER}),
    "Shapes.to_shapely": (MANY.to_shapely, {"quarter": lambda: 4}),
    "Shapes.polygons": (cm.Shapes.polygons, {"vertices": lambda: [TABLE(), TABLE(), TABLE()], "radius": COLUMN}),
    "Shapes.repeat": (cm.Shapes.repeat, {"shape": SHAPE, "count": lambda: 3}),
    "Shapes.concatenate": (cm.Shapes.concatenate, {"sets": lambda: [MANY, MANY]}),
    "Shapes.polyline": (cm.Shapes.polyline, {"points": TABLE, "closed": lambda: True}),
    "Shapes.polylines": (cm.Shapes.polylines, {"lines": lambda: [TABLE(), TABLE()], "closed": lambda: True}),
    "Shapes.from_shapely": (
        cm.Shapes.from_shapely,
        {"geometry": lambda: [None, shapely.Point(1, 2)], "on_bad": lambda: "repair"},
    ),
    "Shapes.from_rings": (
        cm.Shapes.from_rings,
        {
            "points": lambda: [
                (0, 0),
                (9, 0),
                (9, 9),
                (0, 0),
                (5, 2),
                (6, 2),
                (6, 3),
                (5, 2),
                (0, 0),
                (1, 0),
                (0, 1),
                (0, 0),
            ],
            "rings": lambda: [0, 4, 8, 12],
            "polygons": lambda: [0, 2, 3],
            "owner": lambda: [1, 4],
            "touching": lambda: True,
            "simple": lambda: False,
            **THREADS,
            "copy": lambda: False,
        },
    ),
    "Shapes.from_grid": (
        cm.Shapes.from_grid,
        {
            "array": lambda: [[1, 0, 2], [0, 3, 1], [1, 1, 1]],
            "cell_size": NUMBER,
            "origin": POINT,
            "above": NUMBER,
            "below": lambda: 2.5,
            "y_up": lambda: True,
            "outlines": lambda: True,
        },
    ),
    "Shapes.load": (partial(cm.Shapes.load, SAVED), {"mmap": lambda: False}),
    "Shapes.rotated": (MANY.rotated, {"angle": COLUMN, "pivot": TABLE}),
    "Shapes.placed": (MANY.placed, {"position": ARRAY, "angle": COLUMN}),
    "Shapes.translated": (MANY.translated, {"vector": TABLE}),
    "Index": (
        cm.Index,
        {"shapes": lambda: MANY, "layer": lambda: [1, 2, 4], "mask": lambda: [1, 2, 3], "method": lambda: "grid"},
    ),
    "Index.query": (
        on_an_index("query"),
        {"shape": SHAPE, **TOUCHING, "within": NUMBER, "owners": lambda: True, **FILTERS},
    ),
    "Index.contains": (on_an_index("contains"), {"point": POINT, **FILTERS}),
    "Index.nearest": (
        on_an_index("nearest"),
        {"shape": SHAPE, "k": lambda: 2, "within": NUMBER, "owners": lambda: True, **FILTERS},
    ),
    "Index.raycast": (on_an_index("raycast"), {"origin": POINT, "translation": POINT, **FILTERS}),
    "Index.raycast_all": (on_an_index("raycast_all"), {"origin": POINT, "translation": POINT, **FILTERS}),
    "Index.cast": (
        on_an_index("cast"),
        {"shape": SHAPE, "translation": POINT, "rotation": NUMBER, "pivot": POINT, **FILTERS},
    ),
    "Index.pairs": (on_an_index("pairs"), {"within": NUMBER, **TOUCHING, **SEARCH, "block": lambda: 3}),
    "Index.crossings": (on_an_index("crossings"), {"origin": POINT, "translation": POINT, **FILTERS}),
    "Index.contacts": (on_an_index("contacts"), {"within": NUMBER, **SEARCH, **TOUCHING, "block": lambda: 3}),
    "Index.update": (on_an_index("update"), {"rows": lambda: [0, 1, 2], "shapes": lambda: MANY}),
    "Index.insert": (on_an_index("insert"), {"shapes": lambda: MANY, "layer": lambda: 2, "mask": lambda: 3}),
    "Index.remove": (on_an_index("remove"), {"rows": lambda: [0, 2]}),
    "World": (cm.World, {"gravity": POINT, "overlaps": lambda: "report", "sleep": lambda: False}),
    "World.add": (
        in_the_world(WORLD.add),
        {**ADDED, "kind": lambda: "kinematic", "velocity": POINT, "spin": NUMBER, "pivot": POINT},
    ),
    "World.add dynamic": (
        in_the_world(WORLD.add),
        {
            **ADDED,
            "kind": lambda: "dynamic",
            "velocity": POINT,
            "mass": NUMBER,
            "acceleration": POINT,
            "inertia": NUMBER,
            "friction": NUMBER,
            "damping": NUMBER,
            "gravity_scale": NUMBER,
            "turns": lambda: True,
        },
    ),
    "World.add of a density": (
        in_the_world(WORLD.add),
        {"shape": SHAPE, "kind": lambda: "dynamic", "density": NUMBER},
    ),
    "World.add_many of a density": (
        in_the_world(WORLD.add_many),
        {"shapes": lambda: MANY, "kind": lambda: "dynamic", "density": COLUMN},
    ),
    "World.add sensor": (in_the_world(WORLD.add), {"shape": SHAPE, "sensor": lambda: True}),
    "World.add_many": (in_the_world(WORLD.add_many), {**ADDED_MANY, "mass": COLUMN, "acceleration": POINT, **RUBBING}),
    "World.add_many sensors": (
        in_the_world(WORLD.add_many),
        {**WITHOUT_BELT, "kind": lambda: "kinematic", "velocity": POINT, "sensor": lambda: True},
    ),
    "World.add_many that spin": (
        in_the_world(WORLD.add_many),
        {**ADDED_MANY, "kind": lambda: "kinematic", "spin": COLUMN, "pivot": POINT},
    ),
    "World.remove": (in_the_world(lambda bodies: WORLD.remove(bodies)), {"bodies": lambda: list(BODIES)}),
    "World.body": (in_the_world(WORLD.body), {"row": lambda: 2}),
    "World.rows": (in_the_world(WORLD.rows), {"bodies": lambda: list(BODIES)}),
    "World.rule": (
        in_the_world(WORLD.rule),
        {"layer": lambda: "crates", "other": lambda: "walls", "response": lambda: "stop"},
    ),
    "World.inside": (in_the_world(WORLD.inside), {"sensor": lambda: SENSOR}),
    "World.step": (in_the_world(WORLD.step), {"dt": NUMBER, "steps": lambda: 2, "threads": lambda: 2}),
    "World.events": (in_the_world(lambda dt: list(WORLD.events(dt)), WORLD.events), {"dt": NUMBER}),
    "World.restore": (in_the_world(WORLD.restore), {"snapshot": lambda: AT_FIRST}),
    "World.gravity": setting(WORLD, "gravity", POINT),
    "World.sleep": setting(WORLD, "sleep", lambda: False),
    "World.positions": setting(WORLD, "positions", lambda: [(-20.0, 0.0), (20.0, 1.0), (1.0, 1.0)]),
    "World.angles": setting(WORLD, "angles", lambda: [0.0, 0.5, 1.0]),
    **{f"World.{name}": (in_the_world(getattr(WORLD, name)), {**good, **IN_WORLD}) for name, good in QUESTIONS.items()},
    "World.spins": setting(WORLD, "spins", lambda: [0.0, 1.0, 2.0]),
    "World.velocities": setting(WORLD, "velocities", lambda: [(0.0, 0.0), (1.0, 2.0), (3.0, 4.0)]),
    "World.copies": (in_the_world(WORLD.copies), {"n": lambda: 2}),
    "Worlds.step": (in_copies(COPIES.step), {"dt": NUMBER, "steps": lambda: 2, "threads": lambda: 2}),
    "Worlds.reset": (in_copies(COPIES.reset), {"copies": lambda: [True, True], "to": COPIES.snapshots}),
    "Worlds.of": (cm.Worlds.of, {"worlds": lambda: [WORLD.copy(), WORLD.copy()]}),
    "Worlds.snapshots": (COPIES.snapshots, {"copies": lambda: [0]}),
    "Worlds.restore": (in_copies(COPIES.restore), {"states": COPIES.snapshots, "copies": lambda: [1, 0]}),
    "Worlds.of_body": (COPIES.of_body, {"body": lambda: CRATE, "copies": lambda: [1]}),
    "Worlds.shapes_of": (COPIES.shapes_of, {"body": lambda: CRATE}),
    "Worlds.touching": (COPIES.touching, {"bodies": lambda: [CRATE], "layer": lambda: "default", "within": NUMBER}),
    "Worlds.inside": (COPIES.inside, {"sensor": lambda: SENSOR}),
    "Worlds.apply_impulses": (
        in_copies(COPIES.apply_impulses),
        {"body": lambda: CRATE, "impulses": POINT, "at": POINT, "turns": NUMBER, "copies": lambda: [0, 1]},
    ),
    "Worlds.set_shapes": (
        in_copies(LINES.set_shapes, copies=LINES),
        {"bodies": lambda: 0, "vertices": lambda: [[(0.0, 0.0), (1.0, 1.0)]], "copies": lambda: [1]},
    ),
    "CopiesBody.apply_impulse": (in_copies(CRATES.apply_impulse), {"impulse": POINT, "at": POINT, "turn": NUMBER}),
    **{
        f"CopiesBody.{name}": setting(CRATES, name, getattr(CRATES, name).copy)
        for name in ("position", "angle", "velocity", "spin", "force", "torque")
    },
    "Worlds.world": (in_copies(COPIES.world), {"k": lambda: 1}),
    **{
        f"Worlds.{name}": setting(COPIES, name, getattr(COPIES, name).copy)
        for name in (
            *("positions", "angles", "velocities", "spins", "accelerations", "angular_accelerations"),
            *("masses", "frictions", "restitutions", "gravities"),
        )
    },
    **{
        f"Worlds.{name}": setting(MACHINES, name, getattr(MACHINES, name).copy)
        for name in ("joint_limits", "joint_rests", "joint_lengths")
    },
    "World.raycast through all": (
        in_the_world(WORLD.raycast),
        {"origin": POINT, "translation": POINT, "all": lambda: True},
    ),
    **{f"Worlds.{name}": (in_copies(getattr(COPIES, name)), {**good, **IN_WORLD}) for name, good in QUESTIONS.items()},
    "Worlds.motor_speeds": setting(MACHINES, "motor_speeds", lambda: np.array([[1.0], [2.0]])),
    "Worlds.motor_bounds": setting(MACHINES, "motor_bounds", lambda: np.array([[1.0], [2.0]])),
    "Worlds.velocities as lists": setting(COPIES, "velocities", lambda: COPIES.velocities.tolist()),
    "Worlds.spins as lists": setting(COPIES, "spins", lambda: COPIES.spins.tolist()),
    **{
        f"Body.{name}": setting(body, name, good)
        for name, body, good in (
            ("position", CRATE, POINT),
            ("velocity", CRATE, POINT),
            ("mass", CRATE, NUMBER),
            ("restitution", CRATE, lambda: 0.5),
            ("acceleration", CRATE, POINT),
            ("data", CRATE, NUMBER),
            ("angle", CRATE, NUMBER),
            ("inertia", CRATE, NUMBER),
            ("friction", CRATE, lambda: 0.5),
            ("damping", CRATE, lambda: 0.5),
            ("gravity_scale", CRATE, NUMBER),
            ("force", CRATE, POINT),
            ("torque", CRATE, NUMBER),
            ("spin", LIFT, NUMBER),
            ("layer", CRATE, lambda: "crates"),
            ("mask", CRATE, lambda: ["crates", "walls"]),
            ("surface_velocity", CRATE, POINT),
            ("rolling_resistance", CRATE, lambda: 0.5),
            ("group", CRATE, lambda: 3),
            ("can_sleep", CRATE, lambda: False),
            ("kind", CRATE, lambda: "static"),
            ("shape", CRATE, lambda: BALL),
            ("response", CRATE, lambda: "slide"),
            ("sensor", LIFT, lambda: True),
            ("one_way", CRATE, POINT),
            ("turns", CRATE, lambda: False),
            ("density", CRATE, NUMBER),
            ("pivot", LIFT, POINT),
        )
    },
    **{f"World.{name}": (in_the_world(getattr(WORLD, name)), {**good, **JOINED}) for name, good in JOINTS.items()},
    "World.slide that turns": (
        in_the_world(WORLD.slide),
        {**HINGED, "axis": POINT, "turns": lambda: True, "speed": NUMBER, "max_torque": NUMBER, **STIFF},
    ),
    "World.slide that pushes": (
        in_the_world(WORLD.slide),
        {**JOINTS["slide"], "speed": NUMBER, "max_force": NUMBER},
    ),
    "World.gear": (in_the_world(WORLD.gear), {"a": lambda: CRATE, "b": lambda: LIFT, "ratio": NUMBER, **JOINED}),
    "World.drag": (
        in_the_world(WORLD.drag),
        {
            "body": lambda: CRATE,
            "point": POINT,
            "target": POINT,
            "max_force": NUMBER,
            **SPRINGY,
            "breaks_at": POINT,
            "data": NUMBER,
        },
    ),
    "World.motor": (
        in_the_world(WORLD.motor),
        {
            "a": lambda: CRATE,
            "b": lambda: LIFT,
            "velocity": POINT,
            "speed": NUMBER,
            "max_force": NUMBER,
            "max_torque": NUMBER,
            **JOINED,
        },
    ),
    "World.pulley": (
        in_the_world(WORLD.pulley),
        {**BETWEEN, "over": lambda: ((0.0, 30.0), (20.0, 30.0)), "length": NUMBER, "ratio": NUMBER, **JOINED},
    ),
    "World.joint": (in_the_world(MECHANISM.joint, world=MECHANISM), {"row": lambda: 1}),
    "World.spring by stiffness": (in_the_world(WORLD.spring), {**JOINTS["rod"], **STIFF}),
    "World.drag by stiffness": (in_the_world(WORLD.drag), {"body": lambda: CRATE, "point": POINT, **STIFF}),
    **{f"World.{name} by stiffness": (in_the_world(getattr(WORLD, name)), {**HINGED, **STIFF}) for name in HINGES},
    **{
        f"Joint.{name}": setting(joint, name, good)
        for name, joint, good in (
            ("limits", PIN, POINT),
            ("speed", PIN, NUMBER),
            ("max_torque", PIN, NUMBER),
            ("max_force", DRAG, NUMBER),
            ("hertz", PIN, NUMBER),
            ("damping", DRAG, NUMBER),
            ("stiffness", PIN, NUMBER),
            ("resistance", PIN, NUMBER),
            ("rest", SLIDE, NUMBER),
            ("length", ROD, NUMBER),
            ("ratio", GEAR, NUMBER),
            ("target", DRAG, POINT),
            ("velocity", MOTOR, POINT),
            ("over", PULLEY, lambda: ((0.0, 5.0), (3.0, 5.0))),
            ("anchor_a", PIN, POINT),
            ("anchor_b", ROD, POINT),
            ("axis", SLIDE, POINT),
            ("enabled", PIN, lambda: False),
            ("breaks_at", PIN, POINT),
            ("collide", PIN, lambda: True),
            ("data", PIN, NUMBER),
        )
    },
    "Body.apply_impulse": (in_the_world(CRATE.apply_impulse), {"impulse": POINT, "at": POINT}),
    "Body.move_to": (in_the_world(LIFT.move_to), {"position": POINT, "angle": NUMBER}),
    "Body.velocity of a static body": setting(SENSOR, "velocity", lambda: (0.0, 0.0)),
    "read_grid": (
        cm.read_grid,
        {
            "text": lambda: "#P-",
            "tile_size": NUMBER,
            "y_up": lambda: True,
            "legend": lambda: {"P": "player"},
            "separate": lambda: "P",
        },
    ),
    "read_map": (
        partial(cm.read_map, SAVED_MAP),
        {"scale": NUMBER, "y_up": lambda: True, "roles": lambda: {"P": "player"}, "levels": lambda: None},
    ),
    "Level.named": (LEVEL.named, {"name": lambda: "P"}),
    "Level.add_to": (
        lambda world, layer: LEVEL.add_to(world.copy() if isinstance(world, cm.World) else world, layer=layer),
        {"world": cm.World, "layer": lambda: "level"},
    ),
    "Recording": (cm.Recording, {"world": cm.World}),
    "Vec.dot": (cm.Vec(1.0, 2.0).dot, {"other": POINT}),
    "Vec.cross": (cm.Vec(1.0, 2.0).cross, {"other": POINT}),
    "Vec.distance": (cm.Vec(1.0, 2.0).distance, {"other": POINT}),
    "Vec.projection": (cm.Vec(1.0, 2.0).projection, {"onto": POINT}),
    "Vec.rotated": (cm.Vec(1.0, 2.0).rotated, {"angle": NUMBER}),
    "convert.from_shapely": (
        cm.convert.from_shapely,
        {"geometry": lambda: {"type": "Point", "coordinates": (1, 2)}, "on_bad": lambda: "repair"},
    ),
    "convert.to_shapely": (cm.convert.to_shapely, {"shape": SHAPE, "quarter": lambda: 4}),
    "convert.from_pygame": (cm.convert.from_pygame, {}),
    "convert.to_pygame": (cm.convert.to_pygame, {"shape": lambda: BOX}),
    "convert.from_pymunk": (cm.convert.from_pymunk, {}),
    "convert.to_pymunk": (cm.convert.to_pymunk, {"shape": SHAPE}),
}
# The verbs once more, row by row; an entry's name may go on after a space.
CALLS |= {
    "cast rows": (
        cm.cast,
        {"a": lambda: MANY, "b": lambda: MANY, "translation": TABLE, "rotation": COLUMN, "pivot": TABLE, **THREADS},
    ),
    "raycast rows": (cm.raycast, {"origin": TABLE, "translation": ARRAY, "shape": lambda: MANY, **THREADS}),
    "contains rows": (cm.contains, {"shape": lambda: MANY, "other": TABLE, **THREADS}),
    **{f"{verb.__name__} rows": (verb, {"a": lambda: MANY, "b": lambda: MANY, **THREADS}) for verb in PAIR_VERBS},
    "Index.query rows": (
        on_an_index("query"),
        {"shape": lambda: MANY, "within": COLUMN, "mask": lambda: [1, 2, 3], "ignore": lambda: [0, 1, 2]},
    ),
    "Index.raycast rows": (
        on_an_index("raycast"),
        {"origin": TABLE, "translation": ARRAY, "mask": lambda: [1, 2, 3], "ignore": lambda: [(0, 1)] * 3},
    ),
    "Index.nearest rows": (on_an_index("nearest"), {"shape": TABLE}),
    "Index.cast rows": (on_an_index("cast"), {"shape": lambda: MANY, "translation": TABLE, "rotation": COLUMN}),
    "Shapes.polygons array": (
        cm.Shapes.polygons,
        {"vertices": lambda: np.array([POINTS, POINTS, POINTS]), "radius": NUMBER},
    ),
    "Box by half extents": (cm.Box, {"center": POINT, "half_extents": POINT, "angle": NUMBER}),
}
# Things of another library, tried in a test of their own, and the ways to write one size or place that exclude another.
ELSEWHERE = {"convert.from_pygame: thing", "convert.from_pymunk: shape", "convert.to_pymunk: body"}
# Paths are tried in test_set and test_documents, windows and pictures in test_playground.
# Without input of their own, or results: plain named tuples and frozen answers of the verbs, which check nothing.
WITHOUT_INPUT = {
    "Body.sleep",
    "Body.wake",
    "Joint.remove",
    "Shapes.save",
    "World.load",
    "World.save",
    "free_memory",
    "Vec.normalized",
    "playground",
    *(f"{answer}.{way}" for answer in ("CompoundExplanation", "Explanation", "Picture") for way in ("draw", "save")),
    "Picture.paint",
    *(
        f"{answer}.flat"
        for answer in (
            "Approaches",
            "CopiesContacts",
            "CopiesHits",
            "CopiesOverlaps",
            "PairContacts",
            "WorldContacts",
            "WorldHits",
            "WorldOverlaps",
        )
    ),
    *(f"{answer}Columns.flat" for answer in ("Cast", "Closest", "Contact", "Hit", "Move", "RayHit")),
    *(
        f"{answer}.flat"
        for answer in ("BodyNeighbors", "CrossingLists", "MoveHitLists", "Neighbors", "RayHitLists", "RowLists")
    ),
    *(f"World.{name}" for name in ("abandon", "contacts", "copy", "digest", "overlaps", "resume", "snapshot")),
    *(f"Worlds.{name}" for name in ("contacts", "overlaps", "resume")),
    *(f"Recording.{name}" for name in ("frames", "replay", "stop")),
}
RESULTS = {
    "Approaches",
    "Difference",
    "Axis",
    "BadFeature",
    "Body",
    "BodyHit",
    "BodyList",
    "BodyNeighbors",
    "BodyRayHit",
    "Bounds",
    "CastColumns",
    "CharacterHit",
    "CharacterMove",
    "Cleaned",
    "Closest",
    "ClosestColumns",
    "Compound",
    "Crossing",
    "CrossingLists",
    "CompoundExplanation",
    "Contact",
    "ContactColumns",
    "ConvexShape",
    "CopiesBody",
    "CopiesContacts",
    "CopiesHits",
    "CopiesOverlaps",
    "Explanation",
    "Features",
    "Hit",
    "HitColumns",
    "HitKind",
    "Interval",
    "Joint",
    "Level",
    "LevelBodies",
    "Mass",
    "Move",
    "MoveColumns",
    "MoveHit",
    "MoveHitLists",
    "Neighbors",
    "OneWay",
    "Outline",
    "PairContacts",
    "Picture",
    "Plan",
    "RayHit",
    "RayHitColumns",
    "RayHitLists",
    "Replay",
    "RowHit",
    "RowLists",
    "RowRayHit",
    "Shape",
    "Trigger",
    "Vec",
    "WorldContacts",
    "WorldHit",
    "WorldHits",
    "WorldOverlaps",
    "WorldSnapshot",
    "Worlds",
    "WorldsSnapshot",
}


# For compiled loops: decorators, and kernels, which check nothing. They are tried in test_compiled.
FOR_LOOPS = {
    "distance_disc_box",
    "inner",
    "kernel",
    "source_key",
    "sweep_disc_box",
    "uncounted_kernel",
    "will_compile",
}


def public_callables() -> Iterator[str]:
    """Name all that a user may call: functions, classes, and what the classes let one call, or set."""
    for name in cm.__all__:
        thing = getattr(cm, name)
        if name == "tables":
            continue  # they take files and frames, with faults of their own: tests/tables
        if isinstance(thing, ModuleType):
            for inner, function in inspect.getmembers(thing, inspect.isfunction):
                own = function.__module__.startswith(thing.__name__) and inner not in cm.__all__
                if not inner.startswith("_") and own:
                    yield f"{name}.{inner}"
        elif inspect.isclass(thing):
            yield name
            for inner in dir(thing):
                defined = inspect.getattr_static(thing, inner)
                owner = next((base for base in thing.__mro__ if inner in vars(base)), object)
                if inner.startswith("_") or not owner.__module__.startswith("carom"):
                    continue
                settable = isinstance(defined, property) and defined.fset is not None
                if settable or isinstance(defined, (classmethod, staticmethod)) or inspect.isfunction(defined):
                    yield f"{name}.{inner}"
        else:
            yield name


def test_every_public_callable_has_an_entry() -> None:
    named_tuples = {"_make", "_asdict", "_replace", "count", "index"}
    public = {name for name in public_callables() if name.rpartition(".")[2] not in named_tuples}
    entries = {name.partition(" ")[0] for name in CALLS}
    assert public - entries - WITHOUT_INPUT - RESULTS - FOR_LOOPS == set(), "these need an entry in CALLS"
    assert (entries | WITHOUT_INPUT | RESULTS | FOR_LOOPS) - public == set(), "these are not public any more"


def test_every_argument_has_an_entry() -> None:
    asked = {f"{name.partition(' ')[0]}: {argument}" for name, (_, good) in CALLS.items() for argument in good}
    taken = {
        f"{name}: {argument}"
        for name, (call, _) in CALLS.items()
        if " " not in name
        for argument, parameter in inspect.signature(call).parameters.items()
        # Refused as a whole, in test_refusals_shapes and test_names.
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    }
    assert taken - asked - ELSEWHERE == set(), "these need an entry in CALLS"


def snapshot(value: Any) -> Any:
    """Return a value, down to its bytes, in a form that can be compared."""
    if isinstance(value, np.ndarray) and value.dtype != object and value is not np.ma.masked:
        return type(value), value.dtype, value.shape, value.tobytes(), value.flags.writeable
    if isinstance(value, (list, tuple, np.ndarray)) and getattr(value, "ndim", 1) != 0:
        return type(value), [snapshot(item) for item in value]
    if isinstance(value, cm.Shapes):
        return [snapshot(part) for part in (value._buffer, value._starts)]
    if isinstance(value, cm.ConvexShape):
        return snapshot(value._record)
    return repr(value)


def complaint(name: str, call: Callable[..., Any], arguments: dict[str, Any], argument: str, row: str) -> str | None:
    """Call; return a complaint about the outcome, or None."""
    before = {key: snapshot(value) for key, value in arguments.items()}
    shown = reprs(arguments[argument])
    try:
        call(**arguments)
    except (TypeError, ValueError) as error:
        text = str(error)
        last = name.partition(" ")[0].rpartition(".")[2]
        if type(error) not in (TypeError, ValueError):
            return f"{argument} = {shown}: {type(error).__name__}: {text}"
        if not re.search(rf"\b{last}\b", text) or not any(re.search(rf"\b{key}\b", text) for key in arguments):
            return f"{argument} = {shown}: does not name function and argument: {text}"
        if row and row not in text:
            return f"{argument} = {shown}: does not name {row}: {text}"
        if len(text) > 600:
            return f"{argument} = {shown}: {len(text)} characters"
    except Exception as error:
        return f"{argument} = {shown}: {type(error).__name__}: {error}"
    changed = [key for key, value in arguments.items() if snapshot(value) != before[key]]
    return f"{argument} = {shown}: changed {changed}" if changed else None


def reprs(value: Any) -> str:
    try:
        text = repr(value)
    except ValueError:  # an int too long to print
        text = "a long int"
    return text if len(text) < 200 else text[:200] + "..."


def odd_ones(good: Any) -> Iterator[tuple[Any, str]]:
    """Yield what an argument becomes, with the place that a refusal has to name: whole, in one row, in one number."""
    for make in (*ODD.values(), MASKED):
        yield make(), ""
    if isinstance(good, tuple) and len(good) == 2:
        for make in NUMBERS.values():
            yield (good[0], make()), ""
    if isinstance(good, (list, np.ndarray)):
        for make in ODD.values():
            odd = make()
            yield [*list(good)[:1], odd, *list(good)[2:]], "" if all_numbers(odd) else "[1]"
    if isinstance(good, list) and isinstance(good[0], tuple):
        for make in NUMBERS.values():
            odd = make()
            yield [good[0], (odd, good[1][1]), *good[2:]], "" if all_numbers(odd) else "[1]"
    if isinstance(good, np.ndarray):
        for value in (math.nan, math.inf, 1e151, -1e200):
            rows = good.copy()
            rows[(1,) + (0,) * (rows.ndim - 1)] = value
            yield rows, "[1]"


def all_numbers(value: Any) -> bool:
    """Tell whether a value is made of good numbers alone: what is wrong may then lie in how they go with the others."""
    if isinstance(value, (list, tuple, deque, range, array.array)) or (isinstance(value, np.ndarray) and value.ndim):
        return all(map(all_numbers, value))
    try:
        return isinstance(value, (int, float, np.floating, np.integer, Fraction)) and abs(float(value)) <= 1e150
    except (TypeError, OverflowError):  # a span of time, an int beyond all floats
        return False


@pytest.mark.parametrize("name", CALLS)
def test_odd_input_is_answered_or_refused(name: str) -> None:
    call, good = CALLS[name]
    if good:
        call(**{key: make() for key, make in good.items()})  # or nothing below would mean anything
    complaints = []
    for argument, make in good.items():
        for odd, row in odd_ones(make()):
            arguments = {key: make() for key, make in good.items()}
            arguments[argument] = odd
            # A value that reads as another good answer, and a length that does not fit the others, name no row.
            found = complaint(name, call, arguments, argument, row)
            if found is not None:
                complaints.append(found)
    assert not complaints, f"{name}: {len(complaints)}\n" + "\n".join(complaints[:40])


@pytest.mark.parametrize("name", ["convert.from_pygame", "convert.from_pymunk"])
def test_values_of_no_known_library_are_refused(name: str) -> None:
    call = CALLS[name][0]
    (argument,) = inspect.signature(call).parameters
    complaints = [complaint(name, call, {argument: make()}, argument, "") for make in ODD.values()]
    assert not any(complaints), "\n".join(filter(None, complaints))


@pytest.mark.parametrize("name", [name for name, (_, good) in CALLS.items() if good])
def test_too_few_too_many_and_unknown_arguments_are_refused(name: str) -> None:
    call, good = CALLS[name]
    arguments = {key: make() for key, make in good.items()}
    with pytest.raises(TypeError):
        call(*arguments.values(), *range(9))
    with pytest.raises(TypeError, match="colour"):
        call(**arguments, colour="red")
    needed = [
        key
        for key, parameter in inspect.signature(call).parameters.items()
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    ]
    for key in needed:
        with pytest.raises(TypeError):
            call(**{other: value for other, value in arguments.items() if other != key})
