"""A cart-pole of one's own: the task whose equations every book has, as a world with a slide and a pin.

Derive from `WorldsVectorEnv`, write four methods, and thousands of carts are one environment of Gymnasium; `single`
makes one alone. Run it to see how far the world is from the equations of Gymnasium's CartPole. Leaves cartpole.png.
"""

import math

import numpy as np
from gymnasium import spaces

import carom as cm
from carom_gym.worlds import WorldsVectorEnv, single

GRAVITY, CART, POLE, HALF, FORCE, DT = 9.8, 1.0, 0.1, 0.5, 10.0, 0.02  # those of Gymnasium's CartPole-v1
FARTHEST, STEEPEST = 2.4, math.radians(12)
FAR = np.array([2 * FARTHEST, np.inf, 2 * STEEPEST, np.inf], np.float32)


class CartPole(WorldsVectorEnv):
    """Carts that push to the left or to the right, and keep a pole up."""

    single_observation_space = spaces.Box(-FAR, FAR)
    single_action_space = spaces.Discrete(2)
    longest = 500
    view = (-3, -0.6, 3, 1.9)

    def __init__(self, *args, parts=1, **options):
        self.parts = parts  # in which a step is played
        super().__init__(*args, **options)

    def make_worlds(self, count):
        world = cm.World(gravity=(0, -GRAVITY), sleep=False)
        cart = world.add(cm.Box((0, 0), (0.5, 0.25)), kind="dynamic", mass=CART, group=1)
        pole = world.add(
            cm.Box((0, HALF), (0.06, 2 * HALF)), kind="dynamic", mass=POLE, group=1, inertia=POLE * HALF**2 / 3
        )
        world.slide(cart, None, (0, 0), axis=(1, 0))
        world.pin(pole, cart, (0, 0))
        self.cart, self.pole = cart.row, pole.row
        return world.copies(count)

    def begin(self, copies):
        drawn = np.array([self.chances[k].uniform(-0.05, 0.05, 4) for k in copies])
        self.put(copies, *drawn.T)

    def put(self, copies, x, speed, lean, turn):
        """Put carts at x, poles leaning to the right, both moving."""
        self.worlds.reset(copies)
        cart, pole = self.worlds.of_body(self.cart, copies), self.worlds.of_body(self.pole, copies)
        sn, cs, still = np.sin(lean), np.cos(lean), np.zeros(len(copies))
        cart.position, cart.velocity = np.column_stack((x, still)), np.column_stack((speed, still))
        pole.position, pole.angle = np.column_stack((x + HALF * sn, HALF * cs)), -lean
        pole.velocity = np.column_stack((speed + HALF * turn * cs, -HALF * turn * sn))
        pole.spin = -turn

    def play(self, actions, live):
        push = np.where(actions == 1, FORCE, -FORCE)
        self.worlds.of_body(self.cart).force = np.column_stack((push, np.zeros(self.num_envs)))
        self.worlds.step(DT / self.parts, steps=self.parts)
        x, _, lean, _ = self.observe().T
        return np.ones(self.num_envs), (abs(x) > FARTHEST) | (abs(lean) > STEEPEST)

    def observe(self):
        cart, pole = self.worlds.of_body(self.cart), self.worlds.of_body(self.pole)
        seen = (cart.position[:, 0], cart.velocity[:, 0], -pole.angle, -pole.spin)
        return np.column_stack(seen).astype(np.float32)


def rates(state, force):
    """Return how fast (x, speed, lean, turn) change, by the equations of Gymnasium's CartPole."""
    _, speed, lean, turn = state
    sn, cs, total = math.sin(lean), math.cos(lean), CART + POLE
    pushed = (force + POLE * HALF * turn**2 * sn) / total
    faster = (GRAVITY * sn - cs * pushed) / (HALF * (4 / 3 - POLE * cs**2 / total))
    return np.array((speed, pushed - POLE * HALF * faster * cs / total, turn, faster))


def solved(state, force, parts=200):
    """Return the state one step later, by the method of Runge and Kutta in small parts."""
    h = DT / parts
    for _ in range(parts):
        a = rates(state, force)
        b = rates(state + h / 2 * a, force)
        c = rates(state + h / 2 * b, force)
        state = state + h / 6 * (a + 2 * b + 2 * c + rates(state + h * c, force))
    return state


def deviation(parts=1, steps=100, seed=1):
    """Return how far the world and Gymnasium's own method are from the equations, each step in so many parts.

    Two rows of the largest differences in x, speed, lean and turn; the carts push to the side to which the pole falls.
    """
    env, worst = single(CartPole, parts=parts), np.zeros((2, 4))
    env.reset(seed=seed)
    euler = state = env.task.observe()[0].astype(float)
    env.task.put(np.array([0]), *state[:, None])
    for _ in range(steps):
        action = int(state[2] + 0.3 * state[3] > 0)
        force = FORCE if action else -FORCE
        seen = env.step(action)[0]
        state = solved(state, force)
        for _ in range(parts):
            euler = euler + DT / parts * rates(euler, force)
        worst = np.maximum(worst, abs(np.array((seen, euler)) - state))
    return worst


if __name__ == "__main__":
    for parts in (1, 2, 4):
        world, euler = deviation(parts).round(4).tolist()
        print(f"off in x, speed, lean, turn, {parts} parts a step: the world {world}, Gymnasium's method {euler}")
    envs = CartPole(1000)
    envs.reset(seed=0)
    for _ in range(100):
        seen, rewards, ended, cut, infos = envs.step(envs.action_space.sample())
    print(f"1,000 carts, 100 steps of chance each: {ended.sum()} poles fell in the last one")
    cm.picture(envs.worlds).save("cartpole.png")
