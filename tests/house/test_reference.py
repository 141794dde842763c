"""The reference is made of the docstrings, has every public name once, and finds the names that pages mention."""

from __future__ import annotations

import re
from collections import Counter

import pytest

import carom
from tools.site import names, reference

PAGES = dict(reference.pages())
ANCHORS = reference.anchors(PAGES.items())
NAMES = names.Names(ANCHORS, frozenset(reference.fields(PAGES.items())))


def test_every_public_name_stands_on_one_page() -> None:  # carom.kernels and carom.draw use some again
    everywhere = (name for _, _, listed in reference.PAGES.values() for name in listed.split())
    listed = Counter(reference.last(name) for name in everywhere if not name.startswith(("kernels.", "canvas.")))
    assert {
        name: listed[name] for name in carom.__all__ if listed[name] != 1 and name not in ("draw", "tables")
    } == {}  # by its parts


def test_every_public_name_and_every_method_has_an_anchor() -> None:
    assert [name for name in carom.__all__ if name not in ANCHORS and name not in ("draw", "tables", "kernels")] == []
    assert {"World.step", "World.add", "Body.asleep", "Contact.normal", "convert.from_shapely"} <= ANCHORS.keys()
    assert {"tables.join", "draw.film", "kernels.records", "draw.pair.Facts"} <= ANCHORS.keys()
    anchors = Counter(name for text in PAGES.values() for name in reference.ANCHOR.findall(text))
    assert [name for name, count in anchors.items() if count != 1] == []


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_three_screens_or_one_class_or_function(page: str) -> None:
    text = PAGES[page]
    parts = [found for found in reference.HEADING.findall(text) if found[0] == "##"]
    assert text.count("\n") <= reference.MOST_LINES + 30 or len(parts) == 1


@pytest.mark.parametrize("name", ["intersects", "World.add", "World.pin", "Index.raycast"])
def test_a_name_has_its_signature_and_its_text(name: str) -> None:
    text = PAGES[ANCHORS[name].partition("#")[0]]
    below = text.partition(f'<div id="{name}"></div>\n')[2].partition(f"# {name}\n")[2]
    assert below.lstrip().startswith(f'<div class="signature">\n\n```python\n{name}(')
    assert "**Parameters**" in below


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("World.step", "World.step"),
        ("world.step(1 / 60)", "World.step"),
        ("cm.Circle((0, 0), 1)", "Circle"),
        ("intersects", "intersects"),
        ("cm.draw.film(world, file)", "draw.film"),
        ("carom.tables.join", "tables.join"),
        ("body.asleep", "Body.asleep"),
        ("distance", None),  # a field is called so, too
        ("cm.distance", "distance"),
        ("True", None),
        ("world.add(a) or b", None),
    ],
)
def test_code_in_a_text_leads_to_the_entry_that_it_names(text: str, name: str | None) -> None:
    assert names.place_of(text, NAMES) == (None if name is None else ANCHORS[name])


def test_names_of_compiled_code_lead_to_those_of_the_module_on_its_page() -> None:
    assert names.place_of("Hit", NAMES, "kernels") == ANCHORS["kernels.Hit"]
    assert names.place_of("Hit", NAMES, "questions") == ANCHORS["Hit"]


def test_every_name_of_the_table_of_all_names_is_a_link() -> None:
    rows = re.findall(r"^\| \[.*$", PAGES["index"], re.MULTILINE)
    listed = [name for row in rows for name in re.findall(r"`([^`]+)`", row)]
    assert len(listed) > 150
    modules = {"convert", "draw.pair"}
    assert [one for one in listed if NAMES.places.get(one) != names.place_of(one, NAMES, names.INDEX)] == []
    assert [one for one in listed if names.place_of(one, NAMES, names.INDEX) is None and one not in modules] == []


def test_a_word_that_is_a_field_elsewhere_is_no_link_to_a_method_of_the_subject() -> None:
    assert names.place_of("contacts", NAMES, "world-4") == ANCHORS["World.contacts"]
    assert names.place_of("positions", NAMES, "world") == ANCHORS["World.positions"]
    assert names.place_of("body", NAMES, "world") is None


def test_a_word_of_a_function_and_of_fields_is_a_link_where_it_means_the_function() -> None:
    nodes = pytest.importorskip("docutils.nodes", reason="the site is built with Sphinx: `make docs`")
    pytest.importorskip("sphinx")
    from tools.site.linking import means_function

    def meant(before: str, page: str, first: str = "") -> bool:
        word = nodes.literal("", "distance")
        nodes.paragraph("", "", nodes.literal("", first), nodes.Text(before), word)
        return means_function(word, NAMES, page)

    assert meant("the ", "touching") and not meant("the ", "joints") and not meant("its ", "reference/worlds")
    assert meant("Distances are as ", "reference/pairs") and meant("as for ", "explain")
    assert meant(", or ", "reference/pairs", "intersects") and not meant(", ", "reference/pairs", "verdict")
