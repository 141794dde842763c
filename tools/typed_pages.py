"""Check the types of the programs on the pages: python tools/typed_pages.py [FOLDER].

In: the python blocks of docs/. Out: a module for each page in FOLDER, or in a folder
that is thrown away, with each statement on the line that it has on its page; and what mypy --strict and pyright say of
them, by page and line, also each expression whose type is Any, unless Carom cannot know more. The exit status is 1 if
there is anything to say.
"""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]
FENCE = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
MYPY = f"""[mypy]
mypy_path = {ROOT / "conformance"}
strict = true
python_version = 3.11
allow_redefinition_new = true
local_partial_types = true
disallow_any_expr = true
allow_untyped_defs = true
allow_incomplete_defs = true
allow_untyped_calls = true
allow_untyped_decorators = true
[mypy-shapely.*]
ignore_missing_imports = true
[mypy-pandas.*]
ignore_missing_imports = true
[mypy-numba.*]
follow_imports = skip
[mypy-carom_conformance.*]
follow_imports = silent
"""
PYRIGHT = {
    "typeCheckingMode": "standard",
    "pythonVersion": "3.11",
    "reportUnusedExpression": "none",
    "extraPaths": [str(ROOT / "conformance")],
}
SAID = re.compile(r"(?P<file>[\w./\\:-]+?\.py):(?P<line>\d+):(?P<column>\d+):(?P<last>\d+):(?P<end>\d+): (?P<text>.*)")
ANY = re.compile(r"Expression (?:has type|type contains) \"Any\"")
UNKNOWN = [
    r"ndarray\[|dtype\[|slice\[Any|\.(tolist|item|sum|round|all|any|max|min)\(",  # NumPy leaves it open
    r"\[\w+\]|\[\w+, \d\]|of_the_second|\brow\b",  # so it does for what is in an array
    r"tuple\[float, float\]",  # mypy's own, of a slice of a NamedTuple
    r"Trigger|\.data\b|\.properties|bodies\.triggers",  # what is in a map or in `data=` is the user's
    r"shapely|\broom\b|rooms|dict\[Any|list\[Any\]|tuple\[str",  # Shapely has no types
    r"games\.score",  # the state of games is a record of NumPy
]
OPEN = re.compile("|".join(UNKNOWN))
OPEN_PAGES = ("docs_environments", "docs_kernels")  # about Gymnasium's Env[Any, Any], and functions that Numba compiles


def pages() -> list[Path]:
    """Return the pages whose programs are checked."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def statements(block: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a block that run without an error, and how many lines of the block are above each."""
    if ">>>" not in block:
        yield 0, block
        return
    for example in doctest.DocTestParser().get_examples(block):
        if example.exc_msg is None:
            yield example.lineno, example.source


def program(page: Path) -> str:
    """Return the programs of a page as one module, each line where it is on the page."""
    text = page.read_text(encoding="utf-8")
    lines = [""] * text.count("\n")
    for found in FENCE.finditer(text):
        above = text.count("\n", 0, found.start(1))
        for at, source in statements(found[1]):
            for k, line in enumerate(source.splitlines()):
                lines[above + at + k] = line
    return "\n".join(lines) + "\n"


def write(folder: Path) -> dict[str, Path]:
    """Write a module for each page with programs; return the page of each module's name."""
    written = {}
    for page in pages():
        source = program(page)
        if source.strip():
            name = "_".join(page.relative_to(ROOT).with_suffix("").parts).replace("-", "_")
            (folder / f"{name}.py").write_text(source, encoding="utf-8")
            written[name] = page
    (folder / "mypy.ini").write_text(MYPY, encoding="utf-8")
    (folder / "pyrightconfig.json").write_text(json.dumps(PYRIGHT), encoding="utf-8")
    return written


def is_open(said: re.Match[str], file: Path) -> bool:
    """Tell whether an expression is Any because of another library or of the user's own data."""
    if not ANY.search(said["text"]):
        return False
    lines = file.read_text(encoding="utf-8").splitlines()[int(said["line"]) - 1 : int(said["last"])]
    lines[-1] = lines[-1][: int(said["end"])]
    expression = "\n".join(lines)[int(said["column"]) - 1 :]
    return file.stem in OPEN_PAGES or OPEN.search(f"{said['text']} {expression}") is not None


def of_mypy(folder: Path, written: dict[str, Path]) -> list[str]:
    """Return what mypy says, by page and line."""
    command = [sys.executable, "-m", "mypy", "--config-file", str(folder / "mypy.ini")]
    command += ["--show-error-end", "--no-error-summary", "--hide-error-context", *map(str, folder.glob("*.py"))]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    told = [done.stderr.strip()] if done.stderr.strip() else []
    for line in done.stdout.splitlines():
        said = SAID.match(line)
        file = folder / Path(said["file"]).name if said else None
        if said is None or file is None or file.stem not in written:
            told.append(line)
        elif not is_open(said, file):
            told.append(f"{written[file.stem].relative_to(ROOT)}:{said['line']}: {said['text']}")
    return told


def of_pyright(folder: Path, written: dict[str, Path]) -> list[str]:
    """Return what pyright says, by page and line."""
    command = [sys.executable, "-m", "basedpyright", "--level", "error", "--pythonpath", sys.executable]
    done = subprocess.run([*command, "-p", str(folder)], cwd=ROOT, check=False, capture_output=True, text=True)
    if done.returncode == 0:
        return []
    told = []
    for line in (done.stdout + done.stderr).splitlines():
        said = re.search(r"(\w+)\.py:(\d+):\d+ - (.*)", line)
        if said is None or said[1] not in written:
            told.append(line)
        else:
            told.append(f"{written[said[1]].relative_to(ROOT)}:{said[2]}: {said[3]}")
    return told


def main() -> int:
    """Write the modules, check them, and say what is wrong."""
    with tempfile.TemporaryDirectory() as thrown_away:
        folder = Path(sys.argv[1] if len(sys.argv) > 1 else thrown_away).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        written = write(folder)
        with ThreadPoolExecutor() as both:
            of_each = [both.submit(ask, folder, written) for ask in (of_mypy, of_pyright)]
            told = [line for one in of_each for line in one.result()]
    print("\n".join(told) if told else f"The programs of {len(written)} pages have the types they should")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
