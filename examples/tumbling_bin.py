"""A drum that turns: a hexagon of walls with vanes, kinematic, carries and tumbles what lies in it.

Leaves tumbling_bin.png in the current folder; with --window it runs in a window, Esc closes. Needs matplotlib, or
pygame-ce for the window.
"""

import math
import sys

import numpy as np

import carom as cm

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
    cm.picture(world, color=[body.data for body in world.bodies]).draw(axes)
    axes.set(xlim=(-7.7, 7.7), ylim=(-7.7, 7.7), aspect="equal", xticks=[], yticks=[], facecolor="#EAF1F7")


drum = make_drum()
if "--window" in sys.argv:
    camera = cm.draw.Camera((640, 640), position=(0, 0), zoom=41)
    for screen, _ in cm.draw.frames((640, 640), "A tumbling bin: Esc closes", sys.argv):
        drum.step(1 / 60)
        screen.fill("#EAF1F7")
        cm.draw.paint(screen, drum, camera, color=[body.data for body in drum.bodies])
else:
    from carom.draw import Figure

    figure, after = Figure(figsize=(14, 5.2), layout="constrained"), 0
    for axes, seconds in zip(figure.subplots(1, 3), (1, 2, 3), strict=True):
        drum.step(1 / 60, steps=60 * seconds)
        draw(drum, axes)
        after += seconds
        axes.set_title(f"after {after} s", size=18)
    figure.savefig("tumbling_bin.png", dpi=80)
    print("wrote tumbling_bin.png")
