"""The plain loop of a game: 60 times a second it answers the events, steps a world and draws it.

Leaves basic_loop.png in the current folder; with --window a click throws a ball, Esc closes. Needs pygame-ce.
"""

import sys

import carom as cm
from carom.draw import pygame  # as `import pygame`

SIZE, PAPER = (800, 450), "#F6F4EF"
world, camera = cm.World(gravity=(0, -10)), cm.draw.Camera(SIZE, position=(0, 3.5), zoom=50)
world.add(cm.Box((0, -1), (40, 2)))
crates = [cm.Box((k - (5 - row) / 2, 0.5 + row), (0.95, 1)) for row in range(6) for k in range(6 - row)]
world.add_many(crates, kind="dynamic")
if "--window" in sys.argv:
    for screen, events in cm.draw.frames(SIZE, "A click throws a ball, Esc closes", sys.argv):
        for event in events:
            if event.type == pygame.MOUSEBUTTONDOWN:
                world.add(cm.Circle(camera.to_world(event.pos), 0.5), kind="dynamic", velocity=(18, 0))
        world.step(1 / 60)
        screen.fill(PAPER)
        cm.draw.paint(screen, world, camera)
else:
    world.add(cm.Circle((-6.8, 4.4), 0.5), kind="dynamic", velocity=(18, 0))
    world.step(1 / 60, steps=40)
    (screen := pygame.Surface(SIZE)).fill(PAPER)
    cm.draw.paint(screen, world, camera)
    pygame.image.save(screen, "basic_loop.png")
    print("wrote basic_loop.png")
