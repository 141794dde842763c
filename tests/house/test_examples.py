"""Each example runs by itself, quickly, does what its first lines promise, and leaves the picture that the pages show.

An example runs once for all tests of this module. What it promises is compared with Shapely, a closed form, a
brute-force count or a quantity that must not change.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import io
import math
import re
import runpy
import sys
import tempfile
from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import shapely
from shapely import LineString, Point, box

import carom as cm
from carom.convert import to_shapely

pytest.importorskip("matplotlib", reason="the examples draw with matplotlib: install the extra `plot`")
pygame = pytest.importorskip("pygame", reason="the games draw with pygame-ce: install the extra `play`")
Image = pytest.importorskip("PIL.Image")

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PLAYED = [example for example in EXAMPLES if "--window" in example.read_text(encoding="utf-8")]
ESCAPE = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_ESCAPE)
CLICK = pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(60, 180), button=1)
LAPTOP = (1366, 690)  # 768 less a bar of tasks and a title
if importlib.util.find_spec("dask") is None:  # the extra `tables` is not installed
    EXAMPLES.remove(ROOT / "examples" / "ships.py")
LEAST_INK = 0.05  # share of a picture that is not background
SAME_PICTURE = 1.5  # mean difference, of 255: other fonts smooth letters and lines otherwise


class Run(NamedTuple):
    """What an example left, and what it printed."""

    names: dict[str, Any]
    files: dict[str, Path]
    said: str


@pytest.fixture(scope="module", autouse=True)
def _runs_end_with_the_module() -> Iterator[None]:
    yield
    ran.cache_clear()
    FOLDERS.close()


FOLDERS = contextlib.ExitStack()


@functools.cache
def ran(name: str) -> Run:
    """Return what an example leaves, run once."""
    folder = Path(FOLDERS.enter_context(tempfile.TemporaryDirectory()))
    said = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(said), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [name])
        names = runpy.run_path(str(ROOT / "examples" / f"{name}.py"), run_name="__main__")
    return Run(names, {file.name: file for file in folder.iterdir()}, said.getvalue())


class Hand:
    """A clock that does not wait, and does at each tick what a hand would."""

    def __init__(self, does: dict[int, Any], most: int) -> None:
        self.does, self.most, self.ticks = does, most, 0

    def tick(self, rate: float) -> None:
        assert rate == 60
        self.ticks += 1
        assert self.ticks <= self.most, "the window stays open"
        if self.ticks in self.does:
            pygame.event.post(self.does[self.ticks])


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)
def test_an_example_leaves_its_picture(example: Path) -> None:
    files = ran(example.stem).files
    assert list(files) == [f"{example.stem}.png"]
    assert ran(example.stem).said.startswith(f"wrote {example.stem}.png")
    with Image.open(files[f"{example.stem}.png"]) as made, Image.open(image_on_the_page(example)) as shown:
        assert made.size == shown.size
        counts = sorted((count for count, _ in made.convert("RGB").getcolors(made.width * made.height)), reverse=True)
    assert len(counts) > 20
    assert counts[0] < (1.0 - LEAST_INK) * sum(counts), "the picture is all but blank"


@pytest.mark.full
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)
def test_the_page_shows_the_picture_that_the_example_makes_now(example: Path) -> None:
    made, shown = (
        np.asarray(Image.open(file).convert("RGB"), dtype=float)
        for file in (ran(example.stem).files[f"{example.stem}.png"], image_on_the_page(example))
    )
    assert made.shape == shown.shape
    assert abs(made - shown).mean() < SAME_PICTURE, f"run examples/{example.name} in docs/images, and look at it"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)
def test_an_example_is_short_and_shown_on_a_page(example: Path) -> None:
    text = example.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= (100 if example in PLAYED else 45)
    pages = [page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md")]
    assert any(f"images/{example.stem}.png" in page and f"examples/{example.name}" in page for page in pages)


@pytest.mark.parametrize(("words", "does", "shown"), [([], {5: ESCAPE}, 5), (["--frames", "10"], {}, 10)], ids=str)
@pytest.mark.parametrize("example", PLAYED, ids=lambda example: example.stem)
def test_a_window_has_a_title_fits_a_laptop_and_ends_with_esc_or_after_some_frames(
    example: Path,
    words: list[str],
    does: dict[int, Any],
    shown: int,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    seen: list[tuple[str, tuple[int, int]]] = []
    hand = Hand(does, shown)
    monkeypatch.setattr(pygame.time, "Clock", lambda: hand)
    flip = pygame.display.flip
    monkeypatch.setattr(
        pygame.display,
        "flip",
        lambda: (flip(), seen.append((pygame.display.get_caption()[0], pygame.display.get_window_size()))),
    )
    monkeypatch.setattr(sys, "argv", [str(example), "--window", *words])
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(example), run_name="__main__")
    assert not pygame.display.get_init(), "the window stays open"
    assert len(seen) == hand.ticks == shown and list(tmp_path.iterdir()) == []
    title, size = seen[-1]
    assert title.endswith("Esc closes") and title[0].isupper()
    assert size[0] <= LAPTOP[0] and size[1] <= LAPTOP[1]


def test_a_click_throws_a_ball_in_the_window_of_the_plain_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    hand = Hand({1: CLICK}, 3)
    monkeypatch.setattr(pygame.time, "Clock", lambda: hand)
    monkeypatch.setattr(sys, "argv", ["basic_loop.py", "--window", "--frames", "3"])
    world = runpy.run_path(str(ROOT / "examples" / "basic_loop.py"), run_name="__main__")["world"]
    assert [body.velocity.x for body in world.bodies if body.velocity.x > 1] == [18.0]


def test_the_plain_loop_comes_first_and_the_index_names_all_examples() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    named = re.findall(r"\(\.\./examples/([a-z_/]+\.py)\)", index)
    assert len(named) == len(set(named))
    assert set(named) == {file.relative_to(ROOT / "examples").as_posix() for file in ROOT.glob("examples/**/*.py")}
    assert len((ROOT / "examples" / "basic_loop.py").read_text(encoding="utf-8").splitlines()) <= 30
    assert named[0] == min(file.name for file in ROOT.glob("examples/*.py")) == "basic_loop.py"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)
def test_an_example_has_a_test_of_what_it_promises(example: Path) -> None:
    assert f'ran("{example.stem}")' in Path(__file__).read_text(encoding="utf-8")


# Worlds: where the bodies are at the end, and what must not change on the way.


def test_basic_loop_a_ball_thrown_at_the_crates_moves_them() -> None:
    world = ran("basic_loop").names["world"]
    *crates, ball = [body for body in world.bodies if body.kind == "dynamic"]
    assert len(crates) == 21 and ball.position.x > -6
    assert max(abs(crate.angle) for crate in crates) > 0.1
    assert least_separation(world) > -0.01


def test_billiards_no_ball_gains_energy_and_each_is_on_the_table_or_in_a_pocket() -> None:
    names = ran("billiards").names
    for ball, path in zip(names["balls"], np.stack(names["paths"], 1), strict=True):
        last = path[~np.isnan(path[:, 0])][-1]
        if ball.removed:
            assert min(math.dist(last, pocket) for pocket in names["POCKETS"]) < 1.5
        else:
            assert (last > 0.29).all() and (last < (19.71, 9.71)).all()
    world, balls = names["make_table"]()
    balls[0].velocity = (60, -0.6)
    energies = [(world.velocities[world.rows()] ** 2).sum()]
    for _ in range(240):
        names["tick"](world, 1 / 240)
        energies.append((world.velocities[world.rows()] ** 2).sum())
    assert energies[-1] < 0.9 * energies[0]
    assert (np.diff(energies) < 1e-9 * energies[0]).all()


def test_bouncing_ball_passes_through_nothing() -> None:
    names = ran("bouncing_ball").names
    walls = [box(*lower, *upper) for lower, upper in names["CORNERS"]]
    path = [*names["centers"], names["ball"].center]
    assert len(names["hits"]) == len(path) - 2 > 10
    assert sum(start.distance(end) for start, end in pairwise(path)) == pytest.approx((24**2 + 65**2) ** 0.5)
    flight = LineString(path)
    assert min(flight.distance(wall) for wall in walls) == pytest.approx(names["ball"].radius, rel=1e-12)


def test_car_drives_over_the_hills_on_its_wheels_and_keeps_its_crates() -> None:
    names = ran("car").names
    world, car = names["world"], names["car"]
    assert names["path"][-1].x > names["path"][0].x + 30

    def place_in_car(body: cm.Body) -> cm.Vec:
        return (body.position - car.position).rotated(-car.angle)

    wheels = [body for body in world.bodies if body.data == names["TYRE"]]
    crates = [body for body in world.bodies if body.data == names["CRATE"]]
    assert place_in_car(wheels[1]).x - place_in_car(wheels[0]).x == pytest.approx(2.8, abs=1e-8)
    assert all(abs(axle.offset) < 0.25 + 1e-6 for axle in names["axles"])
    assert [crate for crate in crates if not -2 < place_in_car(crate).x < 0] == []
    assert all(wheel.spin < -1 for wheel in wheels)
    assert min(cm.separation(body.shape, world.bodies[0].shape) for body in world.bodies[1:]) > -0.01


def test_bridge_planks_stay_together_and_the_cliffs_bear_the_boulder() -> None:
    names = ran("bridge").names
    world, joints, boulder = names["world"], names["joints"], names["boulder"]
    planks = [body for body in world.bodies if body.mass == names["PLANK"]]
    assert len(planks) == 16 and boulder.mass == 100 * names["PLANK"]
    assert max(a.shape.end.distance(b.shape.start) for a, b in pairwise(planks)) < 1e-8
    assert abs(boulder.position.x) < 8 and -3 < boulder.position.y < 1
    held = []
    for _ in range(600):
        world.step(1 / 60)
        held.append(joints[0].force.y - joints[-1].force.y)
    weight = 10 * (boulder.mass + sum(plank.mass for plank in planks))
    assert sum(held) / len(held) == pytest.approx(weight, rel=0.02)
    assert min(cm.separation(boulder.shape, body.shape) for body in world.bodies if body != boulder) > -0.01


def test_catapult_latch_holds_and_the_stone_flies_in_a_parabola_into_the_tower() -> None:
    names = ran("catapult").names
    path = np.array(names["path"])
    assert abs(path[10:60] - path[10]).max() < 1e-9
    apex = path[:, 1].argmax()
    flight = np.diff(path[apex - 20 : apex + 20], 2, axis=0)
    assert flight == pytest.approx(np.tile((0, -10 / 60**2), (len(flight), 1)), abs=1e-9)
    arm_pin, weight_pin = names["world"].joints
    assert names["latch"].removed and -1.6 - 1e-6 < arm_pin.angle < -1.5
    assert max(arm_pin.error, weight_pin.error) < 1e-6
    crates = [body for body in names["world"].bodies if body.data in names["CRATES"]]
    assert len(crates) == 12
    assert sum(crate.position.y < 3 for crate in crates) == 12, "the tower falls"


def test_crane_chain_neither_gapes_nor_stretches_under_a_thousand_times_its_mass() -> None:
    names = ran("crane").names
    assert names["gape"] < 1e-9
    links, load = [body for body in names["crane"].bodies if body.kind == "dynamic" and body.mass == 1], names["load"]
    assert len(links) == 20 and load.mass == 1000
    hook, ring = names["crane"].joints[0].anchor_a, names["crane"].joints[-1].anchor_a
    assert 0 < 20 * names["LINK"] - hook.distance(ring) < 0.05, "taut, but for the bow of links with a mass"
    assert load.position.x > names["trolley"].position.x + 0.5


def test_dominoes_all_fall_and_the_last_one_rolls_a_ball_into_the_cup() -> None:
    names = ran("dominoes").names
    bodies = [body for body in names["stair"].bodies if body.kind == "dynamic"]
    tiles, balls = bodies[:-2], bodies[-2:]
    assert len(tiles) == 30
    assert [tile.row for tile in tiles if abs(tile.angle) < 0.5] == []
    assert 23 < balls[1].position.x < 25
    assert balls[1].position.y == pytest.approx(-0.4, abs=0.01)


def test_drawing_bodies_stay_in_their_box_and_the_mill_turns() -> None:
    world = ran("drawing").names["world"]
    spinning = [body for body in world.bodies if body.kind == "kinematic"]
    assert [body.angle for body in spinning] == pytest.approx([0.8 * 2.5])
    at = np.array([body.position for body in world.bodies if body.kind == "dynamic"])
    assert len(at) == 70
    assert (at > 0).all() and (at[:, 0] < 22).all()
    assert least_separation(world) > -0.01


def test_furniture_robot_gets_to_the_end_of_its_way_and_all_stays_in_the_room() -> None:
    names = ran("furniture").names
    assert names["robot"].position.distance(names["WAY"][-1]) < 0.31
    bounds = np.array([cm.bounds(body.shape) for body in names["world"].bodies if body.kind == "dynamic"])
    assert (bounds[:, :2] > -0.01).all() and (bounds[:, 2:] < (20.01, 10.01)).all()
    assert least_separation(names["world"]) > -0.01


def test_gas_keeps_its_energy_and_its_speeds_become_maxwells() -> None:
    names = ran("gas").names
    world, rows = names["world"], names["world"].rows(names["discs"])
    assert (world.velocities**2).sum() == pytest.approx(names["before"], rel=1e-12)
    at = world.positions[rows]
    assert (at > names["RADIUS"] - 1e-3).all() and (at < names["SIDE"] - names["RADIUS"] + 1e-3).all()
    speeds = np.linalg.norm(world.velocities[rows], axis=1)
    shares = np.mean(speeds[:, None] < np.linspace(2, 16, 8), axis=0)
    assert shares == pytest.approx(1 - np.exp(-((np.linspace(2, 16, 8) / names["SPEED"]) ** 2)), abs=0.05)


def test_heap_sleeps_and_nothing_leaves_the_box() -> None:
    world = ran("heap").names["world"]
    bodies = [body for body in world.bodies if body.kind == "dynamic"]
    assert len(bodies) == 150
    assert [body for body in bodies if abs(body.position.x) > 8 or body.position.y < 0] == []
    assert max(body.position.y for body in bodies) < 9, "none is left in the funnel"
    assert [(body.row, body.velocity) for body in bodies if not body.asleep or body.velocity.length] == []
    assert least_separation(world) > -0.01


def test_landers_best_try_lands_softest_and_a_world_of_its_own_goes_the_same_way() -> None:
    names = ran("landers").names
    best, path = names["best"], names["paths"][:, names["best"]]
    assert names["landed"].sum() > 2
    assert names["blow"][best] == names["blow"][names["landed"]].min() < 2
    assert abs(path[-1, 0]) < 8 and path[-1, 1] == pytest.approx(0.8, abs=0.02)
    world = names["world"]
    for step in range(names["STEPS"]):
        burns = names["since"][best] < step < names["until"][best]
        names["lander"].acceleration = names["thrust"][best] if burns else (0, 0)
        world.step(names["DT"])
        assert names["lander"].position == tuple(path[step])


def test_marble_run_takes_each_marble_to_its_end_through_no_tile() -> None:
    names = ran("marble_run").names
    tiles = shapely.union_all([to_shapely(tile) for tile in names["LEVEL"].solids])
    for marble, way in zip(names["marbles"], np.stack(names["path"], 1), strict=True):
        assert LineString(way).distance(tiles) > marble.shape.radius - 0.01
        assert 7 < marble.position.x < 10 and marble.position.y < 1.5  # in a row before the first block


def test_newtons_cradle_as_many_balls_swing_out_as_in_and_their_energy_stays() -> None:
    names = ran("newtons_cradle").names
    ways = np.array(names["ways"])[: 60 * 20] - names["APART"] * np.arange(-2, 3)
    assert 0.99 < names["left"] < 1.001
    out = np.abs(ways) > 0.5 * np.abs(ways[0, 0])
    assert {tuple(row) for row in out.tolist()} == {(1, 1, 0, 0, 0), (0, 0, 0, 0, 0), (0, 0, 0, 1, 1)}


def test_pinball_ball_stays_in_the_table_and_the_flippers_hit_it() -> None:
    names = ran("pinball").names
    assert names["game"]["balls"] < 3 and names["game"]["score"] > 500
    path = np.array(names["path"])
    seen = path[path[:, 1] > -1]
    assert (np.abs(seen[:, 0] - 5) < 5 - 0.12 - 0.27).all()
    dome = seen[seen[:, 1] > 13]
    assert (np.hypot(*(dome - (5, 13)).T) < 5 - 0.12 - 0.27).all()
    low = np.flatnonzero((path[:-120, 1] < 3.6) & (path[:-120, 1] > 1))
    struck = [tick for tick in low.tolist() if path[tick + 1 : tick + 120, 1].max() > 8]
    assert struck, "a ball comes up again from the flippers"


def test_platformer_hero_reaches_the_end_on_foot_through_nothing() -> None:
    names = ran("platformer").names
    game, (colours, trace) = names["game"], zip(*names["trace"], strict=True)
    hero = game.hero
    assert 29 < hero.position.x < 32.2 and hero.position.y < 2.4
    assert len(trace) < 60 * 30
    assert set(colours) == {names["AIR"], names["LIFT"], names["WALK"]}
    solids = [*names["LEVEL"].solids, *game.stairs.shape.parts]
    walls = shapely.union_all([shapely.Polygon(solid.vertices) for solid in solids])
    way = np.array(trace)
    half = np.array((0, 0.35))
    spines = shapely.linestrings(np.stack((way - half, way + half), axis=1))
    assert shapely.distance(spines, walls).min() > 0.35 - 1e-3


def test_pushing_a_light_crate_falls_a_heavy_one_slows_the_hero_and_one_stays() -> None:
    names = ran("pushing").names
    ends = {}
    for name, mass in names["MASSES"].items():
        (world, hero), speeds = names["play"](mass)
        (crate,) = [body for body in world.bodies if body.kind == "dynamic"]
        assert cm.separation(hero.shape, crate.shape) > -0.01
        ends[name] = hero.position.x, crate.position, speeds[60:120, 0].mean()
    assert ends["light"][1].y < -0.5
    assert ends["light"][2] == pytest.approx(names["SPEED"], rel=0.02)
    assert 0.3 < ends["heavy"][2] < 0.9 * names["SPEED"]
    assert ends["too heavy"][1].x == pytest.approx(1.5, abs=0.02)


def test_ragdolls_come_to_rest_down_the_stairs_with_their_limbs_within_limits() -> None:
    world = ran("ragdoll").names["stairs"]
    dolls = [body for body in world.bodies if body.kind == "dynamic"]
    assert len(dolls) == 33 and len(world.joints) == 30
    assert max(joint.error for joint in world.joints) < 1e-6
    assert all(body.asleep and body.position.y < 3 for body in dolls)
    assert any(abs(joint.angle - limit) < 1e-3 for joint in world.joints for limit in joint.limits)
    assert least_separation(world) > -0.01


def test_tumbling_bin_keeps_all_inside() -> None:
    world = ran("tumbling_bin").names["drum"]
    drum, *inside = world.bodies
    assert drum.angle > 0.9 * 0.6 * 6
    assert len(inside) == 110
    for body in inside:
        at = body.position.rotated(-drum.angle)
        assert max(at.dot(cm.Vec(0, -1).rotated(k * math.pi / 3)) for k in range(6)) < 6.0
    assert least_separation(world) > -0.01
    assert max(body.position.y for body in inside) > 0 > min(body.position.y for body in inside)


def test_tumbling_bin_turns_as_told() -> None:
    assert ran("tumbling_bin").names["drum"].bodies[0].angle == pytest.approx(0.6 * 6)


def test_wrecking_ball_swings_through_the_wall_like_a_free_pendulum() -> None:
    names = ran("wrecking_ball").names
    angle, spin, angles = 0.0, 1e-9, []
    for _ in range(420):
        spin += 10.0 / names["ARM"] * math.cos(angle + 0.25) / 60
        angle += spin / 60
        angles.append(angle)
    assert names["wrecker"].angle == pytest.approx(angle, abs=1e-9), "nothing stops it"
    assert max(angles) > 2.0, "it swings far beyond its lowest point"
    crates = [body for body in names["site"].bodies if body.kind == "dynamic"]
    stands = [crate for k, crate in enumerate(crates) if crate.position.distance((k % 4, 0.5 + k // 4)) < 1]
    assert len(crates) == 28
    assert len(stands) < 8
    assert all(crate.position.y > 0.45 for crate in crates)
    assert least_separation(names["site"]) > -0.01


def test_replay_shows_the_frames_around_the_hardest_hit() -> None:
    names = ran("replay").names
    hits, frames, hardest = names["hits"], names["frames"], names["hardest"]
    assert hardest.impulse.tolist() == [max(hit.impulse for hit in hits if hit.kind == "hit")]
    assert len(frames) == names["STEPS"] and frames[-1].digest() == names["world"].digest()
    assert names["middle"] * names["DT"] == pytest.approx(hardest.time.item(), abs=names["DT"])
    tower = [body.position.y for body in names["world"].bodies if body.kind == "dynamic" and body != names["stone"]]
    before = [frames[0].body(row).position.y for row in range(1, len(tower) + 1)]
    assert max(before) > 6 and max(tower) < 4


def test_sprites_stand_where_their_bodies_are() -> None:
    names = ran("sprites").names
    screen, camera = names["screen"], names["camera"]
    drawn = [body for body in names["world"] if body.data]
    assert sorted({body.data for body in drawn}) == ["ball", "crate"]
    for body in drawn:
        x, y = camera.to_pixel(body.position)
        assert screen.get_at((round(x), round(y)))[:3] != (220, 233, 242)
    assert least_separation(names["world"]) > -0.01


def test_warehouse_drums_stop_by_the_closed_form_and_crates_have_the_velocity_of_their_belt() -> None:
    names = ran("warehouse").names
    for (drum, _), speed in zip(names["drums"], names["SHOVED"], strict=True):
        start, *_, end = names["paths"][drum]
        assert drum.velocity == (0, 0)
        assert end.x - start.x == pytest.approx(speed**2 / (2 * names["DECELERATION"]), abs=1e-3)
    beside = [crate for crate, _ in names["crates"] if crate.position.x < -6]
    assert len(beside) > 2 and all(crate.velocity.length < 1e-6 for crate in beside)
    last = names["crates"][0][0]
    ridden = np.diff(names["paths"][last], axis=0) * 60
    for _, _, velocity in names["LANES"]:
        assert np.isclose(ridden, velocity, atol=1e-6).all(axis=1).sum() > 60


def test_breaking_leaves_two_pieces_of_each_body_that_broke() -> None:
    names = ran("breaking").names
    house, broke = names["house"], sum(names["breaks"])
    bodies = [body for body in house.bodies if body.kind == "dynamic"]
    assert len(bodies) == 9 + 3 + 1 + broke and broke > 15
    # A piece is 0.98 times as long and as wide as half of what broke.
    for kind, area in (("glass", 9 * 0.25 * 1.7), ("plank", 3 * 5 * 0.3)):
        left = sum(body.shape.area for body in bodies if body.data == kind)
        assert 0.98**8 * area < left < area
    assert names["stone"].position.x > 5, "it flies through"
    assert least_separation(house) > -0.01


# Questions: the same counts and distances as another library's.


def test_chip_spacing_finds_the_gaps_that_shapely_finds() -> None:
    names = ran("chip_spacing").names
    bounds = names["chip"].bounds
    wires = shapely.box(*bounds.T)
    a, b = shapely.STRtree(wires).query(wires, predicate="dwithin", distance=names["RULE"])
    gaps = shapely.distance(wires[a[a < b]], wires[b[a < b]])
    assert len(names["spots"]) == np.count_nonzero(gaps > 0) > 500


def test_city_rays_end_at_the_first_footprint() -> None:
    names = ran("city").names
    footprints = shapely.polygons([shapely.linearrings(ring) for ring in names["footprints"]])
    robots, rays, seen = names["robots"], names["rays"], names["seen"]
    assert len(footprints) == 20_000
    tree = shapely.STRtree(footprints)
    assert tree.query(shapely.points(robots), predicate="dwithin", distance=1.99).size == 0
    starts = np.repeat(robots[::50], 30, axis=0)
    assert seen.fraction[::50, ::12].ravel() == pytest.approx(
        first_fractions(starts, np.tile(rays[::12], (len(robots[::50]), 1)), footprints), abs=1e-9
    )


def test_concave_balls_meet_the_tray_where_shapely_says() -> None:
    names = ran("concave").names
    tray = shapely.Polygon(names["outline"], [[(1, 1.5), (4, 1.5), (4, 4.5), (1, 4.5)]])
    met = [tray.distance(Point(ball.center)) < ball.radius for ball in names["balls"]]
    assert [bool(cm.collide(names["tray"], ball)) for ball in names["balls"]] == met
    assert set(met) == {True, False}
    assert names["hit"].fraction == pytest.approx((7.8 - 2.5 - 0.5) / 8)


def test_environments_players_who_follow_the_ball_break_bricks_in_all_games() -> None:
    names = ran("environments").names
    assert names["total"].shape == (16,)
    assert names["total"].min() > 5


def test_explain_boxes_says_whether_they_meet() -> None:
    for a, b in ran("explain_boxes").names["PAIRS"]:
        assert (cm.explain(a, b).contact is not None) is to_shapely(a).intersects(to_shapely(b))


def test_flippers_things_turn_up_to_the_first_touch() -> None:
    for _, mover, other, move, turn, pivot in ran("flippers").names["scenes"]:
        hit = cm.cast(mover, other, move, rotation=turn, pivot=pivot)
        for share in np.linspace(0, 1, 60):
            at = share * hit.fraction
            swept = mover.rotated(turn * at, pivot=pivot).translated(cm.Vec(*move) * at)
            apart = cm.separation(swept, other)
            assert apart > 0 if share < 1 else apart == pytest.approx(0, abs=1e-6)


def test_hexagons_on_the_circle_and_the_line_are_those_of_shapely() -> None:
    names = ran("hexagons").names
    hexagons = shapely.polygons([shape.vertices for shape in names["many"]])
    line = LineString([*(part.start for part in names["line"]), names["line"][-1].end])
    center, radius = names["circle"].center, names["circle"].radius
    assert (names["in_circle"] == (shapely.distance(hexagons, Point(center)) <= radius)).all()
    assert (names["on_line"] == shapely.intersects(hexagons, line)).all()
    assert names["in_circle"].any() and names["on_line"].any()


def test_labels_are_those_that_trying_all_places_gives() -> None:
    names = ran("labels").names
    towns, radii = names["towns"], names["radii"]
    boxes: list[tuple[Any, Any]] = []
    expected = []
    for row, (town, radius, width) in enumerate(zip(towns, radii, names["widths"], strict=True)):
        half = np.array((width, names["HEIGHT"])) / 2
        for side in names["SIDES"]:
            center = town + side * (half + radius + 0.1)
            on_town = np.hypot(*np.maximum(np.abs(towns - center) - half, 0).T) < radii
            on_label = any((np.abs(center - other) < half + wide).all() for other, wide in boxes)
            on_map = (np.abs(center - 50) + half <= 50).all()
            if on_map and not (on_town.any() or on_label):
                boxes.append((center, half))
                expected.append(row)
                break
    assert list(names["placed"]) == expected


def test_normals_point_as_the_titles_say() -> None:
    names = ran("normals").names
    assert names["contact"].normal == pytest.approx((1, 0))
    assert names["contact"].depth == pytest.approx(0.5)
    center = names["mover"].center + names["motion"] * names["hit"].fraction
    assert center.distance(names["hit"].point) == pytest.approx(names["mover"].radius)
    assert names["hit"].normal == pytest.approx((center - names["hit"].point) / names["mover"].radius)


def test_questions_have_the_separations_of_shapely() -> None:
    for a, b in ran("questions").names["PAIRS"]:
        contact = cm.collide(a, b)
        gap = to_shapely(a).distance(to_shapely(b))
        assert bool(contact) is (gap == 0)
        if contact:
            assert cm.separation(a, b.translated(contact.move_b)) == pytest.approx(0, abs=1e-9)
        else:
            assert cm.closest(a, b).separation == pytest.approx(gap, abs=1e-2)


def test_ships_no_two_come_nearer_than_is_told_and_none_is_left_out() -> None:
    pytest.importorskip("dask.dataframe", reason="the example joins tables: install the extra `tables`")
    names = ran("ships").names
    times = np.arange(0.0, names["DAY"], 0.25)
    places = {
        ship: np.column_stack([np.interp(times, track["t"], track[axis], np.nan, np.nan) for axis in ("x", "y")])
        for ship, track in names["tracks"].groupby("id")
    }
    told = {(row.a, row.b): row.separation for row in names["met"].itertuples()}
    for a, b in combinations(sorted(places), 2):
        apart = np.linalg.norm(places[a] - places[b], axis=1)
        nearest = apart[~np.isnan(apart)].min(initial=math.inf)
        assert nearest > names["WITHIN"] or (a, b) in told
        assert told.get((a, b), 0.0) <= nearest + 1e-9 or (a, b) not in told
    assert len(told) > 40


def test_robots_rays_end_at_the_first_rock_or_other_robot() -> None:
    names = ran("robots").names
    robots, rays = names["starts"][:: names["RAYS"]], names["rays"]
    rocks = [shapely.Polygon(rock.vertices) for rock in names["rocks"]]
    assert len(robots) == 100
    assert shapely.distance(shapely.points(robots)[:, None], np.array(rocks)).min() > names["RADIUS"]
    assert min(math.dist(one, other) for one, other in combinations(robots, 2)) > 2 * names["RADIUS"]
    for robot in range(0, 100, 10):
        others = np.delete(robots, robot, axis=0)
        some = slice(robot * names["RAYS"], (robot + 1) * names["RAYS"], 10)
        along = rays[some] / names["RANGE"]
        to_others = others - robots[robot]
        near, aside = along @ to_others.T, along @ np.stack((-to_others[:, 1], to_others[:, 0]))
        square = names["RADIUS"] ** 2 - aside**2
        met = (near - np.sqrt(np.maximum(square, 0))) / names["RANGE"]
        on_robot = np.where((square > 0) & (met > 0), met, np.inf).min(axis=1)
        first = np.minimum(on_robot, first_fractions(names["starts"][some], rays[some], rocks))
        assert names["seen"].fraction[some] == pytest.approx(np.where(first > 1, np.inf, first), abs=1e-9)


def test_sliding_paths_enter_no_obstacle_and_a_bounce_keeps_its_length() -> None:
    names = ran("sliding").names
    obstacles = shapely.union_all([to_shapely(shape) for shape in names["OBSTACLES"]])
    for response in ("stop", "slide", "bounce"):
        went = cm.move(names["START"], names["WAY"], names["OBSTACLES"], response=response)
        path = [
            cm.move(names["START"], names["WAY"] * (k / 100), names["OBSTACLES"], response=response).position
            for k in range(101)
        ]
        assert min(obstacles.distance(Point(at)) for at in path) > 0.6 - 1e-2
        length = sum(start.distance(end) for start, end in pairwise(path))
        assert len(went.hits) == 1 if response == "stop" else len(went.hits) > 1
        assert length < names["WAY"].length * (1 + 1e-9)


def test_floor_plan_rays_end_at_the_first_occupied_pixel() -> None:
    names = ran("floor_plan").names
    pixels = np.asarray(Image.open(ROOT / "examples" / "floor_plan_map.png"))
    row, column = np.nonzero(pixels == 0)
    lower = np.stack((column * 0.05 - 2.0, (pixels.shape[0] - 1 - row) * 0.05 - 1.0), axis=1)
    boxes = shapely.box(*lower.T, *(lower + 0.05).T)
    for robot, fractions in zip(names["robots"], names["scans"].fraction, strict=True):
        some = np.arange(0, names["RAYS"], 20)
        first = first_fractions([robot] * some.size, names["rays"][some], boxes)
        assert fractions[some] == pytest.approx(np.where(first > 1, np.inf, first), abs=1e-6)
    way = shapely.LineString(names["WAY"]).buffer(0.25)
    assert not shapely.intersects(way, boxes).any()


def test_isometric_player_slides_through_the_pond_to_the_exit_and_the_guard_sees_to_the_walls() -> None:
    names = ran("isometric").names
    rows = (ROOT / "examples" / "isometric.tmx").read_text().split('"csv">')[1].split("</data>")[0].strip().split("\n")
    cells = [(c, r, gid) for r, row in enumerate(rows) for c, gid in enumerate(row.rstrip(",").split(","))]

    def cell(column: float, row: float, size: int = 1) -> shapely.Polygon:
        ends = [(column, row), (column + size, row), (column + size, row + size), (column, row + size)]
        return shapely.Polygon([((c - r + len(rows)) * 32, (c + r) * 16) for c, r in ends])

    walls, pond = (shapely.union_all([cell(c, r) for c, r, gid in cells if gid == kind]) for kind in "12")
    assert shapely.union_all([to_shapely(solid) for solid in names["level"].solids]).equals(walls)
    way = np.array(names["way"])
    for at in way:
        assert to_shapely(names["player"].placed(at)).intersection(walls).area < 1e-3
    assert (
        shapely.intersects(pond, shapely.points(way)).tolist() == names["wet"].tolist() and 5 < names["wet"].sum() < 60
    )
    assert cell(13, 10, 2).contains(Point(way[-1]))
    for guard, fractions in zip(names["guards"], names["seen"].fraction, strict=True):
        rays = names["REACH"] * names["circle"][::20]
        first = first_fractions([guard] * len(rays), rays, walls.geoms)
        assert fractions[::20] == pytest.approx(np.where(first > 1, np.inf, first), abs=1e-9)


def test_topdown_player_goes_through_no_wall_and_ends_on_the_blue_floor() -> None:
    names = ran("topdown").names
    centers, colours = zip(*names["trace"], strict=True)
    way = np.array(centers)
    walls = shapely.union_all([to_shapely(shape) for shape in names["level"].solids])
    assert shapely.distance(shapely.points(way), walls).min() > 0.35 - 1e-3
    assert to_shapely(names["place"]["E"]).contains(Point(way[-1]))
    assert names["shut"] == [] and 0 < colours.count(names["GUARD"]) < len(way)


def least_separation(world: cm.World) -> float:
    """Return the deepest overlap of solid bodies that no joint holds, as a separation: asked pair by pair."""
    solid = [body for body in world.bodies if not body.sensor and body.one_way is None]
    lower, upper = np.split(np.array([cm.bounds(body.shape) for body in solid]), 2, axis=1)
    near = np.argwhere(np.triu((lower[:, None] < upper).all(axis=2) & (lower < upper[:, None]).all(axis=2), 1))
    near_pairs = [(solid[i], solid[j]) for i, j in near.tolist()]
    joined = [{joint.a, joint.b} for joint in world.joints]
    pairs = [(a, b) for a, b in near_pairs if "dynamic" in (a.kind, b.kind) and {a, b} not in joined]
    return min((cm.separation(a.shape, b.shape) for a, b in pairs), default=0.0)


def first_fractions(starts: Any, rays: Any, obstacles: Iterable[Any]) -> Any:
    """Return the fraction at which each ray first meets one of Shapely's polygons, else infinity."""
    tree, found = shapely.STRtree(list(obstacles)), []
    for start, ray in zip(np.asarray(starts), np.asarray(rays), strict=True):
        line, length = LineString([start, start + ray]), math.hypot(*ray)
        crossed = shapely.intersection(line, tree.geometries[tree.query(line, "intersects")])
        met = shapely.distance(Point(start), crossed).tolist()
        found.append(min(met, default=math.inf) / length)
    return np.array(found)


def image_on_the_page(example: Path) -> Path:
    return ROOT / "docs" / "images" / f"{example.stem}.png"
