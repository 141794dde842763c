"""A violent island, roughly: a stated number of sweeps of Gauss and Seidel.

In: the rows of an island, with the impulses so far in the speeds. Out: impulses and speeds after so many sweeps. Each
sweep goes once through all points in the order of their contacts: a friction stops its point as far as the normal
impulse there allows, and the normal gets the speed that it wants. Mostly depth is left, far from any floor;
`open_ways` keeps that out of the ways.
"""

from __future__ import annotations

from carom._core.jit import kernel, unsigned
from carom.world.step.solve.rows import Rows, add_impulse, speed_along

QUICK_SWEEPS = 8
"""Sweeps of a round that may meet others."""
FULL_SWEEPS = 10
"""Sweeps of the last round."""


@kernel
def sweep(rows: Rows, first: int, middle: int, last: int, sweeps: int) -> None:
    """Go some times through the points of rows `first` up to `middle`, their frictions, and what resists rolling."""
    table, speed, points = rows.table, rows.speed, middle - first
    for _ in range(sweeps):
        for r in range(first, middle):
            normal, across = table[r], table[r + points]
            i, j, n, t = unsigned(normal.i), unsigned(normal.j), normal.jacobian, across.jacobian
            ax, ay, aw, bx, by, bw = speed[i, 0], speed[i, 1], speed[i, 2], speed[j, 0], speed[j, 1], speed[j, 2]
            most = across.share * normal.impulse
            there = (ax * t[0] + ay * t[1] + aw * t[2]) + (bx * t[3] + by * t[4] + bw * t[5])
            new = min(max(across.impulse + (across.wanted - there), -most), most)
            p = new - across.impulse
            across.impulse = new
            ax, ay, aw = ax + p * t[0], ay + p * t[1], aw + p * t[2]
            bx, by, bw = bx + p * t[3], by + p * t[4], bw + p * t[5]
            there = (ax * n[0] + ay * n[1] + aw * n[2]) + (bx * n[3] + by * n[4] + bw * n[5])
            new = max(normal.impulse + (normal.wanted - there), 0.0)
            p = new - normal.impulse
            normal.impulse = new
            speed[i, 0], speed[i, 1], speed[i, 2] = ax + p * n[0], ay + p * n[1], aw + p * n[2]
            speed[j, 0], speed[j, 1], speed[j, 2] = bx + p * n[3], by + p * n[4], bw + p * n[5]
        rub(rows, middle + points, last)


@kernel
def rub(rows: Rows, middle: int, last: int) -> None:
    """Go once through all frictions: each stops its point as far as the normal impulse there allows."""
    table = rows.table
    for r in range(middle, last):
        row = table[r]
        most = row.share * table[row.bound].impulse
        if most == 0.0 and row.impulse == 0.0:
            continue
        new = min(max(row.impulse + row.wanted - speed_along(row, rows.speed), -most), most)
        add_impulse(row, rows.speed, new - row.impulse)
        row.impulse = new
