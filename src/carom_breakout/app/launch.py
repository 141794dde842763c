"""How the options of `carom breakout` become a game: which levels, who plays, and in a window or without.

In: the options as parsed. Out: the game is played, in a window where there is a display and without one elsewhere, and
a few lines say how it went. Bad files and options that contradict each other raise one of REFUSALS.
"""

from __future__ import annotations

import argparse
import math
import secrets
import threading
import time
from pathlib import Path

from carom.draw import has_display, pygame
from carom_breakout import state
from carom_breakout.app.opening import open_window
from carom_breakout.app.show import left_behind
from carom_breakout.app.sound import Sounds
from carom_breakout.app.window import Window
from carom_breakout.art.film import FileError, check_film, check_folder, check_picture
from carom_breakout.levels import Level, LevelError, read_level, shipped_levels
from carom_breakout.replay import ReplayError, Setup, load_replay, save_replay
from carom_breakout.session import (
    COMPILING,
    Autoplay,
    Playback,
    Press,
    Session,
    Source,
    must_compile,
)

PICTURE = "breakout.png"
LONGEST = 30.0  # seconds of play without a window
SHOW_SEED = 3  # for the picture that is left where there is no display: the same one everywhere


class OptionError(ValueError):
    """Options that do not go together, or cannot be met."""


REFUSALS = (OptionError, LevelError, ReplayError, FileError)


def play(options: argparse.Namespace) -> None:
    """Play Breakout as the options say."""
    if options.compare:
        compare(options)
        return
    if options.steps:
        raise OptionError("--steps is for --compare; --seconds says how long to play")
    shot, film = check_pictures(options)
    keep = check_folder(Path(options.record_replay)) if options.record_replay else None
    if options.seed is None and not (options.replay or shot or film or options.window or has_display()):
        options.seed = SHOW_SEED
    session, source, note = make_game(options)
    refuse_window_with(options, shot, film)
    if not (shot or film):
        surface = open_window(options.scale or 0.0) if options.window or has_display() else None
        if surface is not None:
            sounds = None if options.mute else Sounds()
            keeps_scores = not options.level or options.level.isdigit()
            window = Window(session, source, sounds, note, keeps_scores)
            window.one_stage = keep is not None
            play_in_window(window, surface, options)
            finish(window.session, keep)
            return
        if options.window:
            raise OptionError("there is no display to open a window on; without --window the game plays itself")
        shot = Path(PICTURE)
    seconds = options.seconds or (source.seconds if isinstance(source, Playback) else LONGEST)
    window = Window(session, source or Autoplay(session.setup.seed), note=note)
    print("\n".join([*window.run_without_window(seconds, shot, film), *left_behind(shot, film)]))
    finish(session, keep, said=True)


def compare(options: argparse.Namespace) -> None:
    """Play both physics side by side as the options say, and print the errors of each."""
    refuse(options, ("physics", "replay", "record_replay", "seconds"), "--compare plays both physics by itself")
    shot, film = check_pictures(options)
    refuse_window_with(options, shot, film)
    from carom_breakout.app.side_by_side import SEED, STEPS, SideBySide

    options.seed = SEED if options.seed is None else options.seed
    setup = choose_setup(options, options.stage or state.TUTORIAL)

    both = SideBySide(setup, options.steps or STEPS)
    wants_window = not (shot or film) and (options.window or has_display())
    if wants_window and open_window(options.scale or 0.0, both.shape) is not None:
        both.run(options.fps or 0)
        pygame.display.quit()
    elif options.window:
        raise OptionError("there is no display to open a window on; leave out --window")
    else:
        if film is None:
            shot = shot or Path(PICTURE)
        both.run_without_window(shot, film)
    print("\n".join([*both.table(), *left_behind(shot, film)]))


