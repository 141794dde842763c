"""The table of rules on the page of the step: at most fifteen, each with a test that is there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_each_rule_names_a_test() -> None:
    page = (ROOT / "docs" / "design" / "world.md").read_text(encoding="utf-8")
    section = page.split("## The rules")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
    named = [re.findall(r"`(test_\w+)`", row) for row in rows]
    assert 10 < len(rows) <= 15
    assert all(len(names) == 1 for names in named)
    tests = "\n".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert [name for (name,) in named if f"def {name}(" not in tests] == []
    assert len({name for (name,) in named}) == len(rows)
