"""A first use of an installed Carom: python tried.py prints a digest of it, the same on every Python and NumPy.

In: an install, and nothing else. Out: a digest of answers about shapes and of a world with a joint of each kind after
two seconds; an error if the joints gape.
"""

from __future__ import annotations

import hashlib

import carom as cm


def answers() -> list[object]:
    """Return answers about shapes of each kind."""
    ring = cm.decompose([(0, 0), (4, 0), (4, 1), (1, 1), (1, 3), (0, 3)])
    shapes = [cm.Circle((0, 0), 1), cm.Box((0.5, 0.25), (2, 1), 0.3), cm.Capsule((0, 0), (1, 2), 0.25), ring]
    pairs = [(a, b) for k, a in enumerate(shapes) for b in shapes[k:]]
    found: list[object] = [cm.collide(a, b) for a, b in pairs] + [
        cm.separation(a, b.translated((9, 3))) for a, b in pairs
    ]
    return [*found, cm.pairs(cm.Shapes(shapes)).tolist(), cm.Index(shapes).raycast((-9, 0.5), (20, 0))]


def mechanism() -> cm.World:
    """Return a world with a joint of each kind, after two seconds."""
    world = cm.World(gravity=(0, -10))
    floor = world.add(cm.Box((0, -6), (60, 2)))

    def hung(x: float) -> tuple[cm.Body, cm.Body]:
        return world.add(cm.Circle((x, 3), 0.3)), world.add(cm.Box((x + 1, 3), (0.8, 0.5)), kind="dynamic")

    post, load = hung(-12)
    world.pin(post, load, (-12, 3), limits=(-0.7, 0.7))
    post, load = hung(-8)
    world.weld(post, load, (-8, 3))
    post, load = hung(-4)
    world.rod(post, load, (-4, 3), (-3, 3))
    post, load = hung(0)
    world.rope(post, load, (0, 3), (1, 3), length=2)
    post, load = hung(4)
    world.spring(post, load, (4, 3), (5, 3), hertz=2, damping=0.5)
    post, load = hung(8)
    world.slide(post, load, (8, 3), (1, -1), limits=(0, 2))
    post, load = hung(14)
    world.drag(load, (15, 3), (14, 4))
    wheels = [world.add(cm.Circle((18 + 3 * k, 3), 0.4), kind="dynamic") for k in range(2)]
    for wheel in wheels:
        world.pin(floor, wheel, wheel.position)
    world.gear(*wheels, ratio=2)
    wheels[0].spin = 3
    for _ in range(120):
        world.step(1 / 60)
    return world


def main() -> None:
    """Print the digest."""
    world = mechanism()
    worst = max(joint.error for joint in world.joints)
    if not worst < 1e-4:  # limits and ropes are held to less than pins
        raise SystemExit(f"a joint gapes by {worst}")
    text = repr([answers(), str(world.digest()), [tuple(body.position) for body in world.bodies]])
    print(hashlib.sha256(text.encode()).hexdigest()[:16])


if __name__ == "__main__":
    main()
