"""CarRacing on copies of a world: a road by chance, a car on four wheels, pictures of 96 by 96 pixels as observations.

In: steering, gas and brake. Out: pictures, rewards and ends as the task of the same name in Gymnasium has them, for
thousands of cars in one call.
Numbers of the task are those of Gymnasium's documentation and source (Farama Foundation, CarRacing-v3, MIT).
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

import carom as cm
from carom_gym.arrays import Booleans, Floats
from carom_gym.gymnasium_parts import AutoresetMode, spaces
from carom_gym.track import FIELD, SCALE, edges_of, kerbs_of, track_of
from carom_gym.track_pixels import (
    AHEAD,
    HIGH,
    PARTS,
    SIZE,
    SPOKE,
    WHEEL_HALF,
    WHEEL_RADIUS,
    WIDE,
    draw_cars,
    no_cars,
)
from carom_gym.wheels import FPS, LAST, drive, roll
from carom_gym.worlds import Seeds, WorldsEnv, WorldsVectorEnv

SIDE = 96
AXLES = [(x * SIZE, y * SIZE) for x, y in ((-55, 80), (55, 80), (-55, -82), (55, -82))]
STEER_TORQUE = 180 * 900 * SIZE**2
"""Of the motor that turns a wheel in the car."""
NEAR_ZOOM, FAR_ZOOM = 2.7 * SCALE, 0.1 * SCALE
"""Pixels of the original's window per metre, and how many when an episode begins; it takes a second from there."""
ROAD, FIELD_COLOR, GRASS = (102, 102, 102), (102, 204, 102), (102, 230, 102)
BRIGHTEST, GRASS_STEP = 210, 20
PER_FRAME, ALL_TILES, LEFT_FIELD = 0.1, 1000.0, -100.0
TILES = 384
"""Room for so many tiles at first."""
CONTROLS = np.array([(0, 0, 0), (-0.6, 0, 0), (0.6, 0, 0), (0, 0.2, 0), (0, 0, 0.8)])
"""What the five actions of the discrete task do: nothing, right, left, gas, brake."""


def car_world() -> cm.World:
    """Return a world with a hull in row 0, wheels in rows 1 to 4, and the pins that steer them."""
    world = cm.World(sleep=False)
    parts = [cm.Polygon([(x * SIZE, y * SIZE) for x, y in part]) for part in PARTS]
    hull = world.add(cm.Compound.from_parts(parts), "dynamic", density=1, mask=0)
    for at in AXLES:
        wheel = world.add(cm.Box(at, (2 * WHEEL_HALF, 2 * WHEEL_RADIUS)), "dynamic", density=0.1, mask=0)
        world.pin(wheel, hull, at, limits=(-LAST, LAST), speed=0, max_torque=STEER_TORQUE)
    return world


