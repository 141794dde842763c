"""A flaw in slow motion: both physics side by side, drawn as on the page of the flaw, in a window or as a film.

In: a flaw as shown by `flaws.show_flaw`. Out: pictures of its page, the motion going by in a few seconds, again and
again; a film holds it once. Space holds it, the arrow keys go back and forth, Esc closes the window.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pygame

from carom_breakout.app.opening import open_window
from carom_breakout.app.show import Show
from carom_breakout.art.figure import PAPER, draw_flaw
from carom_breakout.flaws import Shown

TICK = 1 / 60
MOTION, HELD = 5.0, 2.0  # seconds that the motion takes, and that its end stays
NUDGE = 0.02  # share of the motion that an arrow key goes
FILM_WIDTH = 960


class SlowMotion(Show):
    """One flaw, its motion going by slowly.

    Parameters
    ----------
    shown : the flaw, played under both physics.
    """

    def __init__(self, shown: Shown) -> None:
        super().__init__(TICK)
        self.shown = shown
        self.seconds = 0.0
        self.held = not shown.moves
        self._drawn: tuple[float, tuple[int, int]] | None = None
        self._picture: pygame.Surface | None = None

    @property
    def share_of_motion(self) -> float:
        """How much of the motion has gone by, 0 to 1."""
        return min(self.seconds / MOTION, 1.0)

    @property
    def length(self) -> float:
        """Seconds of a film of it."""
        return MOTION + HELD if self.shown.moves else HELD

    def tick(self) -> None:
        """Let a moment pass; after the end it begins again."""
        if not self.held:
            self.seconds = (self.seconds + TICK) % (MOTION + HELD)

    def handle(self, event: pygame.event.Event) -> None:
        """Take in one event of the window."""
        if event.type == pygame.QUIT:
            self.open = False
        elif event.type == pygame.KEYDOWN:
            if event.key in (pygame.K_q, pygame.K_ESCAPE):
                self.open = False
            elif event.key == pygame.K_SPACE:
                self.held = not self.held
            elif event.key in (pygame.K_LEFT, pygame.K_RIGHT):
                way = NUDGE if event.key == pygame.K_RIGHT else -NUDGE
                self.held, share = True, self.share_of_motion + way
                self.seconds = MOTION * min(max(share, 0.0), 1.0)

    def draw(self, target: pygame.Surface) -> None:
        """Draw the page as it is now, as large as the target allows."""
        share = self.share_of_motion if self.shown.moves else 1.0
        key = (round(share, 3), target.get_size())
        if key != self._drawn:
            page = draw_flaw(self.shown, share)
            scale = min(target.get_width() / page.get_width(), target.get_height() / page.get_height())
            size = max(1, round(page.get_width() * scale)), max(1, round(page.get_height() * scale))
            self._drawn, self._picture = key, pygame.transform.smoothscale(page, size)
        target.fill(PAPER)
        if self._picture is not None:
            target.blit(self._picture, self._picture.get_rect(center=target.get_rect().center))

    def film(self, path: Path) -> None:
        """Write a film that holds the motion once."""

        def play() -> Iterator[float]:
            ticks = round(self.length / TICK)
            for number in range(ticks):
                yield number * TICK
                self.seconds = min(self.seconds + TICK, MOTION)

        page = draw_flaw(self.shown)
        size = FILM_WIDTH, 2 * round(FILM_WIDTH * page.get_height() / page.get_width() / 2)
        self.record(play(), round(self.length / TICK), "Filming", (None, (0, 0)), (path, size))


def watch(shown: Shown) -> bool:
    """Open a window with the flaw and return after it is closed; False where there is no display."""
    page = draw_flaw(shown)
    if open_window(0.0, (page.get_width() * 3 // 4, page.get_height() * 3 // 4)) is None:
        return False
    pygame.display.set_caption(f"{shown.flaw.title} – Carom")
    pygame.key.set_repeat(300, 40)
    SlowMotion(shown).run(30)
    pygame.display.quit()
    return True
