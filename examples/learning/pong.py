"""Pong as an environment of one's own: many games stepped by one compiled loop that asks `carom.kernels`.

The agent moves the right paddle against one that follows the ball, too slowly for steep shots. The ball leaves a paddle
the steeper the farther from its middle it was met, and a twentieth faster: it is never too fast, since each step is
played from hit to hit. Run it to see random play lose and following win a share of the points. Leaves pong.png.
"""

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv, utils
from numba import njit

import carom as cm
from carom import kernels
from carom.kernels import X, Y

WIDTH, HEIGHT, REACH, RADIUS = 4.0, 3.0, 0.3, 0.06  # the table, half a paddle, the ball
SERVE, FASTER, PACE, RIVAL = 2.0, 1.05, 2.5, 1.3  # speeds: of the ball, at each hit, of both paddles
BOUNCES = 8  # in one step at most
BALL, LEFT, RIGHT, FIRST_WALL, LAST_WALL = 0, 1, 2, 3, 4
SHAPES = [
    cm.Circle((0, 0), RADIUS),
    *(cm.Box((x, 0), (0.1, 2 * REACH)) for x in (-WIDTH / 2, WIDTH / 2)),
    *(cm.Box((0, y), (WIDTH + 2, 1)) for y in (HEIGHT / 2 + 0.5, -HEIGHT / 2 - 0.5)),
]


@njit
def serve(games, g, slope):
    games[g] = 0.0
    games[g, 2], games[g, 3] = SERVE * (1 if slope > 0 else -1), slope


@njit
def put(shapes, start, x, y):
    shapes[start + X], shapes[start + Y] = x, y


@njit
def step(shapes, starts, games, actions, dt, rewards, ended):
    room = HEIGHT / 2 - REACH
    for g in range(len(games)):
        x, y, vx, vy, left, right = games[g]
        left += min(max(y - left, -RIVAL * dt), RIVAL * dt)
        right += PACE * dt * (1 if actions[g] == 2 else -1 if actions[g] == 1 else 0)
        left, right = min(max(left, -room), room), min(max(right, -room), room)
        put(shapes, starts[LEFT], -WIDTH / 2, left)
        put(shapes, starts[RIGHT], WIDTH / 2, right)
        time = dt
        for _ in range(BOUNCES):
            put(shapes, starts[BALL], x, y)
            first, met, nx = 1.0, -1, 0.0
            for other in range(LEFT, LAST_WALL + 1):
                hit = kernels.cast(shapes, starts[BALL], shapes, starts[other], vx * time, vy * time)
                if hit.hit and hit.fraction < first:
                    first, met, nx = hit.fraction, other, hit.nx
            x, y, time = x + vx * time * first, y + vy * time * first, time * (1.0 - first)
            if met < 0:
                break
            if met >= FIRST_WALL:
                vy = -vy
            else:
                middle, inward = (left, 1.0) if met == LEFT else (right, -1.0)
                if nx * inward > 0.0:  # else the ball met the paddle from behind, and is lost anyway
                    vx, vy = -FASTER * vx, 2.0 * SERVE * (y - middle) / REACH
                else:
                    vx = abs(vx) * -inward
        ended[g] = abs(x) > WIDTH / 2 + RADIUS
        rewards[g] = 0.0 if not ended[g] else 1.0 if x < 0.0 else -1.0
        games[g] = x, y, vx, vy, left, right


class Pong(VectorEnv):
    """Many games, each over with the first point; the step after it serves anew."""

    def __init__(self, num_envs=1):
        self.num_envs, self.render_mode = num_envs, None
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}
        bound = np.array([3, 2, 1000, 1000, 2, 2], np.float32)
        self.single_observation_space = gymnasium.spaces.Box(-bound, bound)
        self.single_action_space = gymnasium.spaces.Discrete(3)  # stay, down, up
        self.observation_space = utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = utils.batch_space(self.single_action_space, num_envs)
        self.shapes = kernels.records(SHAPES)  # moved to their places in each game by turns
        self.games, self.ended = np.zeros((num_envs, 6)), np.ones(num_envs, bool)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.serve(np.arange(self.num_envs))
        return self.games.astype(np.float32), {}

    def serve(self, games):
        for game, slope in zip(games, self.np_random.uniform(-1.5, 1.5, len(games)), strict=True):
            serve(self.games, game, slope)
        self.ended[games] = False

    def step(self, actions):
        fresh, rewards, ended = np.flatnonzero(self.ended), np.zeros(self.num_envs), np.zeros(self.num_envs, bool)
        step(*self.shapes, self.games, actions, 1 / 20, rewards, ended)
        self.serve(fresh)
        rewards[fresh], ended[fresh] = 0.0, False
        self.ended = ended
        return self.games.astype(np.float32), rewards, ended.copy(), np.zeros(self.num_envs, bool), {}


if __name__ == "__main__":
    envs, trail = Pong(1000), []
    for name in ("random", "follow"):
        seen, points = envs.reset(seed=0)[0], []
        for _ in range(1000):
            aside = seen[:, 1] - seen[:, 5]
            chosen = np.where(aside > 0.1, 2, np.where(aside < -0.1, 1, 0))
            seen, rewards, ended, _, _ = envs.step(chosen if name == "follow" else envs.action_space.sample())
            points += rewards[ended].tolist()
            trail.append(seen[0].astype(float))
        print(f"{name}: {len(points)} points, {np.mean(np.array(points) > 0):.0%} won")
    game = np.array(trail[-1000:-940])  # its first three seconds
    paddles = [SHAPES[k].translated((0, game[-1, k + 3])) for k in (LEFT, RIGHT)]
    cm.picture(*paddles, *SHAPES[FIRST_WALL:], cm.Shapes.circles(game[:, :2], RADIUS)).save("pong.png")
