"""The page of results is made from the results that are kept, which are of the scenes that there are."""

from __future__ import annotations

import re
from itertools import pairwise

from carom_conformance import report
from carom_conformance.adapters import ADAPTERS
from carom_conformance.registry import TOPICS, all_scenes


def test_the_page_is_that_of_the_kept_results() -> None:
    assert report.PAGE.read_text(encoding="utf-8") == report.page(), "run python -m carom_conformance --keep"


def test_every_engine_has_a_row_for_every_scene() -> None:
    found = report.kept()
    assert len(found) == len(ADAPTERS)
    assert all(one.rows.keys() == all_scenes().keys() for one in found)
    assert len({one.machine for one in found}) == 1 and len(report.files()) == len(found)
    assert all(re.search(r"\b[0-9a-f]{7,} of \d{4}-\d\d-\d\d", one.commit) for one in found)


def test_topics_are_in_the_order_of_scenes_and_each_fits_on_a_page_of_the_site() -> None:
    names = list(all_scenes())
    places = [names.index(first) for first in TOPICS.values()]
    assert places == sorted(places) and places[0] == 0
    assert max(after - before for before, after in pairwise([*places, len(names)])) <= 29


def test_the_page_hides_no_loss_of_carom() -> None:
    (carom, *_) = report.kept()
    lost = [name for name, row in carom.rows.items() if row.verdict != "right"]
    section = report.page().partition("## Where Carom is wrong")[2].partition("\n## ")[0]
    assert section.count("\n- ") == len(lost)
