"""The examples of learning: Pong of one's own is a fair game, and the trainer learns and writes its curve down."""

from __future__ import annotations

import csv
import runpy
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="the environments are Gymnasium's: install the extra `gym`")

EXAMPLES = Path(__file__).parents[2] / "examples" / "learning"
PAGE = EXAMPLES.parents[1] / "docs" / "environments.md"


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.py")), ids=lambda example: example.stem)
def test_an_example_is_named_on_the_page(example):
    assert f"examples/learning/{example.name}" in PAGE.read_text(encoding="utf-8")


def test_pong_is_short_and_whoever_follows_the_ball_wins_more():
    pytest.importorskip("numba", reason="the example compiles its loop with Numba: install the extra `jit`")
    assert len((EXAMPLES / "pong.py").read_text(encoding="utf-8").splitlines()) < 120
    names = runpy.run_path(str(EXAMPLES / "pong.py"))
    envs, won = names["Pong"](200), {}
    for player in ("random", "follow"):
        seen, points = envs.reset(seed=1)[0], []
        envs.action_space.seed(1)
        for _ in range(400):
            aside = seen[:, 1] - seen[:, 5]
            follows = np.where(aside > 0.1, 2, np.where(aside < -0.1, 1, 0))
            seen, rewards, ended, _, _ = envs.step(follows if player == "follow" else envs.action_space.sample())
            assert envs.observation_space.contains(seen)
            assert (abs(seen[:, 1]) <= names["HEIGHT"] / 2 - names["RADIUS"] + 1e-6).all()
            assert set(rewards[ended]) <= {-1.0, 1.0}
            assert not rewards[~ended].any()
            points += rewards[ended].tolist()
        won[player] = np.mean(np.array(points) > 0)
    assert won["follow"] > won["random"] + 0.05


def test_the_trainer_improves_its_player_and_keeps_the_curve(tmp_path):
    torch = pytest.importorskip("torch", reason="the trainer is of PyTorch: install the extra `train`")
    names = runpy.run_path(str(EXAMPLES / "ppo.py"))
    torch.set_num_threads(1)
    player = names["train"](0, 0.25, tmp_path)
    with (tmp_path / "ppo-0.csv").open(newline="") as file:
        curve = list(csv.DictReader(file))
    assert float(curve[-1]["bricks broken"]) > 0.15, "random play breaks an eighth"
    again = names["Player"](96, 3)
    again.load_state_dict(torch.load(tmp_path / "ppo-0.pt"))
    scores = [names["judge"](lambda seen, one=one: one(seen)[0].probs.argmax(1), 8) for one in (player, again)]
    assert scores[0] == scores[1]
    names["plot"](tmp_path)
    assert (tmp_path / "ppo.png").stat().st_size > 10_000
