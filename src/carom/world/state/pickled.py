"""What a pickle holds of a world, and of each of many copies of one.

In: a store. Out: all of it as plain values, without addresses and without the user's data; and from those again what a
store is made of, checked, or a ValueError. Whoever pickles puts a seal on the plain values. What the user gave may lead
back to the world, so it is pickled beside them, by row.
"""

from __future__ import annotations

from pickle import PickleError
from typing import Any, NoReturn

import numpy as np

from carom._core.layers import Layers
from carom._core.sealed import opened
from carom._core.types import Integers
from carom.shapes.proxy import COUNT, POINTS, STRIDE
from carom.world.state.checked import check_store
from carom.world.state.table_bytes import models_apart, names_column, packed, unpacked
from carom.world.step.piles import make_piles
from carom.world.step.tables import DYNAMIC, GONE, MOST_LEVELS, Tables, make_tables
from carom.world.step.ways.neighbours import PER_UNIT, REACHES, ROOM, UNITS

OF_USER = ("data", "joint_data")
"""What the user gave, of bodies and of joints, by row."""
OF_GONE = "gone_data"
"""The same of those that were removed lately, by their keys."""
UNREADABLE = (AttributeError, EOFError, ImportError, IndexError, KeyError, TypeError, ValueError, PickleError)
"""What is raised while a pickle is taken apart that is damaged, or of another version's making."""


def refuse_pickle(what: str, error: Exception) -> NoReturn:
    """Raise the error of a pickle that cannot be read."""
    raise ValueError(f"{what}: the pickle is damaged, or no world's: {type(error).__name__}: {error}") from None


def given_by_user(store: Any) -> dict[str, Any]:
    """Return the user's data of bodies and of joints, by row, and of those that were removed lately."""
    found = {name: {k: one for k, one in enumerate(getattr(store, name)) if one is not None} for name in OF_USER}
    return found | {OF_GONE: store.gone_data}


def plain(store: Any) -> dict[str, Any]:
    """Return all but the user's data as plain values, without the addresses of the tables."""
    state = {name: value for name, value in vars(store).items() if name not in ("known", OF_GONE, *OF_USER)}
    return state | {
        "tables": packed(store.tables, store.unfinished),
        "piles": packed(store.piles, store.unfinished),
        "layers": (store.layers.names, store.layers.given),
        "exits": [tuple(one) for one in store.exits],
    }


def content_of(state: dict[str, Any]) -> dict[str, Any]:
    """Return the plain values of a pickled store."""
    try:
        sealed = state.get("sealed")
        content: dict[str, Any] = state if sealed is None else opened(*sealed)  # no seal before 0.3.0
    except UNREADABLE as error:
        refuse_pickle("World", error)
    return content


def note_upright(w: Tables) -> list[int]:
    """Note what versions did not keep in which angles counted from where a body was added; return the bodies' rows."""
    bodies = w.bodies
    bodies["upright"] = (bodies["kind"] == DYNAMIC) & (bodies["inverse_inertia"] == 0.0) & (bodies["sweep"] > 0.0)
    rows: list[int] = np.flatnonzero(bodies["kind"][: int(w.state["bodies"][0])] != GONE).tolist()
    return rows


def note_bounds(w: Tables) -> None:
    """Write the bounds of all parts in the grid: worlds of earlier versions had none."""
    placed = w.parts[w.parts["cell"] >= 0]
    for axis in "xy":
        w.state[f"least_{axis}"] = min(0.0, w.state[f"least_{axis}"][0], placed[f"fat_low_{axis}"].min(initial=0.0))
        w.state[f"most_{axis}"] = max(0.0, w.state[f"most_{axis}"][0], placed[f"fat_high_{axis}"].max(initial=0.0))


def note_reaches(w: Tables) -> None:
    """Write how far the parts of each level reach beyond their cells: worlds of earlier versions had none."""
    placed = w.parts[w.parts["cell"] >= 0]
    levels = placed["cell"] >> 50
    size = np.maximum(*(placed[f"fat_high_{axis}"] - placed[f"fat_low_{axis}"] for axis in "xy"))
    w.levels[REACHES:] = 0
    reaches = np.minimum(size * PER_UNIT[levels], 1.0) * UNITS / 2
    np.maximum.at(w.levels, REACHES + levels, reaches.astype(np.int32) + ROOM)


def note_models(w: Tables, starts: Integers) -> None:
    """Write the models of parts where their records are; versions before 0.5.0 had them in the buffer, at `starts`."""
    parts = slice(int(w.state["parts"][0]))
    records, counts = w.parts["record"][parts], w.buffer[w.parts["record"][parts] + COUNT].astype(np.int64)
    for record, model, size in zip(records, starts[parts], POINTS + STRIDE * counts, strict=True):
        w.models[record : record + size] = w.buffer[model : model + size]


def read_plain(content: dict[str, Any], given: dict[str, Any], fresh: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """Return the attributes of a store, and whether a version has pickled them that kept no upright bodies.

    What a version did not keep is as in a `fresh` store.
    """
    try:
        earlier = not names_column(content["tables"], "upright")
        tables, piles = unpacked(content["tables"], make_tables()), unpacked(content["piles"], make_piles(1, 1, 1))
        levels = np.append(tables.levels[:REACHES], np.zeros(MOST_LEVELS)).astype(np.int32)
        if (starts := models_apart(content["tables"])) is not None:
            note_models(tables, starts)
        state = {**fresh, **content, "tables": tables._replace(levels=levels), "piles": piles}
        if isinstance(state["layers"], tuple):  # versions before 0.3.0 pickled the object
            state["layers"] = Layers(*state["layers"])
        for name, count in zip(OF_USER, (len(state["shapes"]), int(tables.state["joints"][0])), strict=True):
            state[name] = _rows_of_user(given.get(name, {}), count)
        state[OF_GONE] = given.get(OF_GONE, {})
    except UNREADABLE as error:
        refuse_pickle("World", error)
    check_store(state)
    return state, earlier


def _rows_of_user(given: Any, count: int) -> list[Any]:
    """Return what the user gave as a list of so many rows; versions before 0.3.0 pickled that list."""
    if type(given) is list:
        return given
    found: list[Any] = [None] * count
    for row, one in given.items():
        found[row] = one
    return found
