"""Bullets through a thin wall: how many of 1,000 end on its far side, by library and kind of wall.

Discs of radius 0.05 fly at a wall 0.1 thick, each at its own piece of it, at speeds spread evenly in the logarithm from
1 to 100,000 units a second, with random phases within a step of 1/60 s. The wall stands, is kinematic without motion,
or dynamic and so heavy that it does not move. Each bullet is looked at when it could be well past the wall even at 100
units a second. No library is given a speed limit. Engines that are not installed are cited, not run.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

import carom as cm
from benchmarks.harness import Table

DT, RADIUS, HALF, BULLETS, HEAVY = 1 / 60, 0.05, 0.05, 1_000, 1e9
HEADINGS = ("wall", "library", "through", "slowest through, units/s", "stuck inside", "never arrived")
WALLS = ("static", "kinematic", "dynamic")

# Of the same scene on the same kind of machine: through, and the slowest of them, by kind of wall.
CITED = {
    "Box2D v3.1 (pyb2d3 0.11), bullets, no speed limit": ((350, 1_950), (423, 910), (423, 910)),
    "Box2D v3.1 (pyb2d3 0.11), no speed limit": ((350, 1_950), (752, 8.4), (752, 8.4)),
    "Box2D 2.3 (pybox2d), at most 2 units a step": ((0, None), (0, None), (725, 7.6)),
}

Floats = NDArray[np.float64]
Fly = Callable[[str, Floats, Floats, Floats, "NDArray[np.int64]"], Floats]


def run(rounds: int) -> Table:
    """`rounds` is for benchmarks that take times; a count is the same each time."""
    rng = np.random.default_rng(20240611)
    speeds = np.sort(10 ** rng.uniform(0, 5, BULLETS))
    starts = -rng.uniform(1, 2, BULLETS) - rng.uniform(0, 1, BULLETS) * speeds * DT
    lanes = 0.5 * np.arange(BULLETS)
    steps = np.ceil((1.0 - starts) / (np.minimum(speeds, 100.0) * DT)).astype(np.int64) + 10
    rows: list[tuple[str, ...]] = [HEADINGS]
    contenders: dict[str, Fly] = {"carom": carom_ends, "pymunk": pymunk_ends, "overlap test each frame": discrete_ends}
    for k, wall in enumerate(WALLS):
        for library, fly in contenders.items():
            ends = fly(wall, speeds, starts, lanes, steps)
            through = ends > HALF + RADIUS
            slowest = f"{speeds[through].min():.4g}" if through.any() else "-"
            inside, short = int((np.abs(ends) < HALF).sum()), int((ends < -0.5).sum())
            rows.append((wall, library, str(int(through.sum())), slowest, str(inside), str(short)))
        for library, figures in CITED.items():
            count, least = figures[k]
            rows.append((wall, f"{library} (cited)", str(count), "-" if least is None else f"{least:,.4g}", "", ""))
    notes = f"Of {BULLETS:,} bullets at 1 to 100,000 units/s at a wall 0.1 thick; steps of 1/60 s."
    return Table("Bullets through a wall", notes, rows)


def ends_of(step: Callable[[], None], xs: Callable[[], Floats], starts: Floats, steps: NDArray[np.int64]) -> Floats:
    """Return where each bullet is after its own number of steps."""
    ends = starts.copy()
    for k in range(1, int(steps.max()) + 1):
        step()
        due = steps == k
        if due.any():
            ends[due] = xs()[due]
    return ends


def carom_ends(wall: str, speeds: Floats, starts: Floats, lanes: Floats, steps: NDArray[np.int64]) -> Floats:
    world = cm.World()
    places = np.column_stack((np.zeros(BULLETS), lanes))
    pieces = cm.Shapes.boxes(places, np.tile((2 * HALF, 0.4), (BULLETS, 1)))
    world.add_many(pieces, kind=wall, mass=HEAVY if wall == "dynamic" else None)
    bullets = cm.Shapes.circles(np.column_stack((starts, lanes)), RADIUS)
    velocities = np.column_stack((speeds, np.zeros(BULLETS)))
    rows = world.rows(world.add_many(bullets, kind="dynamic", velocity=velocities))
    return ends_of(lambda: world.step(DT) and None, lambda: world.positions[rows, 0], starts, steps)


def pymunk_ends(wall: str, speeds: Floats, starts: Floats, lanes: Floats, steps: NDArray[np.int64]) -> Floats:
    import pymunk

    kinds = {"static": pymunk.Body.STATIC, "kinematic": pymunk.Body.KINEMATIC, "dynamic": pymunk.Body.DYNAMIC}
    space = pymunk.Space()
    bullets = []
    for x, y, speed in zip(starts.tolist(), lanes.tolist(), speeds.tolist(), strict=True):
        piece = pymunk.Body(HEAVY, HEAVY, body_type=kinds[wall])
        piece.position = (0, y)
        space.add(piece, pymunk.Poly.create_box(piece, (2 * HALF, 0.4)))
        bullet = pymunk.Body(1, 1)
        bullet.position, bullet.velocity = (x, y), (speed, 0)
        space.add(bullet, pymunk.Circle(bullet, RADIUS))
        bullets.append(bullet)
    return ends_of(lambda: space.step(DT), lambda: np.array([b.position.x for b in bullets]), starts, steps)


def discrete_ends(wall: str, speeds: Floats, starts: Floats, lanes: Floats, steps: NDArray[np.int64]) -> Floats:
    """Move, then test for overlap: the scheme of a game loop written by hand."""
    places, flying = starts.copy(), np.ones(BULLETS, dtype=np.bool_)

    def step() -> None:
        places[flying] += speeds[flying] * DT
        flying[np.abs(places) <= RADIUS + HALF] = False

    return ends_of(step, lambda: places, starts, steps)
