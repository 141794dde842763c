"""The thirteen flaws of a plain Breakout, each as a small named scene played under both physics.

In: the name of a flaw. Out: the outcome under the tutorial's physics and under the exact one: a sentence, numbers, and
the geometry to draw. Everything in a scene is fixed, so it always happens again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from carom_breakout.flaws import careless, motion
from carom_breakout.flaws.motion import Pair
from carom_breakout.flaws.stage import Outcome
from carom_breakout.session import Box


class Flaw(NamedTuple):
    """One flaw: its number in the list, its name, its title and its scene."""

    number: int
    name: str
    title: str
    summary: str
    scene: Callable[[], Pair]


class Shown(NamedTuple):
    """A flaw played under both physics."""

    flaw: Flaw
    region: Box  # left, top, width, height: the part of the field to show
    tutorial: Outcome
    exact: Outcome
    lens: Box | None = None  # a part of the region, to be magnified

    @property
    def moves(self) -> bool:
        """Whether there is a motion to watch: the ball's places of several steps."""
        return any(len(outcome.places) > 1 for outcome in (self.tutorial, self.exact))


_TITLES: tuple[tuple[str, str, Callable[[], Pair]], ...] = (
    ("tunnelling", "Straight through a brick", motion.tunnelling),
    ("centre-inside", "No direction from inside", motion.centre_inside),
    ("double-hit", "Hit twice, turned not at all", motion.double_hit),
    ("ghost-edge", "An edge where there is none", motion.ghost_edge),
    ("corner", "A corner is not a side", motion.corner),
    ("not-repeatable", "Another frame rate, another game", motion.not_repeatable),
    ("paddle-overlap", "A ball inside the paddle", motion.paddle_overlap),
    ("past-the-wall", "A paddle in the wall", careless.past_the_wall),
    ("stuck-overlap", "Stuck too deep and too long", motion.stuck_overlap),
    ("surviving-items", "Power-ups after the end", careless.surviving_items),
    ("missing-level", "Won without a brick", careless.missing_level),
    ("ragged-level", "Rows read past their end", careless.ragged_level),
    ("unused-rows", "A strip without bricks", careless.unused_rows),
)


def _summary(scene: Callable[[], Pair]) -> str:
    """Return the first line of a scene's docstring, without the number in front."""
    sentence = (scene.__doc__ or "").strip().partition(": ")[2]
    return sentence[:1].upper() + sentence[1:]


FLAWS = tuple(
    Flaw(number, name, title, _summary(scene), scene) for number, (name, title, scene) in enumerate(_TITLES, 1)
)


def show_flaw(name: str) -> Shown:
    """Play the scene of a flaw under both physics.

    Parameters
    ----------
    name : str
        One of the names in FLAWS, or its number from 1 to 13.

    Returns
    -------
    Shown

    Examples
    --------
    >>> shown = show_flaw("tunnelling")
    >>> shown.tutorial.numbers["bricks_hit"], shown.exact.numbers["bricks_hit"]
    (0, 1)
    """
    for flaw in FLAWS:
        if name in (flaw.name, str(flaw.number)):
            return Shown(flaw, *flaw.scene())
    raise ValueError(f"name = {name!r} is no flaw; there are {', '.join(flaw.name for flaw in FLAWS)}")
