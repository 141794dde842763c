"""Bodies of all shapes and masses poured over a funnel or a one-way platform: none stalls, and none gains energy."""

from __future__ import annotations

import numpy as np
import pytest

import carom as cm
from carom._core.types import Floats
from tests.support.smooth_world import SmoothWorld

STALLED, CUT = "stalled", "cut"
GRAVITY = 10.0


def poured(seed: int, way: str, offset: float = 0.0, mixed: bool = False) -> cm.World:
    """Return bodies of all shapes and masses over a funnel, or over a platform that passes bodies from below.

    In one of three worlds gravity leans. All have one response, or, `mixed`, each in turn another.
    """
    rng = np.random.default_rng(seed)
    lean = float(rng.choice([0.0, 0.0, 0.3]))
    world = SmoothWorld(gravity=(GRAVITY * np.sin(lean), -GRAVITY * np.cos(lean)))
    corner = np.full(2, offset)
    world.add(cm.Box(corner + np.array((0, -0.5)), (8, 1)))
    for side in (-1, 1):
        world.add(cm.Box(corner + np.array((4 * side, 10)), (2, 24)))
        if way == "funnel":
            world.add(cm.hull(corner + np.array([(3, 2), (3, 1.8), (0.7, 0.8), (0.7, 1)]) * (side, 1)))
    if way == "platform":
        world.add(cm.Box(corner + np.array((0, 3)), (2, 0.2)), one_way=(0, 1))
    restitution, response = float(rng.choice([0, 0.2, 0.5, 0.9])), str(rng.choice(["bounce", "slide", "slide"]))
    for k in range(int(rng.integers(3, 30))):
        x, y = corner + np.array((1.15 * (k % 5) - 2.3, 3.5 + 1.15 * (k // 5))) + rng.uniform(-0.08, 0.08, 2)
        r, form = rng.uniform(0.2, 0.5), int(rng.integers(0, 6))
        shape: cm.Circle | cm.Box | cm.Capsule | cm.Polygon = cm.Circle((x, y), r)
        if form == 3:
            shape = cm.Box((x, y), (1.5 * r, 1.1 * r))
        elif form == 4:
            shape = cm.Capsule((x - 0.4 * r, y), (x + 0.4 * r, y + 0.2 * r), 0.5 * r)
        elif form == 5:
            shape = cm.hull(np.array((x, y)) + r * 0.4 * rng.normal(size=(8, 2)).clip(-2, 2))
        mass = float(10 ** rng.uniform(-1, 1))
        response = ("bounce", "slide", "stop")[k % 3] if mixed else response
        world.add(shape, kind="dynamic", restitution=restitution, response=response, mass=mass)
    return world


def energy_from(world: cm.World, corner: Floats) -> float:
    """Return the energy of dynamic bodies in the frame of gravity, from a point near it: there roundings are small."""
    moving = [body for body in world.bodies if body.kind == "dynamic"]
    rows, mass = world.rows(moving), np.array([body.mass for body in moving])
    speeds, places = world.velocities[rows], world.positions[rows] - corner
    return float((mass * (0.5 * (speeds * speeds).sum(axis=1) - places @ np.array(world.gravity))).sum())


def assert_poured_gains_nothing(world: cm.World, offset: float, steps: int) -> None:
    """Step a world without stalls; its energy is never over that of the start by more than a millionth."""
    corner = np.full(2, offset)
    unit = GRAVITY * sum(body.mass for body in world.bodies if body.kind == "dynamic")
    energy = energy_from(world, corner)
    for _ in range(steps):
        assert not np.isin(world.step(1 / 60).kind, (STALLED, CUT)).any()
        most = energy + (1e-6 * abs(energy) + 1e-12 * unit + 1e-15 * offset * unit)
        assert energy_from(world, corner) <= most


@pytest.mark.parametrize("offset", [0.0, 1e5])
@pytest.mark.parametrize("seed", [18, 37, 41, 57])
def test_bodies_that_fall_beside_a_supported_one_do_not_collide_with_it(seed: int, offset: float) -> None:
    assert_poured_gains_nothing(poured(seed, "funnel", offset), offset, 240)


@pytest.mark.parametrize("offset", [0.0, 1000.0])
@pytest.mark.parametrize("seed", [1, 8, 13, 24, 50])
def test_a_heap_lies_on_a_one_way_platform(seed: int, offset: float) -> None:
    assert_poured_gains_nothing(poured(seed, "platform", offset), offset, 240)


@pytest.mark.parametrize(
    ("seed", "way", "offset"),
    [(83, "funnel", 0.0), (129, "funnel", 0.0), (129, "funnel", 1e5), (80, "platform", 0.0), (73, "platform", 0.0)],
)
def test_bodies_on_a_moving_body_gain_no_energy(seed: int, way: str, offset: float) -> None:
    assert_poured_gains_nothing(poured(seed, way, offset), offset, 240)


@pytest.mark.parametrize("offset", [0.0, 1e5])
@pytest.mark.parametrize(("seed", "way"), [(78, "funnel"), (143, "funnel"), (88, "platform"), (128, "platform")])
def test_sticky_bodies_in_a_heap_never_stall(seed: int, way: str, offset: float) -> None:
    world = poured(seed, way, offset)
    world.rule("default", "default", "stop")
    assert_poured_gains_nothing(world, offset, 240)


@pytest.mark.parametrize("way", ["funnel", "platform", "floor"])
@pytest.mark.parametrize("seed", [*range(12), 112, 128])
def test_heaps_of_mixed_responses_neither_stall_nor_gain_energy(seed: int, way: str) -> None:
    world = poured(seed, way, mixed=True)
    assert_poured_gains_nothing(world, 0.0, 240)


@pytest.mark.parametrize("response", ["bounce", "slide", "stop"])
def test_a_body_stuck_to_one_that_slides_off_an_edge_does_not_stall(response: str) -> None:
    world = SmoothWorld(gravity=(3, -4))
    world.add(cm.Box((-1.5, 1.5), (1, 1)))
    slides = {"kind": "dynamic", "response": "slide"}
    world.add(cm.Polygon([(-1, 3), (-2, 2), (0, 2)]), velocity=(-1, 3), **slides)
    world.add(cm.Segment((-1, 3), (0, 2)), velocity=(-2, 0), **slides)
    velocity = (0.0906516358467595, 0.8868771388347945)
    world.add(cm.Polygon([(0, 3), (-1, 2), (1, 2)]), kind="dynamic", velocity=velocity, response=response, mass=2)
    assert not np.isin(world.step(1 / 240, steps=240).kind, (STALLED, CUT)).any()
