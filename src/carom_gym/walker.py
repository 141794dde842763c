"""BipedalWalker on copies of a world: ground by chance, two legs with motors, a lidar; thousands in one call.

In: actions of four motors. Out: observations, rewards and ends as the task of the same name in Gymnasium has them.
Numbers of the task are those of Gymnasium's documentation and source (Farama Foundation, BipedalWalker-v3, MIT).
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

import carom as cm
from carom_gym.arrays import Booleans
from carom_gym.gymnasium_parts import AutoresetMode, spaces
from carom_gym.walker_ground import BOXES, COUNT, GRASS, LEVEL, PAD, STRIDE, corners_of, ground_of, lines_of
from carom_gym.worlds import WorldsEnv, WorldsVectorEnv

FPS, PARTS = 50, 2
"""Steps a second, and the parts in which each is played: feet come down where the original's do with two."""
SCALE, TORQUE, HIP, KNEE = 30.0, 80.0, 4.0, 6.0
HULL = [(x / SCALE, y / SCALE) for x, y in ((-30, 9), (6, 9), (34, 1), (34, -8), (-30, -8))]
DOWN, WIDE, LONG = -8 / SCALE, 8 / SCALE, 34 / SCALE
RANGE = 160 / SCALE
RAYS = np.array([(math.sin(0.15 * k), -math.cos(0.15 * k)) for k in range(10)]) * RANGE
THICK, NEAR = 0.015, 0.005
"""Bodies of the original rest so far above a line, and touch up to so much farther."""
MIDDLE = cm.Polygon(HULL).position
POSE, HEIGHT, LIFT = (0.380, -0.505), 5.731, 0.2
"""The angles of each leg, and the height and speed upwards at which the original's first steps leave the walker."""
FIRST = {0: 0.0027, 3: -0.016, 4: 0.0922, 6: 0.86, 9: 0.0326, 11: 0.8537}
"""What the first observation of an episode says: the original tells of straight legs then, 0.2 apart at the knees."""
ZERO = (-0.05, 0.05)
"""The original counts the angle of each hip from its start."""
HARD_STEPS = 2000
BODY, UPPER, LOWER, GROUND = 0, (1, 3), (2, 4), 5
ENDS = [math.pi, 5, 5, 5, math.pi, 5, math.pi, 5, 5, math.pi, 5, math.pi, 5, 5, *(10 * [1])]
LEAST = [-math.pi, -5, -5, -5, -math.pi, -5, -math.pi, -5, 0, -math.pi, -5, -math.pi, -5, 0, *(10 * [-1])]


def walker_world(hardcore: bool = False) -> cm.World:
    """Return a world with the hull and two legs of two parts in rows 0 to 4, four pins, level ground, and boxes."""
    world = cm.World(gravity=(0, -10), sleep=False)
    x, y = STRIDE * PAD / 2, HEIGHT
    outline = [(x + px, y + py) for px, py in HULL]
    of_walker: dict[str, Any] = {"kind": "dynamic", "layer": "walker", "mask": "ground"}
    hull = world.add(cm.Polygon(outline), density=5, friction=0.1, **of_walker)
    for zero in ZERO:
        at, body = (x, y + DOWN), hull
        for angle, wide, low, high in ((POSE[0], WIDE, zero - 0.8, zero + 1.1), (POSE[1], 0.8 * WIDE, -1.6, -0.1)):
            ax, ay = math.sin(angle) * LONG, -math.cos(angle) * LONG
            box = cm.Box((at[0] + ax / 2, at[1] + ay / 2), (wide, LONG), angle)
            leg = world.add(box, density=1, friction=0.2, **of_walker)
            now = leg.angle - body.angle
            world.pin(leg, body, at, limits=(low - now, high - now), speed=1, max_torque=TORQUE)
            at, body = (at[0] + ax, at[1] + ay), leg
    lines = lines_of(np.full((1, COUNT), LEVEL))[0]
    world.add_many(cm.Shapes.capsules(lines[:, 0], lines[:, 1], THICK), layer="ground", friction=2.5)
    for box in corners_of(ground_of(np.random.default_rng(0))[1], THICK) if hardcore else ():
        world.add(cm.Polygon(box), layer="ground", friction=2.5)
    return world


