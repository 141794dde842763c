"""The ball among bricks and walls: its next hit, and its answer to all that it meets at one instant.

In: one game, and a straight way of its ball. Out: the first hit on that way; and, at a hit, the ball's new velocity,
the bricks struck, the events. Field frame, pixels and seconds. Only bricks in the cells of the grid that the ball
comes near are looked at.

- A hit counts only if the ball approaches, and only if it would go deeper than the slop.
- Where a living brick carries on a brick's face, the end of that face is no corner: flush bricks are one smooth wall.
- All bricks and walls met at one instant answer together, in any order.
"""

from __future__ import annotations

import math

from carom import distance_disc_box, inner, sweep_disc_box
from carom_breakout import state
from carom_breakout.levels import BRICKS_END, edge
from carom_breakout.power_ups import strike_brick
from carom_breakout.state import Game, Trace, note

SLOP = 1e-12 * state.PADDLE_WIDTH  # overlap up to which the ball touches: far more than rounding, far less than a pixel
LOST_AT = state.HEIGHT + state.BALL_RADIUS  # centre of a ball whose top has left the field
NEAR = 1e-6  # far more than the rounding of the edges of bricks, far less than a brick
STRETCH = 40.0  # bricks are looked up along so much of the ball's way at a time

Cone = tuple[float, float, float, bool, bool]  # see add_normal


@inner
def next_wall(x: float, y: float, vx: float, vy: float, span: float) -> tuple[float, int]:
    """Return (seconds, wall) until the ball meets wall 0 left, 1 right, 2 top, or leaves the field as 3; -1 for none.

    The seconds are at most the span.
    """
    time, wall = span, -1
    end_x, end_y = x + vx * span, y + vy * span
    if vx < 0.0 and end_x <= state.BALL_RADIUS:
        time, wall = min(max((state.BALL_RADIUS - x) / vx, 0.0), time), 0
    elif vx > 0.0 and end_x >= state.WIDTH - state.BALL_RADIUS:
        time, wall = min(max((state.WIDTH - state.BALL_RADIUS - x) / vx, 0.0), time), 1
    if vy < 0.0 and end_y <= state.BALL_RADIUS:
        other = max((state.BALL_RADIUS - y) / vy, 0.0)
        if other <= time:
            time, wall = other, 2
    elif vy > 0.0 and end_y >= LOST_AT:
        other = max((LOST_AT - y) / vy, 0.0)
        if other <= time:
            time, wall = other, 3
    return time, wall


@inner
def on_seam(game: Game, column: int, row: int, nx: float, ny: float) -> bool:
    """Tell whether the corner that this normal comes from is covered by a living neighbour of the brick."""
    if nx == 0.0 or ny == 0.0:
        return False
    beside = column + 1 if nx > 0.0 else column - 1
    if 0 <= beside < game.columns and game.bricks[row * game.columns + beside] != state.EMPTY:
        return True
    beyond = row + 1 if ny > 0.0 else row - 1
    return bool(0 <= beyond < game.rows and game.bricks[beyond * game.columns + column] != state.EMPTY)


@inner
def is_near_brick(game: Game, x: float, y: float, end_x: float, end_y: float) -> bool:
    """Tell whether a brick is alive in a cell that the ball comes near on its way."""
    columns, rows = game.columns, game.rows
    across, down = columns * (1.0 / state.WIDTH), rows * (1.0 / BRICKS_END)
    reach = state.BALL_RADIUS + NEAR
    first, last = int((min(x, end_x) - reach) * across), min(int((max(x, end_x) + reach) * across), columns - 1)
    top, bottom = int((min(y, end_y) - reach) * down), min(int((max(y, end_y) + reach) * down), rows - 1)
    first, top = max(first, 0), max(top, 0)
    if top > bottom:
        return False
    if last - first < 2 and bottom - top < 2:  # as in most steps: four looks, and nothing to guess
        upper, lower, bricks = top * columns, bottom * columns, game.bricks
        return bool(
            (bricks[upper + first] | bricks[upper + last] | bricks[lower + first] | bricks[lower + last]) != state.EMPTY
        )
    for row in range(top, bottom + 1):
        for column in range(first, last + 1):
            if game.bricks[row * columns + column] != state.EMPTY:
                return True
    return False


