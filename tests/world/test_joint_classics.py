"""Mechanisms on which solvers fail: bridges, loops, redundant joints, light parts that bear heavy ones.

None gapes, and none has more energy than at the start, in 10 s of steps of 1/60 s.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator

import pytest

import carom as cm
from tests.support.measures import DT, energy_of, gap_of

Point = tuple[float, float]


def bar(world: cm.World, p: Point, q: Point, mass: float = 1.0) -> cm.Body:
    """Add a thin bar between two points that meets nothing."""
    body = world.add(cm.Segment(p, q), kind="dynamic", mass=mass, mask=0)
    body.inertia = mass * (math.dist(p, q) ** 2 + 0.01) / 12
    return body


def load(world: cm.World, at: Point, mass: float) -> cm.Body:
    return world.add(cm.Circle(at, 0.3), kind="dynamic", mass=mass, mask=0)


def bridge(world: cm.World) -> None:
    """Hang 30 planks between two cliffs, with 100 times a plank's mass in the middle."""
    ends = [(-7.5 + 0.5 * k, 1.5 * ((k - 15) / 15) ** 2) for k in range(31)]
    before = None
    for p, q in itertools.pairwise(ends):
        plank = bar(world, p, q)
        world.pin(plank, before, p)
        before = plank
    world.pin(before, None, ends[-1])
    middle = world.bodies[15]
    world.pin(load(world, middle.position, 100), middle, middle.position)


def necklace(world: cm.World, pendant: float = 0.0) -> None:
    """Hang a loop of 20 bars on a nail, with a pendant at its lowest point."""
    ends = [(2 * math.sin(math.pi * k / 10), 2 * math.cos(math.pi * k / 10) - 2) for k in range(21)]
    bars = [bar(world, p, q) for p, q in itertools.pairwise(ends)]
    for k in range(20):
        world.pin(bars[k], bars[k - 1], ends[k])
    world.pin(bars[0], None, ends[0])
    if pendant:
        world.pin(load(world, (0, -4.5), pendant), bars[10], (0, -4))


def four_bar(world: cm.World) -> None:
    """Set up a crank that turns at 4 rad/s, a coupler and a rocker on the ground, with velocities that agree."""
    crank, coupler, rocker = bar(world, (0, 0), (0, 1)), bar(world, (0, 1), (3, 2), 2), bar(world, (3, 2), (3, 0), 1.5)
    for a, b, at in (
        (crank, None, (0, 0)),
        (coupler, crank, (0, 1)),
        (rocker, coupler, (3, 2)),
        (rocker, None, (3, 0)),
    ):
        world.pin(a, b, at)
    crank.velocity, crank.spin = (2, 0), -4
    coupler.velocity = (4, 0)
    rocker.velocity, rocker.spin = (2, 0), -2


def scissor(world: cm.World) -> None:
    """Stand four stages of crossed bars on a pin and a roller, with a roller more at each stage than it needs."""
    last: tuple[cm.Body, cm.Body] | None = None
    for k in range(4):
        a, b = bar(world, (0, k), (2, k + 1)), bar(world, (2, k), (0, k + 1))
        world.pin(a, b, (1, k + 0.5))
        if last is None:
            world.pin(a, None, (0, 0))
            world.slide(b, None, (2, 0), axis=(1, 0), turns=True)
        else:
            world.pin(a, last[1], (0, k))
            world.pin(b, last[0], (2, k))
            world.slide(a, None, (0, k), axis=(0, 1), turns=True)
        last = a, b


def vee(world: cm.World) -> None:
    """Hang 1,000 on two bars that are almost in line and pull with 50 times its weight."""
    heavy = load(world, (0, -0.05), 1000)
    for side in (-5, 5):
        rod = bar(world, (side, 0), (0, -0.05))
        world.pin(rod, None, (side, 0))
        world.pin(heavy, rod, (0, -0.05))


def crane(world: cm.World) -> None:
    """Hang 1,000 that swings on four links of 0.1 under an arm of 12 boxes that are welded."""
    last = None
    for k in range(12):
        box = world.add(cm.Box((k + 0.5, 0), (1, 1)), kind="dynamic", mass=1, mask=0)
        world.weld(box, last, (k, 0))
        last = box
    for k in range(4):
        link = bar(world, (12, -k), (12, -k - 1), 0.1)
        world.pin(link, last, (12, -k))
        last = link
    heavy = load(world, (12, -4.5), 1000)
    world.pin(heavy, last, (12, -4))
    heavy.velocity = (1, 0)
    world.step(DT)  # what the links do not allow of this velocity is lost


