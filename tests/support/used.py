"""Rooms of random mechanisms that a user handles in every way: set elsewhere, wound, broken, changed, taken out.

In: a kind of room of `workshop`, by seed. Out: what went wrong. Joints hold at the end of each step, to rounding, and
limits to a millionth of a size, but where a mechanism waits, or was set elsewhere: then its worst gap grows no more.
What is passive makes no energy in any step, and nothing gets much faster than anything was.

Left out are energies where there are drags, and while anything closes or overlaps by its user's doing; pushes in that
time, too; the walls of the room while something is put into one; and waits where a kinematic body leads, or where what
waits was set elsewhere.
"""

from __future__ import annotations

import contextlib
import math
from collections import defaultdict
from typing import Any

import numpy as np

import carom as cm
from tests.support.drivers import Drivers
from tests.support.mechanisms import set_any
from tests.support.pushes import Pushes, reach_of
from tests.support.soak import KINDS, shape_of
from tests.support.workshop import ROOMS, Workshop, differences, passed_of

HOLDS, LIMITED = 1e-9, 1e-6
"""Sizes of a body, or radians, by which joints may gape and limits be passed."""
WAITS = 0.01
"""Share of the steps of mechanisms in which these may wait."""
THROW, LEAST_SPEED = 30.0, 30.0
"""Times the largest speed before, and speed, that nothing passes in a step."""
MORE, MADE, GIVEN = 1.05, 1e-3, 1e-3
"""By how much the worst gap of what was set elsewhere may grow in a step; share of its energy that a room may make, and
that it may have more than drivers can have given."""
EVERY, AT_PAUSE = 0.2, 0.1
"""Shares of the steps, and of pauses in them, at which something is done."""


