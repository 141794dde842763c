"""Replays: a game kept as its seed, its levels and its inputs, checked bit for bit when it is played again.

In: the inputs of each step and the game after it. Out: a JSON file, and from such a file the same game. Inputs are
run-length coded; checkpoints hold the digest of the game every so many steps, and the last one that of the end. Where
a replay goes another way, the error names the first checkpoint that differs and the last that agreed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from carom_breakout.levels import Level, parse_level
from carom_breakout.state import EXACT, TICK, TUTORIAL, Rows, digest

FORMAT = "carom breakout replay 1"
CHECK_EVERY = 60  # steps
MOST_DIGITS = 19  # of a step's number

T = TypeVar("T")


class ReplayError(ValueError):
    """A replay that cannot be read, or that went another way than it was recorded."""


class Run(NamedTuple):
    """The same inputs, so many steps long."""

    steps: int
    direction: int
    mouse: float | None  # None where the mouse points nowhere
    buttons: int


class Setup(NamedTuple):
    """The settings by which a game is made and stepped."""

    levels: Sequence[Level]  # those to play, in order
    seed: int  # start of the game's chance
    level: int = 0  # the level offered first, counted from 0
    physics: int = EXACT  # or the stage of the tutorial
    inclusive: bool = False  # whether a ball that just touches collides; the tutorial only
    dt: float = TICK  # seconds of a tick
    power_ups: bool = True  # whether bricks drop them


class Replay(NamedTuple):
    """A recorded game."""

    version: str  # of Carom, when it was recorded
    setup: Setup
    runs: tuple[Run, ...]
    checkpoints: dict[int, str]  # digest of the game after so many steps

    @property
    def steps(self) -> int:
        """The length of the game."""
        return sum(run.steps for run in self.runs)

    def inputs(self) -> Iterator[tuple[int, float, int]]:
        """Give (direction, mouse, buttons) of each step."""
        for run in self.runs:
            for _ in range(run.steps):
                yield run.direction, math.nan if run.mouse is None else run.mouse, run.buttons

    def check(self, games: Rows) -> None:
        """Compare the game, after a step, with the checkpoint there, if there is one.

        Raises
        ------
        ReplayError
            If it differs, naming the step and the last checkpoint that agreed.
        """
        tick = int(games[0].tick)
        recorded = self.checkpoints.get(tick)
        if recorded is None or recorded == digest(games, 0):
            return
        before = max((at for at in self.checkpoints if at < tick), default=0)
        raise ReplayError(
            f"the replay goes another way than it was recorded: after step {before} all was the same, after step "
            f"{tick} it differs; it was recorded by Carom {self.version}, this is {version('carom')}"
        )


class Recorder:
    """Keeps a game while it is played.

    Parameters
    ----------
    setup : Setup
    check_every : int
        Steps between checkpoints; 1 lets a replay name the very step where it differs.
    """

    def __init__(self, setup: Setup, check_every: int = CHECK_EVERY) -> None:
        self._setup = setup
        self._check_every = check_every
        self._runs: list[Run] = []
        self._checkpoints: dict[int, str] = {}

    def add(self, direction: int, mouse: float, buttons: int, games: Rows) -> None:
        """Keep the inputs of the step just made, and a checkpoint if one is due; `games` holds the one game."""
        inputs = int(direction), None if math.isnan(mouse) else float(mouse), int(buttons)
        if self._runs and self._runs[-1][1:] == inputs:
            self._runs[-1] = Run(self._runs[-1].steps + 1, *inputs)
        else:
            self._runs.append(Run(1, *inputs))
        tick = int(games[0].tick)
        if tick % self._check_every == 0:
            self._checkpoints[tick] = digest(games, 0)

    def finish(self, games: Rows) -> Replay:
        """Return the game so far as a replay; recording may go on."""
        checkpoints = {**self._checkpoints, int(games[0].tick): digest(games, 0)}
        return Replay(version("carom"), self._setup, tuple(self._runs), checkpoints)


def save_replay(replay: Replay, file: str | Path) -> None:
    """Write a replay as JSON, a few kilobytes a minute."""
    levels = [{"name": level.name, "text": level.text} for level in replay.setup.levels]
    rest = {"levels": levels, "runs": replay.runs, "checkpoints": replay.checkpoints}
    content = {"format": FORMAT, "version": replay.version, **replay.setup._asdict(), **rest}
    Path(file).write_text(json.dumps(content, separators=(",", ":")) + "\n", encoding="utf-8")


def load_replay(file: str | Path) -> Replay:
    """Read a replay written by `save_replay`.

    Raises
    ------
    ReplayError
        If the file cannot be read, is no replay, or holds values that no game could have been played with.
    """
    try:
        content = json.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        raise ReplayError(f"{file}: cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError) as error:
        raise ReplayError(f"{file}: not a replay ({error})") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ReplayError(f"{file}: not a replay of this format; it must begin with the format '{FORMAT}'")
    try:
        return _read(content)
    except ValueError as error:
        raise ReplayError(f"{file}: damaged ({error})") from None


def _read(content: dict[str, Any]) -> Replay:
    levels = tuple(
        parse_level(_of(str, level, "text"), _of(str, level, "name"))
        for level in (_is(dict, "levels", one) for one in _of(list, content, "levels"))
    )
    runs = tuple(_run(_is(list, "runs", one)) for one in _of(list, content, "runs"))
    seed, level, physics = (_of(int, content, name) for name in ("seed", "level", "physics"))
    inclusive, dt = _of(bool, content, "inclusive"), _of(float, content, "dt")
    power_ups = _of(bool, {"power_ups": True, **content}, "power_ups")  # the first replays had no word of them
    setup = Setup(levels, seed, level, physics, inclusive, dt, power_ups)
    recorded = _of(dict, content, "checkpoints")
    if not all(tick.isascii() and tick.isdigit() and len(tick) < MOST_DIGITS for tick in recorded):
        raise ValueError("checkpoints cannot be as they are")
    checkpoints = {int(tick): _is(str, "checkpoints", one) for tick, one in recorded.items()}
    replay = Replay(_of(str, content, "version"), setup, runs, checkpoints)
    impossible = {
        "runs": any(
            run.steps < 1
            or run.direction not in (-1, 0, 1)
            or not 0 <= run.buttons < 2**63
            or not math.isfinite(run.mouse or 0.0)
            for run in runs
        ),
        "physics": not EXACT <= setup.physics <= TUTORIAL,
        "dt": not 0.0 < setup.dt < math.inf,
        "level": not 0 <= setup.level < len(levels),
        "seed": setup.seed < 0,
        "checkpoints": max(checkpoints, default=0) != replay.steps,
    }
    for name, is_impossible in impossible.items():
        if is_impossible:
            raise ValueError(f"{name} cannot be as it is")
    return replay


def _run(values: list[Any]) -> Run:
    if len(values) != len(Run._fields):
        raise ValueError("runs cannot be as they are")
    steps, direction, mouse, buttons = values
    steps, direction, buttons = (_is(int, "runs", value) for value in (steps, direction, buttons))
    return Run(steps, direction, None if mouse is None else _is(float, "runs", mouse), buttons)


def _of(kind: type[T], content: dict[str, Any], name: str) -> T:
    """Return what stands under a name, of some kind."""
    if name not in content:
        raise ValueError(f"{name} is missing")
    return _is(kind, name, content[name])


def _is(kind: type[T], name: str, value: Any) -> T:
    """Return a value of some kind, or refuse it; a whole number counts as a float."""
    if kind is float and type(value) is int and abs(value) < 2**53:
        value = float(value)
    if type(value) is not kind:
        raise ValueError(f"{name} holds {type(value).__name__} where {kind.__name__} is expected")
    return value