def ladder(world: cm.World) -> None:
    """Hang a rope ladder of 12 rungs with 500 on one side."""
    left: cm.Body | None = None
    right: cm.Body | None = None
    for k in range(12):
        a, b = bar(world, (0, -k), (0, -k - 1), 0.5), bar(world, (1, -k), (1, -k - 1), 0.5)
        rung = bar(world, (0, -k - 1), (1, -k - 1), 0.5)
        for one, other, at in ((a, left, (0, -k)), (b, right, (1, -k)), (a, rung, (0, -k - 1)), (b, rung, (1, -k - 1))):
            world.pin(one, other, at)
        left, right = a, b
    world.pin(load(world, (1, -12), 500), right, (1, -12))


SCENES: tuple[Callable[[cm.World], None], ...] = (
    bridge,
    necklace,
    lambda world: necklace(world, 1000),
    four_bar,
    scissor,
    vee,
    crane,
    ladder,
)


def energies(build: Callable[[cm.World], None]) -> Iterator[float]:
    """Play a scene for 10 s; yield its energy beyond that at the start, over what lifts all its mass by 1."""
    world = cm.World(gravity=(0, -10), sleep=False)
    build(world)
    start, scale = energy_of(world), 10 * sum(body.mass for body in world.bodies)
    for _ in range(600):
        world.step(DT)
        assert gap_of(world) < 1e-8  # 1e-9 but for a step in which the pendant's links are all but in line
        yield (energy_of(world) - start) / scale


@pytest.mark.parametrize("build", SCENES)
def test_classics_neither_gape_nor_gain_energy(build: Callable[[cm.World], None]) -> None:
    assert max(energies(build)) < 1e-7  # the scissor falls through its flat place, a singular one


@pytest.mark.parametrize("build", [necklace, four_bar])
def test_loops_keep_their_energy(build: Callable[[cm.World], None]) -> None:
    assert max(abs(energy) for energy in energies(build)) < 1e-9


def acrobot(steps: int) -> tuple[float, float]:
    """Return the angles of two bars, one on the other, after 3 s that were made in so many steps."""
    world = cm.World(gravity=(0, -10), sleep=False)
    x, y = math.sin(1.5), -math.cos(1.5)
    upper, lower = bar(world, (0, 0), (x, y)), bar(world, (x, y), (2 * x, 2 * y))
    world.pin(upper, None, (0, 0))
    world.pin(lower, upper, (x, y))
    start = upper.angle, lower.angle
    for _ in range(steps):
        world.step(3 / steps)
    return 1.5 + upper.angle - start[0], 1.5 + lower.angle - start[1]


def acrobot_exactly() -> tuple[float, float]:
    """Return the same by the equations of motion of two bars (Runge and Kutta, 30,000 steps)."""
    inertia, g = 1.01 / 12, 10.0

    def rates(s: list[float]) -> list[float]:
        a, b, wa, wb = s
        c, sin = 0.5 * math.cos(a - b), 0.5 * math.sin(a - b)
        p, q = inertia + 1.25, inertia + 0.25
        u = -sin * wb * wb - 1.5 * g * math.sin(a)
        v = sin * wa * wa - 0.5 * g * math.sin(b)
        whole = p * q - c * c
        return [wa, wb, (q * u - c * v) / whole, (p * v - c * u) / whole]

    def ahead(s: list[float], k: list[float], h: float) -> list[float]:
        return [x + h * y for x, y in zip(s, k, strict=True)]

    s, h = [1.5, 1.5, 0.0, 0.0], 3 / 30_000
    for _ in range(30_000):
        k1 = rates(s)
        k2 = rates(ahead(s, k1, h / 2))
        k3 = rates(ahead(s, k2, h / 2))
        k4 = rates(ahead(s, k3, h))
        s = [x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(s, k1, k2, k3, k4, strict=True)]
    return s[0], s[1]


