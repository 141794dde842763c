"""Names that are not there: the error names the near one, by meaning or by spelling.

In: a name that a user looked up, set, or passed as a keyword, and the names there are. Out: an error to raise. Words of
other libraries and of earlier versions stand in `words.toml`, by owner; `docs/errors.md` shows some to users.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from functools import cache, wraps
from pathlib import Path
from re import sub
from types import CodeType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

from carom._core.sealed import name_in_pickles, name_tuples
from carom.vector import Vec

TUPLE = dir(tuple)
MISSING: Any = inspect.Parameter.empty  # in place of an argument that a call lacks; signatures show no default
T = TypeVar("T")
F = TypeVar("F", bound=Any)


@cache
def words() -> dict[str, dict[str, str]]:
    """Return the words of other libraries by owner: a class, a module, or a call with (); `any` holds those of all."""
    import tomllib  # only for an error

    with Path(__file__).with_name("words.toml").open("rb") as file:
        return tomllib.load(file)


def near_name(name: str, known: Iterable[str], owners: Iterable[str] = ()) -> str:
    """Return the end of a message: the known name that was most likely meant, or nothing."""
    names, tables = list(known), words()
    said = next((tables[owner][name] for owner in (*owners, "any") if name in tables.get(owner, ())), "")
    meant, _, remedy = said.partition(":")
    for one in (form for word in meant.split() for form in (word, f"{word}s")):
        if one in names and one != name:
            return f"; did you mean {one}?"
    if remedy:
        return f":{remedy}"
    from difflib import get_close_matches  # only for an error

    close = [one for one in names if one.lower() == name.lower()] or get_close_matches(name, names, 3)
    close = [one for one in close if _may_be_a_slip(name, one)]
    return f"; did you mean {close[0]}?" if close else ""


def _may_be_a_slip(name: str, one: str) -> bool:
    """Tell whether the beginnings of two names that look alike are, too; `size` is no slip for `inside`."""
    first, second = name[:2].lower(), one[:2].lower()
    return first[0] == second[0] or sorted(first) == sorted(second) or one[1:] == name or one in name


def no_attribute(owner: str | type, name: str, known: Iterable[str]) -> AttributeError:
    """Return the error of a name that a module, given as such, a class or its objects do not have."""
    module, hint = f"module {owner!r}", ""
    if not name.startswith("_"):
        owners = [owner] if isinstance(owner, str) else [kind.__name__ for kind in owner.__mro__]
        hint = near_name(name, (one for one in known if not one.startswith("_")), owners)
    return AttributeError(f"{module if isinstance(owner, str) else owner.__name__} has no attribute {name!r}{hint}")


def names_near(kind: type[T]) -> type[T]:
    """Make objects of a class answer a name that they do not have with the near one; a named tuple itself does, too.

    A type checker does not see the method, so it goes on reporting such names itself.
    """
    _answer_near(kind)
    if type(kind) is not type or not issubclass(kind, tuple):
        return kind
    return cast(type[T], NamesNear(kind.__name__, kind.__bases__, dict(vars(kind))))


def _answer_near(kind: type) -> None:
    own, late = getattr(kind, "_fields", ()), vars(kind).get("_filled_late", {})

    def absent(self: Any, name: str) -> Any:
        if name in late:  # a slot that is filled when it is first asked for
            return late[name](self, name)
        if isinstance(getattr(type(self), name, None), property):
            object.__getattribute__(self, name)  # it is there, and says itself what is wrong
        there = [] if name.startswith("_") else dir(self)  # libraries try many such names; dir itself asks for one
        raise no_attribute(type(self), name, (one for one in there if one in own or one not in TUPLE))

    kind.__getattr__ = absent  # type: ignore[attr-defined]


class NamesNear(type):
    """The type of classes whose own missing names, such as that of a maker, are answered with the near one, too."""

    def made(cls: type[T], *given: Any) -> T:
        """Return an object of a class that users make by another call; see `made_by`."""
        one = cls.__new__(cls)
        one._begin(*given)  # type: ignore[attr-defined]
        return one

    if not TYPE_CHECKING:

        def __getattr__(cls, name: str) -> NoReturn:
            raise no_attribute(cls, name, () if name.startswith("_") else dir(cls))


name_in_pickles(NamesNear)
name_tuples(Vec)


def names_fixed(kind: type[T]) -> type[T]:
    """Make objects of a class refuse a name that is set and that they do not have, too, in place of keeping it unused.

    Those of classes that users derive from it keep names of their own.
    """
    held = names_near(kind)
    results: frozenset[str] = getattr(kind, "_results", frozenset())

    def change(self: Any, name: str, value: Any) -> None:
        if name in results:
            raise AttributeError(f"{held.__name__}.{name} cannot be set")
        if type(self) is held and not name.startswith("_"):
            if not hasattr(held, name):
                raise no_attribute(held, name, dir(held))
            if isinstance(found := vars(held).get(name), property) and found.fset is None:
                raise AttributeError(f"{held.__name__}.{name} cannot be set")
        object.__setattr__(self, name, value)

    held.__setattr__ = change  # type: ignore[method-assign]
    return held


def told_by_name(function: F) -> F:
    """Answer a keyword that a function does not take with the near one, and name a required argument that is missing.

    Python itself names neither. A function that is called often catches such keywords itself, with ``**unknown`` and
    `refuse_keywords`: then a right call takes no longer. Signatures and types stay as they are written.
    """
    code, given = function.__code__, function.__defaults__ or ()
    first = 1 if code.co_varnames[:1] in (("self",), ("cls",)) else 0
    function.__defaults__ = (MISSING,) * (code.co_argcount - first - len(given)) + given
    by_keyword = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    function.__kwdefaults__ = dict.fromkeys(by_keyword, MISSING) | (function.__kwdefaults__ or {})
    if code.co_flags & inspect.CO_VARKEYWORDS:
        return function
    known = frozenset(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    most = math.inf if code.co_flags & inspect.CO_VARARGS else code.co_argcount

    @wraps(function)
    def told(*given: Any, **named: Any) -> Any:
        if len(given) > most:
            raise _too_many(_called(function.__name__, given[0] if first else None), code, first, len(given))
        if named and not named.keys() <= known:
            where = _called(function.__name__, given[0] if first else None)
            refuse_keywords(where, function, {name: None for name in named if name not in known})
        return function(*given, **named)

    return cast(F, told)


def _too_many(where: str, code: CodeType, first: int, given: int) -> TypeError:
    """Return the error of more values by place than a function takes."""
    places = code.co_varnames[first : code.co_argcount]
    others = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    by_name = f"; by name it takes {', '.join(others)}" if others else ""
    remedy = words().get(f"{where}()", {}).get("by place", by_name)
    takes = ", ".join(places) or "no arguments"
    return TypeError(f"{where}: takes {takes} by place, and was given {given - first}{remedy}")


def _called(name: str, owner: Any) -> str:
    """Return how a user calls a function, or, of an owner, a method or the class itself."""
    if owner is None:
        return name
    kind = owner if isinstance(owner, type) else type(owner)
    return kind.__name__ if name == "__init__" else f"{kind.__name__}.{name}"


def made_by(call: str) -> Callable[[type[T]], type[T]]:
    """Make a class refuse to be called, with the public call that makes its objects; `NamesNear.made` makes them."""

    def change(kind: type[T]) -> type[T]:
        def refuse(self: Any, *given: Any, **named: Any) -> NoReturn:
            raise TypeError(f"{kind.__name__}: it is made by {call}")

        kind._begin, kind.__init__ = kind.__init__, refuse  # type: ignore[attr-defined,method-assign]
        return kind

    return change


def taken(where: str, function: Callable[..., Any], options: Mapping[str, Any]) -> list[Any]:
    """Return the options of a function, in the order of its signature; those that are not given have their defaults."""
    known = [one for one in inspect.signature(function).parameters.values() if one.kind == one.KEYWORD_ONLY]
    if unknown := options.keys() - {one.name for one in known}:
        refuse_keywords(where, function, {name: None for name in options if name in unknown})
    return [options.get(one.name, one.default) for one in known]


def refuse_keywords(where: str, function: Callable[..., Any], unknown: Mapping[str, Any]) -> NoReturn:
    """Raise the TypeError of keywords that a function does not take."""
    name = next(iter(unknown))
    caught = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD
    parameters = inspect.signature(function).parameters.values()
    known = [one.name for one in parameters if one.kind not in caught and one.name not in ("self", "cls")]
    several = [f"*{one.name}" for one in parameters if one.kind == one.VAR_POSITIONAL]
    near = near_name(name, known, [f"{sub(r' [(].*[)]', '', where)}()"]) or f"; it takes {', '.join(known or several)}"
    raise TypeError(f"{where}: got an unexpected keyword argument {name!r}{near}")


# Here, since its own file is below this one and may not import it. The other methods would lose half of their speed.
_answer_near(Vec)
Vec.rotated = told_by_name(Vec.rotated)  # type: ignore[method-assign]
