"""Move a disc through a crowd of obstacles in three ways: stop at the first, slide along them, bounce off them.

Needs matplotlib; leaves sliding.png in the current folder.
"""

import carom as cm
from carom.draw import Figure

OBSTACLES = cm.Shapes(
    [
        *[cm.Box.from_corners((x, y), (x + 2, y + 1)) for y in (-1, 8) for x in range(0, 24, 2)],
        *[cm.Box.from_corners((x, -1), (x + 1, 9)) for x in (-1, 24)],
        cm.Polygon([(6, 0), (12, 0), (12, 2.5)]),
        cm.Box((15.5, 5.5), (2.5, 2.5), angle=0.5),
        cm.Circle((19.5, 1.5), 1.2),
    ]
)
START, WAY, STEPS = cm.Circle((1, 6.5), 0.6), cm.Vec(36, -14), 400

figure = Figure(figsize=(12, 14.5), layout="constrained")
for axes, response in zip(figure.subplots(3), ("stop", "slide", "bounce"), strict=True):
    cm.picture(OBSTACLES, color="#C9C4B8").draw(axes)
    # A long motion played whole, and drawn by playing ever more of it.
    path = [cm.move(START, WAY * (k / STEPS), OBSTACLES, response=response).position for k in range(STEPS + 1)]
    axes.plot(*zip(*path, strict=True), color="#0072B2", lw=2, zorder=3)
    went = cm.move(START, WAY, OBSTACLES, response=response)
    cm.picture([START, START.placed(went.position)], color=["#33B18F", "#338EC1"]).draw(axes)
    for hit in went.hits:
        arrow = {"arrowstyle": "-|>", "color": "#D55E00", "lw": 2.5, "mutation_scale": 22, "shrinkA": 0}
        axes.annotate("", hit.point + hit.normal * 1.3, hit.point, arrowprops=arrow, zorder=9)
    axes.set_title(f'response="{response}": {len(went.hits)} hit{"s" * (len(went.hits) != 1)}', fontsize=15)
    axes.set(aspect="equal", xlim=(-1.2, 25.2), ylim=(-1.2, 9.2))
    axes.set_axis_off()
figure.savefig("sliding.png", dpi=70)
print("wrote sliding.png")
