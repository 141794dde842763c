"""A marble run over a map of Tiled: flush tiles and slopes, on which balls roll without feeling the seams.

Leaves marble_run.png in the current folder, with the way of each marble; with --window it runs in a window. Needs
matplotlib. The map is marble_run.tmx, beside this file.
"""

import sys
from pathlib import Path

import numpy as np
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon

import carom as cm

COLOURS = ("#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00")
LEVEL = cm.read_map(Path(__file__).with_name("marble_run.tmx"), scale=1 / 16, y_up=True)


def make_run() -> tuple[cm.World, list[cm.Body]]:
    world = cm.World(gravity=(0, -10))
    LEVEL.add_to(world)
    places = [(1.4 + 0.45 * k, 12.6 + 0.3 * k) for k in range(5)]
    marbles = cm.Shapes.circles(places, [0.2, 0.16, 0.22, 0.18, 0.2])
    return world, world.add_many(marbles, kind="dynamic", restitution=0.35, data=list(COLOURS))


def draw_level(axes: object) -> None:
    tiles = [Polygon(shape.vertices) for shape in LEVEL.solids]
    axes.add_collection(PatchCollection(tiles, facecolors="#5B6770", edgecolors="#7B8994", linewidths=0.6))
    axes.set(xlim=(0, 24), ylim=(0, 14), aspect="equal", xticks=[], yticks=[], facecolor="#EAF1F7")


def draw_marbles(marbles: list[cm.Body], axes: object) -> list[object]:
    drawn = []
    for marble in marbles:
        radius = marble.shape.radius
        drawn.append(axes.add_patch(Circle(marble.position, radius, color=marble.data, zorder=3)))
        rim = marble.position + cm.Vec(radius, 0).rotated(marble.angle)
        drawn += axes.plot(*zip(marble.position, rim, strict=True), color="white", linewidth=1, zorder=4)
    return drawn


def show_window() -> None:
    from matplotlib import pyplot
    from matplotlib.animation import FuncAnimation

    figure, axes = pyplot.subplots(figsize=(12, 7), layout="constrained")
    (world, marbles), shown = make_run(), []
    draw_level(axes)

    def frame(_: int) -> None:
        world.step(1 / 60, steps=2)
        while shown:
            shown.pop().remove()
        shown.extend(draw_marbles(marbles, axes))

    animation = FuncAnimation(figure, frame, interval=33, cache_frame_data=False)
    pyplot.show()
    del animation


if "--window" in sys.argv:
    show_window()
else:
    world, marbles = make_run()
    figure = Figure(figsize=(12, 7), layout="constrained")
    axes, path = figure.subplots(), []
    for _ in range(1500):
        world.step(1 / 120)
        path.append(world.positions[world.rows(marbles)])
    draw_level(axes)
    for marble, way in zip(marbles, np.stack(path, 1), strict=True):
        axes.plot(*way.T, color=marble.data, linewidth=1, alpha=0.8)
    draw_marbles(marbles, axes)
    figure.savefig("marble_run.png", dpi=80)
