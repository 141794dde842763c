"""A drum that turns: a hexagon of walls with vanes, kinematic, carries and tumbles what lies in it.

Leaves tumbling_bin.png in the current folder; with --window it runs in a window. Needs matplotlib and Shapely.
"""

import math
import sys

import numpy as np
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

import carom as cm
from carom.convert import to_shapely

SPIN, COLOURS = 0.6, ("#E69F00", "#56B4E9", "#009E73", "#CC79A7")


def make_drum() -> cm.World:
    world = cm.World(gravity=(0, -10))
    walls = []
    for k in range(6):
        wall, vane = cm.Box((0, -6.2), (7.5, 0.4)), cm.Box((0, -5.5), (0.3, 1.2))
        walls += [part.rotated(k * math.pi / 3, pivot=(0, 0)) for part in (wall, vane)]
    drum = cm.Compound.from_parts(walls)
    world.add(drum, kind="kinematic", spin=SPIN, pivot=(0, 0), data="#5B6770")
    rng = np.random.default_rng(5)
    for k in range(110):
        at = (-3.9 + 0.78 * (k % 11), -3.6 + 0.78 * (k // 11))
        size = rng.uniform(0.25, 0.36)
        corners = np.arange(3 + k % 3) * 2 * np.pi / (3 + k % 3) + rng.uniform(0, 1)
        shape = (
            cm.Circle(at, size),
            cm.Box(at, size * rng.uniform(1.3, 1.9, 2)),
            cm.Polygon(np.array(at) + size * np.column_stack((np.cos(corners), np.sin(corners)))),
            cm.Capsule((at[0] - size / 2, at[1]), (at[0] + size / 2, at[1]), size / 2),
        )[k % 4]
        world.add(shape, kind="dynamic", mass=size**2, data=COLOURS[k % 4])
    return world


def draw(world: cm.World, axes: object) -> None:
    axes.clear()
    outlines, colours = [], []
    for body in world.bodies:
        parts = body.shape.parts if isinstance(body.shape, cm.Compound) else [body.shape]
        outlines += [Polygon(to_shapely(part).exterior.coords) for part in parts]
        colours += [body.data] * len(parts)
    axes.add_collection(PatchCollection(outlines, facecolors=colours, edgecolors="white", linewidths=0.5))
    axes.set(xlim=(-7.7, 7.7), ylim=(-7.7, 7.7), aspect="equal", xticks=[], yticks=[], facecolor="#EAF1F7")


def show_window(world: cm.World) -> None:
    from matplotlib import pyplot
    from matplotlib.animation import FuncAnimation

    figure, axes = pyplot.subplots(figsize=(7, 7), layout="constrained")

    def frame(_: int) -> None:
        world.step(1 / 60, steps=2)
        draw(world, axes)

    animation = FuncAnimation(figure, frame, interval=33, cache_frame_data=False)
    pyplot.show()
    del animation


drum = make_drum()
if "--window" in sys.argv:
    show_window(drum)
else:
    figure = Figure(figsize=(14, 5), layout="constrained")
    for axes, seconds in zip(figure.subplots(1, 3), (1, 2, 3), strict=True):
        drum.step(1 / 60, steps=60 * seconds)
        draw(drum, axes)
    figure.savefig("tumbling_bin.png", dpi=80)
