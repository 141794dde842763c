"""Pickles name public classes, and one module of Carom: all other files can be renamed without a pickle being lost."""

from __future__ import annotations

import pickle
import pickletools
from collections.abc import Iterator
from typing import Any

import pytest

import carom as cm

STAYS = "carom._core.sealed."
RING = [(20, 20), (24, 20), (24, 21), (21, 21), (21, 23), (20, 23)]


def world() -> cm.World:
    """Return a world with a body of each kind of shape, a set, a shape that was set, a sensor, a joint and data."""
    made = cm.World(gravity=(0, -10))
    made.add(cm.Box((0, -1), (60, 2)), layer="ground")
    ball = made.add(cm.Circle((0, 0.4), 0.5), kind="dynamic", mask=("ground", "default"), data=cm.Vec(1, 2))
    made.add_many(cm.Shapes.circles([(3, 3), (5, 5)], 0.5), kind="dynamic")
    made.add(cm.Polygon([(8, 8), (9, 8), (8.5, 9)]), kind="dynamic").shape = cm.Capsule((8, 8), (9, 8), 0.2)
    made.add(cm.Segment((-4, 3), (-3, 4)), kind="dynamic")
    made.add(cm.decompose(RING), kind="dynamic")
    made.add(cm.Compound.from_parts([cm.Circle((30, 3), 1), cm.Box((31, 3), (1, 1))]), kind="dynamic")
    made.add(cm.Circle((0, 0), 1), sensor=True)
    made.pin(ball, None, (0, 0.4), data="hinge")
    return made


def things() -> dict[str, Any]:
    """Return an object of each kind that a user may keep of a world."""
    made = world()
    with cm.Recording(made) as tape:
        hits = made.step(1 / 60, 40)
        made.add(cm.Box((40, 3), (1, 1)), kind="dynamic")
        made.step(1 / 60)
    many = made.copies(2)
    made.body(2).shape  # noqa: B018 - it is made when asked for
    return {
        "world": made,
        "copies": many,
        "snapshot": made.snapshot(),
        "recording": tape,
        "replay": tape.replay(),
        "hits": hits,
        "hit": hits[0],
        "kind": hits[0].kind,
        "hits of copies": many.step(1 / 60),
        "body": made.body(1),
        "joint": made.joints[0],
        "overlaps": made.overlaps(),
        "contacts": made.contacts(),
        "answers": [made.raycast((0, 9), (0, -20)), made.nearest((0, 0)), many.raycast((0, 9), (0, -20))],
        "vector": cm.Vec(1, 2),
        "compound": cm.decompose(RING),
        "set": cm.Shapes.circles([(0, 0)], 1),
    }


THINGS = things()


def named(data: bytes) -> Iterator[str]:
    """Yield the modules with names that a pickle names, and the pickles within it."""
    texts: list[str] = []
    for operation, given, _ in pickletools.genops(data):
        if isinstance(given, str):
            texts.append(given)
        if operation.name == "STACK_GLOBAL":
            yield ".".join(texts[-2:])
        elif operation.name == "GLOBAL":
            yield str(given).replace(" ", ".")
        elif isinstance(given, bytes) and given[:1] == b"\x80" and given[-1:] == b".":
            yield from named(given)


@pytest.mark.parametrize("protocol", [2, 4, 5])
@pytest.mark.parametrize("name", THINGS)
def test_no_inner_module_is_named(name: str, protocol: int) -> None:
    data = pickle.dumps(THINGS[name], protocol)
    inner = {one for one in named(data) if "carom" in one and not one.startswith(STAYS)}
    assert not inner
    assert type(pickle.loads(data)) is type(THINGS[name])


class Mine(cm.World):
    """A class that a user has made of a public one is named as Python names it."""


def test_a_class_of_a_user_is_named_as_it_is() -> None:
    again = pickle.loads(pickle.dumps(Mine()))
    assert type(again) is Mine
    assert f"{__name__}.Mine" in set(named(pickle.dumps(Mine(), 5)))
