"""A walker of one's own: a body on two legs over ground by chance, which it sees with rays; and a gait found by trying.

All copies walk at once, each over its own ground. A gait is eight numbers, the swing and the phase of each joint; the
cross-entropy method tries 64 gaits a round, keeps the best, and draws the next ones around these. Leaves crawler.png.
"""

import math

import numpy as np
from gymnasium import spaces
from matplotlib.figure import Figure

import carom as cm
from carom_gym.worlds import WorldsVectorEnv

JOINTS, SEEN, FAST, TORQUE = 4, 6, 9.0, 30.0
CORNERS, PACE, RISE = 61, 1.0, 0.1  # of the ground
RAYS = 4.0 * np.array([(math.sin(0.3 * k), -math.cos(0.3 * k)) for k in range(SEEN)])
BODY, GROUND = 0, 1 + JOINTS


def grounds(heights):
    """Return the lines of grounds of some heights, (n, corners): (n, lines, 2, 2)."""
    corners = np.stack(np.broadcast_arrays(PACE * np.arange(CORNERS), heights), axis=-1)
    return np.stack((corners[:, :-1], corners[:, 1:]), axis=2)


class Crawler(WorldsVectorEnv):
    """Crawlers that turn their legs, and are to come far."""

    single_observation_space = spaces.Box(-np.inf, np.inf, (4 + 2 * JOINTS + SEEN,), np.float32)
    single_action_space = spaces.Box(-1.0, 1.0, (JOINTS,), np.float32)
    longest = 300

    def make_worlds(self, count):
        world = cm.World(gravity=(0, -10), sleep=False)
        body = world.add(cm.Box((5, 1.4), (2.4, 0.4)), kind="dynamic", mass=2, layer="crawler", mask="ground")
        for x in (4.1, 5.9):
            upper, at = body, (x, 1.3)
            for end in ((x, 0.8), (x, 0.3)):
                leg = cm.Capsule(at, end, 0.1)
                leg = world.add(leg, kind="dynamic", mass=0.3, friction=1, layer="crawler", mask="ground")
                world.pin(leg, upper, at, limits=(-1.2, 1.2), speed=0, max_torque=TORQUE)
                upper, at = leg, end
        for a, b in grounds(np.zeros((1, CORNERS)))[0]:
            world.add(cm.Segment(a, b), friction=1, layer="ground")
        self.rows = np.arange(GROUND, GROUND + CORNERS - 1)
        return world.copies(count)

    def begin(self, copies):
        steps = np.array([self.chances[k].uniform(-RISE, RISE, CORNERS) for k in copies])
        steps[:, :9] = 0
        self.worlds.reset(copies)
        self.worlds.set_shapes(self.rows, grounds(np.cumsum(steps, axis=1)), copies=copies)

    def play(self, actions, live):
        before = self.worlds.of_body(BODY).position[:, 0]
        self.worlds.motor_speeds[:, :JOINTS] = FAST * np.clip(actions, -1, 1)
        self.worlds.step(1 / 60)
        body = self.worlds.of_body(BODY)
        way = np.asarray(body.position[:, 0] - before)
        return way, (abs(body.angle) > 2) | (body.position[:, 0] > PACE * (CORNERS - 3))

    def observe(self):
        worlds, body = self.worlds, self.worlds.of_body(BODY)
        lidar = worlds.raycast(body.position[:, None], RAYS, mask="ground").distance
        seen = (body.angle[:, None], body.spin[:, None], body.velocity, worlds.joint_angles, worlds.joint_speeds)
        return np.column_stack((*seen, np.minimum(lidar, 4) / 4)).astype(np.float32)


def came(envs, gaits, seed):
    """Return how far each copy comes with its gait, (n,): swings and phases of its legs."""
    seen, _ = envs.reset(seed=seed)
    far, still = np.zeros(len(gaits)), np.ones(len(gaits), bool)
    for step in range(envs.longest):
        wanted = gaits[:, :JOINTS] * np.sin(9 * step / 60 + gaits[:, JOINTS:])
        seen, way, ended, _, _ = envs.step(10 * (wanted - seen[:, 4 : 4 + JOINTS]) / FAST)
        far += way * still
        still &= ~ended
    return far


def search(rounds=8, copies=64, seed=0):
    """Return the best distance of each round, and the gait around which the last ones were drawn."""
    chance, envs, best = np.random.default_rng(seed), Crawler(copies), []
    middle, spread = np.zeros(2 * JOINTS), np.array([0.7] * JOINTS + [1.5] * JOINTS)
    for round_ in range(rounds):
        gaits = middle + spread * chance.normal(size=(copies, 2 * JOINTS))
        far = came(envs, gaits, 1000 * round_)
        kept = gaits[np.argsort(far)[-copies // 8 :]]
        middle, spread = kept.mean(axis=0), kept.std(axis=0) + 0.02
        best.append((np.median(far), far.max()))
    return np.array(best), middle, envs


if __name__ == "__main__":
    best, gait, envs = search()
    figure = Figure(figsize=(9, 3.4), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(1, 2))
    left.plot(best, label=("median of 64", "best"))
    left.set(xlabel="round", ylabel="way in 5 s")
    left.legend(frameon=False)
    cm.picture(envs.worlds.world(0)).draw(right)
    right.set(xlim=(0, 30), ylim=(-3, 4), aspect="equal", title="where the first one has come to")
    figure.savefig("crawler.png", dpi=100)
    print("wrote crawler.png; median and best way of each round:", best.round(1).tolist())
