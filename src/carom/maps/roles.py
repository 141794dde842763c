"""Roles of layers, tiles and objects: solid, one-way, trigger, or no part in collision.

In: custom properties, classes and names as a map has them, and the user's `roles`. Out: a `Role`. A property counts
before a class, a class before a name, and the user's word on a class or name before its own meaning. Names fit whatever
their case; a name in `roles` that the map does not have is refused, since nothing would come of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from carom._core import inputs
from carom._core.names import near_name
from carom.vector import Point2

SOLID, ONE_WAY, TRIGGER, IGNORE = "solid", "one_way", "trigger", "ignore"
DIRECTIONS: dict[str, Point2] = {"up": (0.0, -1.0), "down": (0.0, 1.0), "left": (-1.0, 0.0), "right": (1.0, 0.0)}
WORDS = {SOLID, TRIGGER, IGNORE, ONE_WAY, *(f"{ONE_WAY}_{side}" for side in DIRECTIONS)}


class Role(NamedTuple):
    """A role, and for a one-way edge the direction that it looks in, with y down."""

    name: str
    direction: Point2 = DIRECTIONS["up"]


class Roles:
    """The user's words for classes, layers and values, and the words that need no explanation."""

    def __init__(self, where: str, given: Any) -> None:
        if given is None:
            given = {}
        if not isinstance(given, Mapping):
            inputs.refuse(TypeError, where, "roles", given, f"must be a mapping, not {type(given).__name__}")
        self._where = where
        self._given: dict[str | int, tuple[str | int, str]] = {}
        """The name as it was given, and its word, by the name without its case."""
        self._there: dict[str | int, str | int] = {}
        """The names that the map has, by the name without its case."""
        for name, word in given.items():
            if isinstance(name, bool) or not isinstance(name, (str, int)):
                inputs.refuse(TypeError, where, "a key of roles", name, "must be a name, or a value of an IntGrid")
            if not isinstance(word, str) or word not in WORDS:
                expected = f"must be one of {', '.join(sorted(WORDS))}"
                inputs.refuse(ValueError, where, f"roles[{name!r}]", word, expected)
            told = self._given.setdefault(without_case(name), (name, word))
            if told[1] != word:
                expected = f"contradicts roles[{told[0]!r}] = {told[1]!r}: names are told apart without their case"
                inputs.refuse(ValueError, where, f"roles[{name!r}]", word, expected)

    def meet(self, *names: str | int | None) -> None:
        """Take note of names that the map has: a role of another name fits nothing."""
        self._there.update((without_case(name), name) for name in names if name is not None and name != "")

    def refuse_unfit(self) -> None:
        """Refuse a role that fits nothing that the map has."""
        for key, (name, word) in self._given.items():
            if key not in self._there:
                there = [str(one) for one in self._there.values()]
                hint = near_name(str(name), there) or f"; there are {inputs.short(', '.join(there))}"
                inputs.refuse(ValueError, self._where, f"roles[{name!r}]", word, f"fits nothing in the map{hint}")

    def named(self, *names: str | int | None) -> Role | None:
        """Return the role of the first name that has one."""
        self.meet(*names)
        for name in names:
            if name is not None and without_case(name) in self._given:
                return role_of(self._given[without_case(name)][1])
            word = str(name).strip().lower().replace("-", "_").replace(" ", "_").replace("oneway", ONE_WAY)
            if name and word in WORDS:
                return role_of(word)
        return None

    def of(self, properties: Mapping[str, Any], *names: str | int | None) -> Role | None:
        """Return the role that properties give, else that of the first name that has one.

        Raises
        ------
        ValueError
            A property with a value that means nothing. The text has no caller's name.
        """
        self.meet(*names)
        for word in (SOLID, ONE_WAY, TRIGGER):
            value = properties.get(word)
            if value is None:  # not there, or a field of LDtk that is left empty
                continue
            if value is True or (word == ONE_WAY and value == ""):
                return Role(word)
            if value is False:
                return Role(IGNORE)
            if word == ONE_WAY and isinstance(value, str) and value.lower() in DIRECTIONS:
                return Role(word, DIRECTIONS[value.lower()])
            allowed = "true, false" + (", up, down, left or right" if word == ONE_WAY else "")
            raise ValueError(f"property {word} = {value!r} must be {allowed}")
        return self.named(*names)


def without_case(name: str | int) -> str | int:
    """Return a name as names are told apart."""
    return name.casefold() if isinstance(name, str) else name


def role_of(word: str) -> Role | None:
    """Return the role of a word; None if it begins as a one-way edge and names no direction."""
    side = word.removeprefix(ONE_WAY).lstrip("_") or "up"
    if not word.startswith(ONE_WAY):
        return Role(word)
    return Role(ONE_WAY, DIRECTIONS[side]) if side in DIRECTIONS else None
