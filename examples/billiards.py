"""Billiards: sixteen balls, cushions, six pockets that are sensors; a break shot, each ball with its path.

Leaves billiards.png in the current folder; with --window a game to play: drag from the white ball and let go, Esc
closes. Needs pygame-ce.
"""

import sys
from itertools import pairwise

import numpy as np

import carom as cm
from carom.draw import pygame

RADIUS, SLOWS = 0.3, 0.6  # the cloth slows by so much a second
COLOURS = ["#FFFFFF", *["#FFD23F", "#6EC5FF", "#FF8A5B", "#D4A5FF", "#9BE564"] * 3]
POCKETS = [(x, y) for x in (0.0, 10.0, 20.0) for y in (0.0, 10.0)]
SIZE = (1100, 600)
CAMERA = cm.draw.Camera(SIZE, position=(10, 5), zoom=50, y_up=False)


def make_table():
    world = cm.World()
    for lower, upper in (((-1, -1), (0, 11)), ((20, -1), (21, 11)), ((-1, -1), (21, 0)), ((-1, 10), (21, 11))):
        world.add(cm.Box.from_corners(lower, upper), restitution=0.8, data="cushion")
    for place in POCKETS:
        world.add(cm.Circle(place, 0.35), sensor=True)
    rack = [(14 + 2.001 * RADIUS * 0.866 * i, 5 + 2.001 * RADIUS * (j - i / 2)) for i in range(5) for j in range(i + 1)]
    balls = cm.Shapes.circles([(5.0, 5.0), *rack], RADIUS)
    return world, world.add_many(balls, kind="dynamic", restitution=0.95, friction=0, data=COLOURS)


def tick(world, dt):
    for hit in world.events(dt):
        if hit.kind == "enter":
            world.remove(hit.body)
    for body in world.bodies:
        if body.kind == "dynamic" and body.velocity.length:
            body.velocity *= max(1 - SLOWS * dt / body.velocity.length, 0)


def draw(screen, balls, paths=()):
    screen.fill("#5B3A1E")
    pygame.draw.rect(screen, "#174D2B", (50, 50, 1000, 500))
    cm.draw.paint(screen, [cm.Circle(place, 0.45) for place in POCKETS], CAMERA, color="#000000")
    for path, colour in zip(paths, COLOURS, strict=False):
        cm.draw.paint(screen, cm.Circle(path[0], RADIUS), CAMERA, color=["#FFFFFF33"])  # where it began
        for here, there in pairwise(CAMERA.to_pixel(path[~np.isnan(path[:, 0])])):
            pygame.draw.aaline(screen, colour, here, there, 3)
    left = [ball for ball in balls if not ball.removed]
    cm.draw.paint(screen, left, CAMERA, color=[ball.data for ball in left])


def play():
    world, balls = make_table()
    for screen, events in cm.draw.frames(SIZE, "Billiards: drag from the white ball and let go, Esc closes", sys.argv):
        for event in events:
            if event.type == pygame.MOUSEBUTTONUP and not balls[0].removed:
                balls[0].velocity = (balls[0].position - CAMERA.to_world(event.pos)) * 6
        tick(world, 1 / 60)
        draw(screen, balls)


if "--window" in sys.argv:
    play()
else:  # a robot plays: one hard shot
    (world, balls), screen = make_table(), pygame.Surface(SIZE)
    balls[0].velocity, paths = (60, -0.6), []
    for _ in range(240):
        paths.append([(np.nan, np.nan) if ball.removed else ball.position for ball in balls])
        tick(world, 1 / 240)
    draw(screen, balls, np.stack(paths, axis=1))
    pygame.image.save(screen, "billiards.png")
    print("wrote billiards.png")
