"""A shape as a person types it: a kind and its numbers, "box 0 0 2 1 30".

In: text. Out: a shape, or a `Refusal` that names the word that is wrong. Angles are degrees, as people type them; "rad"
behind the number makes them radians.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Container, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from carom.shapes.base import ConvexShape, Shape
from carom.shapes.basic import Box, Capsule, Circle, Point, Polygon, Segment
from carom.shapes.compound import Compound, decompose
from carom.vector import Point2

SHAPES = """a shape is a kind and its numbers, in quotes:
  "point x y"
  "segment x0 y0 x1 y1"
  "circle x y radius"
  "capsule x0 y0 x1 y1 radius"
  "box x y width height"           x y is the centre
  "box x y width height angle"     in degrees; 0.5rad is an angle too
  "polygon x y x y x y ..."        convex, three corners or more
  "box 0 0 2 1 rounded 0.2"        corners of a box or polygon grown by a radius
"""
COMPOUNDS = """or a Compound of several:
  "circle 0 0 1 + box 1 0 2 .5"    parts with a plus between them
  "outline x y x y x y ... hole x y x y x y ..."
                                   an outline that need not be convex, with holes or none
"""


class Refusal(ValueError):
    """Something that the user can put right, said in one line."""


class Kind(NamedTuple):
    """How a kind of shape is written."""

    counts: Container[int]
    takes: str
    make: Callable[[Sequence[float], float], ConvexShape]
    rounded: bool = False


def _pairs(numbers: Sequence[float]) -> list[Point2]:
    return list(zip(numbers[::2], numbers[1::2], strict=True))


KINDS = {
    "point": Kind((2,), "2 numbers, x y", lambda n, _: Point(n)),
    "segment": Kind((4,), "4 numbers, x0 y0 x1 y1", lambda n, _: Segment(n[:2], n[2:])),
    "circle": Kind((3,), "3 numbers, x y radius", lambda n, _: Circle(n[:2], n[2])),
    "capsule": Kind((5,), "5 numbers, x0 y0 x1 y1 radius", lambda n, _: Capsule(n[:2], n[2:4], n[4])),
    "box": Kind(
        (4, 5),
        "4 or 5 numbers, x y width height and an angle",
        lambda n, radius: Box(n[:2], n[2:4], n[4] if len(n) > 4 else 0.0, radius=radius),
        rounded=True,
    ),
    "polygon": Kind(
        range(6, sys.maxsize, 2),
        "an x and a y for each of 3 corners or more",
        lambda n, radius: Polygon(_pairs(n), radius=radius),
        rounded=True,
    ),
}


def read_shape(text: str) -> Shape:
    """Return the shape that a text describes.

    Examples
    --------
    >>> from carom.explain.typed import read_shape
    >>> read_shape("box 1 2 4 2 90")
    Box((1.0, 2.0), (2.0, 4.0))

    Raises
    ------
    Refusal : with the text, and its fault
    """
    if text.split()[:1] == ["outline"]:
        return _outline(text)
    parts = [_part(text, part.lower().split()) for part in text.split("+")]
    if len(parts) == 1:
        return parts[0]
    try:
        return Compound.from_parts(parts)
    except ValueError as error:
        raise Refusal(f'"{text}": {error}') from None


def read_convex(text: str) -> ConvexShape:
    """Return the shape of one part that a text describes.

    Raises
    ------
    Refusal : with the text, and its fault
    """
    shape = read_shape(text)
    if not isinstance(shape, ConvexShape):
        raise Refusal(f'"{text}" is a Compound; here each shape has one part')
    return shape


def _outline(text: str) -> Shape:
    """Return the shape of an outline with holes."""
    rings = [
        [_number(text, word, is_angle=False) for word in ring.split()]
        for ring in text.removeprefix("outline").split("hole")
    ]
    for ring in rings:
        if len(ring) < 6 or len(ring) % 2:
            raise Refusal(f'"{text}": an outline and a hole take an x and a y for each of 3 corners or more')
    try:
        return decompose(_pairs(rings[0]), [_pairs(ring) for ring in rings[1:]])
    except ValueError as error:
        raise Refusal(f'"{text}": {error}') from None


def _part(text: str, words: list[str]) -> ConvexShape:
    kind, *rest = words or [""]
    if kind not in KINDS:
        known = ", ".join((*KINDS, "outline"))
        near = get_close_matches(kind, (*KINDS, "outline"), 1)
        remedy = f"did you mean {near[0]}?" if near else f'there are {known}; write it as "circle 0 0 1"'
        raise Refusal(f'"{text}" does not begin with a kind of shape; {remedy}')
    counts, takes, make, can_be_rounded = KINDS[kind]
    radius = 0.0
    if len(rest) > 1 and rest[-2] == "rounded":
        if not can_be_rounded:
            raise Refusal(f'"{text}": only a box and a polygon can be rounded; a rounded segment is a capsule')
        radius = _number(text, rest[-1], is_angle=False)
        rest = rest[:-2]
    numbers = [_number(text, word, is_angle=kind == "box" and k == 4) for k, word in enumerate(rest)]
    if len(numbers) not in counts:
        raise Refusal(f'"{text}": {kind} takes {takes}; there are {len(numbers)} numbers')
    try:
        return make(numbers, radius)
    except ValueError as error:
        raise Refusal(f'"{text}": {error}') from None


def _number(text: str, word: str, is_angle: bool) -> float:
    try:
        if not is_angle:
            return float(word)
        if word.endswith("rad"):
            return float(word.removesuffix("rad"))
        return math.radians(float(word.removesuffix("deg")))
    except ValueError:
        if "," in word:
            remedy = "; put spaces between numbers"
        elif is_angle or word in ("deg", "rad"):
            remedy = "; an angle is written as 30, 30deg or 0.5rad"
        elif word == "rounded":
            remedy = "; a radius follows it, as in: box 0 0 2 1 rounded 0.2"
        else:
            remedy = ""
        raise Refusal(f'"{text}": {word} is not a number{remedy}') from None