class Used(Workshop):
    """A room whose bodies and joints are set by a user."""

    columns, floors = 3, 2

    def __init__(self, kind: str, seed: int) -> None:
        super().__init__(kind, seed)
        self.rng = np.random.default_rng([seed, 1])
        self.far: dict[cm.Body, float] = {}
        """Of bodies whose mechanism was set elsewhere the worst that it gaped by since."""
        self.asked: set[cm.Body] = set()
        """Those whose joints are still to be closed where a user set something."""
        self.counted, self.waited = 0, 0

    def mechanisms(self) -> list[tuple[list[cm.Body], list[cm.Joint]]]:
        """Return the bodies and joints of each mechanism."""
        above: dict[cm.Body, cm.Body] = {}

        def top(body: cm.Body) -> cm.Body:
            while above.get(body, body) is not body:
                body = above[body]
            return body

        ends = {
            joint: [b for b in (joint.a, joint.b) if b is not None and b.kind == "dynamic"] for joint in self.joints()
        }
        for bodies in ends.values():
            if len(bodies) == 2 and top(bodies[0]) is not top(bodies[1]):
                above[top(bodies[0])] = top(bodies[1])
        found: dict[cm.Body, tuple[list[cm.Body], list[cm.Joint]]] = defaultdict(lambda: ([], []))
        for joint, bodies in ends.items():
            if bodies:
                found[top(bodies[0])][1].append(joint)
        for body in self.dynamic():
            if top(body) in found:
                found[top(body)][0].append(body)
        return list(found.values())

    def joints(self) -> list[cm.Joint]:
        return list(self.world.joints)

    def displaced(self, *bodies: cm.Body | None) -> None:
        """Note that some bodies were set elsewhere, or what joints ask of them."""
        for body in bodies:
            if body is not None:
                self.far[body] = math.inf
                self.asked.add(body)

    def gaping(self) -> list[str]:
        """Name the mechanisms that do not hold, though none of their bodies waits."""
        wrong, far, asked = [], {}, set[cm.Body]()
        put = self.asked.union(*self.excused)  # what waits there, or is pressed by what waits, has no room by its user
        tangled = any(body.waited > 0 for body in put if body in self.world.bodies)
        for _, joints in self.mechanisms():
            ends = {body for joint in joints for body in (joint.a, joint.b) if body is not None}
            worst, name = max((miss_of(joint), str(joint)) for joint in joints)
            waits = any(body.waited > 0 for body in ends)
            led = any(body.kind == "kinematic" for body in ends)  # it may press its mechanism against a wall
            self.counted, self.waited = self.counted + 1, self.waited + (waits and not tangled and not led)
            before = max((self.far.get(body, 0.0) for body in ends), default=0.0)
            if worst > 1 and not waits and not worst <= MORE * before + 1:
                wrong.append(f"misses by {worst:.3g} times as much as it may, before {before:.3g}: {name}")
            if worst > 1:
                far |= dict.fromkeys(ends, math.inf if waits else worst)
                asked |= ends if not self.asked.isdisjoint(ends) else set()
        self.far, self.asked = far, asked
        return wrong

    def fastest(self) -> float:
        """Return the largest speed of a point of a body."""
        return max(b.velocity.length + abs(b.spin) * reach_of(b) for b in self.world.bodies)

    def play(self) -> tuple[list[str], int]:
        """Play to the end, or to what goes wrong; return that, and the digest."""
        for step in range(self.steps):
            for body in self.movers if step % 40 == 0 else ():
                body.velocity = (-1) ** (step // 40) * 2.0, 0.0
            if self.rng.random() < EVERY:
                use(self)
            joined = {joint: frozenset((joint.a, joint.b)) for joint in self.world.joints if joint.b is not None}
            wrong = self.step(self.length(step), step)
            self.excused |= {joined[joint] for joint in joined.keys() - set(self.world.joints)}  # some have broken
            if not any(body.kind == "static" for pair in self.excused for body in pair):  # else it is put into a wall
                wrong += self.outside()
            if not wrong:
                wrong += self.deep() + self.gaping()
            if wrong:
                return [f"step {step}: {text}" for text in wrong], 0
        wrong = differences(self.world, 1 / 60)
        if self.waited > WAITS * self.counted + 5:
            wrong.append(f"{self.waited} of {self.counted} steps of mechanisms waited")
        return wrong, self.world.digest()

    def step(self, length: float, step: int) -> list[str]:
        """Play a step, some with things done at pauses; say whether it makes energy, throws, or pushes from afar."""
        if step % 5 == 3:
            for _ in self.world.events(length):
                if self.rng.random() < AT_PAUSE:
                    use(self)
            return []
        wrong = differences(self.world, length) if step % 50 == 11 else []
        closing = bool(self.far or self.excused)  # displacements that close and part strain springs
        gains = closing or any(joint.kind == "drag" for joint in self.world.joints)  # near their largest force
        gains = gains or any(b.inertia == math.inf and b.spin != 0 for b in self.dynamic())  # these drive
        energy, fastest = self.energy(), self.fastest()
        moved = sum(b.mass * b.velocity.dot(b.velocity) for b in self.dynamic())
        drivers, pushes = Drivers(self.world), Pushes(self.world, length)
        driven = drivers.motors or any(b.velocity.length + abs(b.spin) for b in drivers.bodies)
        hits = self.world.step(length)
        most = (fastest + self.world.gravity.length * length) * THROW + LEAST_SPEED
        wrong += [f"thrown: {self.fastest():.3g}, before {fastest:.3g}"] if not self.fastest() < most else []
        scale = max(1.0, moved + sum(b.mass for b in self.dynamic()) * self.world.gravity.length * self.high)
        more = self.energy() - energy - drivers.gave(hits, length)
        gains = gains or any(b.waited > 0 for b in drivers.bodies)
        if not gains and more > (GIVEN if driven else MADE) * scale:
            wrong.append(f"energy grows by {more / scale:.3g} of it, driven: {bool(driven)}")
        return wrong + ([] if closing else pushes.from_afar())


def miss_of(joint: cm.Joint) -> float:
    """Return by how many times as much as it may a joint gapes, or its limit is passed."""
    ends = [body for body in (joint.a, joint.b) if body is not None]
    size = max(1e-3, *(reach_of(body) for body in ends))  # a Point has none
    rounding = 1e-14 * max(abs(x) for body in ends for x in body.position)
    passed = passed_of(joint)
    turns = joint.kind in ("pin", "gear")  # whose limits or error are angles
    return max((joint.error - passed) / (HOLDS * size + rounding), passed / (LIMITED * (1.0 if turns else size)))


def used(shop: Workshop) -> None:
    """Have some rooms passive, some driven."""
    (ROOMS["passive"] if shop.rng.random() < 0.5 else ROOMS["driven"])(shop)


ROOMS["used"] = used


def use(shop: Used) -> None:
    """Do one thing that a user may do; what is refused changes nothing."""
    rng, bodies, joints = shop.rng, shop.dynamic(), shop.joints()
    body = bodies[int(rng.integers(len(bodies)))]
    with contextlib.suppress(ValueError):
        if joints and rng.random() < 0.5:
            use_joint(shop, joints[int(rng.integers(len(joints)))])
        else:
            use_body(shop, body)


def use_body(shop: Used, body: cm.Body) -> None:
    """Set something of a body, take it out, or put another one in."""
    rng, world = shop.rng, shop.world
    what = str(rng.choice(["velocity", "push", "position", "angle", "shape", "mass", "damping", "kind", "add", "remove",
                           "move_to", "gravity", "join", "copy"]))  # fmt: skip
    if what == "velocity":
        body.velocity, body.spin = rng.normal(0, 5, 2), rng.normal(0, 5)
    elif what == "push":
        body.apply_impulse(body.mass * rng.normal(0, 3, 2))
    elif what in ("position", "angle", "shape"):
        set_elsewhere(shop, body, what)
    elif what == "mass":
        body.mass = float(10 ** rng.uniform(0, 2))
    elif what == "damping":
        body.damping = float(rng.choice([0, 0, 1]))
    elif what == "kind" and rng.random() < 0.3:
        body.kind = "static"
        shop.displaced(body)
    elif what == "add":
        place = rng.uniform(1, shop.wide - 1), rng.uniform(1, shop.high - 1)
        if not world.query(cm.Circle(place, 0.5)):
            shop.put(shape_of(str(rng.choice(KINDS)), *place, rng.uniform(0.2, 0.45), rng))
    elif what == "remove" and len(shop.dynamic()) > 5:
        world.remove(body)
        shop.far.pop(body, None)
    elif what == "move_to":
        for mover in [one for one in world.bodies if one.kind == "kinematic"][:1]:
            mover.move_to(mover.position + rng.normal(0, 0.05, 2), mover.angle + rng.normal(0, 0.1))
    elif what == "gravity" and rng.random() < 0.2:
        world.gravity = rng.normal(0, 10, 2)
    elif what == "join":
        join(shop, body)


def set_elsewhere(shop: Used, body: cm.Body, what: str) -> None:
    """Set where a body is, how it is turned, or its shape; it may overlap others then."""
    rng = shop.rng
    shop.displaced(body)
    if what == "angle":
        body.angle += float(rng.normal(0, 0.5))
    elif what == "shape":
        x, y = body.position
        body.shape = shape_of(str(rng.choice(["circle", "box", "polygon"])), x, y, rng.uniform(0.2, 0.45), rng)
    else:
        x, y = body.position + rng.normal(0, 0.5, 2)
        body.position = min(max(x, 1.0), shop.wide - 1), min(max(y, 1.0), shop.high - 1)
    shop.excused |= shop.overlaps()


def join(shop: Used, body: cm.Body) -> None:
    """Join a body to one beside it, by a joint of any kind."""
    rng, world = shop.rng, shop.world
    near = sorted(shop.dynamic(), key=lambda other: (other.position - body.position).length)[1:4]
    other = near[int(rng.integers(len(near)))] if near and rng.random() < 0.8 else None
    middle = body.position if other is None else (body.position + other.position) * 0.5
    to = body.position + cm.Vec(0.3, 0.4) if other is None else other.position
    if (to - body.position).length < 0.1:
        return
    joints: list[Any] = [
        lambda: world.pin(body, other, middle, limits=(-0.5, 0.5) if rng.random() < 0.5 else None),
        lambda: world.weld(body, other, middle),
        lambda: world.slide(body, other, middle, axis=(0.6, 0.8), limits=(-0.4, 0.4)),
        lambda: world.rope(body, other, body.position, to),
        lambda: world.rod(body, other, body.position, to),
        lambda: world.spring(body, other, body.position, to, hertz=2.0, damping=0.3, limits=(0.1, 3)),
        lambda: world.drag(body, body.position, to, hertz=2.0, damping=0.7, max_force=1000.0),
    ]
    shop.displaced(body, other)
    joints[int(rng.integers(len(joints)))]()


def use_joint(shop: Used, joint: cm.Joint) -> None:
    """Set something of a joint, or take it out."""
    rng, what = shop.rng, shop.rng.random()
    shop.displaced(joint.a, joint.b)
    if what < 0.15:
        joint.remove()
        shop.excused |= shop.overlaps()
    elif what < 0.25:
        joint.breaks_at = (float(10 ** rng.uniform(1, 4)), None)
    elif what < 0.6 and joint.kind in ("rod", "rope", "spring"):
        joint.length = max(0.05, joint.length * float(rng.uniform(0.5, 1.5)))
    elif what < 0.6 and joint.kind in ("pin", "slide", "wheel"):
        low, high = sorted(rng.uniform(-1, 1, 2).tolist())
        joint.limits = (low, high) if rng.random() < 0.8 else None
    else:
        set_any(joint, rng)
