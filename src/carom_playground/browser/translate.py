"""Carom's own words, layers, scenes and states as one script: the Python that the window runs, in JavaScript.

In: the hand-written scripts, which ask for Python's names as `carom.name`. Out: one script with these names and all
that they need, directly or through others; of classes only the methods that are used. An export of the scripts, such as
a shape or a verb, stands in place of Python's definition of that name, and kernels are those of the WebAssembly module.
So a word or a layer is changed in one place, in Python. What the scripts do not offer is refused with its place.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import NamedTuple

from carom_playground.browser import offered
from carom_playground.browser.classes import Class
from carom_playground.browser.expressions import Method, Untranslatable, constant
from carom_playground.browser.members import Attributes
from carom_playground.browser.offered import Signature
from carom_playground.browser.sources import Definition, decorators, resolved, source_of
from carom_playground.browser.statements import Writer

GIVEN = ("numbers", "shapes", "verbs", "space")
"""Scripts whose exports stand in place of Python's definitions."""
RUNTIME = """const py = {
  ...modules.python, builtins: modules.builtins, library: modules.library, called: modules.methods.called
};"""
"""The names by which the script calls what stands for Python's own."""
OPEN = (
    *(f"carom_playground.{name}" for name in ("state", "hand", "story", "lesson", "edit", "scene")),
    *(f"carom.draw.pair.{name}" for name in ("layers", "explained", "facts", "spaces")),
    *(f"carom.canvas.{name}" for name in ("drawing", "geometry")),
    *(f"carom.narrow.{name}" for name in ("separation", "manifold", "cast")),
    *("carom.shapes.bounds", "carom.shapes.hull", "carom.explain.explanation", "carom.explain.words"),
)
"""Modules in which the names that scripts ask for are looked up, in this order."""


