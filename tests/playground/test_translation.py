"""Python in JavaScript: what is known becomes what JavaScript has for it, and all else is refused with its place."""

from __future__ import annotations

import ast
import re

import pytest

from carom_playground.browser.expressions import Untranslatable
from carom_playground.browser.page import scripts_of_page
from carom_playground.browser.translate import Translation

MODULE = "carom.draw.pair.layers"  # whose imports the functions below have
SCRIPTS = scripts_of_page()


def written(text: str) -> str:
    """Return a function as JavaScript, as if it stood in the module."""
    (node,) = ast.parse(text).body
    assert isinstance(node, ast.FunctionDef)
    whole = Translation(SCRIPTS)
    writer = whole.writer(MODULE)
    found = writer.function(node, f"function {node.name}")
    whole.attributes.add(writer.uses)
    whole.attributes.check({"_take"}, {"scene"})
    return found


def test_numbers_take_plain_operators_and_all_else_those_of_python() -> None:
    plain = written("def f(a: float): return a * 2.0 + abs(1.0)")
    assert "return ((a * 2.0) + py.builtins.abs(1.0));" in plain
    assert "return py.add(py.multiply(a, 2.0), b);" in written("def f(a, b): return a * 2.0 + b")
    assert "return py.negative(v);" in written("def f(v): return -v")
    assert "return (-(-2.0));" in written("def f(): return -(-2.0)")


def test_a_condition_asks_what_python_takes_for_true() -> None:
    assert "if ((py.truth(a) || (b === null)))" in written("def f(a, b):\n    if a or b is None:\n        return 1")
    assert "return (0.0 < a && a <= 1.0);" in written("def f(a: float): return 0.0 < a <= 1.0")
    assert "return (py.less(0.0, a) && py.atMost(a, b));" in written("def f(a, b): return 0.0 < a <= b")


def test_variables_belong_to_the_whole_function_and_those_of_comprehensions_do_not() -> None:
    text = written("def f(rows):\n    total = [x for x in rows if x]\n    for y in total:\n        z = y\n    return z")
    assert "let total, y, z;" in text and ".filter((x) => py.truth(x)).map((x) => x)" in text


def test_methods_of_pythons_types_ask_the_value_for_its_type_and_others_are_called() -> None:
    assert 'py.called(rows, "setdefault", a, [])' in written("def f(rows, a): return rows.setdefault(a, [])")
    assert "a.translated([1, 2])" in written("def f(a): return a.translated((1, 2))")
    assert "super._take(a)" in written("def f(self, a): return super()._take(a)")


def test_arguments_by_keyword_go_where_the_page_takes_them() -> None:
    assert "py.builtins.min({ default: null }, a)" in written("def f(a): return min(a, default=None)")
    assert "py.builtins.enumerate(a, 2)" in written("def f(a): return enumerate(a, start=2)")
    text = written("def f(): return smallest_box(hull((1, 2)))\n").replace("$", "")
    assert "smallest_box(hull([1, 2]))" in text
    assert "((...given) => py.builtins.max({}, ...given))" in written("def f(a, b): return map(max, a, b)")


@pytest.mark.parametrize(
    "body", ["with a: pass", "return a @ b", "global a", "return f(**a)", "return {k: v for k, v in a}.b @ 1", "del a"]
)
def test_what_is_not_known_is_refused_with_its_place(body: str) -> None:
    with pytest.raises(Untranslatable, match=r"^carom/draw/pair/layers\.py, line 2: .* has no JavaScript"):
        written(f"def f(a, b):\n    {body}")


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("a.popitem()", "methods.js has no popitem for dict"),
        ("a.sort()", "methods.js has no sort for list"),
        ("a.title()", "methods.js has no title for str"),
        ("a.isdisjoint(b)", "methods.js has no isdisjoint for set and frozenset"),
        ("a.is_integer()", "methods.js has no is_integer for float"),
        ("a.split(b, 1)", "the page takes fewer arguments"),
        ("a.get()", "the page takes more arguments"),
        ("a.get(b, default=1)", "the page takes no default"),
        ("a.nothing", "nothing is no attribute on the page"),
        ("a.nothing()", "nothing is no attribute on the page"),
        ("a.translated", "translated is a method, to be called"),
        ("map(a.dot, b)", "dot is a method, to be called"),
        ("sorted(a, key=b.nothing)", "nothing is no attribute on the page"),
        ("open(a)", "builtins.js has no open"),
        ("print(a)", "builtins.js has no print"),
        ("sum(a, 1, 2)", "the page takes fewer arguments"),
        ("sorted(a, by=b)", "the page takes no by"),
        ("int(a, base=2)", "the page takes no base"),
        ("dict.fromkeys(a, b, 1)", "the page takes fewer arguments"),
        ("str.maketrans(a)", "builtins.js has no str_maketrans"),
        ("isinstance(a, str)", "str is no class on the page"),
        ("f'{a:>5}'", "the page has the formats g and f alone"),
        ("f'{a!a}'", "the page has the formats g and f alone"),
        ("shift(a)", "builtins.js has no shift"),
        ("[*a][b](x=1)", "the page does not know where it takes arguments by keyword"),
    ],
)
def test_what_the_page_lacks_is_refused_with_its_place(expression: str, reason: str) -> None:
    with pytest.raises(Untranslatable) as refusal:
        written(f"def f(a, b):\n    return {expression}")
    assert re.match(r"carom/draw/pair/layers\.py, line 2: .* has no JavaScript: ", str(refusal.value))
    assert reason in str(refusal.value)


def test_modules_have_on_the_page_what_their_table_has() -> None:
    whole = Translation(SCRIPTS)
    assert whole.member("carom.shapes.bounds", "math", "hypot") == "py.library.math.hypot"
    with pytest.raises(LookupError, match=r"library.js has no math\.lgamma"):
        whole.member("carom.shapes.bounds", "math", "lgamma")


def test_a_class_on_the_page_has_all_that_is_asked_of_it_by_name() -> None:
    """A method that `Circle` has and the page's `Box` lacks is refused, for the value may be either."""
    text = SCRIPTS["shapes"].replace("  translated([dx, dy])", "  moved([dx, dy])")
    text = text.replace("  translated(by)", "  moved(by)")
    with pytest.raises(Untranslatable, match=r"the page's .* has no translated"):
        Translation(SCRIPTS | {"shapes": text}).script()


@pytest.mark.parametrize(
    ("script", "before", "after", "reason"),
    [
        ("methods", "    setdefault(", "    set_default(", "carom/shapes/hull.py, line .* has no setdefault for dict"),
        ("methods", "    append: ", "    push: ", "line .* has no append for list"),
        ("library", "  fsum: ", "  sum: ", "line .*library.js has no math.fsum"),
        ("builtins", "export const enumerate ", "export const numbered ", "line .* builtins.js has no enumerate"),
        ("shapes", "get vertex_ids()", "get ids()", "line .* the page's Polygon has no vertex_ids"),
    ],
)
def test_what_is_taken_away_from_the_page_is_missed_with_the_line_that_needs_it(
    script: str, before: str, after: str, reason: str
) -> None:
    assert before in SCRIPTS[script]
    with pytest.raises(Untranslatable, match=reason):
        Translation(SCRIPTS | {script: SCRIPTS[script].replace(before, after)}).script()
