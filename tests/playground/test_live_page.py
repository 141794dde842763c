"""The live page in a real browser: the same answers as Python to the bit, and played with mouse, fingers and keys."""

from __future__ import annotations

import importlib
import importlib.util
import json
import math
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import carom as cm
from carom.draw.pair.facts import facts_of
from carom_playground.browser import module
from carom_playground.browser.page import live_page, told, told_shape
from carom_playground.gallery import GALLERY, named
from carom_playground.scene import LAYERS, Scene
from carom_playground.story import layer_lines, steps, tally_lines

ROOT = Path(__file__).parents[2]
LAPTOP, PHONE = {"width": 1400, "height": 900}, {"width": 390, "height": 844}
LEFT_OUT = ("partition", "tree")  # layers of whole scenes


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory, without: Any) -> Iterator[Path]:
    """The page of the first scene, with the kernels that are here, or else with some made for these tests."""
    folder = tmp_path_factory.mktemp("page")
    with pytest.MonkeyPatch.context() as patch:
        try:
            module.module()
        except module.NotLive as reason:
            if importlib.util.find_spec("ziglang") is None or importlib.util.find_spec("numba") is None:
                without(f"{reason}; it needs the packages ziglang and numba")
            made = folder / "kernels.wasm"
            subprocess.run([sys.executable, "-m", "tools.emit.page", str(made)], cwd=ROOT, check=True)
            patch.setattr(module, "MODULE", made)
        file = folder / "page.html"
        file.write_text(live_page(named("demo")), encoding="utf-8")
        yield file


class Player:
    """A page in the browser, and the hands on it."""

    def __init__(self, browser: Any, file: Path, hash_: str = "", size: dict[str, int] = LAPTOP) -> None:
        self.page = browser.new_context(viewport=size, has_touch=True).new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda said: said.type == "error" and self.errors.append(said.text))
        self.page.goto(f"file://{file}{hash_}")
        self.page.wait_for_function("carom.frame > 0")

    def ask(self, script: str, given: Any = None) -> Any:
        return self.page.evaluate(script, given)

    def press(self, key: str) -> None:
        """Press a key, and have the answer drawn."""
        self.page.keyboard.press(key)
        self.ask("carom.draw()")

    def place(self, point: tuple[float, float]) -> tuple[float, float]:
        """Return where a point of the world stands on the screen."""
        script = """([x, y]) => {
            const [view, box] = [carom.view(), document.getElementById("scene").getBoundingClientRect()];
            const [left, top] = view.place([x, y]);
            return [box.x + left, box.y + top];
        }"""
        x, y = self.ask(script, list(point))
        return x, y

    def shape(self, row: int) -> str:
        text: str = self.ask("row => carom.state.scene.shapes[row].repr()", row)
        return text

    def drag(self, start: tuple[float, float], *ends: tuple[float, float]) -> None:
        """Drag the mouse from one place on the screen over others."""
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        for end in ends:
            mouse.move(*end, steps=4)
        mouse.up()


@pytest.fixture
def player(browser: Any, page_file: Path) -> Iterator[Player]:
    one = Player(browser, page_file)
    yield one
    assert one.errors == []


# --- the same answers ---


def number(rng: random.Random, even: bool) -> float:
    """Return a coordinate; even ones often touch or coincide."""
    return rng.choice([-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0]) if even else rng.uniform(-2.0, 2.0)


def any_shape(rng: random.Random, even: bool) -> cm.ConvexShape:
    """Return a shape of any kind."""
    x, y, size = number(rng, even), number(rng, even), rng.choice([0.5, 1.0, 1.5]) if even else rng.uniform(0.1, 1.5)
    kind = rng.randrange(8)
    if kind == 0:
        return cm.Point((x, y))
    if kind == 1:
        return cm.Segment((x, y), (x + size, y + number(rng, even)))
    if kind == 2:
        return cm.Circle((x, y), size)
    if kind == 3:
        return cm.Capsule((x, y), (x + size, y + number(rng, even)), size)
    if kind == 4:
        return cm.Box((x, y), (size, rng.choice([0.5, 1.0, 2.0])))
    if kind == 5:
        return cm.Box(
            (x, y), (size, rng.uniform(0.2, 2.0)), rng.uniform(-4.0, 4.0), radius=rng.choice([0.0, 0.0, 0.25])
        )
    turns = [rng.uniform(0.0, math.tau) for _ in range(rng.randrange(5, 12))]
    points = [(x + size * math.cos(turn), y + rng.choice([0.5, 1.0]) * size * math.sin(turn)) for turn in turns]
    return cm.Polygon(cm.hull(points).vertices, radius=rng.choice([0.0, 0.0, 0.3]))


