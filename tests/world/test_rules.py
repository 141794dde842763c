"""The rules on the page of the step, at most 35, each with a file and a test that are there; and its constants."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
STEP = ROOT / "src" / "carom" / "world" / "step"
# Numbers that stand beside their formulas, since they bound a rounding or decide only how long a search takes.
BESIDE = {
    "minimise": {"AGREE", "DEPENDS", "FIRST_LENGTH"},
    "interior": {"FLOOR", "GAIN", "SHY"},
    "open_ways": {"BEYOND", "FAINT", "HIGHEST"},
    "projection": {"FARTHEST", "ROUGH_REACH", "SOFTNESS"},
    "impulses": {"ROUNDED", "THROUGH_JOINTS"},
    "events": {"LEAST_WAIT"},
    "impacts": {"STAYS"},
    "instant": {"LEVEL"},
    "motion": {"CENTRED"},
    "rounds": {"STEEPEST"},
    "seams": {"ASIDE", "LEADS_INTO", "SAME"},
    "one_point": {"KEPT"},
    "neighbours": {"LOOSE", "FILLED", "OUTERMOST"},
    "setting_off": {"POINTLIKE"},
    "solver": {"CALMLY"},
    "tables": {"CHANGED_THERE"},
    "blows": {"GIVEN"},
}


def numbers_of(file: Path) -> dict[str, float | int]:
    """Return the numbers that a module names, but for those of other modules."""
    found = {}
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            try:
                value = eval(ast.unparse(node.value), {"__builtins__": {}})
            except (NameError, TypeError):
                continue
            if isinstance(value, float | int):
                found[node.targets[0].id] = value
    return found


def test_numbers_chosen_by_trial_are_few_and_stand_in_one_place() -> None:
    assert 10 < len(numbers_of(STEP / "constants.py")) <= 25
    for file in STEP.rglob("*.py"):
        if file.stem != "constants":
            floats = {name for name, value in numbers_of(file).items() if isinstance(value, float)}
            assert floats == BESIDE.get(file.stem, set()), file.stem


def test_no_number_stands_bare_in_a_kernel_but_simple_factors() -> None:
    simple = {0.0, 0.025, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0}
    for file in STEP.rglob("*.py"):
        kernels = [one for one in ast.parse(file.read_text(encoding="utf-8")).body if isinstance(one, ast.FunctionDef)]
        for node in (node for kernel in kernels for node in ast.walk(kernel)):
            if isinstance(node, ast.Constant) and isinstance(node.value, float):
                assert node.value in simple, f"{file.name}:{node.lineno}"


def test_folders_of_the_step_import_only_those_before_them() -> None:
    folders = ["ways", "pairs", "solve", "play", "end"]
    assert {path.parent.name for path in STEP.glob("*/__init__.py")} == set(folders)
    for rank, folder in enumerate(folders):
        text = "".join(path.read_text(encoding="utf-8") for path in (STEP / folder).glob("*.py"))
        used = set(re.findall(r"carom\.world\.step\.(\w+)\.\w+ import", text))
        assert used <= set(folders[: rank + 1]), folder
        assert re.search(r"carom\.world\.step\.(step|rounds|members) import", text) is None


def test_each_rule_names_a_file_and_a_test_of_its_own() -> None:
    page = (ROOT / "docs" / "design" / "world.md").read_text(encoding="utf-8")
    section = page.split("## The rules")[1].split("\n**Time that waits")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ") and not line.startswith("| rule |")]
    files = [re.findall(r"`(\w+)\.py`", row) for row in rows]
    named = [re.findall(r"`(test_\w+)`", row) for row in rows]
    assert 10 < len(rows) <= 35
    assert all(len(names) == 1 for names in named + files)
    assert {name for (name,) in files} <= {file.stem for file in STEP.rglob("*.py")}
    tests = "\n".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert [name for (name,) in named if f"def {name}(" not in tests] == []
    assert len({name for (name,) in named}) == len(rows)
