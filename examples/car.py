"""A car drives over hills: each wheel is held by a slide that springs and turns, with a motor in it.

Leaves car.png in the current folder; with --window it runs in a window: the arrows left and right drive, Esc closes.
Needs matplotlib, or pygame-ce for the window.
"""

import math
import sys

import carom as cm

GROUND, BODY, TYRE, CRATE, SKY = "#5B6770", "#D55E00", "#2B2D42", "#C98B4B", "#EAF1F7"
END, SIZE = 70, (1200, 450)


def height(x: float) -> float:
    hills = 1.4 * math.sin(x / 4) + 0.5 * math.sin(x / 1.7)
    return hills * min(max((x - 5) / 10, 0), 1)


def make_road() -> tuple[cm.World, cm.Body, list[cm.Joint]]:
    world = cm.World(gravity=(0, -10))
    surface = [(x / 2, height(x / 2)) for x in range(-10, 2 * END + 1)]
    ends = [(END, 4), (END + 1, 4), (END + 1, -4), (-6, -4), (-6, 4), (-5, 4)]
    world.add(cm.decompose(surface + ends), data=GROUND)
    cabin = cm.Polygon([(-0.1, 1.2), (1.4, 1.2), (0.9, 2), (0.1, 2)])
    parts = [cm.Box((0, 0.95), (4, 0.5)), cabin, cm.Box((-1.9, 1.45), (0.2, 0.5))]
    car = world.add(cm.Compound.from_parts(parts), kind="dynamic", mass=30, data=BODY)
    for x in (-1.4, -0.6):
        world.add(cm.Box((x, 1.5), (0.6, 0.6)), kind="dynamic", mass=2, data=CRATE)
    suspension = {"hertz": 5, "damping": 0.7, "limits": (-0.25, 0.25)}
    axles = []
    for x in (-1.4, 1.4):
        wheel = world.add(cm.Circle((x, 0.5), 0.5), kind="dynamic", mass=3, friction=1.5, data=TYRE)
        axles.append(world.slide(wheel, car, (x, 0.5), axis=(0, 1), turns=True, max_torque=60, **suspension))
    return world, car, axles


def drive(axles: list[cm.Joint], speed: float) -> None:
    for axle in axles:
        axle.speed = -speed / 0.5  # radians a second; clockwise drives to the right


world, car, axles = make_road()
if "--window" in sys.argv:
    from carom.draw import pygame

    camera = cm.draw.Camera(SIZE, zoom=45)
    for screen, _ in cm.draw.frames(SIZE, "A car: arrows drive, Esc closes", sys.argv):
        keys = pygame.key.get_pressed()
        drive(axles, 9 * (keys[pygame.K_RIGHT] - keys[pygame.K_LEFT]))
        world.step(1 / 60)
        camera.position = car.position.x + 4, 1.5
        screen.fill(SKY)
        cm.draw.paint(screen, world, camera, color=[body.data for body in world.bodies])
else:
    from carom.draw import Figure

    figure, done, path = Figure(figsize=(9, 9.8), layout="constrained"), 0, []
    drive(axles, 5)
    for axes, seconds in zip(figure.subplots(3, 1), (4, 6, 8), strict=True):
        while done < 60 * seconds:
            world.step(1 / 60)
            path.append(car.position)
            done += 1
        view = (car.position.x - 13, -2.6, car.position.x + 7, 4)
        cm.picture(world, color=[body.data for body in world.bodies], window=view).draw(axes)
        axes.plot(*zip(*path, strict=True), color=BODY, linewidth=1)
        axes.set(xlim=view[::2], ylim=view[1::2], aspect="equal", xticks=[], yticks=[], facecolor=SKY)
        axes.set_title(f"{seconds} s")
    figure.savefig("car.png", dpi=90)
    print("wrote car.png")
