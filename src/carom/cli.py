"""The command line: `carom` shows what there is to run, `carom breakout` plays, `carom flaws` explains.

In: the words after `carom`. Out: an exit code: 0, or 2 after one line that says what is wrong with an option or a file.
Nothing heavy is imported before it is needed: no pygame for `carom --help`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import metadata
from typing import NoReturn

from carom.explain import command
from carom.playground_app import launch as playground_launch
from carom.playground_app.scene import SceneError

PROGRAMS = {
    "breakout": "play Breakout; without a display it plays itself and leaves a picture",
    "flaws": "see the thirteen flaws of a plain Breakout, and what exact collision does instead",
    "explain": command.PURPOSE,
    "playground": "drag, turn and reshape shapes, and see why they collide",
}
EXAMPLES = """examples:
  carom breakout                         play
  carom breakout --seed 7 --autoplay     watch it play itself
  carom breakout --physics tutorial      play with the physics of the tutorial, flaws included
  carom breakout --compare --seed 7      both physics side by side on one input
  carom flaws corner --shot corner.png   one flaw in words and as a picture
  carom explain "circle 0 0 1" "box 1.5 0 1 .5"
                                         say why two shapes meet or do not
  carom playground                       drag shapes and see every axis, level and contact
"""
PLAY = ("pygame-ce", "pillow", "imageio", "imageio-ffmpeg", "tqdm")  # the extra `play`


class Trouble(Exception):
    """Something that the user can put right: one line, exit code 2."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Refuse what was typed."""
        raise Trouble(message)


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
    breakout = programs.add_parser(
        "breakout", help=PROGRAMS["breakout"], description=_sentence(PROGRAMS["breakout"]), allow_abbrev=False
    )
    game = breakout.add_argument_group("the game")
    game.add_argument(
        "--seed", type=_whole, metavar="N", help="start of the game's chance; another each time if left out"
    )
    game.add_argument("--level", metavar="FILE|N", help="a level file to play, or the number of a level to begin with")
    game.add_argument(
        "--physics", choices=("exact", "tutorial"), help="exact (default), or the tutorial's with its flaws"
    )
    game.add_argument(
        "--stage", type=int, choices=range(1, 6), help="how far the tutorial's physics has come, 5 is whole"
    )
    game.add_argument("--autoplay", action="store_true", help="let the game play itself")
    game.add_argument("--record-replay", metavar="FILE", help="write down the game as it is played")
    game.add_argument("--replay", metavar="FILE", help="show a game written down, bit for bit")
    look = breakout.add_argument_group("picture and sound")
    look.add_argument("--window", action="store_true", help="insist on a window")
    look.add_argument("--scale", type=_positive, metavar="X", help="size of the window, 1 is 800 x 600")
    look.add_argument("--fps", type=_count, metavar="N", help="pictures per second; the display's own rate if left out")
    look.add_argument("--mute", action="store_true", help="no sound")
    look.add_argument("--shot", metavar="FILE", help="play without a window and leave the last picture here")
    look.add_argument("--record", metavar="FILE", help="play without a window and make a film, .gif or .mp4")
    look.add_argument("--seconds", type=_positive, metavar="S", help="play at most so long")
    why = programs.add_parser(
        "explain", help=PROGRAMS["explain"], description=_sentence(PROGRAMS["explain"]), allow_abbrev=False
    )
    command.add_arguments(why)
    ground = programs.add_parser(
        "playground", help=PROGRAMS["playground"], description=_sentence(PROGRAMS["playground"]), allow_abbrev=False
    )
    playground_launch.add_arguments(ground)
    compare = breakout.add_argument_group("both physics side by side")
    compare.add_argument("--compare", action="store_true", help="play both on one input and count what each gets wrong")
    compare.add_argument("--steps", type=_count, metavar="N", help="ticks to compare; 1800 if left out")
    flaws = programs.add_parser(
        "flaws", help=PROGRAMS["flaws"], description=_sentence(PROGRAMS["flaws"]), allow_abbrev=False
    )
    flaws.add_argument("name", nargs="?", metavar="NAME", help="the flaw to show; all are listed if left out")
    flaws.add_argument("--shot", metavar="FILE", help="draw what happens under both physics, side by side")
    return parser


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _whole(word: str) -> int:
    number = int(word) if word.isascii() and word.isdigit() else -1
    if not 0 <= number < 2**63:
        raise argparse.ArgumentTypeError(f"{word!r} is not a whole number from 0 up")
    return number


