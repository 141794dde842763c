"""What pyproject.toml promises: extras for users, groups for a clone, one bound for each package."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
GROUPS: dict[str, list[str | dict[str, str]]] = PYPROJECT["dependency-groups"]


def packages(group: str) -> set[str]:
    """Return the packages of a group of pyproject.toml, those of the groups that it includes, too."""
    found: set[str] = set()
    for need in GROUPS[group]:
        found |= packages(need["include-group"]) if isinstance(need, dict) else {Requirement(need).name.lower()}
    return found


def test_all_brings_what_a_user_means_and_no_tools() -> None:
    (need,) = EXTRAS["all"]
    taken = Requirement(need).extras
    assert taken == EXTRAS.keys() - {"all", "train"}
    brought = {Requirement(one).name.lower() for name in taken for one in EXTRAS[name]}
    only_tools = {"pytest", "hypothesis", "mypy", "basedpyright", "ruff", "pymunk", "build", "ziglang", "towncrier"}
    assert only_tools <= packages("dev") - brought


def test_a_package_has_the_same_lower_bound_wherever_it_is_named() -> None:
    bounds: defaultdict[str, set[str]] = defaultdict(set)
    for needs in [PROJECT["dependencies"], *EXTRAS.values(), *GROUPS.values()]:
        for need in needs:
            if isinstance(need, str):
                bounds[Requirement(need).name.lower()].add(str(Requirement(need).specifier))
    assert {name: found for name, found in bounds.items() if len(found) > 1} == {}


def test_the_tests_need_no_extra_of_carom_and_no_numba() -> None:
    of_extras = {
        Requirement(need).name.lower() for name in ("play", "gym", "plot", "tables", "maps") for need in EXTRAS[name]
    }
    assert of_extras <= packages("test")
    assert not {"carom", "numba"} & packages("test")


@pytest.mark.parametrize("file", ["Makefile", *sorted(one.name for one in (ROOT / ".github/workflows").glob("*.yml"))])
def test_make_and_workflows_install_groups_and_extras_that_are_there(file: str) -> None:
    path = ROOT / file if file == "Makefile" else ROOT / ".github/workflows" / file
    text = path.read_text(encoding="utf-8")
    named = {name for found in re.findall(r"^GROUPS_\w+ = (.*)$", text, re.M) for name in found.split()}
    named |= set(re.findall(r"--group (\w+)", text))
    assert named <= GROUPS.keys()
    extras = re.findall(r"^EXTRAS_\w+ = (.*)$", text, re.M) + re.findall(r"(?:\.|whl|\))\[([a-z,]+)\]", text)
    assert {name for found in extras for name in found.split(",")} <= EXTRAS.keys()
