"""A character that pushes crates: closed forms of how they move, and what a push must never do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import carom as cm

DT, GRAVITY = 1 / 60, 10.0
CRATE = cm.Box((1, 0.5), (1, 1))
HERO = cm.Box((0, 0.8), (0.8, 1.6))


def hall(friction: float = 0.5, up: float = 1.0) -> cm.World:
    """Return a world with a long floor whose surface is y = 0."""
    world = cm.World(gravity=(0, -GRAVITY * up))
    world.add(cm.Box((0, -up), (400, 2)), friction=friction)
    return world


def crate(world: cm.World, x: float, mass: float = 1.0, friction: float = 0.5, y: float = 0.5) -> cm.Body:
    """Return a new crate of size 1."""
    return world.add(cm.Box((x, y), (1, 1)), kind="dynamic", mass=mass, friction=friction)


def walk(world: cm.World, hero: cm.Character, speed: float, frames: int, force: float) -> list[cm.CharacterMove]:
    """Walk and push as a game does; return how each frame went."""
    velocity, gone = cm.Vec(0, 0), []
    for _ in range(frames):
        world.step(DT)
        velocity = cm.Vec(speed, 0.0 if hero.on_floor else velocity.y) + world.gravity * DT
        gone.append(hero.move(velocity * DT, world, push=force, dt=DT))
        velocity = gone[-1].heading / DT
    return gone


ROUND = [cm.Circle((0, 0.6), 0.6), cm.Capsule((0, 0.4), (0, 1.2), 0.4)]


@pytest.mark.parametrize(
    ("shape", "mass", "friction", "force"),
    [
        (HERO, 1.0, 0.5, 100.0),
        (HERO, 1.0, 0.0, 10.0),
        (HERO, 5.0, 1.0, 400.0),
        *((foot, 1.0, 0.5, 100.0) for foot in ROUND),
    ],
)
def test_a_light_crate_goes_at_the_speed_of_the_hero(shape: Any, mass: float, friction: float, force: float) -> None:
    world, speed = hall(friction), 3.0
    pushed, hero = crate(world, 1.5, mass, friction), cm.Character(shape, up=(0, 1))
    walk(world, hero, speed, 100, force)
    begin, own = pushed.position, hero.position
    gone = walk(world, hero, speed, 120, force)
    assert pushed.position.x - begin.x == pytest.approx(2 * speed, rel=0.025)
    assert hero.position.x - own.x == pytest.approx(2 * speed, rel=0.025)
    assert gone[-1].pushed == (pushed.row,) and pushed.angle == pytest.approx(0, abs=1e-2)


def test_a_heavy_crate_gains_speed_as_force_and_friction_let_it() -> None:
    world, mass, force, friction = hall(), 15.0, 100.0, 0.5
    pushed, hero = crate(world, 1.0, mass), cm.Character(HERO.translated((0.1, 0)), up=(0, 1))
    acceleration = force / mass - friction * GRAVITY
    gone = walk(world, hero, 3.0, 91, force)
    assert pushed.velocity.x == pytest.approx(90 * DT * acceleration + force / mass * DT, rel=1e-6)
    assert pushed.position.x - 1.0 == pytest.approx(0.5 * acceleration * (90 * DT) ** 2, rel=0.02)
    assert hero.on_wall and gone[-1].heading.x / DT == pytest.approx(91 * DT * acceleration, rel=1e-6)


@pytest.mark.parametrize("mass", [20.5, 1000.0])
def test_a_crate_too_heavy_for_the_force_stays(mass: float) -> None:
    world = hall()
    pushed, hero = crate(world, 1.5, mass), cm.Character(HERO, up=(0, 1))
    gone = walk(world, hero, 3.0, 300, 100.0)  # friction holds up to mass x gravity / 2
    assert pushed.position == pytest.approx((1.5, 0.5), abs=1e-6)
    assert hero.position.x == pytest.approx(0.6, abs=1e-6) and gone[-1].heading.x == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("force", [30.0, 1e3, 1e6])
@pytest.mark.parametrize("crates", [1, 3])
def test_crates_before_a_wall_stop_the_hero_and_are_not_crushed(force: float, crates: int) -> None:
    world = hall()
    wall = world.add(cm.Box((6, 2), (1, 4)))
    row = [crate(world, 1.5 + 1.1 * k) for k in range(crates)]
    hero = cm.Character(HERO, up=(0, 1))
    for _ in range(15):
        walk(world, hero, 4.0, 12, force)
        assert not hero.crushed and not world.overlaps().depth.max(initial=0) > 1e-3
        assert cm.separation(hero.shape, row[0].shape) > -1e-9
    assert cm.separation(row[-1].shape, wall.shape) == pytest.approx(0, abs=0.02)
    assert hero.position.x == pytest.approx(5.5 - crates - 0.4, abs=0.05)


def test_what_lies_on_a_crate_and_before_it_goes_along() -> None:
    world = hall()
    row = [crate(world, 1.5), crate(world, 2.6), crate(world, 1.5, y=1.5)]
    hero = cm.Character(HERO, up=(0, 1))
    walk(world, hero, 3.0, 120, 300.0)
    begin = [body.position.x for body in row]
    walk(world, hero, 3.0, 60, 300.0)
    assert [body.position.x - x for body, x in zip(row, begin, strict=True)] == pytest.approx([3.0] * 3, rel=0.02)


def test_a_hero_pushes_neither_its_floor_nor_what_it_ignores_nor_what_is_not_dynamic() -> None:
    world = hall(0.0)
    raft = crate(world, 0.0, friction=0.0)
    hero = cm.Character(HERO.translated((0, 1)), up=(0, 1))
    lift = world.add(cm.Box((1.5, 2), (1, 2)), kind="kinematic")
    ghost = world.add(cm.Box((0.8, 1.8), (0.4, 0.5)), kind="dynamic", gravity_scale=0.0)
    for _ in range(60):
        world.step(DT)
        went = hero.move((0.05, -0.01), world, push=1e3, dt=DT, ignore=ghost)
    assert went.pushed == () and hero.on_wall and hero.floor == raft.row
    assert raft.velocity == ghost.velocity == lift.velocity == (0, 0)


def test_the_sign_of_up_and_the_side_make_no_difference() -> None:
    ends = []
    for up, side in ((1, 1), (-1, 1), (1, -1), (-1, -1)):
        world = hall(up=up)
        pushed = crate(world, 1.5 * side, y=0.5 * up)
        walk(world, cm.Character(cm.Box((0, 0.8 * up), (0.8, 1.6)), up=(0, up)), 3.0 * side, 120, 100.0)
        ends.append((pushed.position.x * side, pushed.position.y * up))
    assert ends == [pytest.approx(ends[0], abs=1e-9)] * 4


def test_a_hero_that_accelerates_keeps_the_speed_that_a_crate_lets_it_have() -> None:
    world = hall()
    pushed, hero = crate(world, 1.0), cm.Character(HERO.translated((0.1, 0)), up=(0, 1))
    velocity = cm.Vec(0, 0)
    for _ in range(120):
        world.step(DT)
        velocity = cm.Vec(min(velocity.x + 6 * DT, 4.0), velocity.y) + world.gravity * DT
        velocity = hero.move(velocity * DT, world, push=100, dt=DT).heading / DT
    assert velocity.x == pytest.approx(4.0, abs=0.3) and pushed.velocity.x == pytest.approx(4.0, abs=0.3)


def test_the_force_is_shared_by_all_that_is_pushed() -> None:
    world = cm.World()
    both = [world.add(cm.Box((1, y), (1, 0.7)), kind="dynamic", mass=10.0) for y in (0.4, 1.2)]
    hero = cm.Character(HERO.translated((0.1, 0)), up=(0, 1))
    went = hero.move((0.05, 0), world, push=60, dt=DT)
    assert went.pushed == tuple(body.row for body in both)
    assert sum(10.0 * body.velocity.x for body in both) == pytest.approx(60 * DT)


def test_a_push_off_the_centre_turns_a_crate() -> None:
    world = cm.World()
    box = world.add(cm.Box((1, 1.5), (1, 2)), kind="dynamic", mass=2.0)
    hero = cm.Character(HERO.translated((0.1, 0)), up=(0, 1))
    hero.move((0.05, 0), world, push=1e9, dt=DT)
    middle = 0.5 * (0.5 + 1.6)  # of where they touch
    assert box.velocity.x + (1.5 - middle) * box.spin == pytest.approx(0.05 / DT)
    assert box.inertia * box.spin == pytest.approx(2.0 * box.velocity.x * (1.5 - middle))


def test_a_light_crate_keeps_exact_pace_with_a_hero_on_level_ground() -> None:
    world = hall()
    pushed, hero = crate(world, 1.5), cm.Character(HERO, up=(0, 1))
    walk(world, hero, 3.0, 60, 100.0)
    begin = pushed.position.x
    walk(world, hero, 3.0, 60, 100.0)
    assert pushed.position.x - begin == pytest.approx(3.0, abs=1e-6)


@settings(max_examples=8)
@given(st.integers(0, 10**6))
def test_a_hero_among_crates_passes_through_none(seed: int) -> None:
    rng = np.random.default_rng(seed)
    world = hall()
    for x in (-6.0, 6.0):
        world.add(cm.Box((x, 3), (1, 6)))
    for k in range(6):
        x, sides = 1.5 * k - 4.6, rng.uniform(0.3, 1.2, 2)
        turned = rng.choice([0.0, 0.4])
        world.add(cm.Box((x, 2 + k % 3), sides, turned), kind="dynamic", mass=rng.uniform(0.2, 9), friction=0.6)
    hero = cm.Character(cm.Box((0, 8), (0.6, 1.2)), up=(0, 1), step_height=0.2)
    for _ in range(4):
        before = hero.position
        for went in walk(world, hero, rng.uniform(-6, 6), 20, 10.0 ** rng.uniform(0, 3)):
            assert abs(went.position.x) < 5.3 and went.position.y > 0.5
        assert (hero.position - before).length < 20
    assert np.abs(world.positions[1:]).max() < 20 and not world.overlaps().depth.max(initial=0) > 1e-3


def test_pushes_are_the_same_again_and_are_recorded() -> None:
    digests = []
    for _ in range(2):
        world = hall()
        for x in (1.5, 2.6):
            crate(world, x)
        with cm.Recording(world) as recording:
            walk(world, cm.Character(HERO, up=(0, 1)), 3.0, 90, 100.0)
        digests.append(world.digest())
    assert digests[0] == digests[1] == recording.replay().world.digest()


def test_a_push_that_cannot_be_is_refused() -> None:
    world = hall()
    hero = cm.Character(HERO, up=(0, 1))
    with pytest.raises(TypeError, match="push needs dt"):
        hero.move((1, 0), world, push=5)
    with pytest.raises(ValueError, match=r"push = 5 is for a World"):
        hero.move((1, 0), cm.Shapes([CRATE]), push=5, dt=DT)
    for wrong in ({"push": -1.0, "dt": DT}, {"push": 1.0, "dt": 0.0}, {"push": float("inf"), "dt": DT}):
        with pytest.raises(ValueError, match=r"(push|dt) = "):
            hero.move((1, 0), world, **wrong)
    assert hero.position == (0, 0.8)
