"""A world with every kind of body, drawn by Carom: crates and hooks, a mill, a sensor, a one-way shelf.

Leaves drawing.png in the current folder; with --window it runs, the mouse picks a body up, the wheel zooms, Esc closes.
Needs pygame-ce.
"""

import sys

import numpy as np

import carom as cm
from carom.draw import pygame

PAPER, SIZE = "#F6F4EF", (1100, 620)
HOOK = cm.decompose([(0, 0), (1.2, 0), (1.2, 0.4), (0.4, 0.4), (0.4, 1.2), (0, 1.2)])


def make_world() -> cm.World:
    world, rng = cm.World(gravity=(0, -10)), np.random.default_rng(4)
    world.add(cm.Polygon([(0, 0), (22, 0), (22, -1.2), (0, -1.2)]))
    for x in (-0.4, 22.4):
        world.add(cm.Box((x, 5), (0.8, 12.4)))
    world.add(cm.Box((5, 6.5), (5, 0.35)), kind="kinematic", spin=0.8)
    world.add(cm.Circle((17.5, 2.2), 2.2), sensor=True, layer="goal")
    world.add(cm.Segment((10, 6), (14.5, 6)), one_way=(0, 1))
    for k in range(70):
        at, size = (1.5 + 1.45 * (k % 14), 8.6 + 1.3 * (k // 14)), rng.uniform(0.55, 1.0)
        shape = (
            cm.Circle(at, size / 2),
            cm.Box(at, (size, 0.8 * size)),
            cm.Polygon(np.array([(0, 0), (size, 0.1), (0.7 * size, 0.9 * size), (0.1, 0.6 * size)]) + at),
            cm.Capsule(at, (at[0] + 0.6 * size, at[1]), 0.3 * size),
            HOOK.placed(at),
        )[k % 5]
        world.add(shape, kind="dynamic", layer="stones" if k % 5 < 3 else "hooks")
    return world


def play(world: cm.World, camera: cm.draw.Camera) -> None:
    held, title = None, "Crates, a mill, a shelf: drag a body, the wheel zooms, Esc closes"
    for screen, events in cm.draw.frames(SIZE, title, sys.argv):
        mouse = camera.to_world(pygame.mouse.get_pos())
        for event in events:
            if event.type == pygame.MOUSEWHEEL:
                camera.zoom_at(pygame.mouse.get_pos(), 1.1**event.y)
            if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
                under = [body for body in world.bodies if cm.contains(body.shape, mouse)]
                held = next((body for body in under if body.kind == "dynamic"), None)
            if event.type == pygame.MOUSEBUTTONUP:
                held = None
        if held:
            held.velocity = (mouse - held.position) * 12
        world.step(1 / 60)
        screen.fill(PAPER)
        cm.draw.paint(screen, world, camera, layers="velocities,legend")


world = make_world()
camera = cm.draw.Camera(SIZE, position=(11, 5), zoom=48)
if "--window" in sys.argv:
    play(world, camera)
else:
    world.step(1 / 60, steps=150)
    screen = pygame.Surface(SIZE)
    screen.fill(PAPER)
    cm.draw.paint(screen, world, camera, layers="contacts,velocities,legend")
    pygame.image.save(screen, "drawing.png")
    print("wrote drawing.png")
