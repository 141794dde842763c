"""Exact motion of the ball and the paddle: every hit of the step in time order, at its true instant and normal.

In: one game and its trace, and the length of the step. Out: ball, paddle and bricks at its end, and the events.
Between two hits all motion is straight, so the next hit is a closed form (`narrow.sweep`): against the walls, against
the bricks in the cells of the grid that the ball comes near, against the paddle in the paddle's own frame. Field frame,
pixels and seconds.

What makes it safe:
- a hit counts only if the ball approaches, and only if it would go deeper than the slop;
- where a living brick carries on a brick's face, the end of that face is no corner;
- all bricks and walls met at one instant answer together, whatever their order;
- the paddle stops for the rest of the step where it would squeeze the ball against a wall.
"""

from __future__ import annotations

import math

from carom._jit import inner
from carom.breakout.levels import BRICKS_END, edge
from carom.breakout.mechanics import catch_item, note, remove_item, strike_brick
from carom.breakout.state import (
    BALL_RADIUS,
    BOUNCE_STRENGTH,
    CAUGHT,
    EMPTY,
    FLATTEST,
    FREE,
    HEIGHT,
    ITEM_HEIGHT,
    ITEM_SPEED,
    ITEM_WIDTH,
    LAUNCH_X,
    MOUSE_SPEED,
    PADDLE_BLOCKED,
    PADDLE_HEIGHT,
    PADDLE_HIT,
    PADDLE_SPEED,
    PADDLE_TOP,
    PADDLE_WIDTH,
    PASS_THROUGH,
    SOLID,
    STICKY,
    WALL_HIT,
    WIDTH,
    Game,
    Player,
    Trace,
)
from carom.narrow.sweep import distance_disc_box, sweep_disc_box
from carom.tolerances import EPSILON, SLOP_SIZE

SLOP = SLOP_SIZE * PADDLE_WIDTH
LOST_AT = HEIGHT + BALL_RADIUS  # centre of a ball whose top has left the field
STRETCH = 40.0  # bricks are looked up along so much of the ball's way at a time
PINCH = 1.0  # the paddle stops where it would leave a ball between it and a wall less room than this to move in
MOST_IDLE = 64  # hits in a row without progress in time, after which the ball waits for the next step
MOST_HITS = 1_000_000  # in one step: no game comes near, but a window must not hang, whatever level it is given

NOTHING, WALL, BRICK, PADDLE = 0, 1, 2, 3


@inner
def paddle_course(game: Game, player: Player) -> tuple[float, float]:
    """Return (velocity, goal): how fast the paddle moves in this step, and at which left end it stops."""
    left, farthest = game.paddle, WIDTH - game.paddle_width
    direction = player.direction
    mouse = player.mouse
    if direction > 0:
        return (PADDLE_SPEED, farthest) if left < farthest else (0.0, left)
    if direction < 0:
        return (-PADDLE_SPEED, 0.0) if left > 0.0 else (0.0, left)
    if mouse != mouse:
        return 0.0, left
    goal = min(max(mouse - game.paddle_width / 2, 0.0), farthest)
    if goal == left:
        return 0.0, left
    return (MOUSE_SPEED if goal > left else -MOUSE_SPEED), goal


@inner
def grow_paddle(game: Game) -> None:
    """Give the paddle the width it has earned, evenly to both sides and inside the walls, once the ball allows it."""
    if game.paddle_grown == game.paddle_width:
        return
    width = game.paddle_grown
    left = min(max(game.paddle - (width - game.paddle_width) / 2, 0.0), WIDTH - width)
    x, y = game.ball[0], game.ball[1]
    if game.stuck == FREE:
        bottom = PADDLE_TOP + PADDLE_HEIGHT
        room, _, _ = distance_disc_box(x, y, left, PADDLE_TOP, left + width, bottom, BALL_RADIUS)
        if room < PINCH:
            return
    game.stuck_offset += game.paddle - left
    game.paddle = left
    game.paddle_width = width


@inner
def carry_ball(game: Game) -> None:
    """Put a stuck ball on the paddle's top, where it was, but never into a wall."""
    x = game.paddle + game.stuck_offset
    game.ball[0] = min(max(x, BALL_RADIUS), WIDTH - BALL_RADIUS)
    game.ball[1] = PADDLE_TOP - BALL_RADIUS