def _count(word: str) -> int:
    number = int(word) if word.isascii() and word.isdigit() else 0
    if not 1 <= number <= 10_000_000:
        raise argparse.ArgumentTypeError(f"{word!r} is not a whole number from 1 up")
    return number


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
    program = ""
    try:
        options = build_parser().parse_args(arguments)
        program = f" {options.program}" if options.program else ""
        if options.version:
            print(f"carom {metadata.version('carom')}")
        elif options.program == "breakout":
            breakout(options)
        elif options.program == "flaws":
            flaws(options)
        elif options.program == "explain":
            explain(options)
        elif options.program == "playground":
            playground(options)
        else:
            show_programs()
    except Trouble as trouble:
        print(f"carom{program}: {trouble}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def show_programs() -> None:
    """Say what there is to run."""
    print(f"Carom {metadata.version('carom')}: ask whether, where and when 2D shapes collide.\n")
    for name, purpose in PROGRAMS.items():
        print(f"  carom {name:<10} {purpose}")
    print("\ncarom PROGRAM --help shows the options.")


def breakout(options: argparse.Namespace) -> None:
    """Play Breakout as the options say."""
    need_pygame()
    from carom.breakout.app import launch

    try:
        launch.play(options)
    except launch.REFUSALS as refusal:
        raise Trouble(str(refusal)) from None


def explain(options: argparse.Namespace) -> None:
    """Say why two shapes meet or do not."""
    try:
        command.main(options)
    except command.Refusal as refusal:
        raise Trouble(str(refusal)) from None


def playground(options: argparse.Namespace) -> None:
    """Open the playground, or leave a picture or a page of it."""
    need_pygame()
    try:
        playground_launch.main(options)
    except (command.Refusal, SceneError) as refusal:
        raise Trouble(str(refusal)) from None


def flaws(options: argparse.Namespace) -> None:
    """List the flaws, or show one of them."""
    from carom.breakout import flaws as scenes

    if options.name is None:
        if options.shot:
            raise Trouble("--shot draws one flaw; say which: carom flaws NAME --shot FILE")
        for flaw in scenes.FLAWS:
            print(f"{flaw.number:>3}  {flaw.name:<17} {flaw.title}")
        return
    if options.name not in {name for flaw in scenes.FLAWS for name in (flaw.name, str(flaw.number))}:
        raise Trouble(f"there is no flaw {options.name!r}; carom flaws lists them")
    if options.shot:
        need_pygame()
        from carom.breakout.art.figure import save_flaw
        from carom.breakout.art.film import FileError, check_picture

        try:
            path = check_picture(options.shot)
            tell_compiling()
            shown = scenes.show_flaw(options.name)
            save_flaw(shown, path)
        except FileError as refusal:
            raise Trouble(str(refusal)) from None
    else:
        tell_compiling()
        shown = scenes.show_flaw(options.name)
    print(f"{shown.flaw.number}  {shown.flaw.title}\n   {shown.flaw.summary}\n")
    print(f"   tutorial  {shown.tutorial.says}\n   exact     {shown.exact.says}")
    if options.shot:
        print(f"\n   picture   {options.shot}")


def tell_compiling() -> None:
    """Say why the very first start takes some seconds."""
    from carom.breakout.session import COMPILING, must_compile
    from carom.breakout.state import EXACT, TUTORIAL

    if must_compile(EXACT) or must_compile(TUTORIAL):
        print(f"{COMPILING}.", flush=True)


def need_pygame() -> None:
    """Say how to get what pictures need if it is missing, and keep pygame from greeting."""
    missing = [package for package in PLAY if not is_installed(package)]
    if missing:
        raise Trouble(f'this needs {", ".join(missing)}; install with: pip install "carom[play]"')
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")


def is_installed(package: str) -> bool:
    """Whether a package is installed; pygame itself is not pygame-ce and lacks what is used here."""
    try:
        metadata.version(package)
    except metadata.PackageNotFoundError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
