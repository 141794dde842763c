"""The tables of a world hold the rows of however many limits and motors there are, from the first step on."""

from __future__ import annotations

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
