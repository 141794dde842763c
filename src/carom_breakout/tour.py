"""The stages of the tutorial's physics as a guided tour: for each a title, and what to watch for in one sentence.

In: the number of a stage. Out: words. The window shows them below the field, with keys to go from stage to stage.
"""

from __future__ import annotations

from typing import NamedTuple

from carom_breakout import state


class Stage(NamedTuple):
    """One stage of the tutorial's physics."""

    number: int
    title: str
    watch: str


STAGES = (
    Stage(
        state.TUTORIAL_BOX,
        "The ball is a box",
        "Bricks vanish and nothing bounces; watch a corner of the ball's box take a brick that the round ball misses.",
    ),
    Stage(
        state.TUTORIAL_CIRCLE,
        "The ball is a circle",
        "The nearest point of a brick decides, so corners are right now; still the ball flies on through every brick.",
    ),
    Stage(
        state.TUTORIAL_RESOLUTION,
        "Bricks turn the ball",
        "One component of the velocity flips; watch a corner answer as a side does. The paddle does nothing yet.",
    ),
    Stage(
        state.TUTORIAL_PADDLE,
        "The paddle turns the ball",
        "The place of the hit decides the angle; let the paddle's side meet the ball, and watch it stick and tremble.",
    ),
    Stage(
        state.TUTORIAL,
        "The whole game",
        "The paddle always sends the ball up, and a ball can be lost; a fast ball may still pass a brick unseen.",
    ),
)


def stage_of(number: int) -> Stage:
    """Return a stage by its number, 1 to 5."""
    return STAGES[number - 1]


def next_stage(number: int, way: int) -> int:
    """Return the number of the next stage, or with a way of -1 of the one before; the ends stay where they are."""
    return min(max(number + way, 1), len(STAGES))
