"""`carom breakout`: the options of the game, and the game as they say.

In: a parser to add the options to, and what it read. Out: the game is played. Only `main` imports pygame and the rules.
"""

from __future__ import annotations

import argparse
from functools import partial


class Refusal(ValueError):
    """Something that the player can put right, said in one line."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options to a parser."""
    add = parser.add_argument_group("the game").add_argument
    add(
        "--seed",
        type=_seed,
        metavar="N",
        help="start of the game's chance; another each time if left out",
    )
    add("--level", metavar="FILE|N", help="a level file to play, or the number of a level to begin with")
    add("--physics", choices=("exact", "tutorial"), help="exact (default), or the tutorial's with its flaws")
    add("--stage", type=int, choices=range(1, 6), help="how far the tutorial's physics has come, 5 is whole")
    add("--no-power-ups", action="store_true", help="bricks drop no power-ups")
    add("--autoplay", action="store_true", help="let the game play itself")
    add("--record-replay", metavar="FILE", help="write down the game as it is played")
    add("--replay", metavar="FILE", help="show a game written down, bit for bit")
    add = parser.add_argument_group("picture and sound").add_argument
    add("--window", action="store_true", help="insist on a window")
    add("--scale", type=_positive, metavar="X", help="size of the window, 1 is 800 x 600")
    add("--fps", type=_count, metavar="N", help="pictures per second; the display's own rate if left out")
    add("--mute", action="store_true", help="no sound")
    add("--shot", metavar="FILE", help="play without a window and leave the last picture here")
    add("--record", metavar="FILE", help="play without a window and make a film, .gif or .mp4")
    add("--seconds", type=_positive, metavar="S", help="play at most so long")
    add = parser.add_argument_group("both physics side by side").add_argument
    add("--compare", action="store_true", help="play both on one input and count what each gets wrong")
    add("--steps", type=_count, metavar="N", help="ticks to compare; 1800 if left out")


def _whole(word: str, least: int, most: int) -> int:
    number = int(word) if word.isascii() and word.isdigit() else -1
    if not least <= number <= most:
        raise argparse.ArgumentTypeError(f"{word!r} is not a whole number from {least} up")
    return number


_seed = partial(_whole, least=0, most=2**63 - 1)
_count = partial(_whole, least=1, most=10_000_000)


def _positive(word: str) -> float:
    try:
        number = float(word)
    except ValueError:
        number = 0.0
    if not 0 < number < 1e6:
        raise argparse.ArgumentTypeError(f"{word!r} is not a number above 0")
    return number


def main(options: argparse.Namespace) -> None:
    """Play Breakout as the options say.

    Raises
    ------
    Refusal : if options contradict each other, or a file cannot be read or written
    """
    from carom.draw import pygame as pygame  # where it is not installed, the error says what brings it
    from carom_breakout.app import launch

    try:
        launch.play(options)
    except launch.REFUSALS as refusal:
        raise Refusal(str(refusal)) from None
