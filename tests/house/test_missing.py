"""Each public entry that needs a package beyond the base: without it the error says what installs it."""

from __future__ import annotations

import ast
import re
import runpy
import sys
import tomllib
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import carom as cm
from carom._core.jit import prebuilt
from carom._core.missing import BROUGHT
from carom.cli import programs as cli
from carom.maps.tiled_file import tile_ids

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "maps" / "data"
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
A, B = cm.Circle((0, 0), 1.0), cm.Box((1.5, 0), (1, 0.5))
ENVIRONMENTS = "carom_gym"
GYMNASIUM_PARTS = ("gymnasium_parts", "settings", "single", "vector", "stable_baselines")


def environment(name: str, kind: str, *given: Any, **options: Any) -> Any:
    return getattr(import_module(f"{ENVIRONMENTS}.{name}"), kind)(*given, **options)


CALLS: list[tuple[str, str, Callable[[], Any]]] = [
    ("pygame", "draw.paint", lambda: cm.draw.paint(None, cm.World())),  # type: ignore[arg-type]
    ("pygame", "draw.frames", lambda: cm.draw.frames((80, 60))),
    ("pygame", "Picture.paint", lambda: cm.picture(A).paint(None)),  # type: ignore[arg-type]
    ("pygame", "draw.pygame", lambda: cm.draw.pygame),
    ("matplotlib", "draw.Figure", lambda: cm.draw.Figure),
    ("pygame", "to_pygame", lambda: cm.convert.to_pygame(B)),
    ("pygame", "the playground", lambda: cm.playground(A)),
    ("pygame", "draw.pygame", lambda: environment("single", "BreakoutEnv", render_mode="rgb_array")),
    ("pygame", "draw.pygame", lambda: environment("vector", "BreakoutVectorEnv", 2, render_mode="human")),
    ("matplotlib", "this picture", lambda: cm.picture(A).draw()),
    ("matplotlib", "this picture", lambda: cm.picture(A).save("a.png")),
    ("matplotlib", "this picture", lambda: cm.explain(A, B).draw()),
    ("matplotlib", "this picture", lambda: cm.explain(A, B).save("a.png")),
    ("gymnasium", "Breakout as an environment", lambda: environment("single", "BreakoutEnv")),
    ("gymnasium", "Breakout as an environment", lambda: environment("vector", "BreakoutVectorEnv", 2)),
    ("stable_baselines3", "BreakoutVecEnv", lambda: environment("stable_baselines", "BreakoutVecEnv", 2)),
    ("shapely", "to_shapely", lambda: cm.convert.to_shapely(A)),
    ("shapely", "Shapes.from_shapely", lambda: cm.Shapes.from_shapely([None])),
    (
        "shapely",
        'from_shapely with on_bad="repair"',
        lambda: cm.convert.from_shapely({"type": "Point", "coordinates": [0, 0]}, on_bad="repair"),
    ),
    ("shapely", "Shapes.to_shapely", lambda: cm.Shapes([A]).to_shapely()),
    ("PIL", "read_map of a picture", lambda: cm.read_map(DATA / "plan.png")),
    ("PIL", "read_map of a YAML file", lambda: cm.read_map(DATA / "plan.yaml")),
    ("yaml", "read_map of a YAML file", lambda: cm.read_map(DATA / "plan.yaml")),
    ("zstandard", "a layer packed by zstd", lambda: tile_ids("", "base64", "zstd", 0, 0)),
    ("pymunk", "to_pymunk", lambda: cm.convert.to_pymunk(A)),
    ("pymunk", "from_pymunk", lambda: cm.convert.from_pymunk(3)),  # type: ignore[arg-type]
]
PROGRAMS = [
    ("pygame", ["breakout", "--shot", "a.png"]),
    ("pygame", ["flaws", "corner", "--shot", "a.png"]),
    ("pygame", ["playground"]),
    ("pygame", ["playground", "--shot", "a.png"]),
    ("tqdm", ["breakout", "--shot", "a.png", "--seconds", "1"]),
    ("PIL", ["breakout", "--record", "a.gif"]),
    ("imageio", ["breakout", "--record", "a.mp4"]),
    ("imageio_ffmpeg", ["breakout", "--record", "a.mp4"]),
    ("dask", ["join", "a.parquet", "pairs"]),
    ("pandas", ["join", "a.parquet", "pairs"]),
    ("pyarrow", ["join", "a.parquet", "pairs"]),
    ("distributed", ["join", "a.parquet", "pairs", "--scheduler", "tcp://localhost:1"]),
]


def remedy(module: str, purpose: str = "") -> str:
    if module not in BROUGHT:
        return f"needs {module}: pip install {module}"
    package, extra = BROUGHT[module]
    extra = "maps" if purpose.startswith("read_map") else extra
    install = 'pip install "{}"'.format(*EXTRAS["gym"]) if extra == "gym" else prebuilt.to_install(extra)
    return f"needs {package}, of the extra `{extra}`: {install}"


