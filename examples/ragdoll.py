"""Ragdolls fall down stairs: eleven bodies each, pinned together, and no joint turns further than it may.

Leaves ragdoll.png in the current folder; with --window it runs in a window, Esc closes. Needs matplotlib, or
pygame-ce for the window.
"""

import sys

import carom as cm

STAIR, COLOURS, SIZE = "#5B6770", ("#D55E00", "#0072B2", "#009E73"), (1240, 500)


def add_doll(world: cm.World, at: cm.Vec, colour: str) -> None:
    def part(shape: cm.Shape) -> cm.Body:
        rubs = {"density": 100, "friction": 0.3, "velocity": (4.5, 0)}
        return world.add(shape.translated(at), kind="dynamic", data=colour, **rubs)

    def limb(start: cm.Vec, end: cm.Vec, radius: float) -> cm.Body:
        return part(cm.Capsule(start, end, radius))

    chest, hips = part(cm.Box((0, 1.28), (0.4, 0.42))), part(cm.Box((0, 0.95), (0.36, 0.2)))
    world.pin(part(cm.Circle((0, 1.66), 0.15)), chest, at + cm.Vec(0, 1.5), limits=(-0.6, 0.6))
    world.pin(chest, hips, at + cm.Vec(0, 1.06), limits=(-0.5, 0.5))
    for side in (-1, 1):
        shoulder, elbow, hand = (cm.Vec(side * x, 1.42) for x in (0.2, 0.5, 0.78))
        hip, knee, foot = (cm.Vec(side * 0.1, y) for y in (0.85, 0.45, 0.07))
        arm, thigh = limb(shoulder, elbow, 0.06), limb(hip, knee, 0.08)
        for a, b, point, low, high in (
            (arm, chest, shoulder, -1.3, 1.2),
            (limb(elbow, hand, 0.05), arm, elbow, 0, 2.3),
            (thigh, hips, hip, 0, 1.4),
            (limb(knee, foot, 0.065), thigh, knee, -2, 0),
        ):
            world.pin(a, b, at + point, limits=sorted((side * low, side * high)), max_torque=2)


def make_stairs() -> cm.World:
    world = cm.World(gravity=(0, -10))
    for k in range(8):
        world.add(cm.Box.from_corners((0.7 * k, -1), (0.7 * k + 0.7, 3.6 - 0.45 * k)), data=STAIR)
    world.add(cm.Box.from_corners((-3, -1), (0, 3.6)), data=STAIR)
    world.add(cm.Box.from_corners((5.6, -1), (12, 0)), data=STAIR)
    for k, colour in enumerate(COLOURS):
        add_doll(world, cm.Vec(-2.1 + 1.7 * k, 3.8 + 0.3 * k), colour)
    return world


def draw(world: cm.World, axes: object) -> None:
    cm.picture([body.shape for body in world.bodies], color=[body.data for body in world.bodies]).draw(axes)
    axes.set(xlim=(-3, 12), ylim=(-0.6, 6.6), aspect="equal", xticks=[], yticks=[], facecolor="#EAF1F7")


stairs = make_stairs()
if "--window" in sys.argv:
    camera = cm.draw.Camera(SIZE, position=(4.5, 3), zoom=80)
    for screen, _ in cm.draw.frames(SIZE, "Ragdolls: Esc closes", sys.argv):
        stairs.step(1 / 60)
        screen.fill("#EAF1F7")
        cm.draw.paint(screen, stairs, camera, color=[body.data for body in stairs.bodies])
else:
    from carom.draw import Figure

    figure, done = Figure(figsize=(11, 6), layout="constrained"), 0
    for axes, seconds in zip(figure.subplots(2, 2).flat, (0, 0.8, 2, 8), strict=True):
        while done < 60 * seconds:
            stairs.step(1 / 60)
            done += 1
        draw(stairs, axes)
        axes.set_title(f"{seconds} s")
    figure.savefig("ragdoll.png", dpi=100)
    print("wrote ragdoll.png")
