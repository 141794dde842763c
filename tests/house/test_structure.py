"""Sizes and shapes of the source: short files, short chains of classes, and test modules that stand alone."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
FILES = sorted(SOURCE.rglob("*.py"))

MOST_LINES = 300
# Longer files, and why they are not divided.
LONGER = {
    "carom/_core/names.py": "one table of words",
    "carom/broad/index.py": "one class, Index",
    "carom/narrow/compound/cast.py": "one question: all starts share rows, slops and normals",
    "carom/world/body.py": "one class, Body",
    "carom/world/copies/worlds.py": "one class, Worlds",
    "carom/world/world.py": "one class, World",
}
MOST_ANCESTORS = 3

WITHOUT_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def lines_of_code(file: Path) -> int:
    """Return the number of lines that hold code: no docstrings, comments or blanks."""
    text = file.read_text(encoding="utf-8")
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in WITHOUT_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and first.end_lineno is not None:
                lines -= set(range(first.lineno, first.end_lineno + 1))
    return len(lines)


def module_of(file: Path) -> str:
    return ".".join(file.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


def names_of(file: Path, tree: ast.Module) -> dict[str, str]:
    """Return the full name of each name that a file imports or defines as a class at its top level."""
    module = module_of(file)
    package = module if file.name == "__init__.py" else module.rpartition(".")[0]
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            names |= {alias.asname or alias.name: f"{source}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.asname or alias.name: alias.name for alias in node.names}
    return names | {node.name: f"{module}.{node.name}" for node in tree.body if isinstance(node, ast.ClassDef)}


def full_name(base: ast.expr, names: dict[str, str]) -> str:
    """Return the full name of a base class as far as the imports tell it; subscripts do not count."""
    written = ast.unparse(base.value if isinstance(base, ast.Subscript) else base)
    first, _, rest = written.partition(".")
    return ".".join(filter(None, [names.get(first, first), rest]))


def bases() -> dict[str, set[str]]:
    """Return the full names of the bases of each class of the package."""
    found = {}
    for file in FILES:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        names = names_of(file, tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                found[f"{module_of(file)}.{node.name}"] = {full_name(base, names) for base in node.bases}
    return found


def ancestors(name: str, known: dict[str, set[str]]) -> set[str]:
    """Return all classes of the package above one, at any distance."""
    above = {base for base in known[name] if base in known}
    return above.union(*(ancestors(base, known) for base in above))


@pytest.mark.parametrize("file", FILES, ids=module_of)
def test_a_file_has_at_most_300_lines_of_code(file: Path) -> None:
    if file.relative_to(SOURCE).as_posix() not in LONGER:
        assert lines_of_code(file) <= MOST_LINES


def test_longer_files_exist_and_have_a_reason() -> None:
    assert all((SOURCE / file).exists() and reason for file, reason in LONGER.items())


def test_no_class_has_more_than_three_ancestors_of_the_package() -> None:
    known = bases()
    assert "carom.shapes.base.Shape" in ancestors("carom.shapes.box.Box", known)
    above = {name: ancestors(name, known) for name in known}
    assert {name: found for name, found in above.items() if len(found) > MOST_ANCESTORS} == {}


def imports_of_tests() -> Iterator[tuple[str, str]]:
    """Yield each test module with each module of tests that it imports."""
    for file in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tests"):
                for alias in node.names:
                    yield file.relative_to(ROOT).as_posix(), f"{node.module}.{alias.name}"


def test_no_test_module_is_imported() -> None:
    """Scenes, oracles and judges that several modules need stand in tests/support."""
    wrong = [(file, name) for file, name in imports_of_tests() if any(p.startswith("test_") for p in name.split("."))]
    assert wrong == []
