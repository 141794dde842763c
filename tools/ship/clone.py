"""A first use of a clone with Numba: import, one question, one step, one join.

In: an editable install with the extras `jit` and `tables`. Out: a line, or an error.
"""

from __future__ import annotations

import pandas as pd

import carom as cm
from carom._core import jit


def main() -> None:
    """Ask each once."""
    assert jit.KERNELS == "jit", jit.KERNELS
    contact = cm.collide(cm.Circle((0, 0), 1), cm.Box((1.5, 0), (2, 2)))
    assert contact is not None and contact.depth == 0.5, contact
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (20, 2)))
    crate = world.add(cm.Box((0, 0.5), (1, 1)), kind="dynamic")
    world.step(1 / 60)
    assert crate.position == (0.0, 0.5), crate.position
    discs = pd.DataFrame({"id": [7, 8, 9], "x": [0.0, 1.5, 9.0], "y": [0.0, 0.0, 0.0], "radius": [1.0, 1.0, 1.0]})
    rows = cm.tables.join(discs, columns="depth").compute().to_dict("records")
    assert rows == [{"a": 7, "b": 8, "depth": 0.5}], rows
    print(f"one question, one step and one join, kernels: {jit.KERNELS}")


if __name__ == "__main__":
    main()
