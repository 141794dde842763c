"""A heap: balls, boxes and polygons poured through a funnel; they come to rest, exactly, and the heap sleeps.

Leaves heap.png in the current folder; with --window it runs in a window, Esc closes. Needs matplotlib, or
pygame-ce for the window.
"""

import sys

import numpy as np

import carom as cm

COLOURS = ("#56B4E9", "#E69F00", "#009E73")


def make_heap() -> cm.World:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box.from_corners((-9, -1), (9, 0)))
    for side in (-1, 1):
        world.add(cm.Box((side * 8.5, 16), (1, 32)))
        world.add(cm.Polygon([(side * 8, 14), (side * 8, 13), (side * 2.4, 9), (side * 2.4, 9.6)]))
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


def draw(world: cm.World, axes: object) -> None:
    moving = int((world.velocities != 0).any(axis=1).sum())
    cm.picture(world, color=[body.data for body in world.bodies]).draw(axes)
    axes.set(xlim=(-9, 9), ylim=(-1, 17), aspect="equal", xticks=[], yticks=[], title=f"{moving} bodies move")


world = make_heap()
if "--window" in sys.argv:
    camera = cm.draw.Camera((630, 630), position=(0, 8), zoom=35)
    for screen, _ in cm.draw.frames((630, 630), "A heap: Esc closes", sys.argv):
        world.step(1 / 60)
        screen.fill("#EAF1F7")
        cm.draw.paint(screen, world, camera, color=[body.data for body in world.bodies])
else:
    from carom.draw import Figure

    figure = Figure(figsize=(12, 6.4), layout="constrained")
    for axes, seconds in zip(figure.subplots(1, 2), (3, 17), strict=True):
        world.step(1 / 60, steps=60 * seconds)
        draw(world, axes)
    deepest = float(world.overlaps().depth.max(initial=0.0))
    figure.suptitle(f"150 bodies after 3 and 20 seconds, deepest overlap {deepest:g}")
    figure.savefig("heap.png", dpi=100)
    print("wrote heap.png")
