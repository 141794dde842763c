"""A stage for small scenes: put one ball among a few bricks, play some steps, and keep the picture of them.

In: bricks as text in the grammar of level files, the ball, the paddle, the keys. Out: an `Outcome` with the way of the
ball, its hits and their normals, and the deepest overlap met at the end of a step. Field frame, pixels and seconds.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom_breakout import state
from carom_breakout.levels import BRICKS_END, SOLID, Level, Levels, brick_edges, make_levels, parse_level
from carom_breakout.rules import step
from carom_breakout.session import Box, Point, read_tick
from carom_breakout.state import Game, Rows, make_games, make_inputs, make_trace

Floats = NDArray[np.float64]
Codes = NDArray[np.int8]


class Outcome(NamedTuple):
    """The course of a scene under one physics."""

    says: str
    numbers: dict[str, float | str]
    boxes: list[tuple[Box, str]]  # "brick", "solid", "broken", "paddle" or "item", as they are at the end
    places: Sequence[Point] = ()  # centre of the ball at the start and after each step
    paths: Sequence[list[Point]] = ()  # its way, hit by hit where the physics knows of hits
    hits: Sequence[tuple[Point, Point]] = ()  # centre of the ball, normal


class Played(NamedTuple):
    """A played scene: the game at its end, and the sights on the way."""

    game: Game
    boxes: list[tuple[Box, str]]
    places: list[Point]
    path: list[Point]
    hits: list[tuple[Point, Point]]
    kinds: list[int]  # of all events kept
    impacts: int  # hits in all, kept or not
    overlap: float  # deepest at the end of a step, with bricks, paddle or walls
    frames_in_overlap: int

    @property
    def velocity(self) -> Point:
        """Velocity of the ball at the end."""
        vx, vy = self.game.velocity.tolist()
        return vx, vy

    def outcome(self, says: str, **numbers: float | str) -> Outcome:
        """Put words and numbers to the scene played."""
        return Outcome(says, numbers, self.boxes, self.places, [self.path], self.hits)


class Scene(NamedTuple):
    """One game on the stage, ready to be played under either physics."""

    games: Rows
    levels: Levels


def set_scene(
    bricks: str,
    ball: Point,
    velocity: Point,
    paddle: float = 350.0,
    paddle_width: float = 100.0,
    effects: int = 0,
    seed: int = 1,
) -> Scene:
    """Set a free ball among bricks; rows are parted by '/', as in '0 2 0 / 1 1 1'."""
    levels = make_levels([parse_level(bricks.replace("/", "\n"), "scene")])
    games = make_games(levels, [seed])
    game = games[0]
    game.mode, game.stuck = state.ACTIVE, state.FREE
    game.ball[:], game.velocity[:] = ball, velocity
    game.speed = math.hypot(*velocity)
    game.paddle, game.paddle_width, game.paddle_grown = paddle, paddle_width, paddle_width
    game.effects = effects
    return Scene(games, levels)


def play(
    scene: Scene,
    physics: int = state.EXACT,
    dt: float = 1 / 60,
    steps: int = 1,
    direction: int = 0,
    inclusive: bool = False,
) -> Played:
    """Play some steps of a scene, the scene itself left as it was."""
    games, levels = scene.games.copy(), scene.levels
    game = games[0]
    inputs, trace = make_inputs(1), make_trace(1)
    inputs.direction = direction
    places: list[Point] = [tuple(game.ball.tolist())]
    path, hits, kinds = list(places), [], []
    impacts, deepest, frames = 0, -math.inf, 0
    for _ in range(steps):
        step(games, levels, inputs, dt, physics, trace, inclusive)
        tick = read_tick(trace, 0)
        kinds += [event.kind for event in tick.events]
        hits += [(hit.point, hit.normal) for hit in tick.hits]
        path += tick.way[1:]
        impacts += int(trace[0].count)
        places.append(tick.end)
        overlap = deepest_overlap(games, levels, physics)
        deepest = max(deepest, overlap)
        frames += overlap > 1e-9
    boxes = boxes_of(scene, game, physics)
    return Played(game, boxes, places, path, hits, kinds, impacts, deepest, frames)


def brick_boxes(games: Rows, levels: Levels, physics: int) -> tuple[Floats, Codes]:
    """Return the boxes (cells, 4) left, top, right, bottom of all cells of game 0, and their codes."""
    game = games[0]
    boxes = _cell_boxes(int(game.columns), int(game.rows), physics != state.EXACT)
    return boxes, game.bricks[: len(boxes)].copy()


@functools.cache
def _cell_boxes(columns: int, rows: int, integer_height: bool) -> Floats:
    levels = make_levels([Level("grid", ((state.BLUE,) * columns,) * rows)])
    edge_x, edge_y = brick_edges(levels, 0, integer_height)
    column, row = np.tile(np.arange(columns), rows), np.repeat(np.arange(rows), columns)
    return np.stack((edge_x[column], edge_y[row], edge_x[column + 1], edge_y[row + 1]), axis=1)


def deepest_overlap(games: Rows, levels: Levels, physics: int) -> float:
    """Return how deep the ball of game 0 is in a living brick, the paddle or a wall; negative if it is clear of all."""
    game = games[0]
    boxes, codes = brick_boxes(games, levels, physics)
    x, y = game.ball.tolist()
    deepest: float = max(state.BALL_RADIUS - x, x + state.BALL_RADIUS - state.WIDTH, state.BALL_RADIUS - y)
    left = float(game.paddle)
    paddle = [left, state.PADDLE_TOP, left + float(game.paddle_width), state.PADDLE_TOP + state.PADDLE_HEIGHT]
    near = (codes != state.EMPTY) & (boxes[:, 3] > y - state.BALL_RADIUS) & (boxes[:, 1] < y + state.BALL_RADIUS)
    for box in [paddle, *boxes[near].tolist()]:
        deepest = max(deepest, depth_in_box(x, y, *box))
    return deepest


def depth_in_box(x: float, y: float, left: float, top: float, right: float, bottom: float) -> float:
    """Return how deep the ball around (x, y) is in a box: the length of the shortest way out."""
    outside_x, outside_y = max(left - x, x - right), max(top - y, y - bottom)
    if outside_x <= 0.0 and outside_y <= 0.0:
        return state.BALL_RADIUS - max(outside_x, outside_y)
    return state.BALL_RADIUS - math.hypot(max(outside_x, 0.0), max(outside_y, 0.0))


def boxes_of(scene: Scene, game: Game, physics: int) -> list[tuple[Box, str]]:
    """Return the bricks there were at the start, and the paddle, as they are at the end."""
    boxes, before = brick_boxes(scene.games, scene.levels, physics)
    shown: list[tuple[Box, str]] = []
    for (left, top, right, bottom), code, now in zip(boxes.tolist(), before, game.bricks, strict=False):
        if code != state.EMPTY:
            kind = "solid" if code == SOLID else "broken" if now == state.EMPTY else "brick"
            shown.append(((left, top, right - left, bottom - top), kind))
    shown.append(((float(game.paddle), state.PADDLE_TOP, float(game.paddle_width), state.PADDLE_HEIGHT), "paddle"))
    return shown


def region_around(played: list[Played], margin: float = 36.0) -> Box:
    """Return the part of the field, at least 140 by 120, that shows where the balls went."""
    points = np.array([point for each in played for point in each.path])
    low, high = points.min(axis=0) - margin, points.max(axis=0) + margin
    low, high = np.maximum(low, (-20.0, -20.0)), np.minimum(high, (state.WIDTH + 20.0, 2 * BRICKS_END + 20.0))
    size = np.maximum(high - low, (140.0, 120.0))
    left, top = (low + high - size) / 2
    return float(left), float(top), float(size[0]), float(size[1])