class Translation:
    """Definitions translated so far, and those still to come."""

    def __init__(self, scripts: Mapping[str, str]) -> None:
        offers = {name: offered.read(text) for name, text in scripts.items()}
        self.builtins = offers["builtins"]
        self.library = offers["library"].tables
        self.given = {name: script for script in GIVEN for name in offers[script].names} | {"Vec": "python"}
        self.functions_given = {n: told for s in GIVEN for n, told in offers[s].functions.items()}
        self.classes_given = {n: offers["python"].classes[n] for n in ("Tuple", "Vec")}
        self.classes_given |= {n: told for s in GIVEN for n, told in offers[s].classes.items()}
        text = re.sub(r"//.*", "", "\n".join(scripts.values()))
        self.attributes = Attributes(
            self.classes_given, offered.methods_by_type(scripts["methods"]), set(re.findall(r"(?<!Array)\.(\w+)", text))
        )
        self.names: dict[tuple[str, str], str] = {}
        self.owners: dict[str, tuple[str, str]] = {}
        self.used: dict[str, None] = {}
        self.functions: list[str] = []
        self.constants: list[str] = []
        self.classes: dict[tuple[str, str], Class] = {}
        self.asked = sorted(set(re.findall(r"(?<!/)\bcarom\.(\w+)", text)))

    def script(self) -> str:
        """Return the script; raise `Untranslatable` if it asks for what the page does not have."""
        exports = [f"{name}: {self.reach(self._open(name))}" for name in self.asked]
        while sum(one.more() for one in list(self.classes.values())):
            pass  # a method may bring others into use
        values = set[str]().union(*(one.values() for one in self.classes.values()))
        methods = {node.name for one in self.classes.values() for node in one.methods()} - values
        self.attributes.check(methods, values)
        taken = [
            f"const {{ {', '.join(n for n in self.used if self.given[n] == s)} }} = modules.{s};"
            for s in ("python", *GIVEN)
        ]
        made = [one.text() for one in self.classes.values()]
        parts = [RUNTIME, *taken, *made, *self.functions, *self.constants]
        return "\n".join(parts) + f"\nreturn {{ {', '.join(exports)} }};\n"

    def _open(self, name: str) -> Definition:
        for module in OPEN:
            found = resolved(module, name)
            if isinstance(found, Definition):
                return found
        raise Untranslatable(f"a script asks for carom.{name}, which none of the open modules defines")

    def lead(self, module: str, name: str) -> str:
        """Return the JavaScript of a global name as a module sees it; raise LookupError where it has none."""
        found = resolved(module, name)
        if isinstance(found, Definition):
            return self.reach(found)
        if found is not None:
            return self._of_library(*found)
        if name not in self.builtins.functions and name not in self.builtins.classes:
            raise LookupError(f"builtins.js has no {name}")
        return f"py.builtins.{name}"

    def _of_library(self, owner: str, name: str) -> str:
        if name not in self.library.get(owner, {}):
            raise LookupError(f"library.js has no {f'{owner}.{name}'.rstrip('.')}")
        return f"py.library.{owner}.{name}"

    def member(self, module: str, owner: str, name: str) -> str | None:
        """Return the JavaScript of a member of a module that is imported as a whole; None of any other owner."""
        found = resolved(module, owner)
        if not isinstance(found, tuple) or isinstance(found, Definition) or found[1]:
            return None
        return self._of_library(found[0], name) if source_of(found[0]) is None else self.lead(found[0], name)

    def reach(self, found: Definition) -> str:
        """Return the name of a definition in the script, and see that it is there."""
        module, name, node = found
        if name in self.given:
            self.used[name] = None
            self.attributes.stand_in(name, module)
            return name
        if (module, name) in self.names:
            return self.names[module, name]
        own = next(new for new in (f"${name}", *(f"${name}_{k}" for k in range(2, 99))) if new not in self.owners)
        self.names[module, name] = own
        self.owners[own] = (module, name)
        writer = self.writer(module)
        match node:
            case ast.FunctionDef() if "kernel" in decorators(node):
                self.functions.append(f"function {own}(...given) {{\n  return py.kernel({constant(name)}, given);\n}}")
            case ast.FunctionDef() if "lru_cache" in decorators(node):
                self.constants.append(f"const {own} = py.kept({writer.function(node, 'function ')});")
            case ast.FunctionDef():
                self.functions.append(writer.function(node, f"function {own}"))
            case ast.ClassDef():
                self.classes[module, name] = Class(self, module, node, own)
            case ast.Assign([ast.Name()], value) | ast.AnnAssign(ast.Name(), _, ast.expr() as value):
                written = f"const {own} = {writer.expr(value)};"
                self.constants.append(written)
            case ast.Assign([ast.Tuple(parts)], value):
                place = [part.id for part in parts if isinstance(part, ast.Name)].index(name)
                written = f"const {own} = py.at(py.each({writer.expr(value)}), {place});"
                self.constants.append(written)
            case _:
                raise writer.refuse(node)
        self.attributes.add(writer.uses)
        return own

    def writer(self, module: str) -> Writer:
        """Return a writer for a definition of a module."""
        source = source_of(module)
        return Writer(module if source is None else source.file, Surroundings(self, module))

    def called(self, text: str, given: list[str], keywords: dict[str, str]) -> str:
        """Return a call of what `text` names, with arguments and those by keyword."""
        new = "new " if self.is_class(text) or text == "cls" else ""
        told = self.signature(text)
        if told is None and keywords:
            raise ValueError("the page does not know where it takes arguments by keyword")
        return f"{new}{text}({', '.join(given if told is None else told.call(given, keywords))})"

    def handed_on(self, text: str) -> str:
        """Return a JavaScript name as a value that others may call: they know of no arguments by keyword."""
        told = self.signature(text)
        return f"((...given) => {text}({{}}, ...given))" if told is not None and told.first else text

    def is_class(self, text: str) -> bool:
        """Tell whether a JavaScript name is that of a class."""
        if text.startswith("py.builtins."):
            return text.rpartition(".")[2] in self.builtins.classes
        return text in self.classes_given or self.owners.get(text) in self.classes

    def signature(self, text: str) -> Signature | None:
        """Return the parameters of what a JavaScript name stands for; None if they are not known."""
        first, _, rest = text.removeprefix("py.").partition(".")
        if first == "builtins" and text.startswith("py."):
            return self.builtins.functions.get(rest)
        if first == "library" and text.startswith("py."):
            module, _, name = rest.rpartition(".")
            return self.library[module][name]
        if text in self.classes_given:
            return self.classes_given[text].methods.get("constructor")
        if text not in self.owners:
            return self.functions_given.get(text)
        owner = self.owners[text]
        if owner in self.classes:
            return self.classes[owner].signature()
        source = source_of(owner[0])
        node = source.definitions[owner[1]] if source else None
        return of_function(node) if isinstance(node, ast.FunctionDef) else None


def of_function(node: ast.FunctionDef) -> Signature:
    """Return the parameters of a function in Python, as it is written in JavaScript."""
    args = node.args
    names = tuple(one.arg for one in (*args.args, *args.kwonlyargs))
    return Signature(names, len(args.args) - len(args.defaults), args.vararg is not None)


class Surroundings(NamedTuple):
    """The surroundings of a definition in a module."""

    whole: Translation
    module: str

    def lead(self, name: str) -> str:
        """Return the JavaScript of a global name."""
        return self.whole.lead(self.module, name)

    def member(self, owner: str, name: str) -> str | None:
        """Return the JavaScript of a member of a module; None if the owner is no module."""
        return self.whole.member(self.module, owner, name)

    def called(self, text: str, given: list[str], keywords: dict[str, str]) -> str:
        """Return a call of what `text` names."""
        return self.whole.called(text, given, keywords)

    def method(self, name: str, given: list[str], keywords: dict[str, str]) -> Method:
        """Return how a method is called on a value of whatever type."""
        return self.whole.attributes.method(name, given, keywords)

    def handed_on(self, text: str) -> str:
        """Return a JavaScript name as a value that others may call."""
        return self.whole.handed_on(text)

    def is_class(self, text: str) -> bool:
        """Tell whether a JavaScript name is that of a class."""
        return self.whole.is_class(text)