def refuse(options: argparse.Namespace, names: tuple[str, ...], why: str) -> None:
    """Refuse options that make no sense beside another one."""
    for name in names:
        if getattr(options, name) not in (None, False):
            raise OptionError(f"{why}; leave out --{name.replace('_', '-')}")


def check_pictures(options: argparse.Namespace) -> tuple[Path | None, Path | None]:
    """Return where the picture and the film are to be written, if anywhere."""
    shot = check_picture(options.shot) if options.shot else None
    return shot, check_film(options.record) if options.record else None


def refuse_window_with(options: argparse.Namespace, shot: Path | None, film: Path | None) -> None:
    """Refuse a window together with files, which are made without one."""
    if options.window and (shot or film):
        raise OptionError("--window cannot go with --shot or --record, which play without one")


def make_game(options: argparse.Namespace) -> tuple[Session, Source | None, str]:
    """Return the game, who plays it (None: the player at the keyboard), and a word about that."""
    if options.replay:
        refuse(
            options,
            ("seed", "level", "physics", "stage", "no_power_ups", "autoplay", "record_replay"),
            "--replay brings its own game",
        )
        playback = Playback(load_replay(options.replay))
        return playback.session(), playback, "Replay"
    if options.physics == "exact" and options.stage:
        raise OptionError("--stage is the tutorial's; leave it out, or ask for --physics tutorial")
    physics = options.stage or (state.TUTORIAL if options.physics == "tutorial" else state.EXACT)
    setup = choose_setup(options, physics)
    note = "Plays itself" if options.autoplay else ""
    return Session(setup), Autoplay(setup.seed) if options.autoplay else None, note


def choose_level(word: str | None) -> tuple[list[Level], int]:
    """Return the levels to play and which of them comes first: all of the game's, or the user's own file."""
    levels = shipped_levels()
    if word is None:
        return levels, 0
    if word.isascii() and word.isdigit() and not Path(word).exists():
        if not 1 <= int(word) <= len(levels):
            raise OptionError(f"--level {word}: there are levels 1 to {len(levels)}, or name a level file")
        return levels, int(word) - 1
    return [read_level(word)._replace(name=Path(word).stem)], 0


def choose_setup(options: argparse.Namespace, physics: int) -> Setup:
    """Return the setup asked for; a seed that nobody has chosen is short enough to be typed again."""
    levels, first = choose_level(options.level)
    seed = int(secrets.randbelow(1_000_000) if options.seed is None else options.seed)
    return Setup(levels, seed, first, physics, power_ups=not options.no_power_ups)


def play_in_window(window: Window, surface: pygame.Surface, options: argparse.Namespace) -> None:
    """Show the first picture at once, compile behind it if need be, and play."""
    window.draw(surface)
    pygame.display.flip()
    if must_compile(window.session.setup.physics):
        compile_behind(window, surface)
    if window.open:
        window.run(options.fps or 0, options.seconds or math.inf)
    if window.sounds is not None:
        window.sounds.close()
    pygame.display.quit()


def compile_behind(window: Window, surface: pygame.Surface) -> None:
    """Compile in a thread while the window stays alive and says why it waits."""
    session = window.session

    def compile_all() -> None:
        spare = Session(session.setup._replace(seed=0, level=0))
        Autoplay(0).next(spare)
        spare.tick(Press())

    worker = threading.Thread(target=compile_all, daemon=True)
    worker.start()
    window.say(COMPILING)
    while worker.is_alive() and window.open:
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                window.open = False
        window.draw(surface)
        pygame.display.flip()
        time.sleep(0.05)
    window.say("")


def finish(session: Session, keep: Path | None, said: bool = False) -> None:
    """Write the replay if one was asked for, and say how the game ended."""
    if not said and int(session.now.tick):
        print(f"Score {int(session.now.score)}, level {int(session.now.level) + 1}, seed {session.setup.seed}")
    if keep is not None:
        save_replay(session.recorder.finish(session.games), keep)
        print(f"  replay {keep}")
