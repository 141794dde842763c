"""Recordings: what is done to a world, kept so that it can be done again and compared step by step.

In: a world. Out: its state at the start, then each call that changes it with what it was given, and the digest after
each step, with Carom's version. Replayed on a copy by the same version, the same calls must lead to the same digests;
the first step that does not is named. Tables are read by the names of their columns, so that other versions play them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from importlib import metadata
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np

from carom._core import inputs
from carom._core.names import NamesNear, names_near, told_by_name
from carom.tolerances import LARGEST
from carom.world.joints.attributes import are_columns, fits_bodies
from carom.world.joints.lists import rows_in_use
from carom.world.world import RECORDED, World, WorldSnapshot

OLD = "recorded before bodies turned and rubbed: its calls cannot be played, and no digest can be compared"


MARKS = frozenset(("digest", "events", "pause", "end", "left"))
"""Notes of a recording besides calls."""
OF_ROWS = frozenset(("_change", "_remove_rows", "_set_data", "_wake", "_put_to_sleep"))
"""Calls whose first argument is the row of a body, or several."""
OF_JOINTS = frozenset(("_change_joint", "_remove_joints", "_set_joint_data"))
"""Calls whose first argument is the row of a joint, or several."""
OF_SECONDS = frozenset(("_one_step", "events"))
SETTINGS = frozenset(name for name in RECORDED if isinstance(getattr(World, name), property))
CALLS = frozenset(RECORDED - SETTINGS | {"__setattr__"})


def _check_call(world: World, name: str, given: Sequence[Any]) -> None:
    """Refuse to play a call that the recording's own world cannot have had."""
    if name in OF_ROWS:
        fits = bool(given) and bool(np.isin(given[0], world.rows()).all())
    elif name in OF_JOINTS:
        fits = bool(given) and bool(np.isin(given[0], rows_in_use(world._tables)).all())
        fits = fits and (name != "_change_joint" or are_columns(given[1]))
    elif name == "_put_joint":
        fits = are_columns(given[0]) and fits_bodies(given[0], world.rows())
    elif name in OF_SECONDS:
        fits = len(given) == 1 and isinstance(given[0], float) and 0.0 < given[0] <= LARGEST
    else:
        fits = name != "__setattr__" or given[0] in SETTINGS
    if not fits:
        raise ValueError(f"Recording: the recording is damaged: no world can have been told {name[1:]}{given!r:.60}")


@names_near
class Replay(NamedTuple):
    """The outcome of a replay."""

    world: World
    """A world of its own, as it is after the replay, or after the first step that differs."""
    diverged: int | None
    """Number of the first step whose digest differs from the recorded one; None if none does."""
    note: str
    """A sentence if digests were not compared, since another version of Carom recorded; else empty."""


