"""Dominoes on a stair: a ball sets the first off, and the last one rolls another ball into a cup.

Leaves dominoes.png in the current folder; with --window it runs in a window, Esc closes. Needs matplotlib, or
pygame-ce for the window.
"""

import sys

import carom as cm

STAIR, TILES, BALL = "#5B6770", ("#0072B2", "#56B4E9"), "#D55E00"


def make_stair() -> cm.World:
    world = cm.World(gravity=(0, -10))
    for k in range(3):
        world.add(cm.Box.from_corners((7 * k, -1), (7 * k + 7, 3 - 1.4 * k)), data=STAIR)
        for tile in range(10):
            at = (7 * k + 0.75 + 0.62 * tile, 3.8 - 1.4 * k)
            world.add(cm.Box(at, (0.16, 1.6)), kind="dynamic", friction=0.1, data=TILES[tile % 2])
    world.add(cm.Box.from_corners((-5, -1), (0, 3)), data=STAIR)
    world.add(cm.Polygon([(-5, 3), (-1, 3), (-5, 5)]), data=STAIR)
    world.add(cm.Box.from_corners((21, -1), (23, 0.2)), data=STAIR)
    world.add(cm.Box.from_corners((23, -1), (27, -0.8)), data=STAIR)
    world.add(cm.Box.from_corners((25, -0.8), (25.4, 0.6)), data=STAIR)
    world.add(cm.Circle((-4.4, 5.2), 0.4), kind="dynamic", mass=1.5, data=BALL)
    world.add(cm.Circle((21.3, 0.6), 0.4), kind="dynamic", mass=0.3, friction=0.02, data=BALL)
    return world


def draw(world: cm.World, axes: object) -> None:
    cm.picture(world, color=[body.data for body in world.bodies]).draw(axes)
    axes.set(xlim=(-5.2, 27), ylim=(-1, 6.4), aspect="equal", xticks=[], yticks=[], facecolor="#EAF1F7")


stair = make_stair()
if "--window" in sys.argv:
    camera = cm.draw.Camera((1288, 296), position=(10.9, 2.7), zoom=40)
    for screen, _ in cm.draw.frames((1288, 296), "Dominoes: Esc closes", sys.argv):
        stair.step(1 / 60)
        screen.fill("#EAF1F7")
        cm.draw.paint(screen, stair, camera, color=[body.data for body in stair.bodies])
else:
    from carom.draw import Figure

    figure, done = Figure(figsize=(11, 8.6), layout="constrained"), 0
    for axes, seconds in zip(figure.subplots(3, 1), (0, 3.5, 12), strict=True):
        while done < 60 * seconds:
            stair.step(1 / 60)
            done += 1
        draw(stair, axes)
        axes.set_title(f"{seconds} s")
    figure.savefig("dominoes.png", dpi=80)
    print("wrote dominoes.png")
