"""The playground without a display: scenes as text, edits and the way back, a window driven by events, pictures."""

from __future__ import annotations

import json
import math
import os
import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom as cm

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
pygame = pytest.importorskip("pygame")

from carom.canvas.surface import font  # noqa: E402
from carom.cli import main  # noqa: E402
from carom.draw.pair.facts import facts_of, partition, tallies  # noqa: E402
from carom.draw.pair.layers import window_of  # noqa: E402
from carom.explain.axes import difference  # noqa: E402
from carom.explain.words import sentence_of  # noqa: E402
from carom_playground.edit import KINDS, corners, new_shape, scaled, with_corner  # noqa: E402
from carom_playground.gallery import GALLERY, TITLES, named  # noqa: E402
from carom_playground.hand import handles  # noqa: E402
from carom_playground.keys import ALL, LEGEND  # noqa: E402
from carom_playground.launch import SIZE  # noqa: E402
from carom_playground.magnifier import lens_of, picture  # noqa: E402
from carom_playground.notation import NotationError, from_text  # noqa: E402
from carom_playground.painter import Painter  # noqa: E402
from carom_playground.pen import Pen  # noqa: E402
from carom_playground.scene import LAYER_KEYS, LAYERS, Scene, SceneError  # noqa: E402
from carom_playground.state import State  # noqa: E402
from carom_playground.story import layer_lines, steps, tally_lines  # noqa: E402
from carom_playground.window import KEYS, Window  # noqa: E402

LAPTOP = (1366, 690)  # 768 less a bar of tasks and a title
DOCS = Path(__file__).parents[2] / "docs"
A, B = cm.Box((0, 0), (4, 2)), cm.Circle((3.5, 0), 1)
PAIR = Scene.of([A, B], "axes", title="two")
EVERY = [new_shape(kind, (1.0, 2.0), 3.0) for kind in KINDS]


def test_the_window_opens_no_larger_than_a_laptop() -> None:
    assert SIZE[0] <= LAPTOP[0] and SIZE[1] <= LAPTOP[1]


@pytest.fixture
def target() -> pygame.Surface:
    return pygame.Surface(SIZE)


@pytest.fixture
def window(target: pygame.Surface) -> Window:
    made = Window(PAIR)
    made.draw(target)
    return made


def key(window: Window, code: int, mod: int = 0) -> None:
    window.handle(pygame.event.Event(pygame.KEYDOWN, key=code, mod=mod))


def pixel(window: Window, at: tuple[float, float]) -> tuple[int, int]:
    assert window._drawn is not None
    x, y = window._drawn.view.place(at)
    return round(x), round(y)


def drag(window: Window, start: tuple[int, int], end: tuple[int, int], pieces: int = 7) -> None:
    """Drag the mouse in small steps, as a hand does."""
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=start))
    for k in range(1, pieces + 1):
        at = tuple(round(a + (b - a) * k / pieces) for a, b in zip(start, end, strict=True))
        window.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(1, 0, 0)))
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, button=1, pos=end))


def press_button(window: Window, target: pygame.Surface, action: str, value: str) -> None:
    window.draw(target)
    assert window._drawn is not None
    button = next(b for b in window._drawn.buttons if (b.action, b.value) == (action, value))
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=button.area.center))
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, button=1, pos=button.area.center))


# Shapes and scenes as text


@pytest.mark.parametrize("shape", [*EVERY, *(s for make in GALLERY.values() for s in make().shapes)], ids=repr)
def test_text_makes_an_equal_shape(shape: cm.Shape) -> None:
    assert from_text(repr(shape)) == shape
    assert eval(repr(shape), vars(cm)) == shape


def test_titles_are_those_of_the_scenes() -> None:
    assert [named(name).title for name in GALLERY] == TITLES


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "Circle((0, 0), 1).__class__",
        "Box.__init__((0, 0), (1, 1))",
        "Circle(*[(0, 0), 1])",
        "Circle(**{'center': (0, 0), 'radius': 1})",
        "[Circle((0, 0), 1) for _ in range(9)]",
        "(lambda: Circle((0, 0), 1))()",
        "Circle((0, 0), 10**10)",
        "Circle((0, 0), True)",
        "Circle((0, 0), '1')",
        "Circle((0, 0), -1)",
        "Circle((0, 0))",
        "Sphere((0, 0), 1)",
        "1",
        "",
        "Circle((0, 0), 1",
        "(" * 5000,
    ],
)
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        from_text(text)


@pytest.mark.parametrize("name", GALLERY)
def test_a_scene_comes_back_from_json(name: str) -> None:
    scene = named(name)
    assert Scene.from_json(scene.to_json()) == scene


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": "other"}, "carom scene 1"),
        ({"shapes": "Circle"}, "must be a list"),
        ({"shapes": [1]}, "holds 1"),
        ({"shapes": ["Circle((0, 0), nan)"]}, "nan"),
        ({"pair": [0, 5]}, "two rows of the 2 shapes"),
        ({"pair": [0, 0]}, "two rows"),
        ({"pair": "ab"}, "two row numbers"),
        ({"motion": [1]}, "two finite numbers"),
        ({"motion": [1, None]}, "two finite numbers"),
        ({"layers": ["axis"]}, "no layer 'axis'"),
        ({"layers": [["axes"]]}, "names"),
        ({"title": 3}, "must be text"),
        ({"colour": 1}, "unknown entry 'colour'"),
    ],
)
def test_a_wrong_scene_is_refused(change: dict[str, object], says: str) -> None:
    with pytest.raises(SceneError, match=says):
        Scene.from_json(json.dumps(json.loads(PAIR.to_json()) | change))


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "[" * 100_000])
def test_text_that_is_no_scene_is_refused(text: str) -> None:
    with pytest.raises(SceneError):
        Scene.from_json(text)


