"""Every type that a public call gives back, or holds, can be named from `carom`."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import typing
from collections.abc import Iterator
from typing import Any

import carom as cm

# Bases and helpers that stand in annotations only; nobody is given one.
NOT_GIVEN = {"Store", "Tables", "NamedTuple"}


def own_classes() -> dict[str, Any]:
    """Return the classes of the package without underscore, by name."""
    found: dict[str, Any] = {}
    for module in pkgutil.walk_packages(cm.__path__, "carom."):
        if not module.name.endswith(("__main__", "stable_baselines", "signatures")):
            try:
                names = vars(importlib.import_module(module.name))
            except ImportError:  # an extra that is not installed
                continue
            for name, thing in names.items():
                if inspect.isclass(thing) and thing.__module__ == module.name and not name.startswith("_"):
                    found.setdefault(name, thing)
    return found


def answers_of(function: Any) -> Iterator[str]:
    for one in (function, *typing.get_overloads(function)):
        yield str(getattr(one, "__func__", one).__annotations__.get("return", ""))


def answers(thing: Any) -> Iterator[str]:
    """Yield what the annotations of a function, a class or a module say that a user is given."""
    if inspect.isfunction(thing):
        yield from answers_of(thing)
    elif inspect.ismodule(thing):
        for name, function in inspect.getmembers(thing, inspect.isfunction):
            if not name.startswith("_") and function.__module__ == thing.__name__:
                yield from answers_of(function)
    elif inspect.isclass(thing):
        yield from (str(kind) for name, kind in vars(thing).get("__annotations__", {}).items() if name[0] != "_")
        for name in dir(thing):
            if not name.startswith("_") or name in ("__getitem__", "__iter__", "__call__"):
                member = inspect.getattr_static(thing, name)
                member = getattr(member, "fget", getattr(member, "__func__", member))
                if inspect.isfunction(member) and member.__module__.startswith("carom"):
                    yield from answers_of(member)


def test_every_type_of_an_answer_is_a_public_name() -> None:
    classes = own_classes()
    missing: dict[str, str] = {}
    asked, done = [name for name in cm.__all__ if name not in missing], set()
    while asked:
        name = asked.pop()
        done.add(name)
        for text in answers(getattr(cm, name, None) or classes[name]):
            for word in set(re.findall(r"[A-Z]\w+", text)) & classes.keys() - done - NOT_GIVEN:
                if word not in cm.__all__ and word not in dir(cm.kernels):
                    missing[word] = f"{classes[word].__module__}, of {name}"
                asked.append(word)
    assert missing == {}, missing


def test_help_shows_the_types_of_the_verbs() -> None:
    for name in ("intersects", "contains", "separation", "distance", "closest", "collide", "cast", "raycast", "move"):
        parameters = inspect.signature(getattr(cm, name)).parameters.values()
        said = [str(one.annotation) for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD]
        assert "Any" not in said, name
    assert inspect.signature(cm.collide).return_annotation == "Contact | None | ContactColumns"
