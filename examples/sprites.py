"""Pictures of one's own in place of shapes, at each body's place and angle; leaves sprites.png here. Needs pygame."""

import math

import carom as cm
from carom.draw import pygame

SIZE, ZOOM, PIXELS = (960, 540), 60, 64  # pixels of a unit on the screen, and in the pictures


def crate() -> pygame.Surface:
    picture = pygame.Surface((PIXELS, PIXELS), pygame.SRCALPHA)
    picture.fill("#B9814B")
    for y in range(0, PIXELS, 16):
        pygame.draw.line(picture, "#8A5A2E", (0, y), (PIXELS, y), 2)
    pygame.draw.line(picture, "#8A5A2E", (6, 58), (58, 6), 7)
    pygame.draw.rect(picture, "#6E4522", picture.get_rect(), 6)
    return picture


def ball() -> pygame.Surface:
    picture = pygame.Surface((PIXELS, PIXELS), pygame.SRCALPHA)
    pygame.draw.circle(picture, "#D8432F", (32, 32), 31)
    pygame.draw.circle(picture, "#F4E3C1", (32, 32), 31, draw_top_right=True, draw_bottom_left=True)
    pygame.draw.circle(picture, "#5B1D14", (32, 32), 31, 2)
    return picture


SPRITES = {"crate": crate(), "ball": ball()}
world = cm.World(gravity=(0, -10))
world.add(cm.Compound.polyline([(-8, -1), (-5, -3.5), (5, -3.5), (8, -1)]))
for k in range(18):
    at = 1.1 * (k % 6) - 2.75, 1.2 * (k // 6) - 2.2
    name, shape = ("crate", cm.Box(at, (1, 1))) if k % 3 else ("ball", cm.Circle(at, 0.5))
    world.add(shape, kind="dynamic", velocity=(2 * (k % 2) - 1, 0), spin=k % 5 - 2, friction=0.5, data=name)
world.step(1 / 60, steps=90)

screen, camera = pygame.Surface(SIZE), cm.draw.Camera(SIZE, zoom=ZOOM)
screen.fill("#DCE9F2")
cm.draw.paint(screen, [body for body in world if body.data is None], camera)
for body in (body for body in world if body.data):
    turned = pygame.transform.rotozoom(SPRITES[body.data], math.degrees(body.angle), ZOOM / PIXELS)
    screen.blit(turned, turned.get_rect(center=camera.to_pixel(body.position)))
pygame.image.save(screen, "sprites.png")
print("wrote sprites.png")
