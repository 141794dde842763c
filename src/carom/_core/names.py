"""Names that are not there: the error names the near one, by meaning or by spelling.

In: a name that a user looked up or passed as a keyword, and the names there are. Out: an error to raise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn, TypeVar

# Names of other libraries and of earlier versions, and the names that stand for the same here; the first that is known.
MEANT = {
    "AABB": "Box",
    "OBB": "Box",
    "Rect": "Box",
    "Rectangle": "Box",
    "Line": "Segment",
    "Poly": "Polygon",
    "Ray": "raycast",
    "Space": "World",
    "Vec2": "Vec",
    "Vector2": "Vec",
    "Set": "Shapes",
    "ShapeSet": "Shapes",
    "overlaps": "intersects",
    "collides": "intersects",
    "shapecast": "cast",
    "sweep": "cast",
    "time_of_impact": "cast",
    "penetration": "collide depth",
    "mtv": "collide move_b",
    "convex_hull": "hull",
    "triangulate": "decompose",
    "nearest": "closest",
    "STRtree": "Index",
    "Tree": "Index",
    "Snapshot": "Picture",
    "debug_draw": "draw paint",
    "to_screen": "to_pixel",
    "colors": "color",
    "colour": "color",
    "add": "insert",
    "add_many": "insert",
    "move": "update",
    "append": "insert",
    "delete": "remove",
    "direction": "translation",
    "end": "translation",
    "max_distance": "translation",
    "elasticity": "restitution",
    "bounce": "restitution",
    "density": "mass",
    "type": "kind",
    "body_type": "kind",
    "category": "layer",
    "categories": "layer",
    "group": "layer",
    "filter": "mask",
    "exclude": "ignore",
    "tolerance": "within",
    "vertices": "points",
    "center": "position",
    "shape": "row",
    "time": "fraction",
    "t": "fraction",
    "toi": "fraction",
    "rows": "row indices",
    "remainder": "rest",
}
TUPLE = dir(tuple)
Answer = TypeVar("Answer", bound=tuple[Any, ...])
ELSEWHERE = {"torque": "set it on the Body that is returned", "force": "set it on the Body that is returned"}


def near_name(name: str, known: Iterable[str]) -> str:
    """Return the end of a message: the known name that was most likely meant, or nothing."""
    names = list(known)
    if name in ELSEWHERE:
        return f": {ELSEWHERE[name]}"
    for meant in MEANT.get(name, "").split():
        for one in (meant, f"{meant}s"):
            if one in names:
                return f"; did you mean {one}?"
    from difflib import get_close_matches  # only for an error

    close = get_close_matches(name, names, 1)
    return f"; did you mean {close[0]}?" if close else ""


def no_attribute(owner: str, name: str, known: Iterable[str]) -> AttributeError:
    """Return the error of a name that an object does not have."""
    hint = "" if name.startswith("_") else near_name(name, (one for one in known if not one.startswith("_")))
    return AttributeError(f"{owner} has no attribute {name!r}{hint}")


def names_near(answer: type[Answer]) -> type[Answer]:
    """Make a named tuple answer a name that is no field of it with the near one.

    A type checker does not see the method, so it goes on reporting such names itself.
    """

    def absent(self: Any, name: str) -> NoReturn:
        raise no_attribute(answer.__name__, name, (one for one in dir(answer) if one not in TUPLE))

    answer.__getattr__ = absent  # type: ignore[attr-defined]
    return answer


def refuse_keywords(where: str, function: Callable[..., Any], unknown: Mapping[str, Any]) -> NoReturn:
    """Raise the TypeError of keywords that a function does not take."""
    name = next(iter(unknown))
    import inspect  # only for an error

    parameters = inspect.signature(function).parameters.values()
    known = [one.name for one in parameters if one.kind is not one.VAR_KEYWORD and one.name != "self"]
    raise TypeError(f"{where}: got an unexpected keyword argument {name!r}{near_name(name, known)}")
