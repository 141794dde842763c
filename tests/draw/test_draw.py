"""Worlds, sets, levels and characters drawn: what pixels and elements there are, and that drawing changes nothing."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import carom as cm

pygame = pytest.importorskip("pygame", reason="draw.paint draws on pygame surfaces: install the extra `play`")

PAPER = (255, 255, 255)
PLACES = st.floats(-1e3, 1e3)
HOOK = cm.decompose([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])


def painted(
    thing: Any, camera: cm.draw.Camera | None = None, size: tuple[int, int] = (200, 100), **options: Any
) -> Any:
    surface = pygame.Surface(size)
    surface.fill(PAPER)
    cm.draw.paint(surface, thing, camera, **options)
    return surface


def at(surface: Any, pixel: tuple[int, int]) -> tuple[int, ...]:
    return tuple(surface.get_at(pixel))[:3]


def inked(surface: Any) -> set[tuple[int, int]]:
    wide, high = surface.get_size()
    return {(x, y) for x in range(wide) for y in range(high) if at(surface, (x, y)) != PAPER}


def make_world() -> cm.World:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (20, 2)))
    for k, shape in enumerate(
        (cm.Box((0, 0), (1, 1)), cm.Circle((0, 0), 0.5), cm.Polygon([(0, 0), (1, 0), (0, 1)]), HOOK)
    ):
        world.add(shape.placed((3 * k - 5, 1.5)), kind="dynamic", velocity=(1, 0), spin=0.5)
    world.add(cm.Capsule((-3, 6), (3, 6), 0.2), kind="kinematic", spin=1)
    world.add(cm.Circle((8, 3), 1), sensor=True)
    world.add(cm.Segment((-8, 4), (-6, 4)), one_way=(0, 1))
    return world


@given(PLACES, PLACES, st.floats(1e-3, 1e3), st.booleans(), PLACES, PLACES)
def test_a_camera_takes_points_to_pixels_and_back(
    x: float, y: float, zoom: float, y_up: bool, px: float, py: float
) -> None:
    camera = cm.draw.Camera((640, 480), (x, y), zoom, y_up=y_up)
    assert camera.to_pixel((x, y)) == (320, 240)
    back = camera.to_pixel(camera.to_world((px, py)))
    assert back.distance((px, py)) <= 1e-9 * (1 + zoom) * 1e3
    many = camera.to_world(np.array([[px, py], [0, 0]]))
    assert tuple(many[0]) == camera.to_world((px, py))
    up = camera.to_pixel((x, y + 1)).y - 240
    assert math.copysign(1, up) == (-1 if y_up else 1)


def test_zoom_keeps_the_point_under_the_mouse() -> None:
    camera = cm.draw.Camera((640, 480), (3, -2), 37)
    before = camera.to_world((100, 50))
    camera.zoom_at((100, 50), 2.5)
    assert camera.zoom == 92.5 and camera.to_world((100, 50)).distance(before) < 1e-12


@pytest.mark.parametrize("y_up", [True, False])
def test_a_box_fills_its_pixels_and_no_other(y_up: bool) -> None:
    camera = cm.draw.Camera((200, 100), (0, 0), 10, y_up=y_up)
    found = inked(painted(cm.Box((5, 2), (4, 2)), camera))
    low, high = (20, 40) if y_up else (60, 80)  # y is from 1 to 3, the middle of the surface at 50
    inside = {(x, y) for x in range(131, 169) for y in range(low + 1, high)}
    assert inside <= found
    assert all(128 <= x <= 172 and low - 2 <= y <= high + 2 for x, y in found)


@pytest.mark.parametrize(
    "shape",
    [
        cm.Circle((1, 1), 2),
        cm.Capsule((-3, 0), (2, 1), 1),
        cm.Box((0, 0), (4, 2), 0.4),
        cm.Box((0, 0), (4, 2), 0.4, radius=0.7),
        cm.Polygon([(0, 0), (3, 1), (1, 3)], radius=0.5),
        HOOK,
        cm.Compound.from_parts([cm.Circle((0, 0), 1), cm.Box((2, 0), (3, 0.5))]),
    ],
    ids=lambda shape: type(shape).__name__,
)
@pytest.mark.parametrize("y_up", [True, False])
def test_the_pixels_of_a_shape_are_those_that_it_contains(shape: Any, y_up: bool) -> None:
    camera = cm.draw.Camera((200, 200), (0, 0), 20, y_up=y_up)
    surface = painted(shape, camera, (200, 200))
    pixels = [(x, y) for x in range(0, 200, 3) for y in range(0, 200, 3)]
    for pixel, point in zip(pixels, camera.to_world(np.array(pixels, dtype=float)).tolist(), strict=True):
        gap = cm.separation(shape, cm.Point(point)) * camera.zoom
        if gap > 3.0:
            assert at(surface, pixel) == PAPER
        if gap < -3.0:
            assert at(surface, pixel) != PAPER


def test_each_part_of_a_world_is_where_its_shape_is_now() -> None:
    world = make_world()
    world.step(1 / 60, steps=20)
    whole = cm.draw.Camera.fitting((300, 300), world)
    found = painted(world, whole, (300, 300))
    alone = painted([body.shape for body in world.bodies if body.kind == "dynamic"], whole, (300, 300))
    assert inked(alone) <= inked(found)
    inside = 0
    for body in world.bodies:
        if body.kind != "static":
            pixel = whole.to_pixel(body.position)
            inside += at(found, (round(pixel.x), round(pixel.y))) != PAPER
    assert inside == 5


def test_a_pause_of_events_draws_the_bodies_of_that_instant() -> None:
    world = cm.World()
    ball = world.add(cm.Circle((0, 0), 1), kind="dynamic", velocity=(100, 0), restitution=1)
    world.add(cm.Box((10, 0), (2, 8)))
    camera = cm.draw.Camera((400, 100), (0, 0), 10)
    for _ in world.events(0.1):
        assert ball.position.x == pytest.approx(8)
        surface = painted(world, camera, (400, 100))
        assert at(surface, (280, 50 + 5)) != PAPER and at(surface, (200, 50)) == PAPER


def test_drawing_leaves_a_world_as_it_is() -> None:
    world, other = make_world(), make_world()
    for _ in range(30):
        for drawn in world.events(1 / 60):
            painted(world, layers="contacts,normals,velocities,aabb,rows,legend")
            assert drawn.time >= 0
        for _ in other.events(1 / 60):
            pass
        before = world.digest()
        painted(world, layers="contacts,normals,velocities,aabb,rows,legend")
        cm.picture(world, layers="contacts,normals")._repr_svg_()
        assert world.digest() == before == other.digest()


def test_sleepers_sensors_and_layers_have_their_colours() -> None:
    world = cm.World()
    bodies = [world.add(cm.Box((4 * k, 0), (3, 3)), kind="dynamic", layer=f"layer {k}") for k in range(2)]
    world.add(cm.Box((8, 0), (3, 3)), sensor=True)
    world.add(cm.Box((8, 0), (1, 1)))
    camera = cm.draw.Camera((200, 100), (4, 0), 10)
    awake = painted(world, camera)
    assert at(awake, (60, 50)) == at(awake, (100, 50)) != at(awake, (128, 38))
    assert all(one > 150 for one in at(awake, (128, 38))), "a sensor lets the paper through"
    assert at(awake, (140, 50)) == (0xC4, 0xC8, 0xCC), "the box in it is not covered"
    bodies[0].sleep()
    asleep = painted(world, camera)
    assert at(asleep, (60, 50)) != at(awake, (60, 50)) and at(asleep, (100, 50)) == at(awake, (100, 50))
    by_layer = painted(world, camera, color="layer")
    assert at(by_layer, (60, 50)) != at(by_layer, (100, 50))
    own = painted(world, camera, color=["#FF0000", (0, 0, 255), None, None])
    assert at(own, (60, 50)) == (255, 0, 0) and at(own, (100, 50)) == (0, 0, 255)


def test_colours_with_an_opacity_let_through_what_lies_behind() -> None:
    camera, behind, before = cm.draw.Camera((200, 100), (0, 0), 10), cm.Box((0, 0), (8, 8)), cm.Circle((0, 0), 3)
    for alpha, blue in (("00", 0), ("80", 128), ("FF", 255)):
        surface = painted([behind, before], camera, color=["#FF0000", "#0000FF" + alpha])
        found = at(surface, (100, 50))
        assert abs(found[2] - blue) < 3 and abs(found[0] - (255 - blue)) < 3 and found[1] == 0
        assert at(surface, (100, 20)) != (255, 0, 0), "the edge stays"
        assert f'fill-opacity="{int(alpha, 16) / 255}"' in cm.picture(before, color="#0000FF" + alpha)._repr_svg_()
    assert painted(before, camera, color=(0, 0, 255, 128)).get_buffer().raw == (
        painted(before, camera, color="#0000FF80").get_buffer().raw
    )


def test_a_polyline_that_is_not_filled_keeps_its_stroke_on_axes() -> None:
    axes = pytest.importorskip("matplotlib.figure").Figure().subplots()
    cm.picture(cm.Shapes.polyline([(0, 0), (1, 1), (2, 0)]), color="#00000000").draw(axes)
    assert any(patch.get_edgecolor()[3] == 1.0 and patch.get_linewidth() > 0.0 for patch in axes.patches)


def test_a_window_leaves_out_what_it_does_not_show() -> None:
    row = cm.Shapes.boxes([(2 * k, 0) for k in range(100)], (1, 1))
    colors = ["#FF0000" if k == 50 else "#00FF00" for k in range(100)]
    svg = cm.picture(row, color=colors, labels=list(map(str, range(100))), window=(97.5, -2, 102.5, 2))._repr_svg_()
    assert svg.count("<path") - svg.count("M0 0V9") == 3 and svg.count("<text") == 3
    assert svg.count('fill="#FF0000"') == 1 and ">50<" in svg


@pytest.mark.parametrize("radius", [3, 5, 12, 30])
def test_a_disc_is_round_without_a_gap_to_its_rim(radius: float) -> None:
    found = inked(painted(cm.Circle((0, 0), radius), cm.draw.Camera((200, 100), (0, 0), 1)))
    assert {(200 - x, y) for x, y in found} == {(x, 100 - y) for x, y in found} == found
    inside = {(x, y) for x in range(200) for y in range(100) if math.hypot(x - 100, y - 50) <= radius - 1}
    assert inside <= found <= {(x, y) for x, y in found if math.hypot(x - 100, y - 50) < radius + 1.5}


def test_edges_of_small_figures_are_thinner() -> None:
    widths = []
    for count in (1, 50, 500):
        svg = cm.picture(cm.Shapes.boxes([(2 * k, 0) for k in range(count)], (1, 1)), window=(0, 0, count, count))
        widths.append(float(svg._repr_svg_().split('stroke-width="')[2].split('"')[0]))
    assert widths[0] == 1.6 > widths[1] > widths[2] > 0.0


def things() -> dict[str, Any]:
    world = make_world()
    level = cm.read_grid("P  --  E\n########")
    return {
        "world": world,
        "bodies": world.bodies[:3],
        "body": world.bodies[1],
        "shapes": cm.Shapes.circles([(0, 0), (3, 1)], 1),
        "compound": HOOK,
        "index": cm.Index([cm.Circle((0, 0), 1), HOOK], layer=["a", "a", "b"][: len(HOOK.parts) + 1]),
        "level": level,
        "character": cm.Character(cm.Box((0, 0), (1, 2)), up=(0, 1)),
        "shape": cm.Segment((0, 0), (1, 2)),
        "point": cm.Point((1, 1)),
        "several": [world, level, cm.Character(cm.Circle((0, 8), 1), up=(0, 1))],
        "nothing": cm.World(),
    }


@pytest.mark.parametrize("name", things())
def test_every_kind_of_thing_is_drawn_by_every_back_end(name: str) -> None:
    thing = things()[name]
    layers = "contacts,normals,velocities,aabb,rows"
    assert bool(inked(painted(thing, layers=layers))) == (name != "nothing")
    for color in ("kind", "layer", "#123456"):
        shown = cm.picture(thing, *([] if name not in ("shape", "point") else [HOOK]), color=color)
        svg = shown._repr_svg_()
        assert svg.count("<path") + svg.count("<circle") > 0 or name == "nothing"
        surface = pygame.Surface((60, 40))
        shown.paint(surface)
    axes = pytest.importorskip("matplotlib.figure").Figure().subplots()
    cm.picture(thing, layers="", color="#123456", y_up=False).draw(axes)
    assert axes.get_ylim()[0] > axes.get_ylim()[1]


def test_svg_has_one_element_for_each_body() -> None:
    svg = cm.picture(make_world())._repr_svg_()
    paths = [line for line in svg.splitlines() if line.startswith("<path") and "A" not in line.partition(" d=")[0]]
    shapes = [line for line in paths if 'fill="none"' not in line]
    assert sorted(line.split('class="')[1].split('"')[0] for line in shapes) == sorted(
        ["static"] * 2 + ["dynamic"] * 4 + ["kinematic", "sensor"]
    )


def test_bodies_far_out_of_sight_and_large_ones_are_drawn_right() -> None:
    world = cm.World()
    world.add(cm.Box((0, -1e6), (2e7, 2e6)))
    world.add(cm.Circle((1e6, 1e6), 1e6 * math.sqrt(2) - 1))
    world.add_many(cm.Shapes.boxes(np.arange(2000).reshape(-1, 1) * [50.0, 0.0] + [100, 3], [(1, 1)] * 2000))
    camera = cm.draw.Camera((200, 100), (0, 0), 10)
    surface = painted(world, camera)
    assert at(surface, (20, 70)) != PAPER and at(surface, (20, 30)) == PAPER and at(surface, (190, 2)) != PAPER


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: cm.draw.paint(3, cm.World()), "surface = 3 must be a pygame.Surface"),
        (lambda: painted(3), "thing = 3 must be a World"),
        (lambda: painted([HOOK, "box"]), r"thing\[1\] = 'box' must be a World"),
        (lambda: painted(HOOK, 7), "camera = 7 must be a Camera"),
        (lambda: painted(HOOK, layers="velocity"), "did you mean velocities"),
        (lambda: painted(HOOK, color="red"), 'must be "#RRGGBB"'),
        (lambda: painted([HOOK, HOOK], color=["#FF0000"]), "has 1 colours for 2 figures"),
        (lambda: painted(HOOK, labels=["a", "b"]), "labels"),
        (lambda: cm.draw.Camera((0, 5)), "size"),
        (lambda: cm.draw.Camera((5, 5), zoom=0), "zoom = 0 must be positive"),
        (lambda: cm.draw.Camera((5, 5)).to_world((1, 2, 3)), "pixels"),
        (lambda: cm.picture(HOOK, layers="axes"), "layers = 'axes' must be one of contacts"),
        (lambda: cm.picture(HOOK, motion=(1, 0)), "motion"),
        (lambda: cm.picture(HOOK, window=(0, 0, 0, 1)), "window"),
        (lambda: cm.Snapshot, "did you mean Picture"),  # type: ignore[attr-defined]
    ],
)
def test_what_cannot_be_drawn_is_refused(call: Any, says: str) -> None:
    with pytest.raises((TypeError, ValueError, AttributeError), match=says):
        call()


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: cm.picture(cm.Shapes([cm.Circle((0, 0), 1)]), layers="axes"), r"'axes' .*one by one: picture\(a, b\)"),
        (lambda: cm.picture(cm.Circle((0, 0), 1), layers="legend"), "'legend' give the shapes in a list"),
        (lambda: cm.picture(cm.Circle((0, 0), 1), layers="axs"), "did you mean axes"),
    ],
)
def test_a_layer_of_other_things_says_what_they_are(call: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        call()


def test_lists_may_stand_beside_other_things() -> None:
    walls = cm.Shapes.boxes([(0, 0), (4, 0)], (1, 1))
    assert repr(cm.picture(walls, [cm.Circle((0, 0), 1), cm.Box((2, 2), (1, 1))])) == "<Picture: 4 figures>"


def legend_of(world: Any, **options: Any) -> tuple[cm.Bounds, list[Any]]:
    drawing = cm.picture(world, layers="legend", **options)._drawings[0]
    return drawing.window, [item for item in drawing.items if item.role.startswith("legend")]


def test_a_legend_lies_where_nothing_is_drawn() -> None:
    full = cm.World()
    for x in range(6):
        for y in range(4):
            full.add(cm.Box((x, y), (0.9, 0.9)), "dynamic" if (x + y) % 2 else "static")
    window, samples = legend_of(full)
    assert len(samples) == 2
    assert all(window.min_x < x < -0.45 for item in samples for x, _ in item.points), "beside the boxes"

    world = cm.World()
    world.add(cm.Box((-3, 3), (2, 2)))
    world.add(cm.Box((0, -4), (10, 2)), "kinematic")
    window, samples = legend_of(world, window=(-5, -5, 5, 5))
    assert window == (-5, -5, 5, 5)
    assert all(x > 3 and y > 3 for item in samples for x, y in item.points), "in the upper right corner"
    camera = cm.draw.Camera((400, 400), position=(0, 0), zoom=40)
    surface = painted(world, camera, (400, 400), layers="legend")
    left, right = (surface.subsurface((x, 0, 200, 100)) for x in (0, 200))
    seen = [pygame.transform.average_color(part)[:3] for part in (left, right)]
    plain = painted(world, camera, (400, 400)).subsurface((0, 0, 200, 100))
    assert seen[0] == pygame.transform.average_color(plain)[:3] and seen[1] != PAPER


def test_a_sharp_corner_of_a_compound_has_no_spike() -> None:
    star = cm.decompose([(0, 0), (4, 0), (1.2, 0.6), (2, 4), (0.5, 0.8), (-3, 2)])
    world = cm.World()
    world.add(star, "dynamic")
    camera = cm.draw.Camera((400, 400), position=(0.5, 2), zoom=60)
    surface = painted(world, camera, (400, 400))
    places = cm.Shapes.points([camera.to_world(at) for at in inked(surface)])
    assert cm.distance(places, star).max() < 4.0 / 60
    # The rim is as wide along each edge: half way between two corners of the outline the edge is drawn.
    for one, other in ((star.outline[k - 1], star.outline[k]) for k in range(len(star.outline))):
        normal = (other - one).normalized().rotated(-np.pi / 2)
        x, y = camera.to_pixel((one + other) / 2 + normal * (1.0 / 60))
        near = [surface.get_at((round(x) + dx, round(y) + dy))[:3] for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        assert min(sum(color) for color in near) < 400, (one, other)


def test_a_motion_without_its_layer_names_the_layer() -> None:
    with pytest.raises(ValueError, match=r"picture: motion = \(1, 0\) is drawn by the layer of that name"):
        cm.picture(cm.Circle((0, 0), 1), cm.Circle((3, 0), 1), motion=(1, 0))


def hinged() -> cm.World:
    world = cm.World()
    door, post = world.add(cm.Box((1, 0), (2, 0.2)), kind="dynamic", data="door"), world.add(cm.Circle((0, 3), 0.3))
    world.pin(door, None, (0, 0), limits=(-1, 1), data="hinge")
    world.rope(door, post, (2, 0), (0, 3))
    return world


def test_joints_are_shown_or_hidden() -> None:
    world, size = hinged(), (200, 200)
    camera = cm.draw.Camera.fitting(size, world)
    roles = [{item.role for item in cm.picture(world, joints=shown)._drawings[0].items} for shown in (True, False)]
    assert {"joint", "way of a joint"} <= roles[0]
    assert not {"joint", "way of a joint"} & roles[1]
    with_joints, without = (
        pygame.surfarray.array3d(painted(world, camera, size, joints=shown)) for shown in (True, False)
    )
    alone = list(world)
    for joint in world.joints:
        joint.remove()
    assert (with_joints != without).any()
    assert (without == pygame.surfarray.array3d(painted(alone, camera, size))).all()


def test_names_are_the_data_of_bodies_where_that_is_text() -> None:
    world = hinged()
    words = [item for item in cm.picture(world, layers="names")._drawings[0].items if item.role == "word"]
    assert [word.text for word in words] == ["door"]
    both = [item for item in cm.picture(world, layers="names,rows")._drawings[0].items if item.role == "word"]
    assert [word.text for word in both] == ["0 door", "1"]
    level = cm.read_grid("P#")
    assert "P" in [item.text for item in cm.picture(level, layers="names")._drawings[0].items if item.role == "word"]
