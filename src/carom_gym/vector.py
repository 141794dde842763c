"""Thousands of games as one environment of Gymnasium, stepped in one compiled call.

In: an array of actions. Out: arrays of observations, rewards and ends. What a game is, `BreakoutEnv` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from carom_breakout.state import Rows
from carom_gym import LONGEST
from carom_gym.arrays import Booleans
from carom_gym.batch import Batch, Snapshot, Step
from carom_gym.gymnasium_parts import AutoresetMode, VectorEnv, batch_space, np_random
from carom_gym.refusals import WHERE, read_truth, refuse
from carom_gym.settings import Action, Observation, Physics, read_count, read_settings
from carom_gym.single import RENDER_MODES, first_number, read_goals, read_render_mode

IN_WINDOW = 16  # games that a window shows

Seeds = int | Sequence[int | None] | NDArray[np.integer[Any]] | None
Result = tuple[NDArray[Any], NDArray[np.float64], Booleans, Booleans, dict[str, Any]]


class BreakoutVectorEnv(VectorEnv[NDArray[Any], NDArray[Any], NDArray[Any]]):
    """Many games of Breakout at once; `BreakoutEnv` is the specification of each.

    Parameters
    ----------
    num_envs : int
    max_episode_steps : int or None
        Steps after which an episode is truncated; None for never.
    render_mode : "human" or "rgb_array", optional
        A window shows the first sixteen games.
    autoreset_mode : gymnasium.vector.AutoresetMode, or its value
        NEXT_STEP: the step after the end begins the next episode, with reward 0, whatever its action. SAME_STEP: the
        last step of an episode returns the first observation of the next one, and `info` has "final_obs" and
        "final_info". DISABLED: ``reset(options={"reset_mask": ended})`` begins the next episodes.
    threads : int
        How many threads step the games, each its own part; the games are the same.
    reuse : bool
        Whether observations, rewards and ends are the same arrays at each call, overwritten by the next one. New
        arrays are what Gymnasium's users expect.
    **options
        Those of `BreakoutEnv`.

    Notes
    -----
    ``reset(seed=s)`` seeds game i with s + i; a sequence gives each its own seed. Where episodes end, `info` has
    "score", "lives", "bricks_left" and "won" as arrays, and masks "_score" and so on of the games they are about.

    Examples
    --------
    >>> import gymnasium
    >>> envs = gymnasium.make_vec("carom/Breakout-v0", num_envs=1000)
    >>> observations, infos = envs.reset(seed=7)
    >>> observations, rewards, terminated, truncated, infos = envs.step(envs.action_space.sample())
    >>> observations.shape, rewards.shape
    ((1000, 96), (1000,))
    """

    metadata = {  # noqa: RUF012, as Gymnasium declares it
        "render_modes": list(RENDER_MODES),
        "render_fps": 15,
    }

    def __init__(
        self,
        num_envs: int = 1,
        max_episode_steps: int | None = LONGEST,
        render_mode: Literal["human", "rgb_array"] | None = None,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        reuse: bool = False,
        level: int | Literal["random"] = 1,
        physics: Physics = "exact",
        observation: Observation = "features",
        action: Action = "discrete",
        frame_skip: int = 4,
        sticky_actions: float = 0.0,
        power_ups: bool = True,
        lives: int = 3,
        life_penalty: float = 0.0,
        paddle_reward: float = 0.0,
    ) -> None:
        settings = read_settings(
            level,
            physics,
            observation,
            action,
            frame_skip,
            sticky_actions,
            power_ups,
            lives,
            life_penalty,
            paddle_reward,
        )
        self.num_envs = read_count("num_envs", num_envs)
        self.render_mode = read_render_mode(render_mode)
        self._mode = AutoresetMode(autoreset_mode)
        self.metadata = {
            **self.metadata,
            "render_fps": 60 / frame_skip,
            "autoreset_mode": self._mode,
        }
        self.single_observation_space, self.single_action_space = settings.observation_space, settings.action_space
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        if max_episode_steps is not None:
            settings.options["longest"] = read_count("max_episode_steps", max_episode_steps)
        settings.options["renews"] = self._mode == AutoresetMode.NEXT_STEP
        self._settings, self._physics = settings, physics
        count = read_count("threads", threads)
        self._batch = Batch(self.num_envs, settings, count, not read_truth("reuse", reuse))
        self._over = np.ones(self.num_envs, np.bool_)
        self._seeded = False
        self._painter: Any = None

    @property
    def games(self) -> Rows:
        """The records of the games, (num_envs,) `carom_breakout.state.GAME`: ``games.score`` is that of each."""
        return self._batch.games

    def reset(
        self, *, seed: Seeds = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin an episode of each game, or of those of the mask in ``options["reset_mask"]``."""
        chosen = self._read_mask(options)
        seeds = self._read_seeds(seed)
        super().reset(seed=seed if isinstance(seed, int) else None)
        if not self._seeded:
            numbers: list[int | None] = list(self.np_random.integers(1, 2**32, self.num_envs).tolist())
            self._batch.seed(numbers)
            self._seeded = True
        self._batch.seed(
            [
                first_number(np_random(seed)[0]) if seed is not None and wanted else None
                for seed, wanted in zip(seeds, chosen, strict=True)
            ]
        )
        observations = self._batch.start(chosen)
        self._over[chosen] = False
        self._show()
        return observations, {}

    def step(self, actions: NDArray[Any]) -> Result:
        """Play one step of each game; ValueError for actions out of the space, RuntimeError where no episode runs."""
        if self._settings.continuous:
            chosen: dict[str, Any] = {"goals": read_goals(actions, (self.num_envs, 1))}
        else:
            chosen = {"actions": self._read_actions(actions)}
        if not self._seeded or (self._mode == AutoresetMode.DISABLED and self._over.any()):
            game = int(np.argmax(self._over))
            raise RuntimeError(
                f"{WHERE}: game {game} has no episode; call reset(), with options={{'reset_mask': ...}} for some games"
            )
        made = self._batch.step(**chosen)
        over = made.terminated | made.truncated
        self._over = over
        infos = self._infos(over) if over.any() else {}
        observations = made.observations
        if infos and self._mode == AutoresetMode.SAME_STEP:
            observations, infos = self._renew(made, over, infos)
        self._show()
        return observations, made.rewards, made.terminated, made.truncated, infos

    def _renew(self, made: Step, over: Booleans, ends: dict[str, Any]) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin the next episodes where one has ended; return the observations and infos of the same step."""
        final = np.full(self.num_envs, None, dtype=object)
        for row in np.flatnonzero(over):
            final[row] = made.observations[row].copy()
        observations = self._batch.start(over)
        return observations, {
            "final_obs": final,
            "_final_obs": over.copy(),
            "final_info": ends,
            "_final_info": over.copy(),
        }

    def _infos(self, over: Booleans) -> dict[str, Any]:
        rows, infos = np.flatnonzero(over), {}
        for name, ended in self._batch.ends(rows).items():
            infos[name] = np.zeros(self.num_envs, ended.dtype)
            infos[name][rows] = ended
            infos[f"_{name}"] = over.copy()
        return infos

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """Return a picture of each game as (480, 640, 3) bytes in the mode "rgb_array"."""
        if self.render_mode != "rgb_array":
            return None
        return tuple(self._paint().frame(game) for game in self.games)

    def picture(self, games: int = IN_WINDOW, size: tuple[int, int] = (320, 240)) -> NDArray[np.uint8]:
        """Return one picture of the first games, each of this (width, height), as (rows, columns, 3) bytes."""
        return cast(NDArray[np.uint8], self._paint().tiles(self.games[:games], size))

    def snapshot(self) -> tuple[Snapshot, Booleans]:
        """Return the whole state of all games and their chance; `restore` goes back to it."""
        return self._batch.snapshot(), self._over.copy()

    def restore(self, snapshot: tuple[Snapshot, Booleans]) -> NDArray[Any]:
        """Put all games back to a snapshot of an environment with the same options; return the observations."""
        kept, over = snapshot
        self._batch.restore(kept)
        self._over = over.copy()
        return self._batch.observe()

    def close_extras(self, **kwargs: Any) -> None:
        """Close the window and let the threads go."""
        self._batch.close()
        if self._painter is not None:
            self._painter.close()
            self._painter = None

    def _show(self) -> None:
        if self.render_mode == "human":
            self._paint().show_tiles(self.games[:IN_WINDOW])

    def _paint(self) -> Any:
        if self._painter is None:
            from carom_gym.painter import painter_of  # pygame, only where pictures are wanted

            self._painter = painter_of(self._physics, self._settings.seconds)
        return self._painter

    def _read_actions(self, actions: Any) -> NDArray[np.int64]:
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            refuse(ValueError, "actions", actions, f"must be ({self.num_envs},) whole numbers, one for each game")
        # Seen as unsigned, a negative number is a large one.
        numbers = np.ascontiguousarray(given, np.int64)
        if numbers.view(np.uint64).max() > 2:
            row = int(np.argmax(numbers.view(np.uint64)))
            refuse(ValueError, f"actions[{row}]", int(numbers[row]), "must be 0, 1 or 2")
        return numbers if numbers.flags.writeable else numbers.copy()  # kernels are compiled for arrays of one kind

    def _read_seeds(self, seed: Seeds) -> list[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, (int, np.integer)):
            return [int(seed) + i for i in range(self.num_envs)]
        if len(seed) != self.num_envs:
            refuse(ValueError, "seed", seed, f"must be one number or {self.num_envs}, one for each game")
        return [None if one is None else int(one) for one in seed]

    def _read_mask(self, options: dict[str, Any] | None) -> Booleans:
        if options is None or "reset_mask" not in options:
            return np.ones(self.num_envs, np.bool_)
        mask = options["reset_mask"]
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            refuse(TypeError, "options['reset_mask']", mask, "must be an array of bool")
        if mask.shape != (self.num_envs,) or not mask.any():
            refuse(ValueError, "options['reset_mask']", mask, f"must be ({self.num_envs},) with at least one True")
        return np.ascontiguousarray(mask)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state of the environment without its window."""
        return {**self.__dict__, "_painter": None}
