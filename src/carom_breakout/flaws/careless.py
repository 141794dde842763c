"""Flaws of care, 8 and 10 to 13: the paddle at the wall, forgotten power-ups, level files nobody checked.

Out: the outcome under either physics, as for the flaws of motion. Levels are read from files in a folder made for the
moment, because two of the flaws are about files.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from carom_breakout import state
from carom_breakout.flaws.motion import Pair
from carom_breakout.flaws.stage import Outcome, boxes_of, play, set_scene
from carom_breakout.levels import BRICKS_END, Level, LevelError, make_levels, parse_level, read_level
from carom_breakout.rules import step
from carom_breakout.session import Box
from carom_breakout.state import make_games, make_inputs, make_trace
from carom_breakout.tutorial import read_carelessly

UPPER_HALF: Box = (-20.0, -20.0, state.WIDTH + 40.0, BRICKS_END + 80.0)


def past_the_wall(dt: float = 0.1) -> Pair:
    """8: the paddle asks whether it is inside before the step, never after; and it grows to one side only."""
    scene = set_scene("2 0 0 0", (650.0, 530.0), (0.0, -1.0), paddle=690.0)
    naive, exact = (play(scene, physics, dt, 2, direction=1) for physics in (state.TUTORIAL, state.EXACT))
    edges, grown = [], []
    for physics, played in ((state.TUTORIAL, naive), (state.EXACT, exact)):
        edges.append(float(played.game.paddle + played.game.paddle_width) - state.WIDTH)
        wide = set_scene("2 0 0 0", (400.0, 400.0), (0.0, -1.0))
        wide.games[0].falling = 1
        wide.games[0].items[0].kind = state.PAD_SIZE
        wide.games[0].items[0].position[:] = 370.0, state.PADDLE_TOP - 15.0
        game = play(wide, physics, 1 / 60, 2).game
        grown.append(float(game.paddle + game.paddle_width / 2) - 400.0)
    return Pair(
        (630.0, 505.0, 220.0, 110.0),
        naive.outcome(
            f"With the key held for two steps of {dt:g} s the paddle ends {edges[0]:g} px beyond the wall; growing "
            f"moves its middle by {grown[0]:g} px.",
            beyond_the_wall=edges[0],
            middle_moves_by=grown[0],
        ),
        exact.outcome(
            "It stops exactly at the wall, whatever the step, and grows evenly to both sides.",
            beyond_the_wall=edges[1],
            middle_moves_by=grown[1],
        ),
    )


def surviving_items() -> Pair:
    """10: a lost life, a lost game and a won level reset the effects, but not the items that fall or run."""
    outcomes = []
    for physics in (state.TUTORIAL, state.EXACT):
        scene = set_scene("2 0 0 0", (700.0, 605.0), (0.0, 600.0))
        games, trace, inputs = scene.games, make_trace(1), make_inputs(1)
        game = games[0]
        game.lives, game.falling = 1, 1
        game.items[0].kind = state.CHAOS
        game.items[0].position[:] = 370.0, 540.0
        places, caught = [(400.0, 550.0)], 0
        for _ in range(40):
            step(games, scene.levels, inputs, 1 / 60, physics, trace)
            caught += bool(trace[0].seen & (1 << state.ITEM_CAUGHT))
            places += [(item.position[0] + 30.0, item.position[1] + 10.0) for item in games.items[0, : game.falling]]
        says = (
            "The game is over and the menu is up, but the item falls on, is caught in the menu, and the menu dances."
            if caught
            else "Nothing falls and nothing runs once the ball is lost: the next game begins clean."
        )
        boxes = boxes_of(scene, game, physics)
        left, top = places[-1][0] - state.ITEM_WIDTH / 2, places[-1][1] - state.ITEM_HEIGHT / 2
        boxes.append(((left, top, state.ITEM_WIDTH, state.ITEM_HEIGHT), "item" if caught else "broken"))
        numbers: dict[str, float | str] = {"caught_in_the_menu": caught, "chaos": float(game.effects != 0)}
        outcomes.append(Outcome(says, numbers, boxes, [], [places]))
    naive_outcome, exact_outcome = outcomes
    return Pair((320.0, 525.0, 160.0, 85.0), naive_outcome, exact_outcome)


def _level_outcome(level: Level, says: str, **numbers: float | str) -> Outcome:
    """Show a level as the tutorial lays it out."""
    scene = set_scene(level.text, (400.0, 500.0), (0.0, 0.0))
    return Outcome(says, dict(numbers), boxes_of(scene, scene.games[0], state.TUTORIAL))


def _refusal(read: Callable[[], Level]) -> str:
    """Return why a level is refused; nothing if it is not."""
    try:
        read()
    except LevelError as error:
        return str(error)
    return ""


def missing_level() -> Pair:
    """11: the reset looks for the level in another folder than the start; no file, no bricks, and the game is won."""
    with tempfile.TemporaryDirectory() as folder:
        at_start, at_reset = Path(folder, "levels", "one.txt"), Path(folder, "resources", "levels", "one.txt")
        at_start.parent.mkdir()
        at_start.write_text("2 2 2\n3 3 3\n", encoding="utf-8")
        start, reset = make_levels([read_carelessly(at_start)]), make_levels([read_carelessly(at_reset)])
        refusal = _refusal(lambda: read_level(at_reset)).replace(folder, "...")
        level = read_level(at_start)
    games, inputs, trace = make_games(start, [0]), make_inputs(1), make_trace(1)
    game = games[0]
    bricks_at_start = int(game.remaining)
    inputs.buttons = state.ENTER
    step(games, start, inputs, 1 / 60, state.TUTORIAL, trace)
    game.lives, game.stuck, game.ball[1] = 1, 0, state.HEIGHT + 20.0
    inputs.buttons = 0
    step(games, reset, inputs, 1 / 60, state.TUTORIAL, trace)
    bricks_after = int(game.remaining)
    inputs.buttons = state.ENTER
    step(games, reset, inputs, 1 / 60, state.TUTORIAL, trace)
    won = game.mode == state.WIN and bool(trace[0].seen & (1 << state.LEVEL_WON))
    naive = Outcome(
        f"{bricks_at_start} bricks at the start; after the last life the level is loaded from elsewhere and has "
        f"{bricks_after}. The next game is won before the ball has moved.",
        {"bricks_at_start": bricks_at_start, "bricks_after_reset": bricks_after, "won_at_once": float(won)},
        [],
    )
    exact = _level_outcome(
        level,
        f"Levels are read once, when the program starts, and a missing file is refused: {refusal}.",
        refusal=refusal,
    )
    return Pair(UPPER_HALF, naive, exact)


def ragged_level() -> Pair:
    """12: the first row decides how many columns there are; shorter rows are read past their end, longer ones cut."""
    text = "2 2 2 2 2 2\n3 3 3\n4 4 4 4 4 4 4 4\n"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "ragged.txt")
        file.write_text(text, encoding="utf-8")
        level = read_carelessly(file)
    refusal = _refusal(lambda: parse_level(text, "ragged.txt"))
    naive = _level_outcome(
        level,
        "The second row has 3 bricks, and 3 more that lay in memory behind it; of the third row 2 are lost.",
        bricks=sum(code > 0 for row in level.rows for code in row),
        bricks_in_file=len(text.split()),
    )
    return Pair(UPPER_HALF, naive, Outcome(f"Refused: {refusal}.", {"refusal": refusal}, []))


def unused_rows(rows: int = 8) -> Pair:
    """13: the height of a brick is an integer division, and the rest of the upper half stays empty."""
    text = " / ".join(["2 3 2 3 2 3 2 3"] * rows)
    outcomes = []
    for physics in (state.TUTORIAL, state.EXACT):
        scene = set_scene(text, (400.0, 500.0), (0.0, 0.0))
        boxes = boxes_of(scene, scene.games[0], physics)
        height = boxes[0][0][3]
        unused = BRICKS_END - float(np.max([top + high for (_, top, _, high), kind in boxes if kind == "brick"]))
        says = f"{rows} rows of {height:g} px leave {unused:g} px of the upper half unused."
        outcomes.append(Outcome(says, {"brick_height": height, "unused": unused}, boxes))
    naive, exact = outcomes
    return Pair(UPPER_HALF, naive, exact, lens=(380.0, 287.0, 40.0, 21.0))
