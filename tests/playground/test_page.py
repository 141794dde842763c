"""The page for the browser: nothing from outside, all pictures in it, and clicked through in a real browser."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import carom as cm
from carom.cli import main
from carom.explain.words import sentence_of
from carom_playground.browser import module
from carom_playground.browser.page import MOST, joined
from carom_playground.gallery import GALLERY, named
from carom_playground.page import page
from carom_playground.scene import LAYERS, Scene

NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next((found for name in NAMES if (found := shutil.which(name))), None)
QUIET = (
    "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update "
    "--disable-sync --disable-quic --virtual-time-budget=4000 --dump-dom"
)


class Ids(HTMLParser):
    """Reads all ids, and whether all tags are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value for name, value in attrs if name == "id" and value]
        if tag not in ("meta", "input"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value for name, value in attrs if name == "id" and value]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(text: str) -> Ids:
    found = Ids()
    found.feed(text)
    return found


@pytest.mark.parametrize("name", GALLERY)
def test_a_page_is_whole_and_needs_nothing_else(name: str) -> None:
    scene = named(name)
    text = page(scene)
    found = read(text)
    assert found.open == []
    assert len(found.ids) == len(set(found.ids))
    assert not re.search(r"(?:src|href)=|url\((?!#)|@import|fetch\(|XMLHttp", text)
    why = cm.explain(scene.a, scene.b)
    assert {f"step-{k}" for k in range(len(why.levels) + 2)} <= set(found.ids)
    assert sentence_of(why.closest, 4) in text
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S).group(1))
    assert [step["text"] for step in data["steps"]][-1] == sentence_of(why.closest, 4)
    assert set(data["layers"]) == set(LAYERS)


def test_words_cannot_break_out_of_the_page() -> None:
    evil = '</script><script>document.title = "broken"</script>"\'&'
    text = page(Scene.of([cm.Circle((0, 0), 1), cm.Circle((1, 0), 1)], "axes", title=evil, words=evil))
    assert "<script>document" not in text
    assert read(text).open == []


def test_a_scene_without_a_pair_has_a_page() -> None:
    for shapes in ([], [cm.Circle((0, 0), 1)]):
        found = read(page(Scene.of(shapes)))
        assert "difference" not in found.ids and found.open == []


def test_where_a_page_cannot_be_live_a_line_says_so_and_it_can_be_stepped_through(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MODULE", tmp_path / "kernels.wasm")
    file = tmp_path / "page.html"
    assert main(["playground", "--html", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "not played with: the kernels for the browser are not here; " in shown
    assert 'id="step-0"' in file.read_text(encoding="utf-8")
    shapes = [f"circle {k} 0 1" for k in range(MOST + 1)]
    assert main(["playground", *shapes, "--html", str(file)]) == 0
    assert f"a live page holds at most {MOST} shapes, not {MOST + 1}" in capsys.readouterr().out


def test_the_kernels_that_the_live_page_asks_are_listed_once_and_compiled_for_one_signature() -> None:
    asked = set(re.findall(r'(?:call|py\.kernel)\(\s*"(\w+)"', joined()))
    assert {name.rpartition(".")[2] for name in module.KERNELS} == asked and len(module.KERNELS) == len(asked)
    signatures = pytest.importorskip("carom._core.jit.signatures", reason="Numba is not here", exc_type=ImportError)
    compiled = [line.partition(" ")[0] for line in signatures.listed()]
    assert all(compiled.count(name) == 1 for name in module.KERNELS), "kernels.txt names a kernel that is not there"


# Played in the page by a script that does what a visitor does, and writes down what can then be seen.
VISIT = """
<script>
const seen = {};
const visible = () => [...document.querySelectorAll("svg g[id]")].filter(g => !g.hasAttribute("hidden")
  && g.closest("svg") && !g.closest("svg").hasAttribute("hidden") && g.getClientRects().length).map(g => g.id);
const press = key => document.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
const note = name => { seen[name] = {
  groups: visible(), heading: get("heading").textContent, count: get("count").textContent,
  lines: get("lines").textContent, back: get("back").disabled, next: get("next").disabled}; };
note("start");
for (let k = 0; k < told.steps.length; k++) { k % 2 ? press("ArrowRight") : get("next").click(); note("step" + k); }
press("ArrowRight"); note("beyond");
for (let k = 0; k <= told.steps.length; k++) { k % 2 ? press("ArrowLeft") : get("back").click(); }
note("back");
press("4"); note("axes off"); press("4");
press("]"); note("next axis"); press("["); note("axis");
get("switch-minkowski").click(); note("minkowski");
get("safe").click();
seen.safe = getComputedStyle(document.querySelector("path.meets")).fill;
document.body.dataset.seen = JSON.stringify(seen);
</script>
"""


@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
def test_a_visitor_clicks_through_the_page(tmp_path: Path) -> None:
    scene = named("sat-polygons")
    file = tmp_path / "page.html"
    file.write_text(page(scene).replace("</body>", VISIT + "</body>"), encoding="utf-8")
    command = [str(BROWSER), *QUIET.split(), f"--user-data-dir={tmp_path / 'profile'}", file.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    found = re.search(r'data-seen="([^"]*)"', done.stdout)
    assert found, done.stderr[-2000:]
    seen = json.loads(found.group(1).replace("&quot;", '"').replace("&amp;", "&"))
    why = cm.explain(scene.a, scene.b)
    count = len(why.levels) + 2
    shown = {"shapes", "layer-mtv", f"axis-{why.deciding}", f"strips-{why.deciding}-items"}
    assert shown <= set(seen["start"]["groups"])
    assert "MTV" in seen["start"]["lines"] and seen["start"]["back"]
    for k in range(count):
        now = seen[f"step{k}"]
        assert [name for name in now["groups"] if name.startswith("step-")] == [f"step-{k}"]
        assert now["count"] == f"step {k + 1} of {count}"
        assert "layer-mtv" not in now["groups"] and now["next"] == (k == count - 1)
    assert seen["beyond"] == seen[f"step{count - 1}"]
    assert seen["back"]["groups"] == seen["start"]["groups"]
    assert f"strips-{why.deciding}-items" not in seen["axes off"]["groups"]
    assert f"axis-{why.deciding}" not in seen["next axis"]["groups"]
    assert seen["axis"]["groups"] == seen["start"]["groups"]
    assert "difference-items" in seen["minkowski"]["groups"] and "origin" in seen["minkowski"]["lines"]
    assert seen["safe"] == "rgb(230, 159, 0)"
