"""One game as an environment of Gymnasium, with the specification of all of Carom's Breakout environments.

In: actions. Out: observations, rewards, ends; pictures if asked for.
"""

from __future__ import annotations

from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from carom_gym.batch import Batch, Snapshot
from carom_gym.gymnasium_parts import Env, ResetNeeded
from carom_gym.refusals import WHERE, refuse
from carom_gym.settings import (
    Action,
    Observation,
    Physics,
    read_settings,
)

RENDER_MODES = ("human", "rgb_array")
HALF_FIELD = 400.0  # pixels
ACTIONS = np.arange(3).reshape(3, 1)


class BreakoutEnv(Env[NDArray[Any], Any]):
    """Breakout, exactly: a ball, a paddle, bricks, power-ups; no ball passes through anything at any speed.

    ``gymnasium.make("carom/Breakout-v0")`` makes one game, ``gymnasium.make_vec("carom/Breakout-v0", num_envs=4096)``
    thousands that are stepped in one compiled call (`BreakoutVectorEnv`). The rules are those of ``carom breakout``.

    Action
        ====================  ==================================================================================
        ``"discrete"``        ``Discrete(3)``: 0 stays, 1 moves left, 2 moves right, at 500 pixels a second
        ``"continuous"``      ``Box(-1, 1, (1,), float32)``: where the middle of the paddle shall be, from the left
                              wall to the right one; it goes there at up to 2,000 pixels a second
        ====================  ==================================================================================

        A ball that lies on the paddle is let go at the next step.

    Observation
        ``"features"``: float32, the columns of `carom_gym.features.FEATURES`, then the map of the
        bricks, row by row from the top, then zeros up to a multiple of 8 places. A place is 0 where there is no brick,
        0.2 for one of 10 points to 1 for one of 50, -1 for one that cannot be broken. Level 1 has 13 x 6 places, so 16
        + 80 numbers.

        ====  ===============  ==============  =========================================================
        0     paddle_x         0 to 1          middle of the paddle / 800
        1     paddle_width     0 to 1          width of the paddle / 800
        2     ball_x           0 to 1          centre of the ball / 800
        3     ball_y           0 to 1.05       the same downwards / 600; above 1.02 once it is lost
        4, 5  ball_vx, _vy     -16 to 16       velocity, 1 is the speed at launch, 364 pixels a second
        6     waiting          0 or 1          1 while the ball lies on the paddle
        7     lives            0 to 1          lives left / lives at the start
        8     bricks_left      0 to 1          breakable bricks left / places of the map
        9     sticky           0 to 1          time left of the sticky paddle / 20 s
        10    pass_through     0 to 1          time left of the pass-through ball / 10 s
        11    item             0 or 1          1 while a power-up that helps can still be caught
        12    item_x           0 to 1          middle of the lowest of these / 800
        13    item_y           0 to 1          upper edge of the same / 600
        14    speed            0 to 16         speed that the paddle gives back to the ball
        15    fruitless        0 to 1          time since the ball met the paddle or broke a brick / 10 s
        ====  ===============  ==============  =========================================================

        ``"pixels"``: uint8 of shape (4, 84, 84), the last four pictures in grey, the oldest first.

    Reward
        The points that the game gives: 10 to 50 a brick, 5 a power-up caught, 250 for the cleared level and 100 for
        each life left then. `life_penalty` and `paddle_reward` are 0 unless set.

    Start
        A full level; the ball lies on the paddle, whose place is drawn by lot.

    End
        Terminated when the last life is lost or the level is cleared. ``make`` truncates after 9,000 steps, ten
        minutes.
        At the end `info` tells "score", "lives", "bricks_left" and "won"; the vector environment tells it of truncated
        episodes, too.

    Parameters
    ----------
    render_mode : "human" or "rgb_array", optional
    level : int or "random"
        Number of the level, from 1, or another one by lot in each episode.
    physics : "exact" or "tutorial"
        The tutorial's has its thirteen flaws.
    observation : "features" or "pixels"
    action : "discrete" or "continuous"
    frame_skip : int
        Frames of 1/60 s that an action lasts. The exact physics plays them as one step.
    sticky_actions : float
        Share of the actions in whose place the one before is repeated.
    power_ups : bool
        Whether bricks drop power-ups.
    lives : int
    life_penalty : float
        Taken from the reward for each life lost.
    paddle_reward : float
        Added to the reward where the ball meets the paddle.

    Notes
    -----
    Chance is in the game's own record, seeded from `np_random`: an episode is its seed and its actions, and a deep copy
    or a pickle goes on where the game was. Game i of the vector environment reset with `seed` is this environment reset
    with seed + i, bit for bit.

    Version 0: first version.

    Examples
    --------
    >>> import gymnasium
    >>> env = gymnasium.make("carom/Breakout-v0")
    >>> observation, info = env.reset(seed=7)
    >>> observation.shape, env.action_space
    ((96,), Discrete(3))
    >>> observation, reward, terminated, truncated, info = env.step(2)
    >>> reward, terminated, truncated
    (0.0, False, False)
    """

    metadata = {  # noqa: RUF012, as Gymnasium declares it
        "render_modes": list(RENDER_MODES),
        "render_fps": 15,
    }

    def __init__(
        self,
        render_mode: Literal["human", "rgb_array"] | None = None,
        *,
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
        self._settings = read_settings(
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
        self.render_mode = read_render_mode(render_mode)
        self.metadata = {**self.metadata, "render_fps": 60 / frame_skip}
        self.observation_space = self._settings.observation_space
        self.action_space = self._settings.action_space
        self._physics = physics
        self._batch = Batch(1, self._settings, fresh=False)
        self._running = False
        self._seeded = False
        self._painter: Any = None

    @property
    def game(self) -> Any:
        """The record of the game, `carom_breakout.state.GAME`."""
        return self._batch.games[0]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin an episode: the first one of the seed, or the next one of the seed given before."""
        super().reset(seed=seed)
        if seed is not None or not self._seeded:
            self._batch.seed([first_number(self.np_random)])
            self._seeded = True
        observations = self._batch.start(np.ones(1, np.bool_))
        self._running = True
        if self.render_mode == "human":
            self._paint().show(self.game, self.game, None)
        return observations[0].copy(), {}

    def step(self, action: Any) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Play one step; ValueError for an action out of the space, ResetNeeded where no episode runs."""
        batch, continuous = self._batch, self._settings.continuous
        chosen: NDArray[Any] = read_goals(action, (1,)) if continuous else read_action(action)
        if not self._running:
            raise ResetNeeded(f"{WHERE}: no episode runs; call reset() before step()")
        before = self.game.copy() if self.render_mode == "human" else None
        made = batch.step(goals=chosen) if continuous else batch.step(chosen)
        if before is not None:
            self._paint().show(before, self.game, self._batch.trace(before))
        terminated, info = bool(made.terminated[0]), {}
        if terminated:
            self._running = False
            info = {name: column[0].item() for name, column in batch.ends(np.zeros(1, np.int64)).items()}
        return made.observations[0].copy(), float(made.rewards[0]), terminated, False, info

    def render(self) -> NDArray[np.uint8] | None:
        """Return a picture as (480, 640, 3) bytes in the mode "rgb_array"; a window shows each step by itself."""
        return self._paint().frame(self.game) if self.render_mode == "rgb_array" else None

    def snapshot(self) -> tuple[Snapshot, bool]:
        """Return the whole state of the game and its chance, some 2 kB with features; `restore` goes back to it."""
        return self._batch.snapshot(), self._running

    def restore(self, snapshot: tuple[Snapshot, bool]) -> NDArray[Any]:
        """Put the game back to a snapshot of an environment with the same options; return its observation."""
        kept, self._running = snapshot
        self._batch.restore(kept)
        return cast(NDArray[Any], self._batch.observe()[0].copy())

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._painter is not None:
            self._painter.close()
            self._painter = None

    def _paint(self) -> Any:
        if self._painter is None:
            from carom_gym.painter import painter_of  # pygame, only where pictures are wanted

            self._painter = painter_of(self._physics, self._settings.seconds)
        return self._painter

    def __getstate__(self) -> dict[str, Any]:
        """Return the state of the environment without its window."""
        return {**self.__dict__, "_painter": None}


def first_number(chance: np.random.Generator) -> int:
    """Return the start of a game's stream of chance."""
    return int(chance.integers(1, 2**32))


def read_render_mode(mode: Any) -> Any:
    """Return the render mode, or raise if there is no such mode."""
    if mode is not None and mode not in RENDER_MODES:
        refuse(ValueError, "render_mode", mode, f"must be None or one of {', '.join(RENDER_MODES)}")
    if mode is not None:
        from carom.draw import pygame as pygame  # where it is not installed, the error says what brings it
    return mode


def read_action(action: Any) -> NDArray[np.int64]:
    """Return one discrete action as kernels read it, or raise."""
    if isinstance(action, (int, np.integer)) and 0 <= action <= 2:
        found: NDArray[np.int64] = ACTIONS[action]
        return found
    if isinstance(action, np.ndarray) and action.size == 1 and action.dtype.kind in "iu":
        return read_action(action.item())
    refuse(ValueError, "action", action, "must be 0 to stay, 1 to go left or 2 to go right")


def read_goals(action: Any, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Return where the paddles shall go, in pixels, of continuous actions of this shape, or raise."""
    goals = np.asarray(action, np.float64)
    if goals.shape != shape:
        refuse(ValueError, "action", action, f"must be an array of shape {shape}")
    if not (abs(goals) <= 1.0).all():
        refuse(ValueError, "action", action, "must be numbers from -1 to 1")
    return (goals.reshape(-1) + 1.0) * HALF_FIELD
