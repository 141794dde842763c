"""Billiards: sixteen balls, cushions, six pockets that are sensors; a break shot, each ball with its path.

Leaves billiards.png in the current folder; with --window a game to play: drag from the cue ball and let go. Needs
matplotlib, or pygame-ce for the window.
"""

import sys

import numpy as np

import carom as cm

RADIUS, SLOWS = 0.3, 0.6  # the cloth slows by so much a second
COLOURS = ["#FFFFFF", *["#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2"] * 3]
POCKETS = [(x, y) for x in (0.0, 10.0, 20.0) for y in (0.0, 10.0)]


def make_table() -> tuple[cm.World, list[cm.Body]]:
    world = cm.World()
    for lower, upper in (((-1, -1), (0, 11)), ((20, -1), (21, 11)), ((-1, -1), (21, 0)), ((-1, 10), (21, 11))):
        world.add(cm.Box.from_corners(lower, upper), restitution=0.8, data="cushion")
    for place in POCKETS:
        world.add(cm.Circle(place, 0.35), sensor=True)
    rack = [(14 + 2.001 * RADIUS * 0.866 * i, 5 + 2.001 * RADIUS * (j - i / 2)) for i in range(5) for j in range(i + 1)]
    balls = cm.Shapes.circles([(5.0, 5.0), *rack], RADIUS)
    return world, world.add_many(balls, kind="dynamic", restitution=0.95, friction=0, data=COLOURS)


def tick(world: cm.World, dt: float) -> None:
    for hit in world.events(dt):
        if hit.kind == "enter":
            world.remove(hit.body)
    for body in world.bodies:
        if body.kind == "dynamic" and body.velocity.length:
            body.velocity *= max(1 - SLOWS * dt / body.velocity.length, 0)


def play(world: cm.World, cue: cm.Body) -> None:
    from carom.draw import pygame

    screen, clock = pygame.display.set_mode((1100, 600)), pygame.time.Clock()
    camera = cm.draw.Camera((1100, 600), position=(10, 5), zoom=50, y_up=False)
    while not pygame.event.peek(pygame.QUIT):
        for event in pygame.event.get(pygame.MOUSEBUTTONUP if not cue.removed else ()):
            cue.velocity = (cue.position - camera.to_world(event.pos)) * 6
        tick(world, 1 / 60)
        screen.fill("#5B3A1E")
        pygame.draw.rect(screen, "#1F6B3A", (50, 50, 1000, 500))
        cm.draw.paint(screen, [cm.Circle(place, 0.45) for place in POCKETS], camera, color="#000000")
        moving = [body for body in world.bodies if body.kind == "dynamic"]
        cm.draw.paint(screen, moving, camera, color=[ball.data for ball in moving])
        pygame.display.flip()
        clock.tick(60)


world, balls = make_table()
if "--window" in sys.argv:
    play(world, balls[0])
else:
    from carom.draw import Figure

    balls[0].velocity = (60, -0.6)
    paths = [world.positions[world.rows(balls)]]
    for _ in range(720):
        tick(world, 1 / 240)
        paths.append(np.array([(np.nan, np.nan) if ball.removed else ball.position for ball in balls]))
    figure = Figure(figsize=(11, 6), layout="constrained")
    axes = figure.subplots()
    cm.picture([cm.Circle(place, 0.45) for place in POCKETS], color="#000000").draw(axes)
    for path, colour in zip(np.stack(paths, 1), COLOURS, strict=True):
        axes.plot(*path.T, color=colour, linewidth=1.5, alpha=0.6, zorder=3)
    left = [ball for ball in balls if not ball.removed]
    cm.picture(left, color=[ball.data for ball in left]).draw(axes)
    axes.set(xlim=(-0.2, 20.2), ylim=(-0.2, 10.2), aspect="equal", xticks=[], yticks=[], facecolor="#1F6B3A")
    axes.set_title(f"Three seconds after the break; {len(balls) - len(left)} pocketed")
    figure.savefig("billiards.png", dpi=100)
