"""A stone is thrown at a house of glass and planks: what a blow strikes too hard breaks into pieces.

Each pair of bodies tells once in a step what it gave each other, in `World.contacts`: also a blow that goes through a
pile. Leaves breaking.png in the current folder; with --window it runs in a window, Esc closes. Needs matplotlib, or
pygame-ce for the window.
"""

import sys

import numpy as np

import carom as cm

DT, SIZE = 1 / 60, (1100, 480)
BREAKS = {"glass": 1.0, "plank": 2.5}
"""The largest impulse of a step that a pair may give, mass x speed."""
SMALLEST = 0.5
"""Length of a piece that does not break any more."""
DENSITY = {"glass": 0.8, "plank": 0.6}
COLOURS = {"ground": "#5B6770", "stone": "#2B2D42", "glass": "#8FD3E8", "plank": "#A96F3A"}


def make_house() -> tuple[cm.World, cm.Body]:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (60, 2)), data="ground")
    for storey in range(3):
        y = 2.0 * storey
        for x in (0.0, 2.0, 4.0):
            put(world, "glass", cm.Box((x, y + 0.85), (0.25, 1.7)))
        put(world, "plank", cm.Box((2, y + 1.85), (5, 0.3)))
    stone = world.add(cm.Circle((-9, 2), 0.5), kind="dynamic", density=4, velocity=(19, 6), data="stone")
    return world, stone


def put(world: cm.World, data: str, shape: cm.Box) -> cm.Body:
    return world.add(shape, kind="dynamic", density=DENSITY[data], data=data)


def limit_of(body: cm.Body) -> float:
    """Return how hard a body may be struck; the smallest pieces do not break."""
    small = isinstance(body.shape, cm.Box) and max(body.shape.size) < SMALLEST
    return np.inf if small else BREAKS.get(body.data, np.inf)


def tick(world: cm.World) -> int:
    """Let a step pass, and break what was struck too hard in it; return how many bodies broke."""
    world.step(DT)
    pairs, hardest = world.contacts(), np.zeros(len(world.positions))
    given = np.hypot(*pairs.given.T)
    for rows in (pairs.body, pairs.other):
        np.maximum.at(hardest, rows, given)
    broken = [body for body in world.bodies if hardest[body.row] > limit_of(body)]
    for body in broken:
        shape, velocity, spin = body.shape, body.velocity, body.spin
        world.remove(body)
        for k in (-1, 1):
            piece = half_of(shape, k)
            way = piece.center - body.position  # a removed body still tells where it was
            pushed = velocity + cm.Vec(-way.y, way.x) * spin
            put(world, body.data, piece).velocity = pushed
    return len(broken)


def half_of(box: cm.Box, side: int) -> cm.Box:
    """Return one half of a box, cut across its longer side, a little smaller."""
    wide, high = box.size
    along = cm.Vec(wide / 4, 0) if wide > high else cm.Vec(0, high / 4)
    size = (0.49 * wide, 0.98 * high) if wide > high else (0.98 * wide, 0.49 * high)
    return cm.Box(box.center + along.rotated(box.angle) * side, size, box.angle)


def draw(world: cm.World, axes: object) -> None:
    cm.picture(world, color=[COLOURS[body.data] for body in world.bodies]).draw(axes)
    axes.set(xlim=(-10, 18), ylim=(-0.6, 9), aspect="equal", xticks=[], yticks=[], facecolor="#EAF1F7")


house, stone = make_house()
if "--window" in sys.argv:
    camera = cm.draw.Camera(SIZE, position=(4, 4.5), zoom=38)
    for screen, _ in cm.draw.frames(SIZE, "Breaking: Esc closes", sys.argv):
        tick(house)
        screen.fill("#EAF1F7")
        cm.draw.paint(screen, house, camera, color=[COLOURS[body.data] for body in house.bodies])
else:
    from carom.draw import Figure

    figure, done, breaks = Figure(figsize=(11, 4.6), layout="constrained"), 0, []
    for axes, seconds in zip(figure.subplots(2, 2).flat, (0.3, 0.7, 1.2, 4), strict=True):
        while done < 60 * seconds:
            breaks.append(tick(house))
            done += 1
        draw(house, axes)
        axes.set_title(f"{seconds} s, {sum(breaks)} broken")
    figure.savefig("breaking.png", dpi=80)
    print(f"wrote breaking.png; {sum(breaks)} bodies broke")
