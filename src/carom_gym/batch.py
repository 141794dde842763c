"""A batch of episodes: the tables of any number of games, stepped and observed, by one thread or several.

In: `Settings`, a stream of chance for each game, actions. Out: observations, rewards, ends. One game and thousands are
the same batch; the environments of Gymnasium are two faces of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom_breakout import state
from carom_breakout.state import Rows, Table, make_games, make_inputs, make_trace
from carom_gym.arrays import Booleans, Floats, Integers
from carom_gym.episode import EPISODE, start_games, step_games
from carom_gym.features import write_features
from carom_gym.pixels import SIDE, STACK, draw_pictures

if TYPE_CHECKING:
    from carom_gym.settings import Settings  # it imports Gymnasium, which no kernel needs

NO_GOALS = np.zeros(0)
NO_ACTIONS = np.zeros(0, np.int64)
NO_FEATURES = np.empty((0, 0), np.float32)


class Step(NamedTuple):
    """The results of one step of all games."""

    observations: NDArray[Any]
    rewards: Floats
    terminated: Booleans
    truncated: Booleans


class Snapshot(NamedTuple):
    """The state of all games of an environment, made by its `snapshot`."""

    games: Table
    episodes: Table
    recent: NDArray[np.uint8]
    newest: int


class Part(NamedTuple):
    """The games of one thread, and its room to work in."""

    rows: slice
    games: Table
    episodes: Table
    spare: tuple[Table, Table]
    later: Integers
    pictures: tuple[NDArray[np.uint8], Integers, NDArray[np.uint8]]


class Batch:
    """Games in episodes.

    Parameters
    ----------
    n : how many games.
    settings : their options, all the same.
    threads : how many threads step them, each its own part of the games.
    fresh : whether each step gives new arrays; else it overwrites those that it gave before.
    """

    def __init__(self, n: int, settings: Settings, threads: int = 1, fresh: bool = True) -> None:
        self.n, self.settings, self.fresh = n, settings, fresh
        self.games: Rows = make_games(settings.levels, [0] * n)
        self.episodes: Rows = np.zeros(n, EPISODE).view(Rows)
        self.episodes.over = 1
        space = settings.observation_space
        self._seen = (n, *space.shape), space.dtype
        layers = n if settings.pixels else 0
        self._walls = np.zeros((layers, 1, SIDE, SIDE), np.uint8)
        self._recent = np.zeros((layers, STACK, SIDE, SIDE), np.uint8)
        self._drawn = np.full(layers, -1, np.int64)
        self._newest = 0
        parts = min(threads, n)
        self._parts = [slice(n * k // parts, n * (k + 1) // parts) for k in range(parts)]
        self._pool: ThreadPoolExecutor | None = None
        self._begin()

    def _begin(self) -> None:
        """Make what no copy takes along: room to work in, and each thread's part of the tables."""
        games, episodes = self.games.view(np.ndarray), self.episodes.view(np.ndarray)
        self._plain = games, episodes
        self._kept = self._room()
        later = np.zeros(self.n, np.int64)
        self._works = [
            Part(
                rows,
                games[rows],
                episodes[rows],
                (make_trace(1).view(np.ndarray), make_inputs(1).view(np.ndarray)),
                later[rows],
                (self._walls[rows], self._drawn[rows], self._recent[rows]),
            )
            for rows in self._parts
        ]

    def _room(self) -> Step:
        """Return arrays for one step."""
        ends = np.empty((2, self.n), np.bool_)
        return Step(np.empty(*self._seen), np.empty(self.n), ends[0], ends[1])

    def seed(self, streams: Sequence[int | None]) -> None:
        """Give each game the stream of chance of its episodes; None leaves it the one it has."""
        for g, stream in enumerate(streams):
            if stream is not None:
                self.episodes[g].stream = stream

    def start(self, chosen: Booleans) -> NDArray[Any]:
        """Begin the next episode of the games chosen, and return the observations of all."""
        settings, (games, episodes) = self.settings, self._plain
        start_games(games, episodes, *settings.levels, self._works[0].spare[0], settings.options, chosen)
        return self.observe()

    def observe(self) -> NDArray[Any]:
        """Return the observations of all games as they are now."""
        out = self._room().observations if self.fresh else self._kept.observations
        if self.settings.pixels:
            draw_pictures(*self._plain, self._walls, self._drawn, self._recent, self._newest, out)
        else:
            write_features(self._plain[0], self.settings.options, out)
        return out

    def step(self, actions: Integers = NO_ACTIONS, goals: Floats = NO_GOALS) -> Step:
        """Play one step of each game; give the one of the two that the actions are made of."""
        made = self._room() if self.fresh else self._kept
        if self.settings.pixels:
            self._newest = (self._newest + 1) % STACK
        if len(self._works) == 1:
            self._play(self._works[0], actions, goals, made)
        else:

            def play(part: Part) -> None:
                rows = part.rows
                mine = Step(made.observations[rows], made.rewards[rows], made.terminated[rows], made.truncated[rows])
                self._play(part, actions[rows], goals[rows], mine)

            self._at_once(play)
        return made

    def _play(self, part: Part, actions: Integers, goals: Floats, made: Step) -> None:
        settings = self.settings
        out, rewards, terminated, truncated = made
        step_games(
            part.games,
            part.episodes,
            *settings.levels,
            *part.spare,
            settings.options,
            actions,
            goals,
            part.later,
            rewards,
            terminated,
            truncated,
            NO_FEATURES if settings.pixels else out,
        )
        if settings.pixels:
            draw_pictures(part.games, part.episodes, *part.pictures, self._newest, out)

    def _at_once(self, play: Callable[[Part], None]) -> None:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(len(self._works) - 1)
        running = [self._pool.submit(play, part) for part in self._works[1:]]
        play(self._works[0])
        for part in running:
            part.result()

    def trace(self, before: Any) -> Rows:
        """Return the course of the last step of a batch of one game, which was `before` at its start."""
        trace: Rows = self._works[0].spare[0].view(Rows)
        if self.episodes[0].quiet:
            trace.count, trace.start, trace.end = 0, before.ball, self.games[0].ball
        return trace

    def ends(self, rows: Integers) -> dict[str, NDArray[Any]]:
        """Return how these games stand: the score, the lives, the breakable bricks left, whether the level is won."""
        games = self._plain[0]
        won = games["mode"][rows] == state.WIN
        return {
            "score": games["score"][rows],
            "lives": games["lives"][rows],
            "bricks_left": games["remaining"][rows],
            "won": won,
        }

    def snapshot(self) -> Snapshot:
        """Return the state of all games."""
        games, episodes = self._plain
        return Snapshot(games.copy(), episodes.copy(), self._recent.copy(), self._newest)

    def restore(self, snapshot: Snapshot) -> None:
        """Put all games back to a snapshot."""
        self._plain[0][:] = snapshot.games
        self._plain[1][:] = snapshot.episodes
        self._recent[:], self._newest = snapshot.recent, snapshot.newest
        self._drawn[:] = -1

    def close(self) -> None:
        """Let the threads go."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def __getstate__(self) -> dict[str, Any]:
        """Return all but the threads and the room to work in, which a copy makes anew."""
        left_out = ("_pool", "_plain", "_works", "_kept")
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Take the state of another batch."""
        self.__dict__.update(kept, _pool=None)
        self._begin()
