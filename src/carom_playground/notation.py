"""A shape from text: the Python expression that makes it, read without running any code.

In: text as `repr` of a shape gives it, such as "Box((1.5, 0.0), (1.0, 0.5), 0.3)". Out: the shape. Only calls of
Carom's own classes with plain numbers are read, so a scene file can do no harm.
"""

from __future__ import annotations

import ast
import operator
from typing import Any

from carom import Box, Capsule, Circle, ConvexShape, Point, Polygon, Segment

CLASSES: dict[str, type[ConvexShape]] = {
    kind.__name__: kind for kind in (Point, Segment, Circle, Capsule, Box, Polygon)
}
MAKERS = {"from_corners", "from_corner"}  # besides the classes themselves
MOVERS = {"translated", "rotated"}
SIGNS: dict[type[ast.unaryop], Any] = {ast.USub: operator.neg, ast.UAdd: operator.pos}


class NotationError(ValueError):
    """Text that makes no shape, said in one line."""


def from_text(text: str) -> ConvexShape:
    """Return the shape that an expression makes.

    Raises
    ------
    NotationError
        If the text is more than a shape, or the shape cannot be.
    """
    try:
        return _shape(ast.parse(text.strip(), mode="eval").body, text)
    except (SyntaxError, MemoryError, RecursionError):
        raise NotationError(f"{text!r} is not an expression") from None


def _shape(node: ast.expr, text: str) -> ConvexShape:
    """Return the shape that a call makes: Class(...), Class.from_...(...), or shape.translated(...)."""
    if isinstance(node, ast.Call):
        made = _callable(node.func, text)
        if made is not None:
            arguments = [_value(argument, text) for argument in node.args]
            named = {keyword.arg: _value(keyword.value, text) for keyword in node.keywords if keyword.arg}
            try:
                shape = made(*arguments, **named)
            except (TypeError, ValueError) as error:
                raise NotationError(f"{text!r}: {error}") from None
            if isinstance(shape, ConvexShape):
                return shape
    known = ", ".join(CLASSES)
    raise NotationError(f"{text!r} must be one shape such as Circle((0, 0), 1); there are {known}")


def _callable(node: ast.expr, text: str) -> Any:
    if isinstance(node, ast.Name):
        return CLASSES.get(node.id)
    if isinstance(node, ast.Attribute):
        if isinstance(node.value, ast.Name):
            owner = CLASSES.get(node.value.id)
            if owner is not None and node.attr in MAKERS:
                return getattr(owner, node.attr, None)
            return CLASSES.get(node.attr) if node.value.id in ("cm", "carom") else None
        if node.attr in MOVERS:
            return getattr(_shape(node.value, text), node.attr)
    return None


def _value(node: ast.expr, text: str) -> Any:
    """Return a number, or a tuple or list of such values."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value
    if isinstance(node, ast.UnaryOp) and type(node.op) in SIGNS:
        return SIGNS[type(node.op)](_value(node.operand, text))
    if isinstance(node, ast.Tuple | ast.List):
        return tuple([_value(item, text) for item in node.elts])
    raise NotationError(f"{text!r} holds more than shapes, numbers and tuples: {ast.unparse(node)}")
