"""`carom flaws`: the flaws of a plain Breakout, listed, or one of them in words and as a picture.

In: a parser to add the options to, and what it read. Out: lines on the screen, and a picture if asked for.
"""

from __future__ import annotations

import argparse

from carom_breakout.command import Refusal


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options to a parser."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="the flaw to show; all are listed if left out")
    parser.add_argument("--shot", metavar="FILE", help="draw what happens under both physics, side by side")


def main(options: argparse.Namespace) -> None:
    """List the flaws, or show one of them."""
    from carom_breakout import flaws as scenes

    if options.name is None:
        if options.shot:
            raise Refusal("--shot draws one flaw; say which: carom flaws NAME --shot FILE")
        for flaw in scenes.FLAWS:
            print(f"{flaw.number:>3}  {flaw.name:<17} {flaw.title}")
        return
    if options.name not in {name for flaw in scenes.FLAWS for name in (flaw.name, str(flaw.number))}:
        raise Refusal(f"there is no flaw {options.name!r}; carom flaws lists them")
    if options.shot:
        from carom.draw import pygame as pygame  # where it is not installed, the error says what brings it
        from carom_breakout.art.figure import save_flaw
        from carom_breakout.art.film import FileError, check_picture

        try:
            path = check_picture(options.shot)
            shown = scenes.show_flaw(options.name)
            save_flaw(shown, path)
        except FileError as refusal:
            raise Refusal(str(refusal)) from None
    else:
        shown = scenes.show_flaw(options.name)
    print(f"{shown.flaw.number}  {shown.flaw.title}\n   {shown.flaw.summary}\n")
    print(f"   tutorial  {shown.tutorial.says}\n   exact     {shown.exact.says}")
    if options.shot:
        print(f"\n   picture   {options.shot}")