ANSWERS = """pairs => pairs.map(({ a: first, b: second, motion, layers }) => {
    const [a, b] = [first, second].map(carom.restored);
    const scene = layer => carom.read({ shapes: [first, second], pair: [0, 1], motion, layers: [layer] });
    const facts = carom.python.facts_of(scene(layers[0]));
    const { why, strike } = facts;
    return {
        separation: why.separation,
        closest: [...why.closest].slice(1),
        contact: why.contact,
        axes: why.axes,
        deciding: why.deciding,
        difference: why.difference,
        hit: strike && strike.hit,
        steps: carom.python.steps(why).map(step => [step.heading, step.test, step.text]),
        lines: layers.map(layer => carom.python.layer_lines(scene(layer), facts, why.deciding)),
        text: [a.repr(), b.repr()],
    };
})"""


def answers(a: cm.ConvexShape, b: cm.ConvexShape, motion: tuple[float, float], layers: list[str]) -> dict[str, Any]:
    """Return what Python says about a pair, as the page does."""
    facts = facts_of(Scene.of([a, b], "", motion))
    why, hit = facts.why, facts.strike.hit if facts.strike else None
    assert why is not None
    near, contact = why.closest, why.contact
    return {
        "separation": near.separation,
        "closest": [near.normal, near.point_a, near.point_b],
        "contact": contact and list(contact),
        "axes": list(why.axes),
        "deciding": why.deciding,
        "difference": list(why.difference),
        "hit": hit and list(hit),
        "steps": [[step.heading, step.test, step.text] for step in steps(why)],
        "lines": [layer_lines(Scene.of([a, b], layer, motion), facts, why.deciding) for layer in layers],
        "text": [repr(a), repr(b)],
    }


@pytest.mark.parametrize("count", [100, pytest.param(2000, marks=pytest.mark.full)])
def test_the_page_and_python_give_the_same_bits_and_words(player: Player, count: int) -> None:
    rng = random.Random(count)
    layers = [name for name in LAYERS if name not in LEFT_OUT]
    pairs = [(any_shape(rng, k % 2 == 0), any_shape(rng, k % 2 == 0)) for k in range(count)]
    motions = [(number(rng, k % 2 == 0), number(rng, k % 2 == 0)) for k in range(count)]
    given = [
        {"a": told_shape(a), "b": told_shape(b), "motion": motion, "layers": layers}
        for (a, b), motion in zip(pairs, motions, strict=True)
    ]
    found = player.ask(ANSWERS, given)
    for (a, b), motion, said in zip(pairs, motions, found, strict=True):
        expected = json.loads(json.dumps(answers(a, b, motion, layers)))
        for name, value in expected.items():
            assert said[name] == value, (name, a, b, motion)
    kinds = {(type(a).__name__, type(b).__name__) for a, b in pairs}
    assert len(kinds) == 36 or count < 2000
    assert {said["steps"][-1][1] for said in found} == {"They are apart.", "They touch.", "They overlap."}


def crowd(rng: random.Random) -> Scene:
    """Return many shapes, of one size or of many."""
    spread, small = rng.uniform(2.0, 10.0), rng.choice([1.0, 0.01])
    shapes: list[cm.ConvexShape] = []
    for _ in range(rng.randrange(2, 60)):
        shape, size = any_shape(rng, even=False), small ** rng.random()
        place = rng.uniform(-spread, spread), rng.uniform(-spread, spread)
        shapes.append(cm.Circle(place, size) if isinstance(shape, cm.Circle) else shape.translated(place))
    return Scene.of(shapes, "partition tree")


