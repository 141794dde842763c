"""Pickles that are loaded and used in a fresh process: python pickled.py prints a line for each kind of object.

In: an install, with NumPy alone. Out: "ok" and a name for each, or an error. An object is used first, so that what it
keeps beside its state is there; what it answers next must be the same here, in a copy, and in another process.
"""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import carom as cm

LOAD = (
    "import importlib.util, pickle, sys; spec = importlib.util.spec_from_file_location('pickled', sys.argv[1]); "
    "module = importlib.util.module_from_spec(spec); spec.loader.exec_module(module); "
    "print(module.USES[sys.argv[2]][1](pickle.load(sys.stdin.buffer)))"
)


def world() -> cm.World:
    """Return a world with a joint, stepped."""
    made = cm.World(gravity=(0, -10))
    made.add(cm.Box((0, -1), (20, 2)))
    post = made.add(cm.Circle((0, 4), 0.2))
    load = made.add(cm.Box((1, 4), (0.5, 0.5)), kind="dynamic")
    made.pin(post, load, (0, 4))
    made.add(cm.Circle((3, 2), 0.4), kind="dynamic", restitution=0.5)
    made.step(1 / 60, steps=5)
    return made


def worlds() -> cm.Worlds:
    """Return copies of it, stepped."""
    made = world().copies(3)
    made.step(1 / 60)
    return made


def index() -> cm.Index:
    """Return an index that was asked."""
    made = cm.Index([cm.Circle((3 * k, 0), 1) for k in range(9)])
    made.raycast((-5, 0), (50, 0))
    return made


def stepped_world(one: Any) -> str:
    one.step(1 / 60, steps=5)
    return str(one.digest())


def stepped_worlds(many: Any) -> str:
    for _ in range(5):
        many.step(1 / 60)
    return str(many.positions.tobytes().hex())


RING = [(0, 0), (4, 0), (4, 1), (1, 1), (1, 3), (0, 3)]
ASKED = cm.Circle((0.5, 0.5), 1)
USES: dict[str, tuple[Callable[[], Any], Callable[[Any], str]]] = {
    "World": (world, stepped_world),
    "Worlds": (worlds, stepped_worlds),
    "Index": (index, lambda one: repr(one.raycast((-5, 0), (50, 0)))),
    "Shapes": (lambda: cm.Shapes([ASKED, cm.Box((1, 0), (1, 1))]), lambda one: repr(cm.pairs(one).tolist())),
    "compound": (lambda: cm.decompose(RING), lambda one: repr(cm.separation(one, ASKED))),
    **{
        type(shape).__name__: (lambda shape=shape: shape, lambda one: repr(cm.separation(one, ASKED)))
        for shape in (
            ASKED,
            cm.Box((1, 0), (1, 1), 0.3),
            cm.Polygon(RING[:3]),
            cm.Segment((2, 0), (3, 1)),
            cm.Point((3, 0)),
        )
    },
}


def main() -> None:
    """Try each."""
    for name, (make, use) in USES.items():
        one = make()
        data = pickle.dumps(one)
        copies = [pickle.loads(data), copy.deepcopy(one), copy.copy(one)]
        command = [sys.executable, "-c", LOAD, __file__, name]
        done = subprocess.run(command, input=data, capture_output=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"{name}: exit status {done.returncode} in another process: {done.stderr.decode()}")
        answer = use(one)  # the original goes on first: the copies must not go with it
        found = [use(other) for other in copies] + [done.stdout.decode().strip()]
        if found != [answer] * len(found):
            raise SystemExit(f"{name}: a copy goes its own way")
        print(f"ok {name}")


if __name__ == "__main__":
    main()
