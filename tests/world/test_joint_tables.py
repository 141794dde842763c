"""The tables of a world hold the rows of however many limits and motors there are, from the first step on."""

from __future__ import annotations

import pickle

import numpy as np

import carom as cm
from tests.support.plain_python import IS_PLAIN, printed_by_other_mode

CHAIN = """
import carom as cm
world = cm.World()
before = None
for k in range(180):
    link = world.add(cm.Box((k + 0.5, 0), (1, 0.1)), kind="dynamic", mass=1)
    world.pin(link, before, (k, 0), limits=(-1, 1), max_torque=1)
    before = link
world.step(1 / 60)
print(max(joint.error for joint in world.joints) < 1e-6)
"""


def test_a_chain_of_180_limits_and_motors_writes_its_540_rows_into_the_table() -> None:
    """Plain Python tells of what is written beyond a table's end; compiled code does not."""
    if IS_PLAIN:
        exec(CHAIN)
    else:
        assert printed_by_other_mode(CHAIN) == "True\n"


def joints_by_body(world: cm.World) -> list[list[int]]:
    """Return the rows of the joints of each body in the order in which the step meets them."""
    bodies, table, found = world._tables.bodies, world._tables.joints.table, []
    for body in world.rows():
        rows, k = [], int(bodies["joint"][body]) - 1
        while k >= 0:
            rows.append(k)
            k = int(table["next_a" if table["a"][k] == body else "next_b"][k]) - 1
        found.append(rows)
    return found


def test_a_world_and_its_pickle_meet_joints_in_one_order() -> None:
    """Rows of joints that went are given to new ones: lists were by age in the world, by row in its pickle."""
    world, rng, joints = cm.World(), np.random.default_rng(1), []
    bodies = [world.add(cm.Circle((2 * k, 0), 0.5), kind="dynamic") for k in range(6)]
    for _ in range(200):
        if joints and rng.random() < 0.45:
            world.remove(joints.pop(int(rng.integers(len(joints)))))
        else:
            a, b = (bodies[k] for k in rng.choice(6, 2, replace=False))
            joints.append(world.spring(a, b, a.position, b.position, hertz=1))
        again = pickle.loads(pickle.dumps(world))
        assert joints_by_body(world) == joints_by_body(again)
