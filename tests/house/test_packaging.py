"""What pyproject.toml promises: extras for users, groups for a clone, a bound for each package, an address or none."""

from __future__ import annotations

import os
import re
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest
import yaml
from hatchling.builders.sdist import SdistBuilder
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
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


def metadata(address: str) -> ProjectMetadata[PluginManager]:
    """Return what a wheel would tell of itself if pyproject.toml had this address."""
    given = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    given["tool"]["hatch"]["metadata"]["hooks"]["custom"]["address"] = address
    return ProjectMetadata(str(ROOT), PluginManager(), given)


def test_without_an_address_the_description_has_no_links_to_files_and_no_pictures() -> None:
    plain = metadata("").core
    assert plain.urls == {} and plain.readme_content_type == "text/markdown"
    assert [target for target in LINK.findall(plain.readme) if not target.startswith("https:")] == []
    assert "![" not in plain.readme and "| | | |\n| | | |" not in plain.readme
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert FENCE.findall(plain.readme) == FENCE.findall(readme) != []
    assert plain.readme.count("\n| heap of 200 |") == 1 and "listed under known limits" in plain.readme


def test_with_an_address_every_link_leads_there_at_the_tag_of_the_version() -> None:
    full = metadata("https://example.org/carom/").core
    assert set(full.urls) >= {"Source", "Documentation", "Changelog", "Issues"}
    assert all(found.startswith("https://example.org/carom") for found in full.urls.values())
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    before, after = LINK.findall(readme), LINK.findall(full.readme)
    here = f"https://example.org/carom/{{}}/v{PROJECT['version']}/"
    pictures = set(re.findall(r"!\[[^\]]*\]\(([^)]+)\)", readme))
    assert pictures and after == [
        target if target.startswith("https:") else here.format("raw" if target in pictures else "blob") + target
        for target in before
    ]


def test_the_citation_is_of_this_version_and_of_these_authors() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == PROJECT["version"] and cited["authors"] == PROJECT["authors"]


def test_no_address_and_no_mail_is_invented() -> None:
    address = PYPROJECT["tool"]["hatch"]["metadata"]["hooks"]["custom"]["address"]
    assert "urls" not in PROJECT and PROJECT["authors"] == [{"name": "the Carom developers"}]
    for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CITATION.cff", "pyproject.toml"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert not re.findall(r"[\w.+-]+@[\w-]+\.\w+", text), name
        repositories = re.findall(r"https?://(?:www\.)?(?:github|gitlab|codeberg)\.\w+[^\s)\"]*", text)
        assert [one for one in repositories if not address or not one.startswith(address)] == [], name


def test_the_licence_names_that_of_the_letters() -> None:
    assert metadata("").core.license_expression == "MIT AND Bitstream-Vera"
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in PROJECT["license-files"]]
    assert "Permission is hereby granted" in texts[0] and "Bitstream Vera" in texts[1]


def test_the_sdist_holds_what_its_own_pages_link_to_and_all_that_a_wheel_is_built_from() -> None:
    packed = {Path(file.distribution_path).as_posix() for file in SdistBuilder(str(ROOT)).recurse_included_files()}
    pages = [name for name in packed if name.endswith(".md")]
    assert {"README.md", "CHANGELOG.md", "docs/index.md"} <= set(pages)
    for page in pages:
        text = re.sub(FENCE, "", (ROOT / page).read_text(encoding="utf-8"))
        for target in LINK.findall(text):
            if "://" not in target and not target.startswith("#"):
                found = os.path.normpath(os.path.join(os.path.dirname(page), target.partition("#")[0])).replace(
                    "\\", "/"
                )
                assert found in packed or any(name.startswith(f"{found}/") for name in packed), f"{page}: {target}"
    sources = {
        file.relative_to(ROOT).as_posix() for top in ("src", "tools", "tests") for file in (ROOT / top).rglob("*.py")
    }
    assert sources <= packed


def test_the_page_on_installing_names_the_extras_and_the_versions_that_are_asked() -> None:
    text = (ROOT / "docs" / "installing.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([a-z]+)` \| ([^|]*) \|", text, re.MULTILINE))
    assert rows.keys() == EXTRAS.keys()
    for extra in EXTRAS.keys() - {"all"}:
        names = {Requirement(need).name.lower() for need in EXTRAS[extra]} - {"carom"}
        told = rows[extra].lower().replace("pytorch", "torch")
        assert not [name for name in names if name.partition("-ffmpeg")[0] not in told], extra
    bounds = {one.operator: one.version for one in Requirement(EXTRAS["jit"][0]).specifier}
    major, minor = bounds["<"].split(".")
    assert f"{bounds['>=']} to {major}.{int(minor) - 1}" in text


def test_no_page_spells_the_version_of_a_file_to_install() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        assert not re.search(r"carom[-=]+\d+\.\d", page.read_text(encoding="utf-8")), page
