"""Keep a world and a recording of it as this version of Carom leaves them: `python tests/world/data/keep.py`.

Run it once for each version that changes motion, and check in the two files that it leaves beside it, named after the
version: `tests/world/test_kept_worlds.py` loads those of all versions for ever after.
"""

from __future__ import annotations

import json
import lzma
import pickle
from pathlib import Path
from typing import Any

import carom as cm

STEPS = 30  # how far the world is played on, to compare its digest


def make_world() -> cm.World:
    """Return a world with each kind of body, shape and setting."""
    world = cm.World(gravity=(0, -10))
    ell = cm.decompose([(0, 0), (1.2, 0), (1.2, 0.4), (0.4, 0.4), (0.4, 1.2), (0, 1.2)])
    world.add(cm.Box((0, -1), (60, 2)), layer="ground", data="ground")
    world.add(cm.Segment((-30, 0), (-30, 20)))
    world.add(cm.Polygon([(20, 0), (28, 0), (28, 3)]), friction=0.9)
    world.add(ell.placed((16, 0.6)))
    world.add(cm.Box((-8, 2), (6, 0.3)), one_way=(0, 1))
    world.add(cm.Circle((-8, 1), 1.5), sensor=True, layer="zone")
    world.add(cm.Box((6, 0.2), (6, 0.4)), surface_velocity=(1.5, 0), data=["belt", 1])
    world.add(cm.Capsule((-20, 3), (-16, 3), 0.3), kind="kinematic", spin=0.5, pivot=(-20, 3))
    world.add(cm.Box((-12, 6), (2, 0.4)), kind="kinematic", velocity=(0.5, 0.25))
    for row in range(3):
        for k in range(3 - row):
            world.add(cm.Box((-3 + k + 0.5 * row, 0.5 + row), (0.98, 1)), kind="dynamic", data=(row, k))
    world.add(cm.Box((6, 1), (0.8, 0.8), radius=0.1), kind="dynamic", friction=0.9)
    world.add(cm.Circle((22, 4), 0.4), kind="dynamic", rolling_resistance=0.3, restitution=0.4)
    world.add(cm.Capsule((-8, 4), (-7, 4), 0.3), kind="dynamic", damping=0.1)
    world.add(cm.Polygon([(10.5, 3), (11.5, 3), (11, 4)], radius=0.05), kind="dynamic", spin=2, mass=3)
    world.add(cm.Segment((12, 3), (13, 4)), kind="dynamic", inertia=0.5)
    world.add(cm.Point((-8.2, 5)), kind="dynamic", response="slide")
    world.add(ell.placed((-12, 7.2)), kind="dynamic", density=0.5, layer="loose", mask=("ground", "loose", "default"))
    world.add(cm.Box((-25, 0.5), (1, 1)), kind="dynamic", turns=False, velocity=(4, 0), response="stop")
    world.add(cm.Circle((-26, 9), 0.3), kind="dynamic", gravity_scale=0, velocity=(1, 0), can_sleep=False)
    world.add(cm.Circle((26, 9), 0.5), kind="dynamic", acceleration=(-1, 0), layer="ghost")
    world.rule("ghost", "ground", "pass")
    add_joints(world)
    return world


def add_joints(world: cm.World) -> None:
    """Put in a chain with joints of each kind, beside all else."""
    at = [(34 + 1.2 * k, 12.0) for k in range(9)]
    discs = [world.add(cm.Circle(at[k], 0.4), kind="dynamic", mass=1 + k % 3) for k in range(9)]
    world.pin(discs[0], None, (33.5, 12), limits=(-2, 2), data="hook")
    world.rod(discs[0], discs[1], at[0], at[1])
    world.rope(discs[1], discs[2], at[1], at[2], length=1.3)
    world.spring(discs[2], discs[3], at[2], at[3], hertz=3, damping=0.3, limits=(1, 2))
    world.weld(discs[3], discs[4], (38.2, 12))
    world.slide(discs[4], discs[5], (39.4, 12), (0, 1), limits=(-1, 1), speed=0.5, max_force=20)
    world.pin(discs[5], discs[6], (40.6, 12), speed=2, max_torque=5)
    world.rod(discs[6], discs[7], at[6], at[7])
    world.gear(discs[6], discs[7], ratio=2)
    world.rod(discs[7], discs[8], at[7], at[8])
    world.drag(discs[8], at[8], max_force=30)
    pans = [world.add(cm.Box((50 + 4 * k, 8), (1, 1)), kind="dynamic", mass=1 + k) for k in range(2)]
    world.pulley(pans[0], pans[1], (50, 8.5), (54, 8.5), over=((50, 14), (54, 14)), ratio=1.5)
    world.motor(pans[1], None, velocity=(0.2, 0), speed=0.3, max_force=4, max_torque=1).enabled = False
    world.motor(pans[0], None, max_torque=2)


def played(world: cm.World) -> cm.Recording:
    """Play two seconds with changes on the way, by steps and by events; return the recording of it."""
    tape = cm.Recording(world)
    world.step(1 / 60, steps=60)
    ball = world.add(cm.Circle((16.8, 6), 0.35), kind="dynamic", restitution=0.5)
    for hit in world.events(1 / 60):
        hit.body.velocity = (*hit.body.velocity,)
    ball.velocity = (0.5, 0)
    world.step(1 / 60, steps=40)
    world.remove(ball)
    world.step(1 / 60, steps=20)
    tape.stop()
    return tape


def told(world: cm.World) -> dict[str, Any]:
    """Return what a world tells of itself, which no version may read otherwise."""
    return {
        "rows": world.rows().tolist(),
        "positions": world.positions[world.rows()].tolist(),
        "velocities": world.velocities[world.rows()].tolist(),
        "asleep": world.asleep[world.rows()].tolist(),
        "bodies": [(str(body.kind), type(body.shape).__name__, body.sensor, body.data) for body in world.bodies],
    }


def main() -> None:
    world = make_world()
    tape = played(world)
    content = lzma.compress(pickle.dumps((world, tape), protocol=4))
    facts = {**told(world), "digest": world.digest()}
    world.step(1 / 60, steps=STEPS)
    facts["digest after"] = world.digest()
    target = Path(__file__).with_name(f"world-{cm.__version__}.pickle.xz")
    target.write_bytes(content)
    target.with_name(f"world-{cm.__version__}.json").write_text(json.dumps(facts) + "\n", encoding="utf-8")
    print(f"{target}: {len(content):,} bytes")


if __name__ == "__main__":
    main()
