"""One flight of a ball: cast it against every wall, go to the earliest hit, reflect, and play on what is left.

However fast it is, it goes through nothing. Needs matplotlib; leaves bouncing_ball.png in the current folder.
"""

from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

import carom as cm

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
for wall in walls:
    axes.add_patch(Rectangle(wall.lower, *wall.size, color="#777777"))
axes.plot(*zip(*centers, ball.center, strict=True), color="#0072B2", linewidth=1.5)
axes.add_patch(Circle(ball.center, ball.radius, color="#0072B2"))
axes.add_patch(Circle(centers[0], ball.radius, color="#009E73"))
for number, (center, hit) in enumerate(zip(centers[1:], hits, strict=True), start=1):
    axes.add_patch(Circle(center, ball.radius, facecolor="white", edgecolor="#0072B2", zorder=2))
    axes.quiver(*hit.point, *hit.normal, color="#D55E00", scale=16, width=0.004, zorder=3)
    axes.annotate(number, center + hit.normal.perpendicular * 0.62, ha="center", va="center", size=12)
axes.set(aspect="equal", xlim=(-0.3, 16.3), ylim=(-0.3, 9.3), xticks=[], yticks=[])
axes.set_title(f"One flight, green to blue, {len(hits)} hits; each normal points out of the wall, towards the ball")
figure.savefig("bouncing_ball.png", dpi=100)
