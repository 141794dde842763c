"""Make the reference pages from the docstrings, one page for each subject, and the table of names that link to them.

In: the sources of `carom`; nothing is imported or run. Out: `pages` yields each page's name and its Markdown, in which
every public name of `carom` stands on exactly one page; `anchors` finds the place of each name in these pages.

    python -m tools.site.reference FOLDER    write the pages alone, to read them without the site
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import griffe

ROOT = Path(__file__).parents[2]

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


MOST_LINES = 130  # of Markdown on a page, about three screens; one long function may have more
HEADING = re.compile(r"^(#{2,3}) (.+)$", re.MULTILINE)
ENTRY = re.compile(r"^- ((?:`\w+`(?:, )?)+)", re.MULTILINE)
FIELD = re.compile(r'<a id="([^"]+)">')
ANCHOR = re.compile(r'<(?:div|a) id="([^"]+)">')


class Part(NamedTuple):
    """One heading with its text: a function, a class or a method."""

    name: str
    text: str

    @property
    def is_method(self) -> bool:
        """Whether it stands below a class."""
        return self.text.startswith("###")


def pages() -> Iterator[tuple[str, str]]:
    """Yield the name of each page, without its suffix, and its text; the first is the table of all names."""
    logging.getLogger("griffe").setLevel(logging.ERROR)  # fields of tuples count as parameters here
    package = griffe.load("carom", search_paths=[ROOT / "src"], docstring_parser="numpy", resolve_aliases=True)
    made: list[tuple[str, str]] = []
    table, rows = [], []
    for subject, (title, opening, names) in PAGES.items():
        units = [parts_of(package[name], name) for name in names.split()]
        for number, parts in enumerate(divided(units)):
            page = subject if number == 0 else f"{subject}-{number + 1}"
            span = "" if number == 0 else f": {headed(parts)}"
            first = f"# {title}{span}\n\n{opening} [All names](index.md)."
            made.append((page, f"{first}\n\n{joined(parts)}\n"))
            table.append(page)
        rows.append(f"| [{title}]({subject}.md) | {', '.join(f'`{key_of(name)}`' for name in names.split())} |")
    listed = "\n".join(rows)
    opening = "Every public name, with its parameters, answers and errors. These pages are made of the docstrings."
    yield "index", f"# Reference\n\n{opening}\n\n| page | names |\n|---|---|\n{listed}\n"
    yield from made


def anchors(made: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the page and the anchor of each name, as in `{"World.step": "worlds-4#World.step"}`."""
    return {name: f"{page}#{name}" for page, text in made for name in ANCHOR.findall(text)}


def fields(made: Iterable[tuple[str, str]]) -> set[str]:
    """Return the names of all fields of classes."""
    return {name for _, text in made for name in FIELD.findall(text)}


def key_of(name: str) -> str:
    """Return the name as a user writes it after `cm.`."""
    first = name.partition(".")[0]
    if name == "draw.pair" or "." not in name or first == "explain":
        return last(name) if first == "explain" else name
    return {"canvas": "draw", "draw": "draw.pair" if "draw.pair" in name else "draw"}.get(
        first, first
    ) + f".{last(name)}"


def parts_of(found: Any, name: str) -> list[Part]:
    """Return a function, or a class or a module with its members, with an anchor for each name and each field."""
    text = "\n\n".join(part for part in thing(found, last(name)) if part)
    starts = [match.start() for match in HEADING.finditer(text)] + [len(text)]
    key, parts = key_of(name), []
    for start, end in pairwise(starts):
        section = text[start:end].strip()
        heading = HEADING.match(section)
        assert heading is not None
        own = key if heading[1] == "##" else heading[2]
        before, mark, fields = section.partition("**Attributes**\n\n")
        if mark:
            listed, gap, after = fields.partition("\n\n")
            section = before + mark + ENTRY.sub(lambda entry, own=own: field(own, entry[1]), listed) + gap + after
        parts.append(Part(own, section))
    return parts


def field(owner: str, names: str) -> str:
    """Return the start of an entry in a list of fields, with an anchor for each."""
    return "- " + "".join(f'<a id="{owner}.{name}"></a>' for name in re.findall(r"\w+", names)) + names


def divided(units: list[list[Part]]) -> Iterator[list[Part]]:
    """Yield what stands on each page: whole units while they fit, and a class that fits on none by its methods."""
    page: list[Part] = []
    for unit in units:
        pieces = [unit] if lines(unit) <= MOST_LINES else [[part] for part in unit]
        for at, piece in enumerate(pieces):
            if page and (lines(page) + lines(piece) > MOST_LINES or (len(pieces) > 1 and at == 0)):
                yield page
                page = []
            page = page + piece
        if len(pieces) > 1:
            yield page
            page = []
    if page:
        yield page


def lines(parts: list[Part]) -> int:
    return sum(part.text.count("\n") + 2 for part in parts)


def headed(parts: list[Part]) -> str:
    """Return the words that tell a page from the others of its subject."""
    tops = [part.name for part in parts if not part.is_method]
    names = tops or [part.name for part in parts]
    return names[0] if len(names) == 1 else f"{names[0]} to {last(names[-1])}"


def joined(parts: list[Part]) -> str:
    """Return the text of a page, each heading below its anchor; methods without their class move up by one level."""
    up = parts[0].is_method
    return "\n\n".join(
        f'<div id="{part.name}"></div>\n\n{part.text[1:] if up and part.is_method else part.text}' for part in parts
    )


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
        yield signed(f"{name}{signature(init)}")
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
    yield signed(f"{name}{signature(target)}")
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


def signed(text: str) -> str:
    """Return a signature as a block whose long lines are folded."""
    return f'<div class="signature">\n\n{code(text)}\n\n</div>'


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


def main() -> None:
    """Write the pages into a folder."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for page, text in pages():
        (folder / f"{page}.md").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