def test_text_of_a_shape_that_was_dragged_makes_the_same_bits() -> None:
    rng = np.random.default_rng(6)
    moved = 0
    for k in range(700):
        shape = new_shape(KINDS[k % len(KINDS)], tuple(rng.uniform(-5.0, 5.0, 2).tolist()), rng.uniform(0.2, 3.0))
        shape = scaled(shape.rotated(rng.uniform(-3.0, 3.0)), rng.uniform(0.5, 2.0))
        shape = shape.translated(rng.uniform(-5.0, 5.0, 2).tolist())
        text = repr(shape)
        moved += ").translated(" in text
        assert eval(text, vars(cm)) == shape and from_text(text) == shape
    assert moved > 50


def test_the_copied_code_makes_the_pair_and_explains_it(capsys: pytest.CaptureFixture[str]) -> None:
    scene = replace(PAIR, motion=cm.Vec(1.0, 0.5))
    names: dict[str, object] = {}
    exec(scene.to_python(), names)
    assert (names["a"], names["b"]) == (A, B)
    assert str(cm.explain(A, B)) in capsys.readouterr().out


# The Minkowski difference


@pytest.mark.parametrize(("i", "j"), list(combinations(range(len(EVERY)), 2)))
def test_the_difference_is_the_hull_of_all_differences(i: int, j: int) -> None:
    a, b = EVERY[i], EVERY[j].translated((0.25, -1.5))
    found = difference(a, b)
    every = [p - q for p in a.vertices for q in b.vertices]
    if len(every) > 2:
        hull = cm.hull(every)
        assert {(round(x, 9), round(y, 9)) for x, y in hull.vertices} <= {
            (round(x, 9), round(y, 9)) for x, y in found.points
        }
        assert all(cm.distance(hull, cm.Point(point)) < 1e-12 for point in found.points)
        assert cm.Polygon(found.points).area == pytest.approx(hull.area)
    else:
        assert set(found.points) == set(every)
    assert found.radius == a.radius + b.radius


# Facts, steps and counts


@pytest.mark.parametrize("name", GALLERY)
def test_facts_are_those_of_the_verbs(name: str) -> None:
    scene = named(name)
    facts = facts_of(scene)
    for row, shape in enumerate(scene.shapes):
        others = [other for k, other in enumerate(scene.shapes) if k != row]
        assert facts.meets[row] == any(cm.intersects(shape, other) for other in others)
    assert facts.why is not None
    assert facts.why.separation == cm.separation(scene.a, scene.b)
    told = steps(facts.why)
    assert len(told) == len(facts.why.levels) + 2
    assert told[-1].text == sentence_of(facts.why.closest, 4)
    if facts.strike is not None:
        hits = [cm.cast(scene.a, other, scene.motion) for other in scene.shapes if other is not scene.a]
        assert facts.strike.hit.fraction == min(hit.fraction for hit in hits if hit is not None)


def test_scenes_show_the_case_that_their_text_names() -> None:
    assert 0.0 < facts_of(named("one-ulp")).why.separation <= 2.0**-52
    assert facts_of(named("far-away")).why.separation == 0.0
    assert facts_of(named("touching-circles")).why.verdict == "touch"
    assert facts_of(named("aabb-formula")).why.verdict == "overlap"
    assert facts_of(named("needle")).why.verdict == "apart"
    assert facts_of(named("penetration")).why.contact.side == "+x"
    corner = facts_of(named("corner")).strike.hit.normal
    assert min(abs(corner.x), abs(corner.y)) > 0.3
    seam = facts_of(named("double-hit")).strike.hit
    assert seam.normal == (0.0, -1.0)
    sides = named("four-sides")
    assert [cm.collide(sides.shapes[0], other).side for other in sides.shapes[1:]] == ["+x", "-x", "+y", "-y"]
    assert len(named("repeated-vertex").shapes[0].vertices) == 3


def test_the_counts_of_levels_add_up() -> None:
    scene = named("crowd")
    found = tallies(scene)
    count = len(scene.shapes)
    assert found[0].asked == count * (count - 1) // 2
    meeting = sum(cm.intersects(a, b) for a, b in combinations(scene.shapes, 2))
    assert sum(tally.met for tally in found) == meeting
    assert sum(tally.met + tally.apart for tally in found) == found[0].asked
    circles = [cm.bounding_circle(shape) for shape in scene.shapes]
    false = sum(
        cm.intersects(circles[i], circles[j]) and not cm.intersects(scene.shapes[i], scene.shapes[j])
        for i, j in combinations(range(count), 2)
    )
    assert found[0].false == false
    assert f"{found[0].apart} told apart" in "\n".join(tally_lines(scene))


