"""LunarLander on copies of a world: ground by chance, a hull on two sprung legs, three engines, and wind on request.

In: an engine to fire, or how much each one. Out: observations, rewards and ends as the task of the same name in
Gymnasium has them, for thousands of landers in one call.
Numbers of the task are those of Gymnasium's documentation and source (Farama Foundation, LunarLander-v3, MIT).
"""

from __future__ import annotations

import math
import warnings
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

import carom as cm
from carom_gym.arrays import Booleans, Floats
from carom_gym.gymnasium_parts import AutoresetMode, spaces
from carom_gym.lander_pictures import Scene, paint_scene
from carom_gym.worlds import WorldsEnv, WorldsVectorEnv

FPS, SCALE = 50, 30.0
WIDE, HIGH = 600 / SCALE, 400 / SCALE
OUTLINE = [(x / SCALE, y / SCALE) for x, y in ((-14, 17), (-17, 0), (-17, -10), (17, -10), (17, 0), (14, 17))]
MIDDLE = cm.Polygon(OUTLINE).position
"""The centre of mass, from the point that the task calls the position."""
LEG_AWAY, LEG_DOWN, LEG_SIZE, SPRING = 20 / SCALE, 18 / SCALE, (4 / SCALE, 16 / SCALE), 40.0
MAIN_POWER, SIDE_POWER = 13.0, 0.6
NOZZLE, SIDE_OUT, SIDE_UP, SIDE_ASKEW = 4 / SCALE, 12 / SCALE, 14 / SCALE, 17 / SCALE
"""Where the engines push: below, and beside and above the position, higher when tilted, as the original has it."""
CORNERS, PUSH = 11, 1000.0
LEG_ANGLE, ZERO = 0.492, 0.05
"""The angle of the legs after the first step of the original, and that from which it counts the angle of a joint."""
KEPT, TWIST = 0.9737, -0.1103
"""The share of a push that the hull keeps when the original's first step joins legs to it, and the spin it gets."""
THICK, NEAR = 0.015, 0.005
"""Bodies of the original rest so far above a line, and touch up to so much farther."""
STILL, STILL_SPIN, STILL_STEPS = 0.01, math.radians(2), FPS // 2
"""Slower than this for so many steps, a lander has landed: the original's bodies fall asleep."""
HULL, LEGS, GROUND = 0, (1, 2), 3
BODIES = (HULL, *LEGS)
TOGETHER = 8
"""Starts that are played in one call."""
ENDS = [2.5, 2.5, 10, 10, 2 * math.pi, 10, 1, 1]
LEAST = [-2.5, -2.5, -10, -10, -2 * math.pi, -10, 0, 0]


