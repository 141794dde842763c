"""Rows in plain Python give the bits of the compiled ones, on scenes from every family, for every verb."""

from __future__ import annotations

from typing import Any

import numpy as np

import carom as cm
from tests.support import scenes
from tests.support.plain_python import printed_by_other_mode
from tests.support.verbs import STILL_VERBS, VERBS


def bits(answer: Any) -> str:
    """Return the columns of an answer to the last bit."""
    columns = answer if isinstance(answer, tuple) else (answer,)
    return " ".join(np.ascontiguousarray(column + 0).tobytes().hex() for column in columns)


def answers(rows: int) -> list[str]:
    """Return the answers of every verb for a set of each family, and for its discs and boxes by themselves."""
    found = []
    for family in scenes.FAMILIES:
        pairs = [scenes.pair(family, 70_000 + row) for row in range(rows)]
        found += of_pairs(pairs)
        plain = [pair for pair in pairs if all(isinstance(s, (cm.Circle, cm.Point, cm.Box)) for s in pair)]
        for kinds in sorted({(type(a).__name__, type(b).__name__) for a, b in plain}):
            found += of_pairs([(a, b) for a, b in plain if (type(a).__name__, type(b).__name__) == kinds])
    for family in scenes.JOURNEYS:
        journeys = [scenes.journey(family, 70_000 + row) for row in range(rows)]
        a, b = cm.Shapes([a for a, _, _ in journeys]), cm.Shapes([b for _, b, _ in journeys])
        paths = np.array([path for _, _, path in journeys])
        starts = np.array([tuple(a.position) for a, _, _ in journeys])
        found += [bits(verb.ask(a, b, paths, starts)) for verb in VERBS if verb not in STILL_VERBS]
        found.append(bits(cm.contains(b, starts)))
    return found


def of_pairs(pairs: list[scenes.Scene]) -> list[str]:
    a, b = cm.Shapes([a for a, _ in pairs]), cm.Shapes([b for _, b in pairs])
    return [bits(verb.ask(a, b)) for verb in STILL_VERBS] + [bits(cm.intersects(a, b, touching=False)), bits(a.bounds)]


def test_rows_compiled_and_plain_agree_to_the_last_bit() -> None:
    """The same sets in a process whose kernels run as plain Python, or compiled if they are plain here; none warns."""
    code = "import warnings; warnings.simplefilter('error')\n"
    code += "from tests.narrow.test_plain_python import answers\nfor line in answers(14): print(line)"
    here, there = answers(14), printed_by_other_mode(code).splitlines()
    assert len(here) == len(there)
    assert [line for line, (mine, theirs) in enumerate(zip(here, there, strict=True)) if mine != theirs] == []
