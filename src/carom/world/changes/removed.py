"""Removed bodies and joints as they were last, so that a loop over hits may still ask for them.

In: a store, and the row of what is about to go. Out: its kind, the user's data and where it was, by the number that is
never given twice; kept until the next step but one begins, and beyond that by whoever holds a handle.
"""

from __future__ import annotations

from typing import Any

from carom.world.joints.measures import pose_of
from carom.world.reports.motion import motion_of

BODY, JOINT = 0, 1
"""The kinds of removed things: the first half of a key of `Store.gone`."""
STEPS = 2
"""Steps of which the last one to begin forgets what is gone."""

Key = tuple[int, int]
"""BODY or JOINT, and the number that is never given twice."""
Place = tuple[int, int, float, float, float, float]
"""How many steps have begun since; the number of the kind; position and angle, or both anchors."""
Gone = tuple[int, tuple[float, ...], Any]
"""The number of the kind, the place, and the user's data."""


def note_body(store: Any, row: int) -> None:
    """Keep what a body is that is about to be removed."""
    (x, y), angle, _, _ = motion_of(store.tables, row)
    body = store.tables.bodies[row]
    note(store, (BODY, int(body["serial"])), (0, int(body["kind"]), x, y, angle, 0.0), store.data[row])


def note_joint(store: Any, row: int) -> None:
    """Keep what a joint is that is about to be removed."""
    joint, pose = store.tables.joints.table[row], pose_of(store.tables, row)
    place = 0, int(joint["kind"]), *pose.anchor_a, *pose.anchor_b
    note(store, (JOINT, int(joint["serial"])), place, store.joint_data[row])


def note(store: Any, key: Key, place: Place, data: Any) -> None:
    """Keep where something is that is about to be removed, and the user's data of it."""
    store.gone[key] = place
    if data is not None:
        store.gone_data[key] = data


def gone_of(store: Any, key: Key) -> Gone | None:
    """Return what something was that was removed; None where that is not known, or no longer."""
    found: Place | None = store.gone.get(key)
    return None if found is None else (found[1], found[2:], store.gone_data.get(key))


def last_known(store: Any) -> list[Key]:
    """Return what the next step to begin forgets."""
    return [key for key, (steps, *_) in store.gone.items() if steps == STEPS - 1]


def forget_gone(store: Any) -> None:
    """Note that a step begins, and forget what was removed before the last one began."""
    if store.gone:
        store.gone = {key: (one[0] + 1, *one[1:]) for key, one in store.gone.items() if one[0] < STEPS - 1}
        store.gone_data = {key: data for key, data in store.gone_data.items() if key in store.gone}
