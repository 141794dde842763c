"""A floor plan as ROS keeps it, a YAML file and a picture: a robot drives through it and looks around with its lidar.

Needs matplotlib, Pillow and PyYAML; leaves floor_plan.png in the current folder.
"""

from pathlib import Path

import numpy as np

import carom as cm
from carom.draw import Figure

RAYS, RANGE, PIXELS = 360, 8.0, 440 * 280  # the range in metres
WAY = [(2, 9.5), (2, 6.1), (6.5, 6.1), (8.4, 6.1), (8.4, 8.6), (8.4, 6.1), (11.9, 6.1), (11.9, 3.2), (16, 3.2)]
STOPS = {0: "#0072B2", 2: "#D55E00", 4: "#009E73", 8: "#CC79A7"}  # points of the way where the robot looks around
plan = cm.read_map(Path(__file__).with_name("floor_plan.yaml"))  # occupied pixels are solid, y points up
walls = cm.Index(plan.solids)

angles = np.linspace(0, 2 * np.pi, RAYS, endpoint=False)
rays = RANGE * np.column_stack((np.cos(angles), np.sin(angles)))
robots = np.array([WAY[stop] for stop in STOPS])
scans = walls.raycast(robots[:, None], rays)  # one row of answers for each robot
ends = robots[:, None] + np.fmin(scans.fraction, 1.0)[:, :, None] * rays

axes = (figure := Figure((10, 6.4), layout="constrained")).subplots()
for robot, end, colour in zip(robots, ends, STOPS.values(), strict=True):
    lines = np.stack((np.broadcast_to(robot, end.shape), end), axis=1)
    axes.plot(*lines.T, color=colour, linewidth=0.5, alpha=0.45)
    cm.picture(cm.Circle(robot, 0.25), color=colour).draw(axes)
cm.picture(plan.solids, color="#3C3F45").draw(axes)
axes.scatter(*ends[scans.fraction <= 1.0].T, s=4, color="black", zorder=3)  # what the lidar measures
axes.plot(*np.transpose(WAY), color="#3C3F45", linewidth=1, linestyle=":")
axes.set(xlim=plan.bounds[::2], ylim=plan.bounds[1::2], xlabel="x in metres", ylabel="y in metres")
axes.set_title(f"{len(plan.solids)} boxes of {PIXELS:,} pixels; four scans of {RAYS} rays, dots where they end")
figure.savefig("floor_plan.png", dpi=75)
print("wrote floor_plan.png")
