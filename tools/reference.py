"""Write the reference pages from the docstrings: docs/reference/*.md, one page for each subject.

Every public name of `carom` stands on exactly one page. Only the sources are read; nothing is imported or run.

    python tools/reference.py            write the pages
    python tools/reference.py --check    only tell, by the exit status, whether they are up to date
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import griffe

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "reference"

VALUES = {"ONE": "1", "STILL": "0.0", "_NONE": "0.0", "DEFAULT": '"default"'}  # constants that stand as defaults
CAUGHT = (griffe.ParameterKind.var_positional, griffe.ParameterKind.var_keyword)  # only to refuse them in plain words

# Page: title, what stands there, names. A name with a dot is the place of an answer that is not imported by hand.
PAGES = {
    "shapes": (
        "Shapes",
        "One shape each; immutable. [Shapes](../shapes.md) teaches them.",
        "Shape ConvexShape Point Segment Circle Capsule Box Polygon Vec Mass Bounds bounds bounding_circle "
        "smallest_box",
    ),
    "outlines": (
        "Concave shapes and outlines",
        "Outlines, their convex parts, and shapes joined to one. [Outlines](../outlines.md) and [Bodies of several "
        "parts](../compounds.md) teach them.",
        "Compound decompose hull clean Cleaned",
    ),
    "questions": (
        "Questions about two shapes",
        "Each verb takes a shape, a list of shapes, a set or a Level on either side. [Questions](../questions.md) "
        "and [Signs and normals](../signs-and-normals.md) teach them.",
        "intersects separation distance closest Closest collide Contact contains raycast RayHit crossings Crossing "
        "cast Hit approaches Approaches",
    ),
    "sets": (
        "Many shapes",
        "Sets of shapes, and the columns that the verbs answer for them. [Many at once](../many.md) teaches them.",
        "Shapes Features BadFeature ClosestColumns ContactColumns HitColumns RayHitColumns CrossingLists",
    ),
    "pairs": (
        "Pairs and search",
        "All pairs of one set or two, and an index that answers again and again. [All pairs](../pairs.md) and "
        "[Search many shapes](../search.md) teach them.",
        "pairs contacts PairContacts bounds_pairs pairs_plan Plan Index RowHit RowRayHit RowLists Neighbors "
        "RayHitLists CastColumns free_memory",
    ),
    "tables": (
        "Tables",
        "Joins of tables of shapes that are larger than memory. [Tables of shapes](../tables.md) teaches them.",
        "tables.joins.join tables.answer_folder.Joined tables.joins.plan tables.plans.JoinPlan tables.joins.frames "
        "tables.tiles.assign_tiles tables.tile_join.join_tile tables.plans.BadRow tables.encounters.encounters "
        "tables.nearest.nearest",
    ),
    "motion": (
        "Motion without a world",
        "One mover or many among obstacles. [Move one thing](../moving.md) and [A character](../character.md) "
        "teach it.",
        "move Move MoveHit MoveColumns MoveHitLists Character CharacterMove CharacterHit",
    ),
    "worlds": (
        "Worlds",
        "Bodies that move, meet and are recorded. [Worlds](../world.md) teaches them.",
        "World Body Joint WorldHits WorldHit HitKind BodyRayHit BodyHit BodyList BodyNeighbors WorldContacts "
        "WorldOverlaps WorldSnapshot Recording Replay",
    ),
    "copies": (
        "Many copies",
        "Copies of a world that are stepped in one call. [Many copies](../copies.md) teaches them.",
        "Worlds CopiesBody WorldsSnapshot CopiesHits CopiesContacts CopiesOverlaps",
    ),
    "levels": (
        "Levels and other libraries",
        "Levels from files, and shapes of Shapely, GeoJSON, pygame and pymunk. [Levels from files](../maps.md) and "
        "[Coming from](../coming-from.md) teach them.",
        "read_map read_grid Level Outline OneWay Trigger LevelBodies convert",
    ),
    "kernels": (
        "Pairs in compiled code of your own",
        "The module `carom.kernels`: one pair at a time, called from functions that Numba compiles. [Compiled code of "
        "your own](../kernels.md) teaches it.",
        "kernels.records kernels.intersects kernels.separation kernels.closest kernels.Nearest kernels.collide "
        "kernels.Contact kernels.cast kernels.raycast kernels.Hit "
        "inner kernel uncounted_kernel will_compile source_key distance_disc_box sweep_disc_box",
    ),
    "pictures": (
        "Explanations and pictures",
        "Why two shapes meet or do not, and worlds drawn. [Why they touch or not](../explain.md), "
        "[Playground](../playground.md) and [Drawing](../drawing.md) teach it.",
        "explain.explain.explain Explanation CompoundExplanation Axis Difference Interval picture Picture "
        "draw.window.paint draw.loop.frames draw.camera.Camera draw.films.film draw.films.Film playground",
    ),
    "items": (
        "Pictures of your own items",
        "The items that Carom's own pictures are made of, for programs that draw more than worlds. "
        "[Drawing](../drawing.md) teaches it.",
        "canvas.drawing.Drawing canvas.drawing.Outline canvas.drawing.Line canvas.drawing.Arrow canvas.drawing.Dot "
        "canvas.drawing.Text canvas.drawing.Style canvas.geometry.View canvas.geometry.fit canvas.surface.paint_items "
        "canvas.surface.smooth canvas.surface.written canvas.surface.wrapped canvas.display.has_display "
        "canvas.display.open_display canvas.display.quiet_stderr draw.pair draw.pair.scene.Scene "
        "draw.pair.facts.facts_of draw.pair.facts.Facts draw.pair.facts.partition "
        "draw.pair.facts.tallies draw.pair.layers.items_of draw.pair.layers.layer "
        "draw.pair.layers.window_of draw.pair.layers.minkowski draw.pair.explained.strips "
        "draw.pair.explained.ruler draw.pair.explained.meeting draw.pair.pictures.pictures",
    ),
}


def pages() -> Iterator[tuple[Path, str]]:
    """Yield the path of each page and its text; the first is the table of all of them."""
    logging.getLogger("griffe").setLevel(logging.ERROR)  # fields of tuples count as parameters here
    package = griffe.load("carom", search_paths=[ROOT / "src"], docstring_parser="numpy", resolve_aliases=True)
    table = "".join(
        f"| [{title}]({page}.md) | {', '.join(f'`{last(name)}`' for name in names.split())} |\n"
        for page, (title, _, names) in PAGES.items()
    )
    yield (
        FOLDER / "index.md",
        "# Reference\n\nEvery public name, with its parameters, answers and errors. These pages are written from the "
        f"docstrings by\n`make reference`.\n\n| page | names |\n|---|---|\n{table}",
    )
    for page, (title, opening, names) in PAGES.items():
        parts = [f"# {title}", f"{opening} [All names](index.md)."]
        for name in names.split():
            parts += thing(package[name], last(name))
        yield FOLDER / f"{page}.md", "\n\n".join(part for part in parts if part) + "\n"


def last(name: str) -> str:
    return name.rpartition(".")[2]


def thing(found: Any, name: str) -> Iterator[str]:
    """Yield the paragraphs of a function, a class with its members, or a module with its functions."""
    target = found.final_target if found.is_alias else found
    if target.is_module:
        yield f"## carom.{name}"
        yield from docstring(target)
        for function in target.functions.values():
            if is_public(function):
                yield from callable_thing(function, f"{name}.{function.name}", "###")
    elif target.is_class:
        yield from class_thing(target, name)
    else:
        yield from callable_thing(target, name, "##")


def is_public(member: Any) -> bool:
    return not member.name.startswith("_") and (member.inherited or not member.is_alias)


def class_thing(target: Any, name: str) -> Iterator[str]:
    init = target.all_members.get("__init__")
    yield f"## {name}"
    if init is not None and init.docstring is None and is_named_in(target, "Parameters"):
        yield code(f"{name}{signature(init)}")
    yield from docstring(target)
    members = [one for one in target.all_members.values() if is_public(one)]
    values = [one for one in members if one.is_attribute and one.docstring]
    if values:
        yield "**Attributes**"
        yield "\n".join(f"- `{one.name}`{typed(one.annotation)}: {flat(one.docstring.value)}" for one in values)
    for one in members:
        if one.is_function and one.docstring:
            yield from callable_thing(one, f"{name}.{one.name}", "###")


def is_named_in(target: Any, section: str) -> bool:
    return target.docstring is not None and section in target.docstring.value


def callable_thing(target: Any, name: str, level: str) -> Iterator[str]:
    yield f"{level} {name}"
    yield code(f"{name}{signature(target)}")
    yield from docstring(target)


def signature(function: Any) -> str:
    """Return the parameters in parentheses: names and defaults; types stand in the list below."""
    words, star = [], False
    shown = function.overloads[-1] if "options" in [one.name for one in function.parameters] else function
    for one in shown.parameters:
        if one.name in ("self", "cls") or one.kind in CAUGHT:
            continue
        if one.kind == griffe.ParameterKind.keyword_only and not star:
            words.append("*")
            star = True
        words.append(
            one.name + ("" if one.default is None else f"={VALUES.get(str(one.default), quoted(one.default))}")
        )
    return f"({', '.join(words)})"


def quoted(default: Any) -> str:
    """Return a default with the quotes that the pages have."""
    return str(default).replace("'", '"')


def code(text: str) -> str:
    return f"```python\n{text}\n```"


def typed(annotation: Any) -> str:
    return "" if annotation is None else f" (`{annotation}`)"


def flat(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def docstring(target: Any) -> Iterator[str]:
    """Yield the sections of a docstring as Markdown."""
    if target.docstring is None:
        return
    for section in target.docstring.parsed:
        if section.kind in LISTS:
            yield f"**{LISTS[section.kind]}**"
            yield "\n".join(entries(section.value))
        elif section.kind == griffe.DocstringSectionKind.examples:
            yield "**Examples**"
            for kind, text in section.value:
                yield code(text) if kind == griffe.DocstringSectionKind.examples else text
        elif section.kind == griffe.DocstringSectionKind.admonition:
            yield f"**{section.title}**"
            yield section.value.description.replace("``", "`")
        elif section.kind == griffe.DocstringSectionKind.text:
            yield section.value.replace("``", "`")
        else:
            raise NotImplementedError(f"{target.path}: a section {section.kind}")


LISTS = {
    griffe.DocstringSectionKind.parameters: "Parameters",
    griffe.DocstringSectionKind.other_parameters: "Other parameters",
    griffe.DocstringSectionKind.returns: "Returns",
    griffe.DocstringSectionKind.yields: "Yields",
    griffe.DocstringSectionKind.raises: "Raises",
    griffe.DocstringSectionKind.warns: "Warns",
    griffe.DocstringSectionKind.attributes: "Attributes",
}


def entries(values: list[Any]) -> Iterator[str]:
    """Yield one item of a list for each run of entries that share their type and text."""
    for (annotation, description), run in groupby(values, lambda one: (one.annotation, one.description)):
        names = ", ".join(f"`{one.name}`" for one in run if getattr(one, "name", ""))
        kind = re.sub(r"^\((.*)\)$", r"\1", str(annotation or ""))
        head = f"{names} ({kind})" if names and kind else names or f"`{kind}`"
        text = flat(description or "").replace("``", "`")
        yield f"- {head}" + (f": {text}" if text else "")


def main() -> int:
    """Write the pages that differ, or only name them; return how many did."""
    stale = [(path, text) for path, text in pages() if not path.exists() or path.read_text("utf-8") != text]
    known = {path for path, _ in pages()}
    gone = [path for path in FOLDER.glob("*.md") if path not in known]
    if "--check" in sys.argv[1:]:
        for path in [*(path for path, _ in stale), *gone]:
            print(f"{path.relative_to(ROOT)} is out of date: make reference")
        return len(stale) + len(gone)
    FOLDER.mkdir(exist_ok=True)
    for path, text in stale:
        path.write_text(text, "utf-8")
    for path in gone:
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(min(main(), 1))
