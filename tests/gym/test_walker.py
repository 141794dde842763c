"""The walker: its hard ground beside the original's, and the documented gait."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("gymnasium")

import gymnasium
from gymnasium.utils.env_checker import check_env

from carom_gym.walker import GROUND, NEAR, BipedalWalkerEnv, BipedalWalkerVectorEnv
from carom_gym.walker_ground import AWAY, BOXES, COUNT, STRIDE, ground_of
from tests.support.task_pilots import Gait

ORIGINALS = json.loads((Path(__file__).parent / "data" / "originals.json").read_text(encoding="utf-8"))


def test_hard_ground_is_that_of_the_original() -> None:
    for seed, original in enumerate(ORIGINALS["BipedalWalkerHardcore-v3"]):
        heights, boxes = ground_of(np.random.default_rng(np.random.SeedSequence(seed)), True)
        assert heights[::8].tolist() == original["heights"]
        there = boxes[boxes[:, 0] > AWAY / 2]
        assert there == pytest.approx(np.array(original["boxes"]), abs=1e-5)  # Box2D's numbers are half as long


def test_there_is_room_for_the_boxes_of_any_ground() -> None:
    counts = [(ground_of(np.random.default_rng(k), True)[1][:, 0] > AWAY / 2).sum() for k in range(300)]
    assert max(counts) <= 38 < BOXES and min(counts) > 20
    assert (ground_of(np.random.default_rng(1))[1][:, 0] < AWAY / 2).all()


def test_the_hard_task_fits_gymnasium() -> None:
    env = gymnasium.make("carom_gym:carom/BipedalWalkerHardcore-v3")
    assert env.spec is not None and env.spec.max_episode_steps == 2000
    check_env(env.unwrapped, skip_render_check=True)
    hard = gymnasium.make("carom/BipedalWalker-v3", hardcore=True).unwrapped
    assert isinstance(hard, BipedalWalkerEnv) and hard.task.hardcore


def test_many_hard_walkers_are_the_same_as_each_alone() -> None:
    envs, alone = BipedalWalkerVectorEnv(3, hardcore=True), [BipedalWalkerEnv(hardcore=True) for _ in range(3)]
    seen, _ = envs.reset(seed=3)
    assert np.array_equal(seen, [env.reset(seed=3 + k)[0] for k, env in enumerate(alone)])
    envs.action_space.seed(1)
    over = np.zeros(3, bool)
    for _ in range(150):
        actions = envs.action_space.sample()
        seen, rewards, ended, *_ = envs.step(actions)
        for k, env in enumerate(alone):
            if over[k]:
                assert np.array_equal(env.reset()[0], seen[k])
            else:
                one, reward, end, *_ = env.step(actions[k])
                assert np.array_equal(one, seen[k]) and (reward, end) == (rewards[k], ended[k])
        over = ended


def test_walkers_stand_on_stumps_and_fall_into_pits() -> None:
    envs = BipedalWalkerVectorEnv(1, hardcore=True)
    envs.reset(seed=0)
    _, boxes = ground_of(np.random.default_rng(np.random.SeedSequence(0)), True)
    world = envs.worlds.world(0)
    for box, body in zip(boxes, world.bodies[GROUND + COUNT - 1 :], strict=True):
        low, high = body.shape.vertices[0], body.shape.vertices[2]
        assert (high[0] - low[0], high[1] - low[1]) == pytest.approx(tuple(box[2:] - box[:2] + 6 * NEAR))
    pit = next(box for box in boxes if box[3] - box[1] > 3 * STRIDE)
    assert world.raycast((pit[2] + STRIDE, pit[3] + 1), (0, -9), mask="ground").point[1] < pit[3] - STRIDE
    assert world.raycast(((pit[0] + pit[2]) / 2, pit[3] + 1), (0, -9), mask="ground").point[1] == pytest.approx(
        pit[3], abs=0.05
    )


def test_the_documented_gait_walks() -> None:
    envs, count = BipedalWalkerVectorEnv(10), 10
    seen, _ = envs.reset(seed=0)
    gait, walking, far = Gait(count), np.ones(count, bool), np.zeros(count)
    for _ in range(250):
        seen, _, ended, *_ = envs.step(gait.act(seen))
        walking &= ~ended
        far = np.where(walking, envs._x, far)
    assert (far > 5).all() and far.mean() > 9  # from 4.67
