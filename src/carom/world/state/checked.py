"""The tables of a world that comes from a pickle, checked before any kernel reads them.

In: the tables, as some process wrote them, or as a fault of a disk has changed them since. Out: nothing, or a
ValueError that names the table. A kernel believes what it reads: a row number out of range would write where nothing
may be written, and a list that leads back into itself would never end. So all numbers of rows are compared with the
rows there are, all lists are followed once, and numbers that must be finite are. What only a lie could bring about, a
world that is consistent and false, passes.
"""

from __future__ import annotations

import operator
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from carom._core.jit import kernel
from carom._core.types import Booleans, Integers
from carom.shapes.proxy import COUNT, POINTS, STRIDE
from carom.tolerances import LARGEST
from carom.world.changes.removed import JOINT, Place
from carom.world.joints.kinds import KINDS, PULLEY, REMOVED
from carom.world.joints.tables import Joint
from carom.world.step.declared import Table, Use, columns_of
from carom.world.step.piles import MOST_AT_ONCE, Piles, make_piles
from carom.world.step.tables import (
    BETWEEN,
    DYNAMIC,
    GONE,
    KINDS_TOLD,
    MOST_LEVELS,
    OPEN,
    SLOTS,
    SOLVING,
    STATIC,
    TOUCH,
    WAITING,
    Part,
    Tables,
    make_tables,
)
from carom.world.step.ways.neighbours import MARK, MIXED, NO_LIST, ROW_BITS, bucket_of, mark_of

FLAGS = {"kind": DYNAMIC, "sensor": 1, "response": 3, "asleep": 1, "moved": 2, "solved": 1, "pile": 3, "parting": 2}
"""The largest value of each small number of a body."""
MAY_BE_INFINITE = frozenset(("half_width", "horizon"))
ENDLESS = frozenset(("low", "lower", "upper", "high", "most", "breaks_force", "breaks_torque"))
"""Columns of joints that may be infinite."""


def refuse(what: str) -> None:
    """Raise the error of a world whose tables are damaged."""
    raise ValueError(f"World: the pickle is damaged, or of another world's making: {what}")


def within(what: str, rows: Any, low: int, high: int) -> None:
    """Refuse row numbers that are not from `low` up to `high`, which is not among them."""
    rows = np.asarray(rows)
    if rows.size and not (low <= rows.min() and rows.max() < high):
        refuse(f"{what} names rows that are not there")


def check_form(given: Any, model: Any, name: str = "tables") -> None:
    """Refuse tables that are not arrays of the types and dimensions of a model."""
    if isinstance(model, tuple):
        if type(given) is not type(model):
            refuse(f"{name} are of another type")
        for k, (one, other) in enumerate(zip(given, model, strict=True)):
            check_form(one, other, f"table {k} of {name}")
    elif not isinstance(given, np.ndarray) or given.ndim != model.ndim or given.shape[1:] != model.shape[1:]:
        refuse(f"{name} is no array of its kind")
    elif given.dtype != model.dtype and not (given.dtype.names and model.dtype.names):
        refuse(f"{name} holds numbers of another type")
    elif not (given.flags.c_contiguous and given.flags.writeable):
        refuse(f"{name} does not lie in one piece")


