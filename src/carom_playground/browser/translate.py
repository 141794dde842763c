"""Carom's own words, layers, scenes and states as one script: the Python that the window runs, in JavaScript.

In: the hand-written scripts, which ask for Python's names as `carom.name`. Out: one script with these names and all
that they need, directly or through others; of classes only the methods that are used. An export of the scripts, such as
a shape or a verb, stands in place of Python's definition of that name, and kernels are those of the WebAssembly module.
So a word or a layer is changed in one place, in Python.
"""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from carom_playground.browser.expressions import RENAMED, Untranslatable, constant, safe
from carom_playground.browser.statements import Writer

GIVEN = ("python", "numbers", "shapes", "verbs", "space")
"""Scripts whose exports stand in place of Python's definitions."""
OPEN = (
    *(f"carom_playground.{name}" for name in ("state", "hand", "story", "lesson", "edit", "scene")),
    *(f"carom.draw.pair.{name}" for name in ("layers", "explained", "facts", "spaces")),
    *(f"carom.canvas.{name}" for name in ("drawing", "geometry")),
    *(f"carom.narrow.{name}" for name in ("separation", "manifold", "cast")),
    *("carom.shapes.bounds", "carom.shapes.hull", "carom.explain.explanation", "carom.explain.words"),
)
"""Modules in which the names that scripts ask for are looked up, in this order."""


OWNERS = ("math", "numpy")  # whose members stand in an object of `python.js`
EXPORT = r"^export class (\w+)", r"^export (?:function|const|class) (\w+)"  # of `python.js` only the classes


class Definition(NamedTuple):
    """A name's own module, and the statement there that defines it."""

    module: str
    name: str
    node: ast.stmt


class Source(NamedTuple):
    """A module as it is written: its definitions, and what it imports under which names."""

    definitions: dict[str, ast.stmt]
    imports: dict[str, tuple[str, str]]


