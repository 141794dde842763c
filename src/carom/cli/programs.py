"""The command line: `carom` lists its programs, `carom breakout` plays, `carom flaws` explains.

In: the words after `carom`. Out: an exit code: 0, or 2 after one line that names the fault of an option or a file.
Nothing heavy is imported before it is needed: no pygame for `carom --help`.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import partial
from importlib import metadata
from typing import NamedTuple, NoReturn

from carom._core.missing import MissingPackage, need
from carom.cli import join
from carom.explain import command
from carom.explain.command import Refusal
from carom.playground_app import launch as playground_launch

EXAMPLES = """examples:
  carom breakout                         play
  carom breakout --seed 7 --autoplay     watch it play itself
  carom breakout --physics tutorial      play with the physics of the tutorial, flaws included
  carom breakout --compare --seed 7      both physics side by side on one input
  carom flaws corner --shot corner.png   one flaw in words and as a picture
  carom explain "circle 0 0 1" "box 1.5 0 1 .5"
                                         say why two shapes meet or do not
  carom playground                       drag shapes and see every axis, level and contact
  carom join boxes.parquet pairs/        find every colliding pair in a file, more than memory holds
  carom check                            say which kernels are at work, and test their answers
  carom compile                          compile all kernels now; only a clone without a wheel needs it
"""
LISTED = ("breakout", "explain", "playground", "flaws", "join", "check", "compile")  # in the order of --help


class Program(NamedTuple):
    """A program that `carom` runs: its purpose, its options and its function."""

    purpose: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], None]


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Refuse the words that were typed."""
        wrong = re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message)
        near = get_close_matches(wrong[1], re.findall(r"\w+", wrong[2]), 1) if wrong else []
        raise Refusal(f"{message}; did you mean {near[0]}?" if near else message)


def build_parser() -> Parser:
    """Return the parser of all options."""
    parser = Parser(
        prog="carom",
        description="Ask whether, where and when 2D shapes collide. This command runs what shows it.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="store_true", help="print the version and stop")
    programs = parser.add_subparsers(dest="program", metavar="PROGRAM", parser_class=Parser)
    for name in LISTED:
        words = PROGRAMS[name].purpose
        sentence = f"{words[:1].upper()}{words[1:]}."
        PROGRAMS[name].add_arguments(programs.add_parser(name, help=words, description=sentence, allow_abbrev=False))
    return parser


def _breakout_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("the game").add_argument
    add("--seed", type=_seed, metavar="N", help="start of the game's chance; another each time if left out")
    add("--level", metavar="FILE|N", help="a level file to play, or the number of a level to begin with")
    add("--physics", choices=("exact", "tutorial"), help="exact (default), or the tutorial's with its flaws")
    add("--stage", type=int, choices=range(1, 6), help="how far the tutorial's physics has come, 5 is whole")
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


def _flaws_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="the flaw to show; all are listed if left out")
    parser.add_argument("--shot", metavar="FILE", help="draw what happens under both physics, side by side")


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


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a program and return the exit code."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    program = words[0] if words and words[0] in PROGRAMS else ""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        options = build_parser().parse_args(words)
        if options.version:
            print(f"carom {metadata.version('carom')}")
        elif options.program:
            PROGRAMS[options.program].run(options)
        else:
            show_programs()
    except (Refusal, MissingPackage) as trouble:
        loose = program in ("explain", "playground") and re.match("unrecognized arguments: [^-]", str(trouble))
        remedy = '; each shape stands in quotes, as "circle 0 0 1"' if loose else ""
        print(f"{' '.join(('carom', program)).strip()}: {trouble}{remedy}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def show_programs() -> None:
    """List the programs."""
    print(f"Carom {metadata.version('carom')}: ask whether, where and when 2D shapes collide.\n")
    for name, program in PROGRAMS.items():
        print(f"  carom {name:<10} {program.purpose}")
    print("\ncarom PROGRAM --help shows the options.")


def breakout(options: argparse.Namespace) -> None:
    """Play Breakout as the options say."""
    need("the game", "pygame")
    from carom.breakout.app import launch

    try:
        launch.play(options)
    except launch.REFUSALS as refusal:
        raise Refusal(str(refusal)) from None


def flaws(options: argparse.Namespace) -> None:
    """List the flaws, or show one of them."""
    from carom.breakout import flaws as scenes

    if options.name is None:
        if options.shot:
            raise Refusal("--shot draws one flaw; say which: carom flaws NAME --shot FILE")
        for flaw in scenes.FLAWS:
            print(f"{flaw.number:>3}  {flaw.name:<17} {flaw.title}")
        return
    if options.name not in {name for flaw in scenes.FLAWS for name in (flaw.name, str(flaw.number))}:
        raise Refusal(f"there is no flaw {options.name!r}; carom flaws lists them")
    if options.shot:
        need("this picture", "pygame")
        from carom.breakout.art.figure import save_flaw
        from carom.breakout.art.film import FileError, check_picture

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


def _no_arguments(parser: argparse.ArgumentParser) -> None:
    pass


def check(options: argparse.Namespace) -> None:
    """Say which kernels are at work, and test them."""
    from carom.cli import install

    install.check(options)


def compile_kernels(options: argparse.Namespace) -> None:
    """Compile all kernels now, so that no first call has to."""
    from carom.cli import install

    install.compile_all(options)


PROGRAMS = {
    "breakout": Program(
        "play Breakout; without a display it plays itself and leaves a picture", _breakout_arguments, breakout
    ),
    "flaws": Program(
        "see the thirteen flaws of a plain Breakout, and what exact collision does instead", _flaws_arguments, flaws
    ),
    "explain": Program(command.PURPOSE, command.add_arguments, command.main),
    "playground": Program(
        "drag, turn and reshape shapes, and see why they collide",
        playground_launch.add_arguments,
        playground_launch.main,
    ),
    "join": Program(join.PURPOSE, join.add_arguments, join.main),
    "check": Program("say which kernels are at work and where, and test their answers", _no_arguments, check),
    "compile": Program("compile all kernels now, so that no first call has to", _no_arguments, compile_kernels),
}


if __name__ == "__main__":
    sys.exit(main())
