"""Numbers that make no sense, outlines that are none, odd calls: refused by an error of Python, or right.

A scene of refusal is right if any exception comes. An engine that takes the input is wrong, one that dies of it has
crashed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from carom_conformance import exact
from carom_conformance.engine import Body, Engine, Joint, NotOffered, World
from carom_conformance.registry import CLOSED, RATIONAL, Answer, scene, scenes
from carom_conformance.scenes.bodies import DOWN, DT, NOTHING, SLOP, ball, crate, floor, run
from carom_conformance.scenes.pairs import UNIT
from carom_conformance.shapes import Capsule, Circle, Polygon, Segment, Shape, between, regular

NAN, INF = math.nan, math.inf


def refused(call: Callable[[], object]) -> Answer:
    """Return whether a call ends with an error of Python."""
    try:
        call()
    except NotOffered:
        raise
    except MemoryError:
        raise
    except Exception:
        return Answer("refused", "refused")
    return Answer("accepted", "refused")


SHAPES: dict[str, tuple[Shape]] = {
    "a circle of radius nan": (Circle((0, 0), NAN),),
    "a circle of a negative radius": (Circle((0, 0), -1.0),),
    "a circle of an infinite radius": (Circle((0, 0), INF),),
    "a circle at nan": (Circle((NAN, 0), 1.0),),
    "a circle at infinity": (Circle((INF, 0), 1.0),),
    "a capsule of a negative radius": (Capsule((0, 0), (1, 0), -1.0),),
    "a segment to nan": (Segment((0, 0), (NAN, 1)),),
    "a polygon with a vertex nan": (Polygon(((0, 0), (1, NAN), (1, 1))),),
    "a polygon with a vertex at infinity": (Polygon(((0, 0), (INF, 0), (1, 1))),),
    "a polygon of no vertices": (Polygon(()),),
    "a polygon of two vertices": (Polygon(((0, 0), (1, 1))),),
    "a polygon in one line": (Polygon(((0, 0), (1, 1), (2, 2))),),
    "a polygon in one point": (Polygon(((1, 1), (1, 1), (1, 1))),),
    "a polygon that crosses itself": (Polygon(((0, 0), (2, 2), (2, 0), (0, 2))),),
    "a polygon of texts": (Polygon((("a", "b"), ("c", "d"), ("e", "f"))),),  # type: ignore[arg-type]
}


@scenes("input", CLOSED, SHAPES)
def refuses(engine: Engine, shape: Shape) -> Answer:
    """An invalid shape is refused by a query, or when it is added to a world: {}."""

    def use() -> None:
        try:
            engine.contains(shape, (0.5, 0.25))
        except NotOffered:
            engine.world(NOTHING).add(Body((shape,), kind="static"))

    return refused(use)


@scene("input", "viblo/pymunk#257")
def a_concave_outline_is_no_hull(engine: Engine) -> Answer:
    """A concave outline is refused or taken as it is: a point in its notch is not reported as inside."""
    notch = Polygon(((0, 0), (4, 0), (4, 4), (2, 1), (0, 4)))
    try:
        return Answer(engine.contains(notch, (2, 3)), False)
    except NotOffered:
        raise
    except Exception:
        return Answer(False, False)


def _with(engine: Engine, act: Callable[[World, Any], object]) -> Answer:
    """Return whether an act on a world with a crate, or the step after it, is refused."""
    world = engine.world(DOWN)
    world.add(floor())
    handle = world.add(crate(0, 0.5))

    def use() -> None:
        act(world, handle)
        world.step(DT)

    return refused(use)


def _crate(**settings: Any) -> Callable[[World, Any], object]:
    return lambda world, _: world.add(crate(5, 5)._replace(inertia=1.0, **settings))


def _gone(act: Callable[[World, Any], object]) -> Callable[[World, Any], object]:
    """Return an act on a body that has been removed."""

    def use(world: World, body: Any) -> object:
        world.remove(body)
        return act(world, body)

    return use


ACTS: dict[str, tuple[Callable[[World, Any], object]]] = {
    "a step of nan": (lambda world, _: world.step(NAN),),
    "a step backwards": (lambda world, _: world.step(-DT),),
    "an infinite step": (lambda world, _: world.step(INF),),
    "a mass of 0": (_crate(mass=0.0),),
    "a negative mass": (_crate(mass=-1.0),),
    "a mass of nan": (_crate(mass=NAN),),
    "a moment of inertia of nan": (lambda world, _: world.add(crate(5, 5)._replace(inertia=NAN)),),
    "a place at nan": (_crate(at=(NAN, 0.0)),),
    "an angle of nan": (_crate(angle=NAN),),
    "a velocity of nan": (_crate(velocity=(NAN, 0.0)),),
    "an infinite velocity": (_crate(velocity=(INF, 0.0)),),
    "a spin of nan": (_crate(spin=NAN),),
    "a body set to nan": (lambda world, body: world.place(body, (NAN, 0.0), 0.0),),
    "a velocity set to nan": (lambda world, body: world.push(body, (NAN, 0.0), 0.0),),
    "limits of a hinge in the wrong order": (lambda world, body: world.join(Joint("pin", body, limits=(1.0, -1.0))),),
    "a rope of a negative length": (
        lambda world, body: world.join(Joint("rope", body, at=(0, 0.5), to=(0, 3), length=-1.0)),
    ),
    "an anchor at nan": (lambda world, body: world.join(Joint("pin", body, at=(NAN, 0.0))),),
    "an axis of no length": (lambda world, body: world.join(Joint("slide", body, axis=(0.0, 0.0), limits=(-1, 1))),),
    "a joint of a body with itself": (lambda world, body: world.join(Joint("pin", body, body)),),
    "a body removed twice": (_gone(lambda world, body: world.remove(body)),),
    "a joint of a removed body": (_gone(lambda world, body: world.join(Joint("pin", body))),),
    "the velocity of a removed body": (_gone(lambda world, body: world.push(body, (1.0, 0.0), 0.0)),),
}


@scenes("input", "cocos2d/cocos2d-objc#583", {name: act for name, act in ACTS.items() if "nan" in name})
@scenes("input", CLOSED, {name: act for name, act in ACTS.items() if "nan" not in name})
def world_refuses(engine: Engine, act: Callable[[World, Any], object]) -> Answer:
    """A world refuses, at the call or at the step after it: {}."""
    return _with(engine, act)


@scenes("input", CLOSED, {"gravity": (NAN, 0.6, 0.0), "friction": (-10.0, NAN, 0.0), "restitution": (-10.0, 0.6, NAN)})
def world_refuses_nan_as(engine: Engine, gravity: float, friction: float, restitution: float) -> Answer:
    """A world refuses nan, as it is made or at the first step: {}."""

    def use() -> None:
        world = engine.world((0.0, gravity), friction=friction, restitution=restitution)
        world.add(floor())
        world.add(crate(0, 0.4))
        run(world, 3 * DT)

    return refused(use)


ODD: dict[str, tuple[Shape, Shape]] = {
    "clockwise vertices": (Polygon(((0, 0), (0, 1), (1, 1), (1, 0))), between(0.5, 0.5, 2, 2)),
    "clockwise vertices apart": (Polygon(((0, 0), (0, 1), (1, 1), (1, 0))), between(1.5, 0.5, 2, 2)),
    "a vertex given twice": (Polygon(((0, 0), (1, 0), (1, 0), (1, 1), (0, 1))), between(1, 1, 2, 2)),
    "vertices along an edge": (Polygon(((0, 0), (0.5, 0), (1, 0), (1, 1), (0, 1))), between(1, 1, 2, 2)),
    "coordinates of 1e300": (between(0, 0, 1e300, 1e300), between(1e300, 1e300, 1.5e300, 1.5e300)),
    "sizes of 1e-300": (between(0, 0, 1e-300, 1e-300), between(1e-300, 1e-300, 2e-300, 2e-300)),
    "circles of 1e-200 apart": (Circle((0, 0), 1e-200), Circle((3e-200, 0), 1e-200)),
    "circles of 1e200 that touch": (Circle((0, 0), 1e200), Circle((2e200, 0), 1e200)),
}


@scenes("input", RATIONAL, ODD)
def odd_but_right(engine: Engine, a: Shape, b: Shape) -> Answer:
    """Shapes that are odd, but make sense, get the right answer: {}."""
    straight = Polygon(tuple(reversed(a.vertices))) if isinstance(a, Polygon) and a.vertices[1] == (0, 1) else a
    return Answer(engine.intersects(a, b), exact.intersects(straight, b))


@scene("input", CLOSED)
def a_thousand_vertices(engine: Engine) -> Answer:
    """Two regular polygons of a thousand vertices and radius 1 are 2.5 from centre to centre, and so 0.5 apart."""
    a, b = regular(1000, 1.0), regular(1000, 1.0, 2.5)
    return Answer((engine.intersects(a, b), engine.distance(a, b)), (False, 0.5), 1e-6, "rounding of 32-bit floats")


@scene("input", CLOSED)
def a_ray_of_nan(engine: Engine) -> Answer:
    """A ray to nan is refused."""
    return refused(lambda: engine.raycast((0, 0), (NAN, 1.0), UNIT))


@scene("input", CLOSED)
def a_step_of_no_time(engine: Engine) -> Answer:
    """A step of 0 s is refused, or leaves a flying body as it is."""
    world = engine.world(DOWN)
    flying = world.add(ball(0, 5, velocity=(1, 2)))
    before = world.state(flying)
    try:
        world.step(0.0)
    except Exception:
        return Answer(0.0, 0.0, 1e-6)
    return Answer(max(abs(a - b) for a, b in zip(before, world.state(flying), strict=True)), 0.0, 1e-6, "rounding")


@scene("input", CLOSED)
def a_step_of_an_empty_world(engine: Engine) -> Answer:
    """A world without bodies lets a second pass."""
    world = engine.world(DOWN)
    run(world, 1)
    return Answer(True, True)


@scene("input", CLOSED)
def a_step_of_ten_seconds(engine: Engine) -> Answer:
    """One step of ten seconds over a floor: a ball that fell from 1 is on the floor, or above it, and not below."""
    world = engine.world(DOWN)
    world.add(floor())
    disc = world.add(ball(0, 1, bullet=True))
    world.step(10.0)
    return Answer(world.state(disc).y > 0.4, True)


@scene("input", CLOSED)
def uneven_steps(engine: Engine) -> Answer:
    """A stack of three stands through steps of 1/240 to 1/20 s in turns, for five seconds: how far its top moves."""
    world = engine.world(DOWN)
    world.add(floor())
    boxes = [world.add(crate(0, 0.5 + k)) for k in range(3)]
    for k in range(100):
        world.step((1 / 240, 1 / 20, 1 / 60, 1 / 30)[k % 4])
    found = world.state(boxes[-1])
    return Answer(math.dist((found.x, found.y), (0.0, 2.5)), 0.0, 0.03, SLOP)


@scene("input", CLOSED)
def a_hundred_bodies_in_one_place(engine: Engine) -> Answer:
    """A hundred boxes are added in one place: after five seconds all are at finite places above the floor."""
    world = engine.world(DOWN)
    world.add(floor())
    pile = [world.add(crate(0, 3)) for _ in range(100)]
    run(world, 5)
    return Answer(all(world.state(one).y > 0 for one in pile), True)


@scene("input", CLOSED)
def a_body_far_out(engine: Engine) -> Answer:
    """A ball 1e12 from the origin flies at 1 for a second: where it is then."""
    world = engine.world(NOTHING)
    disc = world.add(ball(1e12, 0, velocity=(1, 0)))
    run(world, 1)
    return Answer(world.state(disc).x, 1e12, 1e6, "rounding of 32-bit floats")


@scene("input", CLOSED)
def a_world_goes_on_after_a_refusal(engine: Engine) -> Answer:
    """A world that was given a ball at nan and a step of nan, and refused them, still lets a crate rest."""
    world = engine.world(DOWN)
    world.add(floor())
    box_ = world.add(crate(0, 0.5))
    for wrong in (lambda: world.add(ball(NAN, 0)), lambda: world.step(NAN)):
        try:
            wrong()
        except NotOffered:
            raise
        except Exception:
            continue
    run(world, 1)
    return Answer(world.state(box_).y, 0.5, 0.02, SLOP)
