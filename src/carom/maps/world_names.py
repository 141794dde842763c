"""Maps of a world that are told by a pattern of their file names: letters, and two groups for column and row.

In: a regular expression from a .world file, and names. Out: the two numbers in each name that fits. Python's own search
may take longer than anybody waits, so that a file could hang whoever reads it. Here each character of a name is tried
once at most with each piece of the pattern. That leaves out alternatives and groups that repeat.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from carom._core import inputs

LONGEST = 100
"""Characters of a pattern; so long a name is tried in a quarter of a second, whatever the pattern."""

_PIECE = re.compile(
    r"(?P<group>[()](?![?*+{]))|(?P<end>[\^$])"
    r"|(?P<one>\\[dDwWsS]|\\[^\w\s]|\[\^?\]?(?:\\[dwsDWS]|\\[^\w\s]|[^\]\\\[])*\]|\.|[^\\\[\](){}*+?|^$])"
    r"(?:(?P<mark>[*+?])|\{(?P<least>\d{1,3})(?P<comma>,)?(?P<most>\d{1,3})?\})?(?![*+?{])"
)
_MARKS = {"*": (0, 999), "+": (1, 999), "?": (0, 1), None: (1, 1)}


class _Piece(NamedTuple):
    """One kind of character, and how often it stands there; or a place: one of ( ) ^ $."""

    fits: Callable[[str], object] | None
    least: int
    most: int
    place: str


def find_numbers(pattern: str, names: list[str]) -> list[tuple[str, int, int]]:
    """Return the names in which a pattern is found, each with the numbers that its two groups take.

    Raises
    ------
    ValueError
        The pattern has not two groups, or is more than is read here; or a group takes what is no number.
    """
    pieces = _pieces(pattern)
    found = []
    for name in names:
        ends = _search(pieces, name)
        if ends is not None:
            numbers = name[ends[0] : ends[1]], name[ends[2] : ends[3]]
            if not all(re.fullmatch(r"-?[0-9]{1,9}", number) for number in numbers):
                raise ValueError(f"{name!r} has {numbers[0]!r} and {numbers[1]!r}, which must be whole numbers")
            found.append((name, int(numbers[0]), int(numbers[1])))
    return found


def _pieces(pattern: str) -> list[_Piece]:
    """Return a pattern piece by piece."""
    pieces, at = [], 0
    while at < len(pattern):
        piece = _PIECE.match(pattern, at)
        if piece is None or len(pattern) > LONGEST:
            known = f"characters, classes and their repetitions are, in at most {LONGEST} characters"
            raise ValueError(f"{inputs.short(pattern[at:])} in it is not read here; {known}")
        least, most = _MARKS[piece["mark"]]
        if piece["least"] is not None:
            least = int(piece["least"])
            most = int(piece["most"]) if piece["most"] else 999 if piece["comma"] else least
        try:
            fits = re.compile(piece["one"], re.ASCII).fullmatch if piece["one"] else None
        except re.error as error:
            raise ValueError(f"{piece['one']!r} is no class of characters: {error}") from None
        pieces.append(_Piece(fits, least, most, piece["group"] or piece["end"] or ""))
        at = piece.end()
    if "".join(piece.place for piece in pieces if piece.place in "()") != "()()":
        raise ValueError("it must have two groups: the numbers of the column and the row")
    return pieces


def _search(pieces: list[_Piece], name: str) -> tuple[int, ...] | None:
    """Return where the groups of a pattern begin and end in a name, None if it is not found."""
    hopeless: set[tuple[int, int]] = set()

    def rest(number: int, at: int) -> tuple[int, ...] | None:
        if number == len(pieces):
            return ()
        if (number, at) in hopeless:
            return None
        fits, least, most, place = pieces[number]
        if fits is None:
            stands = place in "()" or at == (0 if place == "^" else len(name))
            ends = rest(number + 1, at) if stands else None
            if ends is not None:
                return (at, *ends) if place in "()" else ends
        else:
            longest = at
            while longest - at < most and longest < len(name) and fits(name[longest]):
                longest += 1
            for end in range(longest, at + least - 1, -1):
                ends = rest(number + 1, end)
                if ends is not None:
                    return ends
        hopeless.add((number, at))
        return None

    for start in range(len(name) + 1):
        ends = rest(0, start)
        if ends is not None:
            return ends
    return None
