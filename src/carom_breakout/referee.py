"""A referee for either physics: it counts the errors of a game's motion, tick by tick, against exact sweeps.

In: a game before and after a step, and the trace of the step. Out: counts. The referee knows nothing of how the game
was moved: it takes the straight legs of the ball's way, sweeps the ball along each against the bricks that lived then
and the moving paddle, and compares the hits that it must have had with those that the game reports.

- tunnelled: the first thing on a leg, brick or paddle, was passed without notice;
- double hits: a response to something that the ball did not approach;
- wrong normals: a response along another direction than that of the true contact;
- frames in overlap: the ball was inside a brick, the paddle or a wall at the end of the step.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom import distance_disc_box, sweep_disc_box
from carom_breakout import state
from carom_breakout.bricks import SLOP, on_seam
from carom_breakout.flaws.stage import brick_boxes, deepest_overlap
from carom_breakout.levels import Levels
from carom_breakout.state import Game, Rows, events

Vector = NDArray[np.float64]

PADDLE = -1  # stands for the paddle among the cells of bricks
SAME = 1e-6  # directions this close are one: far above rounding, far below any wrong normal
VISIBLE = 1e-6  # px; an overlap below this is rounding
AT_THE_END = 1e-7  # share of a leg, or px, that still counts as its end


class Tally(NamedTuple):
    """The counts of a referee."""

    frames: int = 0
    tunnelled: int = 0
    double_hits: int = 0
    wrong_normals: int = 0
    overlap_frames: int = 0


class Contact(NamedTuple):
    """The first hit of a ball on a straight leg: at which share of it, which brick (or PADDLE), with which normal."""

    fraction: float
    cell: int
    normal: Vector


class Referee:
    """Counts for game 0 of a batch.

    Parameters
    ----------
    table : Levels
        The levels of the game.
    physics : int
        EXACT, or the stage of the tutorial: whose layout of bricks holds, and whether a step is one leg or many.
    """

    def __init__(self, table: Levels, physics: int) -> None:
        self.tally = Tally()
        self._table, self._physics = table, physics

    def judge(self, before: Rows, after: Rows, trace: Rows, dt: float) -> None:
        """Count the errors in one step of a game that was being played."""
        game = before[0]
        if after[0].tick == game.tick or state.ACTIVE not in (game.mode, after[0].mode):
            return
        seen = int(trace[0].seen)
        counts, overlaps = (0, 0, 0), False
        if game.mode == state.ACTIVE and (game.stuck == state.FREE or seen & (1 << state.LAUNCHED)):
            boxes, codes = brick_boxes(before, self._table, self._physics)
            step = _Step(game, trace, boxes, codes, dt)
            counts = step.judge_legs() if self._physics == state.EXACT else step.judge_jump()
        if not seen & (1 << state.LIFE_LOST | 1 << state.LEVEL_WON):
            overlaps = deepest_overlap(after, self._table, self._physics) > VISIBLE
        found = Tally(1, *counts, overlaps)
        self.tally = Tally(*(a + b for a, b in zip(self.tally, found, strict=True)))


class _Step:
    """One step of one game: the bricks that live, the paddle's course, and the events that the game reports."""

    def __init__(self, game: Game, trace: Rows, boxes: NDArray[np.float64], codes: NDArray[np.int8], dt: float) -> None:
        self._game, self._boxes, self._codes, self._dt = game.copy(), boxes, codes, dt
        self._trace, self._happened = trace[0], list(events(trace, 0))
        self._through = bool(game.effects & (1 << state.PASS_THROUGH))
        self._start, self._width = float(trace[0].paddle_start), float(trace[0].paddle_width)
        self._pace, self._moved = float(trace[0].paddle_pace), float(trace[0].paddle_moved)

    def judge_jump(self) -> tuple[int, int, int]:
        """Judge a step that moves first and looks then: one leg, and all responses at its end."""
        ball, velocity = self._game.ball.copy(), self._game.velocity.copy()
        way = velocity * self._dt
        for axis, low, high in (
            (0, state.BALL_RADIUS, state.WIDTH - state.BALL_RADIUS),
            (1, state.BALL_RADIUS, math.inf),
        ):
            bound = low if way[axis] < 0.0 else high
            if way[axis] != 0.0 and abs(way[axis]) > abs(bound - ball[axis]):
                way = way * (abs(bound - ball[axis]) / abs(way[axis]))
        met = self._contacts(ball, way, self._left_at(0.0), self._left_at(self._dt))
        noticed = {
            self._subject(event)
            for event in self._happened
            if event["kind"] in (state.BRICK_HIT, state.SOLID_HIT, state.PADDLE_HIT)
        }
        tunnelled = 0
        for contact in met:
            tunnelled += contact.cell not in noticed
            if contact.cell == PADDLE or not self._through or self._codes[contact.cell] == state.SOLID:
                break
        double_hits = wrong_normals = 0
        for event in self._happened:
            if event["kind"] == state.WALL_HIT:
                velocity[0 if event["normal"][0] else 1] *= -1.0
            responds = event["kind"] == state.PADDLE_HIT or (
                event["kind"] in (state.BRICK_HIT, state.SOLID_HIT) and bool(np.any(event["normal"]))
            )
            if not responds:
                continue
            normal = event["normal"]
            double_hits += velocity @ normal >= 0.0
            own = [contact for contact in met if contact.cell == self._subject(event)] or met[:1]
            wrong_normals += bool(own) and not _same(own[0].normal, normal)
            if event["kind"] != state.PADDLE_HIT:
                velocity[0 if normal[0] else 1] *= -1.0
        return tunnelled, int(double_hits), int(wrong_normals)

    def judge_legs(self) -> tuple[int, int, int]:
        """Judge a step that names each of its hits: leg by leg, with the bricks that lived on each."""
        place, time, velocity = self._trace.start.copy(), 0.0, self._game.velocity.copy()
        tunnelled = double_hits = wrong_normals = 0
        hits = [e for e in self._happened if e["kind"] in state.HITS]
        for k, event in enumerate(hits):
            point, now = event["point"], float(event["time"])
            tunnelled += self._passed(place, point, time, now)
            if np.abs(point - place).max() > VISIBLE:
                velocity = (point - place) / (now - time)
            normal = event["normal"]
            pace = self._pace if event["kind"] == state.PADDLE_HIT and now <= self._moved else 0.0
            double_hits += (velocity - np.array([pace, 0.0])) @ normal >= 0.0
            wrong_normals += not self._is_true(event, point, now)
            if k + 1 == len(hits) or hits[k + 1]["time"] > now:
                for other in (e for e in hits[: k + 1] if e["time"] == now):
                    velocity = velocity - 2.0 * (velocity @ other["normal"]) * other["normal"]
                    if other["kind"] == state.BRICK_HIT:
                        cell = int(other["subject"])
                        self._codes[cell] = self._game.bricks[cell] = state.EMPTY
                place, time = point, now
        told_all = self._trace.count <= state.EVENTS  # else the way to the end is not known
        if told_all and not self._trace.seen & (1 << state.LIFE_LOST | 1 << state.LEVEL_WON):
            tunnelled += self._passed(place, self._trace.end, time, self._dt)
        return tunnelled, int(double_hits), int(wrong_normals)

    def _passed(self, start: Vector, end: Vector, since: float, until: float) -> int:
        """Count the things on a leg before its end, other than bricks that the ball ploughs through."""
        stop = self._moved
        if since < stop < until:
            middle = start + (end - start) * ((stop - since) / (until - since))
            return self._passed(start, middle, since, stop) + self._passed(middle, end, stop, until)
        met = self._contacts(start, end - start, self._left_at(since), self._left_at(until))
        return sum(contact.fraction < 1.0 - AT_THE_END for contact in met)

    def _contacts(self, start: Vector, way: Vector, left: float, left_after: float) -> list[Contact]:
        """Return all that a ball meets on a leg if nothing turns it, in order; covered corners are none."""
        met: list[Contact] = []
        end = start + way
        low, high = np.minimum(start, end) - state.BALL_RADIUS, np.maximum(start, end) + state.BALL_RADIUS
        boxes, columns = self._boxes, int(self._game.columns)
        near = (self._codes != state.EMPTY) & (boxes[:, :2] <= high).all(axis=1) & (boxes[:, 2:] >= low).all(axis=1)
        for cell in np.flatnonzero(near).tolist():
            contact = _sweep(start, way, boxes[cell], cell)
            if contact.fraction <= 1.0 and not on_seam(self._game, cell % columns, cell // columns, *contact.normal):
                met.append(contact)
        relative = np.array([way[0] - (left_after - left), way[1]])
        contact = _sweep(start, relative, self._paddle(left), PADDLE)
        if contact.fraction <= 1.0:
            met.append(contact)
        return sorted(met, key=lambda contact: contact.fraction)

    def _is_true(self, event: Game, point: Vector, time: float) -> bool:
        """Tell whether the ball touches the thing that the event names, along the normal of the event."""
        x, y = point.tolist()
        if event["kind"] == state.WALL_HIT:
            gaps = x - state.BALL_RADIUS, state.WIDTH - state.BALL_RADIUS - x, y - state.BALL_RADIUS
            return bool(abs(gaps[int(event["subject"])]) < AT_THE_END)
        if event["kind"] == state.PADDLE_HIT:
            box = self._paddle(self._left_at(time))
        else:
            cell, columns = int(event["subject"]), int(self._game.columns)
            if on_seam(self._game, cell % columns, cell // columns, *event["normal"]):
                return False
            box = self._boxes[cell]
        left, top, right, bottom = box.tolist()
        separation, nx, ny = distance_disc_box(x, y, left, top, right, bottom, state.BALL_RADIUS)
        return bool(abs(separation) < AT_THE_END) and _same(np.array([nx, ny]), event["normal"])

    def _paddle(self, left: float) -> Vector:
        return np.array([left, state.PADDLE_TOP, left + self._width, state.PADDLE_TOP + state.PADDLE_HEIGHT])

    def _subject(self, event: Game) -> int:
        return PADDLE if event["kind"] == state.PADDLE_HIT else int(event["subject"])

    def _left_at(self, time: float) -> float:
        return self._start + self._pace * min(time, self._moved)


def _sweep(start: Vector, way: Vector, box: Vector, cell: int) -> Contact:
    x, y, mx, my, left, top, right, bottom = np.concatenate((start, way, box)).tolist()
    fraction, nx, ny = sweep_disc_box(x, y, mx, my, left, top, right, bottom, state.BALL_RADIUS, SLOP)
    return Contact(fraction, cell, np.array([nx, ny]))


def _same(one: Vector, other: Vector) -> bool:
    return bool(np.abs(one - other).max() < SAME)
