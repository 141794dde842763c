"""Something to watch: it plays in ticks, is drawn between them at any rate, in a window or as fast as can be.

In: the events of a window and the time that passes, or how many ticks. Out: pictures in the window; or a film and a
last picture as files. The course of the game does not depend on how often it is drawn.
"""

from __future__ import annotations

import math
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable
from contextlib import closing, nullcontext
from itertools import islice
from pathlib import Path

import pygame

from carom_breakout.art.film import Film, save_picture

LONGEST_FRAME = 0.25  # seconds; after a longer wait the game goes on where it was
ROUNDING = 1e-9  # seconds; frames of 1/30 s are two ticks in spite of rounding


Picture = tuple[Path | None, tuple[int, int]]  # the file, if one is wanted, and its width and height in pixels


class Show(ABC):
    """A game that is played and shown.

    Parameters
    ----------
    dt : seconds of a tick.
    """

    def __init__(self, dt: float) -> None:
        self.dt = dt
        self.open = True
        self.finished = False  # whether there is nothing more to play
        self._behind = 0.0
        self._window_size: tuple[int, int] | None = None  # that full screen goes back to

    @property
    def takes_the_mouse(self) -> bool:
        """Whether the mouse moves something in the picture, so that its pointer is hidden."""
        return False

    @abstractmethod
    def tick(self) -> None:
        """Play one tick."""

    @abstractmethod
    def draw(self, target: pygame.Surface) -> None:
        """Draw the present picture, as large as the target allows."""

    @abstractmethod
    def handle(self, event: pygame.event.Event) -> None:
        """Take in one event of the window."""

    @property
    def share(self) -> float:
        """How much of the last tick is to be shown, 0 to 1: the picture is that far between two ticks."""
        return 1.0 if self.finished else min(max(self._behind / self.dt, 0.0), 1.0)

    def advance(self, seconds: float) -> None:
        """Let wall time pass: play the ticks that fall into it."""
        self._behind += min(seconds, LONGEST_FRAME)
        while self._behind >= self.dt - ROUNDING and not self.finished:
            self._behind -= self.dt
            self.tick()

    def run(self, fps: int = 0, seconds: float = math.inf) -> None:
        """Play until the window is closed, or for so many seconds."""
        rate = fps or max(60, pygame.display.get_current_refresh_rate())
        clock = pygame.time.Clock()
        start = last = time.perf_counter()
        while self.open and last - start < seconds:
            for event in pygame.event.get():
                if not self.turn_full_screen(event):
                    self.handle(event)
            now = time.perf_counter()
            self.advance(now - last)
            last = now
            target = pygame.display.get_surface()
            if target is None:
                return
            self.draw(target)
            pygame.display.flip()
            pygame.mouse.set_visible(not self.takes_the_mouse)
            clock.tick(rate)

    def turn_full_screen(self, event: pygame.event.Event) -> bool:
        """Fill the whole screen, or go back to the window, where F11 or Alt and Enter ask for it; tell whether so."""
        if event.type != pygame.KEYDOWN:
            return False
        if event.key != pygame.K_F11 and not (event.key == pygame.K_RETURN and event.mod & pygame.KMOD_ALT):
            return False
        if self._window_size is None:
            self._window_size = pygame.display.get_window_size()
            pygame.display.set_mode((0, 0), pygame.FULLSCREEN)
        else:
            pygame.display.set_mode(self._window_size, pygame.RESIZABLE)
            self._window_size = None
        return True

    def record(self, played: Iterable[float], ticks: int, does: str, shot: Picture, film: Picture) -> None:
        """Play as fast as can be into files.

        Parameters
        ----------
        played : plays tick by tick, and gives the second of the film that each tick belongs to.
        ticks : how many there are at most, for the bar that shows how far it is.
        does : the word before the bar.
        shot, film : where the last picture and the film go, if anywhere, and how large they are in pixels.
        """
        film_path, film_size = film
        taken: Film | None = None
        try:
            with (
                closing(counted(played, ticks, does)) as shown,
                Film(film_path) if film_path is not None else nullcontext() as taken,
            ):
                frame = pygame.Surface(film_size, 0, 32)
                for second in shown:
                    if taken is not None and taken.wants(second):
                        self.draw(frame)
                        taken.add(frame)
        except KeyboardInterrupt:
            if taken is not None and taken.seconds:
                print(f"stopped: {taken.path} holds the first {taken.seconds:.1f} s", file=sys.stderr)
            raise
        shot_path, shot_size = shot
        if shot_path is not None:
            picture = pygame.Surface(shot_size, 0, 32)
            self.draw(picture)
            save_picture(picture, shot_path)


def counted(played: Iterable[float], ticks: int, does: str) -> Generator[float, None, None]:
    """Yield the same with a bar that begins after the first tick, which may have compiled for a minute."""
    from tqdm import tqdm

    left = iter(played)
    yield from islice(left, 1)
    # Where stderr is no terminal the bar seldom writes a line.
    often = 0.1 if sys.stderr.isatty() else 10.0
    yield from tqdm(left, does, ticks, leave=False, unit=" ticks", delay=0.2, mininterval=often, initial=1)


def left_behind(shot: Path | None, film: Path | None) -> list[str]:
    """Say which files there are now."""
    return [f"  {name} {path}" for name, path in (("film", film), ("picture", shot)) if path is not None]
