"""Flaws of motion, 1 to 7 and 9: the same ball, bricks and paddle, moved by the tutorial's rules and exactly.

In: the length of the step in seconds and the speed of the ball in pixels a second. Out: the outcome under either
physics. Most scenes place the ball so that whole steps take it to a chosen place: there the naive test looks next.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from carom_breakout import state
from carom_breakout.flaws.stage import Outcome, Played, Scene, play, region_around, set_scene
from carom_breakout.session import Box, Point


class Pair(NamedTuple):
    """A scene under both physics, and the part of the field to show."""

    region: Box
    tutorial: Outcome
    exact: Outcome
    lens: Box | None = None  # a part of the region, to be magnified


def lead_up(place: Point, velocity: Point, dt: float) -> tuple[Point, int]:
    """Return where a ball must start to be at a place after some whole steps, at least 40 px away, and how many.

    A start outside the field is drawn in along the way, and the place is then passed within the step.
    """
    speed = math.hypot(*velocity)
    steps = max(1, math.ceil(40.0 / (speed * dt)))
    time = steps * dt
    for axis, low, high in (
        (0, state.BALL_RADIUS, state.WIDTH - state.BALL_RADIUS),
        (1, state.BALL_RADIUS, state.HEIGHT - 40.0),
    ):
        if velocity[axis] > 0.0:
            time = min(time, (place[axis] - low) / velocity[axis])
        elif velocity[axis] < 0.0:
            time = min(time, (place[axis] - high) / velocity[axis])
    return (place[0] - velocity[0] * time, place[1] - velocity[1] * time), steps


def both(scene: Scene, dt: float, steps: int) -> tuple[Played, Played]:
    """Play a scene under the tutorial's physics and exactly."""
    return play(scene, state.TUTORIAL, dt, steps), play(scene, state.EXACT, dt, steps)


def compare(
    naive: Played,
    exact: Played,
    naive_says: str,
    exact_says: str,
    measure: Callable[[Played], dict[str, float]],
    **naive_numbers: float,
) -> Pair:
    """Put words to a scene played, the numbers measured on both sides, and where the exact ball first hit."""
    return Pair(
        region_around([naive, exact]),
        naive.outcome(naive_says, **measure(naive), **naive_numbers),
        exact.outcome(exact_says, **measure(exact), **first_hit(exact)),
    )


def struck(played: Played) -> int:
    """Return how many hits of bricks there were."""
    return sum(kind in (state.BRICK_HIT, state.SOLID_HIT) for kind in played.kinds)


def side_hits(played: Played) -> int:
    """Return how many hits had a normal that was not upright."""
    return sum(normal[0] != 0.0 for _, normal in played.hits)


def first_hit(played: Played) -> dict[str, float]:
    """Return the normal of the first hit, and the deepest overlap that any frame showed."""
    (normal_x, normal_y) = played.hits[0][1]
    return {"normal_x": normal_x, "normal_y": normal_y, "deepest": max(played.overlap, 0.0)}


def degrees(x: float, y: float) -> float:
    """Return the direction of a vector in whole turns of 360, y up as on paper."""
    return round(math.degrees(math.atan2(-y, x)) % 360.0, 1)


def tunnelling(dt: float = 0.2, speed: float = 350.0) -> Pair:
    """1: a ball that is below a brick in one frame and above it in the next has never overlapped it."""
    top, bottom = 148.0, 187.5  # of the brick in row 4 of 8, in either layout
    gap = min(max((speed * dt - (bottom - top) - 2 * state.BALL_RADIUS) / 2, 1.0), 100.0)
    ball = (400.0, bottom + state.BALL_RADIUS + gap)
    scene = set_scene("0 0 0 / 0 0 0 / 0 0 0 / 0 0 0 / 0 2 0 / 0 0 0 / 0 0 0 / 2 0 0", ball, (0.0, -speed))
    naive, exact = both(scene, dt, math.ceil((ball[1] - top) / (speed * dt)))
    needed = (37.0 + 2 * state.BALL_RADIUS) / speed
    return compare(
        naive,
        exact,
        f"{struck(naive)} bricks hit: no frame ever showed the ball on the brick. At {speed:g} px/s any step "
        f"longer than {needed:.3f} s can skip it.",
        f"{struck(exact)} brick hit, at y = {exact.hits[0][0][1]:g}: the ball is swept along its way, so no step "
        "is too long and no ball too fast.",
        lambda played: {"bricks_hit": struck(played)},
        longest_safe_step=needed,
    )


