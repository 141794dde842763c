"""World: bodies that move and meet, stepped as ordered events, in which nothing passes through anything.

In: shapes with their settings, lengths of time. Out: handles of bodies, columns of them by row, hits. World frame,
user's units; seconds. A step is one kernel call, `step.play`, which stops where a table is too short: the table is made
longer here, and the step goes on. After each change all predictions are made anew, since they may no longer hold;
bodies that sleep on a changed one wake; and a `Recording` keeps the call. All that runs kernels or replaces tables does
so within `_guard` where it changes them, and within `_reading` where it does not, so that two threads are never at it.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import product
from os import PathLike
from pathlib import Path
from threading import get_ident
from typing import TYPE_CHECKING, Any, Literal, Never, NoReturn, Self, TypedDict, TypeVar, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from carom._core import inputs
from carom._core.files import whole
from carom._core.guard import Guard, Reading
from carom._core.inputs import PointLike, PointsLike
from carom._core.jit.addresses import Table
from carom._core.layers import AnyLayer, AnyLayers, Layers, numbers_of
from carom._core.names import NamesNear, made_by, names_fixed, names_near, refuse_keywords, told_by_name
from carom._core.overloads import typed_by_overloads
from carom._core.threads import ONE, checked
from carom._core.types import Floats, Integers
from carom.broad.answers import CastColumns, Neighbors, RowLists
from carom.narrow.cast import RayHitColumns
from carom.shapes.base import Shape
from carom.shapes.given import ManyShapes, OneShape
from carom.shapes.set import Shapes
from carom.tolerances import LARGEST, SMALLEST_SIZE
from carom.vector import Vec
from carom.world.body import Body
from carom.world.changes.bodies import begin_change, place_bodies, rouse_bodies, take_out_bodies, wake_beside
from carom.world.changes.body_shapes import areas_of
from carom.world.changes.pending import change, open_for, pull
from carom.world.changes.removed import BODY, gone_of, last_known
from carom.world.changes.sensor_exits import end_visits, keep_exits, take_visits, tell_exits
from carom.world.changes.settings import (
    KIND_NAMES,
    BodyKind,
    Call,
    Settings,
    bits_of_layer,
    check_added,
    checked_pivots,
    checked_settings,
    columns_of_many,
    masses_of,
)
from carom.world.copies.worlds import MOST_COPIES, Worlds
from carom.world.drive import SingleSteps, drive, step_at_once
from carom.world.event_loop import EventLoop, left_without_error
from carom.world.handles import Handle, handles_of, new_handle
from carom.world.joint import Joint
from carom.world.joints import settings as joint_settings
from carom.world.joints.entries import add_joint, change_joint, remove_joints
from carom.world.joints.kinds import MEETING, REMOVED
from carom.world.joints.lists import joints_of, moved_by, rows_in_use
from carom.world.questions import door
from carom.world.questions.answers import BodyHit, BodyList, BodyNeighbors, BodyRayHit
from carom.world.reports.contacts import WorldContacts, contacts_of
from carom.world.reports.hits import KINDS, WorldHit, WorldHits, hits_of, joined
from carom.world.reports.motion import (
    MOST_STEPS,
    SHORT_TIME,
    Columns,
    follow,
    is_held,
    make_columns,
    motion_of,
    read_all,
    read_movers,
    refuse_too_far,
    waited_in,
)
from carom.world.reports.overlaps import WorldOverlaps, overlaps_of
from carom.world.state.digest import digest_of
from carom.world.state.documents import content_of_text, text_of
from carom.world.step import tables as at
from carom.world.step.end.sleep import put_to_sleep
from carom.world.step.pairs.filters import NAMES, Response
from carom.world.step.play.events import DONE, PAUSED
from carom.world.step.ways.motion import end_on_targets
from carom.world.store import Store

Method = TypeVar("Method", bound=Callable[..., Any])


RECORDED: set[str] = set()
"""Methods of `World` whose calls a `Recording` keeps and plays, and settings that it sets."""


def recorded(method: Method) -> Method:
    """Have a recording play the calls of a method, or of what sets a property, that `World._record` notes."""
    RECORDED.add(method.__name__)
    return method


class QuestionOptions(TypedDict, total=False):
    """Options of every question to a world."""

    ignore: Body | int | Iterable[Body | int] | None
    mask: AnyLayers | None
    sensors: bool
    threads: int


@made_by("World.snapshot()")
@names_near
class WorldSnapshot(metaclass=NamesNear):
    """The state of a world at one time, made by `World.snapshot`."""

    __slots__ = ("_store",)

    def __init__(self, store: Store) -> None:
        self._store = store

    def __repr__(self) -> str:
        return f"<WorldSnapshot: {counted(self._store.tables)}>"


@names_fixed
class World(metaclass=NamesNear):
    """Bodies that move and meet; nothing passes through anything, at any speed.

    Parameters
    ----------
    gravity : (x, y)
        Acceleration of every dynamic body, length units per second squared.
    overlaps : "part" or "report"
        Treatment of bodies that are put into each other: they part, in each step by at most a sixteenth of the
        smaller one's size, and no velocity comes of it; or they stay as they are, free to leave, and a hit of kind
        "overlap" at the start of the next step tells of each pair.
    sleep : bool
        False in a world in which nothing ever falls asleep.

    Examples
    --------
    >>> world = cm.World()
    >>> ball = world.add(cm.Circle((0, 0), 0.5), kind="dynamic", velocity=(1000, 0), restitution=1)
    >>> wall = world.add(cm.Box((10, 0), (0.1, 20)))
    >>> hits = world.step(0.01)
    >>> hits.time.tolist(), ball.velocity
    ([0.00945], Vec(-1000.0, 0.0))
    """

    @told_by_name
    def __init__(
        self,
        gravity: PointLike = (0.0, 0.0),
        *,
        overlaps: Literal["part", "report"] = "part",
        sleep: bool = True,
        **unknown: Never,
    ) -> None:
        if unknown:
            refuse_keywords("World", World, unknown)
        self._store = Store()
        self._begin()
        state = self._tables.state
        state["gravity_x"], state["gravity_y"] = inputs.point("World", "gravity", gravity)
        self._store.reports_overlaps = inputs.one_of("World", "overlaps", overlaps, ("part", "report")) == "report"
        state["sleepless"] = not inputs.truth("World", "sleep", sleep)

    def _begin(self) -> None:
        self._guard = Guard("World")
        self._reading = Reading(self._guard)
        self._handles, self._joint_handles = handles_of(self, Body), handles_of(self, Joint)
        self._columns = make_columns(0)
        self._loop: object | None = None  # stands for the loop over events that is under way
        self._log: list[tuple[Any, ...]] | None = None  # of a Recording
        self._fresh = False  # whether positions and velocities are up to date
        self._complete = False  # whether only bodies that steps move may have left them since
        self._shown = False  # whether anyone may hold a view of them
        self._older: list[Columns] = []  # columns of as many bodies as there were, of which someone holds views
        self._asked: Table | None = None  # of what single questions read
        self._wholes: dict[int, tuple[Any, Any]] = {}  # bodies of several parts as they were asked last, by row

    @property
    def _tables(self) -> at.Tables:
        return self._store.tables

    # Bodies come and go.

    @told_by_name
    def add(
        self,
        shape: Shape,
        kind: BodyKind = "static",
        *,
        velocity: PointLike = (0.0, 0.0),
        spin: float = 0.0,
        mass: float | None = None,
        density: float | None = None,
        inertia: float | None = None,
        turns: bool = True,
        restitution: float = 0.0,
        friction: float = 0.6,
        acceleration: PointLike = (0.0, 0.0),
        damping: float = 0.0,
        gravity_scale: float = 1.0,
        pivot: PointLike | None = None,
        layer: AnyLayer = "default",
        mask: AnyLayer | None = None,
        group: int = 0,
        response: Response = "bounce",
        sensor: bool = False,
        one_way: PointLike | None = None,
        surface_velocity: PointLike = (0.0, 0.0),
        rolling_resistance: float = 0.0,
        can_sleep: bool = True,
        data: Any = None,
        **unknown: Never,
    ) -> Body:
        """Put a body into the world and return a handle of it.

        Parameters
        ----------
        shape : Point, Segment, Circle, Capsule, Box, Polygon or Compound
            Where it stands at first.
        kind : "static", "kinematic" or "dynamic"
            Static bodies stand; kinematic ones move and turn as they are told, whatever they meet; dynamic ones are
            moved and turned by what they meet.
        velocity : (x, y)
            Length units a second; not for static bodies.
        spin : float
            Radians a second, counter-clockwise; not for static bodies.
        mass : float, positive
            For dynamic bodies; 1 if not given.
        density : float, positive
            Mass per area, instead of the mass; not for a Point or Segment, which has no area.
        inertia : float, positive
            Moment of inertia about the centre of mass, for dynamic bodies; that of the shape, of even density, if not
            given. A Point has none and does not turn.
        turns : bool
            False for a dynamic body that keeps its angle whatever it meets.
        restitution : float, 0 to 1
            Speed after an impact over speed before; of two bodies the larger counts.
        friction : float, 0 or positive
            Largest force of friction over the force that presses; of two bodies the geometric mean counts.
        acceleration : (x, y)
            In addition to the world's gravity; for dynamic bodies.
        damping : float, 0 or positive
            Velocity and spin are multiplied by exp(-damping x seconds).
        gravity_scale : float
            Times the world's gravity; 0 for a body that floats.
        pivot : (x, y)
            The point that a kinematic body turns about, which moves with it; its position if not given.
        layer, mask : a name, several names, or an int of bits
            The layers it is on, and those it meets, all if not given. Two bodies meet if each one's mask has a layer of
            the other. A world takes names or bits, not both, and 63 layers at most; "default" is the first.
        group : int
            It passes through all others of the same group, whatever their layers: the parts of one car or ragdoll. 0
            for none.
        response : "bounce", "slide", "stop" or "pass"
            Effect of a meeting; of two bodies' responses the later in this list counts.
        sensor : bool
            Notices what enters and leaves it, and stops nothing.
        one_way : (x, y), optional
            Blocks only what moves against this direction and meets a side that looks that way.
        surface_velocity : (x, y)
            Velocity of its surface beside its own, as of a belt; it turns with the body. Only friction sees it.
        rolling_resistance : float, 0 or positive
            Largest torque that resists rolling, over radius times the force that presses; of two bodies the larger
            counts. For round surfaces that stay in contact at a point.
        can_sleep : bool
            False for a body that never falls asleep, nor does what it touches.
        data : anything
            Kept for the user.

        Returns
        -------
        Body

        Raises
        ------
        TypeError, ValueError
            With the argument at fault; the world is as before.
        """
        where = "World.add"
        if unknown:
            refuse_keywords(where, World.add, unknown)
        check_added(where, "shape", shape)
        layers = self._store.layers.copy()
        given = {
            "kind": kind,
            "velocity": velocity,
            "spin": spin,
            "mass": mass
            if density is None
            else masses_of(
                where, inputs.one_of(where, "kind", kind, KIND_NAMES), mass, density, np.array([shape.area]), True
            ),
            "inertia": inertia,
            "turns": turns,
            "restitution": restitution,
            "friction": friction,
            "acceleration": acceleration,
            "damping": damping,
            "gravity_scale": gravity_scale,
            "layer": layer,
            "mask": mask,
            "group": group,
            "response": response,
            "sensor": sensor,
            "one_way": one_way,
            "surface_velocity": surface_velocity,
            "rolling_resistance": rolling_resistance,
            "can_sleep": can_sleep,
        }
        settings = checked_settings(where, layers, given)
        pivots = checked_pivots(where, settings["kind"], 1, pivot)
        return self._add([shape], [data], settings, pivots, layers)[0]

    @told_by_name
    def add_many(
        self,
        shapes: Shapes | Sequence[Shape],
        kind: BodyKind = "static",
        *,
        velocity: ArrayLike = (0.0, 0.0),
        spin: ArrayLike = 0.0,
        mass: ArrayLike | None = None,
        density: ArrayLike | None = None,
        turns: bool = True,
        restitution: ArrayLike = 0.0,
        friction: ArrayLike = 0.6,
        acceleration: PointLike = (0.0, 0.0),
        damping: float = 0.0,
        gravity_scale: float = 1.0,
        pivot: ArrayLike | None = None,
        layer: AnyLayer = "default",
        mask: AnyLayer | None = None,
        group: int = 0,
        response: Response = "bounce",
        sensor: bool = False,
        one_way: PointLike | None = None,
        surface_velocity: PointLike = (0.0, 0.0),
        rolling_resistance: float = 0.0,
        can_sleep: bool = True,
        data: Sequence[Any] | None = None,
        **unknown: Never,
    ) -> list[Body]:
        """Put many bodies into the world at once and return their handles.

        Parameters
        ----------
        shapes : Shapes, or a sequence of shapes
        velocity : (x, y), or (n, 2)
        spin, mass, density, restitution, friction : float, or (n,)
        pivot : (x, y), or (n, 2), optional
        data : sequence of n things
        kind and the rest : as in `add`, one for all

        Returns
        -------
        list of Body

        Raises
        ------
        TypeError, ValueError
            With the argument at fault, and its row; the world is as before.
        """
        where = "World.add_many"
        if unknown:
            refuse_keywords(where, World.add_many, unknown)
        given = shapes
        if not isinstance(given, Shapes):
            given = list(inputs.listed(where, "shapes", given, "Shapes, or shapes in a list"))
            for row, shape in enumerate(given):
                check_added(where, f"shapes[{row}]", shape)
        n, layers = len(given), self._store.layers.copy()
        shared = {
            "kind": kind,
            "turns": turns,
            "inertia": None,
            "acceleration": acceleration,
            "damping": damping,
            "gravity_scale": gravity_scale,
            "layer": layer,
            "mask": mask,
            "group": group,
            "response": response,
            "sensor": sensor,
            "one_way": one_way,
            "surface_velocity": surface_velocity,
            "rolling_resistance": rolling_resistance,
            "can_sleep": can_sleep,
        }
        if density is not None:
            mass = masses_of(where, inputs.one_of(where, "kind", kind, KIND_NAMES), mass, density, areas_of(given))
        own = {"velocity": velocity, "spin": spin, "mass": mass, "restitution": restitution, "friction": friction}
        settings = columns_of_many(where, checked_settings(where, layers, shared), n, own)
        pivots = checked_pivots(where, settings["kind"], n, pivot)
        things = [None] * n if data is None else list(inputs.sequence(where, "data", data, n, "shapes"))
        return self._add(given, things, settings, pivots, layers)

    def _add(
        self, shapes: Shapes | list[Any], data: list[Any], settings: Settings, pivots: Floats | None, layers: Layers
    ) -> list[Body]:
        """Put in bodies whose settings are checked, with all layers there are then."""
        rows = self._put(shapes, data, settings, pivots, layers)
        serials = self._tables.bodies["serial"][rows].tolist()
        return [self._handle(row, serial) for row, serial in zip(rows.tolist(), serials, strict=True)]

    @recorded
    def _put(
        self, shapes: Shapes | list[Any], data: list[Any], settings: Settings, pivots: Floats | None, layers: Layers
    ) -> Integers:
        with self._guard:
            self._store.layers = layers
            rows = self._store.enter(shapes, data, settings, pivots)
            self._store.arrived.update(rows.tolist())
            self._changed()
            self._record("_put", shapes, data, settings, pivots, layers)
        return rows

    @told_by_name
    def remove(self, *bodies: Body | Joint | Iterable[Body | Joint]) -> None:
        """Take bodies or joints out of the world; their handles say so from then on. With a body its joints go, too.

        What a body's handle told last of `kind`, `data`, `position` and `angle`, and a joint's of its anchors, it still
        tells, so that a loop over hits may ask for it.

        A body inside a sensor leaves it if either is removed: the exit is what a pausing loop yields next, or comes
        first in the next step; the handle in it is one of a removed body. A row is not given to another body before.
        """
        where = "World.remove"
        rows: list[int] = []
        joints: list[int] = []
        given = bodies[0] if len(bodies) == 1 and not isinstance(bodies[0], Handle) else bodies
        listed = inputs.listed(where, "bodies", given, "a Body, or several")
        with self._guard:
            for k, one in enumerate(listed):
                several = not isinstance(one, Handle) and given is bodies
                parts = inputs.listed(where, f"bodies[{k}]", one, "bodies in a list") if several else [one]
                for i, part in enumerate(parts):
                    name = f"bodies[{k}][{i}]" if several else f"bodies[{k}]"
                    if isinstance(part, Joint):
                        joints.append(self._own_joint(where, name, part))
                    else:
                        rows.append(self._own(where, name, part))
            if joints:
                self._remove_joints(list(dict.fromkeys(joints)))
            if rows or not joints:
                self._remove_rows(list(dict.fromkeys(rows)))

    @recorded
    def _remove_rows(self, rows: list[int]) -> None:
        w = self._tables
        numbers = np.array(rows, dtype=np.int64)
        wake_beside(w, numbers)
        self._take_joints(joints_of(w, rows))
        end_visits(self._store, take_visits(self._store, rows))
        piles = self._store.piles
        for contacts, count in ((piles.contacts, piles.counts[0]), (piles.old, piles.counts[1])):
            take_out_bodies(w, numbers, contacts, count)
        self._store.give_back(rows)
        self._changed()
        self._record("_remove_rows", rows)

    # Joints come and go.

    @told_by_name
    def pin(
        self,
        a: Body,
        b: Body | None,
        point: PointLike,
        *,
        limits: tuple[float, float] | None = None,
        speed: float | None = None,
        max_torque: float | None = None,
        hertz: float | None = None,
        damping: float | None = None,
        stiffness: float | None = None,
        resistance: float | None = None,
        rest: float = 0.0,
        collide: bool = False,
        breaks_at: tuple[float | None, float | None] | None = None,
        data: Any = None,
    ) -> Joint:
        """Hold a point of two bodies together, about which they turn: a hinge, an axle.

        Parameters
        ----------
        a, b : Body
            One of them is dynamic. None in place of `b` is the world.
        point : (x, y)
            Of the world, where the bodies are now.
        limits : (low, high), optional
            Least and greatest angle of `a`, seen from `b`, in radians; it is 0 now.
        speed : float, optional
            Of a motor, radians a second: that of `a`, seen from `b`.
        max_torque : float, 0 or positive, optional
            The largest torque of the motor. Without a speed it is a brake.
        hertz : float, positive, optional
            A spring that draws the angle to `rest`: its frequency with the two bodies alone, as they are now.
        damping : float, 0 or positive, optional
            Share of its critical damping: with 1 it does not swing. 0 if not given.
        stiffness, resistance : float, 0 or positive, optional
            The same spring by its torque over radians, and over radians a second.
        rest : float
            Angle at which the spring is at rest.
        collide : bool
            True for bodies that meet each other all the same; they must not overlap now.
        breaks_at : (force, torque), optional
            The joint goes where it would have to do more, and a hit of kind "broken" tells; None in either for never.
        data : anything
            Kept for the user.

        Returns
        -------
        Joint

        Raises
        ------
        TypeError, ValueError
            With the argument at fault; the world is as before.

        Examples
        --------
        >>> world = cm.World()
        >>> door = world.add(cm.Box((1, 0), (2, 0.2)), kind="dynamic")
        >>> hinge = world.pin(door, None, (0, 0), limits=(0, 1.5))
        >>> hinge.kind, hinge.anchor_a, hinge.angle
        ('pin', Vec(0.0, 0.0), 0.0)
        """
        where = "World.pin"
        given = {
            "limits": limits,
            "speed": speed,
            "max_torque": max_torque,
            "rest": rest,
            "hertz": hertz,
            "damping": damping,
            "stiffness": stiffness,
            "resistance": resistance,
            "collide": collide,
            "breaks_at": breaks_at,
        }
        return self._join(where, joint_settings.pin(self._ends(where, a, b), point, given), data)

    @told_by_name
    def weld(
        self,
        a: Body,
        b: Body | None,
        point: PointLike,
        *,
        hertz: float | None = None,
        damping: float | None = None,
        stiffness: float | None = None,
        resistance: float | None = None,
        collide: bool = False,
        breaks_at: tuple[float | None, float | None] | None = None,
        data: Any = None,
    ) -> Joint:
        """Hold two bodies together as they are; with a spring they bend about the point.

        Bodies that welds without a spring join, directly or through others, do not meet each other.

        Parameters
        ----------
        a, b, point, collide, breaks_at, data
            As in `pin`.
        hertz, damping, stiffness, resistance
            Of the spring that bends, as in `pin`; rigid if not given.

        Returns
        -------
        Joint

        Raises
        ------
        TypeError, ValueError
            With the argument at fault; the world is as before.

        Examples
        --------
        >>> world = cm.World()
        >>> head = world.add(cm.Box((0, 2), (1, 0.5)), kind="dynamic")
        >>> shaft = world.add(cm.Box((0, 0.875), (0.2, 1.75)), kind="dynamic")
        >>> hammer = world.weld(head, shaft, (0, 1.75), breaks_at=(500, None))
        >>> hammer.breaks_at
        (500.0, None)
        """
        where = "World.weld"
        given = {
            "hertz": hertz,
            "damping": damping,
            "stiffness": stiffness,
            "resistance": resistance,
            "collide": collide,
            "breaks_at": breaks_at,
        }
        return self._join(where, joint_settings.weld(self._ends(where, a, b), point, given), data)

    @told_by_name
    def rod(
        self,
        a: Body,
        b: Body | None,
        from_: PointLike,
        to: PointLike,
        *,
        length: float | None = None,
        collide: bool = False,
        breaks_at: tuple[float | None, float | None] | None = None,
        data: Any = None,
    ) -> Joint:
        """Hold a point of one body at an exact distance from a point of another.

        Parameters
        ----------
        a, b, collide, breaks_at, data
            As in `pin`.
        from_, to : (x, y)
            The anchors in `a` and in `b`: points of the world, where the bodies are now.
        length : float, positive, optional
            The distance; that of the two points if not given.

        Returns
        -------
        Joint

        Raises
        ------
        TypeError, ValueError
            With the argument at fault; the world is as before.

        Examples
        --------
        >>> world = cm.World(gravity=(0, -10))
        >>> bob = world.add(cm.Circle((3, 0), 0.2), kind="dynamic")
        >>> pendulum = world.rod(bob, None, (3, 0), (0, 4))
        >>> pendulum.length
        5.0
        """
        where = "World.rod"
        given = {"collide": collide, "breaks_at": breaks_at}
        return self._join(where, joint_settings.rod(self._ends(where, a, b), from_, to, length, given), data)

    @told_by_name
    def rope(
        self,
        a: Body,
        b: Body | None,
        from_: PointLike,
        to: PointLike,
        *,
        length: float | None = None,
        collide: bool = False,
        breaks_at: tuple[float | None, float | None] | None = None,
        data: Any = None,
    ) -> Joint:
        """Hold a point of one body within a distance of a point of another.

        Parameters
        ----------
        a, b, from_, to, collide, breaks_at, data
            As in `rod`.
        length : float, positive, optional
            The greatest distance; that of the two points if not given.

        Returns
        -------
        Joint

        Raises
        ------
        TypeError, ValueError
            With the argument at fault; the world is as before.

        Examples
        --------
        >>> world = cm.World()
        >>> dog = world.add(cm.Circle((1, 0), 0.2), kind="dynamic")
        >>> leash = world.rope(dog, None, (1, 0), (0, 0), length=3)
        >>> leash.length, leash.distance
        (3.0, 1.0)
        """
        where = "World.rope"
        given = {"collide": collide, "breaks_at": breaks_at}
        return self._join(where, joint_settings.rope(self._ends(where, a, b), from_, to, length, given), data)

    @told_by_name
    def spring(
        self,
        a: Body,
        b: Body | None,
        from_: PointLike,
        to: PointLike,
        *,
        length: float | None = None,
        hertz: float | None = None,
        damping: float | None = None,
        stiffness: float | None = None,
        resistance: float | None = None,
        limits: tuple[float, float] | None = None,
        collide: bool = False,
        breaks_at: tuple[float | None, float | None] | None = None,
        data: Any = None,
    ) -> Joint:
        """Draw a point of one body to a distance from a point of another.

        Parameters
        ----------
        a, b, from_, to, collide, breaks_at, data
            As in `rod`.
        length : float, 0 or positive, optional
            The distance at which it is at rest; that of the two points if not given.
        hertz, damping, stiffness, resistance
            As in `pin`; of a force over length. One of `hertz`, `stiffness` and `resistance` is needed.
        limits : (low, high), optional
            Least and greatest distance.

        Returns
        -------
        Joint

        Raises
        ------
        TypeError, ValueError
            With the argument at fault; the world is as before.

        Examples
        --------
        >>> world = cm.World(gravity=(0, -10))
        >>> load = world.add(cm.Circle((0, -1), 0.2), kind="dynamic", mass=2)
        >>> spring = world.spring(load, None, (0, -1), (0, 0), stiffness=100, resistance=4)
        >>> round(spring.hertz, 3), round(spring.damping, 3)
        (1.125, 0.141)
        """
        where = "World.spring"
        given = {
            "hertz": hertz,
            "damping": damping,
            "stiffness": stiffness,
            "resistance": resistance,
            "limits": limits,
            "collide": collide,
            "breaks_at": breaks_at,
        }
        return self._join(where, joint_settings.spring(self._ends(where, a, b), from_, to, length, given), data)

    @told_by_name
    def slide(
        self,
        a: Body,
        b: Body | None,
        point: PointLike,
        axis: PointLike,
        *,
        turns: bool = False,
        limits: tuple[float, float] | None = None,
        speed: float | None = None,
        max_force: float | None = None,
        max_torque: float | None = None,
        hertz: float | None = None,
        damping: float | None = None,
        stiffness: float | None = None,
        resistance: float | None = None,
        rest: float = 0.0,
        collide: bool = False,
        breaks_at: tuple[float | None, float | None] | None = None,
        data: Any = None,
    ) -> Joint:
        """Hold a body on a straight line of another: a lift, a piston; with turning and a spring a wheel.

        Parameters
        ----------
        a, b, point, collide, breaks_at, data
            As in `pin`.
        axis : (x, y)
            Direction of the line, which is fixed in `b`, or in the world.
        turns : bool
            True for a body that turns freely: the joint is then of kind "wheel".
        limits : (low, high), optional
            Least and greatest offset of `a` along the axis, in length units; it is 0 now.
        speed : float, optional
            Of a motor: length units a second along the axis. That of a wheel turns `a`, radians a second.
        max_force : float, 0 or positive, optional
            The largest force of the motor.
        max_torque : float, 0 or positive, optional
            The largest torque of the motor of a wheel.
        hertz, damping, stiffness, resistance
            Of a spring along the axis, as in `pin`; of a force over length.
        rest : float
            Offset at which the spring is at rest.

        Returns
        -------
        Joint

        Raises
        ------
        TypeError, ValueError
            With the argument at fault; the world is as before.

        Examples
        --------
        >>> world = cm.World(gravity=(0, -10))
        >>> car = world.add(cm.Box((0, 1), (4, 0.5)), kind="dynamic", mass=10)
        >>> wheel = world.add(cm.Circle((-1.5, 0.5), 0.5), kind="dynamic")
        >>> axle = world.slide(
        ...     wheel, car, (-1.5, 0.5), axis=(0, 1), turns=True, hertz=4, damping=0.7, speed=-20, max_torque=30
        ... )
        >>> axle.kind, axle.offset, axle.angle
        ('wheel', 0.0, 0.0)
        """
        where = "World.slide"
        given = {
            "limits": limits,
            "speed": speed,
            "max_force": max_force,
            "max_torque": max_torque,
            "rest": rest,
            "hertz": hertz,
            "damping": damping,
            "stiffness": stiffness,
            "resistance": resistance,
            "collide": collide,
            "breaks_at": breaks_at,
        }
        return self._join(where, joint_settings.slide(self._ends(where, a, b), point, axis, turns, given), data)

    @told_by_name
    def gear(
        self,
        a: Body,
        b: Body,
        *,
        ratio: float = 1.0,
        collide: bool = False,
        breaks_at: tuple[float | None, float | None] | None = None,
        data: Any = None,
    ) -> Joint:
        """Turn one body with another, as two wheels that mesh; what holds them in place are other joints.

        Parameters
        ----------
        a, b, collide, breaks_at, data
            As in `pin`; both are bodies.
        ratio : float, not 0
            `a` turns so many times as far as `b`, the other way; the same way, as by a belt, where it is negative.

        Returns
        -------
        Joint

        Raises
        ------
        TypeError, ValueError
            With the argument at fault; the world is as before.

        Examples
        --------
        >>> world = cm.World()
        >>> small, large = (world.add(cm.Circle((x, 0), r), kind="dynamic") for x, r in ((0, 1), (3, 2)))
        >>> pins = [world.pin(wheel, None, wheel.position) for wheel in (small, large)]
        >>> mesh = world.gear(small, large, ratio=2)
        >>> mesh.error
        0.0
        """
        where = "World.gear"
        given = {"collide": collide, "breaks_at": breaks_at}
        if b is None:
            inputs.refuse(TypeError, where, "b", b, "must be a Body: a gear is between two bodies")
        return self._join(where, joint_settings.gear(self._ends(where, a, b), ratio, given), data)

    @told_by_name
    def drag(
        self,
        body: Body,
        point: PointLike,
        target: PointLike | None = None,
        *,
        hertz: float | None = None,
        damping: float | None = None,
        stiffness: float | None = None,
        resistance: float | None = None,
        max_force: float | None = None,
        breaks_at: tuple[float | None, float | None] | None = None,
        data: Any = None,
    ) -> Joint:
        """Draw a point of a body to a target, by a spring: a mouse that drags it. Set `Joint.target` to move on.

        Parameters
        ----------
        body : Body
            A dynamic one.
        point : (x, y)
            Of the world, where the body is now.
        target : (x, y), optional
            Where to draw it; `point` if not given.
        hertz, damping, stiffness, resistance
            As in `pin`, of a force over length, and of the body's mass; 5 hertz and a damping of 1 if none is given.
        max_force : float, positive, optional
            The largest force; any if not given.
        breaks_at, data
            As in `pin`.

        Returns
        -------
        Joint

        Raises
        ------
        TypeError, ValueError
            With the argument at fault; the world is as before.

        Examples
        --------
        >>> world = cm.World()
        >>> crate = world.add(cm.Box((0, 0), (1, 1)), kind="dynamic")
        >>> mouse = world.drag(crate, (0.4, 0.4), max_force=1000)
        >>> mouse.target = 3, 2
        >>> mouse.anchor_a, mouse.anchor_b
        (Vec(0.4, 0.4), Vec(3.0, 2.0))
        """
        where = "World.drag"
        given = {
            "hertz": hertz,
            "damping": damping,
            "stiffness": stiffness,
            "resistance": resistance,
            "max_force": max_force,
            "breaks_at": breaks_at,
        }
        ends = self._ends(where, body, None, "body")
        return self._join(where, joint_settings.drag(ends, point, target, given), data)

    @told_by_name
    def motor(
        self,
        a: Body,
        b: Body | None = None,
        *,
        velocity: PointLike = (0.0, 0.0),
        speed: float = 0.0,
        max_force: float | None = None,
        max_torque: float | None = None,
        collide: bool = True,
        breaks_at: tuple[float | None, float | None] | None = None,
        data: Any = None,
    ) -> Joint:
        """Bring a body to a velocity and a spin, by a force and a torque that are bounded: friction of the ground.

        Parameters
        ----------
        a, b : Body, Body or None
            A dynamic one, and the body from which velocity and spin are seen, the world if not given.
        velocity : (x, y), optional
            Of the centre of `a`, length units a second, in directions of the world.
        speed : float, optional
            The spin, radians a second.
        max_force, max_torque : float, at least 0, optional
            The most that it may do; none if not given, and one of them is needed. With a velocity of 0 it is a brake:
            a body seen from above, which the ground slows by `friction * mass * gravity`.
        collide : bool, optional
            Whether the two bodies meet each other.
        breaks_at, data
            As in `pin`.

        Returns
        -------
        Joint

        Raises
        ------
        TypeError, ValueError
            With the argument at fault; the world is as before.

        Examples
        --------
        >>> world = cm.World()
        >>> puck = world.add(cm.Circle((0, 0), 0.5), kind="dynamic", velocity=(2, 0))
        >>> ground = world.motor(puck, max_force=puck.mass * 1.0)
        >>> hits = world.step(1.0, steps=3)
        >>> round(puck.position.x, 9), abs(puck.velocity.x) < 1e-9
        (2.0, True)
        """
        where = "World.motor"
        given = {
            "velocity": velocity,
            "speed": speed,
            "max_force": max_force,
            "max_torque": max_torque,
            "collide": collide,
            "breaks_at": breaks_at,
        }
        return self._join(where, joint_settings.motor_of(self._ends(where, a, b), given), data)

    @told_by_name
    def pulley(
        self,
        a: Body,
        b: Body,
        from_: PointLike,
        to: PointLike,
        *,
        over: PointLike | tuple[PointLike, PointLike],
        length: float | None = None,
        ratio: float = 1.0,
        collide: bool = True,
        breaks_at: tuple[float | None, float | None] | None = None,
        data: Any = None,
    ) -> Joint:
        """Hang two bodies on one rope that runs over two points of the world.

        Parameters
        ----------
        a, b : Body
            One of them dynamic.
        from_, to : (x, y)
            The points of the world where the rope holds `a` and `b` now.
        over : ((x, y), (x, y)), or (x, y)
            The points of the world over which the sides of `a` and of `b` run; one for both sides.
        length : float, positive, optional
            The greatest length of both sides, that of `b` counted `ratio` times; as they are if not given.
        ratio : float, positive, optional
            How many strands hold `b`: it goes so many times less far than `a`, and is pulled so many times harder.
        collide : bool, optional
            Whether the two bodies meet each other.
        breaks_at, data
            As in `rod`; the force is that on `a`.

        Returns
        -------
        Joint

        Raises
        ------
        TypeError, ValueError
            With the argument at fault; the world is as before.

        Examples
        --------
        >>> world = cm.World(gravity=(0, -10))
        >>> light = world.add(cm.Circle((-1, 0), 0.2), kind="dynamic", mass=1)
        >>> heavy = world.add(cm.Circle((1, 0), 0.2), kind="dynamic", mass=3)
        >>> rope = world.pulley(light, heavy, (-1, 0), (1, 0), over=((-1, 5), (1, 5)))
        >>> hits = world.step(0.01, steps=50)
        >>> round(light.velocity.y, 9), round(heavy.velocity.y, 9)
        (2.5, -2.5)
        """
        where = "World.pulley"
        given = {"collide": collide, "breaks_at": breaks_at}
        ends = self._ends(where, a, b)
        return self._join(where, joint_settings.pulley(ends, from_, to, over, length, ratio, given), data)

    @property
    def joints(self) -> list[Joint]:
        """All joints, by row."""
        with self._reading:
            return [self._joint(row) for row in rows_in_use(self._tables)]

    @told_by_name
    def joint(self, row: int) -> Joint:
        """Return the joint of a row."""
        number = inputs.integer("World.joint", "row", row)
        if number not in rows_in_use(self._tables):
            inputs.refuse(ValueError, "World.joint", "row", row, "has no joint")
        return self._joint(number)

    @property
    def joint_forces(self) -> Floats:
        """The force of each joint on its body `a` in the last step, by row, (n, 2); NaN in rows without a joint.

        See `Joint.force`. An array of its own at each call.
        """
        with self._reading:
            table = self._tables.joints.table[: int(self._tables.state["joints"][0])]
            forces = np.column_stack((table["force_x"], table["force_y"]))
            forces[(table["kind"] == REMOVED) | (table["broken"] != 0)] = np.nan
            return forces

    def _ends(self, where: str, a: Any, b: Any, name: str = "a") -> joint_settings.Ends:
        """Return the ends of a new joint."""
        rows = self._own(where, name, a), -1 if b is None else self._own(where, "b", b)
        return joint_settings.checked_ends(where, self._tables, (rows[0], a), (rows[1], b), name)

    def _join(self, where: str, columns: joint_settings.Columns, data: Any) -> Joint:
        """Put in a joint whose settings are checked, but for what overlaps."""
        if columns["collides"] and columns["b"] >= 0 and columns["kind"] not in MEETING:
            joint_settings.refuse_overlap(where, self._store, int(columns["a"]), int(columns["b"]))
        return self._joint(self._put_joint(columns, data))

    def _joint(self, row: int) -> Joint:
        return self._joint_handle(row, int(self._tables.joints.table["serial"][row]))

    def _joint_handle(self, row: int, serial: int) -> Joint:
        """Return the handle of a joint, also of one that broke: the one there is, as long as anyone holds it."""
        found: Joint | None = self._joint_handles.get(serial)
        if found is None or found._row != row:
            found = self._joint_handles.keep(serial, new_handle(Joint, self, row, serial))
        return found

    @recorded
    def _put_joint(self, columns: joint_settings.Columns, data: Any) -> int:
        with self._guard:
            row = add_joint(self._store, columns, data)
            self._stir([row])
            self._record("_put_joint", columns, data)
        return row

    @recorded
    def _change_joint(self, row: int, columns: joint_settings.Columns) -> None:
        """Change columns of a joint, which are checked."""
        with self._guard:
            if row not in rows_in_use(self._tables):
                raise RuntimeError("World: another thread has removed a joint while it was set")
            change_joint(self._store, row, columns)
            if columns.keys() & {"collides", "off"}:
                self._stir([row])  # its bodies meet others than before
            else:
                rouse_bodies(self._tables, np.array(moved_by(self._tables, [row]), dtype=np.int64))
                self._changed()
            self._record("_change_joint", row, columns)

    @recorded
    def _remove_joints(self, rows: list[int]) -> None:
        with self._guard:
            self._take_joints(rows)
            self._record("_remove_joints", rows)

    def _take_joints(self, rows: list[int]) -> None:
        """Take joints out of the world, and wake what they held."""
        if rows:
            self._stir(rows)
            remove_joints(self._store, rows)

    def _stir(self, rows: list[int]) -> None:
        """Wake the bodies of joints that are new, changed or about to go."""
        moved = np.array(moved_by(self._tables, rows), dtype=np.int64)
        begin_change(self._tables, moved)
        place_bodies(self._tables, moved)
        self._changed()

    @recorded
    def _set_joint_data(self, row: int, data: Any) -> None:
        with self._guard:
            self._store.joint_data[row] = data
            self._record("_set_joint_data", row, data)

    # Bodies and the world are changed.

    @recorded
    def _change(self, rows: Integers, name: str, value: Any, layers: Layers | None = None) -> None:
        """Change a setting of bodies, which is checked: one value for all, or one for each."""
        with self._guard:
            if (self._tables.bodies["kind"][rows] == at.GONE).any():
                raise RuntimeError(f"World: another thread has removed a body while its {name} was set")
            change(self._store, rows, name, value, layers)
            self._changed()
            self._record("_change", rows, name, value, layers)

    @recorded
    def _set_data(self, row: int, data: Any) -> None:
        with self._guard:
            self._store.data[row] = data
            self._record("_set_data", row, data)

    @property
    def gravity(self) -> Vec:
        """Acceleration of every dynamic body."""
        return Vec(self._tables.state["gravity_x"].item(), self._tables.state["gravity_y"].item())

    @gravity.setter
    @recorded
    def gravity(self, gravity: PointLike) -> None:
        x, y = inputs.point("World.gravity", "gravity", gravity)
        with self._guard:
            pull(self._store, x, y)
            self._changed()
            self._record("__setattr__", "gravity", (x, y))

    @property
    def sleep(self) -> bool:
        """Whether bodies may fall asleep. Set it to False to wake all that sleep, and to keep all awake."""
        return not self._tables.state["sleepless"][0]

    @sleep.setter
    @recorded
    def sleep(self, sleep: bool) -> None:
        given = inputs.truth("World.sleep", "sleep", sleep)
        with self._guard:
            self._tables.state["sleepless"] = not given
            if not given and self.asleep.any():
                self._wake(np.flatnonzero(self.asleep))
            self._record("__setattr__", "sleep", given)

    @property
    def time(self) -> float:
        """How long all steps took so far, seconds; at a pause of `events` up to that instant."""
        state = self._tables.state
        under_way = state["before"][0] + state["now"][0] if state["phase"][0] != at.BETWEEN else 0.0
        return float(state["clock"][0] + under_way)

    @property
    def steps(self) -> int:
        """How many steps have ended so far; after Ctrl-C in ``step(dt, steps=2000)`` it tells how many were done."""
        return int(self._tables.state["steps"][0])

    @recorded
    def _move_to(self, row: int, x: float, y: float, angle: float) -> None:
        """Tell a kinematic body where to be when the next step ends; one that stands there already is left alone."""
        w = self._tables
        position, now, velocity, spin = motion_of(w, row)
        if w.courses["told"][row] or (position, now, velocity, spin) != ((x, y), angle, (0.0, 0.0), 0.0):
            self._change(np.array([row]), "target", (x, y, angle))

    @recorded
    def _wake(self, rows: Integers) -> None:
        """Wake bodies and what sleeps with them and beside them; they stay awake for as long as if they had moved."""
        with self._guard:
            begin_change(self._tables, rows)
            place_bodies(self._tables, rows)
            self._changed()
            self._record("_wake", rows)

    @recorded
    def _put_to_sleep(self, row: int) -> int:
        """Put the island of a body to sleep; return -1, or the row of a body that keeps it awake."""
        with self._guard:
            self._store.make_ready()
            piles = self._store.piles
            sleepless = put_to_sleep(self._tables, piles.solving, piles.old, int(piles.counts[1]), row)
            if sleepless < 0:
                self._changed()
                self._record("_put_to_sleep", row)
            return sleepless

    @told_by_name
    @recorded
    def rule(self, layer: AnyLayer, other: AnyLayer, response: Response | None, **unknown: Never) -> None:
        """Say what happens where bodies of two layers meet, whatever the bodies' own responses; None: theirs again."""
        if unknown:
            refuse_keywords("World.rule", World.rule, unknown)
        # A caller's list may change later, and an iterator is used up: a recording keeps what was given now.
        layer, other = (tuple(given) if isinstance(given, list | set | Iterator) else given for given in (layer, other))
        where, layers = "World.rule", self._store.layers.copy()
        call = Call(where, "", layers)
        first, second = (bits_of_layer(call, name, value) for name, value in (("layer", layer), ("other", other)))
        number = -1 if response is None else NAMES.index(inputs.one_of(where, "response", response, NAMES))
        with self._guard:
            self._store.layers = layers
            for i, j in product(numbers_of(first), numbers_of(second)):
                self._tables.rules[i, j] = self._tables.rules[j, i] = number
            live = self._live()
            concerned = live[(self._tables.bodies["layer"][live] & (first | second)) != 0]
            self._store.arrived.update(concerned.tolist())
            wake_beside(self._tables, concerned)
            self._changed()
            self._record("rule", layer, other, response)

    def _record(self, name: str, *given: Any) -> None:
        """Keep what was done, if a Recording asked for it."""
        if self._log is not None:
            self._log.append((name, *given))

    def _changed(self) -> None:
        """Have everything predicted anew, if a step is under way, and nothing taken as at rest."""
        self._fresh = False
        self._complete = False
        state = self._tables.state
        if state["phase"][0] != at.BETWEEN:
            state["phase"] = at.CHANGED

    # Bodies by row.

    @property
    def bodies(self) -> list[Body]:
        """All bodies, by row."""
        return [self._body(row) for row in self._live().tolist()]

    def __iter__(self) -> Iterator[Body]:
        """Go through all bodies there are now, by row."""
        return iter(self.bodies)

    def __len__(self) -> int:
        return int(self._live().size)

    if not TYPE_CHECKING:  # else type checkers would take it

        def __getitem__(self, row: Any) -> NoReturn:
            raise TypeError("World: it is World.body(row), and World.bodies is a list of all; world[...] is not taken")

    def __contains__(self, body: object) -> bool:
        return isinstance(body, Body | Joint) and body._world is self and not body.removed

    @told_by_name
    def body(self, row: int) -> Body:
        """Return the body of a row."""
        count = int(self._tables.state["bodies"][0])
        number = inputs.integer("World.body", "row", row)
        if not 0 <= number < count or self._tables.bodies["kind"][number] == at.GONE:
            inputs.refuse(ValueError, "World.body", "row", row, "has no body")
        return self._body(number)

    @told_by_name
    def rows(self, bodies: Iterable[Body] | None = None) -> Integers:
        """Return the rows of bodies in `positions`, `velocities` and hits; of all bodies if none are given.

        A body keeps its row as long as it is in the world; rows of removed bodies are given to later ones.
        """
        if bodies is None:
            return self._live()
        return np.array(self._own_all("World.rows", "bodies", bodies), dtype=np.int64)

    @property
    def positions(self) -> Floats:
        """Where the bodies are, by row: a live view, (n, 2), read-only; NaN in rows without a body.

        It follows the world with each step, in the rows that there were when it was asked for; within a step ask anew
        at each pause. Copy it to keep it. Assign an array
        (n, 2) to put all bodies elsewhere, without a sweep; what differs in no number stays untouched.
        """
        return self._view().positions

    @positions.setter
    def positions(self, positions: ArrayLike) -> None:
        count = int(self._tables.state["bodies"][0])
        table = inputs.table("World.positions", "positions", positions, 2, count, endless=True)
        with self._guard:
            self._set_places("positions", "position", table)

    @property
    def angles(self) -> Floats:
        """The angle of each body, radians, by row: a live view, (n,), read-only; NaN in rows without a body.

        See `Body.angle`. Assign (n,) to turn all bodies, without a sweep.
        """
        return self._view().angles

    @angles.setter
    def angles(self, angles: ArrayLike) -> None:
        count = int(self._tables.state["bodies"][0])
        column = inputs.column("World.angles", "angles", angles, count, endless=True)
        with self._guard:
            self._set_places("angles", "angle", column)

    def _set_places(self, column: str, name: str, values: Floats) -> None:
        """Put or turn the bodies for which other values are given than they have."""
        self._refresh()
        live = np.zeros(len(values), dtype=np.bool_)
        live[self._live()] = True
        before = getattr(self._columns, column)
        changed = live & (values != before).reshape(len(values), -1).any(axis=1)
        rows = np.flatnonzero(changed)
        if not rows.size:
            return
        for row in rows[~(np.abs(values[rows]) <= LARGEST).reshape(len(rows), -1).all(axis=1)][:1].tolist():
            expected = f"must be finite, and at most {LARGEST:g} in magnitude"
            inputs.refuse(ValueError, f"World.{column}", f"{column}[{row}]", values[row].tolist(), expected)
        self._change(rows, name, values[rows])

    @property
    def velocities(self) -> Floats:
        """How fast the bodies are, by row: a live view, (n, 2), read-only. Assign (n, 2), or one (x, y) for all."""
        return self._view().velocities

    @velocities.setter
    def velocities(self, velocities: ArrayLike) -> None:
        count = int(self._tables.state["bodies"][0])
        table = inputs.vectors("World.velocities", "velocities", velocities, count)
        with self._guard:
            self._refresh()
            self._set_speeds("velocities", "velocity", table, (table != self._columns.velocities).any(axis=1))

    @property
    def spins(self) -> Floats:
        """How fast they turn, radians a second, by row: a live view, (n,), read-only. Assign (n,), or one number."""
        return self._view().spins

    @spins.setter
    def spins(self, spins: ArrayLike) -> None:
        count = int(self._tables.state["bodies"][0])
        column = inputs.column("World.spins", "spins", spins, count)
        with self._guard:
            self._refresh()
            self._set_speeds("spins", "spin", column, column != self._columns.spins)

    def _set_speeds(self, column: str, name: str, values: Floats, changed: NDArray[np.bool_]) -> None:
        kinds = self._tables.bodies["kind"][: len(values)]
        changed &= kinds != at.GONE
        static = changed & (kinds == at.STATIC)
        if static.any():
            row = int(static.argmax())
            inputs.refuse(ValueError, f"World.{column}", f"{column}[{row}]", values[row], "is of a static body")
        rows = np.flatnonzero(changed)
        if rows.size:
            self._change(rows, name, values[rows])

    @property
    def asleep(self) -> NDArray[np.bool_]:
        """Which bodies sleep, by row, (n,): they rest until something wakes them. An array of its own at each call."""
        count = int(self._tables.state["bodies"][0])
        asleep: NDArray[np.bool_] = self._tables.bodies["asleep"][:count] == 1
        return asleep

    @property
    def waited(self) -> Floats:
        """For how many seconds of the last step each body waited, by row, (n,): an array of its own at each call.

        A kinematic body waits rather than crush what is in its way. Whatever else could go on only through another
        body stays, or goes back to, where it was. At a pause these are the seconds of the present step so far.
        """
        with self._reading:
            found: Floats = waited_in(self._tables, slice(int(self._tables.state["bodies"][0])))
        return found

    @property
    def pulled(self) -> Floats:
        """The velocity that each body got of no contact and no joint in the last step, by row, (n, 2): an own array.

        That is gravity's and its own acceleration's, what damping took, and what it lost when it fell asleep or
        waited. With the sums of `contacts().given` and of the forces of its joints times the seconds of the step, each
        over its mass, it is the change of a dynamic body's velocity, but for velocities that were set meanwhile. Where
        a falling body is hit within a step, gravity's share differs from g dt: its energy there is that of the place.
        """
        with self._reading:
            courses = self._tables.courses[: int(self._tables.state["bodies"][0])]
            pulled: Floats = np.stack([courses[f"pulled_{axis}"] for axis in "xy"], axis=1)
            return pulled

    @told_by_name
    def inside(self, sensor: Body) -> list[Body]:
        """Return the bodies that have entered a sensor and not left it, by row."""
        row = self._own("World.inside", "sensor", sensor)
        w = self._tables
        if not w.bodies["sensor"][row]:
            inputs.refuse(ValueError, "World.inside", "sensor", sensor, "is no sensor")
        with self._reading:
            keys = w.inside[w.inside >= 0]
            a, b = w.parts["body"][keys >> 31], w.parts["body"][keys & 0x7FFFFFFF]
            others = np.unique(np.concatenate((b[a == row], a[b == row])))
        return [self._body(other) for other in others.tolist()]

    @told_by_name
    def contacts(self) -> WorldContacts:
        """Return which bodies gave each other an impulse in the last step: where, and how much, all in all.

        Each pair tells once what its impacts and its pressing, at rest or sliding, gave in the whole step; a hit of
        `step` tells of one blow. Sleeping bodies keep what they had when they fell asleep.

        Returns
        -------
        WorldContacts
            Named tuple (body, other, normal, count, points, depths, impulses, friction_impulses, given) of columns, one
            row for each pair of convex parts, in the order of rows of bodies.

        Examples
        --------
        >>> world = cm.World(gravity=(0, -10))
        >>> floor = world.add(cm.Box((0, -1), (10, 2)))
        >>> crate = world.add(cm.Box((0, 0.5), (1, 1)), kind="dynamic", mass=3)
        >>> hits = world.step(0.1)
        >>> found = world.contacts()
        >>> found.normal.tolist(), found.impulses.sum(axis=1).round(6).tolist()
        ([[0.0, 1.0]], [3.0])
        """
        with self._reading:
            return contacts_of(self._store, self._live)

    def overlaps(self) -> WorldOverlaps:
        """Return the pairs of bodies that would meet but are in each other now, by more than rounding.

        Only bodies that were put into each other ever are. Pairs with a one-way body do not count.
        """
        with self._reading:
            return overlaps_of(self._store, self._live)

    # The world is asked.

    @overload
    def raycast(
        self, origin: PointsLike, translation: PointLike | PointsLike, **options: Unpack[QuestionOptions]
    ) -> RayHitColumns: ...

    @overload
    def raycast(
        self, origin: PointLike, translation: PointsLike, **options: Unpack[QuestionOptions]
    ) -> RayHitColumns: ...

    @overload
    def raycast(
        self, origin: PointLike, translation: PointLike, *, all: Literal[True], **options: Unpack[QuestionOptions]
    ) -> list[BodyRayHit]: ...

    @overload
    def raycast(
        self, origin: PointLike, translation: PointLike, **options: Unpack[QuestionOptions]
    ) -> BodyRayHit | None: ...

    @typed_by_overloads
    @told_by_name
    def raycast(
        self,
        origin: Any,
        translation: Any,
        *,
        ignore: Body | int | Iterable[Body | int] | None = None,
        mask: AnyLayers | None = None,
        sensors: bool = False,
        all: bool = False,
        threads: int = ONE,
        **unknown: Any,
    ) -> Any:
        """Return the body that each ray meets first, or all that one ray meets, where the bodies are now.

        Asking changes nothing, and can be done at a pause of `events`, too. A Compound is one body.

        Parameters
        ----------
        origin : (x, y), (n, 2), or an array (..., 2)
        translation : (x, y), (n, 2), or an array (..., 2)
            From each origin to the ray's end, in length units. One for all, or one a ray; arrays of more dimensions are
            broadcast together, and answers have their leading shape.
        ignore : Body, row, or several; optional
            Bodies that are passed through. For many rays rows (n,) or (n, k), -1 for none, or one for all; rays of a
            leading shape take an array that broadcasts to it.
        mask : a name, a tuple of names, or an int of bits; or a list or array with one a ray; optional
            The layers each ray sees, all if not given.
        sensors : bool, default False
            Whether sensors are seen, too.
        all : bool, default False
            Whether one ray goes on through what it meets.
        threads : int, default 1
            How many threads share the rays; the answers are the same with any number.

        Returns
        -------
        BodyRayHit or None for one ray; RayHitColumns for many
            As the function `raycast` tells for each body's shape; `row` in the columns is the body's row. Of bodies met
            at the same fraction, the one in the lowest row. With `all` a list of BodyRayHit, each body once, the
            nearest first.

        Raises
        ------
        TypeError, ValueError
            With the argument at fault.

        Examples
        --------
        >>> world = cm.World()
        >>> wall, ball = world.add(cm.Box((5, 0), (1, 4))), world.add(cm.Circle((9, 0), 1), kind="dynamic")
        >>> hit = world.raycast((0, 0), (20, 0))
        >>> hit.body is wall, hit.distance
        (True, 4.5)
        >>> world.raycast((0, 0), [(20, 0), (0, 20)], ignore=wall).distance
        array([ 8., inf])
        >>> [hit.body is ball for hit in world.raycast((0, 0), (20, 0), all=True)]
        [False, True]
        """
        if unknown:
            refuse_keywords("World.raycast", World.raycast, unknown)
        if all is not False and inputs.truth("World.raycast", "all", all):
            with self._reading:
                return door.raycast_all(self, origin, translation, mask, ignore, sensors, threads)
        guard, own = self._guard, get_ident()
        guard.readers.append(own)  # as `with self._reading`, in a third of the time
        try:
            if not guard.free:
                self._reading.wait(own)
            return door.raycast(self, origin, translation, mask, ignore, sensors, threads)
        finally:
            guard.readers.remove(own)

    @overload
    def cast(
        self,
        shape: ManyShapes,
        translation: PointLike | PointsLike,
        rotation: ArrayLike = 0.0,
        pivot: PointLike | PointsLike | None = None,
        **options: Unpack[QuestionOptions],
    ) -> CastColumns: ...

    @overload
    def cast(
        self,
        shape: OneShape,
        translation: PointsLike,
        rotation: ArrayLike = 0.0,
        pivot: PointLike | PointsLike | None = None,
        **options: Unpack[QuestionOptions],
    ) -> CastColumns: ...

    @overload
    def cast(
        self,
        shape: OneShape,
        translation: PointLike,
        rotation: float = 0.0,
        pivot: PointLike | None = None,
        **options: Unpack[QuestionOptions],
    ) -> BodyHit | None: ...

    @overload
    def cast(
        self,
        shape: OneShape,
        translation: PointLike,
        rotation: Sequence[float] | NDArray[Any],
        pivot: PointLike | PointsLike | None = None,
        **options: Unpack[QuestionOptions],
    ) -> CastColumns: ...

    @typed_by_overloads
    @told_by_name
    def cast(
        self,
        shape: Any,
        translation: Any,
        rotation: Any = 0.0,
        pivot: Any = None,
        *,
        ignore: Body | int | Iterable[Body | int] | None = None,
        mask: AnyLayers | None = None,
        sensors: bool = False,
        threads: int = ONE,
        **unknown: Any,
    ) -> Any:
        """Return the body that each moving shape meets first, where the bodies are now.

        Parameters
        ----------
        shape : a shape or Compound; Shapes, or shapes in a list
            As many as there are motions, or one for all.
        translation : (x, y), or (n, 2)
            The whole motion of each, in length units. One for all, or one a shape.
        rotation : float or (n,) floats, default 0
            The whole turn of each, radians.
        pivot : (x, y), or (n, 2), optional
            The point of the world that each turn is about, at the start; `position` if not given.
        ignore, mask, sensors, threads
            As in `raycast`.

        Returns
        -------
        BodyHit or None for one shape with one motion; CastColumns for many
            As the function `cast` tells for each body's shape; of bodies met at the same fraction, the one in the
            lowest row.

        Raises
        ------
        TypeError, ValueError
            With the argument at fault.

        Examples
        --------
        >>> world = cm.World()
        >>> wall = world.add(cm.Box((5, 0), (1, 4)))
        >>> hit = world.cast(cm.Circle((0, 0), 0.5), (8, 0))
        >>> hit.body is wall, hit.fraction
        (True, 0.5)
        """
        if unknown:
            refuse_keywords("World.cast", World.cast, unknown)
        with self._reading:
            return door.cast(self, shape, translation, rotation, pivot, mask, ignore, sensors, threads)

    @overload
    def query(
        self, shape: OneShape, *, touching: bool = True, within: float = 0.0, **options: Unpack[QuestionOptions]
    ) -> BodyList: ...

    @overload
    def query(
        self, shape: ManyShapes, *, touching: bool = True, within: ArrayLike = 0.0, **options: Unpack[QuestionOptions]
    ) -> RowLists: ...

    @typed_by_overloads
    @told_by_name
    def query(
        self,
        shape: Any,
        *,
        touching: bool = True,
        within: Any = 0.0,
        ignore: Body | int | Iterable[Body | int] | None = None,
        mask: AnyLayers | None = None,
        sensors: bool = False,
        threads: int = ONE,
        **unknown: Any,
    ) -> Any:
        """Return the bodies that intersect a shape, or lie within a distance of it.

        Parameters
        ----------
        shape : a shape or Compound; Shapes, or shapes in a list
        touching : bool, default True
            Whether a body that is just so far away counts: with ``within=0``, one that merely touches.
        within : float or (n,) floats, default 0
            The distance, in length units.
        ignore, mask, sensors, threads
            As in `raycast`.

        Returns
        -------
        BodyList for one shape; RowLists(offsets, rows) for many
            A list of bodies by row, each once, whose ``rows`` are an array: those for which `intersects`, or
            `distance`, says so.

        Raises
        ------
        TypeError, ValueError
            With the argument at fault.
        MemoryError
            If the rows would not fit into memory: found out before memory is taken for them.

        Examples
        --------
        >>> world = cm.World()
        >>> balls = world.add_many(cm.Shapes.circles([(0, 0), (3, 0), (6, 0)], 1))
        >>> world.query(cm.Box((1, 0), (2.5, 1))).rows, len(world.query(cm.Point((3, 0)), within=2))
        (array([0, 1]), 3)
        """
        if unknown:
            refuse_keywords("World.query", World.query, unknown)
        with self._reading:
            return door.query(self, shape, touching, within, mask, ignore, sensors, threads)

    @overload
    def contains(self, point: PointsLike, **options: Unpack[QuestionOptions]) -> RowLists: ...

    @overload
    def contains(self, point: PointLike, **options: Unpack[QuestionOptions]) -> BodyList: ...

    @typed_by_overloads
    @told_by_name
    def contains(
        self,
        point: Any,
        *,
        ignore: Body | int | Iterable[Body | int] | None = None,
        mask: AnyLayers | None = None,
        sensors: bool = False,
        threads: int = ONE,
        **unknown: Any,
    ) -> Any:
        """Return the bodies that contain a point, boundary included.

        Parameters
        ----------
        point : (x, y), (n, 2), or an array (..., 2)
        ignore, mask, sensors, threads
            As in `raycast`.

        Returns
        -------
        BodyList for one point; RowLists(offsets, rows) for many
            As `query`; of a leading shape all points in their order in memory.

        Raises
        ------
        TypeError, ValueError, MemoryError
            As `query`.

        Examples
        --------
        >>> world = cm.World()
        >>> ball = world.add(cm.Circle((0, 0), 1), data="ball")
        >>> [body.data for body in world.contains((0.5, 0.5))]
        ['ball']
        """
        if unknown:
            refuse_keywords("World.contains", World.contains, unknown)
        with self._reading:
            return door.contains(self, point, mask, ignore, sensors, threads)

    @overload
    def nearest(
        self,
        shape: PointsLike | ManyShapes,
        k: int = 1,
        within: float = ...,
        **options: Unpack[QuestionOptions],
    ) -> Neighbors: ...

    @overload
    def nearest(
        self, shape: PointLike | OneShape, k: int = 1, within: float = ..., **options: Unpack[QuestionOptions]
    ) -> BodyNeighbors: ...

    @typed_by_overloads
    @told_by_name
    def nearest(
        self,
        shape: Any,
        k: int = 1,
        within: float = math.inf,
        *,
        ignore: Body | int | Iterable[Body | int] | None = None,
        mask: AnyLayers | None = None,
        sensors: bool = False,
        threads: int = ONE,
        **unknown: Any,
    ) -> Any:
        """Return the k bodies nearest to a point or shape, with their distances.

        Parameters
        ----------
        shape : (x, y), (n, 2), an array (..., 2), a shape or Compound, Shapes, or shapes in a list
        k : int, default 1
            How many; a Compound counts once.
        within : float, default infinite
            How far to look, in length units; a body just so far away counts.
        ignore, mask, sensors, threads
            As in `raycast`.

        Returns
        -------
        BodyNeighbors(rows, distances) for one; Neighbors(rows, distances) for many
            Both columns (k,), (n, k) or (..., k): nearest first, of equally near bodies the lower row first; where
            there are fewer, the row is -1 and the distance infinite. Of one point or shape, ``bodies`` are the bodies.

        Raises
        ------
        TypeError, ValueError
            With the argument at fault.

        Examples
        --------
        >>> world = cm.World()
        >>> balls = world.add_many(cm.Shapes.circles([(0, 0), (4, 0), (9, 0)], 1))
        >>> found = world.nearest((2.5, 0), k=2)
        >>> found.rows, found.distances, found.bodies[0] is balls[1]
        (array([1, 0]), array([0.5, 1.5]), True)
        """
        if unknown:
            refuse_keywords("World.nearest", World.nearest, unknown)
        with self._reading:
            return door.nearest(self, shape, k, within, mask, ignore, sensors, threads)

    def _whole(self, row: int) -> Any:
        """Return the shape of a body where it is now: until it moves the same one, which keeps what it prepares."""
        w = self._tables
        state = w.state[0]
        now = w.bodies[row : row + 1].tobytes(), float(state["now"]) if self.unfinished else -1.0
        known = self._wholes.get(row)
        if known is None or known[0] != now:
            known = self._wholes[row] = (now, self._store.shape_now(row))
        return known[1]

    def _body(self, row: int) -> Body:
        return self._handle(row, self._serial(row))

    def _handle(self, row: int, serial: int) -> Body:
        """Return the handle of a body: the one there is, as long as anyone holds it."""
        reference = self._handles.references.get(serial)  # as `get`, without a call
        found: Body | None = None if reference is None else reference()
        if found is None or found._row != row:
            found = self._handles.keep(serial, new_handle(Body, self, row, serial))
        return found

    def _serial(self, row: int) -> int:
        return int(self._tables.bodies["serial"][row]) if row >= 0 else -1

    def _live(self) -> Integers:
        if not self._guard.free:
            self._guard.check()
        count = int(self._tables.state["bodies"][0])
        return np.flatnonzero(self._tables.bodies["kind"][:count] != at.GONE)

    def _view(self) -> Columns:
        with self._reading:
            self._refresh()
            self._shown = True
            return Columns(*map(_read_only, self._columns))

    def _refresh(self) -> None:
        """Have the columns up to date; several threads that read may do so at once, with the same result."""
        columns, count = self._columns, int(self._tables.state["bodies"][0])
        known = len(columns.angles) == count
        if self._fresh and known:
            return
        if known and self._complete:
            read_movers(self._tables, columns)
        else:
            if not known:
                self._older += [columns] if is_held(columns) else []
                columns = make_columns(count)
            read_all(self._tables, 0, count, columns)
        if self._older:
            self._older = follow(columns, self._older)
        self._columns, self._complete, self._fresh = columns, True, not self.unfinished

    def _own(self, where: str, name: str, body: Any) -> int:
        if not isinstance(body, Body):
            inputs.refuse(TypeError, where, name, body, f"must be a Body, not {type(body).__name__}")
        if body._world is not self:
            inputs.refuse(ValueError, where, name, body, "is of another world")
        if body.removed:
            inputs.refuse(ValueError, where, name, body, "is no longer in its world")
        return body._row

    def _own_joint(self, where: str, name: str, joint: Joint) -> int:
        if joint._world is not self:
            inputs.refuse(ValueError, where, name, joint, "is of another world")
        if joint.removed:
            inputs.refuse(ValueError, where, name, joint, "is no longer in its world")
        return joint._row

    def _own_all(self, where: str, name: str, bodies: Any) -> list[int]:
        given = inputs.listed(where, name, bodies, "bodies in a list")
        return [self._own(where, f"{name}[{k}]", body) for k, body in enumerate(given)]

    # Time passes.

    @told_by_name
    def step(self, dt: float, steps: int = 1, *, threads: int = ONE, **unknown: Never) -> WorldHits:
        """Let time pass, and return what happened.

        Parameters
        ----------
        dt : float, 0 or positive
            Seconds of one step. In 0 seconds nothing happens.
        steps : int
            How many steps of that length to make.
        threads : int
            How many threads may solve the islands of large piles at once; the result is the same to the last bit.

        Returns
        -------
        WorldHits
            In the order of time: columns, and each hit as a `WorldHit` by index or in a loop.
        """
        if type(dt) is float and SMALLEST_SIZE <= dt <= SHORT_TIME and steps is ONE is threads and not unknown:
            found = self._step_at_once(dt)  # what nearly always comes, in a third of the time
            if found is not None:
                return found
        if unknown:
            refuse_keywords("World.step", World.step, unknown)
        length = _length_of("World.step", dt)
        count = inputs.integer("World.step", "steps", steps)
        if not 1 <= count <= MOST_STEPS:
            inputs.refuse(ValueError, "World.step", "steps", steps, f"must be from 1 to {MOST_STEPS}")
        workers = 1 if threads is ONE else checked("World.step", threads)
        with self._guard:
            refuse_too_far("World.step", self._tables, length, count)
            self._start("World.step")
            parts: list[WorldHits] = []
            if not length:
                return hits_of(self, self._store, 0, 0, 0.0)
            for k in range(count):
                self._one_step(length, workers)
                self._record("_one_step", length)
                self._record("digest", self.digest() if self._log is not None else 0)
                if self._store.told or (k == count - 1 and not parts):
                    parts.append(hits_of(self, self._store, 0, self._store.told, k * length))
            return joined(parts)

    def _step_at_once(self, length: float) -> WorldHits | None:
        """Return the hits of a step that takes one compiled call; None, and nothing is done, if it takes more care."""
        if self._log is not None or self._loop is not None or self._store.layers.fresh:
            return None
        with self._guard:
            store, self._fresh = self._store, False
            told = step_at_once(store, length)
            if told is None:
                return None
            store.told = told
            self._ran(DONE)
            return hits_of(self, store, 0, told, 0.0)

    @recorded
    def _one_step(self, length: float, threads: int = 1) -> None:
        told = step_at_once(self._store, length) if threads == 1 else None
        if told is None:
            self._open(length)
            self._run(False, threads)
            told = int(self._tables.state["hits"][0])
        else:
            self._ran(DONE)
        self._store.told = told

    def _open(self, length: float) -> None:
        """Begin a step. Handles that are held go on to know what they were that the store is about to forget."""
        for what, serial in last_known(self._store) if self._store.gone else ():
            handle = (self._handles if what == BODY else self._joint_handles).get(serial)
            if handle is not None:
                handle._left = gone_of(self._store, (what, serial))
        open_for(self._store, length)

    @told_by_name
    @recorded
    def events(self, dt: float, **unknown: Never) -> Iterator[WorldHit]:
        """Make one step that pauses at the instant of each event; a loop over it plays the step.

        At a pause everything read is the state of that instant, after the impact, and bodies may be added, removed and
        changed. Leaving the loop early plays the rest of the step. An exception leaves the world at that instant:
        `resume` plays the rest, `abandon` ends the step there; each ends the loop, if something still holds it. A step
        within the loop is refused.

        Parameters
        ----------
        dt : float, 0 or positive
            Seconds.

        Yields
        ------
        WorldHit
        """
        if unknown:
            refuse_keywords("World.events", World.events, unknown)
        length = _length_of("World.events", dt)
        with self._guard:
            refuse_too_far("World.events", self._tables, length, 1)
            self._start("World.events")
        return EventLoop(self._pausing(length))

    def _pausing(self, length: float) -> Generator[WorldHit, None, None]:
        mine, status = object(), PAUSED
        with self._guard:
            self._start("World.events")
            if not length:
                return
            self._record("events", length)
            self._open(length)
            self._loop = mine
        try:
            while True:
                with self._guard:
                    if self._loop is not mine:  # it was resumed or abandoned
                        return
                    hit, status = self._next_hit(status)
                    self._guard.paused = get_ident()
                if hit is None:
                    return
                yield hit
        except GeneratorExit:
            with self._guard:
                if self._loop is mine:
                    self._end_loop()
                    self._record("left")
                    if left_without_error():
                        self.resume()
            raise
        finally:
            if self._loop is mine:
                self._end_loop()

    def _next_hit(self, status: int) -> tuple[WorldHit | None, int]:
        """Play on to the next hit that a loop is to yield, or to the end."""
        store = self._store
        tell_exits(store)
        while True:
            while (self.unfinished or status == DONE) and store.told < store.tables.state["hits"][0]:
                hit = self._hit(store.told)
                store.told += 1
                if hit is not None:
                    self._record("pause")
                    return hit, status
            if status == DONE:
                self._record("end")
                self._record("digest", self.digest() if self._log is not None else 0)
                return None, DONE
            status = self._run(pauses=True)

    def _end_loop(self) -> None:
        self._loop, self._guard.paused = None, 0

    def _start(self, where: str) -> None:
        self._refuse_within(where)
        if self.unfinished:
            self.resume()
        if self._store.layers.fresh and (slip := self._store.layers.told_unused()):
            warnings.warn(f"{where}: {slip}", UserWarning, stacklevel=3)

    @recorded
    def resume(self) -> WorldHits:
        """Play the rest of a step that an exception has left, and return what happened in it and was not told.

        Within a loop over its events, or where something still holds one that was left, end that, too.
        """
        self._guard.paused = 0  # a loop of another thread that has paused is ended, too
        with self._guard:
            store = self._store
            first = store.told
            if self._loop is not None or self.unfinished:
                self._end_loop()
                tell_exits(store)
                if self.unfinished:
                    self._run(pauses=False)
                self._record("resume")
                self._record("digest", self.digest() if self._log is not None else 0)
            store.told = int(self._tables.state["hits"][0])
            return hits_of(self, store, first, store.told, 0.0)

    @recorded
    def abandon(self) -> None:
        """End a step at the instant where an exception has left it, and open what is too deep.

        Within a loop over its events, or where something still holds one that was left, end that, too.
        """
        self._guard.paused = 0
        with self._guard:
            if self._loop is None and not self.unfinished:
                return
            self._end_loop()
            if self.unfinished:
                state = self._tables.state
                hits = int(state["hits"][0])
                state["later"], state["whole"] = 0.0, state["before"] + state["now"]
                end_on_targets(self._tables, False)
                # As if it were changed at its last instant, which is now.
                state["length"], state["phase"] = state["now"], at.CHANGED
                self._run(pauses=False)
                keep_exits(self._store, hits)
                self._changed()
            self._store.told = int(self._tables.state["hits"][0])
            self._record("abandon")

    def _run(self, pauses: bool, threads: int = 1) -> int:
        """Play on to the end, or, if asked, to the next pause."""
        self._fresh = False  # an interrupt may come
        return self._ran(drive(SingleSteps(self._store, threads, pauses)))

    def _ran(self, status: int) -> int:
        """Have what is read brought up to date, now where anyone may hold a view of it."""
        self._fresh = False
        if status == DONE and self._shown:
            self._refresh()
        return status

    def _hit(self, k: int) -> WorldHit | None:
        """Return a row of hits with its bodies; None for an impact if one of them was removed since."""
        time, x, y, nx, ny, speed, impulse, friction, kind, body, other, row, serial = self._tables.hits.item(k)
        departed = self._store.departed
        if kind not in (at.ENTERED, at.EXITED) and (body in departed or other in departed):
            return None
        first, second = (self._handle(row, departed.get(row, self._serial(row))) for row in (body, other))
        joint = None if row < 0 else self._joint_handle(row, serial)
        return WorldHit(KINDS[kind], time, first, second, Vec(x, y), Vec(nx, ny), speed, impulse, friction, joint)

    # The world as a whole.

    def digest(self) -> int:
        """Return 64 bits that stand for the whole state: equal worlds have equal digests, on any machine alike."""
        with self._reading:
            return digest_of(self._tables, self._store.piles, self._live(), self._store.exits, self.unfinished)

    def snapshot(self) -> WorldSnapshot:
        """Return the whole state, to go back to with `restore`. Shapes and data are shared, not copied."""
        with self._reading:
            self._refuse_within("World.snapshot")
            return WorldSnapshot.made(self._store.copy())

    @told_by_name
    @recorded
    def restore(self, snapshot: WorldSnapshot) -> None:
        """Go back to a snapshot of this or another world; from there the world continues bit for bit.

        Handles of bodies and joints that were in the world then are valid again; those of bodies and joints added since
        say that they are removed.
        """
        if not isinstance(snapshot, WorldSnapshot):
            inputs.refuse(TypeError, "World.restore", "snapshot", snapshot, "must come from World.snapshot")
        with self._guard:
            self._refuse_within("World.restore")
            given = self._store.next_serial, self._store.next_joint
            self._store = snapshot._store.copy()
            # Numbers given since then must not be given again: handles of bodies that are no longer there hold them.
            self._store.next_serial, self._store.next_joint = (
                max(one, other)
                for one, other in zip(given, (self._store.next_serial, self._store.next_joint), strict=True)
            )
            self._fresh = False
            self._complete = False
            self._refresh()
            self._record("restore", snapshot)

    @told_by_name
    def save(self, path: str | PathLike[str]) -> None:
        """Write the world to a file of JSON, from which `World.load` makes it again and nothing in it is ever run.

        Shapes are written as their `repr`, tables column by column, a line for each, so that editors and diffs show
        what has changed. A pickle is smaller, and keeps data of any kind.

        Parameters
        ----------
        path : str or path
            A file that is there is replaced, in the moment when the new one is whole.

        Raises
        ------
        OSError
            If the file cannot be written.
        TypeError
            If data of a body or joint is no plain value: None, a bool, a number, text, or lists and dicts of these.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> world, path = cm.World(), pathlib.Path(tempfile.mkdtemp(), "world.json")
        >>> ball = world.add(cm.Circle((0, 0), 1), kind="dynamic", velocity=(1, 0), data="ball")
        >>> world.save(path)
        >>> again = cm.World.load(path)
        >>> again.bodies[0].data, again.digest() == world.digest()
        ('ball', True)
        """
        with self._reading:
            self._refuse_within("World.save")
            text = text_of("World.save", self._store)
        with whole(Path(path)) as aside:
            aside.write_text(text, encoding="utf-8")

    @classmethod
    @told_by_name
    def load(cls, path: str | PathLike[str]) -> Self:
        """Return the world that `save` wrote; it continues bit for bit, if nobody has edited the file.

        Parameters
        ----------
        path : str or path

        Raises
        ------
        OSError
            If the file cannot be read.
        ValueError
            If it holds no world, one of another version of the format, or a damaged one.
        """
        with open(path, encoding="utf-8") as file:
            content, given = content_of_text("World.load", file.read())
        store = Store()
        store.take(content, given)
        other = cls.__new__(cls)
        other.__setstate__(store)
        return other

    def copy(self) -> Self:
        """Return a world of its own with the same state, which continues bit for bit."""
        other = type(self).__new__(type(self))
        with self._reading:
            self._refuse_within("World.copy")
            other._store = self._store.copy()
        other._begin()
        return other

    @told_by_name
    def copies(self, n: int) -> Worlds:
        """Return n copies of the world that are stepped together, in one call: for learning, planning, sampling.

        Parameters
        ----------
        n : int
            How many.

        Returns
        -------
        Worlds
            Each copy continues as this world would, bit for bit.
        """
        self._refuse_within("World.copies")
        count = inputs.integer("World.copies", "n", n)
        if not 1 <= count <= MOST_COPIES:
            inputs.refuse(ValueError, "World.copies", "n", n, f"must be from 1 to {MOST_COPIES}")
        return Worlds._copied(self.copy(), count)

    def _refuse_within(self, where: str) -> None:
        if self._loop is not None:
            remedy = "finish the loop over World.events first, or call World.resume or World.abandon"
            raise RuntimeError(f"{where}: a step is under way; {remedy}")

    def __copy__(self) -> Self:
        return self.copy()

    def __getstate__(self) -> Store:
        with self._reading:
            self._refuse_within("World")
            return self._store.copy()

    def __setstate__(self, store: Store) -> None:
        if not isinstance(store, Store):
            raise ValueError(f"World: the pickle is damaged: it holds {type(store).__name__} in place of a world")
        self._store = store
        self._begin()

    @property
    def unfinished(self) -> bool:
        """Whether a step was left at an instant within it: `resume` or `abandon` it; the next step resumes it first."""
        return self._store.unfinished

    def __repr__(self) -> str:
        return f"<World: {counted(self._tables)}>"


def counted(w: at.Tables) -> str:
    """Return in words how many bodies of each kind there are in the tables of a world, and how many joints."""
    kinds = w.bodies["kind"][: int(w.state["bodies"][0])]
    counts = [f"{int((kinds == k).sum())} {name}" for k, name in enumerate(KIND_NAMES)]
    if joints := len(rows_in_use(w)):
        counts.append(f"{joints} joint{'s' if joints > 1 else ''}")
    return ", ".join(counts)


def _read_only(array: Floats) -> NDArray[np.float64]:
    view = array.view()
    view.flags.writeable = False
    return view


def _length_of(where: str, dt: Any) -> float:
    """Return the seconds of a step."""
    return 0.0 if inputs.number(where, "dt", dt) == 0.0 else inputs.size(where, "dt", dt)
