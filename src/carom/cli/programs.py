"""The command line: `carom` lists its programs, `carom breakout` plays, `carom flaws` explains.

In: the words after `carom`. Out: an exit code: 0, or 2 after one line that names the fault of an option or a file.
Nothing heavy is imported before it is needed: no pygame for `carom --help`.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from importlib import metadata
from typing import Any, NamedTuple, NoReturn

from carom._core.missing import BROUGHT, MissingPackage, need
from carom.cli import tables
from carom.explain.typed import Refusal

EXAMPLES = """examples:
  carom breakout                         play
  carom breakout --seed 7 --autoplay     watch it play itself
  carom breakout --physics tutorial      play with the physics of the tutorial, flaws included
  carom breakout --compare               both physics side by side on one input
  carom flaws corner --shot corner.png   one flaw in words and as a picture
  carom explain "circle 0 0 1" "box 1.5 0 1 .5"
                                         say why two shapes meet or do not
  carom playground                       drag shapes and see every axis, level and contact
  carom join boxes.parquet pairs/        find every colliding pair in a file, more than memory holds
  carom nearest homes.parquet out/ --other stops.parquet
                                         find the nearest stop of each home
  carom encounters ships.parquet out/ --within 500
                                         find which ships came near each other, and when
  carom check                            say which kernels are at work, and test their answers
  carom compile                          compile all kernels now; only a clone without a wheel needs it
"""
LISTED = (
    "breakout",
    "explain",
    "playground",
    "flaws",
    "join",
    "nearest",
    "encounters",
    "check",
    "compile",
)  # in the order of --help


class Command(NamedTuple):
    """The options of a program, its function, and the errors that it reports in one line."""

    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], None]
    refusal: type[Exception] = Refusal


class Program(NamedTuple):
    """A program that `carom` runs: its purpose, and what imports it."""

    purpose: str
    load: Callable[[], Command]


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Refuse the words that were typed."""
        wrong = re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message)
        near = get_close_matches(wrong[1], re.findall(r"\w+", wrong[2]), 1) if wrong else []
        raise Refusal(f"{message}; did you mean {near[0]}?" if near else message)


def build_parser(program: str = "", command: Command | None = None) -> Parser:
    """Return the parser of the programs' names and of the options of one program."""
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
        options = programs.add_parser(name, help=words, description=sentence, allow_abbrev=False)
        if command is not None and name == program:
            command.add_arguments(options)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a program and return the exit code."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    program = words[0] if words and words[0] in PROGRAMS else ""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    refusal: type[Exception] = Refusal
    try:
        command = PROGRAMS[program].load() if program else None
        refusal = Refusal if command is None else command.refusal
        options = build_parser(program, command).parse_args(words)
        if options.version:
            print(f"carom {metadata.version('carom')}")
        elif command is not None:
            _run(program, command, options)
        else:
            show_programs()
    except (Refusal, MissingPackage, refusal) as trouble:
        loose = program in ("explain", "playground") and re.match("unrecognized arguments: [^-]", str(trouble))
        remedy = '; each shape stands in quotes, as "circle 0 0 1"' if loose else ""
        print(f"{' '.join(('carom', program)).strip()}: {trouble}{remedy}", file=sys.stderr)
        return 2
    except KeyboardInterrupt as stop:
        print(f"\n{stop}" if str(stop) else "", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _run(program: str, command: Command, options: argparse.Namespace) -> None:
    """Run a program; a package that it lacks is told with what installs it."""
    try:
        command.run(options)
    except MissingPackage:
        raise
    except ModuleNotFoundError as missing:
        if missing.name in BROUGHT:
            need(f"carom {program}", missing.name)
        raise


def show_programs() -> None:
    """List the programs."""
    print(f"Carom {metadata.version('carom')}: ask whether, where and when 2D shapes collide.\n")
    for name, program in PROGRAMS.items():
        print(f"  carom {name:<10} {program.purpose}")
    print("\ncarom PROGRAM --help shows the options.")


def _of(module: Any) -> Command:
    return Command(module.add_arguments, module.main, module.Refusal)


def _no_arguments(parser: argparse.ArgumentParser) -> None:
    pass


def _check() -> Command:
    from carom.cli import install

    return Command(_no_arguments, install.check)


def _compile() -> Command:
    from carom.cli import compiling

    return Command(_no_arguments, compiling.compile_all)


# The programs are packages of their own, which nobody else in the library imports.
PROGRAMS = {
    "breakout": Program(
        "play Breakout; without a display it plays itself and leaves a picture",
        lambda: _of(importlib.import_module("carom_breakout.command")),
    ),
    "flaws": Program(
        "see the thirteen flaws of a plain Breakout, and what exact collision does instead",
        lambda: _of(importlib.import_module("carom_breakout.flaws_command")),
    ),
    "explain": Program(
        "say why two shapes meet or do not: each level of the test, each axis",
        lambda: _of(importlib.import_module("carom.explain.command")),
    ),
    "playground": Program(
        "drag, turn and reshape shapes, and see why they collide",
        lambda: _of(importlib.import_module("carom_playground.launch")),
    ),
    "join": Program(tables.JOIN, lambda: Command(tables.add_join, tables.join)),
    "nearest": Program(tables.NEAREST, lambda: Command(tables.add_nearest, tables.nearest)),
    "encounters": Program(tables.ENCOUNTERS, lambda: Command(tables.add_encounters, tables.encounters)),
    "check": Program("say which kernels are at work and where, and test their answers", _check),
    "compile": Program("compile all kernels now, so that no first call has to", _compile),
}


if __name__ == "__main__":
    sys.exit(main())