def check_tables(w: Tables, used: int, most_points: int) -> None:
    """Refuse tables with numbers that a kernel could not bear."""
    state = w.state[0]
    bodies, parts = int(state["bodies"]), int(state["parts"])
    if len(w.state) != 1 or not BETWEEN <= int(state["phase"]) <= OPEN:
        refuse("state")
    if not 0.0 <= state["later"] <= state["whole"] or state["length"] < 0.0:
        refuse("state.later is more than the step has")
    rows = min(len(one) for one in (w.bodies, w.courses, w.rests, w.queue, w.movers))
    room = min(len(w.parts), len(w.around), len(w.beside), len(w.lists) // SLOTS)
    counted = {"bodies": rows, "parts": room, "events": len(w.heap), "movers": rows, "queue": rows}
    counted |= {
        "hits": len(w.hits),
        "blows": len(w.blows),
        "inside": len(w.inside) - 1,
        "levels": MOST_LEVELS,
        "drivers": rows,
        "solved": rows,
        "struck": MOST_AT_ONCE,
    }
    for name, most in counted.items():
        if not 0 <= int(state[name]) <= most:
            refuse(f"state.{name} is more than there is room for")
    if len(w.heap) != len(w.events) or len(w.levels) != 3 * MOST_LEVELS or len(w.blows) < len(w.hits):
        refuse("the lengths of tables differ")
    for name, table in (("cells", w.cells), ("inside", w.inside)):
        if len(table) & (len(table) - 1) or not len(table):
            refuse(f"{name} has a length that is no power of two")
    check_numbers(w, bodies, parts)
    check_records(w, bodies, parts, used, most_points)
    check_lists(w, bodies, parts)


def check_numbers(w: Tables, bodies: int, parts: int) -> None:
    """Refuse small numbers out of their range, and floats that are not finite."""
    body, part = w.bodies[:bodies], w.parts[:parts]
    for name, most in FLAGS.items():
        within(f"bodies.{name}", body[name], GONE if name == "kind" else 0, most + 1)
    tables: dict[str, NDArray[Any]]
    tables = {"state": w.state, "bodies": body, "courses": w.courses[:bodies], "rests": w.rests[:bodies]}
    tables |= {name: getattr(w, name)[: int(w.state[name][0])] for name in ("hits", "blows")}
    for name, table in tables.items():
        for column in table.dtype.names or ():
            values = table[column]
            if values.dtype.kind == "f" and not (column in MAY_BE_INFINITE or (abs(values) <= LARGEST).all()):
                refuse(f"{name}.{column} is not finite")
    if np.isnan(body["half_width"]).any() or np.isnan(body["horizon"]).any():
        refuse("bodies.half_width is not a number")
    if (body["inverse_mass"] < 0.0).any() or (body["inverse_inertia"] < 0.0).any():
        refuse("bodies.inverse_mass is negative")
    within("rules", w.rules, -1, FLAGS["response"] + 1)
    live = part["body"] >= 0
    for name in ("left", "bottom", "right", "top", "width", "offset_x", "offset_y"):
        if not (abs(part[name][live]) <= LARGEST).all():
            refuse(f"parts.{name} is not finite")
    for name in ("low_x", "low_y", "high_x", "high_y", "fat_low_x", "fat_low_y", "fat_high_x", "fat_high_y"):
        if np.isnan(part[name]).any():
            refuse(f"parts.{name} is not a number")


def check_records(w: Tables, bodies: int, parts: int, used: int, most_points: int) -> None:
    """Refuse bodies whose parts are not their own, and parts whose records do not lie in the buffer."""
    body, part = w.bodies[:bodies], w.parts[:parts]
    within("parts.body", part["body"], -1, bodies)
    live = np.flatnonzero(body["kind"] != GONE)
    first, count = body["first_part"][live], body["part_count"][live]
    within("bodies.part_count", count, 1, parts + 1)
    within("bodies.first_part", first, 0, parts)
    within("bodies.part_count", first + count, 1, parts + 1)
    owned, own = np.repeat(live, count), spans(first, count)
    if (part["body"][own] != owned).any() or int((part["body"] >= 0).sum()) != owned.size:
        refuse("parts.body names other bodies than those that have the parts")
    if not 0 <= used <= min(len(w.buffer), len(w.models)) or np.isnan(w.buffer[:used]).any():
        refuse("buffer")
    starts = part["record"]
    within("parts.record", starts, 0, max(used - POINTS, 0) + 1)
    points = w.buffer[starts + COUNT]
    if not ((points >= 1.0) & (points <= most_points) & (points == points.round())).all():
        refuse("parts.record leads to no record")
    if (w.models[starts + COUNT] != points).any():
        refuse("parts.record leads to no model")
    sizes = POINTS + STRIDE * points.astype(np.int64)
    within("parts.record", starts + sizes, 0, used + 1)
    for name in ("buffer", "models"):
        if not (abs(getattr(w, name)[spans(starts, sizes)]) <= 2.0 * LARGEST).all():
            refuse(f"a record in {name} is not finite")


def spans(starts: Integers, sizes: Integers) -> Integers:
    """Return the numbers from each start on, so many each, one behind the other."""
    found: Integers = np.repeat(starts - np.cumsum(sizes) + sizes, sizes) + np.arange(int(sizes.sum()))
    return found


def check_lists(w: Tables, bodies: int, parts: int) -> None:
    """Refuse lists of rows that lead to rows which are not there, or never end."""
    state, part = w.state[0], w.parts[:parts]
    for name, most in (("movers", bodies), ("queue", bodies)):
        within(name, getattr(w, name)[: int(state[name])], 0, most)
    if (np.sort(w.heap) != np.arange(len(w.heap))).any():
        refuse("heap does not name each event once")
    if (np.sort(w.rests["ring"][:bodies]) != np.arange(bodies)).any():
        refuse("rests.ring does not lead back to where it began")
    events = w.events[w.heap[: int(state["events"])]]
    within("events.what", events["what"], 0, TOUCH + 1)
    within("events.part_a", events["part_a"], 0, parts)
    within("events.part_b", events["part_b"], -1, parts)
    within("parts.listed", part["listed"], NO_LIST, SLOTS + 1)
    listed = np.arange(SLOTS) < part["listed"][:, None]
    within("lists", w.lists[: SLOTS * parts].reshape(parts, SLOTS)[listed], 0, parts)
    hits = w.hits[: int(state["hits"])]
    within("hits.body", hits["body"], 0, bodies)
    within("hits.other", hits["other"], 0, bodies)
    within("hits.kind", hits["kind"], 0, len(KINDS_TOLD))
    within("hits.joint", hits["joint"], -1, max(int(state["joints"]), 1))
    blows = w.blows[: int(state["blows"])]
    valid = blows[blows["name"] >= 0]
    within("blows.a", blows["a"], 0, max(bodies, 1))
    within("blows.b", blows["b"], 0, max(bodies, 1))
    within("blows.name", valid["name"] >> 32, 0, parts)
    within("blows.name", valid["name"] & 0xFFFFFFFF, 0, parts)
    keys = w.inside[w.inside >= 0]
    within("inside", keys >> 31, 0, parts)
    within("inside", keys & 0x7FFFFFFF, 0, parts)
    if keys.size != int(state["inside"]) or (w.inside < -1).any():
        refuse("inside")


def forget_islands(w: Tables) -> None:
    """Have a portion begin anew that was left while its islands were solved: notes on these are not believed."""
    if SOLVING <= w.state["phase"][0] <= WAITING:
        w.state["phase"] = OPEN


def grid_is_whole(w: Tables) -> bool:
    """Tell whether the grid's lists hold each part once, in the bucket of its cell; else it is to be made anew."""
    parts = int(w.state["parts"][0])
    part, placed = w.parts[:parts], np.flatnonzero(w.parts["cell"][:parts] >= 0)
    first = np.where(w.cells >= 0, w.cells & ROW_BITS, w.cells)
    cell, links = part["cell"], np.concatenate((part["next"][placed], part["previous"][placed], first))
    if (links < -1).any() or (links >= parts).any() or (cell < -1).any() or (cell >= MOST_LEVELS << 50).any():
        return False
    if followed(w.parts, w.cells, np.zeros(parts, dtype=np.bool_)) != placed.size:
        return False
    counts = np.bincount((cell[placed] >> 50).astype(np.int64), minlength=MOST_LEVELS)
    used = w.levels[MOST_LEVELS : MOST_LEVELS + int(w.state["levels"][0])]
    same = (counts == w.levels[:MOST_LEVELS]).all()
    return bool(same) and sorted(used.tolist()) == np.flatnonzero(counts).tolist()


@kernel
def followed(parts: Table[Part], cells: Integers, seen: Booleans) -> int:
    """Follow the lists of all buckets; return how many parts they hold, -1 where one cannot be as it is."""
    count = 0
    for bucket in range(cells.shape[0]):
        if cells[bucket] < 0:
            continue
        p, last, mark = cells[bucket] & ROW_BITS, -1, cells[bucket] >> MARK
        while p >= 0:
            part = parts[p]
            if seen[p] or part.cell < 0 or part.previous != last or bucket_of(part.cell, cells.shape[0]) != bucket:
                return -1
            if mark != MIXED and mark != mark_of(part.cell):
                return -1
            seen[p] = True
            count += 1
            last = p
            p = part.next
    return count


def check_piles(w: Tables, piles: Piles) -> None:
    """Refuse contacts of bodies or parts that are not there, and tables that are too short."""
    bodies, parts = int(w.state["bodies"][0]), int(w.state["parts"][0])
    if piles.counts.shape != (2,) or not len(piles.contacts) == len(piles.old) >= 1:
        refuse("the lengths of tables of piles")
    model = make_piles(len(piles.solving), len(piles.contacts), 1)  # for more points they are made anew before a step
    if any(len(one) < len(other) for one, other in zip(_flat(piles), _flat(model), strict=True)):
        refuse("a table of piles is too short")
    within("counts", piles.counts, 0, len(piles.contacts) + 1)
    for table, count in ((piles.contacts, int(piles.counts[0])), (piles.old, int(piles.counts[1]))):
        check_contacts(table[:count], bodies, parts)
    for names, table, count in (
        (piles.names, piles.contacts, len(piles.contacts)),
        (piles.old_names, piles.old, int(piles.counts[1])),
    ):
        if len(names) & (len(names) - 1) or (names >= 0).all():
            refuse("names of contacts")
        within("names of contacts", names, -1, min(count, len(table)))
    within("solved", piles.solved[: int(w.state["solved"][0])], 0, max(bodies, 1))


def check_contacts(contacts: NDArray[Any], bodies: int, parts: int) -> None:
    """Refuse contacts of bodies or parts that are not there."""
    valid = contacts[contacts["name"] >= 0]
    within("contacts.a", contacts["a"], 0, max(bodies, 1))
    within("contacts.b", contacts["b"], 0, max(bodies, 1))
    within("contacts.count", contacts["count"], 0, 3)
    within("contacts.name", valid["name"] >> 32, 0, parts)
    within("contacts.name", valid["name"] & 0xFFFFFFFF, 0, parts)
    for column in contacts.dtype.names or ():
        if contacts[column].dtype.kind == "f" and not np.isfinite(valid[column]).all():
            refuse(f"contacts.{column} is not finite")


def check_joints(w: Tables, data: list[Any], following: int) -> None:
    """Refuse joints of bodies that are not there; the lists of joints are made anew."""
    count = int(w.state["joints"][0])
    if not 0 <= count <= len(w.joints.table) or type(data) is not list or len(data) != count:
        refuse("state.joints is more than there is room for")
    within("joints.kind", w.joints.table["kind"][count:], REMOVED, REMOVED + 1)
    within("joints.kind", w.joints.table["kind"], REMOVED, len(KINDS) + 1)
    rows = w.joints.table[:count][w.joints.table["kind"][:count] != REMOVED]
    here = np.append(w.bodies["kind"][: int(w.state["bodies"][0])] != GONE, True)  # -1 is the world
    within("joints.a", rows["a"], 0, len(here) - 1)
    within("joints.b", rows["b"], -1, len(here) - 1)
    if not (here[rows["a"]] & here[rows["b"]] & (rows["a"] != rows["b"])).all():
        refuse("joints of bodies that are not there")
    for name in ("sprung", "collides", "broken", "off"):
        within(f"joints.{name}", rows[name], 0, 2)
    within("joints.serial", rows["serial"], 0, following)
    if len(np.unique(rows["serial"])) != len(rows):
        refuse("joints.serial names a joint twice")
    for name in columns_of(Joint, Use.LASTING, Use.PASSING):
        finite = abs(rows[name]) <= LARGEST
        if not (finite | (np.isinf(rows[name]) if name in ENDLESS else False)).all():
            refuse(f"joints.{name} is not finite")
    if (rows["b"][rows["kind"] == PULLEY] < 0).any():
        refuse("joints of the kind pulley hang on the world")
    if (rows["stiffness"] < 0.0).any() or (rows["resistance"] < 0.0).any() or (rows["low"] > rows["high"]).any():
        refuse("joints.stiffness is negative, or limits are")


def _flat(tables: Any) -> list[NDArray[Any]]:
    """Return all arrays of tables, those within others, too."""
    return [a for one in tables for a in _flat(one)] if isinstance(tables, tuple) else [tables]


def check_store(state: dict[str, Any]) -> None:
    """Refuse a store whose tables and lists could do harm, before they are put to use."""
    try:
        check_all(state)
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError) as error:
        refuse(f"{type(error).__name__}: {error}")


