"""A shot at a tower is recorded and watched again: six frames of the replay, around the hardest hit.

Leaves replay.png in the current folder; with the name of a film, replay.gif or replay.mp4, that as well. Needs
matplotlib; films need the extra `play`.
"""

import sys

import carom as cm
from carom.draw import Figure

DT, STEPS = 1 / 120, 240
MOMENTS = (-48, -16, 0, 16, 40, 80)
"""Steps from the hardest hit to each picture."""

world = cm.World(gravity=(0, -10))
world.add(cm.Box((0, -0.5), (24, 1)))
for storey in range(5):
    for x in (-0.8, 0.8):
        world.add(cm.Box((4 + x, 1.25 * storey + 0.5), (0.3, 1)), kind="dynamic")
    world.add(cm.Box((4, 1.25 * storey + 1.125), (2.4, 0.25)), kind="dynamic")
stone = world.add(cm.Circle((-9, 3), 0.45), kind="dynamic", density=5, velocity=(20, 2))

with cm.Recording(world) as tape:
    hits = world.step(DT, steps=STEPS)
blows = hits.of_kind("hit")
hardest = blows[blows.impulse == blows.impulse.max()]
middle = round(hardest.time.item() / DT)

frames = [frame.copy() for frame in tape.frames()]
figure = Figure(figsize=(10, 5), layout="tight")
for axes, moment in zip(figure.subplots(2, 3).flat, MOMENTS, strict=True):
    step = min(max(middle + moment, 0), STEPS - 1)
    cm.picture(frames[step], window=(-6, -1, 12, 8)).draw(axes)
    axes.set_title(f"{(step + 1) * DT:.2f} s", fontsize=9)
    axes.set_axis_off()
figure.savefig("replay.png", dpi=100)
print(f"wrote replay.png: {len(blows)} hits, the hardest after {hardest.time.item():.3f} s")
for name in sys.argv[1:]:
    cm.draw.film(tape, name, size=(800, 450), camera=cm.draw.Camera((800, 450), position=(3, 4), zoom=45))
    print(f"wrote {name}")
