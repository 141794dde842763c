"""Layers of shapes and bodies: names, each of which stands for a bit, or the bits themselves.

In: a name, several names, or an int of bits, for all rows or one entry a row. Out: the bits of each row, int64. An
object holds one `Layers`; it hands out a bit for each name in the order of first use, after that of "default", and
takes names or bits, never both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from carom._core import inputs
from carom._core.names import near_name
from carom._core.sealed import made

MOST_LAYERS = 63
DEFAULT = "default"
A_LAYER = "must be the name of a layer, several names, or an int of bits"


AnyLayer: TypeAlias = str | Iterable[str] | int
AnyLayers: TypeAlias = AnyLayer | Sequence[AnyLayer] | NDArray[Any]
"""One for all, or one a row."""


class Layers:
    """The layers that one object knows."""

    fresh: tuple[str, ...] = ()
    """Names that masks have brought and that no step has looked at yet."""
    used = 0
    """The bits of all layers that anything was ever on; of those before a pickle nothing is known."""

    def __init__(self, names: tuple[str, ...] = (DEFAULT,), given: str = "", asks: bool = False) -> None:
        self.names = names
        """The k-th has bit k."""
        self.given = given
        """The kind of layers that the user gave so far: "names", "bits", or "" for neither."""
        self.asks = asks
        """Whether they are those of a question, which names no layer that is not there."""

    def __reduce__(self) -> tuple[Any, ...]:
        return made, ("Layers", self.names, self.given, self.asks)

    def copy(self) -> Layers:
        """Return layers of their own, to be kept once a call is known to be good."""
        found = Layers(self.names, self.given)
        found.fresh, found.used = self.fresh, self.used
        return found

    def asked(self) -> Layers:
        """Return layers for a question: a name that nothing is on and nobody has named is refused."""
        return Layers(self.names, self.given, asks=True)

    def bits(self, where: str, name: str, value: Any) -> int:
        """Return the bits of a name, of several, or of an int of bits."""
        if isinstance(value, str):
            return self._bit(where, name, value)
        if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
            self._use(where, name, value, "bits")
            return int(inputs.bits(where, name, value, 1)[0])
        found = 0
        for k, each in enumerate(inputs.listed(where, name, value, A_LAYER.removeprefix("must be "))):
            if not isinstance(each, str):
                inputs.refuse_type(where, f"{name}[{k}]", each, "must be the name of a layer")
            found |= self._bit(where, f"{name}[{k}]", each)
        return found

    def column(self, where: str, name: str, value: Any, rows: int) -> NDArray[np.int64]:
        """Return the bits of each row, (rows,).

        A list or an array has one entry a row; a name, a tuple or a set of names and an int count for all rows.
        """
        if isinstance(value, str) or _are_names(value):
            return np.full(rows, self.bits(where, name, value))
        listed = isinstance(value, list) or (isinstance(value, np.ndarray) and value.ndim > 0)
        if listed and any(isinstance(each, str) or _are_names(each) for each in value):
            if len(value) != rows:
                wrong = f"{where}: {name} has {len(value)} entries for {rows} rows"
                raise ValueError(f"{wrong}; a list has one a row, a tuple of names counts for all rows")
            return np.array([self.bits(where, f"{name}[{k}]", each) for k, each in enumerate(value)], dtype=np.int64)
        found = inputs.bits(where, name, value, rows)
        self._use(where, name, value, "bits")
        return found

    def told(self, bits: int) -> str | tuple[str, ...] | int | None:
        """Return bits as they were given: a name, several names, or the int; None for all layers."""
        if bits == -1:
            return None
        if self.given == "bits":
            return bits
        found = tuple(name for k, name in enumerate(self.names) if bits >> k & 1)
        return found[0] if len(found) == 1 else found

    def told_unused(self) -> str:
        """Return what to say of a name that a mask has brought and that nothing was ever on, or nothing; once."""
        lost = [name for name in self.fresh if not self.used >> self.names.index(name) & 1]
        self.fresh = ()
        if not lost:
            return ""
        there = [name for k, name in enumerate(self.names) if self.used >> k & 1]
        return f"nothing has ever been on layer {lost[0]!r}, which a mask names{near_name(lost[0], there)}"

    def _bit(self, where: str, name: str, value: str) -> int:
        if value == DEFAULT:
            return 1
        self._use(where, name, value, "names")
        if value not in self.names:
            if self.asks:
                hint = near_name(value, self.names) or f"; there are {', '.join(self.names)}"
                inputs.refuse(ValueError, where, name, value, f"is a layer that nothing is on{hint}")
            if len(self.names) == MOST_LAYERS:
                expected = f"is one layer more than the {MOST_LAYERS} there can be"
                inputs.refuse(ValueError, where, name, value, expected)
            self.names = (*self.names, str(value))
        return 1 << self.names.index(value)

    def _use(self, where: str, name: str, value: Any, given: str) -> None:
        if self.given not in ("", given):
            expected = f"cannot be used: its layers are given as {self.given} so far; use the one or the other"
            inputs.refuse(TypeError, where, name, value, expected)
        self.given = given


def numbers_of(bits: int) -> list[int]:
    """Return the numbers of the layers whose bits are set."""
    return [k for k in range(MOST_LAYERS) if bits >> k & 1]


def _are_names(value: Any) -> bool:
    """Tell whether a value is several names for all rows."""
    return isinstance(value, (tuple, Set)) and len(value) > 0 and all(isinstance(each, str) for each in value)
