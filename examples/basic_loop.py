"""The plain loop of a game with pygame-ce: 60 times a second it answers the events, steps a world and draws it.

A click throws a ball to the right, Esc closes the window; the last picture is left in basic_loop.png.
"""

import carom as cm
from carom.draw import pygame  # as `import pygame`

SIZE = (800, 450)
world = cm.World(gravity=(0, -10))
world.add(cm.Box((0, -1), (40, 2)))
crates = [cm.Box((k - (5 - row) / 2, 0.5 + row), (0.95, 1)) for row in range(6) for k in range(6 - row)]
world.add_many(crates, kind="dynamic")

pygame.display.set_caption("A click throws a ball, Esc closes")
screen, clock, running = pygame.display.set_mode(SIZE), pygame.time.Clock(), True
camera = cm.draw.Camera(SIZE, position=(0, 3.5), zoom=50)
while running:
    for event in pygame.event.get():
        if event.type == pygame.QUIT or (event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE):
            running = False
        if event.type == pygame.MOUSEBUTTONDOWN:
            world.add(cm.Circle(camera.to_world(event.pos), 0.5), kind="dynamic", velocity=(18, 0))
    world.step(1 / 60)
    screen.fill("#F6F4EF")
    cm.draw.paint(screen, world, camera)
    pygame.display.flip()
    clock.tick(60)
pygame.image.save(screen, "basic_loop.png")
print("wrote basic_loop.png")
