"""Every public name and every keyword of a public call, misspelled: the error names the right one.

The names are read from the package itself, so that one that is new is asked, too.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

import carom as cm
from carom._core.names import words

MODULES = {"carom": cm, "draw": cm.draw, "convert": cm.convert, "kernels": cm.kernels}
# Vectors are multiplied thousands of times in a frame, with the one other that each of these takes.
IN_A_HURRY = {"Vec.cross", "Vec.distance", "Vec.dot", "Vec.projection"}
PARAMETER = inspect.Parameter
WORLD = cm.World()
REGION = cm.decompose([(0, 0), (4, 0), (4, 4), (2, 1)])
OBJECTS: dict[str, Any] = {
    "Body": WORLD.add(cm.Circle((0, 0), 1), kind="dynamic"),
    "Box": cm.Box((0, 0), (1, 1)),
    "Camera": cm.draw.Camera((8, 6)),
    "Capsule": cm.Capsule((0, 0), (1, 0), 1),
    "Character": cm.Character(cm.Circle((0, 0), 1), up=(0, 1)),
    "Circle": cm.Circle((0, 0), 1),
    "Compound": REGION,
    "CompoundExplanation": cm.explain(REGION, REGION),
    "Explanation": cm.explain(cm.Circle((0, 0), 1), cm.Circle((0, 0), 1)),
    "Index": cm.Index(),
    "Level": cm.read_grid("#"),
    "Picture": cm.picture(REGION),
    "Point": cm.Point((0, 0)),
    "Polygon": cm.Polygon([(0, 0), (1, 0), (0, 1)]),
    "Recording": cm.Recording(WORLD),
    "Segment": cm.Segment((0, 0), (1, 0)),
    "Shapes": cm.Shapes(),
    "Vec": cm.Vec(1, 2),
    "World": WORLD,
    "Worlds": WORLD.copies(2),
}


def slip(name: str) -> str:
    """Return a name with a slip of the keyboard: two letters in the middle that differ change places."""
    for k in range(len(name) // 2, 0, -1):
        if name[k] != name[k - 1]:
            return f"{name[: k - 1]}{name[k]}{name[k - 1]}{name[k + 1 :]}" if len(name) > 3 else f"{name}{name[-1]}"
    return f"{name}{name[-1]}"


def public(thing: Any) -> list[str]:
    return [name for name in getattr(thing, "__all__", dir(thing)) if not name.startswith("_")]


def classes() -> dict[str, type]:
    found = {name: getattr(module, name) for module in (cm, cm.draw) for name in public(module)}
    return {name: one for name, one in found.items() if inspect.isclass(one) and one.__module__.startswith("carom")}


def own_names(kind: type) -> list[str]:
    """Name what a class brings, less what lists, strings and tuples have anyway."""
    foreign = {name for base in kind.__mro__ if not base.__module__.startswith("carom") for name in vars(base)}
    return [name for name in public(kind) if name not in foreign]


def blank(kind: Any) -> Any:
    """Return some object of a class."""
    if kind is cm.HitKind:
        return cm.HitKind.ENTER
    return tuple.__new__(kind, [None] * len(kind._fields)) if issubclass(kind, tuple) else kind.__new__(kind)


def calls() -> Iterator[tuple[str, Callable[..., Any]]]:
    for module in (cm, cm.draw, cm.convert):
        for name in public(module):
            one = getattr(module, name)
            if inspect.isfunction(one):
                yield name, one
    for name, kind in classes().items():
        answer = issubclass(kind, (tuple, list)) or dataclasses.is_dataclass(kind)  # which no user makes
        if not answer and name not in ("ConvexShape", "HitKind", "Shape"):
            yield name, kind
        for method in own_names(kind):
            one = inspect.getattr_static(kind, method)
            if inspect.isfunction(getattr(one, "__func__", one)) and name not in ("ConvexShape", "Shape"):
                yield f"{name}.{method}", getattr(OBJECTS[name] if name in OBJECTS else blank(kind), method)


def called(name: str) -> str:
    """Return a pattern of the name of a call at the beginning of its error; that of a body tells its row."""
    return f"^(draw\\.)?{name.replace('Body.', 'Body.*[.]')}: "


KEYWORDS = [
    (name, call, parameter.name)
    for name, call in calls()
    if name not in IN_A_HURRY
    for parameter in inspect.signature(call).parameters.values()
    if parameter.kind in (PARAMETER.POSITIONAL_OR_KEYWORD, PARAMETER.KEYWORD_ONLY)
    and slip(parameter.name) not in words()["any"]
]


@pytest.mark.parametrize("name", MODULES)
def test_a_slip_in_a_name_of_a_module_is_told(name: str) -> None:
    module = MODULES[name]
    for right in public(module):
        if not isinstance(getattr(module, right), ModuleType):
            with pytest.raises(AttributeError, match=f"did you mean {right}\\?"):
                getattr(module, slip(right))


@pytest.mark.parametrize("name", classes())
def test_a_slip_in_a_name_of_a_class_or_its_objects_is_told(name: str) -> None:
    kind = classes()[name]
    for right in own_names(kind):
        for owner in (kind, blank(kind)):
            if owner is not cm.Vec and slip(right) not in words()["any"]:  # whose class lies below the table of names
                with pytest.raises(AttributeError, match=f"{name} has no attribute .*did you mean {right}\\?"):
                    getattr(owner, slip(right))


@pytest.mark.parametrize(("name", "call", "right"), KEYWORDS, ids=[f"{one[0]}({one[2]})" for one in KEYWORDS])
def test_a_slip_in_a_keyword_is_told(name: str, call: Callable[..., Any], right: str) -> None:
    with pytest.raises(TypeError, match=f"{called(name)}.*did you mean {right}\\?"):
        call(**{slip(right): None})


@pytest.mark.parametrize(("name", "call"), [one for one in calls() if inspect.signature(one[1]).parameters])
def test_a_word_like_no_keyword_is_told_with_the_call(name: str, call: Callable[..., Any]) -> None:
    if name not in IN_A_HURRY:
        with pytest.raises(TypeError, match=called(name)):
            call(quark=1)


@pytest.mark.parametrize("name", ["Body", "CompoundExplanation", "Explanation", "Picture", "WorldSnapshot", "Worlds"])
def test_a_class_whose_objects_a_call_makes_names_the_call(name: str) -> None:
    for given, named in (((), {}), ((WORLD, 3), {}), ((), {"mass": 1})):
        with pytest.raises(TypeError, match=rf"^{name}: it is made by (World|cm)\.[a-z]+\("):
            getattr(cm, name)(*given, **named)
