"""A concave polygon with a hole is one shape: red where it meets a ball, with contact normals; a cast into its notch.

Needs matplotlib; leaves concave.png in the current folder.
"""

import carom as cm
from carom.draw import Figure

GREEN, RED, GREY = "#009E73", "#D55E00", "#777777"
outline = [(0, 0), (9, 0), (9, 6), (7, 6), (7, 2.5), (5.5, 2.5), (5.5, 6), (0, 6)]
tray = cm.decompose(outline, holes=[[(1, 1.5), (4, 1.5), (4, 4.5), (1, 4.5)]])
balls = [cm.Circle(at, 0.7) for at in [(2.5, 3.2), (1.4, 1.9), (6.25, 7.3), (4.75, 5.0), (9.5, 3.5), (-0.9, 5.0)]]

figure = Figure(figsize=(11, 4.5), layout="constrained")
left, right = figure.subplots(1, 2)
for axes in (left, right):
    cm.picture(tray, color="#DDDDDD").draw(axes)
for part in tray.parts:
    left.plot(*zip(*part.vertices, part.vertices[0], strict=True), color=GREY, lw=0.7, ls=":", zorder=3)
contacts = [cm.collide(tray, ball) for ball in balls]
cm.picture(balls, color=[RED + "66" if contact else GREEN + "66" for contact in contacts]).draw(left)
for contact in filter(None, contacts):
    for point in contact.points:
        left.quiver(*point, *contact.normal, angles="xy", scale_units="xy", scale=1, color=RED, width=0.008, zorder=9)
ball, motion = cm.Circle((6.25, 7.8), 0.5), cm.Vec(0, -8)
hit = cm.cast(ball, tray, motion)
cm.picture([ball, ball.translated(motion * hit.fraction)], color=[GREEN + "66", GREEN + "00"]).draw(right)
right.quiver(*hit.point, *hit.normal, angles="xy", scale_units="xy", scale=1, color=RED, width=0.008, zorder=9)
left.set_title("collide: no contact at the dotted edges between parts")
right.set_title("cast: into the notch, as far as it goes")
for axes in (left, right):
    axes.set(aspect="equal", xlim=(-2, 11), ylim=(-0.8, 8.6), xticks=[], yticks=[])
figure.savefig("concave.png", dpi=100)
print("wrote concave.png")