@cache
def source_of(module: str) -> Source | None:
    """Return one of Carom's modules; None of any other."""
    if module.partition(".")[0] not in ("carom", "carom_playground"):
        return None
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        return None
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    definitions: dict[str, ast.stmt] = {}
    imports: dict[str, tuple[str, str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            imports |= {one.asname or one.name: (node.module, one.name) for one in node.names}
        elif isinstance(node, ast.Import):
            imports |= {one.asname or one.name: (one.name, "") for one in node.names}
    for node in tree.body:
        for name in _defined(node):
            definitions[name] = node
    return Source(definitions, imports)


def _defined(node: ast.stmt) -> list[str]:
    match node:
        case ast.FunctionDef(name) | ast.ClassDef(name):
            return [name]
        case ast.Assign(targets):
            return [one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)]
        case ast.AnnAssign(ast.Name(name)):
            return [name]
    return []


def resolved(module: str, name: str) -> Definition | tuple[str, str] | None:
    """Return where a name leads: to a definition, to a name of another package's module, or nowhere."""
    source = source_of(module)
    if source is None:
        return module, name
    if name in source.definitions:
        return Definition(module, name, source.definitions[name])
    if name in source.imports:
        origin, original = source.imports[name]
        home = source_of(origin)
        if not original:
            return origin, ""
        if home is not None and original not in home.definitions and original not in home.imports:
            return f"{origin}.{original}", ""  # a module of a package
        return resolved(origin, original)
    return None


class Translation:
    """Definitions translated so far, and those still to come."""

    def __init__(self, scripts: Mapping[str, str]) -> None:
        self.given = {
            name: script
            for script in GIVEN
            for name in re.findall(EXPORT[script != "python"], scripts[script], re.MULTILINE)
        }
        self.classes_given = {
            name for script in GIVEN for name in re.findall(r"^export class (\w+)", scripts[script], re.MULTILINE)
        }
        self.built_in = set(re.findall(EXPORT[1], scripts["python"], re.MULTILINE))
        text = re.sub(r"//.*", "", "\n".join(scripts.values()))
        self.attributes = set(re.findall(r"(?<!Array)\.(\w+)", text))
        self.names: dict[tuple[str, str], str] = {}
        self.taken: set[str] = set()
        self.used: dict[str, None] = {}
        self.functions: list[str] = []
        self.constants: list[str] = []
        self.classes: dict[tuple[str, str], Class] = {}
        self.asked = sorted(set(re.findall(r"(?<!/)\bcarom\.(\w+)", text)))

    def script(self) -> str:
        """Return the script."""
        exports = [f"{name}: {self.reach(self._open(name))}" for name in self.asked]
        while sum(one.more() for one in list(self.classes.values())):
            pass  # a method may bring others into use
        taken = [f"const {{ {', '.join(n for n in self.used if self.given[n] == s)} }} = modules.{s};" for s in GIVEN]
        made = [one.text() for one in self.classes.values()]
        parts = ["const py = modules.python;", *taken, *made, *self.functions, *self.constants]
        if unknown := set(re.findall(r"\bpy\.(\w+)", "\n".join(parts))) - self.built_in:
            raise Untranslatable(f"python.js has no {', '.join(sorted(unknown))}")
        return "\n".join(parts) + f"\nreturn {{ {', '.join(exports)} }};\n"

    def _open(self, name: str) -> Definition:
        for module in OPEN:
            found = resolved(module, name)
            if isinstance(found, Definition):
                return found
        raise Untranslatable(f"a script asks for carom.{name}, which none of the open modules defines")

    def lead(self, module: str, name: str) -> str:
        """Return the JavaScript of a global name as a module sees it."""
        found = resolved(module, name)
        if isinstance(found, Definition):
            return self.reach(found)
        if found is None:
            return f"py.{safe(name)}"
        owner = f"{found[0]}." if found[0] in OWNERS or not found[1] else ""
        return f"py.{owner}{safe(found[1])}".rstrip(".")

    def member(self, module: str, owner: str, name: str) -> str | None:
        """Return the JavaScript of a member of a module that is imported as a whole; None of any other owner."""
        found = resolved(module, owner)
        if not isinstance(found, tuple) or isinstance(found, Definition) or found[1]:
            return None
        return f"py.{found[0]}.{name}" if source_of(found[0]) is None else self.lead(found[0], name)

    def reach(self, found: Definition) -> str:
        """Return the name of a definition in the script, and see that it is there."""
        module, name, node = found
        if name in self.given:
            self.used[name] = None
            return name
        if (module, name) in self.names:
            return self.names[module, name]
        own = next(new for new in (f"${name}", *(f"${name}_{k}" for k in range(2, 99))) if new not in self.taken)
        self.names[module, name] = own
        self.taken.add(own)
        writer = self.writer(module, name)
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
                written = f"const {own} = py.at(py.list({writer.expr(value)}), {place});"
                self.constants.append(written)
            case _:
                raise Untranslatable(f"{module}.{name} has no JavaScript")
        self.attributes |= writer.attributes
        return own

    def writer(self, module: str, name: str) -> Writer:
        """Return a writer for a definition of a module."""
        return Writer(f"{module}.{name}", Surroundings(self, module))

    def called(self, text: str, given: list[str], keywords: dict[str, str]) -> str:
        """Return a call of what `text` names, with arguments and those by keyword."""
        owner = next((key for key, own in self.names.items() if own == text), None)
        is_class = owner in self.classes or text in self.classes_given or text == "cls"
        new = "new " if is_class or re.fullmatch(r"py\.\w+Error", text) else ""
        if owner is not None and keywords:
            order = self._parameters(owner)[len(given) :]
            last = max(order.index(name) for name in keywords) + 1
            given, keywords = [*given, *(keywords.get(name, "undefined") for name in order[:last])], {}
        if not keywords:
            return f"{new}{text}({', '.join(given)})"
        options = f"{{ {', '.join(f'{name}: {value}' for name, value in keywords.items())} }}"
        if text in ("py.max", "py.min", "py.sorted"):
            return f"{text}By({options}, {', '.join(given)})"
        return f"{new}{text}({', '.join([*given, options])})"

    def _parameters(self, owner: tuple[str, str]) -> list[str]:
        """Return the names of the parameters of a function, or of the fields of a class."""
        if owner in self.classes:
            return self.classes[owner].fields()
        node = source_of(owner[0]).definitions[owner[1]]  # type: ignore[union-attr]  # it was reached there
        assert isinstance(node, ast.FunctionDef)
        return [one.arg for one in (*node.args.args, *node.args.kwonlyargs)]


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


class Class:
    """A class: a named tuple or a frozen dataclass, whose values are arrays with names, or one with a state."""

    def __init__(self, whole: Translation, module: str, node: ast.ClassDef, own: str) -> None:
        self.whole, self.module, self.node, self.own = whole, module, node, own
        self.written: dict[str, str] = {}
        self.base: Class | None = None
        self.parent = "py.Tuple" if self._is_tuple() else ""
        for base in node.bases:
            found = resolved(module, base.id) if isinstance(base, ast.Name) else None
            if isinstance(found, Definition):
                self.parent = whole.reach(found)
                self.base = whole.classes.get(found[:2])
            elif found is None and isinstance(base, ast.Name):
                self.parent = f"py.{base.id}"
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

    def more(self) -> bool:
        """Translate the methods that have come into use; tell whether there were any."""
        found = False
        for node in self.node.body:
            if not isinstance(node, ast.FunctionDef) or node.name in self.written:
                continue
            if node.name == "__init__" or (node.name in self.whole.attributes and not node.name.startswith("__")):
                self.written[node.name] = self._method(node)
                found = True
        return found

    def _method(self, node: ast.FunctionDef) -> str:
        writer = self.whole.writer(self.module, f"{self.node.name}.{node.name}")
        marks = decorators(node)
        head = RENAMED.get(node.name, node.name)
        if node.name == "__init__":
            head = "constructor"
        elif "property" in marks:
            head = f"get {head}"
        elif "classmethod" in marks:
            head = f"static {head}"
        written = writer.function(node, head, skipped=1)
        self.whole.attributes |= writer.attributes
        return written

    def _head(self) -> list[str]:
        """Return the fields, the constructor that takes them, and their names."""
        writer, own = self.whole.writer(self.module, self.node.name), self._own_fields()
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


def decorators(node: ast.FunctionDef | ast.ClassDef) -> set[str]:
    """Return the names of decorators."""
    return {one.id for mark in node.decorator_list for one in ast.walk(mark) if isinstance(one, ast.Name)}
