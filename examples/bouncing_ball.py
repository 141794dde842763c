"""One flight of a ball: cast it against every wall, go to the earliest hit, reflect, and play on what is left.

However fast it is, it goes through nothing. Needs matplotlib; leaves bouncing_ball.png in the current folder.
"""

import carom as cm
from carom.draw import Figure

CORNERS = [((-0.3, -0.3), (16.3, 0)), ((-0.3, 9), (16.3, 9.3)), ((-0.3, 0), (0, 9)), ((16, 0), (16.3, 9))]
CORNERS += [((4, 0), (4.1, 5)), ((7, 3.2), (9.4, 5.8)), ((12, 4.4), (12.1, 9))]
walls = [cm.Box.from_corners(lower, upper) for lower, upper in CORNERS]
ball, rest = cm.Circle((1.5, 1.5), 0.4), cm.Vec(24, 65)
centers, hits = [ball.center], []
while ahead := [hit for wall in walls if (hit := cm.cast(ball, wall, rest))]:
    hit = min(ahead, key=lambda hit: hit.fraction)
    ball = ball.translated(rest * hit.fraction)
    rest *= 1 - hit.fraction
    rest -= hit.normal * (2 * rest.dot(hit.normal))
    centers.append(ball.center)
    hits.append(hit)
ball = ball.translated(rest)

figure = Figure(figsize=(10, 6), layout="constrained")
axes = figure.subplots()
axes.plot(*zip(*centers, ball.center, strict=True), color="#0072B2", linewidth=1.5)
met = [ball.placed(center) for center in centers[1:]]
colours = [*["#8A8F94"] * len(walls), *["#FFFFFF"] * len(met), "#33B18F", "#338EC1"]
cm.picture([*walls, *met, ball.placed(centers[0]), ball], color=colours).draw(axes)
for number, (center, hit) in enumerate(zip(centers[1:], hits, strict=True), start=1):
    axes.quiver(*hit.point, *hit.normal, color="#D55E00", scale=16, width=0.004, zorder=9)
    axes.annotate(number, center + hit.normal.perpendicular * 0.62, ha="center", va="center", size=12, zorder=9)
axes.set(aspect="equal", xlim=(-0.3, 16.3), ylim=(-0.3, 9.3), xticks=[], yticks=[])
axes.set_title(f"One flight, green to blue, {len(hits)} hits; each normal points out of the wall, towards the ball")
figure.savefig("bouncing_ball.png", dpi=100)
print("wrote bouncing_ball.png")