@pytest.mark.parametrize("count", [10, pytest.param(150, marks=pytest.mark.full)])
def test_the_page_divides_space_and_counts_tests_as_python(player: Player, count: int) -> None:
    rng = random.Random(count)
    scenes = [*(named(name) for name in GALLERY), *(crowd(rng) for _ in range(count))]
    script = """scenes => scenes.map(told => {
        const { facts_of, layer_lines, tally_lines } = carom.python;
        const scene = carom.read(told);
        const facts = facts_of(scene);
        const axis = facts.why?.deciding ?? 0;
        const lines = layers => layer_lines(scene._replace({ layers: new Set(layers) }), facts, axis);
        return [lines(["partition", "tree"]), lines([...carom.python.LAYERS.keys()]), tally_lines(scene), facts.meets];
    })"""
    found = player.ask(script, [told("any", scene) for scene in scenes])
    for scene, said in zip(scenes, found, strict=True):
        facts = facts_of(scene)

        def lines(scene: Scene, layers: list[str], facts: Any = facts) -> list[str]:
            shown = Scene(scene.shapes, scene.pair, scene.motion, frozenset(layers))
            return layer_lines(shown, facts, 0 if facts.why is None else facts.why.deciding)

        expected = [
            lines(scene, ["partition", "tree"]),
            lines(scene, list(LAYERS)),
            tally_lines(scene),
            list(facts.meets),
        ]
        assert said == expected, scene.title


def test_cosine_and_sine_are_rounded_correctly_and_near_those_of_the_system(player: Player) -> None:
    rng = np.random.default_rng(4)
    angles = [*rng.uniform(-7.0, 7.0, 3000).tolist(), *(k * math.pi / 2.0 for k in range(-9, 10)), 1e-9, 1e6, -1e12]
    found = player.ask("angles => angles.map(carom.cos_sin)", angles)
    unlike = 0
    for angle, said in zip(angles, found, strict=True):
        expected = cm.Vec(1.0, 0.0).rotated(angle)
        assert said == pytest.approx(expected, rel=3e-16, abs=0.0)
        unlike += (said[0] != expected.x) + (said[1] != expected.y)
    assert unlike <= 0.005 * len(angles)


def test_the_page_is_small_and_needs_nothing_from_outside(page_file: Path) -> None:
    text = page_file.read_text(encoding="utf-8")
    assert len(text.encode()) <= 2_000_000
    assert len(module.module()) <= 600_000
    assert "http://" not in text and "https://" not in text and "fetch(" not in text


# --- all of it, without an error ---

# Each scene with each layer alone and with all of them: what was not drawn, and what the page says of an error.
VISITS = """async ([scenes, layers]) => {
    const blank = canvas => new Set(new Uint32Array(
        canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size < 3;
    const wrong = [];
    for (const scene of scenes) for (const chosen of [...layers.map(layer => [layer]), layers]) {
        location.hash = `scene=${scene}&layers=${chosen.join(",")}`;
        await new Promise(done => addEventListener("hashchange", done, { once: true }));
        await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
        const where = `${scene} ${chosen.join(",")}`;
        const shown = [...document.querySelectorAll("canvas")].filter(one => one.checkVisibility());
        for (const canvas of shown) if (blank(canvas)) wrong.push(`${where}: ${canvas.id} is blank`);
        if (!document.getElementById("fault").hidden)
            wrong.push(`${where}: ${document.getElementById("fault-text").textContent}`);
        const now = carom.state.scene;
        if ([...now.layers].sort().join() !== [...chosen].sort().join()) wrong.push(`${where}: other layers are on`);
    }
    return wrong;
}"""


def test_every_scene_is_drawn_with_each_layer_and_with_all_of_them(player: Player) -> None:
    names = list(GALLERY)
    assert player.ask(VISITS, [names, list(LAYERS)]) == []
    assert player.page.locator("#scenes option").count() == len(names)


def test_every_step_of_every_scene_is_shown(player: Player) -> None:
    for name in GALLERY:
        why = facts_of(named(name)).why
        assert why is not None
        player.ask("name => (location.hash = `scene=${name}&step=1`)", name)
        count = len(steps(why))
        player.page.wait_for_function(
            "([text]) => `${carom.state.scene.title} ${document.getElementById('count').textContent}` === text",
            arg=[f"{named(name).title} step 1 of {count}"],
        )
        for _ in range(count):
            player.press("n")
        assert player.page.is_hidden("#fault"), name
        assert player.page.inner_text("#heading").split() == steps(why)[-1].heading.split()


# --- errors ---