@inner
def next_wall(x: float, y: float, vx: float, vy: float, span: float) -> tuple[float, int]:
    """Return (seconds, wall) until the ball meets wall 0 left, 1 right, 2 top, or leaves the field as 3; -1 for none.

    The seconds are at most the span.
    """
    time, wall = span, -1
    end_x, end_y = x + vx * span, y + vy * span
    if vx < 0.0 and end_x <= BALL_RADIUS:
        time, wall = min(max((BALL_RADIUS - x) / vx, 0.0), time), 0
    elif vx > 0.0 and end_x >= WIDTH - BALL_RADIUS:
        time, wall = min(max((WIDTH - BALL_RADIUS - x) / vx, 0.0), time), 1
    if vy < 0.0 and end_y <= BALL_RADIUS:
        other = max((BALL_RADIUS - y) / vy, 0.0)
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
    if 0 <= beside < game.columns and game.bricks[row * game.columns + beside] != EMPTY:
        return True
    beyond = row + 1 if ny > 0.0 else row - 1
    return bool(0 <= beyond < game.rows and game.bricks[beyond * game.columns + column] != EMPTY)


@inner
def cell_range(low: float, high: float, density: float, count: int) -> tuple[int, int]:
    """Return (first, one past the last) of `count` equal cells that low..high comes near; density in cells a pixel."""
    near = 1e-6  # far more than the rounding of the edges, far less than a brick
    first = math.floor((low - near) * density)
    last = math.floor((high + near) * density)
    return max(first, 0), min(last + 1, count)


@inner
def next_brick(game: Game, x: float, y: float, mx: float, my: float) -> tuple[float, int, float, float]:
    """Return (fraction of the motion m, cell, normal x, normal y) of the first brick met; infinite for none."""
    columns, rows = game.columns, game.rows
    across, down = columns * (1.0 / WIDTH), rows * (1.0 / BRICKS_END)
    best, hit, hit_x, hit_y = math.inf, -1, 0.0, 0.0
    stretches = int((abs(mx) + abs(my)) * (1.0 / STRETCH)) + 1
    share = 1.0 if stretches == 1 else 1.0 / stretches
    for stretch in range(stretches):
        done = stretch * share
        if best <= done:
            break
        until = done + share
        y0, y1 = y + my * done, y + my * until
        first_row, end_row = cell_range(min(y0, y1) - BALL_RADIUS, max(y0, y1) + BALL_RADIUS, down, rows)
        if first_row >= end_row:
            continue
        x0, x1 = x + mx * done, x + mx * until
        first, end = cell_range(min(x0, x1) - BALL_RADIUS, max(x0, x1) + BALL_RADIUS, across, columns)
        for row in range(first_row, end_row):
            top, bottom = edge(row, rows, BRICKS_END), edge(row + 1, rows, BRICKS_END)
            for column in range(first, end):
                cell = row * columns + column
                if game.bricks[cell] != EMPTY:
                    left, right = edge(column, columns, WIDTH), edge(column + 1, columns, WIDTH)
                    fraction, nx, ny = sweep_disc_box(x, y, mx, my, left, top, right, bottom, BALL_RADIUS, SLOP)
                    if fraction < best and not on_seam(game, column, row, nx, ny):
                        best, hit, hit_x, hit_y = fraction, cell, nx, ny
    return best, hit, hit_x, hit_y


@inner
def add_normal(
    cone: tuple[float, float, float, bool, bool], vx: float, vy: float, nx: float, ny: float
) -> tuple[float, float, float, bool, bool]:
    """Add a contact to (closing speed, normal x, normal y of the most closing; any to either side of -v)."""
    closing, best_x, best_y, on_left, on_right = cone
    speed = -(vx * nx + vy * ny)
    aside = vx * ny - vy * nx
    if speed > closing:
        closing, best_x, best_y = speed, nx, ny
    return closing, best_x, best_y, on_left or aside > 0.0, on_right or aside < 0.0


