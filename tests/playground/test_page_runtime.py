"""What the page has of Python's functions, methods and operators does what Python's do: each one is tried in a browser.

Every entry of builtins.js, library.js and methods.js stands in one of the samples of page_samples.txt, so the list
cannot outgrow them; a sample is translated as the page's Python is, and its value there compared with Python's.
"""

from __future__ import annotations

import ast
import bisect
import dataclasses
import itertools
import math
import typing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom as cm
from carom_playground.browser import offered
from carom_playground.browser.page import MODULES, as_function, scripts_of_page
from carom_playground.browser.statements import Writer
from carom_playground.browser.translate import RUNTIME, Translation

SCRIPTS = scripts_of_page()
NEEDED = ("numbers", "kernels", "python", "builtins", "library", "methods")
IMPORTED = ("math", "numpy", "itertools", "bisect", "dataclasses", "typing")
MODULE_VALUES = {"math": math, "numpy": np, "itertools": itertools, "bisect": bisect, "typing": typing}

VALUES = (
    '3 | 2.5 | -2 | 0.5 | True | "ab" | "" | [1, 2] | (3,) | [] | {1: 2} | {} | {1, 2} | {2} | None | cm.Vec(1.0, -2.0)'
)
OPERATORS = ("+", "-", "*", "/", "//", "%", "|", "&", "^", "==", "!=", "<", "<=", ">", ">=", "in", "and", "or")


def samples(part: str) -> list[str]:
    """Return the samples of a part of the list."""
    text = Path(__file__).with_name("page_samples.txt").read_text(encoding="utf-8")
    return text.partition(f"[{part}]\n")[2].partition("\n\n")[0].splitlines()


def done(*values: Any) -> Any:
    """Return the last of what was done one after the other."""
    return values[-1]


def plain(value: Any) -> Any:
    """Return a value as the page tells it: tuples as lists, sets and dicts as what they hold."""
    if isinstance(value, (set, frozenset)):
        return {"set": sorted((plain(one) for one in value), key=repr)}
    if isinstance(value, dict):
        return {"dict": [[plain(key), plain(one)] for key, one in value.items()]}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return value


PLAIN = """
const done = (...values) => values.at(-1);
const plain = value => {
    const order = (a, b) => JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
    if (value instanceof Set) return { set: [...value].map(plain).sort(order) };
    if (value instanceof Map) return { dict: [...value].map(([key, one]) => [plain(key), plain(one)]) };
    return Array.isArray(value) ? [...value].map(plain) : value ?? null;
};
const tried = find => { try { return [plain(find())]; } catch (error) { return String(error); } };
"""


class Home:
    """The surroundings of all samples."""

    def __init__(self) -> None:
        self.whole = Translation(SCRIPTS)

    def lead(self, name: str) -> str:
        return name if name in ("done", "cm") else self.whole.lead("carom", name)

    def member(self, owner: str, name: str) -> str | None:
        if owner == "cm":
            return f"modules.python.{name}"
        return self.whole._of_library(owner, name) if owner in IMPORTED else None

    def called(self, text: str, given: list[str], keywords: dict[str, str]) -> str:
        return f"new {text}({', '.join(given)})" if text.endswith(".Vec") else self.whole.called(text, given, keywords)

    def method(self, name: str, given: list[str], keywords: dict[str, str]) -> Any:
        return self.whole.attributes.method(name, given, keywords)

    def handed_on(self, text: str) -> str:
        return self.whole.handed_on(text)

    def is_class(self, text: str) -> bool:
        return self.whole.is_class(text)


HOME = Home()


def translated(sample: str) -> str:
    """Return a sample as JavaScript."""
    (node,) = ast.parse(f"def f():\n    return {sample}").body
    assert isinstance(node, ast.FunctionDef)
    return Writer("sample", HOME).function(node, "function ")


def told_by_python(sample: str) -> Any:
    """Return the value of a sample in a list, or the name of its error."""
    scope = {"done": done, "cm": cm, **MODULE_VALUES}
    try:
        return [plain(eval(sample, scope))]
    except Exception as error:
        return type(error).__name__


def told_by_page(browser: Any, wanted: list[str]) -> list[Any]:
    """Return the values of samples in the browser, each in a list, or the texts of their errors."""
    runtime = "\n".join([MODULES, *(as_function(name, SCRIPTS[name]) for name in NEEDED), RUNTIME, PLAIN])
    calls = ",\n".join(f"tried({translated(one)})" for one in wanted)
    page = browser.new_page()
    found: list[Any] = page.evaluate(f"() => {{ {runtime}\nreturn [{calls}]; }}")
    page.close()
    return found


def unlike(browser: Any, wanted: list[str]) -> list[tuple[str, Any, Any]]:
    """Return the samples whose values differ; that both are errors is alike."""
    pairs = zip(wanted, map(told_by_python, wanted), told_by_page(browser, wanted), strict=True)
    return [(*both,) for both in pairs if both[1] != both[2] and not all(isinstance(one, str) for one in both[1:])]


@pytest.mark.parametrize("part", ["builtins", "library", "methods", "forms"])
def test_what_the_page_has_does_what_python_does(browser: Any, part: str) -> None:
    found = samples(part)
    assert len(found) > 20 and unlike(browser, found) == []


def test_operators_do_to_all_kinds_of_values_what_pythons_do_or_say_that_they_are_not_there(browser: Any) -> None:
    values = VALUES.split(" | ")
    wanted = [f"{a} {sign} {b}" for a in values for sign in OPERATORS for b in values]
    wanted += [f"({a}) ** {b}" for a in ("3", "2.5", "True") for b in ("3", "2.5", "-2", "True")]
    wanted += [f"-({a})" for a in values]
    missing = "TypeError: the page has no "
    odd = [
        one for one in unlike(browser, wanted) if not isinstance(one[1], str) and not str(one[2]).startswith(missing)
    ]
    assert odd == []


def test_each_entry_has_a_sample() -> None:
    by_words = {"setattr", "getattr", "format"}  # these the page writes itself, or tries with its own classes
    lacking = {
        name
        for name in set(offered.read(SCRIPTS["builtins"]).functions) - by_words
        if f"{name.replace('_', '.')}(" not in "\n".join(samples("builtins"))
    }
    library, methods = "\n".join(samples("library")), "\n".join(samples("methods") + samples("library"))
    tables = offered.read(SCRIPTS["library"]).tables
    lacking |= {f"{owner}.{name}" for owner in tables for name in tables[owner] if f"{owner}.{name}" not in library}
    for kind, table in offered.methods_by_type(SCRIPTS["methods"]).items():
        lacking |= {f"{kind}.{name}" for name in table if f".{name}(" not in methods}
    assert lacking == {"dataclasses.replace"}  # of Carom's own classes, which the live page itself tries


def test_entries_have_the_names_that_python_gives_them() -> None:
    modules = MODULE_VALUES | {"dataclasses": dataclasses}
    tables = offered.read(SCRIPTS["library"]).tables
    assert set(tables) == set(modules)
    assert all(hasattr(modules[owner], name) for owner in tables for name in tables[owner])
    kinds: dict[str, tuple[type, ...]] = {
        "str": (str,),
        "list": (list,),
        "dict": (dict,),
        "set": (set,),
        "array": (np.ndarray,),
    }
    methods = offered.methods_by_type(SCRIPTS["methods"])
    assert set(methods) == set(kinds)
    assert all(hasattr(kind, name) for table in kinds for name in methods[table] for kind in kinds[table])