def test_an_error_in_drawing_is_told_on_the_canvas_until_the_next_choice(browser: Any, page_file: Path) -> None:
    player = Player(browser, page_file)
    assert player.page.is_hidden("#fault")
    player.ask("carom.state.scene.shapes[0]._record = null, carom.state.scene.shapes[0]._core = undefined")
    player.page.keyboard.press("3")
    player.page.wait_for_selector("#fault", state="visible")
    assert len(player.errors) == 1 and player.page.inner_text("#fault-text") in player.errors[0]
    field, told_ = (player.page.locator(name).bounding_box() for name in ("#scene", "#fault"))
    assert field["x"] <= told_["x"] and told_["x"] + told_["width"] <= field["x"] + field["width"]
    assert field["y"] <= told_["y"] and told_["y"] + told_["height"] <= field["y"] + field["height"]
    player.page.keyboard.press("PageDown")
    player.page.wait_for_selector("#fault", state="hidden")
    assert len(player.errors) == 1


@pytest.mark.parametrize("broken", ["() => { throw new Error('no flip') }", "async () => null.x"])
def test_an_error_of_a_button_is_told_on_the_canvas(browser: Any, page_file: Path, broken: str) -> None:
    player = Player(browser, page_file)
    player.ask(f"void (carom.state.flip = {broken})")
    player.page.click("#corners")
    player.page.wait_for_selector("#fault", state="visible")
    assert player.page.inner_text("#fault-text") in ("no flip", "Cannot read properties of null (reading 'x')")


def test_kernels_that_cannot_be_loaded_are_told_on_the_canvas(browser: Any, page_file: Path, tmp_path: Path) -> None:
    text = page_file.read_text(encoding="utf-8")
    file = tmp_path / "broken.html"
    kernels = re.findall(r'"module":"([^"]+)"', text)
    assert len(kernels) == 1
    file.write_text(text.replace(kernels[0], "AAAA"), encoding="utf-8")
    page = browser.new_page()
    page.goto(f"file://{file}")
    page.wait_for_selector("#fault", state="visible")
    assert "WebAssembly" in page.inner_text("#fault-text")


@pytest.mark.parametrize(("name", "known"), [("scene", GALLERY), ("layers", LAYERS)])
def test_a_scene_or_layer_that_is_not_there_is_said_with_those_that_are(
    browser: Any, page_file: Path, name: str, known: Any
) -> None:
    player = Player(browser, page_file, f"#{name}=nope")
    kind = name.removesuffix("s")
    assert player.page.inner_text("#message") == f'There is no {kind} "nope". There are: {", ".join(known)}.'
    player.press("t")
    assert player.page.inner_text("#message") == ""
    assert player.errors == []


# --- hands ---


def test_a_dragged_shape_follows_the_mouse_and_undo_brings_it_back(player: Player) -> None:
    before, (x, y) = player.shape(1), player.place((0.9, 0.2))
    player.drag((x, y), (x + 200, y - 40), (x + 150, y + 30))
    scale = player.ask("carom.view().scale")
    moved = named("demo").shapes[1].translated((150.0 / scale, -30.0 / scale))
    assert player.ask("carom.state.selected") == 1
    record = player.ask("[...carom.state.chosen._record]")
    assert record[3:5] == pytest.approx([moved._record[3], moved._record[4]], abs=1e-9)
    player.page.click("#undo")
    assert player.shape(1) == before
    player.page.click("#redo")
    assert player.shape(1) != before


def test_handles_turn_resize_and_reshape(player: Player) -> None:
    middle = named("demo").shapes[1].position
    x, y = player.place(middle)
    player.drag((x, y - 46), (x + 46, y))
    turned = named("demo").shapes[1].rotated(-math.pi / 2.0)
    assert player.ask("carom.state.chosen._record[10]") == pytest.approx(turned._record[10], abs=0.1)
    area = player.ask("carom.explain(...carom.state.scene.pair.map(k => carom.state.scene.shapes[k])).axis.b")
    player.drag((x + 46, y), (x + 92, y))
    larger = player.ask("carom.explain(...carom.state.scene.pair.map(k => carom.state.scene.shapes[k])).axis.b")
    assert larger[1] - larger[0] > 1.5 * (area[1] - area[0])
    player.page.keyboard.press("Control+z")
    player.page.keyboard.press("Control+z")
    player.page.click("#corners")
    corner = named("demo").shapes[1].vertices[0]
    place = player.place(corner)
    player.drag(place, (place[0] - 30, place[1] + 20))
    assert player.shape(1) != repr(named("demo").shapes[1])
    player.drag(player.place((-0.1, -0.4)), (x + 200, y))  # into the polygon and beyond: refused
    assert player.page.inner_text("#message") in ("", "A polygon has to stay convex.")


