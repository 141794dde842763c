"""A floor seen from above: drums slide until friction stops them, and three belts carry crates around two corners.

Leaves warehouse.png in the current folder. Needs pygame-ce.
"""

import carom as cm
from carom.draw import pygame

SIZE, DECELERATION, SHOVED = (1000, 560), 0.3 * 9.81, (4.0, 5.0, 6.0)  # a coefficient of friction of 0.3
LANES = [((-1, -3.8), (14, 2), (2, 0)), ((7, -1.4), (2, 6.8), (0, 2)), ((1, 3), (14, 2), (-2, 0))]
camera, world = cm.draw.Camera(SIZE, zoom=50), cm.World()  # seen from above: no gravity
belts = [world.add(cm.Box(at, size), sensor=True, data=velocity) for at, size, velocity in LANES]


def put(shape, colour, **settings):
    """Add a body, and the motor that is the friction between it and the floor."""
    body = world.add(shape, kind="dynamic", friction=0.2, data=colour, **settings)
    return body, world.motor(body, None, max_force=DECELERATION * body.mass, max_torque=body.mass)


crates = [put(cm.Box((1.7 * k - 7, 0.2 * (k % 3) - 4), (0.8, 0.8), 0.3 * k), "#B9814B") for k in range(7)]
drums = [put(cm.Circle((-9, 1 - k), 0.4), "#C8553D", velocity=(SHOVED[k], 0)) for k in range(3)]
paths = {body: [body.position] for body, _ in crates + drums}
for _ in range(900):
    for body, ground in crates + drums:
        under = [found for found in world.contains(body.position, sensors=True) if found.sensor]
        ground.velocity = under[0].data if under else (0, 0)
    world.step(1 / 60)
    for body, path in paths.items():
        path.append(body.position)

screen = pygame.Surface(SIZE)
screen.fill("#E9E4DA")
for at, size, velocity in LANES:
    cm.draw.paint(screen, cm.Box(at, size), camera, color="#A9AFB5")
    for k in range(int(max(size))):  # arrows along the belt
        ahead = cm.Vec(*velocity) / 2
        tip = cm.Vec(*at) + ahead * (k + 0.65 - max(size) / 2)
        head = [tip - ahead.rotated(0.6) * 0.5, tip, tip - ahead.rotated(-0.6) * 0.5]
        pygame.draw.lines(screen, "#FFFFFF", False, camera.to_pixel(head), 3)
for body, path in paths.items():
    pygame.draw.aalines(screen, body.data, False, camera.to_pixel(path))
cm.draw.paint(screen, list(paths), camera, color=[body.data for body in paths])
pygame.image.save(screen, "warehouse.png")
print("wrote warehouse.png")
