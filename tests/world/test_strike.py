"""Impacts at one point and two: closed forms, complementarity, momentum, and energy that never rises."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from carom.world.step.strike import strike

NONE = (0.0, 0.0, 0.0, 0.0)
STILL = (0.0, 0.0, 0.0)
WALL = (0.0, 0.0)


def after(masses, v, u, normal, points, impulses):
    """Return both velocities after the impulses."""
    v, u = np.array(v), np.array(u)
    n = np.array(normal)
    t = np.array([-n[1], n[0]])
    for (ax, ay, bx, by), jn, jt in zip(points, impulses[::2], impulses[1::2], strict=False):
        j = jn * n + jt * t
        v = v - np.array([masses[0] * j[0], masses[0] * j[1], masses[1] * (ax * j[1] - ay * j[0])])
        u = u + np.array([masses[2] * j[0], masses[2] * j[1], masses[3] * (bx * j[1] - by * j[0])])
    return v, u


def energy(masses, v, u):
    total = 0.0
    for (m, i), w in ((masses[:2], v), (masses[2:], u)):
        total += (w[0] ** 2 + w[1] ** 2) / m if m else 0.0
        total += w[2] ** 2 / i if i else 0.0
    return total / 2


def parting(v, u, normal, levers):
    ax, ay, bx, by = levers
    return (u[0] - u[2] * by - v[0] + v[2] * ay) * normal[0] + (u[1] + u[2] * bx - v[1] - v[2] * ax) * normal[1]


@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_a_bar_hit_off_its_centre(e: float) -> None:
    """A point mass m hits a resting bar (M, I) at distance d from its centre."""
    m, big, inertia, d, speed = 2.0, 3.0, 0.7, 0.4, 5.0
    masses = (1 / m, 0.0, 1 / big, 1 / inertia)
    points = [(0.0, 0.0, -0.05, d)]
    impulses = strike(masses, (speed, 0.0, 0.0), STILL, 1.0, 0.0, 1, points[0], NONE, e * speed, 0.0, 0.0)
    impulse = (1 + e) * speed / (1 / m + 1 / big + d * d / inertia)
    assert impulses == pytest.approx((impulse, 0.0, 0.0, 0.0), rel=1e-14)
    v, u = after(masses, (speed, 0, 0), STILL, (1, 0), points, impulses)
    assert u == pytest.approx([impulse / big, 0.0, -impulse * d / inertia], rel=1e-14)
    assert v[0] == pytest.approx(speed - impulse / m, rel=1e-14)


@pytest.mark.parametrize(
    ("slide", "spin", "mu"), [(1.0, 0.0, 0.9), (4.0, 0.0, 0.1), (-2.0, 3.0, 0.3), (0.0, 20.0, 0.2)]
)
def test_a_ball_on_the_floor_slips_or_rolls(slide: float, spin: float, mu: float) -> None:
    """A disc of radius r, inertia m r^2 / 2: sliding stops after an impulse of a third of its momentum, or slips on."""
    m, r, fall, e = 2.0, 0.5, 3.0, 0.25
    masses = (*WALL, 1 / m, 2 / (m * r * r))
    points = [(0.0, 0.0, 0.0, -r)]
    before = (slide, -fall, spin)
    impulses = strike(masses, STILL, before, 0.0, 1.0, 1, points[0], NONE, e * fall, 0.0, mu)
    normal = m * (1 + e) * fall
    across = (
        -(slide + r * spin) / 3 * m
    )  # ends the sliding of the lowest point: t is (-1, 0), so it is counted backwards
    wanted = min(max(-across, -mu * normal), mu * normal)
    assert impulses == pytest.approx((normal, wanted, 0.0, 0.0), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("seed", range(300))
def test_two_points_are_complementary_and_make_no_energy(seed: int) -> None:
    rng = Random(seed)
    masses = tuple(rng.choice([1.0, rng.uniform(0.01, 10)]) for _ in range(4))
    if rng.random() < 0.3:
        masses = (0.0, 0.0, *masses[2:])
    angle, half = rng.uniform(0, 7), rng.uniform(0.01, 1)
    n, t = (math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))
    ha, hb, shift = rng.uniform(0.1, 1), rng.uniform(0.1, 1), rng.uniform(-1, 1)
    points = [
        (ha * n[0] + (s + shift) * t[0], ha * n[1] + (s + shift) * t[1], -hb * n[0] + s * t[0], -hb * n[1] + s * t[1])
        for s in (-half, half)
    ]
    v, u = ([rng.uniform(-3, 3) for _ in range(3)] if m else [0.0] * 3 for m in (masses[0], masses[2]))
    e = rng.choice([0.0, 0.5, 1.0])
    wanted = [-e * parting(v, u, n, p) for p in points]
    impulses = strike(masses, tuple(v), tuple(u), *n, 2, *points, *wanted, 0.0)
    after_v, after_u = after(masses, v, u, n, points, impulses)
    for k, p in enumerate(points):
        spare = parting(after_v, after_u, n, p) - wanted[k]
        assert impulses[2 * k] >= 0.0 and impulses[2 * k + 1] == 0.0
        assert spare >= -1e-9 and impulses[2 * k] * spare <= 1e-8
    assert energy(masses, after_v, after_u) <= energy(masses, v, u) * (1 + 1e-12)
    if e == 1.0 and all(impulses[2 * k] > 1e-9 for k in range(2)):
        assert energy(masses, after_v, after_u) == pytest.approx(energy(masses, v, u), rel=1e-9)


@pytest.mark.parametrize("seed", range(200))
def test_friction_keeps_to_its_bound_and_stops_what_it_can(seed: int) -> None:
    rng = Random(seed)
    masses = (1.0, rng.uniform(0.5, 12), 1 / 3.0, rng.uniform(0.5, 12))
    mu = rng.choice([0.1, 0.6, 2.0])
    points = [(rng.uniform(-0.5, 0.5), 0.5, rng.uniform(-0.5, 0.5), -0.5)]
    v, u = [rng.uniform(-3, 3) for _ in range(3)], [rng.uniform(-3, 3) for _ in range(3)]
    n0, t0, n1, t1 = strike(masses, tuple(v), tuple(u), 0.0, 1.0, 1, points[0], NONE, 0.0, 0.0, mu)
    after_v, after_u = after(masses, v, u, (0, 1), points, (n0, t0, n1, t1))
    slides = parting(after_v, after_u, (-1, 0), points[0])
    assert (n1, t1) == (0.0, 0.0) and abs(t0) <= mu * n0 * (1 + 1e-12)
    if n0 > 0.0:
        assert abs(parting(after_v, after_u, (0, 1), points[0])) <= 1e-8
        assert abs(slides) <= 1e-7 or (abs(t0) == pytest.approx(mu * n0) and t0 * slides < 0.0)
    assert energy(masses, after_v, after_u) <= energy(masses, v, u) * (1 + 1e-12)
