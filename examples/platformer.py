"""A platformer that plays itself and leaves platformer.png; with --window you play: arrows, space. Needs pygame-ce."""

import sys
from dataclasses import replace

import carom as cm
from carom.draw import pygame

LEVEL = cm.read_grid(r"""
#######################################
#.....................................#
#.............................F.......#
#...........................######....#
#................=====................#
#.....................................#
#...........=====.....................#
#........................###....##....#
#.P...../####\.........#####....##....#
#######################################""")  # y points down, as on the screen
SIZE, KEYS = (1248, 320), {pygame.K_SPACE: "jump", pygame.K_DOWN: "drop"}
DT, SPEED, GRAVITY, JUMP, COYOTE = 1 / 60, 7.0, 42.0, 14.5, 0.1
SKY, HERO, LIFT, AIR, WALK = "#EAF1F7", "#E0524A", "#8A63B5", "#E08E2B", "#2F6FB0"
COLOURS = ["#8D9BAC", None, None, "#8D9BAC", LIFT, LIFT]  # of the ground, two planks, the stairs, ferry and lift
CAMERA = cm.draw.Camera(SIZE, position=(19.5, 5), zoom=32, y_up=False)
world = cm.World()
LEVEL.add_to(world)
steps = [cm.Box.from_corners((21 + k / 2, 8.75 - k / 4), (25, 9)) for k in range(8)]
stairs = world.add(cm.Compound.from_parts(steps))
ferry = world.add(cm.Box.from_corner((28.1, 7), (1.8, 0.35)), kind="kinematic", velocity=(2, 0))
lift = world.add(cm.Box.from_corner((34.2, 7), (2.6, 0.35)), kind="kinematic", velocity=(0, -2))
(x, y), flag = (LEVEL.named(name)[0].shape.position for name in "PF")
hero = cm.Character(cm.Capsule((x, y - 0.55), (x, y + 0.15), 0.35), up=(0, -1), step_height=0.3)
velocity, flown, trace = cm.Vec(0, 0), 0.0, []


def autopilot(x: float, y: float) -> tuple[int, str]:
    drops, jumps = 19 < x < 21 and y < 4, 10.9 < x < 11.2 or 15.4 < x < 15.7
    waits = (27.4 < x < 28 and ferry.position.x > 29.1) or (29 < x < 30.7 and ferry.position.x < 31) or x > 35.5
    waits |= 33.2 < x < 33.6 and lift.position.y < 7
    run = -1 if y < 2.7 and x > 29 else 1 - (waits or drops)
    return run, "drop" if drops else "jump" if jumps and hero.on_floor else ""


def draw(target: pygame.Surface) -> None:
    target.fill(SKY)
    cm.draw.paint(target, [replace(LEVEL, triggers=()), stairs, ferry, lift], CAMERA, color=COLOURS)
    pole, cloth = cm.Segment(flag + cm.Vec(0, 0.5), flag - (0, 0.9)), cm.Box.from_corner(flag - (0, 0.9), (0.9, 0.5))
    ghosts = [] if window else [hero.shape.placed(at) for at, _ in trace[::40]]
    cm.draw.paint(target, [pole, cloth, *ghosts], CAMERA, color=[HERO, HERO, *[HERO + "40"] * len(ghosts)])
    for at, color in trace:
        pygame.draw.aacircle(target, color, CAMERA.to_pixel(at), 2.5)
    cm.draw.paint(target, [hero, cm.Box(hero.position - (0, 0.4), (0.4, 0.18), radius=0.09)], CAMERA, color=[HERO, SKY])


window = "--window" in sys.argv
target = pygame.display.set_mode(SIZE, pygame.SCALED) if window else pygame.Surface(SIZE)
while not (pygame.event.peek(pygame.QUIT) if window else 29 < hero.position.x < 32.2 and hero.position.y < 2.4):
    run, key = autopilot(*hero.position)
    if window:
        run = pygame.key.get_pressed()[pygame.K_RIGHT] - pygame.key.get_pressed()[pygame.K_LEFT]
        down = (event for event in pygame.event.get(exclude=pygame.QUIT) if event.type == pygame.KEYDOWN)
        key = max((KEYS.get(event.key, "") for event in down), default="")
    for body, k, least, most in ((ferry, 0, 29, 31.1), (lift, 1, 3.15, 7.2)):
        body.velocity *= 1 if least < body.position[k] + body.velocity[k] * DT < most else -1  # to and fro
    world.step(DT)
    velocity, flown = cm.Vec(run * SPEED, velocity.y + GRAVITY * DT), 0.0 if hero.on_floor else flown + DT
    if key == "jump" and flown < COYOTE:  # even a moment after the edge
        velocity, flown = cm.Vec(run * SPEED, -JUMP), COYOTE
    went = hero.move(velocity * DT, world, drop=key == "drop")
    velocity = went.heading / DT
    color = AIR if not hero.on_floor else LIFT if any(went.carried) else WALK
    trace = [*trace[-120 * window :], (went.position, color)]
    if window:
        draw(target)
        pygame.display.flip()
        pygame.time.wait(12)
draw(target)
pygame.image.save(target, "platformer.png")