def heights_of(chance: np.random.Generator) -> Floats:
    """Return the heights of the corners of the ground, drawn in Gymnasium's order."""
    drawn = chance.uniform(0, HIGH / 2, size=CORNERS + 1)
    drawn[CORNERS // 2 - 2 : CORNERS // 2 + 3] = HIGH / 4
    smooth: Floats = 0.33 * (np.roll(drawn, 1) + drawn + np.roll(drawn, -1))[:CORNERS]
    return smooth


def lines_of(heights: Floats) -> Floats:
    """Return the ends of the lines of grounds of some heights (n, corners), the floor first: (n, lines, 2, 2)."""
    corners = np.stack(np.broadcast_arrays(np.arange(CORNERS) * WIDE / (CORNERS - 1), heights), axis=-1)
    lines = np.stack((corners[:, :-1], corners[:, 1:]), axis=2)
    floors = np.broadcast_to([[[0.0, 0.0], [WIDE, 0.0]]], (len(lines), 1, 2, 2))
    return np.concatenate((floors, lines), axis=1)


def lander_world(gravity: float) -> cm.World:
    """Return a world with the hull and two legs in rows 0 to 2, two pins, and level ground."""
    world = cm.World(gravity=(0, gravity), sleep=False)
    x, y = WIDE / 2, HIGH
    of_lander: dict[str, Any] = {"kind": "dynamic", "layer": "lander", "mask": "ground"}
    outline = [(x + px, y + py) for px, py in OUTLINE]
    hull = world.add(cm.Polygon(outline), density=5, friction=0.1, **of_lander)
    for side in (-1, 1):
        angle = -side * LEG_ANGLE
        c, s = math.cos(angle), math.sin(angle)
        at = x - c * side * LEG_AWAY + s * LEG_DOWN, y - s * side * LEG_AWAY - c * LEG_DOWN
        leg = world.add(cm.Box(at, LEG_SIZE, angle), density=1, friction=0.2, **of_lander)
        low, high = (0.4, 0.9) if side < 0 else (-0.9, -0.4)
        now = angle - ZERO * side
        world.pin(leg, hull, (x, y), limits=(low - now, high - now), speed=0.3 * side, max_torque=SPRING)
    lines = lines_of(np.full((1, CORNERS), HIGH / 4))[0]
    world.add_many(cm.Shapes.capsules(lines[:, 0], lines[:, 1], THICK), layer="ground", friction=0.1)
    return world


def gust(at: NDArray[np.int64]) -> Floats:
    """Return how hard the wind blows at a time of its own, -1 to 1; it never repeats."""
    found: Floats = np.tanh(np.sin(0.02 * at) + np.sin(math.pi * 0.01 * at))
    return found


def thrust(angle: Floats, main: Floats, way: Floats, side: Floats, drawn: Floats) -> tuple[Floats, Floats]:
    """Return the impulses of the engines on the hull (n, 2), and how they turn it about its centre of mass (n,).

    `main` and `side` are 0 or from 0.5 to 1, `way` is -1 or 1, `drawn` the two numbers of chance of each lander (n, 2).
    """
    sn, cs = np.sin(angle), np.cos(angle)
    mx, my = cs * MIDDLE.x - sn * MIDDLE.y, sn * MIDDLE.x + cs * MIDDLE.y
    down, aside = NOZZLE + 2 * drawn[:, 0], drawn[:, 1]
    ox, oy = sn * down - cs * aside, -cs * down - sn * aside
    jx, jy = -MAIN_POWER * main * ox, -MAIN_POWER * main * oy
    turn = (ox - mx) * jy - (oy - my) * jx
    along = 3 * drawn[:, 1] + way * SIDE_OUT
    ox, oy = sn * drawn[:, 0] - cs * along, -cs * drawn[:, 0] - sn * along
    kx, ky = -SIDE_POWER * side * ox, -SIDE_POWER * side * oy
    turn = turn + (ox - sn * SIDE_ASKEW - mx) * ky - (oy + cs * SIDE_UP - my) * kx
    return np.stack((jx + kx, jy + ky), axis=1), turn


class LunarLanderVectorEnv(WorldsVectorEnv):
    """Many landers at once; `LunarLanderEnv` is the specification of each.

    Parameters
    ----------
    num_envs, max_episode_steps, render_mode, autoreset_mode
        As in `WorldsVectorEnv`; an episode is truncated after 1,000 steps unless said otherwise.
    continuous, gravity, enable_wind, wind_power, turbulence_power
        As in `LunarLanderEnv`.
    """

    single_observation_space = spaces.Box(np.array(LEAST, np.float32), np.array(ENDS, np.float32))
    longest: ClassVar[int | None] = 1000
    view: ClassVar[tuple[float, float, float, float]] = (0.0, 0.0, WIDE, HIGH)

    def __init__(
        self,
        num_envs: int = 1,
        max_episode_steps: int | str | None = "usual",
        render_mode: str | None = None,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        continuous: bool = False,
        gravity: float = -10.0,
        enable_wind: bool = False,
        wind_power: float = 15.0,
        turbulence_power: float = 1.5,
    ) -> None:
        where = type(self).__name__
        if not -12 < gravity < 0:
            raise ValueError(f"{where}: gravity = {gravity!r} must be between -12 and 0")
        for name, value, most in (("wind_power", wind_power, 20), ("turbulence_power", turbulence_power, 2)):
            if not 0 <= value <= most:
                warnings.warn(f"{where}: {name} = {value!r} should be from 0 to {most}", stacklevel=2)
        self.continuous, self.gravity, self.enable_wind = bool(continuous), float(gravity), bool(enable_wind)
        self.wind_power, self.turbulence_power = float(wind_power), float(turbulence_power)
        self.single_action_space: spaces.Space[Any] = spaces.Discrete(4)
        if continuous:
            self.single_action_space = spaces.Box(-1.0, 1.0, (2,), np.float32)
        super().__init__(num_envs, max_episode_steps, render_mode, autoreset_mode=autoreset_mode)

    def make_worlds(self, count: int) -> cm.Worlds:
        """Return copies of a lander above level ground."""
        world = lander_world(self.gravity)
        self._mass = world.body(HULL).mass
        self._lines = np.arange(GROUND, GROUND + CORNERS)
        self._starts = world.copies(min(count, TOGETHER))
        self._heights = np.full((count, CORNERS), HIGH / 4)
        self._winds = np.zeros((count, 2), np.int64)
        self._still, self._shaping = np.zeros(count, np.int64), np.zeros(count)
        self._seen, self._flames, self._fallen = np.zeros((count, 8)), np.zeros((count, 2)), np.zeros(count, np.bool_)
        worlds = world.copies(count)
        self._hull, *self._legs = (worlds.of_body(row) for row in BODIES)
        return worlds

    def begin(self, copies: NDArray[np.int64]) -> None:
        """Draw ground, a push and the time of the wind for each copy, and play a step of no action."""
        for first in range(0, len(copies), TOGETHER):
            self._begin_some(copies[first : first + TOGETHER])
        if len(copies):
            seen, shaping = self._look()
            self._seen[copies], self._shaping[copies] = seen[copies], shaping[copies]
            self._still[copies], self._flames[copies] = 0, 0

    def _begin_some(self, copies: NDArray[np.int64]) -> None:
        """Begin episodes of a few copies: their first step is played in copies of its own, so that no other moves."""
        starts, count = self._starts, len(copies)
        velocities = np.zeros((len(starts), 2))
        for k, copy in enumerate(copies.tolist()):
            chance = self.chances[copy]
            self._heights[copy] = heights_of(chance)
            velocities[k] = chance.uniform(-PUSH, PUSH), chance.uniform(-PUSH, PUSH)
            if self.enable_wind:
                self._winds[copy] = chance.integers(-9999, 9999), chance.integers(-9999, 9999)
            chance.uniform(size=2)  # for its engines, which are off
        starts.reset()
        velocities *= KEPT / self._mass / FPS
        spins = TWIST / KEPT * velocities[:, 0]
        middle = np.asarray(starts.of_body(HULL).position)
        for row in BODIES:
            body = starts.of_body(row)
            away = np.asarray(body.position) - middle
            # Half a step of gravity: from there on, parabolas pass through the positions of the original's steps.
            body.velocity = velocities + np.stack((-spins * away[:, 1], spins * away[:, 0] + self.gravity / FPS / 2), 1)
            body.spin = spins
        if self.enable_wind:
            push, turn = np.zeros((len(starts), 2)), np.zeros(len(starts))
            push[:count, 0], turn[:count] = self._blow(copies)
            starts.apply_impulses(HULL, push, turns=turn)
        starts.step(1 / FPS)
        self.worlds.reset(copies, to=starts.snapshots(np.arange(count)))
        self.worlds.set_shapes(self._lines, lines_of(self._heights[copies]), copies=copies)

    def _blow(self, copies: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """Return the impulses of the wind along x and about the centre of mass, and let its time pass."""
        found = gust(self._winds[copies])
        self._winds[copies] += 1
        return found[:, 0] * (self.wind_power / FPS), found[:, 1] * (self.turbulence_power / FPS)

    def _look(self) -> tuple[Floats, Floats]:
        """Return what is seen (n, 8), and how good it is (n,); note which hulls touch the ground."""
        seen = np.empty((self.num_envs, 8))
        angle, at = np.asarray(self._hull.angle), np.asarray(self._hull.position)
        sn, cs = np.sin(angle), np.cos(angle)
        seen[:, 0] = (at[:, 0] - (cs * MIDDLE.x - sn * MIDDLE.y) - WIDE / 2) / (WIDE / 2)
        seen[:, 1] = (at[:, 1] - (sn * MIDDLE.x + cs * MIDDLE.y) - HIGH / 4 - LEG_DOWN) / (HIGH / 2)
        seen[:, 2:4] = np.asarray(self._hull.velocity) * (WIDE / 2 / FPS, HIGH / 2 / FPS)
        seen[:, 4], seen[:, 5] = angle, 20 * np.asarray(self._hull.spin) / FPS
        touching = self.worlds.touching(BODIES, layer="ground", within=NEAR)
        self._fallen, seen[:, 6:] = touching[:, HULL], touching[:, LEGS]
        ways = np.hypot(seen[:, 0], seen[:, 1]) + np.hypot(seen[:, 2], seen[:, 3])
        return seen, -100 * (ways + abs(angle)) + 10 * (seen[:, 6] + seen[:, 7])

    def observe(self) -> NDArray[Any]:
        """Return place, velocity, angle, spin and both feet, (n, 8)."""
        return self._seen.astype(np.float32)

    def play(self, actions: NDArray[Any], live: Booleans) -> tuple[Floats, Booleans]:
        """Fire engines, let the wind blow, and step."""
        main, way, side = self._engines(actions)
        drawn = np.zeros((self.num_envs, 2))
        for k in np.flatnonzero(live).tolist():
            chance = self.chances[k]
            drawn[k] = chance.uniform(-1, 1), chance.uniform(-1, 1)
        push, turn = thrust(np.asarray(self._hull.angle), main, way, side, drawn / SCALE)
        if self.enable_wind:
            flying = np.flatnonzero(live & ~(self._seen[:, 6:] > 0).any(axis=1))
            along, about = self._blow(flying)
            push[flying, 0] += along
            turn[flying] += about
        self.worlds.apply_impulses(HULL, push, turns=turn)
        self.worlds.step(1 / FPS)
        self._flames = np.stack((main, way * side), axis=1)
        self._seen, shaping = self._look()
        rewards = shaping - self._shaping - 0.3 * main - 0.03 * side
        self._shaping = shaping
        crashed = self._fallen | (abs(self._seen[:, 0]) >= 1)
        self._still = np.where(self._is_still(), self._still + 1, 0)
        landed = self._still >= STILL_STEPS
        rewards[crashed], rewards[landed] = -100, 100
        return rewards, crashed | landed

    def _engines(self, actions: NDArray[Any]) -> tuple[Floats, Floats, Floats]:
        """Return how much the main engine fires, which way the side engines push, and how much, each (n,)."""
        if not self.continuous:
            return (actions == 2) * 1.0, actions - 2.0, ((actions == 1) | (actions == 3)) * 1.0
        first, second = np.clip(actions, -1, 1).astype(np.float64).T
        size = abs(second)
        return np.where(first > 0, (first + 1) / 2, 0.0), np.sign(second), np.where(size > 0.5, size, 0.0)

    def _is_still(self) -> Booleans:
        """Return which landers neither move nor turn."""
        still = np.hypot(*np.asarray(self._hull.velocity).T) < STILL
        for body in (self._hull, *self._legs):
            still &= abs(np.asarray(body.spin)) < STILL_SPIN
        return np.asarray(still, np.bool_)

    def paint(self, surface: Any, camera: cm.draw.Camera) -> None:
        """Draw the first copy onto a pygame surface: sky, ground, flags, lander and what its engines do."""
        angle, leg_angles = float(self._hull.angle[0]), [float(leg.angle[0]) for leg in self._legs]
        c, s = math.cos(angle), math.sin(angle)
        at = np.asarray(self._hull.position)[0] - (c * MIDDLE.x - s * MIDDLE.y, s * MIDDLE.x + c * MIDDLE.y)
        legs = [(np.asarray(leg.position)[0], turned) for leg, turned in zip(self._legs, leg_angles, strict=True)]
        ground = lines_of(self._heights[:1])[0, 1:]
        flames = float(self._flames[0, 0]), float(self._flames[0, 1])
        paint_scene(surface, camera, Scene(ground, (at, angle), legs, flames, int(self.steps[0])))


class LunarLanderEnv(WorldsEnv[LunarLanderVectorEnv]):
    """A lander above rough ground: set it down between two flags; as `LunarLander-v3` of Gymnasium.

    Parameters
    ----------
    render_mode : "human" or "rgb_array", optional
    continuous : bool
        Whether the engines are throttled.
    gravity : float, between -12 and 0
    enable_wind : bool
        Whether wind pushes and turns the lander until a leg touches the ground.
    wind_power, turbulence_power : float
        The greatest force and moment of the wind: from 0 to 20, and from 0 to 2.

    Notes
    -----
    Action: ``Discrete(4)``, nothing, the engine that pushes to the left, the main engine, the one that pushes to the
    right. If `continuous`, ``Box(-1, 1, (2,))``: the main engine, off below 0, then from half to full power; and the
    side engines, off between -0.5 and 0.5.

    Observation: ``Box(8,)``, x and y from the pad, velocity, angle and spin, and for each leg whether it touches the
    ground. Units are those of Gymnasium.

    Reward: coming nearer, slower and upright, 10 for each leg on the ground, less 0.3 for a step of the main engine
    and 0.03 for one of a side engine; -100 for a crash or for leaving the picture at a side, 100 for coming to rest,
    each of which ends the episode.
    """

    def __init__(
        self,
        render_mode: str | None = None,
        continuous: bool = False,
        gravity: float = -10.0,
        enable_wind: bool = False,
        wind_power: float = 15.0,
        turbulence_power: float = 1.5,
    ) -> None:
        super().__init__(
            LunarLanderVectorEnv,
            render_mode,
            continuous=continuous,
            gravity=gravity,
            enable_wind=enable_wind,
            wind_power=wind_power,
            turbulence_power=turbulence_power,
        )