def test_the_partition_leaves_the_pairs_whose_boxes_meet() -> None:
    shapes = named("crowd").shapes
    boxes = [cm.bounds(shape) for shape in shapes]
    meeting = {
        (i, j)
        for i, j in combinations(range(len(shapes)), 2)
        if boxes[i].min_x <= boxes[j].max_x
        and boxes[j].min_x <= boxes[i].max_x
        and boxes[i].min_y <= boxes[j].max_y
        and boxes[j].min_y <= boxes[i].max_y
    }
    for which in ("partition", "tree"):
        found = partition(shapes, which)
        assert set(found.candidates) == meeting and len(found.candidates) == len(meeting)
    cells = partition(shapes, "partition")
    # Each lower corner is filed in one cell, and the cells cover all shapes without overlap.
    corners = [(box.min_x, box.min_y) for box in boxes]
    busy = [cell for cell, used in zip(cells.boxes, cells.busy, strict=True) if used]
    assert all(any(c.min_x <= x <= c.max_x and c.min_y <= y <= c.max_y for c in busy) for x, y in corners)
    area = sum((c.max_x - c.min_x) * (c.max_y - c.min_y) for c in cells.boxes)
    around = (
        max(b.max_x for b in boxes) - min(b.min_x for b in boxes),
        max(b.max_y for b in boxes) - min(b.min_y for b in boxes),
    )
    assert area == pytest.approx(around[0] * around[1])
    nodes = partition(shapes, "tree").boxes
    assert all(nodes[0].min_x <= b.min_x and b.max_x <= nodes[0].max_x for b in boxes)
    assert f"Of 435 pairs {len(meeting)} are left" in " ".join(layer_lines(named("crowd"), facts_of(named("crowd")), 0))


@pytest.mark.parametrize("layer", LAYERS)
def test_every_layer_has_text_and_a_drawing(layer: str, target: pygame.Surface) -> None:
    for scene in (PAIR, named("tunnelling"), Scene.of([B]), Scene(), named("sat-polygons")):
        shown = replace(scene, layers=frozenset({layer}))
        assert isinstance(layer_lines(shown, facts_of(shown), 0), list)
        state, painter = State(shown), Painter(SIZE)
        painter.draw(target, state, painter.fitting(state))


# Edits


@pytest.mark.parametrize("shape", EVERY, ids=KINDS)
def test_scaling_grows_about_the_position(shape: cm.Shape) -> None:
    grown = scaled(shape, 2.0)
    assert grown.position == pytest.approx(shape.position)
    assert grown.area == pytest.approx(4.0 * shape.area)
    assert type(grown) is type(shape)


@pytest.mark.parametrize("shape", [shape for shape in EVERY if corners(shape)], ids=repr)
def test_a_corner_goes_where_it_is_dragged(shape: cm.Shape) -> None:
    for k, corner in enumerate(corners(shape)):
        to = corner + (corner - shape.position) * 0.25
        moved = with_corner(shape, k, to)
        nearest = min(corners(moved), key=lambda place: (place - to).length)
        assert nearest == pytest.approx(to, abs=1e-12) or isinstance(shape, cm.Circle)
        if isinstance(shape, cm.Box):
            assert any((place - shape.vertices[(k + 2) % 4]).length < 1e-12 for place in moved.vertices)


def test_a_polygon_stays_convex() -> None:
    with pytest.raises(ValueError, match="convex"):
        with_corner(cm.Polygon([(0, 0), (4, 0), (4, 4), (0, 4)]), 0, (3, 3))


def test_deleting_keeps_a_pair_where_there_can_be_one() -> None:
    scene = Scene.of(EVERY)
    assert scene.pair == (0, 1)
    assert replace(scene, pair=(0, 4)).without(4).pair == (0, 1)
    assert replace(scene, pair=(3, 4)).without(0).pair == (2, 3)
    assert scene.without(0).pair is not None
    assert Scene.of([A, B]).without(1).pair is None


# The window


def test_dragging_moves_a_shape_and_colours_follow(window: Window, target: pygame.Surface) -> None:
    assert window.state.facts.meets == (False, False)
    start = pixel(window, B.center)
    drag(window, start, pixel(window, (2.5, 0)))
    moved = window.state.scene.shapes[1]
    assert moved.position == pytest.approx((2.5, 0.0), abs=2.0 / window._drawn.view.scale)
    assert window.state.facts.meets == (True, True)
    window.draw(target)
    key(window, pygame.K_z, pygame.KMOD_CTRL)
    assert window.state.scene.shapes[1] == B
    key(window, pygame.K_y, pygame.KMOD_CTRL)
    assert window.state.scene.shapes[1] == moved
    key(window, pygame.K_z, pygame.KMOD_CTRL | pygame.KMOD_SHIFT)
    assert window.state.message == "There is nothing to redo"


def test_a_drag_there_and_back_leaves_the_shape_as_it_was(window: Window) -> None:
    start = pixel(window, B.center)
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=start))
    for at in ((start[0] + 37, start[1] - 11), (start[0] + 3, start[1] + 5), start):
        window.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(1, 0, 0)))
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, button=1, pos=start))
    assert window.state.scene == PAIR
    assert not window.state.undo()


