"""A flaw as a figure: what the tutorial's physics does on the left, what the exact one does on the right.

In: a flaw as shown by `flaws.show_flaw`. Out: a PNG, or any other kind of picture that the ending asks for.
"""

from __future__ import annotations

from pathlib import Path

import pygame

from carom.breakout.art.figure import RIGHT, WRONG, Panel, draw_figure
from carom.breakout.art.film import save_picture
from carom.breakout.art.ink import Color
from carom.breakout.flaws import Shown
from carom.breakout.flaws.stage import Outcome
from carom.breakout.state import BALL_RADIUS


def draw_flaw(shown: Shown) -> pygame.Surface:
    """Draw both outcomes of a flaw side by side."""
    flaw = shown.flaw
    panels = [_panel("Tutorial", shown.tutorial, WRONG), _panel("Exact", shown.exact, RIGHT)]
    return draw_figure(f"{flaw.number}  {flaw.title}", flaw.summary, panels, shown.region)


def save_flaw(shown: Shown, path: Path) -> None:
    """Draw a flaw into a file."""
    save_picture(draw_flaw(shown), path)


def _panel(caption: str, outcome: Outcome, color: Color) -> Panel:
    empty = "" if outcome.boxes else "refused" if "refusal" in outcome.numbers else "no bricks"
    return Panel(
        caption, outcome.says, color, BALL_RADIUS,
        boxes=list(outcome.boxes), places=list(outcome.places), paths=list(outcome.paths), hits=list(outcome.hits),
        empty=empty,
    )  # fmt: skip
