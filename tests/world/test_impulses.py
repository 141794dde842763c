"""Impacts at one point and at many: closed forms, Coulomb's bound, momentum, and energy that never rises."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from carom._core.jit import kernel
from carom._core.types import Floats
from carom.world.step.declared import Table, rows_of
from carom.world.step.pairs.contacts import CONTACT
from carom.world.step.piles import Piles, make_piles
from carom.world.step.play.impulses import find_impulses
from carom.world.step.solve.one_point import hit_at_point
from carom.world.step.tables import BODY, DYNAMIC, KINEMATIC

STILL = (0.0, 0.0, 0.0)
WALL = (0.0, 0.0)


@kernel
def find(bodies: Table, piles: Piles, count: int) -> None:
    """Find the impulses, as only kernels do."""
    find_impulses(bodies, piles, count)


@dataclass
class Impacts:
    """Bodies that meet at one instant: inverse masses, velocities, and what each point does to them along n and t."""

    bodies: Any
    contacts: Any
    count: int

    def velocities(self) -> Floats:
        return np.array([[body["vx"], body["vy"], body["spin"]] for body in self.bodies]).ravel()

    def points(self) -> list[tuple[Any, int]]:
        return [(contact, k) for contact in self.contacts[: self.count] for k in range(int(contact["count"]))]

    def effects(self, across: bool) -> Floats:
        found = np.zeros((len(self.points()), 3 * len(self.bodies)))
        for row, (contact, k) in zip(found, self.points(), strict=True):
            x, y = (-contact["ny"], contact["nx"]) if across else (contact["nx"], contact["ny"])
            for side, name, sign in (("a", "a", -1), ("b", "b", 1)):
                lx, ly, at = contact[f"{name}x"][k], contact[f"{name}y"][k], 3 * int(contact[side])
                row[at : at + 3] += sign * np.array([x, y, lx * y - ly * x])
        return found

    def solve(self) -> tuple[Floats, Floats]:
        """Write the speeds of receding, and return the impulses along the normals and across them."""
        speeds = self.effects(False) @ self.velocities()
        for (contact, k), speed in zip(self.points(), speeds, strict=True):
            contact["receding"][k] = speed
        find(self.bodies, make_piles(64, 64, 1)._replace(instant=self.contacts), self.count)
        found = [(contact["normal"][k], contact["across"][k]) for contact, k in self.points()]
        return np.array([n for n, _ in found]), np.array([t for _, t in found])

    def after(self, normal: Floats, across: Floats) -> Floats:
        easy = [[body["inverse_mass"]] * 2 + [body["inverse_inertia"]] for body in self.bodies]
        return self.velocities() + np.ravel(easy) * (self.effects(False).T @ normal + self.effects(True).T @ across)

    def turned(self, angle: float) -> Impacts:
        """Return the same, turned."""
        other = Impacts(self.bodies.copy(), self.contacts.copy(), self.count)
        c, s = math.cos(angle), math.sin(angle)
        for table, names in ((other.bodies, ("vx vy", "way_x way_y")), (other.contacts, ("nx ny", "ax ay", "bx by"))):
            for x, y in (pair.split() for pair in names):
                table[x], table[y] = c * table[x] - s * table[y], s * table[x] + c * table[y]
        return other

    def swapped(self) -> Impacts:
        """Return the same with both bodies of each contact exchanged."""
        other = Impacts(self.bodies.copy(), self.contacts.copy(), self.count)
        for x, y in (("a", "b"), ("ax", "bx"), ("ay", "by")):
            other.contacts[x], other.contacts[y] = self.contacts[y], self.contacts[x]
        other.contacts["nx"], other.contacts["ny"] = -self.contacts["nx"], -self.contacts["ny"]
        return other

    def pushed(self, x: float, y: float) -> Impacts:
        """Return the same, seen by somebody who moves."""
        other = Impacts(self.bodies.copy(), self.contacts.copy(), self.count)
        for name, speed in (("vx", x), ("vy", y), ("way_x", x), ("way_y", y)):
            other.bodies[name] += speed
        return other


def impacts(seed: int, bodies: int, frictions: tuple[float, ...], driven: bool = False) -> Impacts:
    """Return bodies of which each meets one of those before it; the first may be one that nothing moves."""
    rng = np.random.default_rng(seed)
    made = Impacts(rows_of(BODY, bodies), rows_of(CONTACT, 32), bodies - 1)
    for k, body in enumerate(made.bodies):
        body["kind"] = KINEMATIC if driven and k == 0 else DYNAMIC
        if body["kind"] == DYNAMIC:
            body["inverse_mass"] = 10 ** rng.uniform(-2, 2)
            body["inverse_inertia"] = body["inverse_mass"] * 10 ** rng.uniform(-0.3, 1.5)
        for name, way in (("vx", "way_x"), ("vy", "way_y"), ("spin", "way_spin")):
            body[name] = body[way] = rng.normal(0, 3)
    for c in range(made.count):
        contact, angle, wide = made.contacts[c], rng.uniform(0, 7), rng.uniform(0.01, 1)
        contact["a"], contact["b"], contact["count"] = rng.integers(0, c + 1), c + 1, rng.integers(1, 3)
        contact["nx"], contact["ny"] = math.cos(angle), math.sin(angle)
        contact["friction"], contact["bounce"] = rng.choice(frictions), rng.choice([0.0, 0.5, 1.0])
        for side in "ab":
            x, y = rng.uniform(-1, 1, 2)
            contact[f"{side}x"] = x, x - wide * contact["ny"]
            contact[f"{side}y"] = y, y + wide * contact["nx"]
    return made


@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_a_bar_hit_off_its_centre(e: float) -> None:
    """A point mass m hits a resting bar (M, I) at distance d from its centre."""
    m, big, inertia, d, speed = 2.0, 3.0, 0.7, 0.4, 5.0
    masses = (1 / m, 0.0, 1 / big, 1 / inertia)
    found = hit_at_point(masses, (speed, 0.0, 0.0), STILL, 1.0, 0.0, (0.0, 0.0, -0.05, d), 0.0, e, 0.0)
    assert found == pytest.approx(((1 + e) * speed / (1 / m + 1 / big + d * d / inertia), 0.0), rel=1e-14)


@pytest.mark.parametrize(
    ("slide", "spin", "mu"), [(1.0, 0.0, 0.9), (4.0, 0.0, 0.1), (-2.0, 3.0, 0.3), (0.0, 20.0, 0.2)]
)
def test_a_ball_on_the_floor_slips_or_rolls(slide: float, spin: float, mu: float) -> None:
    """A disc of radius r, inertia m r^2 / 2: sliding stops after an impulse of a third of its momentum, or slips on."""
    m, r, fall, e = 2.0, 0.5, 3.0, 0.25
    masses = (*WALL, 1 / m, 2 / (m * r * r))
    found = hit_at_point(masses, STILL, (slide, -fall, spin), 0.0, 1.0, (0.0, 0.0, 0.0, -r), 0.0, e, mu)
    normal = m * (1 + e) * fall
    # Across is (-1, 0): what ends the sliding of the lowest point is counted backwards.
    across = (slide + r * spin) / 3 * m
    assert found == pytest.approx((normal, min(max(across, -mu * normal), mu * normal)), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("driven", [False, True])
@pytest.mark.parametrize("frictions", [(0.0,), (0.4,), (1.0,), (0.0, 0.3, 10.0)], ids=str)
@pytest.mark.parametrize("bodies", [2, 3, 6, 16])
def test_no_impact_makes_energy_pulls_or_breaks_the_bound_of_friction(
    bodies: int, frictions: tuple[float, ...], driven: bool
) -> None:
    for seed in range(100):
        made = impacts(seed, bodies, frictions, driven)
        normal, across = made.solve()
        mu = np.array([contact["friction"] for contact, _ in made.points()])
        before, after = made.velocities(), made.after(normal, across)
        speeds = [made.effects(side) @ v for side in (False, True) for v in (before, after)]
        # An impulse times the mean speed where it acts: of what is made so, the work of kinematic bodies is left out.
        made_by = np.concatenate((normal * (speeds[0] + speeds[1]), across * (speeds[2] + speeds[3])))
        scale = normal @ (abs(speeds[0]) + abs(speeds[1])) + abs(across) @ (abs(speeds[2]) + abs(speeds[3]))
        assert made_by.sum() <= 1e-11 * scale
        assert (normal >= 0.0).all()
        assert (np.abs(across) <= mu * normal * (1 + 1e-12)).all()
        if max(frictions) <= 1.0 and not driven:
            assert speeds[1].min() >= -1e-8 * np.abs(before).max()


def test_what_does_not_rub_and_gives_all_back_keeps_its_energy() -> None:
    for seed in range(300):
        made = impacts(seed, 8, (0.0,))
        made.contacts["bounce"] = 1.0
        masses = np.ravel([[1 / b["inverse_mass"]] * 2 + [1 / b["inverse_inertia"]] for b in made.bodies])
        before, after = made.velocities(), made.after(*made.solve())
        assert masses @ after**2 == pytest.approx(masses @ before**2, rel=1e-11)
        assert (masses * after).reshape(-1, 3)[:, :2].sum(axis=0) == pytest.approx(
            (masses * before).reshape(-1, 3)[:, :2].sum(axis=0), rel=1e-11, abs=1e-9
        )


def test_a_single_point_sticks_or_slips_as_a_search_by_hand_says() -> None:
    """Of all impulses within the bound, the one that stops the closing and slides least against its slide."""
    for seed in range(300):
        made = impacts(seed, 2, (0.1, 0.6, 2.0))
        made.contacts["bounce"], made.contacts["count"] = 0.0, 1
        normal, across = made.solve()
        after = made.after(normal, across)
        parts, slides = (made.effects(False) @ after)[0], (made.effects(True) @ after)[0]
        if normal[0] > 0.0:
            assert abs(parts) <= 1e-8
            most = made.contacts[0]["friction"] * normal[0]
            assert abs(slides) <= 1e-7 or (abs(across[0]) == pytest.approx(most) and across[0] * slides < 0.0)


@given(st.integers(0, 10_000), st.sampled_from([2, 3, 5]), st.floats(0, 7), st.floats(-5, 5), st.floats(-5, 5))
def test_impulses_do_not_depend_on_who_looks(seed: int, bodies: int, angle: float, x: float, y: float) -> None:
    made = impacts(seed, bodies, (0.0, 0.3))
    expected = np.concatenate(made.solve())
    for other in (made.turned(angle), made.swapped(), made.pushed(x, y)):
        assert np.concatenate(other.solve()) == pytest.approx(expected, rel=1e-6, abs=1e-7 * np.abs(expected).max())
