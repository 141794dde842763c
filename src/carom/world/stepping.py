"""How time passes in a world: steps at once, steps that pause at each event, steps left and taken up again.

In: lengths of time. Out: what happened, as columns or hit by hit. The step itself is one kernel call, `events.play`,
which stops where a table is too short: it is made longer here, and the step goes on.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

import numpy as np

from carom._core import inputs
from carom.tolerances import LARGEST
from carom.vector import Vec
from carom.world import tables as at
from carom.world.body import Body
from carom.world.by_row import WorldByRow
from carom.world.depenetrate import begin_step
from carom.world.event_loop import Pauses, left_quietly
from carom.world.hits import KINDS, WorldHit, WorldHits, columns
from carom.world.sensor_exits import tell_exits
from carom.world.step import DONE, HITS_FOR_CONTACT, MORE_CONTACTS, MORE_EVENTS, MORE_HITS, MORE_INSIDE, PAUSED, play
from carom.world.tables import larger, with_more_events
from carom.world.update import abandon

MOST_STEPS = 10**9  # of one call: more would never end
SHORT_TIME = 1.0  # seconds in which nothing gets out of all bounds
EVENTS_FOR_PART = 4  # room made at once for predicted events


class WorldStepping(WorldByRow):
    """A world in which time passes."""

    def step(self, dt: float, steps: int = 1) -> WorldHits:
        """Let time pass, and return what happened.

        Parameters
        ----------
        dt : float, positive
            Seconds of one step.
        steps : int
            How many steps of that length to make.

        Returns
        -------
        WorldHits
            Columns in the order of time.
        """
        length = inputs.size("World.step", "dt", dt)
        count = inputs.integer("World.step", "steps", steps)
        if not 1 <= count <= MOST_STEPS:
            inputs.refuse(ValueError, "World.step", "steps", steps, f"must be from 1 to {MOST_STEPS}")
        self._refuse_too_far("World.step", length, count)
        self._start("World.step")
        parts: list[WorldHits] = []
        for k in range(count):
            self._one_step(length)
            self._record("_one_step", length)
            self._record("digest", self.digest() if self._log is not None else 0)
            if self._tables.state["hits"][0] or (k == count - 1 and not parts):
                parts.append(columns(self._tables, 0, int(self._tables.state["hits"][0]), k * length))
        if len(parts) == 1:
            return parts[0]
        return WorldHits(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def _one_step(self, length: float) -> None:
        self._open(length)
        self._run(pauses=False)
        self._store.told = int(self._tables.state["hits"][0])

    def _open(self, length: float) -> None:
        """Begin a step: nothing has happened in it but the exits that were left to tell."""
        state = self._tables.state
        state["length"], state["now"], state["hits"] = length, 0.0, 0
        self._store.told = 0
        self._store.free_departed()
        tell_exits(self._store)
        begin_step(self._store)

    def events(self, dt: float) -> Iterator[WorldHit]:
        """Make one step that pauses at the instant of each event; a loop over it plays the step.

        At a pause everything read is the state of that instant, after the impact, and bodies may be added, removed and
        changed. Leaving the loop early plays the rest of the step. An exception leaves the world at that instant:
        `resume` plays the rest, `abandon` ends the step there; each ends the loop, if something still holds it. A step
        within the loop is refused.

        Parameters
        ----------
        dt : float, positive
            Seconds.

        Yields
        ------
        WorldHit
        """
        length = inputs.size("World.events", "dt", dt)
        self._refuse_too_far("World.events", length, 1)
        self._start("World.events")
        return Pauses(self._pausing(length))

    def _pausing(self, length: float) -> Generator[WorldHit, None, None]:
        self._start("World.events")
        self._record("events", length)
        self._open(length)
        store, mine = self._store, object()
        self._loop = mine
        try:
            status = PAUSED
            while True:
                while (self.unfinished or status == DONE) and store.told < self._tables.state["hits"][0]:
                    hit = self._hit(store.told)
                    store.told += 1
                    if hit is not None:
                        self._record("pause")
                        yield hit
                        if self._loop is not mine:  # it was resumed or abandoned
                            return
                        tell_exits(store)
                if status == DONE:
                    self._record("end")
                    self._record("digest", self.digest() if self._log is not None else 0)
                    break
                status = self._run(pauses=True)
        except GeneratorExit:
            if self._loop is mine:
                self._loop = None
                self._record("left")
                if left_quietly():
                    self.resume()
            raise
        finally:
            if self._loop is mine:
                self._loop = None

    def _refuse_too_far(self, where: str, dt: float, steps: int) -> None:
        """Refuse a time in which something could get farther from the origin than coordinates go."""
        time = dt * steps
        if time <= SHORT_TIME:
            return
        w = self._tables
        moving = w.bodies[: int(w.state["bodies"][0])]
        moving = moving[moving["kind"] > at.STATIC]
        start, speed, pull = (
            max(float(np.abs(moving[name]).max(initial=0.0)) for name in names)
            for names in (("x", "y"), ("vx", "vy"), ("acceleration_x", "acceleration_y"))
        )
        if (moving["kind"] == at.DYNAMIC).any():
            pull += max(abs(w.state["gravity_x"].item()), abs(w.state["gravity_y"].item()))
        if not start + (speed + pull * time) * time <= LARGEST:
            many = "" if steps == 1 else f", {steps} times,"
            expected = f"is too long: in that time{many} a body could get farther than {LARGEST:g} from the origin"
            inputs.refuse(ValueError, where, "dt", dt, expected)

    def _start(self, where: str) -> None:
        self._refuse_within(where)
        if self.unfinished:
            self.resume()

    def resume(self) -> WorldHits:
        """Play the rest of a step that an exception has left, and return what happened in it and was not told.

        Within a loop over its events, or where something still holds one that was left, end that, too.
        """
        store = self._store
        first = store.told
        if self._loop is not None or self.unfinished:
            self._loop = None
            tell_exits(store)
            if self.unfinished:
                self._run(pauses=False)
            self._record("resume")
            self._record("digest", self.digest() if self._log is not None else 0)
        store.told = int(self._tables.state["hits"][0])
        return columns(self._tables, first, store.told, 0.0)

    def abandon(self) -> None:
        """End a step at the instant where an exception has left it; within a loop over its events, end that, too."""
        if self._loop is None and not self.unfinished:
            return
        self._loop = None
        if self.unfinished:
            abandon(self._tables)
            self._changed()
        self._store.told = int(self._tables.state["hits"][0])
        self._record("abandon")

    def _run(self, pauses: bool) -> int:
        """Play on to the end, or, if asked, to the next pause."""
        self._store.make_workspace()
        w = self._tables
        w.state["pauses"] = int(pauses)
        if len(w.heap) < EVENTS_FOR_PART * w.state["parts"][0]:
            self._store.tables = w = with_more_events(w, EVENTS_FOR_PART * int(w.state["parts"][0]))
        while True:
            status = play(w, self._store.general)
            if status in (DONE, PAUSED):
                self._fresh = False
                if status == DONE and self._shown:
                    self._refresh()
                return status
            if status == MORE_EVENTS:
                w = with_more_events(w, 2 * len(w.heap))
            elif status == MORE_CONTACTS:
                rows = 2 * len(w.contacts)
                w = w._replace(contacts=larger(w.contacts, rows))
            elif status == MORE_HITS:
                rows = int(w.state["hits"][0]) + 2 * HITS_FOR_CONTACT * len(w.contacts)
                w = w._replace(hits=larger(w.hits, rows))
            elif status == MORE_INSIDE:
                self._store.widen_inside()
                w = self._store.tables
            self._store.tables = w

    def _hit(self, k: int) -> WorldHit | None:
        """Return a row of hits with its bodies; None for an impact if one of them was removed since."""
        time, x, y, nx, ny, speed, impulse, kind, body, other = self._tables.hits[k].tolist()
        departed = self._store.departed
        if kind not in (at.ENTERED, at.EXITED) and (body in departed or other in departed):
            return None
        first, second = (Body(self, row, departed.get(row, self._serial(row))) for row in (body, other))
        return WorldHit(KINDS[kind], time, first, second, Vec(x, y), Vec(nx, ny), speed, impulse)
