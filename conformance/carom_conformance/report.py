"""The page of results: scenes down, engines across, all of it from the JSON that a run has kept.

In: conformance/results/<machine>/<engine>.json. Out: docs/conformance.md. No figure on the page is typed by hand, but
for the words around the tables.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from carom_conformance.adapters import ADAPTERS
from carom_conformance.judge import VERDICTS, Row
from carom_conformance.registry import CHAPTERS, TOPICS, Scene, all_scenes
from carom_conformance.results import RESULTS, Results, read

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "conformance.md"
PICTURES = Path(__file__).parents[1] / "pictures"
ISSUE = re.compile(r"([\w.-]+/[\w.-]+)#(\d+)")

HEAD = """# Conformance: one list of scenes, several engines

{count} scenes with exact or closed-form answers, played by each engine through a small
[adapter](conformance-adapters.md). Anybody can run them on an engine:

```
make conformance                                  # Carom alone
make conformance ARGS="--engine pymunk --jobs 2"  # an engine that is installed
```

- **Right** means: the answer is the exact one, or a number lies within the tolerance of its scene. Tolerances come from
  the physics, such as the error of an integrator of first order, and stand with their reasons in the JSON.
- **Wrong** cells say by how much, or which answer came instead.
- **Crashed** means: the process died, needed more than 2 GB, or did not end within 60 s. Each scene runs in a process
  of its own.
- **Not offered** (a dash) means: the engine has no call for the question. It counts neither for nor against an engine.

Shapes are closed sets: those that touch in one point intersect. An engine for which touching is no contact is wrong in
these scenes by this convention. Box2D works with 32-bit floats, which cannot hold the scenes that are decided by the
last bit of a 64-bit float; the tolerances of all other scenes leave room for 32 bits. In the chapter of bad input an
engine is right if it raises an error of Python, or gives the right answer where the input makes sense.

The source of a scene, in italics, is the arithmetic that gives its answer, or an issue in which users of some engine,
at times one in three dimensions, reported a case of its kind.

Carom's authors chose the scenes, so many of them are about subjects that Carom was made for. Speed is not compared
here: see [the figures](figures.md). An engine that offers less has fewer answers to be wrong about.

"""


def write() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


def files() -> list[Path]:
    """Return the files of results, that of Carom first; those of the first machine, by name, if there are several."""
    folders = sorted(folder for folder in RESULTS.iterdir() if folder.is_dir())
    return [file for name in ADAPTERS if (file := folders[0] / f"{name}.json").exists()]


def kept() -> list[Results]:
    """Return the results that are kept."""
    return [read(file) for file in files()]


def page() -> str:
    """Return the text of the page."""
    engines, known = kept(), all_scenes()
    parts = [HEAD.format(count=len(known)), _engines(engines), _summary(engines, known), _losses(engines[0], known)]
    for chapter, title in CHAPTERS.items():
        parts.append(f"## {title}\n")
        for topic, scenes in _topics([scene for scene in known.values() if scene.chapter == chapter]).items():
            parts.append(f"### {topic}\n\n{_table(scenes, engines)}\n")
    return "\n".join(parts).rstrip() + "\n"


def _topics(scenes: list[Scene]) -> dict[str, list[Scene]]:
    first = {name: topic for topic, name in TOPICS.items()}
    found: dict[str, list[Scene]] = {}
    topic = ""
    for scene in scenes:
        topic = first.get(scene.name, topic)
        found.setdefault(topic, []).append(scene)
    return found


def _engines(engines: list[Results]) -> str:
    rows = []
    for one, file in zip(engines, files(), strict=True):
        link = f"[{one.engine}](../{file.relative_to(ROOT).as_posix()})"
        rows.append(f"| {link} | {one.version} | {one.seconds:.0f} s | {one.commit} | {one.settings} |")
    head = "| engine | version | all scenes | commit | settings |\n|---|---|---|---|---|"
    where = f"{engines[0].machine}; Python {engines[0].python}."
    return "\n".join(
        [head, *rows, "", f"{where} Each engine's name leads to its JSON, with tolerances and reasons.", ""]
    )


def _summary(engines: list[Results], known: dict[str, Scene]) -> str:
    head = "| chapter | scenes | " + " | ".join(one.engine for one in engines) + " |"
    lines = ["## In short", "", "Right / wrong / crashed / not offered:", "", head, "|---" * (len(engines) + 2) + "|"]
    for chapter, title in [*CHAPTERS.items(), ("", "all")]:
        names = [name for name, scene in known.items() if chapter in ("", scene.chapter)]
        cells = []
        for one in engines:
            counts = Counter(one.rows[name].verdict for name in names)
            cells.append(" / ".join(str(counts[verdict]) for verdict in VERDICTS))
        lines.append(f"| {title} | {len(names)} | " + " | ".join(cells) + " |")
    return "\n".join([*lines, ""])


def _losses(carom: Results, known: dict[str, Scene]) -> str:
    lost = [name for name, row in carom.rows.items() if row.verdict not in ("right", "not offered")]
    lines = [f"## Where {carom.engine} is wrong", ""]
    lines += [f"- {known[name].text} {_cell(carom.rows[name], plain=True)}." for name in lost]
    return "\n".join([*lines, ""]) if lost else "\n".join([*lines, "In no scene.", ""])


def _table(scenes: list[Scene], engines: list[Results]) -> str:
    lines = ["| | scene | " + " | ".join(one.engine for one in engines) + " |", "|---" * (len(engines) + 2) + "|"]
    for scene in scenes:
        picture = f"![{scene.name}](../conformance/pictures/{scene.name}.svg)"
        cells = " | ".join(_cell(one.rows[scene.name]) for one in engines)
        lines.append(f"| {picture} | {_escaped(scene.text)} *{_source(scene.source)}* | {cells} |")
    return "\n".join(lines)


def _source(source: str) -> str:
    return ISSUE.sub(r"[\1#\2](https://github.com/\1/issues/\2)", source)


def _cell(row: Row, plain: bool = False) -> str:
    if row.verdict == "right":
        return "right"
    if row.verdict == "not offered":
        return "–"
    word = row.verdict if plain else f"**{row.verdict}**"
    if row.note:
        return f"{word}: {_escaped(row.note)}"
    if row.off is not None:
        return f"{word} by {row.off:.2g}"
    return f"{word}: {_said(row.measured)}"


def _said(value: object) -> str:
    words = {True: "yes", False: "no", None: "none"}
    return words[value] if value is None or isinstance(value, bool) else str(value)


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
