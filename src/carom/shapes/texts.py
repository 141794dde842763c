"""Shapes from their texts: the expression that `repr` writes of a shape becomes the shape again, and nothing else.

In: a text from anywhere, such as a file that a stranger has edited. Out: a shape equal to the one that was written; or
a ValueError. The text is parsed, never run: calls of the makers of shapes alone, with numbers and lists, and of what
moves shapes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, NoReturn

from carom._core.inputs import short
from carom.shapes.base import Shape
from carom.shapes.basic import Capsule, Circle, Point, Polygon, Segment
from carom.shapes.box import Box
from carom.shapes.compound import Compound, decompose

MAKERS: dict[str, Callable[..., Any]] = {
    **{kind.__name__: kind for kind in (Point, Segment, Circle, Capsule, Box, Polygon)},
    "Box.from_corners": Box.from_corners,
    "decompose": decompose,
    "Compound.from_parts": Compound.from_parts,
}
MOST_NESTED = 50
"""Of brackets in a text; those of shapes nest five deep."""


def shape_of_text(where: str, name: str, text: Any) -> Shape:
    """Return the shape that a text stands for."""
    if not isinstance(text, str):
        _refuse(where, name, text)
    try:
        found = _value(ast.parse(text, mode="eval").body, MOST_NESTED)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as error:
        raise ValueError(f"{where}: {name} = {short(text)} is no shape: {error}") from None
    if not isinstance(found, Shape):
        _refuse(where, name, text)
    return found


def _refuse(where: str, name: str, text: Any) -> NoReturn:
    raise ValueError(f"{where}: {name} = {short(text)} must be the text of a shape, as repr writes it")


def _value(node: ast.AST, left: int) -> Any:
    """Return what a part of an expression stands for."""
    if left == 0:
        raise ValueError("it is nested too deeply")
    match node:
        case ast.Constant(value=int() | float()):
            return node.value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.List(elts=items) | ast.Tuple(elts=items):
            found = [_value(one, left - 1) for one in items]
            return found if isinstance(node, ast.List) else tuple(found)
        case ast.Call(func=called, args=given, keywords=named) if ast.unparse(called) in MAKERS:
            if any(one.arg is None for one in named):
                raise ValueError("it has **")
            values = [_value(one, left - 1) for one in given]
            return MAKERS[ast.unparse(called)](*values, **{str(one.arg): _value(one.value, left - 1) for one in named})
        case ast.Call(func=ast.Attribute(value=made, attr="translated" | "rotated" as way), args=given, keywords=[]):
            if isinstance(shape := _value(made, left - 1), Shape):
                return getattr(shape, way)(*(_value(one, left - 1) for one in given))
    raise ValueError("it holds more than shapes, numbers and lists of them")
