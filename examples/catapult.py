"""A catapult: a weight hangs from the short end of an arm, a latch holds the long end; without it a stone flies.

Leaves catapult.png in the current folder; with --window it runs in a window: the space bar fires, Esc closes. Needs
matplotlib, or pygame-ce for the window.
"""

import sys

import carom as cm

WOOD, IRON, STONE, CRATES, GROUND, SKY = "#A96F3A", "#2B2D42", "#D55E00", ("#E0A965", "#C98B4B"), "#5B6770", "#EAF1F7"
HINGE, TILT = cm.Vec(0, 3.4), 0.6
VIEW, SIZE = (-7, -0.8, 30, 11), (1280, 400)


def on_arm(x: float, y: float) -> cm.Vec:
    return HINGE + cm.Vec(x, y).rotated(TILT)


def make_siege() -> tuple[cm.World, cm.Joint, cm.Body]:
    world = cm.World(gravity=(0, -10))
    ground = world.add(cm.Box((30, -1), (80, 2)), data=GROUND)
    post = world.add(cm.Polygon([(-0.4, 0), (0.4, 0), HINGE]), data=GROUND)
    for k in range(12):
        world.add(cm.Box((23 + k % 2, 0.5 + k // 2), (0.96, 1)), kind="dynamic", data=CRATES[k % 2])

    wood = cm.Compound.from_parts([cm.Box((-1.5, 0), (7, 0.3)), cm.Box((-4.9, 0.4), (0.2, 0.5))])
    arm = world.add(wood.rotated(TILT, pivot=(0, 0)).translated(HINGE), kind="dynamic", mass=20, data=WOOD)
    weight = world.add(cm.Box(on_arm(1.8, 0) - (0, 0.5), (1.2, 1.2)), kind="dynamic", mass=260, data=IRON)
    world.pin(arm, post, HINGE, limits=(-1.6, 0))
    world.pin(weight, arm, on_arm(1.8, 0))
    latch = world.rod(arm, ground, on_arm(-3, 0), (on_arm(-3, 0).x, 0))
    stone = world.add(cm.Circle(on_arm(-4.4, 0.56), 0.4), kind="dynamic", mass=12, data=STONE)
    return world, latch, stone


world, latch, stone = make_siege()
if "--window" in sys.argv:
    from carom.draw import pygame

    camera = cm.draw.Camera(SIZE, position=(11.5, 5), zoom=34)
    for screen, _ in cm.draw.frames(SIZE, "A catapult: space fires, Esc closes", sys.argv):
        if pygame.key.get_pressed()[pygame.K_SPACE] and not latch.removed:
            latch.remove()
        world.step(1 / 60)
        screen.fill(SKY)
        cm.draw.paint(screen, world, camera, color=[body.data for body in world.bodies])
else:
    from carom.draw import Figure

    figure, path, done = Figure(figsize=(9, 9.5), layout="constrained"), [], 0
    for axes, seconds in zip(figure.subplots(3, 1), (1, 2, 9), strict=True):
        while done < 60 * seconds:
            if done == 60:
                latch.remove()
            world.step(1 / 60)
            path.append(stone.position)
            done += 1
        cm.picture(world, color=[body.data for body in world.bodies], window=VIEW).draw(axes)
        axes.plot(*zip(*path, strict=True), color=STONE, linewidth=1)
        axes.set(xlim=VIEW[::2], ylim=VIEW[1::2], aspect="equal", xticks=[], yticks=[], facecolor=SKY)
        axes.set_title(f"{seconds} s")
    figure.savefig("catapult.png", dpi=90)
    print("wrote catapult.png")
