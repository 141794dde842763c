"""A room from above: chairs, tables and balls that a robot pushes aside; damping takes the place of the floor.

Leaves furniture.png in the current folder, pale where all stood at first; with --window you drive the robot with the
arrow keys, Esc closes. Needs pygame-ce.
"""

import sys
from itertools import pairwise

import carom as cm
from carom.draw import pygame

WOOD, CHAIR, BALL, ROBOT, WALL = "#A9713C", "#56B4E9", "#E69F00", "#D55E00", "#5B6770"
WAY = [(2, 2), (9.5, 2.4), (10.2, 7.2), (3.2, 7.4), (3, 4.6), (17, 4.8), (17.6, 8.4), (12, 8.6)]
FORCE, DT, SIZE = 260.0, 1 / 60, (1050, 550)
CAMERA = cm.draw.Camera(SIZE, position=(10, 5), zoom=50)


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


def draw(screen: pygame.Surface, world: cm.World, before: list[cm.Shape]) -> None:
    screen.fill("#F4EDE1")
    cm.draw.paint(screen, before, CAMERA, color="#E3DACB")
    cm.draw.paint(screen, world, CAMERA, color=[body.data for body in world.bodies])


def play(world: cm.World, robot: cm.Body) -> None:
    for screen, _ in cm.draw.frames(SIZE, "Furniture: arrow keys drive, Esc closes", sys.argv):
        keys = pygame.key.get_pressed()
        right, up = keys[pygame.K_RIGHT] - keys[pygame.K_LEFT], keys[pygame.K_UP] - keys[pygame.K_DOWN]
        drive(world, robot, cm.Vec(right, up))
        draw(screen, world, [])


def drive_along(way: list[tuple[float, float]], world: cm.World, robot: cm.Body) -> list[cm.Vec]:
    """Drive from point to point, as a robot does; return its path."""
    path = [robot.position]
    for goal in way:
        while (goal - robot.position).length > 0.3 and len(path) < 2000:
            drive(world, robot, (goal - robot.position).normalized())
            path.append(robot.position)
    return path


world, robot = make_room()
if "--window" in sys.argv:
    play(world, robot)
else:
    before, screen = [body.shape for body in world.bodies], pygame.Surface(SIZE)
    path = drive_along(WAY[1:], world, robot)
    draw(screen, world, before)
    for here, there in pairwise(path):
        pygame.draw.aaline(screen, ROBOT, CAMERA.to_pixel(here), CAMERA.to_pixel(there), 2)
    pygame.image.save(screen, "furniture.png")
    print("wrote furniture.png")