def test_handles_turn_scale_and_move_corners(window: Window, target: pygame.Surface) -> None:
    window.state.select(0)
    painter, view = window._painter, window._drawn.view
    x, y = handles(window.state, view, painter.stroke)["turn"]
    middle = view.place(A.center)
    drag(window, (round(x), round(y)), (round(middle[0] - (middle[1] - y)), round(middle[1])))
    turned = window.state.scene.shapes[0]
    assert abs(turned.vertices[0].x - turned.vertices[1].x) < 0.05 * turned.size.x  # its long side stands upright
    key(window, pygame.K_z, pygame.KMOD_CTRL)
    assert window.state.scene.shapes[0] == A
    x, y = handles(window.state, view, painter.stroke)["scale"]
    drag(window, (round(x), round(y)), (round(2 * x - middle[0]), round(y)))
    assert window.state.scene.shapes[0].size == pytest.approx((8.0, 4.0), rel=0.05)
    key(window, pygame.K_z, pygame.KMOD_CTRL)
    key(window, pygame.K_e)
    assert set(handles(window.state, view, painter.stroke)) == {f"corner {k}" for k in range(4)}
    drag(window, pixel(window, A.upper), pixel(window, (3, 2)))
    assert window.state.scene.shapes[0].lower == A.lower
    assert window.state.scene.shapes[0].upper == pytest.approx((3, 2), abs=0.05)


def test_a_concave_corner_is_refused_and_said(target: pygame.Surface) -> None:
    square = cm.Polygon([(0, 0), (4, 0), (4, 4), (0, 4)])
    window = Window(Scene.of([square, cm.Circle((8, 0), 1)]))
    window.draw(target)
    window.state.select(0)
    key(window, pygame.K_e)
    drag(window, pixel(window, (0, 0)), pixel(window, (3.5, 3.5)), pieces=1)
    assert window.state.scene.shapes[0] == square
    assert "convex" in window.state.message
    window.draw(target)


def test_the_wheel_turns_scales_and_zooms(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    window.state.select(0)
    window.handle(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=2))
    assert window.state.scene.shapes[0].angle == pytest.approx(math.radians(10.0))
    pygame.display.init()
    monkeypatch.setattr(pygame.key, "get_mods", lambda: pygame.KMOD_SHIFT)
    window.handle(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=1))
    assert window.state.scene.shapes[0].size.x > 4.0
    before = window._drawn.view.scale
    monkeypatch.setattr(pygame.key, "get_mods", lambda: pygame.KMOD_CTRL)
    window.handle(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=1))
    assert window._view.scale > before
    pygame.display.quit()


def test_shapes_of_every_kind_are_added_and_deleted(window: Window, target: pygame.Surface) -> None:
    for kind in KINDS:
        press_button(window, target, "add", kind)
    assert len(window.state.scene.shapes) == 2 + len(KINDS)
    assert window.state.selected == 1 + len(KINDS)
    for _ in range(2 + len(KINDS)):
        key(window, pygame.K_TAB)
        key(window, pygame.K_DELETE)
        window.draw(target)
    assert window.state.scene.shapes == ()
    for _ in range(2 + len(KINDS)):
        key(window, pygame.K_z, pygame.KMOD_CTRL)
    assert len(window.state.scene.shapes) == 2 + len(KINDS)


def test_clicking_two_shapes_makes_them_the_pair(target: pygame.Surface) -> None:
    window = Window(Scene.of([A, B, cm.Circle((0, 4), 1)]))
    window.draw(target)
    for at in ((0, 4), (0, 0)):
        drag(window, pixel(window, at), pixel(window, at))
    assert window.state.scene.pair == (2, 0)
    assert window.state.facts.why.a == cm.Circle((0, 4), 1)


def test_keys_switch_layers_steps_and_axes(window: Window, target: pygame.Surface) -> None:
    for name, letter in LAYER_KEYS.items():
        before = name in window.state.scene.layers
        key(window, getattr(pygame, f"K_{letter.lower()}"))
        assert (name in window.state.scene.layers) != before
        window.draw(target)
    assert window.state.scene.motion != (0.0, 0.0)
    count = len(window.state.steps)
    for k in range(count + 2):
        key(window, pygame.K_n)
        assert window.state.step == min(k, count - 1)
        window.draw(target)
    for _ in range(count + 2):
        key(window, pygame.K_p)
    assert window.state.step is None
    seen = set()
    for _ in range(len(window.state.facts.why.axes)):
        key(window, pygame.K_RIGHTBRACKET)
        seen.add(window.state.shown_axis)
        window.draw(target)
    assert seen == {k for k, axis in enumerate(window.state.facts.why.axes) if axis.parallel_to is None}


def test_the_motion_is_aimed_with_the_mouse(window: Window, target: pygame.Surface) -> None:
    window.state.switch("motion")
    window.draw(target)
    tip = handles(window.state, window._drawn.view, window._painter.stroke)["motion"]
    drag(window, (round(tip[0]), round(tip[1])), pixel(window, (1.0, 3.0)))
    assert window.state.scene.motion == pytest.approx((1.0, 3.0), abs=0.05)


