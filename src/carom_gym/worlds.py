"""Tasks of one's own as environments of Gymnasium: copies of a world, their episodes, seeds and pictures.

In: a class derived from `WorldsVectorEnv`, which says what world it is, how an episode begins, what is seen and what
a step does. Out: a vector environment that steps all copies in one call, and, by `single`, the same task alone, bit
for bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

import carom as cm
from carom_gym.arrays import Booleans
from carom_gym.gymnasium_parts import AutoresetMode, Env, ResetNeeded, VectorEnv, batch_space, np_random, spaces

RENDER_MODES = ("human", "rgb_array")
Seeds = int | Sequence[int | None] | NDArray[np.integer[Any]] | None
Result = tuple[NDArray[Any], NDArray[np.float64], Booleans, Booleans, dict[str, Any]]
Task = TypeVar("Task", bound="WorldsVectorEnv")


class WorldsVectorEnv(VectorEnv[NDArray[Any], NDArray[Any], NDArray[Any]]):
    """Many episodes of a task at once, on copies of a world; derive from it and write four methods.

    `make_worlds` returns the copies. `begin` puts some of them at the start of an episode, with the numbers that their
    own `chances` draw. `play` applies actions, steps the copies, and returns rewards and which episodes have ended.
    `observe` returns what is seen. The spaces of one episode are attributes of the class, or set before
    ``super().__init__``.

    Parameters
    ----------
    num_envs : int
    max_episode_steps : int or None
        Steps after which an episode is truncated; that of the class if not given, None for never.
    render_mode : "human" or "rgb_array", optional
        The first copy is drawn.
    autoreset_mode : gymnasium.vector.AutoresetMode, or its value
        NEXT_STEP: the step after the end begins the next episode, with reward 0, whatever its action. SAME_STEP: the
        last step of an episode returns the first observation of the next one, and `infos` has "final_obs". DISABLED:
        ``reset(options={"reset_mask": ended})`` begins the next episodes.

    Notes
    -----
    ``reset(seed=s)`` seeds copy i with s + i, as ``single(...).reset(seed=s + i)`` seeds the task alone: the same
    numbers are drawn, and the same bits come of it.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 50}  # noqa: RUF012, as Gymnasium's
    longest: ClassVar[int | None] = None
    """Steps after which an episode is truncated, unless said otherwise."""
    view: ClassVar[tuple[float, float, float, float]] = (-10.0, -10.0, 10.0, 10.0)
    """What a picture shows: least x and y, greatest x and y."""
    picture_size: ClassVar[tuple[int, int]] = (600, 400)

    def __init__(
        self,
        num_envs: int = 1,
        max_episode_steps: int | str | None = "usual",
        render_mode: str | None = None,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        if isinstance(num_envs, bool) or not isinstance(num_envs, int | np.integer) or num_envs < 1:
            raise ValueError(f"{type(self).__name__}: num_envs = {num_envs!r} must be a positive whole number")
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"{type(self).__name__}: render_mode = {render_mode!r} must be one of {RENDER_MODES}")
        self.num_envs, self.render_mode = int(num_envs), render_mode
        self._mode = AutoresetMode(autoreset_mode)
        self._longest = self.longest if isinstance(max_episode_steps, str) else max_episode_steps
        self.metadata = {**self.metadata, "autoreset_mode": self._mode}
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.worlds = self.make_worlds(self.num_envs)
        self.chances: list[np.random.Generator] = [np_random(None)[0] for _ in range(self.num_envs)]
        """The source of chance of each copy: all that an episode draws is drawn from it."""
        self.steps = np.zeros(self.num_envs, np.int64)
        """How many steps each episode has taken."""
        self._over = np.ones(self.num_envs, np.bool_)
        self._screen: Any = None

    # What a task is.

    def make_worlds(self, count: int) -> cm.Worlds:
        """Return so many copies of the world of the task."""
        raise NotImplementedError(f"{type(self).__name__}.make_worlds")

    def begin(self, copies: NDArray[np.int64]) -> None:
        """Put copies, by number, at the start of an episode; draw from ``self.chances[k]`` alone for copy k."""
        raise NotImplementedError(f"{type(self).__name__}.begin")

    def play(self, actions: NDArray[Any], live: Booleans) -> tuple[NDArray[np.float64], Booleans]:
        """Apply actions, step all copies, and return rewards (n,) and which episodes have ended (n,).

        What is drawn is drawn for the `live` copies alone: the others are about to begin their next episode.
        """
        raise NotImplementedError(f"{type(self).__name__}.play")

    def observe(self) -> NDArray[Any]:
        """Return what is seen in all copies, (n, ...)."""
        raise NotImplementedError(f"{type(self).__name__}.observe")

    def ends(self) -> dict[str, NDArray[Any]]:
        """Return what `infos` tell of episodes that end in this step, by names, (n,) each."""
        return {}

    def paint(self, surface: Any, camera: cm.draw.Camera) -> None:
        """Draw the first copy onto a pygame surface."""
        surface.fill("white")
        cm.draw.paint(surface, self.worlds.world(0), camera)

    # What Gymnasium calls.

    def reset(
        self, *, seed: Seeds = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin an episode of each copy, or of those of the mask in ``options["reset_mask"]``."""
        mask = np.ones(self.num_envs, np.bool_)
        if options and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"])
            if mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
                raise ValueError(f"{type(self).__name__}: options['reset_mask'] must be ({self.num_envs},) of bool")
        seeds = self._seeds(seed)
        super().reset(seed=seed if isinstance(seed, int) else None)
        copies = np.flatnonzero(mask)
        for k in copies.tolist():
            if seeds[k] is not None:
                self.chances[k] = np_random(seeds[k])[0]
        self._begin(copies)
        self._show()
        return self.observe(), {}

    def step(self, actions: NDArray[Any]) -> Result:
        """Play one step of each episode."""
        fresh = self._over & (self._mode == AutoresetMode.NEXT_STEP)
        if (self._over & ~fresh).any():
            k = int(np.argmax(self._over & ~fresh))
            raise ResetNeeded(f"{type(self).__name__}: copy {k} has no episode; call reset, or with a reset_mask")
        rewards, ended = self.play(np.asarray(actions), ~fresh)
        self.steps += 1
        terminated = ended & ~fresh
        truncated = np.zeros(self.num_envs, np.bool_) if self._longest is None else self.steps >= self._longest
        truncated = truncated & ~fresh & ~terminated
        rewards = np.where(fresh, 0.0, rewards)
        self._over = terminated | truncated
        infos: dict[str, Any] = {}
        for name, told in self.ends().items() if terminated.any() else ():
            infos.update({name: np.where(terminated, told, told.dtype.type(0)), f"_{name}": terminated.copy()})
        if fresh.any():
            self._begin(np.flatnonzero(fresh))
        if self._over.any() and self._mode == AutoresetMode.SAME_STEP:
            over, seen = self._over.copy(), self.observe()
            final = np.full(self.num_envs, None, dtype=object)
            for k in np.flatnonzero(over).tolist():
                final[k] = seen[k].copy()
            infos = {"final_obs": final, "_final_obs": over, "final_info": infos, "_final_info": over.copy()}
            self._begin(np.flatnonzero(over))
        self._show()
        return self.observe(), rewards, terminated, truncated, infos

    def _begin(self, copies: NDArray[np.int64]) -> None:
        self.begin(copies)
        self.steps[copies] = 0
        self._over[copies] = False

    def _seeds(self, seed: Seeds) -> list[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, int | np.integer):
            return [int(seed) + k for k in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ValueError(f"{type(self).__name__}: seed must be one number or {self.num_envs}, one for each copy")
        return [None if one is None else int(one) for one in seed]

    # Pictures.

    def render(self) -> Any:
        """Return a picture of the first copy, (height, width, 3) bytes in a tuple, in the mode "rgb_array"."""
        return (self.frame(),) if self.render_mode == "rgb_array" else None

    def frame(self) -> NDArray[np.uint8]:
        """Return a picture of the first copy, (height, width, 3) bytes."""
        import pygame  # only where pictures are wanted

        surface = pygame.Surface(self.picture_size, 0, 32)
        self.paint(surface, self._camera())
        return np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1))

    def _camera(self) -> cm.draw.Camera:
        """Return the camera of a picture; override it to follow a body."""
        low_x, low_y, high_x, high_y = self.view
        seen = cm.Box(((low_x + high_x) / 2, (low_y + high_y) / 2), (high_x - low_x, high_y - low_y))
        return cm.draw.Camera.fitting(self.picture_size, seen, margin=0)

    def _show(self) -> None:
        """Show the first copy in a window, in the mode "human"."""
        if self.render_mode != "human":
            return
        import pygame  # only where a window is wanted

        if self._screen is None:
            pygame.display.init()
            self._screen = pygame.display.set_mode(self.picture_size), pygame.time.Clock()
        screen, clock = self._screen
        self.paint(screen, self._camera())
        pygame.event.pump()
        pygame.display.flip()
        clock.tick(self.metadata["render_fps"])

    def close_extras(self, **kwargs: Any) -> None:
        """Close the window."""
        if self._screen is not None:
            import pygame

            pygame.display.quit()
            self._screen = None

    def __getstate__(self) -> dict[str, Any]:
        """Return the state of the environment without its window."""
        return {**self.__dict__, "_screen": None}


class WorldsEnv(Env[NDArray[Any], Any], Generic[Task]):
    """One episode of a task at a time: its vector environment with one copy, behind Gymnasium's `Env`.

    Parameters
    ----------
    task : class derived of `WorldsVectorEnv`
    render_mode : "human" or "rgb_array", optional
    **options
        Those of the task.
    """

    metadata: dict[str, Any] = WorldsVectorEnv.metadata

    def __init__(self, task: type[Task], render_mode: str | None = None, **options: Any) -> None:
        self.task: Task = task(1, None, render_mode, autoreset_mode=AutoresetMode.DISABLED, **options)
        self.metadata, self.render_mode = task.metadata, render_mode
        self.observation_space: spaces.Space[Any] = self.task.single_observation_space
        self.action_space: spaces.Space[Any] = self.task.single_action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin an episode."""
        super().reset(seed=seed)
        return self.task.reset(seed=seed, options=options)[0][0], {}

    def step(self, action: Any) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Play one step."""
        seen, rewards, terminated, truncated, infos = self.task.step(np.asarray(action)[None])
        told = {name: value[0].item() for name, value in infos.items() if not name.startswith("_") and terminated[0]}
        return seen[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), told

    def render(self) -> Any:
        """Return a picture, (height, width, 3) bytes, in the mode "rgb_array"."""
        return self.task.frame() if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Close the window."""
        self.task.close()


def single(task: type[Task], **options: Any) -> WorldsEnv[Task]:
    """Return one episode at a time of a task."""
    return WorldsEnv(task, **options)
