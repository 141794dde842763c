"""A heap: balls, boxes and polygons poured through a funnel; they come to rest, exactly, and the heap sleeps.

Leaves heap.png in the current folder; with --window it runs in a window until that is closed. Needs matplotlib.
"""

import sys

import numpy as np
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

import carom as cm

COLOURS = ("#56B4E9", "#E69F00", "#009E73")


def make_heap() -> cm.World:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box.from_corners((-9, -1), (9, 0)))
    for side in (-1, 1):
        world.add(cm.Box((side * 8.5, 16), (1, 32)))
        world.add(cm.Polygon([(side * 8, 14), (side * 8, 13), (side * 1.6, 9), (side * 1.6, 9.6)]))
    rng = np.random.default_rng(4)
    for k in range(150):
        center = np.array((-4.8 + 1.07 * (k % 10), 14.5 + 1.1 * (k // 10))) + rng.uniform(-0.1, 0.1, 2)
        size = rng.uniform(0.3, 0.45)
        corners = np.arange(3 + k % 4) * 2 * np.pi / (3 + k % 4) + rng.uniform(0, 1)
        shape = (
            cm.Circle(center, size),
            cm.Box(center, size * rng.uniform(1.2, 1.7, 2)),
            cm.Polygon(center + size * np.column_stack((np.cos(corners), np.sin(corners)))),
        )[k % 3]
        world.add(shape, kind="dynamic", restitution=0.3, data=COLOURS[k % 3])
    return world


def outline(shape: cm.Circle | cm.Box | cm.Polygon) -> np.ndarray:
    if isinstance(shape, cm.Circle):
        angles = np.linspace(0, 2 * np.pi, 33)
        return np.array(shape.position) + shape.radius * np.column_stack((np.cos(angles), np.sin(angles)))
    return np.array(shape.vertices)


def draw(world: cm.World, axes: object) -> None:
    moving = int((world.velocities != 0).any(axis=1).sum())
    axes.clear()
    patches = [Polygon(outline(body.shape)) for body in world.bodies]
    colours = [body.data or "#666666" for body in world.bodies]
    axes.add_collection(PatchCollection(patches, facecolors=colours, edgecolors="white", linewidths=0.7))
    axes.set(xlim=(-9, 9), ylim=(-1, 17), aspect="equal", xticks=[], yticks=[], title=f"{moving} bodies move")


def show_window(world: cm.World) -> None:
    from matplotlib import pyplot
    from matplotlib.animation import FuncAnimation

    figure, axes = pyplot.subplots(figsize=(8, 8))

    def tick(_: int) -> None:
        world.step(1 / 60, steps=2)
        draw(world, axes)

    animation = FuncAnimation(figure, tick, interval=33, cache_frame_data=False)
    pyplot.show()
    del animation


world = make_heap()
if "--window" in sys.argv:
    show_window(world)
else:
    figure = Figure(figsize=(12, 6.4), layout="constrained")
    for axes, seconds in zip(figure.subplots(1, 2), (3, 12), strict=True):
        world.step(1 / 60, steps=60 * seconds)
        draw(world, axes)
    deepest = float(world.overlaps().depth.max(initial=0.0))
    figure.suptitle(f"150 bodies after 3 and 15 seconds, deepest overlap {deepest:g}")
    figure.savefig("heap.png", dpi=100)