def test_a_saved_scene_loads_again(
    window: Window, target: pygame.Surface, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    mine = window.file = tmp_path / "mine.json"
    key(window, pygame.K_s, pygame.KMOD_CTRL)
    saved = window.state.scene
    press_button(window, target, "scene", "1")
    assert window.state.scene != saved
    for name in ("scene.json", "scene-2.json"):  # a scene of the gallery never goes into the user's file
        window.file = None
        key(window, pygame.K_s, pygame.KMOD_CTRL)
        assert Scene.from_json((tmp_path / name).read_text()) == window.state.scene
    window.handle(pygame.event.Event(pygame.DROPFILE, file=str(mine)))
    assert window.state.scene == saved
    (tmp_path / "bad.json").write_text("{}")
    window.handle(pygame.event.Event(pygame.DROPFILE, file=str(tmp_path / "bad.json")))
    assert window.state.scene == saved
    assert "bad.json" in window.state.message
    window.load(tmp_path / "absent.json")
    assert "cannot be read" in window.state.message
    window.file = tmp_path / "no" / "folder.json"
    window.save()
    assert "cannot be written" in window.state.message
    window.draw(target)


def test_copying_gives_the_code(window: Window, capsys: pytest.CaptureFixture[str]) -> None:
    key(window, pygame.K_c, pygame.KMOD_CTRL)
    assert window.copied == PAIR.to_python()


def test_the_view_pans_zooms_and_fits(window: Window, target: pygame.Surface) -> None:
    left, bottom = window._drawn.field.bottomleft
    empty = (left + 20, bottom - 40)
    drag(window, empty, (empty[0] + 50, empty[1] + 20))
    window.draw(target)
    panned = window._drawn.view
    key(window, pygame.K_PLUS)
    window.draw(target)
    assert window._drawn.view.scale > panned.scale
    key(window, pygame.K_f)
    window.draw(target)
    assert window._drawn.view == window._painter.fitting(window.state)
    assert window.state.scene == PAIR


@pytest.mark.parametrize("size", [(320, 240), (800, 600), (1920, 1080), (700, 1400)])
def test_any_size_is_drawn(window: Window, size: tuple[int, int]) -> None:
    smaller = pygame.Surface(size)
    window.draw(smaller)
    assert window._drawn.field.width > 0
    colours = {tuple(smaller.get_at((x, y))) for x in range(0, size[0], 9) for y in range(0, size[1], 9)}
    assert len(colours) > 5


def test_escape_leaves_the_steps_first(window: Window) -> None:
    key(window, pygame.K_n)
    key(window, pygame.K_ESCAPE)
    assert window.open
    key(window, pygame.K_ESCAPE)
    assert not window.open


def test_changes_are_not_lost_without_a_word(window: Window) -> None:
    key(window, pygame.K_RIGHT)
    key(window, pygame.K_q)
    assert window.open and "Ctrl+S" in window.state.message
    key(window, pygame.K_RIGHT)
    key(window, pygame.K_q)
    assert window.open
    key(window, pygame.K_q)
    assert not window.open


@pytest.mark.parametrize("changed", [False, True])
def test_the_frame_closes_at_once_and_leaves_changes_in_the_terminal(
    changed: bool, window: Window, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    if changed:
        key(window, pygame.K_RIGHT)
    pygame.display.init()
    try:
        pygame.display.set_mode((640, 480))
        pygame.event.clear()
        pygame.event.post(pygame.event.Event(pygame.QUIT))
        window.run()
    finally:
        pygame.display.quit()
    assert not window.open
    told, _, text = capsys.readouterr().out.partition("\n")
    if changed:
        assert "--scene FILE" in told
        assert Scene.from_json(text) == window.state.scene
    else:
        assert told == ""


def test_zooming_has_an_end_and_loses_no_step(window: Window, target: pygame.Surface) -> None:
    before = window._drawn.view.scale
    for _ in range(5):
        key(window, pygame.K_PLUS)
    assert window._drawn.view.scale == pytest.approx(before * 1.25**5)
    for code in (pygame.K_PLUS, pygame.K_MINUS):
        for k in range(400):
            key(window, code)
            if k % 80 == 79:
                window.draw(target)
    assert window._drawn.view.scale == pytest.approx(before / 1000.0, rel=0.3)


def test_undo_leaves_the_layers_as_they_are(window: Window) -> None:
    key(window, pygame.K_RIGHT)
    key(window, pygame.K_1)
    key(window, pygame.K_z, pygame.KMOD_CTRL)
    assert window.state.scene.shapes == PAIR.shapes and "circle" in window.state.scene.layers


def test_a_step_does_not_give_the_answer_away(window: Window, target: pygame.Surface) -> None:
    red = cm.Circle((2.5, 0), 1)
    window.state.show(Scene.of([A, red], "axes", title="meeting"))
    colours = []
    for _ in range(len(window.state.steps)):
        key(window, pygame.K_n)
        window.draw(target)
        x, y = pixel(window, (-1.5, 0.7))
        red_part, green_part, blue_part, _ = target.get_at((x, y))
        colours.append(max(red_part, green_part, blue_part) - min(red_part, green_part, blue_part))
    assert max(colours[:-1]) < 25 < colours[-1]


def test_segments_are_red_and_green_too() -> None:
    crossing = cm.Segment((-1, -1), (1, 1)), cm.Segment((-1, 1), (1, -1)), cm.Segment((3, 0), (4, 1))
    text = cm.picture(*crossing)._repr_svg_()
    assert text.count('class="line meets"') == 2 and text.count('class="line apart"') == 1


def test_the_list_of_keys_names_every_key_that_does_something() -> None:
    listed = " ".join(keys for keys, _ in ALL)
    words = set(re.findall(r"[^\s,/]+", listed))
    names = {pygame.key.name(code).upper() for code in KEYS} - {"BACKSPACE", "=", "F1", "NUMLOCK +", "NUMLOCK -"}
    told = {"DELETE": "Del", "PAGE UP": "Page", "PAGE DOWN": "Down", "[+]": "+", "[-]": "-"}
    assert {told.get(name, name) for name in names} <= words
    assert words >= {"R", "S", "Shift+R", "Shift+S", "Tab", "Ctrl+C", "Ctrl+S", "Ctrl+Z", "Esc", "arrows"}
    assert {keys for keys, _ in LEGEND} - {"Ctrl+Z"} <= {keys for keys, _ in ALL}


# The window for a pupil


SMALL = [(480, 360), (640, 480), (800, 600), (1024, 400), (500, 900)]


def test_a_and_b_stay_a_and_b_while_dragged(window: Window, target: pygame.Surface) -> None:
    for start, end in (((-1.0, 0.0), (-1.5, 0.5)), ((4.0, 0.5), (4.5, 0.0)), ((-1.5, 0.5), (-1.0, 1.0))):
        drag(window, pixel(window, start), pixel(window, end))
        window.draw(target)
        assert window.state.scene.pair == (0, 1)
    assert window.state.selected == 0 and isinstance(window.state.facts.why.a, cm.Box)
    window.state.add("circle", (0.0, 5.0), 1.0)
    assert window.state.scene.pair == (1, 2)
    key(window, pygame.K_x)
    assert window.state.scene.pair == (2, 1) and window.state.selected == 2


def test_keys_add_turn_and_scale(window: Window, target: pygame.Surface) -> None:
    for number, kind in enumerate(KINDS):
        key(window, pygame.K_a)
        assert window.state.adding
        window.draw(target)
        key(window, pygame.K_1 + number)
        assert not window.state.adding
        made, like = window.state.chosen, new_shape(kind, (0.0, 0.0), 1.0)
        assert type(made) is type(like) and "circle" not in window.state.scene.layers
    key(window, pygame.K_a)
    key(window, pygame.K_ESCAPE)
    assert window.open and not window.state.adding and len(window.state.scene.shapes) == 2 + len(KINDS)
    window.state.select(0)
    for code, mod, angle, size in (
        (pygame.K_r, 0, 5.0, 4.0),
        (pygame.K_r, pygame.KMOD_ALT, 5.5, 4.0),
        (pygame.K_r, pygame.KMOD_SHIFT, 0.5, 4.0),
        (pygame.K_s, 0, 0.5, 4.24),
        (pygame.K_s, pygame.KMOD_SHIFT, 0.5, 4.0),
    ):
        key(window, code, mod)
        box = window.state.chosen
        assert (math.degrees(box.angle), box.size.x) == pytest.approx((angle, size))
    window.state.selected = None
    key(window, pygame.K_r)
    assert "Tab" in window.state.message


def test_the_list_of_keys_opens_and_any_key_or_click_closes_it(window: Window, target: pygame.Surface) -> None:
    before = window.state.scene
    for close in (
        lambda: key(window, pygame.K_n),
        lambda: drag(window, pixel(window, (0, 0)), pixel(window, (2, 2))),
        lambda: key(window, pygame.K_ESCAPE),
    ):
        key(window, pygame.K_h)
        window.draw(target)
        assert window.state.helping
        close()
        assert not window.state.helping and window.open
        assert window.state.scene == before and window.state.step is None


@pytest.mark.parametrize("size", SMALL)
@pytest.mark.parametrize("name", ["demo", "sat-polygons", "crowd"])
def test_words_stay_readable_and_within_their_part(
    size: tuple[int, int], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[tuple[str, pygame.Rect]] = []
    plain = Pen.write

    def write(pen: Pen, words: str, at: Any, height: float, color: str, *, bold: bool = False) -> float:
        wide = plain(pen, words, at, height, color, bold=bold)
        high = font(max(6, round(height * pen.letter)), bold).get_height()
        written.append((words, pygame.Rect(round(at[0]), round(at[1] - high / 2.0), round(wide), high)))
        assert round(height * pen.letter) >= 10, words
        return wide

    monkeypatch.setattr(Pen, "write", write)
    target, shown = pygame.Surface(size), Window(named(name))
    shown.draw(target)
    for acts in ([], [pygame.K_5, pygame.K_6, pygame.K_7, pygame.K_8], [pygame.K_t], [pygame.K_n] * 3, [pygame.K_a]):
        for code in acts:
            key(shown, code)
        written.clear()
        shown.draw(target)
        layout = shown._painter.layout
        for words, area in written:
            inside = [part for part in layout[3:] if part.inflate(2, 8).contains(area)]
            assert inside, f"{words!r} at {area} is outside of every part of {layout}"
        lines = [(words, area.inflate(-2, -area.height // 2)) for words, area in written]
        if acts == [pygame.K_a]:
            break  # the list of kinds lies over the rest
        for k, (words, area) in enumerate(lines):
            assert area.collidelist([other for _, other in lines[:k]]) == -1, words


@pytest.mark.parametrize("size", SMALL)
def test_all_keys_have_room_in_a_small_window(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[pygame.Rect] = []
    plain = Pen.write

    def write(pen: Pen, words: str, at: Any, height: float, color: str, *, bold: bool = False) -> float:
        wide = plain(pen, words, at, height, color, bold=bold)
        seen.append(pygame.Rect(round(at[0]), round(at[1]) - 3, math.ceil(wide), 6))
        return wide

    target, shown = pygame.Surface(size), Window(PAIR)
    shown.draw(target)
    key(shown, pygame.K_h)
    monkeypatch.setattr(Pen, "write", write)
    shown.draw(target)
    last = seen[-2 * len(ALL) :]
    assert all(target.get_rect().contains(area) for area in last)
    assert all(area.collidelist(last[:k]) == -1 for k, area in enumerate(last))


def test_axes_that_are_left_out_are_told() -> None:
    state = State(Scene.of([A, B], "axes"))
    lines = layer_lines(state.scene, state.facts, state.shown_axis)
    assert "Left out as parallel: edges 2 and 3 of A to axes 0 and 1." in lines


@pytest.mark.parametrize("gap", [1e-3, 1e-5, -1e-5, 1e-8, -1e-8, 1e-11])
def test_the_magnifier_shows_a_gap_at_its_true_size(gap: float) -> None:
    box, disc = cm.Box((0, 0), (4, 2), 0.3), cm.Circle((5, 1), 1)
    near = cm.closest(box, disc)
    disc = disc.translated(near.normal * (gap - near.separation))
    why, scale = cm.explain(box, disc), 80.0
    lens = lens_of(why, scale)
    assert lens is not None
    pixels = abs(gap) * scale * lens.factor
    assert 14 <= pixels <= 36.1
    shown = picture(box, disc, lens, scale, 60)
    colours = pygame.surfarray.array3d(shown)[:, :, 0].astype(int)
    across = [tuple(60 + step * np.array([near.normal.x, -near.normal.y])) for step in np.arange(-40, 41, 0.5)]
    along = [colours[round(x), round(y)] for x, y in across]
    between = 255 if gap > 0 else 232  # paper, or both
    assert along.count(between) / 2 == pytest.approx(pixels, abs=5)
    assert tuple(shown.get_at((0, 0)))[3] == 0 and tuple(shown.get_at((60, 60)))[3] == 255


def test_a_layer_that_is_switched_on_is_seen_whole_unless_the_view_was_moved(target: pygame.Surface) -> None:
    for moved in (False, True):
        shown = Window(Scene.of([A, B]))
        shown.draw(target)
        if moved:
            drag(shown, pixel(shown, (0.0, 2.0)), pixel(shown, (0.1, 2.0)))
        before = shown._view
        key(shown, pygame.K_4)
        shown.draw(target)
        assert (shown._view == before) == moved
        low_x, low_y, high_x, high_y = window_of(shown.state.scene, shown.state.facts)
        corners = [shown._view.place(corner) for corner in ((low_x, low_y), (high_x, high_y))]
        assert all(shown._painter.field.inflate(4, 4).collidepoint(corner) for corner in corners) != moved


def test_nothing_is_magnified_that_is_seen_or_is_not_there() -> None:
    ball = cm.Circle((0, 0), 1)
    for other in (cm.Circle((3, 0), 1), cm.Circle((1.5, 0), 1), cm.Circle((2, 0), 1), cm.Circle((1.2, 1.6), 1)):
        assert lens_of(cm.explain(ball, other), 80.0) is None


def test_the_magnifier_is_drawn_and_switched(target: pygame.Surface) -> None:
    shown = Window(Scene.of([cm.Box((0, 0), (2, 2)), cm.Box((2.00001, 0), (2, 2))]))
    pictures = []
    for _ in range(2):
        shown.draw(target)
        pictures.append(pygame.image.tobytes(target, "RGB"))
        key(shown, pygame.K_m)
    shown.draw(target)
    assert pictures[0] == pygame.image.tobytes(target, "RGB") != pictures[1]


def test_letters_of_european_languages_have_glyphs_in_both_weights() -> None:
    letters = "ÄÖÜäöüßẞéèêçñåæøœłńśźżčšžőűğışțăâîĄĘĮŲŪĒĀĢĶĻŅЁЖЩЪЫЭЮЯєіїґΑΒΓΔΩάέήίόύώ–—„“”’…€−×→"
    for bold in (False, True):
        found = font(20, bold)
        missing = pygame.image.tobytes(found.render("\uffff", True, "black"), "RGBA")
        for letter in letters:
            assert found.metrics(letter)[0] is not None, letter
            assert pygame.image.tobytes(found.render(letter, True, "black"), "RGBA") != missing, letter
    assert font(20).size("playground")[0] < font(20, True).size("playground")[0]


# The command


@pytest.mark.parametrize("name", GALLERY)
def test_every_scene_has_its_picture(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shot = tmp_path / f"{name}.png"
    options = ["playground", "--scene", name, "--layers", "all", "--shot", str(shot), "--size", "960x600", "--count"]
    assert main(options) == 0
    assert pygame.image.load(shot).get_size() == (960, 600)
    assert str(shot) in capsys.readouterr().out


def test_red_and_green_are_seen(tmp_path: Path) -> None:
    """The middle of a shape is reddish where it meets another and greenish where not, bluish and orange if asked."""
    for safe, apart_channel in ((False, 1), (True, 2)):
        for at, meets in ((3.5, False), (2.5, True)):
            scene = Scene.of([A, cm.Circle((at, 0), 1)])
            state, painter, target = State(scene), Painter(SIZE), pygame.Surface(SIZE)
            state.safe = safe
            state.selected = None
            view = painter.fitting(state)
            painter.draw(target, state, view)
            x, y = view.place((-1.5, 0.7))
            red, green, blue, _ = target.get_at((round(x), round(y)))
            strongest = max(range(3), key=(red, green, blue).__getitem__)
            assert strongest == (0 if meets else apart_channel)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--scene", "tuneling"], "tunnelling"),
        (["--scene", "nothing-like-it.json"], "cannot be read"),
        (["--layers", "axis"], "no layer 'axis'"),
        (["--size", "10x10"], "320x240"),
        (["--size", "big"], "two whole numbers"),
        (["--shot", "picture.txt"], ".png"),
        (["--shot", "no/such/folder/picture.png"], "cannot be written"),
        (["--html", "no/such/folder/page.html"], "cannot be written"),
        (["circle 0 0"], "3 numbers"),
        (["circle 0 0 1", "--scene", "demo"], "leave out one"),
    ],
)
def test_nonsensical_options_are_refused_in_one_line(
    options: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["playground", *options]) == 2
    error = capsys.readouterr().err
    assert says in error and error.count("\n") == 1


def test_without_a_display_a_picture_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    cm.playground(A, B)
    cm.playground()
    assert "no display" in capsys.readouterr().out
    assert (tmp_path / "playground.png").stat().st_size > 10_000
    with pytest.raises(TypeError, match=r"playground: shapes\[1\]"):
        cm.playground(A, (1, 2))


# The picture alone, and the course that is made of such pictures


def test_each_step_of_the_course_is_a_page_of_one_screen_that_asks_a_question() -> None:
    pages = sorted((DOCS / "tutorial").glob("*.md"))
    contents = (DOCS / "tutorial.md").read_text(encoding="utf-8")
    assert re.findall(r"\(tutorial/(.*?)\)", contents) == [page.name for page in pages]
    for number, page in enumerate(pages, 1):
        text = page.read_text(encoding="utf-8")
        assert text.startswith(f"# {number}. ") and text.count("\n") <= 42 and text.count("![") == 1
        assert text.count("**Question.**") == text.count("<details>") == text.count("</details>") == 1
        around = [one.name for one in pages[max(number - 2, 0) : number + 1] if one != page]
        assert re.findall(r"\((\d\d-[a-z-]+\.md)\)", text.splitlines()[-1]) == around


def test_a_picture_is_the_same_on_every_back_end(tmp_path: Path) -> None:
    shown = cm.picture(A, cm.Circle((2.5, 0), 1), layers="mtv, axes,minkowski")
    shown.save(tmp_path / "shown.svg")
    text = (tmp_path / "shown.svg").read_text()
    assert text == shown._repr_svg_()
    for role in ("a meets", "b meets", "mtv", "axis", "origin", "band"):
        assert f'class="{role}"' in text
    assert "swept" not in text
    shown.save(tmp_path / "shown.png")
    assert pygame.image.load(tmp_path / "shown.png").get_width() > 1000
    surface = pygame.Surface((400, 300))
    shown.paint(surface)
    colours = {tuple(surface.get_at((x, y)))[:3] for x in range(400) for y in range(0, 300, 3)}
    assert any(red > 200 > green > blue for red, green, blue in colours)
    figure = pytest.importorskip("matplotlib.figure").Figure()
    axes = shown.draw(figure.subplots())
    assert axes.patches and axes.get_xlim()[0] < -2 < 3.5 < axes.get_xlim()[1]


@pytest.mark.parametrize(
    ("arguments", "options", "error", "says"),
    [
        ((A, 1), {}, TypeError, r"things\[1\]"),
        ((A, B), {"layers": "axis"}, ValueError, "layers = 'axis' must be one of circle"),
        ((A, B), {"layers": 3}, TypeError, "layers = 3"),
        ((A, B), {"layers": ["axes", 3]}, TypeError, "layers = 3"),
        ((A, B), {"motion": (1, math.nan)}, ValueError, "motion"),
    ],
)
def test_a_picture_of_nonsense_is_refused(
    arguments: tuple[object, ...], options: dict[str, object], error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=f"picture: .*{says}"):
        cm.picture(*arguments, **options)
