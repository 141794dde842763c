"""Write down what the originals of Gymnasium do, so that tests compare with them where Box2D is not installed.

In: Gymnasium with its extra `box2d`. Out: `originals.json` beside this file: of CarRacing the tracks of some seeds and
the states of the car under fixed actions; of BipedalWalker the ground of its hard variant and what is seen under fixed
actions. Run it as `python tests/gym/data/keep.py`.
"""

from __future__ import annotations

import importlib.metadata
import json
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

SEEDS, STEPS, EVERY = 10, 100, 20


def actions_of(seed: int, steps: int) -> NDArray[np.float32]:
    """Return what a driver by chance does, another thing every tenth step."""
    chance = np.random.default_rng(seed)
    drawn = chance.uniform((-1, -0.5, -2), (1, 1, 1), (-(-steps // 10), 3)).astype(np.float32)
    return np.repeat(np.clip(drawn, (-1, 0, 0), 1).astype(np.float32), 10, axis=0)[:steps]


def state_of(env: Any) -> list[float]:
    """Return position, angle, velocity, spin, spins of the wheels about their axles, and steering of a car."""
    hull, wheels = env.car.hull, env.car.wheels
    return [
        *(*hull.position, hull.angle, *hull.linearVelocity, hull.angularVelocity),
        *(wheel.omega for wheel in wheels),
        wheels[0].joint.angle,
    ]


def driven(seed: int) -> dict[str, Any]:
    """Return the track after a seed, and the car's states and rewards under fixed actions."""
    env: Any = gymnasium.make("CarRacing-v3").unwrapped
    env.reset(seed=seed)
    track = np.array(env.track)[:, 1:]
    states, rewards = [state_of(env)], 0.0
    for k, action in enumerate(actions_of(seed, STEPS)):
        rewards += env.step(action)[1]
        if (k + 1) % EVERY == 0:
            states.append(state_of(env))
    return {
        "tiles": len(track),
        "track": track[::16].tolist(),
        "kerbs": sum(isinstance(color, tuple) for _, color in env.road_poly),
        "states": states,
        "rewards": rewards,
    }


def ground_of(seed: int) -> dict[str, Any]:
    """Return every eighth height of the walker's hard ground after a seed, and the bounds of its boxes."""
    env: Any = gymnasium.make("BipedalWalkerHardcore-v3").unwrapped
    env.reset(seed=seed)
    boxes = []
    for body in reversed(env.terrain):
        shape = body.fixtures[0].shape
        if len(shape.vertices) == 4:
            corners = np.array(shape.vertices)
            boxes.append([*corners.min(axis=0).tolist(), *corners.max(axis=0).tolist()])
    return {"heights": [float(y) for y in env.terrain_y[::8]], "boxes": boxes}


def walked(seed: int) -> list[list[float]]:
    """Return what a walker sees under fixed actions, every twentieth step, as long as it does not fall."""
    env: Any = gymnasium.make("BipedalWalker-v3").unwrapped
    seen, _ = env.reset(seed=seed)
    chance, rows = np.random.default_rng(seed), [seen.tolist()]
    for k in range(STEPS):
        seen, _, ended, _, _ = env.step(chance.uniform(-1, 1, 4))
        if ended:
            break
        if (k + 1) % EVERY == 0:
            rows.append(seen.tolist())
    return rows


def main() -> None:
    """Write the file."""
    versions = {name: importlib.metadata.version(name) for name in ("gymnasium", "box2d", "numpy")}
    found = {
        "made with": versions,
        "CarRacing-v3": [driven(seed) for seed in range(SEEDS)],
        "BipedalWalkerHardcore-v3": [ground_of(seed) for seed in range(SEEDS)],
        "BipedalWalker-v3": [walked(seed) for seed in range(SEEDS)],
    }
    Path(__file__).with_name("originals.json").write_text(json.dumps(found) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