@inner
def reflect(cone: tuple[float, float, float, bool, bool], vx: float, vy: float) -> tuple[float, float]:
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
    through = game.effects & (1 << PASS_THROUGH) != 0
    # A face hit puts the ball exactly on the face: no rounding of the path is left in its position.
    if first >= 0:
        column, row = first % columns, first // columns
        if ny == 0.0:
            game.ball[0] = edge(column + 1 if nx > 0.0 else column, columns, WIDTH) + nx * BALL_RADIUS
        elif nx == 0.0:
            game.ball[1] = edge(row + 1 if ny > 0.0 else row, rows, BRICKS_END) + ny * BALL_RADIUS
    elif first == -1:
        game.ball[0] = BALL_RADIUS
    elif first == -2:
        game.ball[0] = WIDTH - BALL_RADIUS
    else:
        game.ball[1] = BALL_RADIUS
    x, y = game.ball[0], game.ball[1]

    cone = (0.0, 0.0, 0.0, False, False)
    if vx < 0.0 and x <= BALL_RADIUS + SLOP:
        cone = add_normal(cone, vx, vy, 1.0, 0.0)
        note(trace, WALL_HIT, 0, time, x, y, 1.0, 0.0)
    if vx > 0.0 and x >= WIDTH - BALL_RADIUS - SLOP:
        cone = add_normal(cone, vx, vy, -1.0, 0.0)
        note(trace, WALL_HIT, 1, time, x, y, -1.0, 0.0)
    if vy < 0.0 and y <= BALL_RADIUS + SLOP:
        cone = add_normal(cone, vx, vy, 0.0, 1.0)
        note(trace, WALL_HIT, 2, time, x, y, 0.0, 1.0)
    reach = BALL_RADIUS + SLOP
    first_row, end_row = cell_range(y - reach, y + reach, rows / BRICKS_END, rows)
    first_column, end_column = cell_range(x - reach, x + reach, columns / WIDTH, columns)
    # Which corners are covered is judged before any brick of this instant breaks: two passes, the first to mark.
    struck = 0
    for row in range(first_row, end_row):
        for column in range(first_column, end_column):
            cell = row * columns + column
            if game.bricks[cell] == EMPTY:
                continue
            left, right = edge(column, columns, WIDTH), edge(column + 1, columns, WIDTH)
            top, bottom = edge(row, rows, BRICKS_END), edge(row + 1, rows, BRICKS_END)
            gap, ax, ay = distance_disc_box(x, y, left, top, right, bottom, BALL_RADIUS)
            if cell == first:
                gap, ax, ay = 0.0, nx, ny
            if gap <= SLOP and vx * ax + vy * ay < 0.0 and not on_seam(game, column, row, ax, ay):
                struck |= 1 << ((row - first_row) * (end_column - first_column) + column - first_column)
    for row in range(first_row, end_row):
        for column in range(first_column, end_column):
            if struck & (1 << ((row - first_row) * (end_column - first_column) + column - first_column)) == 0:
                continue
            cell = row * columns + column
            left, top = edge(column, columns, WIDTH), edge(row, rows, BRICKS_END)
            right, bottom = edge(column + 1, columns, WIDTH), edge(row + 1, rows, BRICKS_END)
            _, ax, ay = distance_disc_box(x, y, left, top, right, bottom, BALL_RADIUS)
            if cell == first:
                ax, ay = nx, ny
            if game.bricks[cell] == SOLID or not through:
                cone = add_normal(cone, vx, vy, ax, ay)
            strike_brick(game, trace, cell, time, ax, ay, min(left, WIDTH - ITEM_WIDTH), top)
    if cone[0] > 0.0:
        game.velocity[0], game.velocity[1] = reflect(cone, vx, vy)


