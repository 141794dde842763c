"""A gas in a box: 900 discs of one speed, and after some seconds their speeds are Maxwell's distribution.

Leaves gas.png in the current folder; with --window it runs in a window, Esc closes. Needs matplotlib, or
pygame-ce for the window.
"""

import sys

import numpy as np

import carom as cm

SIDE, RADIUS, SPEED = 60.0, 0.5, 8.0
SLOW, MIDDLE, FAST = (68, 1, 84), (33, 145, 140), (253, 231, 37)  # colours of speeds 0, 10 and 20
V = np.linspace(0, 25, 201)
MAXWELL = 2 * V / SPEED**2 * np.exp(-((V / SPEED) ** 2))  # in the plane


def make_gas() -> tuple[cm.World, list[cm.Body]]:
    world = cm.World()
    for x, y, w, h in ((-1, -1, 1, 62), (60, -1, 1, 62), (-1, -1, 62, 1), (-1, 60, 62, 1)):
        world.add(cm.Box.from_corner((x, y), (w, h)))
    grid = np.stack(np.meshgrid(np.arange(30), np.arange(30)), -1).reshape(-1, 2) * 2.0 + 1.0
    angles = np.random.default_rng(1).uniform(0, 2 * np.pi, len(grid))
    velocities = SPEED * np.column_stack((np.cos(angles), np.sin(angles)))
    discs = cm.Shapes.circles(grid, RADIUS)
    return world, world.add_many(discs, kind="dynamic", velocity=velocities, restitution=1, friction=0)


def measured(world: cm.World, discs: list[cm.Body]) -> tuple[np.ndarray, list[list[int]]]:
    """Return the speed and the colour of each disc."""
    speeds = np.linalg.norm(world.velocities[world.rows(discs)], axis=1)
    stops = zip(SLOW, MIDDLE, FAST, strict=True)
    return speeds, np.column_stack([np.interp(speeds, (0, 10, 20), each) for each in stops]).astype(int).tolist()


world, discs = make_gas()
if "--window" in sys.argv:
    from carom.draw import pygame

    title = "A gas: the speeds of 900 discs, and Maxwell's curve; Esc closes"
    camera = cm.draw.Camera((620, 620), position=(30, 30), zoom=10)
    for screen, _ in cm.draw.frames((1200, 620), title, sys.argv):
        world.step(1 / 60)
        speeds, colours = measured(world, discs)
        screen.fill("white")
        cm.draw.paint(screen.subsurface((0, 0, 620, 620)), discs, camera, color=colours)
        for k, share in enumerate(np.histogram(speeds, V[::8], density=True)[0]):
            pygame.draw.rect(screen, "#56B4E9", (660 + 20 * k, 580 - 3000 * share, 19, 3000 * share))
        pygame.draw.lines(screen, "#D55E00", False, np.column_stack((660 + 20 * V, 580 - 3000 * MAXWELL)), 3)
else:
    from carom.draw import Figure

    before = (world.velocities**2).sum()
    hits = world.step(1 / 60, steps=600)
    change = abs((world.velocities**2).sum() / before - 1)
    speeds, colours = measured(world, discs)
    figure = Figure(figsize=(12, 6), layout="constrained")
    left, right = figure.subplots(1, 2)
    cm.picture(discs, color=colours).draw(left)
    left.set(xlim=(0, SIDE), ylim=(0, SIDE), xticks=[], yticks=[], title="speed by colour")
    right.hist(speeds, V[::8], density=True, color="#56B4E9", label=f"{len(discs)} discs")
    right.plot(V, MAXWELL, color="#D55E00", label="Maxwell, in the plane")
    right.set(xlabel="speed", ylabel="share per unit of speed", ylim=(0, 0.2), title="all began with speed 8")
    right.legend()
    figure.suptitle(f"10 s, {len(hits.time):,} impacts, energy changed by {change:.0e} of itself")
    figure.savefig("gas.png", dpi=100)
    print("wrote gas.png")