class BipedalWalkerVectorEnv(WorldsVectorEnv):
    """Many walkers at once; `BipedalWalkerEnv` is the specification of each.

    Parameters
    ----------
    num_envs, max_episode_steps, render_mode, autoreset_mode
        As in `WorldsVectorEnv`; an episode is truncated after 1,600 steps, 2,000 if `hardcore`, unless said otherwise.
    hardcore : bool
        As in `BipedalWalkerEnv`.
    """

    single_observation_space = spaces.Box(np.array(LEAST, np.float32), np.array(ENDS, np.float32))
    single_action_space = spaces.Box(-1.0, 1.0, (4,), np.float32)
    longest: ClassVar[int | None] = 1600

    def __init__(
        self,
        num_envs: int = 1,
        max_episode_steps: int | str | None = "usual",
        render_mode: str | None = None,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        hardcore: bool = False,
    ) -> None:
        self.hardcore = bool(hardcore)
        most = HARD_STEPS if hardcore and isinstance(max_episode_steps, str) else max_episode_steps
        super().__init__(num_envs, most, render_mode, autoreset_mode=autoreset_mode)

    def make_worlds(self, count: int) -> cm.Worlds:
        """Return copies of a walker on level ground."""
        world = walker_world(self.hardcore)
        self._mass = world.body(BODY).mass
        self._rows = np.arange(GROUND, GROUND + COUNT - 1)
        self._boxes = np.arange(GROUND + COUNT - 1, GROUND + COUNT - 1 + BOXES)
        self._shaping, self._x, self._fresh = np.zeros(count), np.zeros(count), np.zeros(count, np.bool_)
        worlds = world.copies(count)
        self._hull = worlds.of_body(BODY)
        return worlds

    def begin(self, copies: NDArray[np.int64]) -> None:
        """Draw ground and a push of the hull for each copy."""
        if not len(copies):
            return
        heights, boxes, pushes = (
            np.empty((len(copies), COUNT)),
            np.empty((len(copies), BOXES, 4)),
            np.empty(len(copies)),
        )
        for k, copy in enumerate(copies.tolist()):
            heights[k], boxes[k] = ground_of(self.chances[copy], self.hardcore)
            pushes[k] = self.chances[copy].uniform(-5, 5)
        self.worlds.reset(copies)
        self.worlds.set_shapes(self._rows, lines_of(heights), copies=copies)
        if self.hardcore:
            self.worlds.set_shapes(self._boxes, corners_of(boxes, THICK), copies=copies)
        self.worlds.apply_impulses(BODY, np.column_stack((pushes / FPS, np.zeros(len(copies)))), copies=copies)
        for row in (BODY, *UPPER, *LOWER):
            self.worlds.of_body(row, copies).velocity[:, 1] = LIFT
        self._shaping[copies], self._fresh[copies] = self._look()[copies], True

    def _look(self) -> NDArray[np.float64]:
        """Note how far the walkers are, and return how good that is."""
        angle, at = np.asarray(self._hull.angle), np.asarray(self._hull.position)
        self._x = at[:, 0] - (np.cos(angle) * MIDDLE.x - np.sin(angle) * MIDDLE.y)
        found: NDArray[np.float64] = 130 * self._x / SCALE - 5 * abs(angle)
        return found

    def observe(self) -> NDArray[Any]:
        """Return hull, legs and lidar, (n, 24)."""
        worlds, seen = self.worlds, np.empty((self.num_envs, 24), np.float32)
        angles, speeds = worlds.joint_angles, worlds.joint_speeds
        angle, at = np.asarray(self._hull.angle), np.asarray(self._hull.position)
        sn, cs = np.sin(angle), np.cos(angle)
        origin = at - np.stack((cs * MIDDLE.x - sn * MIDDLE.y, sn * MIDDLE.x + cs * MIDDLE.y), axis=1)
        touching = worlds.touching(LOWER, layer="ground", within=NEAR)
        seen[:, 0], seen[:, 1] = angle, 2 * np.asarray(self._hull.spin) / FPS
        seen[:, 2:4] = 0.3 * np.asarray(self._hull.velocity) * (20, 40 / 3) / FPS
        for k, zero in enumerate(ZERO):
            first = 4 + 5 * k
            seen[:, first] = angles[:, 2 * k] + POSE[0] - zero
            seen[:, first + 1] = speeds[:, 2 * k] / HIP
            seen[:, first + 2] = angles[:, 2 * k + 1] + POSE[1] - POSE[0] + 1
            seen[:, first + 3] = speeds[:, 2 * k + 1] / KNEE
            seen[:, first + 4] = touching[:, k]
        rays = worlds.raycast(origin[:, None], RAYS, mask="ground")
        seen[:, 14:] = np.minimum(rays.distance / RANGE, 1)
        for column, told in FIRST.items():
            seen[self._fresh, column] = told
        seen[self._fresh, 8], seen[self._fresh, 13] = 1, 1
        return seen

    def play(self, actions: NDArray[Any], live: Booleans) -> tuple[NDArray[np.float64], Booleans]:
        """Turn hips and knees, and step."""
        self._fresh[:] = False
        effort = np.clip(np.abs(actions), 0, 1).astype(np.float64)
        self.worlds.motor_speeds = np.sign(actions).astype(np.float64) * (HIP, KNEE, HIP, KNEE)
        self.worlds.motor_bounds = TORQUE * effort
        self.worlds.step(1 / (PARTS * FPS), steps=PARTS)
        shaping = self._look()
        rewards = shaping - self._shaping - 0.00035 * TORQUE * effort.sum(axis=1)
        self._shaping = shaping
        fell = self.worlds.touching(BODY, layer="ground", within=NEAR)[:, 0] | (self._x < 0)
        rewards[fell] = -100
        return rewards, fell | (self._x > (COUNT - GRASS) * STRIDE)

    def _camera(self) -> cm.draw.Camera:
        zoom = self.picture_size[0] / 20
        return cm.draw.Camera(self.picture_size, position=(float(self._x[0]) + 4, 5.2), zoom=zoom)


class BipedalWalkerEnv(WorldsEnv[BipedalWalkerVectorEnv]):
    """A walker on two legs: walk over rough ground to its end; as `BipedalWalker-v3` of Gymnasium, with exact joints.

    Parameters
    ----------
    render_mode : "human" or "rgb_array", optional
    hardcore : bool
        Whether stumps, pits and stairs lie in the way.

    Notes
    -----
    Action: ``Box(-1, 1, (4,))``, the motors of one leg's hip and knee, then of the other's; the sign is the direction,
    the size the share of the largest torque.

    Observation: ``Box(24,)``, angle, spin and velocity of the hull; of each leg angle and speed of hip and knee, and
    whether the foot touches the ground; ten rays of a lidar. Units are those of Gymnasium.

    Reward: the way forward, 300 in all, less the torque of the motors; -100 for a fall, which ends the episode.
    """

    def __init__(self, render_mode: str | None = None, hardcore: bool = False) -> None:
        super().__init__(BipedalWalkerVectorEnv, render_mode, hardcore=hardcore)
