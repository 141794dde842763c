"""A wrecking ball on a steel arm swings into a wall of crates: the arm is kinematic, the crates rub, turn and rest.

Leaves wrecking_ball.png in the current folder; with --window it runs in a window, Esc closes. Needs matplotlib, or
pygame-ce for the window.
"""

import math
import sys

import carom as cm

HOOK, ARM, GRAVITY, DT = cm.Vec(-4, 11), 8.0, 10.0, 1 / 60
COLOURS, SIZE = ("#C98B4B", "#A96F3A", "#E0A965"), (1180, 504)


def make_site() -> tuple[cm.World, cm.Body]:
    world = cm.World(gravity=(0, -GRAVITY))
    world.add(cm.Box((0, -1), (60, 2)), data="#5B6770")
    for row in range(7):
        for k in range(4):
            size = (0.98, 0.98)
            world.add(cm.Box((k + 0.02 * (row % 2), 0.5 + row), size), kind="dynamic", data=COLOURS[(row + k) % 3])
    end = HOOK + cm.Vec(-ARM, 0).rotated(0.25)
    wrecker = cm.Compound.from_parts([cm.Circle(end, 1.1), cm.Capsule(HOOK, end, 0.12)])
    return world, world.add(wrecker, kind="kinematic", spin=1e-9, pivot=HOOK, data="#2B2D42")


def tick(world: cm.World, wrecker: cm.Body) -> None:
    # A pendulum that starts 0.25 from the level; to the right of the hook it slows down.
    wrecker.spin += GRAVITY / ARM * math.cos(wrecker.angle + 0.25) * DT
    world.step(DT)


def draw(world: cm.World, axes: object) -> None:
    cm.picture(world, color=[body.data for body in world.bodies]).draw(axes)
    axes.set(xlim=(-13.5, 16), ylim=(-0.6, 12), aspect="equal", xticks=[], yticks=[], facecolor="#EAF1F7")


site, wrecker = make_site()
if "--window" in sys.argv:
    camera = cm.draw.Camera(SIZE, position=(1.25, 5.7), zoom=40)
    for screen, _ in cm.draw.frames(SIZE, "A wrecking ball: Esc closes", sys.argv):
        tick(site, wrecker)
        screen.fill("#EAF1F7")
        cm.draw.paint(screen, site, camera, color=[body.data for body in site.bodies])
else:
    from carom.draw import Figure

    figure, done = Figure(figsize=(11, 5.4), layout="constrained"), 0
    for axes, seconds in zip(figure.subplots(2, 2).flat, (0, 2, 2.6, 7), strict=True):
        while done < 60 * seconds:
            tick(site, wrecker)
            done += 1
        draw(site, axes)
        axes.set_title(f"{seconds} s")
    figure.savefig("wrecking_ball.png", dpi=100)
    print("wrote wrecking_ball.png")
