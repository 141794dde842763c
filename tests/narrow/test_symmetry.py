"""Changes that keep an answer: swapping the shapes, a shift on the grid, a quarter turn, mirrors, a power of two."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import carom as cm
from tests.support import oracle, scenes
from tests.support.plain_python import printed_by_other_mode
from tests.support.verbs import STILL_VERBS, VERBS

ROWS = [300, pytest.param(30_000, marks=pytest.mark.full)]
EPSILON = 2.0**-52
Change = Callable[[tuple[float, float]], tuple[float, float]]


def quarter(p: tuple[float, float]) -> tuple[float, float]:
    return -p[1], p[0]


def mirrored(p: tuple[float, float]) -> tuple[float, float]:
    return -p[0], p[1]


def shift(p: tuple[float, float]) -> tuple[float, float]:
    return p[0] + 4096.0, p[1] - 1536.0


def unchanged(p: tuple[float, float]) -> tuple[float, float]:
    return p


class Grid:
    """A pair and a path on a fine grid, where shifts and turns are exact: near a touch, apart and overlapping."""

    def __init__(self, row: int) -> None:
        rng = Random(f"symmetry/{row}")
        self.kinds = scenes.kinds(rng)
        core_a, radius_a, core_b, radius_b, (p, q) = scenes.touching_parts(rng, *self.kinds)
        off = rng.choice((0.0, 0.0, 2.0**-20, -(2.0**-20), 0.5, -0.5, 3.0, -2.0))
        along = rng.randint(-16, 16) / 16
        core_b = [(x + p * off - q * along, y + q * off + p * along) for x, y in core_b]
        self.cores, self.radii = (core_a, core_b), (radius_a, radius_b)
        away = rng.randint(0, 80)
        self.back = -float(p * away), -float(q * away)
        self.path = rng.randint(-20, 20) + 2.0 * p * away, rng.randint(-20, 20) + 2.0 * q * away
        self.seed = rng.random()

    def pair(self, change: Change = unchanged, scale: float = 1.0, back: tuple[float, float] = (0.0, 0.0)) -> Any:
        """Return the pair with every point changed and then scaled; A `back` from where it stands."""
        rng = Random(self.seed)
        made = []
        for kind, core, radius, (dx, dy) in zip(self.kinds, self.cores, self.radii, (back, (0.0, 0.0)), strict=True):
            changed = [change((x + dx, y + dy)) for x, y in core]
            made.append(scenes.build(kind, [(x * scale, y * scale) for x, y in changed], radius * scale, rng))
        return tuple(made)


def changed(row: int, change: Change) -> str | None:
    """Complain if the answers for a changed scene are not the changed answers, up to rounding."""
    grid = Grid(row)
    a, b = grid.pair()
    c, d = grid.pair(change)
    if cm.intersects(a, b) != cm.intersects(c, d) or cm.contains(a, b) != cm.contains(c, d):
        return f"yes or no differs: {a!r}, {b!r} and {c!r}, {d!r}"
    before, after = cm.separation(a, b), cm.separation(c, d)
    limit = 32 * EPSILON * oracle.size(a, b) + 32 * EPSILON * abs(before)
    if abs(before - after) > limit or (before > 0) != (after > 0) or (before == 0) != (after == 0):
        return f"{before!r} and {after!r}: {a!r}, {b!r} and {c!r}, {d!r}"
    a, b = grid.pair(back=grid.back)
    c, d = grid.pair(change, back=grid.back)
    if cm.separation(a, b) < 1e-9:
        return None
    x, y = change(grid.path)
    zero = change((0.0, 0.0))
    hit, other = cm.cast(a, b, grid.path), cm.cast(c, d, (x - zero[0], y - zero[1]))
    if (hit is None) != (other is None):
        return f"{hit!r} and {other!r}: {a!r}, {b!r}, {grid.path} and {c!r}, {d!r}"
    return None


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("change", [quarter, mirrored, shift])
def test_rigid_changes_keep_the_answers(change: Change, rows: int) -> None:
    complaints = [text for row in range(rows) if (text := changed(row, change))]
    assert not complaints, f"{len(complaints)} of {rows}\n" + "\n".join(complaints[:5])


@pytest.mark.parametrize("rows", ROWS)
def test_a_shift_on_the_grid_keeps_every_bit(rows: int) -> None:
    """Kernels see the offset alone: where a shift is exact, no number changes."""
    for row in range(rows):
        grid = Grid(row)
        (a, b), (c, d) = grid.pair(), grid.pair(shift)
        assert cm.separation(a, b) == cm.separation(c, d), (row, a, b)
        assert cm.closest(a, b).normal == cm.closest(c, d).normal, (row, a, b)
        a, b = grid.pair(back=grid.back)
        c, d = grid.pair(shift, back=grid.back)
        hit, other = cm.cast(a, b, grid.path), cm.cast(c, d, grid.path)
        assert (hit is None) == (other is None), (row, a, b)
        if hit is not None and other is not None and not hit.overlapping and cm.separation(a, b) > 1e-9:
            assert (hit.fraction, hit.normal) == (other.fraction, other.normal), (row, a, b, grid.path)


@pytest.mark.parametrize("rows", ROWS)
def test_a_power_of_two_scales_every_bit(rows: int) -> None:
    for row in range(rows):
        grid = Grid(row)
        a, b = grid.pair()
        apart = grid.pair(back=grid.back)
        before, hit = cm.closest(a, b), cm.cast(*apart, grid.path)
        for exponent in (-400, -60, -1, 1, 60, 400):
            unit = 2.0**exponent
            c, d = grid.pair(scale=unit)
            after = cm.closest(c, d)
            assert after.separation == before.separation * unit, (row, exponent, a, b)
            assert after.normal == before.normal, (row, exponent, a, b)
            assert cm.intersects(c, d) == cm.intersects(a, b)
            path = grid.path[0] * unit, grid.path[1] * unit
            other = cm.cast(*grid.pair(scale=unit, back=grid.back), path)
            if hit is None or other is None:
                assert hit is other, (row, exponent, apart, grid.path)
            else:
                assert (hit.fraction, hit.normal) == (other.fraction, other.normal), (row, exponent, apart, grid.path)


@pytest.mark.parametrize("rows", [60, pytest.param(6_000, marks=pytest.mark.full)])
@pytest.mark.parametrize("family", scenes.FAMILIES)
def test_swapping_keeps_every_bit(family: str, rows: int) -> None:
    """Only two shapes that are the very same cannot have opposite normals."""
    for row in range(rows):
        a, b = scenes.pair(family, row)
        there, back = cm.closest(a, b), cm.closest(b, a)
        assert there.separation == back.separation == cm.separation(b, a), (a, b)
        assert cm.intersects(a, b) == cm.intersects(b, a), (a, b)
        if oracle.exact(a) != oracle.exact(b):
            assert there.normal == (-back.normal[0], -back.normal[1]), (a, b)
            assert (there.point_a, there.point_b) == (back.point_b, back.point_a), (a, b)


@pytest.mark.parametrize("rows", [100, pytest.param(10_000, marks=pytest.mark.full)])
@pytest.mark.parametrize("family", ["aimed", "grazing", "ends_in_touch", "corners"])
def test_either_shape_may_be_the_one_that_moves(family: str, rows: int) -> None:
    """A moving by a path meets B exactly when B moving by its opposite meets A."""
    for row in range(rows):
        a, b, path = scenes.journey(family, row)
        there, back = cm.cast(a, b, path), cm.cast(b, a, (-path[0], -path[1]))
        assert (there is None) == (back is None), (a, b, path)
        if there is not None and back is not None:
            limit = oracle.first_touch(a, b, path, 64 * EPSILON * (oracle.size(a, b) + abs(path[0]) + abs(path[1])))
            assert limit is not None
            assert back.fraction >= limit
            assert there.overlapping == back.overlapping


def bits(answer: Any) -> str:
    """Return an answer to the last bit, whether its numbers are Python's or NumPy's."""
    if isinstance(answer, tuple):
        return f"({' '.join(bits(part) for part in answer)})"
    return repr(answer) if answer is None or isinstance(answer, cm.Shape) else float(answer).hex()


def answers(rows: int) -> list[str]:
    """Return every verb's answer over scenes of all families."""
    found = []
    for row in range(rows):
        for family in scenes.FAMILIES:
            a, b = scenes.pair(family, row)
            found += [bits(verb.ask(a, b)) for verb in STILL_VERBS]
        for family in scenes.JOURNEYS:
            a, b, path = scenes.journey(family, row)
            x, y = oracle.exact(a).points[0]
            found += [bits(verb.ask(a, b, path, (float(x), float(y)))) for verb in VERBS if verb not in STILL_VERBS]
    return found


def test_compiled_and_plain_python_agree_to_the_last_bit() -> None:
    """The same scenes in a process whose kernels run as plain Python, or compiled if they are plain here."""
    code = "from tests.narrow.test_symmetry import answers\nfor line in answers(12): print(line)"
    assert printed_by_other_mode(code).splitlines() == answers(12)
