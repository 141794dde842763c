"""A wrecking ball swings into a wall of crates: the ball is kinematic, and the crates rub, turn and come to rest.

Leaves wrecking_ball.png in the current folder; with --window it runs in a window. Needs matplotlib, or
pygame-ce for the window.
"""

import math
import sys

import carom as cm

HOOK, ROPE, GRAVITY, DT = cm.Vec(-4, 11), 8.0, 10.0, 1 / 60
COLOURS = ("#C98B4B", "#A96F3A", "#E0A965")


def make_site() -> tuple[cm.World, cm.Body]:
    world = cm.World(gravity=(0, -GRAVITY))
    world.add(cm.Box((0, -1), (60, 2)), data="#5B6770")
    for row in range(7):
        for k in range(4):
            size = (0.98, 0.98)
            world.add(cm.Box((k + 0.02 * (row % 2), 0.5 + row), size), kind="dynamic", data=COLOURS[(row + k) % 3])
    ball = cm.Circle(HOOK + cm.Vec(-ROPE, 0).rotated(0.25), 1.1)
    return world, world.add(ball, kind="kinematic", spin=1e-9, pivot=HOOK, data="#2B2D42")


def tick(world: cm.World, ball: cm.Body) -> None:
    # A pendulum that starts 0.25 from the level; to the right of the hook it slows down.
    ball.spin += GRAVITY / ROPE * math.cos(ball.angle + 0.25) * DT
    world.step(DT)


def draw(world: cm.World, ball: cm.Body, axes: object) -> None:
    axes.plot(*zip(HOOK, ball.shape.position, strict=True), color="#2B2D42", linewidth=2)
    cm.picture(world, color=[body.data for body in world.bodies]).draw(axes)
    axes.set(xlim=(-13.5, 16), ylim=(-0.6, 12), aspect="equal", xticks=[], yticks=[], facecolor="#EAF1F7")


site, wrecker = make_site()
if "--window" in sys.argv:
    from carom.draw import pygame

    screen, clock = pygame.display.set_mode((1180, 504)), pygame.time.Clock()
    camera = cm.draw.Camera((1180, 504), position=(1.25, 5.7), zoom=40)
    while not pygame.event.peek(pygame.QUIT):
        tick(site, wrecker)
        screen.fill("#EAF1F7")
        rope = camera.to_pixel(HOOK), camera.to_pixel(wrecker.shape.position)
        pygame.draw.aaline(screen, "#2B2D42", *rope, 3)
        cm.draw.paint(screen, site, camera, color=[body.data for body in site.bodies])
        pygame.display.flip()
        clock.tick(60)
else:
    from carom.draw import Figure

    figure, done = Figure(figsize=(14, 2.4), layout="constrained"), 0
    for axes, seconds in zip(figure.subplots(1, 3), (0, 2.3, 7), strict=True):
        while done < 60 * seconds:
            tick(site, wrecker)
            done += 1
        draw(site, wrecker, axes)
        axes.set_title(f"{seconds} s")
    figure.savefig("wrecking_ball.png", dpi=100)
