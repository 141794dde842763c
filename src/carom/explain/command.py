"""`carom explain`: two shapes in words, and why they meet or do not.

In: the options of the command line, where a shape is a kind and its numbers, "circle 0 0 1". Out: a table on the
screen and, if asked for, a picture. Angles are radians, as everywhere; with "deg" behind the number they are degrees.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Container, Sequence
from pathlib import Path
from typing import NamedTuple

from carom.explain.explain import explain
from carom.shapes.basic import Box, Capsule, Circle, ConvexShape, Point, Polygon, Segment

SHAPES = """a shape is a kind and its numbers, in quotes:
  "point x y"
  "segment x0 y0 x1 y1"
  "circle x y radius"
  "capsule x0 y0 x1 y1 radius"
  "box x y width height"           x y is the centre
  "box x y width height angle"     in radians; 30deg is an angle too
  "polygon x y x y x y ..."        convex, three corners or more
"""
EXAMPLES = f"""{SHAPES}
examples:
  carom explain "circle 0 0 1" "box 1.5 0 1 .5"
  carom explain "box 0 0 2 1 30deg" "polygon 1 1 3 1 2 3" --svg sat.svg
"""


class Refusal(ValueError):
    """Something that the user can put right, said in one line."""


class Kind(NamedTuple):
    """How a kind of shape is written."""

    counts: Container[int]
    takes: str
    make: Callable[[Sequence[float]], ConvexShape]


def _polygon(numbers: Sequence[float]) -> Polygon:
    return Polygon(list(zip(numbers[::2], numbers[1::2], strict=True)))


KINDS = {
    "point": Kind((2,), "2 numbers, x y", Point),
    "segment": Kind((4,), "4 numbers, x0 y0 x1 y1", lambda n: Segment(n[:2], n[2:])),
    "circle": Kind((3,), "3 numbers, x y radius", lambda n: Circle(n[:2], n[2])),
    "capsule": Kind((5,), "5 numbers, x0 y0 x1 y1 radius", lambda n: Capsule(n[:2], n[2:4], n[4])),
    "box": Kind((4, 5), "4 or 5 numbers, x y width height and an angle", lambda n: Box(n[:2], n[2:4], *n[4:])),
    "polygon": Kind(range(6, sys.maxsize, 2), "an x and a y for each of 3 corners or more", _polygon),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options to a parser."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument("a", metavar="SHAPE_A", help='the first shape, for instance "circle 0 0 1"')
    parser.add_argument("b", metavar="SHAPE_B", help="the second shape")
    parser.add_argument("--svg", metavar="FILE", type=Path, help="draw the shapes and the axes into this file")


def main(options: argparse.Namespace) -> None:
    """Print why two shapes meet or do not, and draw it if asked to.

    Raises
    ------
    Refusal : if a shape cannot be read, or the picture cannot be written
    """
    if options.svg is not None and options.svg.suffix.lower() != ".svg":
        raise Refusal(f"--svg {options.svg}: the picture must end in .svg; for others use Explanation.save in Python")
    why = explain(read_shape(options.a), read_shape(options.b))
    if options.svg is not None:
        write("--svg", options.svg, why._repr_svg_())
    print(why)
    if options.svg is not None:
        print(f"picture          {options.svg}")


def write(option: str, file: Path, text: str) -> None:
    """Write the file of an option, or refuse."""
    try:
        file.write_bytes(text.encode())
    except OSError as error:
        raise Refusal(f"{option} {file} cannot be written: {error.strerror}") from None


def read_shape(text: str) -> ConvexShape:
    """Return the shape that a text describes.

    Examples
    --------
    >>> from carom.explain.command import read_shape
    >>> read_shape("box 1 2 4 2 90deg")
    Box((1.0, 2.0), (2.0, 4.0))

    Raises
    ------
    Refusal : with the text, and its fault
    """
    kind, *words = text.lower().split() or [""]
    if kind not in KINDS:
        known = ", ".join(KINDS)
        write_so = 'write it as "circle 0 0 1"'
        raise Refusal(f'"{text}" does not begin with a kind of shape; there are {known}; {write_so}')
    counts, takes, make = KINDS[kind]
    numbers = [_number(text, word, is_angle=kind == "box" and k == 4) for k, word in enumerate(words)]
    if len(numbers) not in counts:
        raise Refusal(f'"{text}": {kind} takes {takes}; there are {len(numbers)} numbers')
    try:
        return make(numbers)
    except ValueError as error:
        raise Refusal(f'"{text}": {error}') from None


def _number(text: str, word: str, is_angle: bool) -> float:
    try:
        if is_angle and word.endswith("deg"):
            return math.radians(float(word[:-3]))
        return float(word)
    except ValueError:
        if "," in word:
            remedy = "; put spaces between numbers"
        elif is_angle or word in ("deg", "rad"):
            remedy = "; an angle is written as 0.5 or 30deg"
        else:
            remedy = ""
        raise Refusal(f'"{text}": {word} is not a number{remedy}') from None