@names_near
class Recording(metaclass=NamesNear):
    """A recording of a world: everything that is done to it between `with` and its end, or until `stop`.

    Recordings can be pickled, and replayed elsewhere. Steps made by `World.events` are recorded as such; what is done
    at their pauses is done again at the same pauses. Another version of Carom plays the same calls, but compares no
    digests, since its bodies may move otherwise.

    Parameters
    ----------
    world : World
        Between two steps.

    Examples
    --------
    >>> world = cm.World()
    >>> with cm.Recording(world) as tape:
    ...     ball = world.add(cm.Circle((0, 0), 1), kind="dynamic", velocity=(1, 0))
    ...     hits = world.step(0.1, steps=5)
    >>> tape.replay().diverged is None
    True
    """

    @told_by_name
    def __init__(self, world: World) -> None:
        if not isinstance(world, World):
            inputs.refuse(TypeError, "Recording", "world", world, f"must be a World, not {type(world).__name__}")
        if world._log is not None:
            raise RuntimeError("Recording: this world is being recorded already")
        self._start: WorldSnapshot = world.snapshot()
        self._calls: list[tuple[Any, ...]] = []
        self._world: World | None = world
        self._version = metadata.version("carom")
        world._log = self._calls

    def __getstate__(self) -> dict[str, Any]:
        return {"version": self._version, "start": self._start, "calls": self._calls}

    def __setstate__(self, state: Any) -> None:
        if not isinstance(state, dict):
            raise ValueError(f"Recording: {OLD}")
        version, start, calls = (state.get(name) for name in ("version", "start", "calls"))
        if not (isinstance(version, str) and isinstance(start, WorldSnapshot) and isinstance(calls, list)):
            raise ValueError("Recording: the pickle is damaged")
        for call in calls:
            if not (isinstance(call, tuple) and call and isinstance(call[0], str) and call[0] in MARKS | CALLS):
                raise ValueError(f"Recording: the pickle is damaged: {call!r:.60} is no call of a recording")
        self._version, self._start, self._calls = version, start, list(calls)
        self._world = None

    @property
    def version(self) -> str:
        """The version of Carom that recorded."""
        return self._version

    @property
    def digests(self) -> list[int]:
        """The digest after each step."""
        return [given[0] for name, *given in self._calls if name == "digest"]

    def stop(self) -> None:
        """End the recording."""
        if self._world is not None:
            self._world._log = None
            self._world = None

    def replay(self) -> Replay:
        """Do the same again with a world of its own, up to the first step that differs."""
        here = metadata.version("carom")
        same = self._version == here
        note = "" if same else f"recorded by Carom {self._version}, played by {here}: digests were not compared"
        world = self._world_at_start()
        for step, digest in enumerate(self._played(world)):
            if digest is None or (same and world.digest() != digest):
                return Replay(world, step, note)
        return Replay(world, None, note)

    def frames(self) -> Iterator[World]:
        """Do the same again with a world of its own, and give that world after each step, to be drawn or measured.

        Yields
        ------
        World
            Always the same one, a step later each time; take a `copy` to keep what it is. It is not compared with what
            was recorded: `replay` does that.

        Examples
        --------
        >>> world = cm.World()
        >>> ball = world.add(cm.Circle((0, 0), 1), kind="dynamic", velocity=(1, 0))
        >>> with cm.Recording(world) as tape:
        ...     for _ in range(3):
        ...         hits = world.step(0.5)
        >>> [frame.positions[0, 0].item() for frame in tape.frames()]
        [0.5, 1.0, 1.5]
        """
        yield from (world for world, _ in itertools.islice(self._steps(), 1, None))

    def _steps(self) -> Iterator[tuple[World, float]]:
        """Give the world at the start and after each step, with the seconds of the next step; 0 after the last."""
        world, lengths = self._world_at_start(), [given[0] for name, *given in self._calls if name in OF_SECONDS]
        yield world, (lengths or [0.0])[0]
        for step, digest in enumerate(self._played(world), 1):
            if digest is not None:
                yield world, lengths[step] if step < len(lengths) else 0.0

    def _world_at_start(self) -> World:
        world = World()
        world.restore(self._start)
        return world

    def _played(self, world: World) -> Iterator[int | None]:
        """Do with a world what was recorded; give the recorded digest after each step.

        Where a step has other pauses than the recorded one it gives None and ends.
        """
        events: Any = iter(())
        for name, *given in self._calls:
            if name == "digest":
                yield given[0]
            elif name == "events":
                _check_call(world, name, given)
                events = iter(world.events(*given))
            elif name == "pause":
                if next(events, None) is None:
                    yield None
                    return
            elif name == "end":
                if next(events, None) is not None:
                    yield None
                    return
            elif name == "left":
                events.close()
            else:
                _check_call(world, name, given)
                getattr(world, name)(*given)

    def __repr__(self) -> str:
        running = ", recording" if self._world is not None else ""
        return f"<Recording: {len(self.digests)} steps, Carom {self._version}{running}>"

    def __enter__(self) -> Recording:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
