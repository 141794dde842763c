"""CPU time of a step of Gymnasium's tasks on worlds: one, many at once, Gymnasium's own, EnvPool's.

Actions are drawn outside the clock and held for ten steps; episodes that end begin anew within it. The originals are
measured where `gymnasium` finds `Box2D`, EnvPool where it is installed, as by
`.venv/bin/pip install "gymnasium[box2d]" envpool`; both play on one thread. The CPU
time of the whole process is counted, so that threads give nobody an advantage.
"""

from __future__ import annotations

import importlib.util
import statistics
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import gymnasium
import numpy as np

import carom_gym  # noqa: F401  makes the names known
from benchmarks.harness import Table, duration

TASKS = {
    "CarRacing-v3": "car with pixels",
    "LunarLander-v3": "lander",
    "BipedalWalker-v3": "walker",
    "BipedalWalkerHardcore-v3": "walker on hard ground",
}
STEPS, HELD, TURNS = 320, 10, 3
"""Steps of one before the clock starts and in each turn; of many fewer."""


def run(rounds: int) -> Table:
    rows: list[tuple[str, ...]] = [("task", "who", "a step")]
    for name, task in TASKS.items():
        ways: dict[str, Callable[[], Callable[[int], int]]] = {
            "Carom, one": lambda: one(f"carom/{name}"),  # noqa: B023  called in this turn of the loop
            "Carom, 64 at once": lambda: many(f"carom/{name}", 64),  # noqa: B023
            "Carom, 256 at once": lambda: many(f"carom/{name}", 256),  # noqa: B023
        }
        if importlib.util.find_spec("Box2D"):
            ways["Gymnasium, one"] = lambda: one(name)  # noqa: B023
        if importlib.util.find_spec("envpool"):
            ways["EnvPool, 64 at once"] = lambda: pool(name, 64)  # noqa: B023
        players = {who: make() for who, make in ways.items()}
        times: dict[str, list[float]] = {who: [] for who in ways}
        for turn in range(min(rounds, TURNS) + 1):
            for who, play in players.items():
                started = time.process_time()
                steps = play(STEPS)
                if turn:
                    times[who].append((time.process_time() - started) / steps)
        rows += [(task, who, duration(statistics.median(found))) for who, found in times.items()]
    return Table("Tasks on worlds", notes(min(rounds, TURNS)), rows)


def notes(rounds: int) -> str:
    """Return what was measured, and beside what."""
    versions = beside("gymnasium", "Box2D", "envpool")
    return f"CPU time, the median of {rounds} turns; actions by chance, held for {HELD} steps. With {versions}."


def beside(*packages: str) -> str:
    """Return those packages that are installed, each with its version."""
    return ", ".join(f"{name.lower()} {version(name)}" for name in packages if importlib.util.find_spec(name))


def drawn(space: Any) -> list[Any]:
    """Return actions for a turn, each held for some steps."""
    space.seed(0)
    return [action for _ in range(-(-STEPS // HELD)) for action in [space.sample()] * HELD]


def one(name: str) -> Callable[[int], int]:
    env = gymnasium.make(name).unwrapped
    env.reset(seed=0)
    actions = drawn(env.action_space)

    def play(steps: int) -> int:
        for action in actions[:steps]:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()
        return steps

    return play


def many(name: str, count: int) -> Callable[[int], int]:
    envs = gymnasium.make_vec(name, num_envs=count)
    envs.reset(seed=0)
    actions = drawn(envs.action_space)

    def play(steps: int) -> int:
        for action in actions[: steps // 4]:
            envs.step(action)
        return steps // 4 * count

    return play


def pool(name: str, count: int) -> Callable[[int], int]:
    import envpool  # type: ignore[import-not-found, unused-ignore]

    envs = envpool.make_gymnasium(name, num_envs=count, num_threads=1, seed=0)
    envs.reset()
    actions = drawn(gymnasium.vector.utils.batch_space(envs.action_space, count))

    def play(steps: int) -> int:
        for action in actions[: steps // 4]:
            envs.step(np.asarray(action))
        return steps // 4 * count

    return play
