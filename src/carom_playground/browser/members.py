"""Attributes by name: which the script uses, and whether every value that may have one in Python has it on the page.

In: the attributes that are used, and what has attributes: Python's own types, classes that the scripts write, and
classes that are translated. Out: how a method is called, and `Untranslatable` for what some value would lack. The type
of a value is not known here, so a name counts for each type that has it: if Python's dict and list both have a method
of a name, the page must have it for both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from carom_playground.browser.expressions import RENAMED, Method, Untranslatable, Use
from carom_playground.browser.offered import Members, Signature
from carom_playground.browser.sources import attributes_of

TYPES: dict[type, str] = {
    str: "str",
    list: "list",
    tuple: "list",
    dict: "dict",
    set: "set",
    frozenset: "set",
    int: "number",
    float: "number",
}
"""Python's own types, and the tables of methods.js."""


class Attributes:
    """The attributes that are used, by name.

    Parameters
    ----------
    given : classes that the scripts write.
    methods : those of Python's own types, by the tables of methods.js.
    asked : names that the scripts use.
    """

    def __init__(
        self, given: Mapping[str, Members], methods: Mapping[str, Mapping[str, Signature]], asked: Iterable[str]
    ) -> None:
        self._given, self._methods = given, methods
        self._names = set(asked)
        self._uses: list[Use] = []
        self._homes: dict[str, str] = {}

    def __contains__(self, name: str) -> bool:
        """Tell whether a name is used."""
        return name in self._names

    def add(self, uses: Iterable[Use]) -> None:
        """Note uses."""
        self._uses += uses
        self._names |= {use.name for use in uses}

    def stand_in(self, name: str, module: str) -> None:
        """Note that a class of the scripts stands in for one of a module."""
        if name in self._given:
            self._homes[name] = module

    def method(self, name: str, given: list[str], keywords: dict[str, str]) -> Method:
        """Return how a method is called on a value of whatever type."""
        kinds = [kind for kind in TYPES if hasattr(kind, name)]
        lacking = [kind.__name__ for kind in kinds if name not in self._methods.get(TYPES[kind], {})]
        if lacking:
            raise LookupError(f"methods.js has no {name} for {' and '.join(lacking)}")
        tables = [table for table, methods in self._methods.items() if name in methods]
        told = {self._methods[table][name] for table in tables}
        told |= {
            signature._replace(names=("", *signature.names), least=signature.least + 1)
            for signature in self._of_given(name)
        }
        if not told and keywords:
            raise ValueError("the page does not know where it takes arguments by keyword")
        arguments = {tuple(self._fitting(one, given, keywords)) for one in told} or {tuple(given)}
        if len(arguments) > 1:
            raise ValueError(f"several classes have a {name}, with unlike parameters")
        return Method(bool(tables), list(arguments.pop()))

    @staticmethod
    def _fitting(signature: Signature, given: list[str], keywords: dict[str, str]) -> list[str]:
        return signature.call(["", *given], keywords)[1:]

    def _of_given(self, name: str) -> list[Signature]:
        return [members.methods[name] for members in self._given.values() if name in members.methods]

    def check(self, methods: set[str], values: set[str]) -> None:
        """Raise `Untranslatable` for the first attribute that some value would lack, or that cannot be handed on.

        Parameters
        ----------
        methods, values : names that translated classes have.
        """
        methods = methods.union(*(members.methods for members in self._given.values()))
        values = values.union(*(members.values for members in self._given.values()))
        homes = {name: attributes_of(module, name) for name, module in self._homes.items()}
        unmade = set[str]().union(*(had for name, had in homes.items() if self._is_empty(name)))
        typed = {name for table in self._methods.values() for name in table}
        for use in self._uses:
            on_page = RENAMED.get(use.name, use.name)
            homes_of = [
                name for name, had in homes.items() if had.get(use.name) or (use.name in had and not use.called)
            ]
            lacking = [name for name in homes_of if not self._has(name, on_page)]
            if lacking:
                raise Untranslatable(f"{use.place}: the page's {' and '.join(lacking)} has no {use.name}")
            if use.called and (use.name in typed or any(hasattr(kind, use.name) for kind in TYPES)):
                continue  # the tables have it
            is_there = on_page in values or (use.called and on_page in methods)
            if not is_there and use.name not in unmade:
                what = "is a method, to be called" if on_page in methods else "is no attribute on the page"
                raise Untranslatable(f"{use.place}: {use.name} {what}")
            if not use.called and on_page in methods and on_page in values:
                raise Untranslatable(f"{use.place}: {use.name} is a method of one class and a value of another")

    def _is_empty(self, name: str) -> bool:
        """Tell whether a class of the scripts has no members: the page makes none, and its code is never run."""
        members = self._given[name]
        return not (members.methods or members.values or members.parent)

    def _has(self, name: str, attribute: str) -> bool:
        """Tell whether a class of the scripts has an attribute, or needs none."""
        members = self._given[name]
        own = attribute in members.methods or attribute in members.values or self._is_empty(name)
        return own or (members.parent in self._given and self._has(members.parent, attribute))
