"""Pinball: slanted walls, bumpers that kick, lights that are sensors, two flippers that spin; three balls.

Leaves pinball.png in the current folder, played by a robot, with the way of its last ball; with --window a game to
play: left and right arrow move the flippers, space starts anew, Esc closes. Needs pygame-ce.
"""

import math
import sys
from itertools import pairwise

import carom as cm
from carom.draw import pygame

TURN, FAST = 0.8, 16.0  # how far the flippers turn, and how fast; radians, radians a second
WALL, BUMPER, LIGHT, FLIPPER, BALL = "#8FA3BF", "#E69F00", "#56B4E9A0", "#D55E00", "#FFFFFF"
DOME = [(5 + 5 * math.cos(k * math.pi / 24), 13 + 5 * math.sin(k * math.pi / 24)) for k in range(25)]
GUIDES = [[(0, 4.8), (2.4, 3.35)], [(10, 4.8), (7.6, 3.35)], [(1.5, 8.3), (2.3, 6.4)], [(8.5, 8.3), (7.7, 6.4)]]
SIZE = (400, 680)
CAMERA = cm.draw.Camera(SIZE, position=(5, 9), zoom=36)


def make_table():
    world, flippers = cm.World(gravity=(0, -14)), []
    for line in ([(10, 0), *DOME, (0, 0)], *GUIDES):
        for start, end in pairwise(line):
            world.add(cm.Capsule(start, end, 0.12), restitution=0.6, data=WALL)
    for place in ((2.5, 11), (7.5, 11), (5, 13.2), (5, 8.8)):
        world.add(cm.Circle(place, 0.7), restitution=0.5, data=BUMPER)
    for place in ((2.3, 14.3), (7.7, 14.3), (5, 11), (5, 5.8)):
        world.add(cm.Circle(place, 0.4), sensor=True, data=LIGHT)
    for side, hinge in ((1, (2.65, 3.1)), (-1, (7.35, 3.1))):
        bat = cm.Capsule(hinge, (hinge[0] + side * 1.7, hinge[1] - 0.5), 0.18)
        flippers.append(world.add(bat, kind="kinematic", spin=side, pivot=hinge, data=FLIPPER))
    ball = world.add(cm.Circle((9.5, -2), 0.28), kind="dynamic", friction=0, data=BALL)
    return {"world": world, "flippers": flippers, "ball": ball, "balls": 3, "score": 0}


def tick(game, pressed, dt):
    """Play a moment; `pressed` says whether the left and the right key are down."""
    for flipper, up in zip(game["flippers"], (TURN * pressed[0], -TURN * pressed[1]), strict=True):
        flipper.spin = min(max((up - flipper.angle) / dt, -FAST), FAST)
    for hit in game["world"].events(dt):
        if hit.kind == "hit" and hit.other.data == BUMPER:
            hit.body.velocity += hit.normal * 7
        game["score"] += {("hit", BUMPER): 100, ("enter", LIGHT): 50}.get((hit.kind, hit.other.data), 0)
    if game["ball"].position.y < -1 and game["balls"]:
        game["ball"].position, game["ball"].velocity = (9.5, 5.2), (0, 19 + game["balls"] / 2)
        game["balls"] -= 1


def robot(game):
    """Press a key while the ball is low, at its flipper."""
    x, y = game["ball"].position
    return y < 3.5 and 3.2 < x < 5, y < 3.5 and 5 < x < 6.8


def draw(screen, game, path=()):
    screen.fill("#14213D")
    for here, there in pairwise(path):
        pygame.draw.aaline(screen, "#F0E442", CAMERA.to_pixel(here), CAMERA.to_pixel(there), 2)
    cm.draw.paint(screen, game["world"], CAMERA, color=[body.data for body in game["world"].bodies])


def play():
    game = make_table()
    for screen, _ in cm.draw.frames(SIZE, "Pinball: Esc closes", sys.argv):
        keys = pygame.key.get_pressed()
        game = make_table() if keys[pygame.K_SPACE] and not game["balls"] else game
        tick(game, (keys[pygame.K_LEFT], keys[pygame.K_RIGHT]), 1 / 60)
        draw(screen, game)
        pygame.display.set_caption(f"Pinball: {game['score']}, {game['balls']} balls to come; Esc closes")


if "--window" in sys.argv:
    play()
else:
    game, path, screen = make_table(), [], pygame.Surface(SIZE)
    for _ in range(2400):
        tick(game, robot(game), 1 / 120)
        path.append(game["ball"].position)
    draw(screen, game, path[-720:])
    pygame.image.save(screen, "pinball.png")
    print(f"wrote pinball.png: {game['score']} points")
