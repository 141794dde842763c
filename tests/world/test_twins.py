"""A world, its copies, pickles, snapshots and recordings are one: whatever is done to them, they keep one digest.

Random rooms in which joints are made, break and are removed, and bodies come, go and are set elsewhere. Each of the
twins is made of the world anew now and then, hears of the same deeds, and is compared after each step.
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Iterator

import numpy as np
import pytest

import carom as cm

DT = 1 / 60
Deed = Callable[[cm.World], object]
Rng = np.random.Generator


def room(rng: Rng) -> cm.World:
    """Return a room with walls, a sensor, a driver and some bodies, of which some are joined."""
    world = cm.World(gravity=(0, -10), sleep=bool(rng.random() < 0.7))
    for at, size in (((0, -0.5), (12, 1)), ((-5.5, 4), (1, 10)), ((5.5, 4), (1, 10))):
        world.add(cm.Box(at, size))
    world.add(cm.Box((2, 2), (2, 2)), sensor=True)
    world.add(cm.Box((0, 1.5), (1, 0.3)), kind="kinematic", spin=float(rng.normal()))
    for _ in range(12):
        new_body(world, *rng.uniform((-4.5, 0.5, 0), (4.5, 6, 3)).tolist())
    for _ in range(6):
        deed = joined(world, rng)
        if deed:
            deed(world)
    return world


def new_body(world: cm.World, x: float, y: float, form: float) -> None:
    shapes = cm.Circle((x, y), 0.35), cm.Box((x, y), (0.8, 0.3)), cm.Capsule((x - 0.3, y), (x + 0.3, y), 0.1)
    world.add(shapes[int(form)], kind="dynamic", restitution=0.3)


def joined(world: cm.World, rng: Rng) -> Deed | None:
    """Return the deed of joining two bodies that are near each other, by a joint that may break."""
    rows = [body.row for body in world.bodies if body.kind == "dynamic"]
    if len(rows) < 2:
        return None
    row = int(rng.choice(rows))
    others = sorted(rows, key=lambda other: math.dist(world.body(other).position, world.body(row).position))
    a, b = row, (others[1] if rng.random() < 0.8 else None)
    kind = str(rng.choice(["pin", "pin", "weld", "rod", "rope", "spring", "slide", "drag"]))
    load = float(10 ** rng.uniform(1, 3)) if rng.random() < 0.5 else math.inf
    breaks = {} if load == math.inf else {"breaks_at": (load, None)}
    limited, angle = bool(rng.random() < 0.3), float(rng.uniform(0, 3))

    def deed(world: cm.World) -> None:
        first, second = world.body(a), None if b is None else world.body(b)
        x, y = first.position
        u, v = (x, y + 1) if second is None else second.position
        if kind == "pin":
            motor = {"speed": 2.0, "max_torque": 3.0} if limited else {}
            world.pin(first, second, ((x + u) / 2, (y + v) / 2), **motor, **breaks)
        elif kind == "weld":
            world.weld(first, second, (x, y), **breaks)
        elif kind == "slide":
            limits = {"limits": (-0.5, 0.5)} if limited else {}
            world.slide(first, second, (x, y), (math.cos(angle), math.sin(angle)), **limits, **breaks)
        elif kind == "drag":
            world.drag(first, (x, y), (u, v), hertz=2.0, max_force=100.0)
        elif kind == "spring":
            world.spring(first, second, (x, y), (u, v + 0.1), hertz=3.0, damping=0.2, **breaks)
        elif kind == "rod":
            world.rod(first, second, (x, y), (u, v + 0.1), **breaks)
        else:
            world.rope(first, second, (x, y), (u, v + 0.1), **breaks)

    return deed


def deed_of(world: cm.World, rng: Rng) -> tuple[str, Deed] | None:
    """Return the name of what is to be done next, and how, or None where there is nothing to do it to."""
    name = str(
        rng.choice(["join", "join", "part", "part-all", "remove", "come", "put", "turn", "push", "kind", "bend"])
    )
    rows = [body.row for body in world.bodies if body.kind == "dynamic"]
    joints = [joint.row for joint in world.joints]
    if name == "come":
        place = rng.uniform((-4, 3, 0), (4, 6, 3)).tolist()
        return name, lambda world: new_body(world, *place)
    if name == "join":
        deed = joined(world, rng)
        return (name, deed) if deed else None
    if name in ("part", "part-all", "bend"):
        if not joints:
            return None
        row = int(rng.choice(joints))
        if name == "bend":
            return name, lambda world: setattr(world.joint(row), "breaks_at", (20.0, None))
        gone = joints if name == "part-all" else [row]
        return name, lambda world: world.remove([world.joint(one) for one in gone])
    if len(rows) < 4:
        return None
    row, (x, y, z) = int(rng.choice(rows)), rng.normal(0, (0.2, 0.2, 3)).tolist()
    deeds: dict[str, Deed] = {
        "remove": lambda world: world.remove(world.body(row)),
        "put": lambda world: setattr(world.body(row), "position", world.body(row).position + cm.Vec(x, y)),
        "turn": lambda world: setattr(world.body(row), "angle", world.body(row).angle + x),
        "push": lambda world: setattr(world.body(row), "velocity", (z, 3 * z)),
        "kind": lambda world: setattr(world.body(row), "kind", "static"),
    }
    return name, deeds[name]


def restored(world: cm.World) -> cm.World:
    other = cm.World()
    other.restore(world.snapshot())
    return other


TWINS: dict[str, Callable[[cm.World], cm.World]] = {
    "copy": cm.World.copy,
    "pickle": lambda world: pickle.loads(pickle.dumps(world)),
    "snapshot": restored,
    "pickled snapshot": lambda world: pickle.loads(pickle.dumps(restored(world))),
}


def stepped(one: cm.World | cm.Worlds) -> int:
    """Make a step, and return the digest after it."""
    one.step(DT)
    return one.digest() if isinstance(one, cm.World) else one.world(0).digest()


def set_alike(world: cm.World, many: cm.Worlds) -> None:
    """Set what was set in the world in its copies, too."""
    for name in ("positions", "angles", "velocities", "spins"):
        before = getattr(many, name)
        now = getattr(world, name)[None]
        if not np.array_equal(before, now, equal_nan=True):
            setattr(many, name, now)


def story(seed: int, steps: int) -> Iterator[tuple[int, str, bool]]:
    """Yield step by step which twin is as the world is."""
    rng = np.random.default_rng(seed)
    world = room(rng)
    tape = cm.Recording(world)
    twins = {name: make(world) for name, make in TWINS.items()}
    many = world.copies(1)
    for step in range(steps):
        found = deed_of(world, rng) if step % 7 == 3 else None
        if found is not None:
            name, deed = found
            for one in (world, *twins.values()):
                deed(one)
            if name in ("put", "turn", "push"):
                set_alike(world, many)
            else:
                many = world.copies(1)
        if step % 50 == 20:
            name = list(TWINS)[step // 50 % len(TWINS)]
            twins[name] = TWINS[name](world)
            many = pickle.loads(pickle.dumps(many))
        if step % 90 == 60:
            kept = world.snapshot()
            world.step(DT, 3)
            world.restore(kept)
        right = stepped(world)
        for name, one in (*twins.items(), ("copies", many)):
            yield step, name, stepped(one) == right
    tape.stop()
    for name, one in (("recording", tape), ("pickled recording", pickle.loads(pickle.dumps(tape)))):
        yield steps, name, one.replay().diverged is None


@pytest.mark.parametrize("seed", [*range(6), *(pytest.param(seed, marks=pytest.mark.full) for seed in range(6, 60))])
def test_all_twins_keep_the_digest_of_their_world(seed: int) -> None:
    for step, name, same in story(seed, 300):
        assert same, f"{name} goes its own way in step {step}"


def left_within(seed: int) -> cm.World | None:
    """Return a room that an error has left at a pause of a step, in some of which something was done there."""
    rng = np.random.default_rng(seed)
    world = room(rng)
    world.step(DT, int(rng.integers(1, 30)))
    for _ in range(60):
        try:
            for k, _hit in enumerate(world.events(DT)):
                if k == 1:
                    raise ZeroDivisionError
        except ZeroDivisionError:
            break
    if world.unfinished and seed % 3:
        found = deed_of(world, rng)
        if found is not None:
            found[1](world)
    return world if world.unfinished else None


@pytest.mark.parametrize("end", ["resume", "abandon", "step"])
@pytest.mark.parametrize("seed", [*range(6), *(pytest.param(seed, marks=pytest.mark.full) for seed in range(6, 40))])
def test_twins_of_a_world_that_was_left_within_a_step_go_on_as_it_does(seed: int, end: str) -> None:
    world = left_within(seed)
    if world is None:
        return
    twins = {name: make(world) for name, make in TWINS.items()}
    many = world.copies(1)
    for one in (world, *twins.values()):
        if end == "step":
            one.step(DT)
        else:
            getattr(one, end)()
    if end == "step":
        many.step(DT)
    elif end == "abandon":
        many = world.copies(1)
    assert many.world(0).digest() == world.digest()
    for step in range(20):
        right = stepped(world)
        for name, one in (*twins.items(), ("copies", many)):
            assert stepped(one) == right, f"{name} goes its own way {step} steps later"