@inner
def cell_range(low: float, high: float, density: float, count: int) -> tuple[int, int]:
    """Return (first, one past the last) of `count` equal cells that low..high comes near; density in cells a pixel."""
    first = math.floor((low - NEAR) * density)
    last = math.floor((high + NEAR) * density)
    return max(first, 0), min(last + 1, count)


@inner
def next_brick(game: Game, x: float, y: float, mx: float, my: float) -> tuple[float, int, float, float]:
    """Return (fraction of the motion m, cell, normal x, normal y) of the first brick met; infinite for none."""
    columns, rows = game.columns, game.rows
    across, down = columns * (1.0 / state.WIDTH), rows * (1.0 / BRICKS_END)
    best, hit, hit_x, hit_y = math.inf, -1, 0.0, 0.0
    stretches = int((abs(mx) + abs(my)) * (1.0 / STRETCH)) + 1
    share = 1.0 if stretches == 1 else 1.0 / stretches
    for stretch in range(stretches):
        done = stretch * share
        if best <= done:
            break
        until = done + share
        y0, y1 = y + my * done, y + my * until
        first_row, end_row = cell_range(min(y0, y1) - state.BALL_RADIUS, max(y0, y1) + state.BALL_RADIUS, down, rows)
        if first_row >= end_row:
            continue
        x0, x1 = x + mx * done, x + mx * until
        first, end = cell_range(min(x0, x1) - state.BALL_RADIUS, max(x0, x1) + state.BALL_RADIUS, across, columns)
        for row in range(first_row, end_row):
            for column in range(first, end):
                cell = row * columns + column
                if game.bricks[cell] != state.EMPTY:
                    top, bottom = edge(row, rows, BRICKS_END), edge(row + 1, rows, BRICKS_END)
                    left, right = edge(column, columns, state.WIDTH), edge(column + 1, columns, state.WIDTH)
                    fraction, nx, ny = sweep_disc_box(x, y, mx, my, left, top, right, bottom, state.BALL_RADIUS, SLOP)
                    if fraction < best and not on_seam(game, column, row, nx, ny):
                        best, hit, hit_x, hit_y = fraction, cell, nx, ny
    return best, hit, hit_x, hit_y


@inner
def add_normal(cone: Cone, vx: float, vy: float, nx: float, ny: float) -> Cone:
    """Add a contact to (closing speed, normal x, normal y of the most closing; any to either side of -v)."""
    closing, best_x, best_y, on_left, on_right = cone
    speed = -(vx * nx + vy * ny)
    aside = vx * ny - vy * nx
    if speed > closing:
        closing, best_x, best_y = speed, nx, ny
    return closing, best_x, best_y, on_left or aside > 0.0, on_right or aside < 0.0


@inner
def reflect(cone: Cone, vx: float, vy: float) -> tuple[float, float]:
    """Return the velocity after meeting all contacts of the cone at once, every speed of approach reversed.

    Contacts on both sides of the way back can push the ball nowhere but back; else the most closing one alone answers,
    and moves the ball away from the others, too. No order of the contacts comes into it.
    """
    closing, nx, ny, on_left, on_right = cone
    if on_left and on_right:
        return -vx, -vy
    if nx == 0.0:
        return vx, -vy
    if ny == 0.0:
        return -vx, vy
    return vx + 2.0 * closing * nx, vy + 2.0 * closing * ny


