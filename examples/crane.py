"""A crane with a chain of light links: the load has 1,000 times the mass of a link, and no joint gapes.

Leaves crane.png in the current folder; with --window it runs in a window, the arrows drive the trolley, Esc closes.
Needs matplotlib, or pygame-ce for the window.
"""

import sys

import carom as cm

LINKS, LINK, HEIGHT, SIZE = 20, 0.3, 8.0, (1100, 620)
STEEL, LOAD = "#E69F00", "#2B2D42"


def make_crane() -> tuple[cm.World, cm.Body, cm.Body]:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -0.5), (24, 1)), data="#5B6770")
    world.add(cm.Box.from_corners((-8, 0), (-7, HEIGHT + 0.5)), data=STEEL)
    world.add(cm.Box.from_corners((-9, HEIGHT + 0.5), (9, HEIGHT + 0.8)), data=STEEL)
    trolley = world.add(cm.Box((-5, HEIGHT + 0.25), (1, 0.4)), kind="kinematic", data="#D55E00")
    above, at = trolley, cm.Vec(-5, HEIGHT + 0.1)
    for _ in range(LINKS):
        below = at - (0, LINK)
        link = world.add(cm.Capsule(at, below, 0.05), kind="dynamic", mass=1, mask=(), data="#5B6770")
        world.pin(link, above, at)
        above, at = link, below
    load = world.add(cm.Box(at - (0, 0.5), (1.4, 1)), kind="dynamic", mass=1000, data=LOAD)
    world.pin(load, above, at)
    return world, trolley, load


def drive(trolley: cm.Body, wish: float) -> None:
    speed = trolley.velocity.x + min(max(wish - trolley.velocity.x, -0.05), 0.05)
    trolley.velocity = (speed if -6.4 < trolley.position.x + speed / 60 < 8.4 else 0, 0)


def draw(world: cm.World, axes: object) -> None:
    cm.picture(world, color=[body.data for body in world.bodies]).draw(axes)
    axes.set(xlim=(-9.5, 9.5), ylim=(-0.6, 9.4), aspect="equal", xticks=[], yticks=[], facecolor="#EAF1F7")


crane, trolley, load = make_crane()
if "--window" in sys.argv:
    from carom.draw import pygame

    camera = cm.draw.Camera(SIZE, position=(0, 4.4), zoom=58)
    for screen, _ in cm.draw.frames(SIZE, "A crane: the arrows drive the trolley, Esc closes", sys.argv):
        keys = pygame.key.get_pressed()
        drive(trolley, 3 * (keys[pygame.K_RIGHT] - keys[pygame.K_LEFT]))
        crane.step(1 / 60)
        screen.fill("#EAF1F7")
        cm.draw.paint(screen, crane, camera, color=[body.data for body in crane.bodies])
else:
    from carom.draw import Figure

    figure, gape, done = Figure(figsize=(11, 6), layout="constrained"), 0.0, 0
    for axes, seconds in zip(figure.subplots(2, 2).flat, (0, 1.2, 3, 4.4), strict=True):
        while done < 60 * seconds:
            drive(trolley, 3 if done < 180 else 0)
            crane.step(1 / 60)
            gape, done = max(gape, *(joint.error for joint in crane.joints)), done + 1
        draw(crane, axes)
        axes.set_title(f"{seconds} s")
    figure.savefig("crane.png", dpi=100)
    print(f"wrote crane.png; in {done} steps no joint gaped by more than {gape:.0e} m")
