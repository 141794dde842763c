"""`carom flaws`: the flaws of a plain Breakout, listed, or one of them in words, in slow motion and as a picture.

In: a parser to add the options to, and what it read. Out: lines on the screen as wide as the terminal; a window where
there is a display; a picture or a film if asked for.
"""

from __future__ import annotations

import argparse
import shutil
import textwrap
from difflib import get_close_matches

from carom_breakout import flaws as scenes
from carom_breakout.command import Refusal

WIDEST = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options to a parser."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="the flaw to show; all are listed if left out")
    parser.add_argument("--shot", metavar="FILE", help="draw what happens under both physics, side by side")
    parser.add_argument("--record", metavar="FILE", help="make a film of it in slow motion, .gif or .mp4")


def main(options: argparse.Namespace) -> None:
    """List the flaws, or show one of them."""
    if options.name is None:
        if options.shot or options.record:
            option = "--shot" if options.shot else "--record"
            raise Refusal(f"{option} is for one flaw; say which: carom flaws NAME {option} FILE")
        for flaw in scenes.FLAWS:
            print(f"{flaw.number:>3}  {flaw.name:<17} {flaw.title}")
        print("\ncarom flaws NAME shows one of them; NAME is a name or a number of the list.")
        return
    if options.name not in {name for flaw in scenes.FLAWS for name in (flaw.name, str(flaw.number))}:
        near = get_close_matches(options.name.lower(), [flaw.name for flaw in scenes.FLAWS], 1, 0.5)
        hint = f"did you mean {near[0]}?" if near else "carom flaws lists them"
        raise Refusal(f"there is no flaw {options.name!r}; {hint}")
    made = _files(options) if options.shot or options.record else []
    shown = scenes.show_flaw(options.name)
    print("\n".join([*told(shown), *made]))
    if not made:
        _watch(shown)


def told(shown: scenes.Shown) -> list[str]:
    """Return the lines that tell of a flaw, no wider than the terminal."""
    width = min(shutil.get_terminal_size((WIDEST, 24)).columns, WIDEST) - 1
    flaw = shown.flaw
    lines = [
        f"{flaw.number}  {flaw.title}",
        *(f"   {line}" for line in textwrap.wrap(flaw.summary, width - 3, break_on_hyphens=False)),
        "",
    ]
    for name, outcome in (("tutorial", shown.tutorial), ("exact", shown.exact)):
        first, *rest = textwrap.wrap(outcome.says, width - 13, break_on_hyphens=False)
        lines += [f"   {name:<10}{first}", *(f"{'':<13}{line}" for line in rest)]
    return lines


def _files(options: argparse.Namespace) -> list[str]:
    """Write the picture and the film, and return the lines that name them."""
    from carom.draw import pygame as pygame  # where it is not installed, the error says what brings it
    from carom_breakout.app.slow_motion import SlowMotion
    from carom_breakout.art.figure import save_flaw
    from carom_breakout.art.film import FileError, check_film, check_picture

    lines = [""]
    try:
        shot = check_picture(options.shot) if options.shot else None
        film = check_film(options.record) if options.record else None
        shown = scenes.show_flaw(options.name)
        if shot is not None:
            save_flaw(shown, shot)
            lines.append(f"   picture   {shot}")
        if film is not None:
            SlowMotion(shown).film(film)
            lines.append(f"   film      {film}")
    except FileError as refusal:
        raise Refusal(str(refusal)) from None
    return lines


def _watch(shown: scenes.Shown) -> None:
    """Open the window where pygame and a display are there."""
    try:
        from carom.draw import pygame as pygame
    except ModuleNotFoundError:
        return
    from carom_breakout.app.slow_motion import watch

    watch(shown)