class CarRacingVectorEnv(WorldsVectorEnv):
    """Many cars at once, each on its own road; `CarRacingEnv` is the specification of each.

    Parameters
    ----------
    num_envs, max_episode_steps, render_mode, autoreset_mode
        As in `WorldsVectorEnv`; an episode is truncated after 1,000 steps unless said otherwise.
    lap_complete_percent, domain_randomize, continuous
        As in `CarRacingEnv`.
    """

    single_observation_space = spaces.Box(0, 255, (SIDE, SIDE, 3), np.uint8)
    longest: ClassVar[int | None] = 1000

    def __init__(
        self,
        num_envs: int = 1,
        max_episode_steps: int | str | None = "usual",
        render_mode: str | None = None,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        lap_complete_percent: float = 0.95,
        domain_randomize: bool = False,
        continuous: bool = True,
    ) -> None:
        if not 0 <= lap_complete_percent <= 1:
            where = type(self).__name__
            raise ValueError(f"{where}: lap_complete_percent = {lap_complete_percent!r} must be from 0 to 1")
        self.lap_complete_percent = float(lap_complete_percent)
        self.domain_randomize, self.continuous = bool(domain_randomize), bool(continuous)
        self.single_action_space: spaces.Space[Any] = spaces.Discrete(5)
        if continuous:
            low, high = np.array([-1, 0, 0], np.float32), np.array([1, 1, 1], np.float32)
            self.single_action_space = spaces.Box(low, high)
        super().__init__(num_envs, max_episode_steps, render_mode, autoreset_mode=autoreset_mode)

    def make_worlds(self, count: int) -> cm.Worlds:
        """Return copies of a car."""
        world = car_world()
        self._middle, self._per_mass = world.body(0).position, 1 / world.body(1).mass
        self._places = np.array([body.position for body in world.bodies])
        # The original puts wheels beside a hull that is not turned yet; its first step turns the hull back a little.
        around = world.body(1).mass * float(((self._places[1:] - self._places[0]) ** 2).sum())
        self._twist = around / (world.body(0).inertia + around)
        self._cars, self._frames = no_cars(count), np.zeros(count, np.int64)
        self._edges, self._kerbs = np.zeros((count, TILES, 4)), np.zeros((count, TILES), np.int8)
        self._visited, self._counts = np.zeros((count, TILES), np.bool_), np.zeros(count, np.int64)
        self._lapped, self._on_road = np.zeros(count, np.bool_), np.zeros((count, 4), np.bool_)
        self._engines, self._motors = np.zeros((count, 4, 3)), np.zeros((count, 4))
        self._scores, self._told, self._left = np.zeros(count), np.zeros(count), np.zeros(count, np.bool_)
        self._colors = np.zeros((count, 3, 3))
        self._colors[:] = ROAD, FIELD_COLOR, GRASS
        self._new_colors = True
        if self.domain_randomize:
            unseeded = np.random.default_rng()
            for k in range(count):
                self._color(k, unseeded)
        return world.copies(count)

    def reset(
        self, *, seed: Seeds = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin an episode of each copy, or of those of a mask; ``options["randomize"]`` False keeps the colors."""
        self._new_colors = bool((options or {}).get("randomize", True))
        try:
            return super().reset(seed=seed, options=options)
        finally:
            self._new_colors = True

    def begin(self, copies: NDArray[np.int64]) -> None:
        """Draw colors and a track for each copy, put its car there, and count the tiles that it stands on."""
        if not len(copies):
            return
        starts = np.zeros((len(copies), 3))
        for k, copy in enumerate(copies.tolist()):
            if self.domain_randomize and self._new_colors:
                self._color(copy, self.chances[copy])
            track = track_of(self.chances[copy])
            starts[k] = track[0]
            self._lay(copy, track)
        self.worlds.reset(copies)
        middle = starts[:, 1:] + turned(self._places[:1], starts[:, 0])[:, 0]
        hull = starts[:, 0] - self._twist * np.sin(starts[:, 0])
        at = middle[:, None] + turned(self._places - self._places[0], hull)
        for row in range(len(self._places)):
            body = self.worlds.of_body(row, copies)
            body.position, body.angle = at[:, row], starts[:, 0] if row else hull
        self._engines[copies], self._frames[copies], self._told[copies] = 0, 1, 0
        self._look()
        visited, on_road = np.zeros((len(copies), self._visited.shape[1]), np.bool_), self._on_road[copies]
        counts, lapped = np.zeros(len(copies), np.int64), np.zeros(len(copies), np.bool_)
        roll(self._cars[copies], self._edges[copies], visited, counts, on_road, self.lap_complete_percent, lapped)
        self._visited[copies], self._on_road[copies] = visited, on_road
        self._counts[copies], self._lapped[copies] = counts, lapped
        self._scores[copies] = ALL_TILES * counts / self._cars["tiles"][copies]

    def _color(self, copy: int, chance: np.random.Generator) -> None:
        """Draw the colors of a copy."""
        self._colors[copy, 0], self._colors[copy, 1] = chance.uniform(0, BRIGHTEST, 3), chance.uniform(0, BRIGHTEST, 3)
        self._colors[copy, 2] = self._colors[copy, 1]
        self._colors[copy, 2, chance.integers(3)] += GRASS_STEP

    def _lay(self, copy: int, track: Floats) -> None:
        """Lay the road of a copy."""
        tiles, room = len(track), self._edges.shape[1]
        if tiles > room:
            more = ((0, 0), (0, tiles - room))
            self._edges = np.pad(self._edges, (*more, (0, 0)))
            self._kerbs, self._visited = np.pad(self._kerbs, more), np.pad(self._visited, more)
        self._edges[copy, :tiles] = np.concatenate(edges_of(track), axis=1)
        self._kerbs[copy, :tiles] = kerbs_of(track)
        self._cars["tiles"][copy] = tiles

    def _look(self) -> None:
        """Note where the cars are."""
        positions, angles, cars = np.asarray(self.worlds.positions), np.asarray(self.worlds.angles), self._cars
        cos, sin = np.cos(angles), np.sin(angles)
        x, y = self._middle
        cars["x"] = positions[:, 0, 0] - (cos[:, 0] * x - sin[:, 0] * y)
        cars["y"] = positions[:, 0, 1] - (sin[:, 0] * x + cos[:, 0] * y)
        cars["cos"], cars["sin"] = cos[:, 0], sin[:, 0]
        wheels = cars["wheels"]
        wheels[..., :2], wheels[..., 2], wheels[..., 3] = positions[:, 1:], cos[:, 1:], sin[:, 1:]

    def observe(self) -> NDArray[Any]:
        """Return pictures, (n, 96, 96, 3) bytes."""
        return self._drawn(self.num_envs, SIDE, SIDE, False)

    def _drawn(self, count: int, width: int, height: int, for_people: bool) -> NDArray[np.uint8]:
        """Return pictures of the first copies; those for people are not squeezed, and have details."""
        cars, seconds = self._cars[:count], self._frames[:count] / FPS
        zoom = FAR_ZOOM * np.maximum(1 - seconds, 0) + NEAR_ZOOM * np.minimum(seconds, 1)
        per_y = zoom * (height / HIGH)
        per_x = per_y if for_people else zoom * (width / WIDE)
        cars["at_x"], cars["at_y"], cars["per_x"], cars["per_y"] = width / 2, height * (1 - AHEAD), per_x, per_y
        cars["sight"] = np.hypot(width / 2 / per_x, height * (1 - AHEAD) / per_y)
        velocity = np.asarray(self.worlds.velocities)[:count, 0]
        cars["speed"], cars["spin"] = np.hypot(velocity[:, 0], velocity[:, 1]), self.worlds.spins[:count, 0]
        cars["omegas"], cars["steer"] = self._engines[:count, :, 1], self.worlds.joint_angles[:count, 0]
        cars["score"], cars["rims"] = np.rint(self._scores[:count]), rims_of(self._engines[:count, :, 2])
        sums, points = np.zeros((height, width + 1, 4)), np.zeros((8, 2))
        out = np.empty((count, height, width, 3), np.uint8)
        draw_cars(cars, self._edges, self._kerbs, self._visited, self._colors, sums, points, int(for_people), out)
        return out

    def play(self, actions: NDArray[Any], live: Booleans) -> tuple[Floats, Booleans]:
        """Steer, drive, and step."""
        if self.continuous:
            controls = actions.astype(np.float64) * (-1.0, 1.0, 1.0)
        else:
            if ((actions < 0) | (actions >= len(CONTROLS))).any():
                raise ValueError(f"{type(self).__name__}.step: actions = {actions!r} must be from 0 to 4")
            controls = CONTROLS[actions]
        worlds, cars = self.worlds, self._cars
        velocities, ways, before = np.array(worlds.velocities), np.array(worlds.joint_angles), self._counts.copy()
        drive(controls, cars, ways, self._engines, self._on_road, self._per_mass, velocities, self._motors)
        percent = self.lap_complete_percent
        roll(cars, self._edges, self._visited, self._counts, self._on_road, percent, self._lapped)
        worlds.velocities = velocities
        if not np.array_equal(worlds.motor_speeds, self._motors):  # to set them takes as long as a step of one copy
            worlds.motor_speeds = self._motors
        worlds.step(1 / FPS)
        self._frames += 1
        self._look()
        self._scores += ALL_TILES * (self._counts - before) / cars["tiles"] - PER_FRAME
        rewards = self._scores - self._told
        self._told = self._scores.copy()
        self._left = (abs(cars["x"]) > FIELD) | (abs(cars["y"]) > FIELD)
        rewards[self._left] = LEFT_FIELD
        return rewards, self._left | self._lapped | (self._counts == cars["tiles"])

    def ends(self) -> dict[str, NDArray[Any]]:
        """Return whether cars came round, by the name "lap_finished"."""
        return {"lap_finished": ~self._left}

    def frame(self) -> NDArray[np.uint8]:
        """Return a picture of the first copy for people, (height, width, 3) bytes."""
        picture: NDArray[np.uint8] = self._drawn(1, *self.picture_size, True)[0]
        return picture

    def paint(self, surface: Any, camera: cm.draw.Camera) -> None:
        """Draw the first copy onto a pygame surface."""
        import pygame  # only where a window is wanted

        width, height = surface.get_size()
        pygame.surfarray.blit_array(surface, self._drawn(1, width, height, True)[0].swapaxes(0, 1))


def turned(points: Floats, angles: Floats) -> Floats:
    """Return points (m, 2) turned about the origin by each angle, (n, m, 2)."""
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    return np.stack((cos * points[:, 0] - sin * points[:, 1], sin * points[:, 0] + cos * points[:, 1]), axis=2)


def rims_of(phases: Floats) -> Floats:
    """Return where the light part of wheels at these angles begins and ends, in radii along the wheel, (..., 2)."""
    turned = np.stack((phases, phases + SPOKE), axis=-1)
    up, along = np.sin(turned) > 0, np.cos(turned)
    found: Floats = np.where(up, np.sign(along), along)
    found[up.all(axis=-1)] = 0
    return found


class CarRacingEnv(WorldsEnv[CarRacingVectorEnv]):
    """A car on a road by chance, seen from above: drive all of it; as `CarRacing-v3` of Gymnasium.

    Parameters
    ----------
    render_mode : "human" or "rgb_array", optional
    lap_complete_percent : float, from 0 to 1
        The share of tiles that has to be visited before the first one ends the lap.
    domain_randomize : bool
        Whether each episode has colors by chance; ``reset(options={"randomize": False})`` keeps those before.
    continuous : bool
        Whether steering, gas and brake are numbers.

    Notes
    -----
    Action: ``Box((-1, 0, 0), (1, 1, 1))``, steering, negative to the left, gas and brake. If not `continuous`,
    ``Discrete(5)``: nothing, right, left, gas, brake.

    Observation: ``Box(0, 255, (96, 96, 3))`` of bytes, the field from above, the car upright in its lower half; below
    it the score, bars for speed, the turning of the four wheels, steering and spin.

    Reward: 1,000 shared among the tiles of the road, for each that a wheel touches first, less 0.1 for each step. An
    episode ends when all are touched; and, with -100, far off the road. ``info["lap_finished"]`` tells which it was.
    """

    def __init__(
        self,
        render_mode: str | None = None,
        lap_complete_percent: float = 0.95,
        domain_randomize: bool = False,
        continuous: bool = True,
    ) -> None:
        super().__init__(
            CarRacingVectorEnv,
            render_mode,
            lap_complete_percent=lap_complete_percent,
            domain_randomize=domain_randomize,
            continuous=continuous,
        )