@inner
def meet_paddle(game: Game, trace: Trace, time: float, velocity: float, nx: float, ny: float) -> bool:
    """Let the ball answer to the paddle, which moves with this velocity; return whether that blocks the paddle.

    The top follows the percentage rule: the farther from the middle, the farther aside, at the ball's own speed, and
    never flat. Sides and corners reflect by their true normal in the paddle's frame.
    """
    x, y = game.ball[0], game.ball[1]
    vx, vy = game.velocity[0], game.velocity[1]
    left, half = game.paddle, game.paddle_width / 2
    if nx == 0.0 and ny < 0.0:
        y = PADDLE_TOP - BALL_RADIUS
        game.ball[1] = y
        speed = game.speed
        aside = LAUNCH_X * BOUNCE_STRENGTH * (x - (left + half)) / half
        scale = speed / math.sqrt(aside * aside + vy * vy)
        across, up = aside * scale, vy * scale
        if up < FLATTEST * speed:
            up = FLATTEST * speed
            flat = math.sqrt(speed * speed - up * up)
            across = flat if aside > 0.0 else -flat
        game.velocity[0] = across
        game.velocity[1] = -up
        if game.effects & (1 << STICKY):
            game.stuck = CAUGHT
            game.stuck_offset = x - left
        note(trace, PADDLE_HIT, 0, time, x, y, nx, ny)
        return False
    if ny == 0.0:
        x = left - BALL_RADIUS if nx < 0.0 else left + game.paddle_width + BALL_RADIUS
        game.ball[0] = x
    room = x - BALL_RADIUS if nx < 0.0 else WIDTH - BALL_RADIUS - x
    blocked = velocity * nx > 0.0 and room < PINCH
    if blocked:
        velocity = 0.0
        note(trace, PADDLE_BLOCKED, 0, time, x, y, nx, ny)
    closing = -((vx - velocity) * nx + vy * ny)
    if closing > 0.0:
        # No more than a ball at the game's speed would get, or one squeezed against a wall grows faster with each hit.
        leaving = min(closing, game.speed + abs(velocity))
        game.velocity[0] = vx + (closing + leaving) * nx
        game.velocity[1] = vy + (closing + leaving) * ny
        note(trace, PADDLE_HIT, 0, time, x, y, nx, ny)
    return blocked


@inner
def is_beside(game: Game, left: float, velocity: float) -> bool:
    """Tell whether the ball is on the side of the paddle that it moves to, and no higher and no lower than it."""
    y = game.ball[1]
    if y <= PADDLE_TOP - BALL_RADIUS or y >= PADDLE_TOP + PADDLE_HEIGHT + BALL_RADIUS:
        return False
    return bool(game.ball[0] < left if velocity < 0.0 else game.ball[0] > left + game.paddle_width)


@inner
def play_motion(game: Game, trace: Trace, player: Player, dt: float) -> tuple[bool, float]:
    """Move the paddle and the ball through the step, from hit to hit; return (ball lost, when its motion ended)."""
    grow_paddle(game)
    start = game.paddle
    velocity, goal = paddle_course(game, player)
    moves = dt
    if abs(goal - start) < abs(velocity) * dt:
        moves = min((goal - start) / velocity, dt)
    elif velocity != 0.0:
        goal = min(max(start + velocity * dt, 0.0), WIDTH - game.paddle_width)
    game.paddle = goal
    game.paddle_velocity = velocity
    trace.paddle_start = start
    trace.paddle_width = game.paddle_width
    trace.paddle_pace = velocity
    trace.paddle_moved = moves
    x, y = game.ball[0], game.ball[1]
    vx, vy = game.velocity[0], game.velocity[1]
    if game.stuck != FREE:
        carry_ball(game)
        return False, dt
    end_x, end_y = x + vx * dt, y + vy * dt
    if (
        min(y, end_y) > BRICKS_END + BALL_RADIUS
        and max(y, end_y) < PADDLE_TOP - BALL_RADIUS
        and BALL_RADIUS < end_x < WIDTH - BALL_RADIUS
    ):
        game.ball[0] = end_x
        game.ball[1] = end_y
        return False, dt

    narrow = math.inf  # when the room between paddle and wall becomes too narrow for the ball
    if velocity != 0.0 and y + (abs(vx) + abs(vy)) * dt > PADDLE_TOP - BALL_RADIUS:
        side = 2.0 * BALL_RADIUS + PINCH
        narrow = ((side if velocity < 0.0 else WIDTH - side - game.paddle_width) - start) / velocity
    time, idle, hits, lost = 0.0, 0, 0, False
    while time < dt:
        moving = time < moves
        until = moves if moving else dt
        pace = velocity if moving else 0.0
        left = start + velocity * time if moving else game.paddle
        x, y = game.ball[0], game.ball[1]
        vx, vy = game.velocity[0], game.velocity[1]
        if moving and time < narrow:
            until = min(until, narrow)
        elif moving and is_beside(game, left, velocity):
            moves, goal = time, left
            game.paddle, game.paddle_velocity = left, 0.0
            note(trace, PADDLE_BLOCKED, 0, time, x, y, 0.0, 0.0)
            continue
        first, kind = until - time, NOTHING
        nx, ny = 0.0, 0.0
        first, met = next_wall(x, y, vx, vy, first)
        if met >= 0:
            kind = WALL
        if min(y, y + vy * first) < BRICKS_END + BALL_RADIUS:
            fraction, cell, brick_x, brick_y = next_brick(game, x, y, vx * first, vy * first)
            if fraction <= 1.0:
                first, kind, met = first * fraction, BRICK, cell
                nx, ny = brick_x, brick_y
        if max(y, y + vy * first) > PADDLE_TOP - BALL_RADIUS:
            right, bottom = left + game.paddle_width, PADDLE_TOP + PADDLE_HEIGHT
            fraction, paddle_x, paddle_y = sweep_disc_box(
                x, y, (vx - pace) * first, vy * first, left, PADDLE_TOP, right, bottom, BALL_RADIUS, SLOP
            )
            if fraction <= 1.0:
                first, kind = first * fraction, PADDLE
                nx, ny = paddle_x, paddle_y
        game.ball[0] = x + vx * first
        game.ball[1] = y + vy * first
        if kind == NOTHING:
            time = until
            continue
        time += first
        idle = idle + 1 if first <= 4.0 * EPSILON * dt else 0
        hits += 1
        if kind == PADDLE:
            game.paddle = min(max(left + pace * first, 0.0), WIDTH - game.paddle_width)
            if meet_paddle(game, trace, time, pace, nx, ny):
                moves = min(time, moves)
                game.paddle_velocity = 0.0
                goal = game.paddle
            game.paddle = goal
            if game.stuck != FREE:
                carry_ball(game)
                break
        elif kind == WALL and met == 3:
            lost = True
            break
        else:
            meet_bricks(game, trace, time, met if kind == BRICK else -1 - met, nx, ny)
            if game.remaining == 0:
                break
        if idle > MOST_IDLE or hits > MOST_HITS:
            game.stalls += 1
            if time < moves:
                game.paddle = left
                moves = time
            break
    trace.paddle_moved = moves
    return lost, time


