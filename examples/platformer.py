"""A platformer: planks to drop through, stairs, a ferry and a lift, and jumps that count a moment after the edge.

Leaves platformer.png in the current folder, played by a robot; with --window you play: left and right run, space jumps,
down drops through a plank, Esc closes. Needs pygame-ce.
"""

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
DT, SPEED, GRAVITY, JUMP, COYOTE, SIZE = 1 / 60, 7.0, 42.0, 14.5, 0.1, (1248, 320)
HERO, LIFT, AIR, WALK, GROUND = "#E0524A", "#8A63B5", "#E08E2B", "#2F6FB0", "#8D9BAC"
CAMERA = cm.draw.Camera(SIZE, position=(19.5, 5), zoom=32, y_up=False)
START, FLAG = (LEVEL.named(name)[0].shape.position for name in "PF")


class Game:
    """A world, a hero in it, and what it does at the moment."""

    def __init__(self):
        self.world = cm.World()
        LEVEL.add_to(self.world)
        steps = [cm.Box.from_corners((21 + k / 2, 8.75 - k / 4), (25, 9)) for k in range(8)]
        self.stairs = self.world.add(cm.Compound.from_parts(steps))
        self.ferry = self.world.add(cm.Box.from_corner((28.1, 7), (1.8, 0.35)), kind="kinematic", velocity=(2, 0))
        self.lift = self.world.add(cm.Box.from_corner((34.2, 7), (2.6, 0.35)), kind="kinematic", velocity=(0, -2))
        self.hero = cm.Character(cm.Capsule(START - (0, 0.55), START - (0, -0.15), 0.35), up=(0, -1), step_height=0.3)
        self.velocity, self.flown = cm.Vec(0, 0), 0.0

    def tick(self, run, key):
        """Play a moment: `run` is -1, 0 or 1, `key` "jump", "drop" or "". Return the colour of how the hero moves."""
        for body, k, least, most in ((self.ferry, 0, 29, 31.1), (self.lift, 1, 3.15, 7.2)):
            body.velocity *= 1 if least < body.position[k] + body.velocity[k] * DT < most else -1  # to and fro
        self.world.step(DT)
        flown = 0.0 if self.hero.on_floor else self.flown + DT
        jumps = key == "jump" and flown < COYOTE
        self.flown = COYOTE if jumps else flown
        self.velocity = cm.Vec(run * SPEED, -JUMP if jumps else self.velocity.y + GRAVITY * DT)
        went = self.hero.move(self.velocity * DT, self.world, drop=key == "drop")
        self.velocity = went.heading / DT
        return AIR if not self.hero.on_floor else LIFT if any(went.carried) else WALK

    def draw(self, screen):
        """Draw it as it is."""
        screen.fill("#EAF1F7")
        cm.draw.paint(screen, replace(LEVEL, triggers=()), CAMERA, color=[GROUND, None, None])
        cm.draw.paint(screen, [self.stairs, self.ferry, self.lift], CAMERA, color=[GROUND, LIFT, LIFT])
        pole, cloth = cm.Segment(FLAG - (0, -0.5), FLAG - (0, 0.9)), cm.Box.from_corner(FLAG - (0, 0.9), (0.9, 0.5))
        cm.draw.paint(screen, [pole, cloth, self.hero], CAMERA, color=HERO)


def robot(game):  # knows by heart where to jump, to wait and to drop
    x, y = game.hero.position
    drops, jumps = 19 < x < 21 and y < 4, 10.9 < x < 11.2 or 15.4 < x < 15.7
    waits = (27.4 < x < 28 and game.ferry.position.x > 29.1) or (29 < x < 30.7 and game.ferry.position.x < 31)
    waits |= x > 35.5 or (33.2 < x < 33.6 and game.lift.position.y < 7)
    run = -1 if y < 2.7 and x > 29 else 1 - (waits or drops)
    return run, "drop" if drops else "jump" if jumps and game.hero.on_floor else ""


def play(game):
    names = {"space": "jump", "down": "drop"}
    for screen, events in cm.draw.frames(SIZE, "A platformer: arrows run and drop, space jumps, Esc closes", sys.argv):
        held = pygame.key.get_pressed()
        pressed = [names.get(pygame.key.name(e.key), "") for e in events if e.type == pygame.KEYDOWN]
        game.tick(held[pygame.K_RIGHT] - held[pygame.K_LEFT], max(pressed, default=""))
        game.draw(screen)


game = Game()
if "--window" in sys.argv:
    play(game)
else:
    trace = []
    while not (29 < game.hero.position.x < 32.2 and game.hero.position.y < 2.4):
        trace.append((game.tick(*robot(game)), game.hero.position))
    game.draw(screen := pygame.Surface(SIZE))
    cm.draw.paint(screen, [game.hero.shape.placed(at) for _, at in trace[::40]], CAMERA, color=HERO + "40")
    for colour, at in trace[:-8]:
        pygame.draw.aacircle(screen, colour, CAMERA.to_pixel(at), 2.5)
    pygame.image.save(screen, "platformer.png")
    print("wrote platformer.png")
