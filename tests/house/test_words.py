"""Words that plain English seldom needs are counted for each page; the counts only fall.

`tests/house/words.json` has them. A page that uses more of these words than it did is to be written plainer; one that
uses fewer gets its lower count: `python -m tests.house.test_words`.
"""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COUNTS = Path(__file__).with_name("words.json")
WORDS = (
    r"\b(?:told|tells|asked|asks|opens?|opened|bears?|shall|somebody|ways?|meets?)\b"
    r"|(?:^|[.:] )(?:What|Who)\b(?![^.]*\?)"
)
"""For reported, queried, separated, carries, must, a body, path, collides with; and what or who as a subject."""
CODE = re.compile(r"^```.*?^```|<!--.*?-->|`[^`]*`|\]\([^)]*\)", re.DOTALL | re.MULTILINE)


@functools.cache
def pages() -> dict[str, int]:
    """Return how often each page has words of these."""
    files = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    found = {
        file.relative_to(ROOT).as_posix(): len(
            re.findall(WORDS, CODE.sub(" ", file.read_text(encoding="utf-8")), re.MULTILINE)
        )
        for file in files
    }
    return {name: count for name, count in found.items() if count}


def test_words_are_counted_in_text_alone() -> None:
    text = "What is told shall be. `told`\n```python\nasked\n```\nIs it what you asked? [way](way.md)"
    assert len(re.findall(WORDS, CODE.sub(" ", text), re.MULTILINE)) == 5


@pytest.mark.parametrize("page", sorted({*pages(), *json.loads(COUNTS.read_text(encoding="utf-8"))}))
def test_no_page_uses_more_of_these_words_than_it_did(page: str) -> None:
    kept, now = json.loads(COUNTS.read_text(encoding="utf-8")).get(page, 0), pages().get(page, 0)
    assert now <= kept, f"{page}: write it plainer, without the words in WORDS"
    assert now == kept, f"{page}: it has fewer now; run `python -m tests.house.test_words`"


if __name__ == "__main__":
    COUNTS.write_text(json.dumps(pages(), indent=1) + "\n", encoding="utf-8")
