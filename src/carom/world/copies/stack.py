"""The tables of many copies of one world: what each copy has of its own, and what they use in turn.

In: the tables of one world between two steps, and how many copies. Out: those of each copy, and their addresses.
Tables that last from step to step are stacked, the copy as the first axis; a table that a copy has outgrown is its
own, beside the others. Tables that matter within a step alone are lent: the copies that a thread plays, one after the
other, use the same ones, which stay in the processor's cache. A copy that is left within a step keeps those that it
uses.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom._core.jit import is_compiled
from carom._core.jit.addresses import PLACES, addresses_of
from carom._core.types import Integers
from carom.world.step.declared import Array, arrays_in, arrays_of, blank_rows
from carom.world.step.piles import Piles
from carom.world.step.tables import Tables

Both = tuple[Tables, Piles]


class Kept(NamedTuple):
    """What lasts of some copies from step to step, by number of the table."""

    many: int
    whole: dict[int, NDArray[Any]]
    """Of the tables of all copies, (count, ...)."""
    shared: dict[int, NDArray[Any]]
    """Those that all copies have in common."""
    own: dict[int, dict[int, NDArray[Any]]]
    """The longer tables that some have of their own; of those that are lent, only the length matters."""
    lent: dict[int, int]
    """How long those are that copies use in turn."""


class Stack:
    """The tables of copies."""

    def __init__(self, tables: Tables, piles: Piles, count: int) -> None:
        self.count, self.parts = count, 1
        self._forms = [one for part in (tables, piles) for _, one in arrays_in(part)]
        self._first = [array for part in (tables, piles) for array, _ in arrays_in(part)]
        """The tables with which all copies begin, as long as they are."""
        self._lent = [i for i, one in enumerate(self._forms) if one.length.in_turn]
        self._shared = {i for i, one in enumerate(self._forms) if one.length.shared}
        self._whole = [
            array if i in self._shared or one.length.in_turn else self._repeated(array)
            for i, (array, one) in enumerate(zip(self._first, self._forms, strict=True))
        ]
        self._name_tables()
        self._own: dict[int, dict[int, NDArray[Any]]] = {}
        """Of copies with tables longer than those they began with, or kept within a step: these, by number."""
        self._kept: set[int] = set()
        self._pools: list[dict[tuple[int, int], NDArray[Any]]] = [{}]
        """Of each part of the copies: what it lends, by number and length."""
        self._words = np.empty((count, PLACES * len(self._forms)), dtype=np.int64)
        self._rows: list[Integers] = []
        self._steps = np.zeros(self._words.shape[1], dtype=np.int64)
        for i in range(len(self._whole)):
            self._note_step(i)
        self._assigned = False
        self.addresses(1)

    def _repeated(self, array: Any) -> Any:
        return _as_rows(np.repeat(np.asarray(array)[None], self.count, 0))

    def _name_tables(self) -> None:
        whole = iter(self._whole)
        self.tables: Tables = _tuple_of(Tables, whole)
        """Those that are stacked; of what is lent, nothing that holds for any copy."""
        self.piles: Piles = _tuple_of(Piles, whole)

    def _note_step(self, i: int) -> None:
        """Note how far table i of a copy is from that of the copy before."""
        self._steps[PLACES * i] = 0 if i in self._shared or i in self._lent else self._whole[i].strides[0]

    def _part(self, i: int) -> None:
        """Give each copy a table of its own that all have had in common."""
        self._shared.discard(i)
        self._whole[i] = self._repeated(self._first[i])
        self._name_tables()
        self._note_step(i)
        self._assigned = False

    def part_models(self) -> None:
        """Give each copy models of its own, so that shapes can be others."""
        i = list(arrays_of(Tables)).index("models")
        if i in self._shared:
            self._part(i)

    def addresses(self, parts: int | None = None) -> Integers:
        """Return the addresses of all tables, (n, words), for so many threads, each of which plays its `range_of`."""
        if parts is not None and parts != self.parts:
            self._assigned = False
        if not self._assigned:
            self._assign(self.parts if parts is None else parts)
        return self._words

    def range_of(self, part: int) -> tuple[int, int]:
        """Return the copies of a part: from the first up to the last."""
        return self.count * part // self.parts, self.count * (part + 1) // self.parts

    def _part_of(self, k: int) -> int:
        return next(part for part in range(self.parts) if k < self.range_of(part)[1])

    def _assign(self, parts: int) -> None:
        """Have each part of the copies lend tables of its own, and write all addresses."""
        self.parts = parts
        self._pools += [{} for _ in range(len(self._pools), parts)]
        self._rows = []
        for part in range(parts):
            first = [
                self._borrowed(part, i, len(array)) if i in self._lent else array if i in self._shared else array[0]
                for i, array in enumerate(self._whole)
            ]
            self._rows.append(addresses_of(first))
            begin, end = self.range_of(part)
            self._write_start(np.arange(begin, end), part)
        for k, own in self._own.items():
            part = self._part_of(k)
            for i in [] if k in self._kept else [i for i in self._lent if i in own]:
                rows = len(own.pop(i))
                if rows != len(self._first[i]):
                    own[i] = self._borrowed(part, i, rows)
            self._write(k)
        self._assigned = True

    def _borrowed(self, part: int, i: int, rows: int) -> NDArray[Any]:
        """Return the table of a number and length that a part lends."""
        found = self._pools[part].get((i, rows))
        if found is None:
            found = self._pools[part][i, rows] = blank_rows(self._forms[i], rows)
        return found

    def _write_start(self, copies: Integers, part: int) -> None:
        """Write the addresses of copies of a part whose tables are as long as those that they began with."""
        self._words[copies] = self._rows[part] + copies[:, None] * self._steps

    def _write(self, k: int) -> None:
        """Write the addresses of the tables that a copy has of its own."""
        for i, array in self._own.get(k, {}).items():
            self._words[k, PLACES * i : PLACES * (i + 1)] = addresses_of((array,))

    def _array(self, k: int, i: int, fresh: bool) -> NDArray[Any]:
        """Return table i of a copy; what is lent as it begins, if `fresh` and the copy does not keep it."""
        one, found = self._forms[i], self._own.get(k, {}).get(i)
        if one.length.in_turn and not (k in self._kept and found is not None):
            rows = len(self._first[i] if found is None else found)
            return blank_rows(one, rows) if fresh else self._borrowed(self._part_of(k), i, rows)
        if found is not None:
            return found
        whole: NDArray[Any] = self._whole[i]
        return whole if i in self._shared else whole[k]

    def of(self, k: int, fresh: bool = False) -> Both:
        """Return the tables of a copy, those that are lent as it finds them, or `fresh`."""
        arrays = iter([self._array(k, i, fresh) for i in range(len(self._forms))])
        return _tuple_of(Tables, arrays), _tuple_of(Piles, arrays)

    def put(self, k: int, tables: Tables, piles: Piles) -> None:
        """Write the tables of a copy: those that are longer, or shorter, than those that it has, in their place."""
        assigned, self._assigned = self._assigned, False
        own = self._own.get(k, {})
        for i, (array, one) in enumerate(part for given in (tables, piles) for part in arrays_in(given)):
            begun = self._array(k, i, False)
            if array.__array_interface__["data"] == begun.__array_interface__["data"]:
                continue
            if i in self._shared:
                if len(array) == len(begun) and np.array_equal(array, begun):
                    continue
                self._part(i)
                assigned, begun = False, self._array(k, i, False)
            if len(array) == len(begun):
                begun[...] = array
                continue
            own[i] = array
            if one.length.in_turn and k not in self._kept:
                own[i] = self._borrowed(self._part_of(k), i, len(array))
                own[i][...] = array
        if own:
            self._own[k] = own
        self._write(k)
        self._assigned = assigned

    def keep(self, k: int) -> None:
        """Have a copy keep the tables that it uses within its step, and its part lend others from now on."""
        self._assigned = False
        self._own[k] = self._own.get(k, {}) | {i: self._array(k, i, False) for i in self._lent}
        self._kept.add(k)
        self._pools[self._part_of(k)] = {}

    def is_kept(self, k: int) -> bool:
        """Tell whether a copy keeps the tables that it uses within its step."""
        return k in self._kept

    def give_back(self) -> None:
        """Have the copies that keep tables use those again that are lent: their steps have ended."""
        if self._kept:
            self._assigned = False
            self._kept.clear()

    def kept_of(self, copies: Integers) -> Kept:
        """Return all that lasts of some copies from step to step."""
        lasting = [i for i in range(len(self._whole)) if i not in self._shared and i not in self._lent]
        whole = {i: self._whole[i][copies].copy() for i in lasting}
        own = {}
        for n, k in enumerate(copies.tolist()):
            if k in self._own:
                own[n] = {i: array if i in self._lent else array.copy() for i, array in self._own[k].items()}
        lent = {i: len(self._first[i]) for i in self._lent}
        return Kept(len(copies), whole, {i: self._whole[i] for i in self._shared}, own, lent)

    def write(self, copies: Integers, kept: Kept, which: Integers) -> None:
        """Write what was kept, `which` of it for each, into some copies."""
        for i in sorted(self._shared):
            one: Any = kept.shared.get(i)
            if i in kept.whole or not (one is self._whole[i] or np.array_equal(one, self._whole[i])):
                self._part(i)
        assigned, self._assigned = self._assigned, False
        others: dict[int, Any] = {i: rows for i, rows in kept.lent.items() if rows != len(self._first[i])}
        for i, whole in enumerate(self._whole):
            given = kept.whole.get(i, kept.shared.get(i))
            if given is None or i in self._shared:
                continue
            of_each = i in kept.whole
            if given.shape[of_each:] != whole.shape[1:]:
                others[i] = given if of_each else np.broadcast_to(given, (kept.many, *given.shape))
            else:
                whole[copies] = given[which] if of_each else given
        for k in copies.tolist():
            self._own.pop(k, None)
            self._kept.discard(k)
        for part in range(self.parts):
            begin, end = self.range_of(part)
            self._write_start(copies[(copies >= begin) & (copies < end)] if self.parts > 1 else copies, part)
        for k, n in zip(copies.tolist(), which.tolist(), strict=True) if others or kept.own else ():
            self._put_own(k, {i: one if i in self._lent else one[n] for i, one in others.items()}, kept.own.get(n, {}))
        self._assigned = assigned

    def _put_own(self, k: int, lengths: dict[int, Any], own: dict[int, NDArray[Any]]) -> None:
        """Have a copy have tables of other lengths: of those that are lent borrowed ones, of the others copies."""
        part, made = self._part_of(k), {}
        for i, one in {**lengths, **own}.items():
            rows = one if isinstance(one, int) else len(one)
            made[i] = self._borrowed(part, i, rows) if i in self._lent else one.copy()
        if made:
            self._own[k] = made
            self._write(k)

    def lengths(self, name: str) -> Integers:
        """Return how long a table of the piles is in each copy."""
        i = len([*arrays_in(self.tables)]) + list(arrays_of(Piles)).index(name)
        found: Integers = self._words[:, PLACES * i + 1]
        return found

    def rows_of(self, name: str, counts: Integers) -> NDArray[Any]:
        """Return the first so many rows that each copy has of a table of the world, one behind the other."""
        i = list(arrays_of(Tables)).index(name)
        copies = np.repeat(np.arange(self.count), counts)
        rows = np.arange(copies.size) - np.repeat(np.cumsum(counts) - counts, counts)
        whole = self._whole[i]
        found: NDArray[Any] = whole[copies, np.minimum(rows, whole.shape[1] - 1)]
        for k in [k for k, own in self._own.items() if i in own and counts[k]]:
            found[copies == k] = self._own[k][i][: counts[k]]
        return found

    def room(self) -> int:
        """Return how many bytes all tables take."""
        arrays: list[Any] = [*self._whole, *(one for pool in self._pools for one in pool.values())]
        for k, own in self._own.items():
            arrays += [one for i, one in own.items() if k in self._kept or i not in self._lent]
        found: int = sum(one.nbytes for one in arrays) + self._words.nbytes
        return found


def tables_in(kept: Kept, n: int) -> Both:
    """Return the tables of one of the copies of which something was kept; those that are lent as they begin."""
    own, forms = kept.own.get(n, {}), [one for kind in (Tables, Piles) for one in _forms_of(kind)]
    arrays = []
    for i, one in enumerate(forms):
        if one.length.in_turn:
            arrays.append(blank_rows(one, len(own[i]) if i in own else kept.lent[i]))
        else:
            arrays.append(own[i] if i in own else kept.shared[i] if i in kept.shared else kept.whole[i][n])
    given = iter(arrays)
    return _tuple_of(Tables, given), _tuple_of(Piles, given)


def _forms_of(kind: Any) -> Iterator[Array]:
    for one in arrays_of(kind).values():
        if isinstance(one, Array):
            yield one
        else:
            yield from _forms_of(one)


def _as_rows(array: Any) -> Any:
    """Return an array of records as plain Python reads it."""
    return array if is_compiled() or array.dtype.names is None else array.view(np.recarray)


def _tuple_of(kind: Any, arrays: Iterator[Any]) -> Any:
    """Return a named tuple of tables of the arrays that come next."""
    return kind(
        *(next(arrays) if isinstance(one, Array) else _tuple_of(one, arrays) for one in arrays_of(kind).values())
    )