def test_shapes_are_added_and_deleted_up_to_the_last(player: Player) -> None:
    for kind in ("circle", "box", "turned box", "polygon", "capsule", "segment", "point"):
        player.page.get_by_role("button", name=f"+ {kind}", exact=True).click()
    assert player.ask("carom.state.scene.shapes.length") == 14
    for _ in range(14):
        player.ask("carom.state.select(0), carom.draw()")
        player.page.click("#delete")
    assert player.ask("carom.state.scene.shapes.length") == 0
    assert player.page.inner_text("#verdict") == "Add a second shape to compare two."


def test_two_fingers_turn_the_shape_under_the_first(browser: Any, page_file: Path) -> None:
    player = Player(browser, page_file, "#scene=sat-boxes", PHONE)
    second = named("sat-boxes").shapes[1]
    x, y = player.place(second.position)
    session = player.page.context.new_cdp_session(player.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        fingers = [{"x": px, "y": py, "id": k} for k, (px, py) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    touch("touchStart", (x, y))
    touch("touchStart", (x, y), (x + 60, y))
    touch("touchMove", (x, y), (x, y - 60))  # a quarter counter-clockwise
    touch("touchEnd")
    angle = player.ask("carom.state.scene.shapes[1]._detail[2]")
    assert angle == pytest.approx(math.radians(35.0) + math.pi / 2.0, abs=1e-6)
    player.page.click("#undo")
    assert player.shape(1) == repr(second)
    assert player.errors == []


def test_a_keyboard_reaches_everything(player: Player) -> None:
    reached = set()
    for _ in range(80):
        player.page.keyboard.press("Tab")
        reached.add(player.ask("document.activeElement.id || document.activeElement.textContent"))
    wanted = player.ask(
        "[...document.querySelectorAll('button, input, select, canvas[tabindex]')].filter("
        "e => !e.disabled && e.checkVisibility() && !e.closest('#shapes') && e.id !== 'tab-layers')"
        ".map(e => e.id || e.textContent)"
    )
    assert set(wanted) <= reached
    before = player.ask("[...carom.state.scene.shapes[0]._record]")
    player.ask("document.querySelector('#shapes button').focus()")
    assert player.ask("carom.state.selected") == 0
    player.page.keyboard.press("Shift+ArrowRight")
    after = player.ask("[...carom.state.scene.shapes[0]._record]")
    assert (after[3] - before[3]) * player.ask("carom.view().scale") == pytest.approx(10.0)


def test_a_screen_reader_is_told_what_is_shown(player: Player) -> None:
    label = player.page.get_attribute("#scene", "aria-label")
    assert label is not None and label.startswith("7 shapes. A, Box at -1.2, 0.6, meets another; B, Polygon at")
    assert player.page.get_attribute("#verdict", "aria-live") == "polite"
    unnamed = player.ask(
        "[...document.querySelectorAll('button, input, select, canvas')].filter(e => "
        "!(e.textContent || e.ariaLabel || e.labels?.length)).length"
    )
    assert unnamed == 0


def test_python_code_that_is_copied_makes_the_same_pair(player: Player) -> None:
    player.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    player.page.click("#copy")
    player.page.wait_for_function("document.getElementById('message').textContent.startsWith('Copied')")
    assert player.ask("navigator.clipboard.readText()") == named("demo").to_python()


# Each shape turned, grown and moved as by hand: the text of it, and its record.
HANDLED = """turns => turns.map(([row, angle, x, y]) => {
    const { state } = carom;
    state.select(row);
    state.turn(angle);
    state.scale(Math.exp(angle / 4));
    state.move([x, y]);
    return [state.chosen.repr(), [...state.chosen._record]];
})"""


def test_python_code_of_a_shape_that_was_dragged_makes_the_same_bits(player: Player) -> None:
    rng = random.Random(6)
    turns = [(k % 7, rng.uniform(-1.0, 1.0), rng.uniform(-3.0, 3.0), rng.uniform(-3.0, 3.0)) for k in range(700)]
    moved = 0
    for text, record in player.ask(HANDLED, turns):
        made = eval(text, vars(cm))
        moved += ").translated(" in text
        if not isinstance(made, cm.Box) or made.angle == 0.0:  # Python's cosine of an angle may be another
            assert made._record.tolist() == record, text
        assert repr(made) == text
    assert moved > 50


def test_steps_go_forth_and_back_and_tell_nothing_early(browser: Any, page_file: Path) -> None:
    player = Player(browser, page_file, "#scene=sat-polygons&step=1")
    expected = steps(facts_of(named("sat-polygons")).why)  # type: ignore[arg-type]
    for number_, step in enumerate(expected):
        assert player.page.inner_text("#heading").split() == step.heading.split()
        assert player.page.inner_text("#text") == step.text
        told_yet = player.page.inner_text("#verdict") != "Do A and B meet?"
        assert told_yet == (number_ == len(expected) - 1)
        player.press("n")
    player.press("p")
    assert player.page.inner_text("#heading").split() == expected[-2].heading.split()


def test_an_address_opens_a_scene_with_layers(browser: Any, page_file: Path) -> None:
    player = Player(browser, page_file, "#scene=obb&layers=aabb,closest")
    assert player.ask("[carom.state.scene.title, [...carom.state.scene.layers]]") == [
        named("obb").title,
        ["aabb", "closest"],
    ]
    assert player.page.locator("#layers input:checked").count() == 2


def test_the_lesson_judges_what_a_pupil_drags(browser: Any, page_file: Path) -> None:
    player = Player(browser, page_file, "#lesson=1")
    answer = player.page.locator("#lesson-answer")
    expect = importlib.import_module("playwright.sync_api").expect
    expect(answer).to_have_text("Not yet. Still to do: the circles meet.")
    a, b = named("bounding-circles").shapes
    x, y = player.place(b.position)
    scale = player.ask("carom.view().scale")
    player.drag((x, y), (x - 1.5 * scale, y))
    expect(answer).to_have_text("Right: the circles meet, and the shapes are apart.")
    player.drag((x - 1.5 * scale, y), player.place(a.position))
    expect(answer).to_have_text("Not yet. Still to do: the shapes are apart.")
    seen = set()
    for part in range(7):
        seen.add(player.page.inner_text("#lesson-heading"))
        if player.page.is_enabled("#lesson-next"):
            player.page.click("#lesson-next")
            expect(player.page.locator("#lesson-count")).to_have_text(f"part {part + 2} of 7")
            assert answer.inner_text().startswith("Not yet."), player.page.inner_text("#lesson-heading")
    assert len(seen) == 7 and player.errors == []


@pytest.mark.parametrize("tab", ["why", "steps", "lesson", "layers"])
def test_all_controls_of_a_phone_stand_within_its_screen(browser: Any, page_file: Path, tab: str) -> None:
    player = Player(browser, page_file, "#scene=demo", PHONE)
    player.page.click(f"#tab-{tab}")
    outside = player.ask(
        """() => [...document.querySelectorAll("header > *, #tools > *, #tabs > *, #layers label, #steps button")]
        .filter(e => e.checkVisibility() && e.textContent).filter(e => {
            const box = e.getBoundingClientRect();
            return box.left < 0 || box.top < 0 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
        }).map(e => e.id || e.textContent)"""
    )
    assert outside == []
    assert player.ask("document.documentElement.scrollHeight <= innerHeight")
    assert player.ask("document.getElementById('scene').clientHeight") >= 400
    assert player.errors == []


def test_a_frame_of_a_drag_with_all_layers_is_quick(browser: Any, page_file: Path) -> None:
    player = Player(browser, page_file, "#scene=crowd&layers=" + ",".join(LAYERS))
    session = player.page.context.new_cdp_session(player.page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    (x, y), frames = player.place(named("crowd").shapes[1].position), 60

    def spent() -> float:
        """Return what scripts and layout took, without the painting that a graphics card does elsewhere."""
        told_ = {one["name"]: float(one["value"]) for one in session.send("Performance.getMetrics")["metrics"]}
        return sum(told_[f"{name}Duration"] for name in ("Script", "Layout", "RecalcStyle"))

    def wiggle(count: int) -> None:
        for k in range(count):
            player.page.mouse.move(x + 2 * (k % 20), y + k % 7)
            player.ask("() => new Promise(requestAnimationFrame)")

    player.page.mouse.move(x, y)
    player.page.mouse.down()
    wiggle(40)  # until the code is compiled
    before = spent()
    wiggle(frames)
    milliseconds = 1000.0 * (spent() - before) / frames
    player.page.mouse.up()
    assert milliseconds < 8.0
