"""Steps of Breakout a second through Gymnasium's interface: one game, thousands, numbers and pictures.

Each row is played by random actions or by a player that follows the ball, drawn or worked out outside the clock. The
rivals' figures on another machine stand in docs/environments.md; Gymnasium's own CartPole, which is eight formulas of
NumPy and no collisions, is measured beside in the same run, so that machines can be compared.
"""

from __future__ import annotations

import contextlib
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import numpy as np

from benchmarks.harness import Table
from carom_gym import NAME

WARM_UP = 300  # steps, so that games are in every state of play
ROWS: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("4,096 games, new arrays", 4096, {}),
    ("4,096 games, reused arrays", 4096, {"reuse": True}),
    ("4,096 games, new arrays, 2 threads", 4096, {"threads": 2}),
    ("4,096 games, reused arrays, 2 threads", 4096, {"reuse": True, "threads": 2}),
    ("256 games, pictures", 256, {"observation": "pixels"}),
    ("256 games, pictures, 2 threads", 256, {"observation": "pixels", "threads": 2}),
)


@contextlib.contextmanager
def busy_neighbour() -> Iterator[None]:
    """Keep one core busy with something else meanwhile."""
    neighbour = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        neighbour.kill()
        neighbour.wait()


def follow(seen: Any) -> Any:
    aside = seen[:, 2] - seen[:, 0]
    return np.where(aside > 0.025, 2, np.where(aside < -0.025, 1, 0))


def run(rounds: int) -> Table:
    rows: list[tuple[str, ...]] = [("environment", "player", "steps a second")]
    for name, n, options in ROWS:
        for player in ("random", "follows") if n == 4096 else ("random",):
            steps = many(n, player, rounds, options)
            rows += [(name, player, f"{steps:,.0f}")]
    with busy_neighbour():
        for name, n, options in ROWS[0], ROWS[2]:
            rows.append((f"{name}, a busy neighbour", "random", f"{many(n, 'random', rounds, options):,.0f}"))
    rows.append(("one game", "random", f"{single(rounds):,.0f}"))
    rows.append(("one game: snapshot and restore", "", f"{forks(rounds):,.0f} of both"))
    rows.append(("CartPole-v1 of Gymnasium, 4,096", "random", f"{cartpole(rounds):,.0f}"))
    notes = f"Median of {rounds} turns; 1/15 s of play a step, lives and power-ups on. One thread unless said."
    return Table("Breakout through Gymnasium", notes, rows)


def many(n: int, player: str, rounds: int, options: dict[str, Any]) -> float:
    envs = gymnasium.make_vec(NAME, num_envs=n, **options)
    seen, _ = envs.reset(seed=0)
    drawn = np.random.default_rng(0).integers(0, 3, (64, n))
    rates: list[float] = []
    for turn in range(rounds + 1):
        spent, steps = 0.0, WARM_UP if turn == 0 else 200
        for k in range(steps):
            actions = drawn[k % 64] if player == "random" else follow(seen)
            started = time.perf_counter()
            seen = envs.step(actions)[0]
            spent += time.perf_counter() - started
        rates += [steps * n / spent] if turn else []
    envs.close()
    return statistics.median(rates)


def rate(work: Callable[[int], None], count: int, rounds: int) -> float:
    rates = []
    for _ in range(rounds):
        started = time.perf_counter()
        work(count)
        rates.append(count / (time.perf_counter() - started))
    return statistics.median(rates)


def single(rounds: int) -> float:
    env = gymnasium.make(NAME).unwrapped
    env.reset(seed=0)
    actions = np.random.default_rng(0).integers(0, 3, 20_000).tolist()

    def play(count: int) -> None:
        for action in actions[:count]:
            if env.step(action)[2]:
                env.reset()

    return rate(play, len(actions), rounds)


def forks(rounds: int) -> float:
    env: Any = gymnasium.make(NAME).unwrapped
    env.reset(seed=0)

    def fork(count: int) -> None:
        for _ in range(count):
            env.restore(env.snapshot())

    return rate(fork, 5_000, rounds)


def cartpole(rounds: int) -> float:
    envs = gymnasium.make_vec("CartPole-v1", num_envs=4096, vectorization_mode="vector_entry_point")
    envs.reset(seed=0)
    actions = np.random.default_rng(0).integers(0, 2, (64, 4096))

    def play(count: int) -> None:
        for k in range(count):
            envs.step(actions[k % 64])

    return 4096 * rate(play, 100, rounds)