@pytest.fixture(autouse=True)
def apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Run in an empty folder, without a display, and read again what needs Gymnasium: then as it was, all of it."""
    monkeypatch.chdir(tmp_path)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    parts = [f"{ENVIRONMENTS}.{name}" for name in GYMNASIUM_PARTS]
    before = {name: sys.modules.pop(name) for name in parts if name in sys.modules}
    yield
    for name in parts:
        sys.modules.pop(name, None)
    sys.modules.update(before)


@pytest.mark.parametrize(("module", "purpose", "call"), CALLS, ids=[f"{one[1]}, {one[0]}" for one in CALLS])
def test_a_call_without_its_package_says_what_installs_it(
    module: str, purpose: str, call: Callable[[], Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    if module == "zstandard":  # which stands in for the library's own
        monkeypatch.setitem(sys.modules, "compression.zstd", None)
    with pytest.raises(ModuleNotFoundError) as refused:
        call()
    assert refused.value.name == module
    assert purpose in str(refused.value) and remedy(module, purpose) in str(refused.value)
    assert not list(tmp_path.iterdir())


def test_a_clone_and_an_installed_package_say_what_installs_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(prebuilt, "PACKAGE", str(ROOT / "src" / "carom"))
    assert prebuilt.to_install("jit") == 'pip install -e ".[jit]"'
    monkeypatch.setattr(prebuilt, "PACKAGE", str(tmp_path / "site-packages" / "carom"))
    monkeypatch.setitem(sys.modules, "shapely", None)
    with pytest.raises(ModuleNotFoundError, match=re.escape('of the extra `maps`: pip install "carom[maps]"')):
        cm.convert.to_shapely(A)
    assert prebuilt.to_install("jit") == 'pip install "carom[jit]"'


def test_no_other_text_says_how_to_install_an_extra() -> None:
    said = [
        f"{file.relative_to(ROOT)}: {line.strip()}"
        for file in (ROOT / "src").rglob("*.py")
        for line in file.read_text(encoding="utf-8").splitlines()
        if re.search(r"in a clone|pip install (?!\"gymnasium>|stable_baselines3|\{packages\})", line)
    ]
    assert {line.partition(":")[0] for line in said} == {"src/carom/_core/jit/prebuilt.py"}, said


@pytest.mark.parametrize(("module", "words"), PROGRAMS, ids=[f"{' '.join(one[1])}, {one[0]}" for one in PROGRAMS])
def test_a_program_without_its_package_says_so_in_one_line(
    module: str,
    words: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert cli.main(words) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert line.startswith(f"carom {words[0]}: ") and remedy(module) in line
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words",
    [["playground", "--shot", "a.png", "--size", "320x240"], ["flaws", "corner", "--shot", "a.png"]],
    ids=" ".join,
)
def test_a_picture_needs_nothing_but_pygame(words: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for module in {*BROUGHT, "shapely", "pymunk"} - {"pygame"}:
        monkeypatch.setitem(sys.modules, module, None)
    assert cli.main(words) == 0
    assert (tmp_path / "a.png").exists()


def test_pictures_and_pages_for_browsers_need_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for module in {*BROUGHT, "shapely", "pymunk"}:
        monkeypatch.setitem(sys.modules, module, None)
    assert cli.main(["playground", "--shot", "a.svg", "--html", "a.html"]) == 0
    assert cli.main(["explain", "circle 0 0 1", "box 1.5 0 1 .5", "--shot", "b.svg"]) == 0
    cm.picture(A, B).save("c.svg")
    assert len(list(tmp_path.iterdir())) == 4


def test_pygame_itself_is_told_from_pygame_ce(monkeypatch: pytest.MonkeyPatch) -> None:
    import pygame

    monkeypatch.delattr(pygame, "IS_CE")
    with pytest.raises(ModuleNotFoundError, match="needs pygame-ce"):
        cm.convert.to_pygame(B)


def test_the_extras_bring_the_packages_that_errors_name() -> None:
    for package, extra in BROUGHT.values():
        assert package in {re.split(r"[\[>]", need)[0] for need in EXTRAS[extra]}, package


def test_every_package_that_is_imported_stands_in_the_table() -> None:
    used: set[str] = set()
    for file in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                used.update(alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                used.add(node.module.partition(".")[0])
    used -= {
        *sys.stdlib_module_names,
        "carom",
        "carom_breakout",
        "carom_gym",
        "carom_playground",
        "numpy",
        "mapbox_earcut",
        "typing_extensions",
    }
    asked = {module for module, *_ in CALLS} | {module for module, _ in PROGRAMS}
    assert used == asked - {"imageio_ffmpeg"}  # which imageio imports


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda file: file.stem)
def test_an_example_takes_its_packages_from_carom_at_first(example: Path) -> None:
    """So that it, too, ends with the line that names the extra."""
    known: set[str] = set()
    for node in ast.walk(ast.parse(example.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "carom.draw":
            known |= {"matplotlib" if alias.name == "Figure" else alias.name for alias in node.names}
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [str(node.module)]
            used = {name.partition(".")[0] for name in names} & BROUGHT.keys()
            assert not used - known or known, "the first of them comes from carom.draw"


@pytest.mark.parametrize(
    ("name", "module"), [("questions", "matplotlib"), ("drawing", "pygame"), ("environments", "gymnasium")]
)
def test_an_example_without_its_package_says_what_installs_it(
    name: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ModuleNotFoundError) as refused:
        runpy.run_path(str(ROOT / "examples" / f"{name}.py"), run_name="__main__")
    assert refused.value.name == module and remedy(module) in str(refused.value)
