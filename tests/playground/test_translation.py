"""Python in JavaScript: what is known becomes what JavaScript has for it, and all else is refused with its place."""

from __future__ import annotations

import ast
from typing import NamedTuple

import pytest

from carom_playground.browser.expressions import Untranslatable
from carom_playground.browser.statements import Writer


class Around(NamedTuple):
    """A module whose global names are their own JavaScript."""

    def lead(self, name: str) -> str:
        return name

    def member(self, owner: str, name: str) -> str | None:
        return f"py.math.{name}" if owner == "math" else None

    def called(self, text: str, given: list[str], keywords: dict[str, str]) -> str:
        return f"{text}({', '.join([*given, *keywords.values()])})"


def written(text: str) -> str:
    (node,) = ast.parse(text).body
    assert isinstance(node, ast.FunctionDef)
    return Writer("here", Around()).function(node, f"function {node.name}")


def test_numbers_take_plain_operators_and_all_else_those_of_python() -> None:
    plain = written("def f(a: float): return a * 2.0 + math.hypot(1.0, 2.0)")
    assert "return ((a * 2.0) + py.math.hypot(1.0, 2.0));" in plain
    assert "return py.add(py.multiply(a, 2.0), b);" in written("def f(a, b): return a * 2.0 + b")
    assert "return py.negative(v);" in written("def f(v): return -v")


def test_a_condition_asks_what_python_takes_for_true() -> None:
    assert "if ((py.truth(a) || (b === null)))" in written("def f(a, b):\n    if a or b is None:\n        return 1")
    assert "return (0.0 < a && a <= 1.0);" in written("def f(a): return 0.0 < a <= 1.0")


def test_variables_belong_to_the_whole_function_and_those_of_comprehensions_do_not() -> None:
    text = written("def f(rows):\n    total = [x for x in rows if x]\n    for y in total:\n        z = y\n    return z")
    assert "let total, y, z;" in text and ".filter((x) => py.truth(x)).map((x) => x)" in text


@pytest.mark.parametrize(
    "body", ["with a: pass", "return a @ b", "global a", "return f(**a)", "return {k: v for k, v in a}.b @ 1", "del a"]
)
def test_what_is_not_known_is_refused_with_its_place(body: str) -> None:
    with pytest.raises(Untranslatable, match=r"^here: line 2: .* has no JavaScript$"):
        written(f"def f(a, b):\n    {body}")
