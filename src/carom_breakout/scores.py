"""High scores, kept from one start of the game to the next in a file in the user's own folder.

In: a score and the level that it was made in. Out: the best scores so far, and the place of the new one. A file that
cannot be read counts as empty, and one that cannot be written costs the scores, never the game.
"""

from __future__ import annotations

import json
import os
import sys
import uuid
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

KEPT = 5
FILE = "breakout-scores.json"


class Score(NamedTuple):
    """One score: the points, the name of the level in which the game ended, the day."""

    points: int
    level: str
    day: str


def folder() -> Path:
    """Return the folder where programs of this user keep their data, by the custom of the system.

    The environment's CAROM_DATA comes first.
    """
    chosen = os.environ.get("CAROM_DATA")
    if chosen:
        return Path(chosen)
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or home / "AppData" / "Roaming") / "carom"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "carom"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "carom"


def load() -> list[Score]:
    """Return the scores kept, the best first; none where the file is missing or holds something else."""
    try:
        found = json.loads((folder() / FILE).read_text(encoding="utf-8"))
        scores = [_read(one) for one in found["scores"]]
    except (OSError, ValueError, TypeError, KeyError, RuntimeError):
        return []
    return sorted(scores, key=lambda score: -score.points)[:KEPT]


def _read(found: Any) -> Score:
    points, level, day = found
    if type(points) is not int or points < 0:
        raise ValueError(points)
    return Score(points, str(level), str(day))


def add(points: int, level: str) -> tuple[list[Score], int]:
    """Keep a score if it is among the best; return the best, and its place among them, -1 if it has none."""
    new = Score(points, level, date.today().isoformat())
    scores = load()
    place = sum(score.points >= points for score in scores)
    if points <= 0 or place >= KEPT:
        return scores, -1
    scores = [*scores[:place], new, *scores[place:]][:KEPT]
    save(scores)
    return scores, place


def save(scores: Sequence[Score]) -> None:
    """Write the scores, all or nothing: aside first, then into place."""
    with suppress(OSError, RuntimeError):
        folder().mkdir(parents=True, exist_ok=True)
        aside = folder() / f".{uuid.uuid4().hex}"
        try:
            aside.write_text(json.dumps({"scores": scores}, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
            aside.replace(folder() / FILE)
        finally:
            aside.unlink(missing_ok=True)