def centre_inside(dt: float = 1 / 20, speed: float = 400.0) -> Pair:
    """2: once the centre is in the brick, the vector to the closest point is zero and has no direction."""
    velocity = (speed * 0.995, -speed * 0.1)
    ball, steps = lead_up((202.0, 115.0), velocity, dt)
    naive, exact = both(set_scene("0 0 0 0 / 0 1 1 0 / 0 0 0 0 / 2 0 0 0", ball, velocity), dt, steps + 2)
    return Pair(
        region_around([naive, exact]),
        naive.outcome(
            f"The ball came from the left and is pushed {state.BALL_RADIUS:g} px down and turned up or down; still "
            f"flying right at {naive.velocity[0]:.0f} px/s, it works its way through a solid brick, "
            f"{naive.overlap:.1f} px deep in it.",
            deepest=naive.overlap,
            velocity_x=naive.velocity[0],
            velocity_y=naive.velocity[1],
        ),
        exact.outcome(
            f"It meets the left face at x = {exact.hits[0][0][0]:g} and flies back at {exact.velocity[0]:.0f} px/s; "
            "nothing overlaps.",
            velocity_x=exact.velocity[0],
            velocity_y=exact.velocity[1],
            **first_hit(exact),
        ),
    )


def double_hit(dt: float = 1 / 60, speed: float = 600.0) -> Pair:
    """3: a response that does not ask whether the ball approaches can be undone by the next brick."""
    velocity = (-speed * 0.1, -speed * 0.995)
    row = " ".join(["0"] * 19 + ["1", "0", "1"] + ["0"] * 18)
    rows = " / ".join([" ".join(["0"] * 40)] * 7 + [row, row] + [" ".join(["0"] * 39 + ["2"])])
    # A gap of 20 px for a ball of 25; after the last step the ball overlaps the corners on both sides of it.
    ball, steps = lead_up((411.0, 275.0), velocity, dt)
    naive, exact = both(set_scene(rows, ball, velocity), dt, steps + 3)
    return compare(
        naive,
        exact,
        f"{len(naive.hits)} hits in 4 frames, each turning the ball the other way sideways and shoving it at the "
        f"other brick; it still flies up at {-naive.velocity[1]:.0f} px/s into a gap that it does not fit in, "
        f"{naive.overlap:.1f} px deep.",
        f"{len(exact.hits)} hits, each only while the ball approaches: it comes back down at "
        f"{exact.velocity[1]:.0f} px/s.",
        lambda played: {"hits": len(played.hits), "velocity_y": played.velocity[1]},
        deepest=naive.overlap,
    )


def ghost_edge(dt: float = 1 / 60, speed: float = 480.0) -> Pair:
    """4: where two bricks of a flat row meet, the one earlier in the file may take the ball for a side hit."""
    velocity = (-speed * 0.3, -speed * 0.954)
    # After the last step the ball is 5.5 px deep in the row; of the left brick it overlaps only the corner.
    ball, steps = lead_up((409.0, 107.0), velocity, dt)
    naive, exact = both(set_scene("1 1 1 1 / 0 0 0 0 / 0 0 0 2", ball, velocity), dt, steps + 2)
    return compare(
        naive,
        exact,
        f"{side_hits(naive)} side hit on a row without sides: the ball came from the right and is thrown back to the "
        f"right, vx = {naive.velocity[0]:.0f} px/s.",
        f"One smooth wall: the only normal is straight down, and the ball flies on to the left, "
        f"vx = {exact.velocity[0]:.0f} px/s.",
        lambda played: {"side_hits": side_hits(played), "velocity_x": played.velocity[0]},
    )


def corner(dt: float = 1 / 60, speed: float = 600.0) -> Pair:
    """5: a corner is met along the line from it to the centre; one axis alone is the wrong direction."""
    velocity = (speed * 0.6, -speed * 0.8)
    # After the last step the corner at (320, 200) is 10 px from the centre.
    ball, steps = lead_up((312.0, 206.0), velocity, dt)
    naive, exact = both(set_scene("0 0 0 0 0 / 0 0 1 0 0 / 2 0 0 0 0", ball, velocity), dt, steps + 2)
    shift, depth = state.BALL_RADIUS - 8.0, state.BALL_RADIUS - 10.0
    return compare(
        naive,
        exact,
        f"Normal straight to the left; the ball leaves at {degrees(*naive.velocity)} degrees and is shifted "
        f"by {shift:g} px where it was {depth:g} px deep.",
        f"Normal from the corner to the centre, {degrees(*exact.hits[0][1])} degrees: the ball leaves at "
        f"{degrees(*exact.velocity)} degrees.",
        lambda played: {"leaves_at": degrees(*played.velocity)},
        shift=shift,
        depth=depth,
    )


