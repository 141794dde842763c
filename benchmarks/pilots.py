"""Scores of pilots on the tasks that Gymnasium has, too: those of its documentation, and one that sees pixels.

Each plays one episode after each seed, from 0 on, the same here and there: the same seed draws the same ground, wind or
track. Gymnasium's own are played where it finds `Box2D`, as after `.venv/bin/pip install "gymnasium[box2d]"`. A fall is
an episode whose last reward is that of a crash. The walker is also played with each step in other numbers of parts.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any, NamedTuple, cast
from unittest.mock import patch

import gymnasium
import numpy as np
from numpy.typing import NDArray

import carom_gym  # noqa: F401  makes the names known
from benchmarks.harness import RESULTS, Table
from benchmarks.tasks import beside
from carom_gym import walker
from tests.support.task_pilots import Gait, pilot

CRASH = -100.0
Actor = Callable[[NDArray[Any]], NDArray[Any]]


class Flight(NamedTuple):
    """A pilot of a task: how many seeds, the options, and what makes an actor for so many episodes."""

    title: str
    task: str
    seeds: int
    options: dict[str, Any]
    actor: Callable[[int], Actor]


class Episodes(NamedTuple):
    """Sums of rewards, steps, and whether an episode ended in a fall, by seed."""

    returns: NDArray[np.float64]
    steps: NDArray[np.int64]
    fallen: NDArray[np.bool_]


def run(rounds: int) -> Table:
    rows: list[tuple[str, ...]] = [("pilot", "who", "seeds", "mean return", "standard error", "falls", "steps")]
    for flight in flights():
        here = many(flight)
        rows.append(row(flight, "Carom", here))
        if importlib.util.find_spec("Box2D"):
            there = alone(flight)
            rows.append(row(flight, "Gymnasium", there))
            more = here.returns - there.returns
            rows.append((flight.title, "Carom less Gymnasium", str(flight.seeds), *mean(more), "", ""))
        if flight.task == "BipedalWalker-v3":
            for parts in (1, 3, 4):
                with patch.object(walker, "PARTS", parts):
                    rows.append(row(flight, f"Carom, {parts} part{'s'[: parts - 1]}", many(flight)))
    return Table("Pilots of tasks", f"One episode for each seed. With {beside('gymnasium', 'Box2D')}.", rows)


def flights() -> list[Flight]:
    """Return who plays what."""
    return [
        Flight("lander", "LunarLander-v3", 400, {}, lambda _: pilot),
        Flight("lander, continuous", "LunarLander-v3", 100, {"continuous": True}, lambda _: throttles),
        Flight("lander, wind", "LunarLander-v3", 400, {"enable_wind": True}, lambda _: pilot),
        Flight("walker", "BipedalWalker-v3", 300, {}, lambda count: Gait(count).act),
        Flight("walker on hard ground", "BipedalWalkerHardcore-v3", 300, {}, lambda count: Gait(count).act),
        Flight("car by pixels", "CarRacing-v3", 30, {}, lambda _: driver()),
    ]


def throttles(seen: NDArray[Any]) -> NDArray[Any]:
    """Return what the documented pilot does with two engines."""
    return pilot(seen, True)


def driver() -> Actor:
    """Return the pilot of the example, as that drives."""
    file = RESULTS.parents[1] / "examples" / "learning" / "racing.py"
    spec = importlib.util.spec_from_file_location("racing", file)
    assert spec is not None and spec.loader is not None
    racing = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(racing)
    return lambda seen: cast("NDArray[Any]", racing.steer(seen).astype(np.float32))


def many(flight: Flight) -> Episodes:
    """Play all seeds at once."""
    envs = gymnasium.make_vec(f"carom/{flight.task}", flight.seeds, **flight.options)
    seen, _ = envs.reset(seed=0)
    act, count = flight.actor(flight.seeds), flight.seeds
    found, playing = (
        Episodes(np.zeros(count), np.zeros(count, np.int64), np.zeros(count, np.bool_)),
        np.ones(count, bool),
    )
    while playing.any():
        seen, rewards, ended, cut, _ = envs.step(act(seen))
        found.returns[playing] += rewards[playing]
        found.steps[playing] += 1
        found.fallen[playing & ended & (rewards <= CRASH)] = True
        playing &= ~(ended | cut)
    return found


def alone(flight: Flight) -> Episodes:
    """Play one seed after the other, in Gymnasium's own task."""
    env = gymnasium.make(flight.task, **flight.options)
    found = []
    for seed in range(flight.seeds):
        act, total, steps, over = flight.actor(1), 0.0, 0, False
        seen, _ = env.reset(seed=seed)
        while not over:
            action = act(seen[None])[0]
            seen, reward, ended, cut, _ = env.step(action)
            total, steps, over = total + float(reward), steps + 1, ended or cut
        found.append((total, steps, ended and float(reward) <= CRASH))
    returns, lengths, ends = zip(*found, strict=True)
    return Episodes(np.array(returns), np.array(lengths), np.array(ends))


def row(flight: Flight, who: str, found: Episodes) -> tuple[str, ...]:
    """Return a row of the table."""
    falls = f"{100 * found.fallen.mean():.0f} %" if "walker" in flight.title else ""
    return (flight.title, who, str(flight.seeds), *mean(found.returns), falls, f"{found.steps.mean():.0f}")


def mean(numbers: NDArray[np.float64]) -> tuple[str, str]:
    """Return a mean and its standard error."""
    return f"{numbers.mean():.1f}", f"{numbers.std(ddof=1) / len(numbers) ** 0.5:.1f}"
