"""Observations as pictures: a game drawn in 84 by 84 greys, and the last four of its pictures.

In: the tables of games and episodes. Out: bytes, 0 black to 255 white, rows from the top. What covers a pixel in part
shades it in part, so that a ball that moves by a tenth of a pixel changes the picture. The wall of bricks is drawn only
when it has changed. The effects that disturb a player's eyes, confuse and chaos, are not drawn.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from carom import inner, uncounted_kernel
from carom_breakout import state
from carom_breakout.levels import BRICKS_END, edge
from carom_breakout.state import Game, Table
from carom_gym.arrays import Integers

SIDE = 84
STACK = 4
PER_X, PER_Y = SIDE / state.WIDTH, SIDE / state.HEIGHT  # pixels of the picture per pixel of the field
INSET = 2.5  # pixels of the field by which a brick is drawn smaller at each side, so that bricks are told apart

BALL_SHADE, PADDLE_SHADE, GOOD_SHADE, BAD_SHADE, SOLID_SHADE = 255.0, 200.0, 160.0, 80.0, 70.0
LEAST_SHADE, SHADE_STEP = 90.0, 20.0  # of a brick of 10 points, and more for each 10 points

Pictures = NDArray[np.uint8]


@inner
def overlap(low: float, high: float, pixel: int) -> float:
    """Return how much of a pixel's width lies between low and high."""
    return max(min(high, pixel + 1.0) - max(low, float(pixel)), 0.0)


@inner
def shade(pictures: Pictures, g: int, layer: int, row: int, column: int, cover: float, grey: float) -> None:
    """Cover a share of a pixel with a grey."""
    before = float(pictures[g, layer, row, column])
    pictures[g, layer, row, column] = np.uint8(before + (grey - before) * cover + 0.5)


@inner
def draw_box(
    pictures: Pictures, g: int, layer: int, left: float, top: float, right: float, bottom: float, grey: float
) -> None:
    """Draw a box of the field."""
    x0, x1 = max(left * PER_X, 0.0), min(right * PER_X, float(SIDE))
    y0, y1 = max(top * PER_Y, 0.0), min(bottom * PER_Y, float(SIDE))
    if x0 < x1:
        for row in range(int(y0), math.ceil(y1)):
            down = overlap(y0, y1, row)
            for column in range(int(x0), math.ceil(x1)):
                shade(pictures, g, layer, row, column, down * overlap(x0, x1, column), grey)


@inner
def draw_ball(pictures: Pictures, g: int, layer: int, x: float, y: float) -> None:
    """Draw the ball: an ellipse, since the picture is squeezed."""
    cx, cy, rx, ry = x * PER_X, y * PER_Y, state.BALL_RADIUS * PER_X, state.BALL_RADIUS * PER_Y
    if not (-rx < cx < SIDE + rx and -ry < cy < SIDE + ry):
        return
    for row in range(max(int(cy - ry - 1.0), 0), min(int(cy + ry + 2.0), SIDE)):
        for column in range(max(int(cx - rx - 1.0), 0), min(int(cx + rx + 2.0), SIDE)):
            dx, dy = (column + 0.5 - cx) / rx, (row + 0.5 - cy) / ry
            cover = 0.5 + (1.0 - math.sqrt(dx * dx + dy * dy)) * 0.5 * (rx + ry)
            if cover > 0.0:
                shade(pictures, g, layer, row, column, min(cover, 1.0), BALL_SHADE)


@inner
def draw_wall(game: Game, walls: Pictures, g: int) -> None:
    """Draw all bricks on black."""
    for row in range(SIDE):
        for column in range(SIDE):
            walls[g, 0, row, column] = 0
    columns, rows = game.columns, game.rows
    for cell in range(columns * rows):
        code = game.bricks[cell]
        if code != state.EMPTY:
            column, row = cell % columns, cell // columns
            grey = SOLID_SHADE if code == state.SOLID else LEAST_SHADE + SHADE_STEP * (code - state.BLUE)
            left, right = edge(column, columns, state.WIDTH), edge(column + 1, columns, state.WIDTH)
            top, bottom = edge(row, rows, BRICKS_END), edge(row + 1, rows, BRICKS_END)
            draw_box(walls, g, 0, left + INSET, top + INSET, right - INSET, bottom - INSET, grey)


@inner
def draw_game(game: Game, walls: Pictures, recent: Pictures, g: int, layer: int) -> None:
    """Draw a game into one layer of its recent pictures."""
    for row in range(SIDE):
        for column in range(SIDE):
            recent[g, layer, row, column] = walls[g, 0, row, column]
    for k in range(game.falling):
        x, y = game.items[k].position[0], game.items[k].position[1]
        grey = GOOD_SHADE if state.HELPS[game.items[k].kind] else BAD_SHADE
        draw_box(recent, g, layer, x, y, x + state.ITEM_WIDTH, y + state.ITEM_HEIGHT, grey)
    left, bottom = game.paddle, state.PADDLE_TOP + state.PADDLE_HEIGHT
    draw_box(recent, g, layer, left, state.PADDLE_TOP, left + game.paddle_width, bottom, PADDLE_SHADE)
    draw_ball(recent, g, layer, game.ball[0], game.ball[1])


@uncounted_kernel
def draw_pictures(
    games: Table, episodes: Table, walls: Pictures, drawn: Integers, recent: Pictures, newest: int, out: Pictures
) -> None:
    """Draw each game as it is now, and lay out its last pictures, the oldest first.

    Parameters
    ----------
    games, episodes : (n,) GAME, (n,) EPISODE
    walls : (n, 1, SIDE, SIDE) uint8
        The bricks of each game, as far as `drawn` says; overwritten.
    drawn : (n,)
        Which wall that is: the bricks left and the level in one number, or -1 for none.
    recent : (n, STACK, SIDE, SIDE) uint8
        The last pictures of each game, in a ring; the first picture of an episode fills all of it.
    newest : int
        Where in the ring this picture belongs.
    out : (n, STACK, SIDE, SIDE) uint8
        Overwritten.
    """
    for g in range(len(games)):
        game = games[g]
        wall = game.remaining + 1024 * game.level
        if wall != drawn[g]:
            draw_wall(game, walls, g)
            drawn[g] = wall
        draw_game(game, walls, recent, g, newest)
        for k in range(STACK):
            # As floor division goes, so that the oldest follows the newest in the ring.
            layer = newest if episodes[g].elapsed == 0 else (newest + 1 + k) % STACK
            for row in range(SIDE):
                for column in range(SIDE):
                    out[g, k, row, column] = recent[g, layer, row, column]
            if episodes[g].elapsed == 0 and k != newest:
                for row in range(SIDE):
                    for column in range(SIDE):
                        recent[g, k, row, column] = recent[g, newest, row, column]