def not_repeatable(dt: float = 1 / 30, speed: float = 900.0) -> Pair:
    """6: what happens depends on the frame rate and on the order of the bricks in the file."""
    rows = ["1 1 1 1 1 1 1 1 1", "1 2 0 0 3 0 0 2 1", "1 0 0 1 0 1 0 0 1", "1 0 3 0 0 0 3 0 1", "1 1 1 1 0 1 1 1 1"]
    mirrored = [" ".join(reversed(row.split())) for row in rows]
    duration = 1080.0 / speed
    parts = math.ceil(duration / dt)
    outcomes = []
    for physics, says in (
        (
            state.TUTORIAL,
            "After {duration:g} s the same ball is {rate:.0f} px from where five times the frame rate takes it, and "
            "{order:.0f} px from the mirror image of the game in mirror image.",
        ),
        (
            state.EXACT,
            "Five times the frame rate: {rate:.1g} px. Mirror image: {order:.1g} px. The way of the ball is its own.",
        ),
    ):
        played = []
        for brick_rows, side, steps in ((rows, 1, parts), (rows, 1, 5 * parts), (mirrored, -1, parts)):
            ball = (400.0 - 130.0 * side, 90.0)
            scene = set_scene(" / ".join(brick_rows), ball, (0.62 * speed * side, 0.785 * speed))
            played.append(play(scene, physics, duration / steps, steps))
        first, fast, _ = played
        (x, y), fast_end, (mirror_x, mirror_y) = (each.places[-1] for each in played)
        rate, order = math.dist((x, y), fast_end), math.dist((x, y), (state.WIDTH - mirror_x, mirror_y))
        numbers: dict[str, float | str] = {"frame_rate": rate, "brick_order": order, "score": float(first.game.score)}
        text = says.format(duration=duration, rate=rate, order=order)
        outcomes.append(Outcome(text, numbers, first.boxes, [(x, y), fast_end], [first.path, fast.path]))
    naive_outcome, exact_outcome = outcomes
    return Pair((0.0, 0.0, state.WIDTH, state.HEIGHT), naive_outcome, exact_outcome)


def paddle_overlap(dt: float = 1 / 60, speed: float = 480.0) -> Pair:
    """7: the paddle turns the ball but leaves it inside, and takes every hit for one from above."""
    velocity = (speed * 0.8, speed * 0.6)
    # After the last step the ball is 6.3 px deep in the left side of the paddle.
    ball, steps = lead_up((343.8, 590.0), velocity, dt)
    naive, exact = both(set_scene("2 0 0 0", ball, velocity), dt, steps + 3)
    return compare(
        naive,
        exact,
        f"Hit on its side, the paddle sends the ball up at {-naive.velocity[1]:.0f} px/s; it lay inside the "
        f"paddle for {naive.frames_in_overlap} frames, up to {naive.overlap:.1f} px deep, and was hit "
        f"{naive.kinds.count(state.PADDLE_HIT)} times.",
        f"The side has a normal of its own: the ball bounces off to the left and goes on falling at "
        f"{exact.velocity[1]:.0f} px/s. No frame shows an overlap.",
        lambda played: {
            "velocity_y": played.velocity[1],
            "frames_in_overlap": played.frames_in_overlap,
            "hits": played.kinds.count(state.PADDLE_HIT),
        },
    )


def stuck_overlap(dt: float = 1 / 60, speed: float = 600.0) -> Pair:
    """9: a sticky paddle holds the ball as deep as it was found, and forgets to let go when the effect ends."""
    ball, steps = lead_up((420.0, state.PADDLE_TOP - state.BALL_RADIUS + 8.0), (0.0, speed), dt)
    scene = set_scene("2 0 0 0", ball, (0.0, speed), effects=1 << state.STICKY)
    game = scene.games[0]
    game.running, game.timers[state.STICKY] = 1 << state.STICKY, 0.5 + steps * dt
    naive, exact = both(scene, dt, steps + math.ceil(0.5 / dt) + 1)
    return Pair(
        region_around([naive]),
        naive.outcome(
            f"Held {naive.overlap:.1f} px deep in the paddle. The effect is over, and the ball is still stuck until "
            "someone presses a key.",
            deepest=naive.overlap,
            still_stuck=float(naive.game.stuck == state.CAUGHT),
        ),
        exact.outcome(
            "Held where it touched, no deeper, and sent off when the effect ends.",
            **first_hit(exact),
            still_stuck=float(exact.game.stuck == state.CAUGHT),
        ),
    )
