"""A bridge of planks hangs between two cliffs, each pinned to the next, under a boulder as heavy as a hundred planks.

Leaves bridge.png in the current folder; with --window it runs in a window, Esc closes. Needs matplotlib, or
pygame-ce for the window.
"""

import sys
from itertools import pairwise

import carom as cm

ROCK, PLANKS, BOULDER, SKY = "#5B6770", ("#A96F3A", "#C98B4B"), "#2B2D42", "#EAF1F7"
PLANK = 2.0  # mass
VIEW, SIZE = (-14, -5, 14, 3.4), (1232, 370)


def make_bridge() -> tuple[cm.World, list[cm.Joint], cm.Body]:
    world = cm.World(gravity=(0, -10))
    left = world.add(cm.decompose([(-14, -5), (-8, -5), (-8, 0), (-9.5, 0), (-14, 2)]), data=ROCK)
    right = world.add(cm.Box.from_corners((8, -5), (14, 0)), data=ROCK)
    points = [cm.Vec(x, 0.02 * (x * x - 64) - 0.12) for x in range(-8, 9)]
    planks = [
        world.add(cm.Capsule(start, end, 0.12), kind="dynamic", mass=PLANK, friction=1, data=PLANKS[k % 2])
        for k, (start, end) in enumerate(pairwise(points))
    ]
    chain = [left, *planks, right]
    joints = [world.pin(a, b, point) for (b, a), point in zip(pairwise(chain), points, strict=True)]
    boulder = world.add(cm.Circle((-11.5, 2), 1), kind="dynamic", mass=100 * PLANK, friction=1, data=BOULDER)
    return world, joints, boulder


world, joints, boulder = make_bridge()
if "--window" in sys.argv:
    camera = cm.draw.Camera(SIZE, position=(0, -0.8), zoom=44)
    for screen, _ in cm.draw.frames(SIZE, "A hanging bridge: Esc closes", sys.argv):
        world.step(1 / 60)
        screen.fill(SKY)
        cm.draw.paint(screen, world, camera, color=[body.data for body in world.bodies])
else:
    from carom.draw import Figure

    figure, done = Figure(figsize=(9, 9), layout="constrained"), 0
    for axes, seconds in zip(figure.subplots(3, 1), (0, 3, 20), strict=True):
        while done < 60 * seconds:
            world.step(1 / 60)
            done += 1
        cm.picture(world, color=[body.data for body in world.bodies], window=VIEW).draw(axes)
        axes.set(xlim=VIEW[::2], ylim=VIEW[1::2], aspect="equal", xticks=[], yticks=[], facecolor=SKY)
        axes.set_title(f"{seconds} s: the widest gap at a pin is {max(joint.error for joint in joints):.0e}")
    figure.savefig("bridge.png", dpi=90)
    print("wrote bridge.png")