@inner
def fall_exactly(game: Game, trace: Trace, dt: float) -> None:
    """Let the items fall through the step and the moving paddle catch what it meets, in the order of the list."""
    half_x, half_y = ITEM_WIDTH / 2, ITEM_HEIGHT / 2
    width, bottom = game.paddle_width, PADDLE_TOP + PADDLE_HEIGHT
    k = 0
    while k < game.falling:
        x, y = game.items[k].position[0], game.items[k].position[1]
        if y + ITEM_SPEED * dt + ITEM_HEIGHT < PADDLE_TOP:
            game.items[k].position[1] = y + ITEM_SPEED * dt
            k += 1
            continue
        caught = math.inf
        time, left = 0.0, trace.paddle_start
        for leg in range(2):
            span = trace.paddle_moved if leg == 0 else dt - trace.paddle_moved
            pace = trace.paddle_pace if leg == 0 else 0.0
            center_x, center_y = x + half_x, y + ITEM_SPEED * time + half_y
            # A box against a box is the centre of one against the other grown by it.
            low_x, low_y, high_x, high_y = left - half_x, PADDLE_TOP - half_y, left + width + half_x, bottom + half_y
            gap, _, _ = distance_disc_box(center_x, center_y, low_x, low_y, high_x, high_y, 0.0)
            if caught == math.inf and gap < 0.0:
                caught = time
            if caught == math.inf and span > 0.0:
                fraction, _, _ = sweep_disc_box(
                    center_x, center_y, -pace * span, ITEM_SPEED * span, low_x, low_y, high_x, high_y, 0.0, SLOP
                )
                caught = time + fraction * span
            time, left = time + span, game.paddle
        game.items[k].position[1] = y + ITEM_SPEED * dt
        if caught <= dt:
            kind = game.items[k].kind
            remove_item(game, k)
            catch_item(game, trace, kind, caught, x, y + ITEM_SPEED * caught, False)
        elif y + ITEM_SPEED * dt >= HEIGHT:
            remove_item(game, k)
        else:
            k += 1
