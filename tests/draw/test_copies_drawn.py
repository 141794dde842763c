"""Pictures of copies: a field for each, with the same part of its world."""

from __future__ import annotations

import re

import pytest

import carom as cm


def thrown(count: int) -> cm.Worlds:
    world = cm.World()
    world.add(cm.Box((0, -1), (8, 1)))
    ball = world.add(cm.Circle((0, 0), 0.25), kind="dynamic")
    worlds = world.copies(count)
    worlds.of_body(ball).velocity = [(k, 0) for k in range(count)]
    worlds.step(0.5)
    return worlds


def lefts(svg: str) -> list[tuple[float, float]]:
    """Return the left end of each disc that falls."""
    found = re.findall(r'class="(\d+) [^"]*" d="M([-0-9.]+) ([-0-9.]+) ?A', svg)
    return [(float(x), float(y)) for _, x, y in found]


@pytest.mark.parametrize("count", [1, 2, 5, 9])
def test_each_copy_has_a_field_in_rows_from_the_top(count: int) -> None:
    worlds = thrown(count)
    shown = cm.picture(worlds, window=(-4, -2, 4, 2))
    svg = shown._repr_svg_()
    assert repr(shown) == f"<Picture: {count} of {count} copies>"
    assert svg.count('class="field"') == count
    places = lefts(svg)
    assert len(places) == count
    columns = [0, 1, 2, 2, 2, 3, 3, 3, 3, 3][count]
    height = 540 / -(-count // columns)
    for k, (x, y) in enumerate(places):
        assert int(x // (2 * height)) == k % columns and int(y // height) == k // columns
        assert x % (2 * height) == pytest.approx((3.75 + 0.5 * k) / 8 * 2 * height, abs=0.01 * height)


def test_at_most_a_hundred_copies_are_drawn_and_what_is_not_for_copies_is_refused() -> None:
    worlds = thrown(120)
    assert repr(cm.picture(worlds)) == "<Picture: 100 of 120 copies>"
    before = worlds.world(3).digest()
    cm.picture(worlds, layers="contacts, velocities", y_up=False)
    assert worlds.world(3).digest() == before
    for refused in ({"labels": ["a"]}, {"motion": (1, 0)}, {"layers": "legend"}):
        with pytest.raises(ValueError, match=next(iter(refused))):
            cm.picture(worlds, **refused)
