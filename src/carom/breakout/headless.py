"""Breakout without a window: the game plays itself, shows how far it is, and leaves a picture, or a film.

In: a `Session`, who plays it, and for how long. Out: a PNG, a GIF or MP4 if asked for, and a summary. It goes as fast
as it can; its pictures are the same that a window would show.
"""

from __future__ import annotations

from pathlib import Path

import pygame

from carom.breakout import state
from carom.breakout.app import Window
from carom.breakout.film import Film, save_picture
from carom.breakout.session import Session, Source

LONGEST = 30.0
PICTURE_SIZE = (1600, 1200)
FILM_SIZES = {".gif": (560, 420), ".mp4": (1280, 960)}


def play_without_window(
    session: Session, source: Source, shot: Path | None, film: Path | None, seconds: float = LONGEST, note: str = ""
) -> list[str]:
    """Play a game to its end or for so many seconds of the game, and return the lines of the summary.

    Parameters
    ----------
    session : the game, not yet begun.
    source : who plays.
    shot : where the last picture goes, if anywhere.
    film : where a film of the whole goes, if anywhere.
    seconds : length of play at most.
    note : a word in the corner of the pictures.
    """
    from tqdm import tqdm

    window = Window(session, source, note=note)
    ticks = max(1, round(seconds / state.TICK))
    size = PICTURE_SIZE
    broken = 0
    with tqdm(total=ticks, desc="Playing", unit=" ticks", leave=False, delay=0.2) as bar:
        if film is None:
            for _ in range(ticks):
                broken += _tick(window)
                bar.update()
                if window.finished:
                    break
        else:
            size = FILM_SIZES[film.suffix.lower()]
            frame = pygame.Surface(size, 0, 32)
            with Film(film) as reel:
                shown = 0
                for tick in range(ticks):
                    broken += _tick(window)
                    bar.update()
                    if window.finished:
                        break
                    if (tick + 1) * state.TICK * reel.fps >= shown:
                        window.draw(frame)
                        reel.add(frame)
                        shown += 1
    picture = pygame.Surface(PICTURE_SIZE if shot is not None else size, 0, 32)
    if shot is not None:
        window.draw(picture)
        save_picture(picture, shot)
    return summary(session, broken, shot, film)


def _tick(window: Window) -> int:
    """Play one tick and return how many bricks it broke."""
    window.advance(state.TICK)
    return sum(event.kind == state.BRICK_HIT for event in (window.session.last.events if window.session.last else ()))


def summary(session: Session, broken: int, shot: Path | None, film: Path | None) -> list[str]:
    """What a game came to, in a few lines."""
    now = session.now
    lines = [
        f"Played {int(now.tick) * state.TICK:.1f} s of Breakout ({int(now.tick)} ticks), seed {session.seed}",
        f"  score {int(now.score)}, lives {int(now.lives)}, bricks broken {broken}, "
        f"level {int(now.level) + 1} ({session.level_name}), {int(now.remaining)} bricks left in it",
        f"  state {session.digest()}",
    ]
    if film is not None:
        lines.append(f"  film {film}")
    if shot is not None:
        lines.append(f"  picture {shot}")
    return lines
