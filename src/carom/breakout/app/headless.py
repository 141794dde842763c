"""Breakout without a window: the game plays itself, shows how far it is, and leaves a picture, or a film.

In: a `Session`, who plays it, and for how long. Out: a PNG, a GIF or MP4 if asked for, and a summary. It goes as fast
as it can; its pictures are the same that a window would show.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from carom.breakout import state
from carom.breakout.app.show import Files, left_behind, record
from carom.breakout.app.window import Window
from carom.breakout.session import Session, Source

PICTURE_SIZE = (1600, 1200)
FILM_SIZES = {".gif": (560, 420), ".mp4": (960, 720)}


def play_without_window(
    session: Session, source: Source, shot: Path | None, film: Path | None, seconds: float, note: str = ""
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
    window = Window(session, source, note=note)
    ticks = max(1, round(seconds / session.dt))
    broken = 0

    def play() -> Iterator[float]:
        nonlocal broken
        for tick in range(ticks):
            window.advance(session.dt)
            broken += sum(event.kind == state.BRICK_HIT for event in (session.last.events if session.last else ()))
            if window.finished:
                return
            yield tick * session.dt

    film_size = FILM_SIZES[film.suffix.lower()] if film is not None else (0, 0)
    record(window, play(), ticks, "Playing", Files(shot, film, PICTURE_SIZE, film_size))
    return summary(session, broken, shot, film)


def summary(session: Session, broken: int, shot: Path | None, film: Path | None) -> list[str]:
    """What a game came to, in a few lines."""
    now = session.now
    return [
        f"Played {int(now.tick) * session.dt:.1f} s of Breakout ({int(now.tick)} ticks), seed {session.seed}",
        f"  score {int(now.score)}, lives {int(now.lives)}, bricks broken {broken}, "
        f"level {int(now.level) + 1} ({session.level_name}), {int(now.remaining)} bricks left in it",
        f"  state {session.digest()}",
        *left_behind(shot, film),
    ]
