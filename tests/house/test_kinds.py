"""Kinds of shapes are told apart in one place, so that a new kind is added there and nowhere is it forgotten."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"

KINDS = {"DISC", "STADIUM", "AABB", "OBB", "POLYGON"}
CLASSES = {"Point", "Segment", "Circle", "Capsule", "Box", "Polygon"}

# The folder and the file that know kinds, and who else may, with the reason. A line that no longer holds fails, too.
HOME = "shapes/"
TABLE = "narrow/kinds.py"
ALLOWED = {
    "convert.py": "each shape becomes one of another library, which has classes of its own",
    "explain/axes.py": "only a Polygon has numbers of vertices that its user gave",
    "maps/building.py": "writes the records of many boxes at once; it tests no kind",
    "narrow/compound/packing.py": "writes the records of many segments at once; it tests no kind",
    "narrow/rows/vertex_ids.py": "only a Polygon has numbers of vertices that its user gave",
    "carom_playground/edit.py": "each shape has handles of its own",
    "broad/region_pairs.py": "asks regions by their edges, and other kinds by their corners",
    "tables/geometry_columns.py": "tells kinds of Shapely apart",
    "tables/polygon_rings.py": "reads polygons of tables, and tests no kind of shape",
    "tables/reading.py": "tells kinds of columns apart",
    "tables/layout.py": "tells kinds of columns apart, and kinds of Shapely",
    "tables/plans.py": "tells kinds of columns apart",
    "world/copies/given_shapes.py": "makes shapes of the kinds that bodies have from other points",
    "world/changes/body_shapes.py": "only a Box has an angle of its own, which that of its body begins with",
    "world/store.py": "only a Box has an angle of its own, which that of its body begins with",
    "draw/pair/layers.py": "points and segments are drawn as strokes",
}


def names_of_kinds(tree: ast.AST) -> Iterator[str]:
    """Yield what a file uses of the kinds: their names, and tests for the class of a shape."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in KINDS:
            yield node.id
        elif isinstance(node, ast.Attribute) and node.attr in KINDS:
            yield node.attr
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
            yield from (part.id for part in ast.walk(node.args[1]) if isinstance(part, ast.Name) and part.id in CLASSES)


FILES = {file.relative_to(SOURCE).as_posix().removeprefix("carom/"): file for file in sorted(SOURCE.rglob("*.py"))}


@pytest.mark.parametrize("name", FILES)
def test_kinds_are_told_apart_in_one_place(name: str) -> None:
    used = sorted(set(names_of_kinds(ast.parse(FILES[name].read_text(encoding="utf-8")))))
    if name.startswith(HOME) or name == TABLE:
        return
    if name in ALLOWED:
        assert used, f"{name} knows no kinds any more: take it off the list"
    else:
        assert not used, f"{name} knows {', '.join(used)}: ask {TABLE}, or give the reason here"


def test_every_exception_is_a_file() -> None:
    assert set(ALLOWED) <= set(FILES)
