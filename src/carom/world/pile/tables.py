"""The columns of bodies that turn and rub, and what the solver notes of each while it works.

World frame, user's units. A body turns about its centre of mass, or a kinematic one about its pivot: that point is
(x, y). Times within a step count from its start, in seconds.
"""

from __future__ import annotations

import numpy as np

# A row fills whole cache lines of 64 bytes.
BODY = np.dtype(
    [
        ("x", "f8"),  # at its own time
        ("y", "f8"),
        ("vx", "f8"),  # velocity at its own time
        ("vy", "f8"),
        ("way_x", "f8"),  # velocity of the straight line it follows until something happens
        ("way_y", "f8"),
        ("own_time", "f8"),
        ("horizon", "f8"),  # until when the bounds of its parts hold
        # line 2
        ("kind", "i1"),
        ("queued", "i1"),  # 1: waits for its look around
        ("sensor", "i1"),  # 1: notices, and stops nothing
        ("response", "i1"),
        ("asleep", "i1"),
        ("moved", "i1"),  # 1: it was elsewhere at the start of the step; NEW: it has not looked around since it came
        ("solved", "i1"),  # 1: its way is the solver's
        ("pile", "i1"),  # 1: it has contacts in the solver in this step; 2: it had in the one before; 3: both
        ("first_part", "i4"),
        ("part_count", "i4"),
        ("mask", "i8"),  # bit k: meets layer k
        ("layer", "i8"),  # bit k: is on layer k
        ("stamp", "i8"),  # changes when the body does: what was predicted for another stamp is void
        ("spin", "f8"),  # radians a second
        ("way_spin", "f8"),  # of its way
        ("angle", "f8"),
        # line 3
        ("pull_x", "f8"),  # acceleration along its way
        ("pull_y", "f8"),
        ("pull_spin", "f8"),
        ("inverse_mass", "f8"),  # 0: immovable
        ("inverse_inertia", "f8"),  # 0: does not turn by impacts
        ("restitution", "f8"),
        ("friction", "f8"),
        ("swift", "f8"),  # the acceleration that it feels without contacts
        # line 4
        ("spare_x", "f8"),  # what rounding has left out of x and y
        ("spare_y", "f8"),
        ("sweep", "f8"),  # how far from (x, y) it reaches
        ("size", "f8"),  # half of its least width; of a Segment half its length; infinite for static ones without width
        ("timer", "f8"),  # for how long it has been slow enough to sleep
        ("ring", "i8"),  # the next one of those that fell asleep together
        ("serial", "i8"),  # number of the body, never given twice
        ("hits", "i8"),  # impacts in a row without progress in time
        # line 5
        ("last_hit", "f8"),  # when it was hit last
        ("acceleration_x", "f8"),  # in addition to gravity
        ("acceleration_y", "f8"),
        ("acceleration_spin", "f8"),
        ("one_way_x", "f8"),  # blocks only what comes from this side; 0, 0: blocks everything
        ("one_way_y", "f8"),
        ("padding", "f8", 2),
    ]
)

SOLVING = np.dtype(
    [
        ("next_x", "f8"),  # the velocity that the solver gives it for its way
        ("next_y", "f8"),
        ("next_spin", "f8"),
        ("place", "i8"),  # among the speeds of its island
        ("root", "i8"),  # on the way to the body that stands for its island
        ("island", "i8"),
        ("mark", "i8"),  # what a stage has noted of it; 0 in between
        ("stood_x", "f8"),  # where it stood when its timer began
        ("stood_y", "f8"),
        ("stood_angle", "f8"),
    ]
)
