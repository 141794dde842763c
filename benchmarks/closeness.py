"""How far tasks on worlds part from Gymnasium's own under the same actions, seed by seed.

Lander: each step up to the first touch. Car: every 20th step, beside `tests/gym/data/originals.json`. Walker:
hull and legs after 20 and after 100 steps, of those that still stand; beside it the original, begun 1 cm/s faster.
Differences are in % of a number's range: the space's, the car's of what the original goes through, a pixel's of 255.
Needs `Box2D`, as after `.venv/bin/pip install "gymnasium[box2d]"`.
"""

from __future__ import annotations

import importlib.util
import json
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

import carom_gym  # noqa: F401  makes the names known
from benchmarks.harness import RESULTS, Table
from benchmarks.tasks import beside
from carom_gym.racing import CarRacingVectorEnv

SEEDS, STEPS, EARLY, BODY, FEET, PICTURE = 10, 100, 20, 14, 6, 84
"""Of the walker's observation hull and legs, of the lander's all but the feet, of the car's rows above instruments."""
DATA = RESULTS.parents[1] / "tests" / "gym" / "data"
HEADINGS = ("task", "compared", "seeds", "mean, %", "most, %")
Numbers = NDArray[np.float64]


def run(rounds: int) -> Table:
    rows = [
        HEADINGS,
        row("lander", "flights", flights({})),
        row("lander, continuous, wind", "flights", flights({"continuous": True, "enable_wind": True})),
        row("car", "states", drives()),
        row("car", "first pictures", pictures()),
    ]
    own, same, faster = (walks(name, push) for name, push in (("", 0.0), ("carom/", 0.0), ("", 0.01)))
    for who, others in (("walker", same), ("walker of Gymnasium, 1 cm/s more", faster)):
        for steps in (EARLY, STEPS):
            both = sorted(own[steps].keys() & others[steps].keys())
            apart = [abs(own[steps][seed] - others[steps][seed]) / ranges("BipedalWalker-v3", BODY) for seed in both]
            rows.append(row(who, f"after {steps} steps", apart))
    return Table("How close tasks are to Gymnasium's", f"With {beside('gymnasium', 'Box2D')}.", rows)


def row(task: str, compared: str, apart: list[Numbers]) -> tuple[str, ...]:
    """Return a row: the mean over seeds and numbers, and the most."""
    return (task, compared, str(len(apart)), *(f"{100 * x:.2f}" for x in (np.mean(apart), np.max(apart))))


def ranges(task: str, count: int) -> Numbers:
    """Return the ranges of the first numbers that are seen."""
    space: Any = gymnasium.make(task).observation_space
    found: Numbers = (space.high - space.low)[:count].astype(np.float64)
    return found


def flights(options: dict[str, Any]) -> list[Numbers]:
    """Return for each seed the most that each number parts, in shares of its range."""
    theirs = gymnasium.make("LunarLander-v3", **options).unwrapped
    mine = gymnasium.make("carom/LunarLander-v3", **options).unwrapped
    found = []
    for seed in range(SEEDS):
        worst = abs(theirs.reset(seed=seed)[0] - mine.reset(seed=seed)[0])
        chance = np.random.default_rng(seed)
        for _ in range(STEPS):
            action = chance.uniform(-1, 1, 2) if options else chance.integers(4)
            one, other = theirs.step(action), mine.step(action)
            if one[2] or other[2] or one[0][FEET:].any() or other[0][FEET:].any():
                break
            worst = np.maximum(worst, abs(one[0] - other[0]))
        found.append(worst[:FEET] / ranges("LunarLander-v3", FEET))
    return found


def drives() -> list[Numbers]:
    """Return for each seed how far the states of the car part, in shares of what the original's go through."""
    spec = importlib.util.spec_from_file_location("keep", DATA / "keep.py")
    assert spec is not None and spec.loader is not None
    keep = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(keep)
    kept = json.loads((DATA / "originals.json").read_text(encoding="utf-8"))["CarRacing-v3"]
    originals = np.array([one["states"] for one in kept])
    envs = CarRacingVectorEnv(len(kept))
    envs.reset(seed=0)

    def states() -> Numbers:
        cars, worlds = envs._cars, envs.worlds
        hull = (cars["x"], cars["y"], worlds.angles[:, 0], *worlds.velocities[:, 0].T, worlds.spins[:, 0])
        return np.column_stack((*hull, envs._engines[:, :, 1], worlds.joint_angles[:, 0]))

    found = [states()]
    for k, given in enumerate(np.stack([keep.actions_of(seed, keep.STEPS) for seed in range(len(kept))], axis=1)):
        envs.step(given)
        if (k + 1) % keep.EVERY == 0:
            found.append(states())
    whole = np.ptp(originals.reshape(-1, originals.shape[2]), axis=0)
    return list(abs(np.stack(found, axis=1) - originals) / whole)


def pictures() -> list[Numbers]:
    """Return for each seed how far the pixels of the first picture part."""
    first = [
        [gymnasium.make(name).reset(seed=seed)[0][:PICTURE].astype(np.float64) for seed in range(SEEDS)]
        for name in ("CarRacing-v3", "carom/CarRacing-v3")
    ]
    return [abs(one - other) / 255 for one, other in zip(*first, strict=True)]


def walks(prefix: str, push: float) -> dict[int, dict[int, Numbers]]:
    """Return hull and legs after some steps, by seed, of walkers that do not fall before."""
    found: dict[int, dict[int, Numbers]] = {EARLY: {}, STEPS: {}}
    for seed in range(SEEDS):
        env: Any = gymnasium.make(f"{prefix}BipedalWalker-v3").unwrapped
        env.reset(seed=seed)
        if push:
            env.hull.linearVelocity = (env.hull.linearVelocity[0] + push, env.hull.linearVelocity[1])
        chance = np.random.default_rng(seed)
        for k in range(STEPS):
            seen, _, ended, *_ = env.step(chance.uniform(-1, 1, 4))
            if ended:
                break
            if k + 1 in found:
                found[k + 1][seed] = seen[:BODY].astype(np.float64)
    return found
