"""A hero pushes crates: a light one off a ledge at its own pace, a heavy one slowly at first, a third not at all.

Needs matplotlib; leaves pushing.png in the current folder.
"""

import numpy as np

import carom as cm
from carom.draw import Figure

DT, SPEED, FORCE = 1 / 60, 3.0, 150.0
MASSES = {"light": 1.0, "heavy": 22.0, "too heavy": 60.0}


def play(mass):
    """Walk against a crate on a ledge for four seconds; return the world, the hero and the speeds of both."""
    world = cm.World(gravity=(0, -10))
    world.add_many([cm.Box.from_corners((-2, -2), (9, 0)), cm.Box.from_corners((9, -2), (14, -1.2))], friction=0.5)
    crate = world.add(cm.Box((1.5, 0.5), (1, 1)), kind="dynamic", mass=mass, friction=0.5)
    hero, velocity, speeds = cm.Character(cm.Capsule((-1, 0.3), (-1, 1.3), 0.3), up=(0, 1)), cm.Vec(0, 0), []
    for _ in range(240):
        world.step(DT)
        before = hero.position
        velocity = cm.Vec(SPEED, velocity.y) + world.gravity * DT
        velocity = hero.move(velocity * DT, world, push=FORCE, dt=DT).heading / DT
        speeds.append(((hero.position - before).x / DT, crate.velocity.x))
    return [world, hero], np.array(speeds)


figure = Figure(figsize=(9, 5.4), layout="constrained")
axes = figure.subplots(3, 2, width_ratios=(3, 2))
for (scene, graph), (name, mass) in zip(axes, MASSES.items(), strict=True):
    things, speeds = play(mass)
    cm.picture(things).draw(scene)
    scene.set(xlim=(-2, 14), ylim=(-1.9, 2.4), aspect="equal", title=f"{name}: mass {mass:g}", xticks=[], yticks=[])
    graph.plot(np.arange(len(speeds)) * DT, speeds, label=["hero", "crate"])
    graph.set(ylim=(-0.3, 4), ylabel="speed")
axes[0, 1].legend(loc="lower left", bbox_to_anchor=(0.25, 0))
axes[2, 1].set_xlabel("seconds")
figure.savefig("pushing.png", dpi=80)
print("wrote pushing.png")
