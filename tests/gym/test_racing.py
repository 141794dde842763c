"""The car: tracks and states beside the original's, pictures beside exact areas, ends, colors, and many beside one."""

from __future__ import annotations

import importlib.util
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray

pytest.importorskip("gymnasium")

import gymnasium
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from carom_gym.racing import CarRacingEnv, CarRacingVectorEnv
from carom_gym.track import FIELD, HALF, STRIDE, edges_of, kerbs_of, track_of
from carom_gym.track_pixels import CAR, draw_cars

DATA = Path(__file__).parent / "data"
ORIGINALS = json.loads((DATA / "originals.json").read_text(encoding="utf-8"))["CarRacing-v3"]
ID = "carom_gym:carom/CarRacing-v3"


def keep() -> Any:
    """Import the program that wrote down the originals."""
    spec = importlib.util.spec_from_file_location("keep", DATA / "keep.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def steer(task: CarRacingVectorEnv, fast: float = 70.0) -> NDArray[np.float32]:
    """Return what a pilot does who sees the road itself: steer for a point ahead, slowly where it is not straight."""
    actions = np.zeros((task.num_envs, 3), np.float32)
    for k, car in enumerate(task._cars):
        edges = task._edges[k, : car["tiles"]]
        middles = (edges[:, :2] + edges[:, 2:]) / 2
        near = int(np.argmin(np.hypot(*(middles - (car["x"], car["y"])).T)))
        ahead = middles[(near + 3) % len(middles)] - (car["x"], car["y"])
        aside = math.atan2(
            -(car["cos"] * ahead[0] + car["sin"] * ahead[1]), car["cos"] * ahead[1] - car["sin"] * ahead[0]
        )
        wanted = fast / (1 + 4 * abs(aside))
        actions[k] = np.clip(
            (-2 * aside, (wanted - car["speed"]) / 10, 0.2 * (car["speed"] > wanted + 5)), (-1, 0, 0), 1
        )
    return actions


def test_tracks_and_kerbs_are_those_of_the_original() -> None:
    for seed, original in enumerate(ORIGINALS):
        track = track_of(np.random.default_rng(np.random.SeedSequence(seed)))
        assert len(track) == original["tiles"]
        assert abs(track[::16] - original["track"]).max() < 1e-9
        assert np.count_nonzero(kerbs_of(track)) == original["kerbs"]


def test_a_road_is_closed_and_as_wide_as_it_should_be() -> None:
    for seed in range(20, 40):
        track = track_of(np.random.default_rng(seed))
        left, right = edges_of(track)
        steps = np.hypot(*(track[:, 1:] - np.roll(track[:, 1:], 1, axis=0)).T)
        assert steps[1:] == pytest.approx(STRIDE) and steps[0] < 2.5 * STRIDE
        assert np.hypot(*(right - left).T) == pytest.approx(2 * HALF)
        assert abs(track[:, 1:]).max() < FIELD


def test_drives_are_those_of_the_original() -> None:
    """All numbers of the state stay within 1 % of the range that the original's cars go through in the test."""
    originals, kept = np.array([one["states"] for one in ORIGINALS]), keep()
    ranges = np.ptp(originals.reshape(-1, originals.shape[2]), axis=0)
    envs = CarRacingVectorEnv(len(ORIGINALS))
    envs.reset(seed=0)

    def states() -> NDArray[np.float64]:
        cars, worlds = envs._cars, envs.worlds
        hull = (cars["x"], cars["y"], worlds.angles[:, 0], *worlds.velocities[:, 0].T, worlds.spins[:, 0])
        return np.column_stack((*hull, envs._engines[:, :, 1], worlds.joint_angles[:, 0]))

    actions = np.stack([kept.actions_of(seed, kept.STEPS) for seed in range(len(ORIGINALS))], axis=1)
    found, total = [states()], np.zeros(len(ORIGINALS))
    for k, given in enumerate(actions):
        total += envs.step(given)[1]
        if (k + 1) % kept.EVERY == 0:
            found.append(states())
    assert (abs(np.stack(found, axis=1) - originals) <= 0.01 * ranges).all()
    assert total == pytest.approx([one["rewards"] for one in ORIGINALS])


@pytest.mark.parametrize("options", [{}, {"continuous": False, "domain_randomize": True}])
@pytest.mark.filterwarnings("error", "ignore:.*symmetric and normalized space.*")
def test_gymnasium_finds_nothing_to_complain_about(options: dict[str, Any]) -> None:
    env = gymnasium.make(ID, **options)
    assert env.spec is not None and env.spec.max_episode_steps == 1000
    check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize(
    ("mode", "options"),
    [
        (AutoresetMode.NEXT_STEP, {"domain_randomize": True}),
        (AutoresetMode.SAME_STEP, {}),
        (AutoresetMode.DISABLED, {"continuous": False}),
    ],
)
def test_many_are_the_same_as_each_alone(mode: AutoresetMode, options: dict[str, Any]) -> None:
    count, longest = 3, 30
    envs = CarRacingVectorEnv(count, longest, autoreset_mode=mode, **options)
    alone = [CarRacingEnv(**options) for _ in range(count)]
    seen, _ = envs.reset(seed=5)
    assert np.array_equal(seen, [env.reset(seed=5 + k)[0] for k, env in enumerate(alone)])
    envs.action_space.seed(2)
    begins, ends = False, 0
    for _ in range(75):
        actions = envs.action_space.sample()
        seen, rewards, terminated, cut, infos = envs.step(actions)
        if begins and mode == AutoresetMode.NEXT_STEP:
            assert np.array_equal(seen, [env.reset()[0] for env in alone]) and not rewards.any()
            begins = False
            continue
        played = [env.step(actions[k]) for k, env in enumerate(alone)]
        assert rewards.tolist() == [one[1] for one in played] and not terminated.any()
        begins = bool(cut.all())
        assert begins == cut.any()
        ends += begins
        if begins and mode == AutoresetMode.SAME_STEP:
            assert np.array_equal(np.stack(infos["final_obs"]), [one[0] for one in played])
            assert np.array_equal(seen, [env.reset()[0] for env in alone])
            continue
        assert np.array_equal(seen, [one[0] for one in played])
        if begins and mode == AutoresetMode.DISABLED:
            seen, _ = envs.reset(options={"reset_mask": cut})
            assert np.array_equal(seen, [env.reset()[0] for env in alone])
    assert ends == 2


def test_a_pilot_comes_round_and_the_lap_ends_the_episode() -> None:
    env = CarRacingEnv()
    env.reset(seed=8)
    total, steps, ended, info = 0.0, 0, False, {}
    while not ended and steps < 2000:
        _, reward, ended, _, info = env.step(steer(env.task)[0])
        total, steps = total + reward, steps + 1
    assert ended and info == {"lap_finished": True}
    assert total == pytest.approx(1000 - 0.1 * steps)


def test_who_leaves_the_field_loses_a_hundred() -> None:
    envs = CarRacingVectorEnv(2)
    envs.reset(seed=3)
    for _ in range(999):
        _, rewards, ended, _, infos = envs.step(np.array([(0, 0, 0), (0, 0.3, 0)], np.float32))
        if ended.any():
            break
    assert ended.tolist() == [False, True] and rewards.tolist() == [pytest.approx(-0.1), -100]
    assert infos["_lap_finished"].tolist() == [False, True] and not infos["lap_finished"].any()


def test_colors_change_with_each_episode_unless_told_not_to() -> None:
    env = CarRacingEnv(domain_randomize=True)
    env.reset(seed=1)
    first = env.task._colors.copy()
    chance = np.random.default_rng(np.random.SeedSequence(1))
    assert first[0, :2].tolist() == chance.uniform(0, 210, (2, 3)).tolist()
    env.reset(options={"randomize": False})
    assert np.array_equal(env.task._colors, first)
    env.reset()
    assert not np.array_equal(env.task._colors, first)


def test_a_picture_shades_pixels_by_exact_areas() -> None:
    chance = np.random.default_rng(4)
    for _ in range(20):
        cars = np.zeros(1, CAR)
        height, width, angle = 24, 20, chance.uniform(0, 7)
        cars["cos"], cars["sin"] = math.cos(angle), math.sin(angle)
        cars["at_x"], cars["at_y"], cars["sight"], cars["tiles"] = -90, 9, 900, 2
        cars["per_x"], cars["per_y"] = chance.uniform(1, 3, 2)
        corners = chance.uniform(-3, 23, (4, 2))
        quad = shapely.MultiPoint(corners).convex_hull
        if len(quad.exterior.coords) != 5:
            continue
        corners = np.array(quad.exterior.coords)[:4]
        away = (corners - (-90, 9)) / (cars["per_x"][0], -cars["per_y"][0])
        c, s = math.cos(angle), math.sin(angle)
        field = np.stack((c * away[:, 0] - s * away[:, 1], s * away[:, 0] + c * away[:, 1]), axis=1)
        edges = field[[[0, 1], [3, 2]]].reshape(1, 2, 4)  # two tiles in one place
        colors = np.array([[(250, 120, 5), (0, 0, 0), (0, 0, 0)]], np.float64)
        sums, out = np.zeros((height, width + 1, 4)), np.zeros((1, height, width, 3), np.uint8)
        room, none = np.zeros((8, 2)), np.zeros((1, 2), np.int8)
        draw_cars(cars, edges, none, none == 0, colors, sums, room, 0, out)
        assert not sums.any()
        for row in range(21):  # above the instruments
            for column in range(width):
                share = min(2 * quad.intersection(shapely.box(column, row, column + 1, row + 1)).area, 1)
                assert abs(out[0, row, column] - share * colors[0, 0]).max() <= 0.51


def test_a_picture_for_people_has_road_kerbs_and_car() -> None:
    env = gymnasium.make(ID, render_mode="rgb_array")
    seen, _ = env.reset(seed=1)
    assert seen[:84].max(axis=(0, 1)).tolist() >= [102, 204, 102]
    for _ in range(60):
        seen, *_ = env.step(np.array([0, 0.3, 0], np.float32))
    assert seen[70, 48].tolist()[1:] < [60, 60]  # a red car
    assert (abs(seen[60, 48].astype(int) - 105) <= 3).all()  # on a grey road
    picture: Any = env.render()
    assert picture.shape == (400, 600, 3) and picture.dtype == np.uint8
    for color in ((102, 102, 102), (102, 204, 102), (102, 230, 102), (204, 0, 0)):
        assert (picture == color).all(axis=2).any()


def test_a_window_shows_the_car() -> None:
    pygame = pytest.importorskip("pygame")
    env = gymnasium.make(ID, render_mode="human")
    env.reset(seed=1)
    env.step(np.zeros(3, np.float32))
    shown = pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)
    assert np.array_equal(shown, env.unwrapped.task.frame())
    env.close()


def test_a_pilot_of_pixels_drives() -> None:
    pytest.importorskip("PIL")
    spec = importlib.util.spec_from_file_location("racing", DATA.parents[2] / "examples" / "learning" / "racing.py")
    assert spec is not None and spec.loader is not None
    racing = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(racing)
    scores, _, frames = racing.drive(4, 300)
    assert scores.mean() > 150 and [one.shape for one in frames] == [(96, 96, 3), (400, 600, 3)]


def test_bad_settings_are_refused() -> None:
    with pytest.raises(ValueError, match="lap_complete_percent = 95 must be from 0 to 1"):
        CarRacingEnv(lap_complete_percent=95)
    env = CarRacingEnv(continuous=False)
    env.reset()
    with pytest.raises(ValueError, match="must be from 0 to 4"):
        env.step(5)