def test_an_acrobot_is_of_second_order() -> None:
    exact = acrobot_exactly()
    errors = [max(abs(p - q) for p, q in zip(acrobot(n), exact, strict=True)) for n in (180, 720)]
    assert errors[0] < 0.02 and errors[1] < errors[0] / 12


@pytest.mark.parametrize("unit", [1.0, 64.0, 1 / 64])
@pytest.mark.parametrize(
    ("start", "speed"), [((1, 0), (0, 0)), ((1, 0), (0, 3)), ((0, 0), (1, 2)), ((0, 0), (0, 0)), ((1, 0.5), (-2, 1))]
)
def test_a_spring_of_length_0_swings_a_ball_on_an_ellipse(start: Point, speed: Point, unit: float) -> None:
    """Through its other end, too, where it has no direction: x(t) = x cos(w t) + v sin(w t) / w."""
    world, (x, y), (vx, vy), turns = cm.World(), start, speed, math.sqrt(40)
    ball = world.add(cm.Circle((x * unit, y * unit), 0.1 * unit), "dynamic", mass=1, velocity=(vx * unit, vy * unit))
    spring = world.spring(ball, None, ball.position, (0, 0), length=0, stiffness=40, resistance=0)
    energy = vx * vx + vy * vy + 40 * (x * x + y * y)
    for step in range(1, 961):
        world.step(1 / 240)
        found = ball.velocity.length_squared + 40 * ball.position.length_squared
        assert found == pytest.approx(energy * unit**2, rel=1e-9)
        c, s = math.cos(turns * step / 240), math.sin(turns * step / 240) / turns
        assert ball.position.distance(((x * c + vx * s) * unit, (y * c + vy * s) * unit)) < 2e-3 * unit
    assert spring.length == 0
    spring.length = 2 * unit
    spring.length = 0
    assert spring.length == 0


@pytest.mark.parametrize("kind", ["rod", "rope"])
def test_rods_and_ropes_have_a_length(kind: str) -> None:
    world = cm.World()
    ball = world.add(cm.Circle((1, 0), 0.1), "dynamic")
    with pytest.raises(ValueError, match=rf"World\.{kind}: length = 0"):
        getattr(world, kind)(ball, None, (1, 0), (0, 0), length=0)


@pytest.mark.parametrize("unit", [1.0, 64.0, 1 / 64])
@pytest.mark.parametrize("kind", ["pin", "pin with a motor", "slide", "wheel", "spring"])
def test_equal_limits_hold_what_they_limit_in_a_heap(kind: str, unit: float) -> None:
    world = cm.World(gravity=(0, -10 * unit))
    for at, size in (((0, -1), (30, 2)), ((-6, 3), (1, 8)), ((6, 3), (1, 8))):
        world.add(cm.Box([x * unit for x in at], [x * unit for x in size]))
    joints = []
    for k in range(4):
        x, y = (-1.5 + k) * unit, (1 + 2.2 * k) * unit
        a, b = (
            world.add(cm.Box((x + dx * unit, y), (unit, 0.3 * unit)), "dynamic", spin=spin)
            for dx, spin in ((0, 4), (1, 0))
        )
        middle = (x + unit / 2, y)
        if kind == "pin":
            joints.append(world.pin(b, a, middle, limits=(0, 0)))
        elif kind == "pin with a motor":
            joints.append(world.pin(b, a, middle, limits=(0, 0), speed=3, max_torque=2 * unit**2))
        elif kind == "slide":
            joints.append(world.slide(b, a, middle, (1, 0), limits=(0, 0), speed=unit, max_force=5 * unit))
        elif kind == "wheel":
            joints.append(world.slide(b, a, middle, (0, 1), turns=True, limits=(0, 0), hertz=3, damping=0.5))
        else:
            joints.append(world.spring(b, a, (x + unit, y), (x, y), hertz=2, limits=(unit, unit)))
    world.add(cm.Circle((0.1 * unit, 12 * unit), 0.4 * unit), "dynamic", mass=5)
    for _ in range(180):
        world.step(1 / 60)
        for joint in joints:
            if joint.a.waited == 0:
                passed = joint.angle if "pin" in kind else joint.offset if kind != "spring" else joint.distance - unit
                assert abs(passed) < 1e-6 * (1.0 if "pin" in kind else unit)