@inner
def meet_bricks(
    game: Game,
    trace: Trace,
    time: float,
    first: int,
    nx: float,
    ny: float,
) -> None:
    """Let the ball, at the instant of a hit, answer to every wall and brick it touches and approaches, all together.

    `first` is the brick found by the sweep, with its normal, or minus one minus the wall.
    """
    columns, rows = game.columns, game.rows
    vx, vy = game.velocity[0], game.velocity[1]
    through = game.effects & (1 << state.PASS_THROUGH) != 0
    # A face hit puts the ball exactly on the face: no rounding of the path is left in its position.
    if first >= 0:
        column, row = first % columns, first // columns
        if ny == 0.0:
            game.ball[0] = edge(column + 1 if nx > 0.0 else column, columns, state.WIDTH) + nx * state.BALL_RADIUS
        elif nx == 0.0:
            game.ball[1] = edge(row + 1 if ny > 0.0 else row, rows, BRICKS_END) + ny * state.BALL_RADIUS
    elif first == -1:
        game.ball[0] = state.BALL_RADIUS
    elif first == -2:
        game.ball[0] = state.WIDTH - state.BALL_RADIUS
    else:
        game.ball[1] = state.BALL_RADIUS
    x, y = game.ball[0], game.ball[1]

    cone = (0.0, 0.0, 0.0, False, False)
    if vx < 0.0 and x <= state.BALL_RADIUS + SLOP:
        cone = add_normal(cone, vx, vy, 1.0, 0.0)
        note(trace, state.WALL_HIT, 0, time, x, y, 1.0, 0.0)
    if vx > 0.0 and x >= state.WIDTH - state.BALL_RADIUS - SLOP:
        cone = add_normal(cone, vx, vy, -1.0, 0.0)
        note(trace, state.WALL_HIT, 1, time, x, y, -1.0, 0.0)
    if vy < 0.0 and y <= state.BALL_RADIUS + SLOP:
        cone = add_normal(cone, vx, vy, 0.0, 1.0)
        note(trace, state.WALL_HIT, 2, time, x, y, 0.0, 1.0)
    reach = state.BALL_RADIUS + SLOP
    first_row, end_row = cell_range(y - reach, y + reach, rows / BRICKS_END, rows)
    first_column, end_column = cell_range(x - reach, x + reach, columns / state.WIDTH, columns)
    # Which corners are covered is judged before any brick of this instant breaks: two passes, the first to mark.
    struck = 0
    for row in range(first_row, end_row):
        for column in range(first_column, end_column):
            cell = row * columns + column
            if game.bricks[cell] == state.EMPTY:
                continue
            left, right = edge(column, columns, state.WIDTH), edge(column + 1, columns, state.WIDTH)
            top, bottom = edge(row, rows, BRICKS_END), edge(row + 1, rows, BRICKS_END)
            gap, ax, ay = distance_disc_box(x, y, left, top, right, bottom, state.BALL_RADIUS)
            if cell == first:
                gap, ax, ay = 0.0, nx, ny
            if gap <= SLOP and vx * ax + vy * ay < 0.0 and not on_seam(game, column, row, ax, ay):
                struck |= 1 << ((row - first_row) * (end_column - first_column) + column - first_column)
    for row in range(first_row, end_row):
        for column in range(first_column, end_column):
            if struck & (1 << ((row - first_row) * (end_column - first_column) + column - first_column)) == 0:
                continue
            cell = row * columns + column
            left, top = edge(column, columns, state.WIDTH), edge(row, rows, BRICKS_END)
            right, bottom = edge(column + 1, columns, state.WIDTH), edge(row + 1, rows, BRICKS_END)
            _, ax, ay = distance_disc_box(x, y, left, top, right, bottom, state.BALL_RADIUS)
            if cell == first:
                ax, ay = nx, ny
            if game.bricks[cell] == state.SOLID or not through:
                cone = add_normal(cone, vx, vy, ax, ay)
            strike_brick(game, trace, cell, time, ax, ay, min(left, state.WIDTH - state.ITEM_WIDTH), top)
    if cone[0] > 0.0:
        game.velocity[0], game.velocity[1] = reflect(cone, vx, vy)
