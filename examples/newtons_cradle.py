"""A Newton's cradle: five balls on rods. As many swing out as swing in, for as long as you watch.

Leaves newtons_cradle.png in the current folder; with --window it runs in a window, Esc closes. Needs matplotlib, or
pygame-ce for the window.
"""

import sys

import carom as cm

BALLS, RAISED, LENGTH, ANGLE, GRAVITY, SIZE = 5, 2, 4.0, 0.9, 10.0, (900, 560)
APART = 1.02  # two hundredths more than a ball is wide: impacts come one after the other
COLOURS = ["#5B6770", "#D55E00", "#D55E00", "#0072B2", "#0072B2", "#0072B2"]


def make_cradle() -> tuple[cm.World, list[cm.Body]]:
    world = cm.World(gravity=(0, -GRAVITY))
    beam, balls = world.add(cm.Box((0, LENGTH + 0.1), (6, 0.2))), []
    for k in range(BALLS):
        hook = cm.Vec(APART * (k - (BALLS - 1) / 2), LENGTH)
        at = hook + cm.Vec(0, -LENGTH).rotated(-ANGLE if k < RAISED else 0)
        balls.append(world.add(cm.Circle(at, 0.5), kind="dynamic", restitution=1, friction=0))
        world.rod(balls[-1], beam, at, hook)
    return world, balls


def energy(balls: list[cm.Body]) -> float:
    return sum(ball.mass * (ball.velocity.length**2 / 2 + GRAVITY * ball.position.y) for ball in balls)


cradle, balls = make_cradle()
if "--window" in sys.argv:
    camera = cm.draw.Camera(SIZE, position=(0, 2), zoom=85)
    for screen, _ in cm.draw.frames(SIZE, "A Newton's cradle: Esc closes", sys.argv):
        cradle.step(1 / 60)
        screen.fill("#EAF1F7")
        cm.draw.paint(screen, cradle, camera, color=COLOURS)
else:
    from carom.draw import Figure

    figure = Figure(figsize=(11, 5.4), layout="constrained")
    above, below = figure.subfigures(2, 1, height_ratios=(1, 1.1))
    panels, before, ways = dict(zip((0, 50, 125), above.subplots(1, 3), strict=True)), energy(balls), []
    for frame in range(60 * 60):
        if frame in panels:
            cm.picture(cradle, color=COLOURS).draw(panels[frame])
            panels[frame].set(xlim=(-6, 6), ylim=(-1, 4.5), aspect="equal", xticks=[], yticks=[], facecolor="#EAF1F7")
            panels[frame].set_title(f"{frame / 60:.1f} s")
        ways.append([ball.position.x for ball in balls])
        cradle.step(1 / 60)
    axes, seconds = below.subplots(), [frame / 60 for frame in range(60 * 60)]
    axes.plot(seconds, [way[0] for way in ways], COLOURS[1], label="the first ball")
    axes.plot(seconds, [way[-1] for way in ways], COLOURS[-1], label="the last")
    left = energy(balls) / before
    axes.set(xlim=(0, 60), xlabel="seconds", ylabel="x", title=f"after a minute {left:.1%} of the energy is left")
    axes.legend(loc="center right")
    figure.savefig("newtons_cradle.png", dpi=100)
    print("wrote newtons_cradle.png")