def check_all(state: dict[str, Any]) -> None:
    """Refuse what check_store refuses, by any error."""
    w, piles = state["tables"], state["piles"]
    check_form(w, make_tables())
    check_form(piles, make_piles(1, 1, 1), "piles")
    used, most = operator.index(state["used"]), operator.index(state["most_points"])
    if not 1 <= most <= len(w.buffer):
        refuse("the number of points")
    check_tables(w, used, most)
    check_piles(w, piles)
    bodies, parts = int(w.state["bodies"][0]), int(w.state["parts"][0])
    for name in ("shapes", "data"):
        if type(state[name]) is not list or len(state[name]) != bodies:
            refuse(f"the list of {name}")
    gone: Integers = np.flatnonzero(w.bodies["kind"][:bodies] == GONE)
    free = [*state["free_rows"], *state["departed"]]
    if sorted(free) != gone.tolist():
        refuse("the rows that are free")
    for sizes, firsts in state["free_parts"].items():
        for first in firsts:
            own = slice(int(first), int(first) + len(sizes))
            within("the parts that are free", first, 0, parts - len(sizes) + 1)
            counts = w.buffer[w.parts["record"][own] + COUNT]
            if (w.parts["body"][own] >= 0).any() or (POINTS + STRIDE * counts).tolist() != list(sizes):
                refuse("the parts that are free")
    within("arrived", list(state["arrived"]), 0, bodies)
    within("overlapping", list(state["overlapping"]), 0, bodies)
    for one in state["exits"]:
        within("exits", one[:2], 0, bodies)
    for (what, _), one in state["gone"].items():
        within("gone", one[1], 1 if what == JOINT else STATIC, len(KINDS) + 1 if what == JOINT else DYNAMIC + 1)
        if len(one) != len(get_args(Place)):
            refuse("gone")
    check_joints(w, state["joint_data"], operator.index(state["next_joint"]))
    if not 0 <= int(state["told"]) <= int(w.state["hits"][0]):
        refuse("told")
