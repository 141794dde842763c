"""Carom's modules as they are written, for the translation: their definitions, and where a name in them leads.

In: the name of a module, and a name in it. Out: the statement that defines it, in whichever module that is.
"""

from __future__ import annotations

import ast
import importlib.util
from functools import cache
from pathlib import Path
from typing import NamedTuple

PACKAGES = ("carom", "carom_playground")


class Definition(NamedTuple):
    """A name's own module, and the statement there that defines it."""

    module: str
    name: str
    node: ast.stmt


class Source(NamedTuple):
    """A module as it is written: its file, its definitions, and what it imports under which names."""

    file: str
    """The path below the folder of the packages."""
    definitions: dict[str, ast.stmt]
    imports: dict[str, tuple[str, str]]


@cache
def source_of(module: str) -> Source | None:
    """Return one of Carom's modules; None of any other."""
    package, _, inner = module.partition(".")
    if package not in PACKAGES:
        return None
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        return None
    file = Path(spec.origin)
    tree = ast.parse(file.read_text(encoding="utf-8"))
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
    return Source("/".join([package, *inner.split(".")[:-1], file.name]), definitions, imports)


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


def decorators(node: ast.FunctionDef | ast.ClassDef) -> set[str]:
    """Return the names of decorators."""
    return {one.id for mark in node.decorator_list for one in ast.walk(mark) if isinstance(one, ast.Name)}


def attributes_of(module: str, name: str) -> dict[str, bool]:
    """Return all attributes that a class of Carom or its bases in Carom have, and whether each is a method."""
    resolution = resolved(module, name)
    if not isinstance(resolution, Definition) or not isinstance(resolution.node, ast.ClassDef):
        return {}
    found: dict[str, bool] = {}
    for base in resolution.node.bases:
        if isinstance(base, ast.Name):
            found |= attributes_of(resolution.module, base.id)
    found |= dict.fromkeys(fields_set(resolution.node), False)
    for one in resolution.node.body:
        if isinstance(one, ast.FunctionDef):
            found[one.name] = not decorators(one) & {"property", "cached_property"}
        elif isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            found[one.target.id] = False
    return found


def fields_set(node: ast.ClassDef) -> set[str]:
    """Return the names of the attributes that a class's methods set on `self`."""
    return {
        one.attr
        for one in ast.walk(node)
        if isinstance(one, ast.Attribute)
        and isinstance(one.ctx, ast.Store)
        and isinstance(one.value, ast.Name)
        and one.value.id == "self"
    }
