"""A room from above: chairs, tables and balls that a robot pushes aside; damping takes the place of the floor.

Leaves furniture.png in the current folder; with --window you drive the robot with the arrow keys. Needs matplotlib, or
pygame-ce for the window.
"""

import sys

import numpy as np

import carom as cm

WOOD, CHAIR, BALL, ROBOT, WALL = "#A9713C", "#56B4E9", "#E69F00", "#D55E00", "#5B6770"
WAY = [(2, 2), (9.5, 2.4), (10.2, 7.2), (3.2, 7.4), (3, 4.6), (17, 4.8), (17.6, 8.4), (12, 8.6)]
FORCE, DT = 260.0, 1 / 60


def make_room() -> tuple[cm.World, cm.Body]:
    world = cm.World()  # no gravity: the floor is below
    for lower, upper in (((-1, -1), (21, 0)), ((-1, 10), (21, 11)), ((-1, 0), (0, 10)), ((20, 0), (21, 10))):
        world.add(cm.Box.from_corners(lower, upper), data=WALL)
    world.add(cm.Box.from_corners((12.8, 0), (13.2, 3.4)), data=WALL)
    heavy = {"kind": "dynamic", "mass": 30, "damping": 5, "data": WOOD}
    light = {"kind": "dynamic", "mass": 4, "damping": 3, "data": CHAIR}
    for at in ((6, 3), (6, 7), (15.5, 6)):
        world.add(cm.Box(at, (2.6, 1.4)), **heavy)
        for dx, dy in ((-0.7, -1.15), (0.7, -1.15), (-0.7, 1.15), (0.7, 1.15)):
            seat = [(dx - 0.35, dy - 0.35), (dx + 0.35, dy - 0.35), (dx + 0.35, dy + 0.35), (dx - 0.35, dy + 0.35)]
            back = cm.Box((dx, dy + (0.4 if dy > 0 else -0.4)), (0.7, 0.12))
            chair = cm.Compound.from_parts([cm.Polygon(seat), back])
            world.add(chair.translated(at), **light)
    for at in ((9, 5.5), (11.5, 4.8), (14.5, 2), (18.5, 2), (2, 9)):
        world.add(cm.Circle(at, 0.3), kind="dynamic", mass=0.5, damping=0.5, restitution=0.7, data=BALL)
    robot = world.add(cm.Circle(WAY[0], 0.5), kind="dynamic", mass=12, damping=6, data=ROBOT)
    return world, robot


def drive(world: cm.World, robot: cm.Body, direction: cm.Vec) -> None:
    robot.force = direction * FORCE
    world.step(DT)


world, robot = make_room()
colours = [body.data for body in world.bodies]
if "--window" in sys.argv:
    from carom.draw import pygame

    screen, clock = pygame.display.set_mode((1050, 550)), pygame.time.Clock()
    camera = cm.draw.Camera((1050, 550), position=(10, 5), zoom=50)
    while not pygame.event.peek(pygame.QUIT):
        keys = pygame.key.get_pressed()
        right, up = keys[pygame.K_RIGHT] - keys[pygame.K_LEFT], keys[pygame.K_UP] - keys[pygame.K_DOWN]
        drive(world, robot, cm.Vec(right, up))
        screen.fill("#F4EDE1")
        cm.draw.paint(screen, world, camera, color=colours)
        pygame.display.flip()
        clock.tick(60)
else:
    from carom.draw import Figure

    figure, path = Figure(figsize=(11, 5.9), layout="constrained"), []
    axes = figure.subplots()
    cm.picture(world, color="#E3DACB").draw(axes)  # where all of it stood at first
    for goal in WAY[1:]:
        while (goal - robot.position).length > 0.3 and len(path) < 2000:
            drive(world, robot, (goal - robot.position).normalized())
            path.append(robot.position)
    cm.picture(world, color=colours).draw(axes)
    axes.plot(*np.array(path).T, color=ROBOT, linewidth=1.5, alpha=0.7, zorder=9)
    axes.set(xlim=(-0.5, 20.5), ylim=(-0.5, 10.5), aspect="equal", xticks=[], yticks=[], facecolor="#F4EDE1")
    figure.savefig("furniture.png", dpi=80)
