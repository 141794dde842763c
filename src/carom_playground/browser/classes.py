"""One of Carom's classes in JavaScript: a named tuple or a frozen dataclass, or a class whose values have a state.

In: the tree of the class, and the translation that it belongs to. Out: a class of JavaScript with the methods that are
used.
"""

from __future__ import annotations

import ast
from typing import Protocol

from carom_playground.browser.expressions import RENAMED, constant, safe
from carom_playground.browser.members import Attributes
from carom_playground.browser.offered import Signature
from carom_playground.browser.sources import Definition, decorators, fields_set, resolved
from carom_playground.browser.statements import Writer

LEFT_OUT = {"__post_init__", "__str__", "__repr__"}
"""Special methods that stay behind: checks of what is given, and texts, for which the page throws an error."""


class Whole(Protocol):
    """The translation that a class belongs to."""

    attributes: Attributes
    classes: dict[tuple[str, str], Class]

    def reach(self, found: Definition) -> str:
        """Return the name of a definition in the script."""

    def lead(self, module: str, name: str) -> str:
        """Return the JavaScript of a global name as a module sees it."""

    def writer(self, module: str) -> Writer:
        """Return a writer for a definition of a module."""


class Class:
    """A class: a named tuple or a frozen dataclass, whose values are arrays with names, or one with a state."""

    def __init__(self, whole: Whole, module: str, node: ast.ClassDef, own: str) -> None:
        self.whole, self.module, self.node, self.own = whole, module, node, own
        self.written: dict[str, str] = {}
        self.base: Class | None = None
        self.parent = "py.Tuple" if self._is_tuple() else ""
        for base in node.bases:
            found = resolved(module, base.id) if isinstance(base, ast.Name) else (module, "")
            if isinstance(found, Definition):
                self.parent = whole.reach(found)
                self.base = whole.classes.get(found[:2])
            elif found is None:
                self.parent = whole.lead(module, ast.unparse(base))
            elif found != ("typing", "NamedTuple"):
                raise whole.writer(module).refuse(base, "the page has no such base")
        for method in self.methods():
            if method.name.startswith("__") and method.name not in LEFT_OUT | {"__init__"}:
                raise whole.writer(module).refuse(method, "operators of classes are not there")
        self.head = self._head()

    def _is_tuple(self) -> bool:
        names = {base.id for base in self.node.bases if isinstance(base, ast.Name)}
        return "NamedTuple" in names or "dataclass" in decorators(self.node)

    def _own_fields(self) -> dict[str, ast.expr | None]:
        before = self.base.fields() if self.base else []
        if not self._is_tuple():
            return {}
        return {
            one.target.id: one.value
            for one in self.node.body
            if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name) and one.target.id not in before
        }

    def fields(self) -> list[str]:
        """Return the names of all fields, in order."""
        return [*(self.base.fields() if self.base else []), *self._own_fields()]

    def signature(self) -> Signature | None:
        """Return the parameters of the constructor; None if they are not known."""
        if fields := self.fields():
            return Signature(tuple(fields))
        first = next((one for one in self.methods() if one.name == "__init__"), None)
        return None if first is None else Signature(tuple(one.arg for one in first.args.args[1:]))

    def values(self) -> set[str]:
        """Return the names that are read: fields, properties, and what methods set."""
        getters = {node.name for node in self.methods() if "property" in decorators(node)}
        return {*getters, *self.fields(), *fields_set(self.node)}

    def methods(self) -> list[ast.FunctionDef]:
        """Return the methods and properties of its own, in order."""
        return [node for node in self.node.body if isinstance(node, ast.FunctionDef)]

    def more(self) -> bool:
        """Translate the methods that have come into use; tell whether there were any."""
        found = False
        for node in self.methods():
            if node.name in self.written:
                continue
            if node.name == "__init__" or (node.name in self.whole.attributes and not node.name.startswith("__")):
                self.written[node.name] = self._method(node)
                found = True
        return found

    def _method(self, node: ast.FunctionDef) -> str:
        writer = self.whole.writer(self.module)
        marks = decorators(node)
        head = RENAMED.get(node.name, node.name)
        if node.name == "__init__":
            head = "constructor"
        elif "property" in marks:
            head = f"get {head}"
        elif "classmethod" in marks:
            head = f"static {head}"
        written = writer.function(node, head, skipped=1)
        self.whole.attributes.add(writer.uses)
        return written

    def _head(self) -> list[str]:
        """Return the fields, the constructor that takes them, and their names."""
        writer, own = self.whole.writer(self.module), self._own_fields()
        before = self.base.fields() if self.base else []
        if not own:
            return []
        defaults = [safe(n) + (f" = {writer.expr(value)}" if value else "") for n, value in own.items()]
        body = f"super({', '.join(map(safe, before))}); this.push({', '.join(map(safe, own))});"
        return [
            f"static fields = [{', '.join(map(constant, [*before, *own]))}];",
            f"constructor({', '.join([*map(safe, before), *defaults])}) {{ {body} }}",
            *(f"get {RENAMED.get(n, n)}() {{ return this[{k}]; }}" for k, n in enumerate(own, len(before))),
        ]

    def text(self) -> str:
        """Return the class."""
        inside = "\n".join([*self.head, *self.written.values()]).replace("\n", "\n  ")
        return f"class {self.own}{f' extends {self.parent}' if self.parent else ''} {{\n  {inside}\n}}"
