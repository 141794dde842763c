"""`carom explain`: two shapes in words, and why they meet or do not.

In: the options of the command line. Out: a table on the screen, as wide as the terminal, and, if asked for, a picture.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from carom.explain.explain import explain
from carom.explain.findings import Answer
from carom.explain.report import WIDTH, report
from carom.explain.typed import COMPOUNDS, SHAPES, Refusal, read_shape

EXAMPLES = f"""{SHAPES}{COMPOUNDS}
examples:
  carom explain "circle 0 0 1" "box 1.5 0 1 .5"
  carom explain "box 0 0 2 1 30" "polygon 1 1 3 1 2 3" --shot sat.png
"""


class _Renamed(argparse.Action):
    """An option of an earlier version: an error that names the new one."""

    def __call__(self, parser: argparse.ArgumentParser, *given: object) -> None:
        """Refuse the option."""
        parser.error("--svg is now --shot FILE, in the format of the file's ending")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options to a parser."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument("a", metavar="SHAPE_A", help='the first shape, for instance "circle 0 0 1"')
    parser.add_argument("b", metavar="SHAPE_B", help="the second shape")
    parser.add_argument(
        "--shot", metavar="FILE", type=Path, help="draw the shapes and the axes into this file, .svg or .png"
    )
    parser.add_argument("--svg", nargs="?", action=_Renamed, help=argparse.SUPPRESS)


def main(options: argparse.Namespace) -> None:
    """Print why two shapes meet or do not, and draw it if asked to.

    Raises
    ------
    Refusal : if a shape cannot be read, or the picture cannot be written
    """
    why = explain(read_shape(options.a), read_shape(options.b))
    if options.shot is not None:
        save(options.shot, why)
    print(report(why, shutil.get_terminal_size((WIDTH, 24)).columns))
    if options.shot is not None:
        print(f"picture          {options.shot}")


def save(file: Path, why: Answer) -> None:
    """Write the picture of an explanation, or refuse."""
    try:
        why.save(file)
    except OSError as error:
        raise Refusal(f"--shot {file} cannot be written: {error.strerror}") from None
    except ValueError:
        raise Refusal(f"--shot {file}: the picture must end in .svg, .png, .jpg or .pdf") from None


def write(option: str, file: Path, text: str) -> None:
    """Write the file of an option, or refuse."""
    try:
        file.write_bytes(text.encode())
    except OSError as error:
        raise Refusal(f"{option} {file} cannot be written: {error.strerror}") from None
