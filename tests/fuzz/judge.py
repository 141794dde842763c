"""The judgement that the fuzzer and the replay of its corpus share: rules that hold for any two shapes and any path."""

from __future__ import annotations

from typing import Any

import carom as cm
from tests.support import oracle
from tests.support.cast_judges import wrong_cast, wrong_ray
from tests.support.judges import wrong_closest, wrong_contact, wrong_contains, wrong_intersects, wrong_separation


def complaint(a: Any, b: Any, path: tuple[float, float]) -> str | None:
    """Return a complaint about the answer of any verb to the scene, or None."""
    x, y = (float(v) for v in oracle.exact(a).points[0])
    found = (
        wrong_intersects(a, b)
        or wrong_separation(a, b)
        or but_normals(wrong_closest(a, b))
        or but_normals(wrong_contact(a, b))
        or wrong_contains(a, b)
        or but_normals(wrong_cast(a, b, path))
        or but_normals(wrong_ray((x, y), path, b))
        or wrong_rows(a, b, path)
    )
    return found and f"{found}\n    {a!r}\n    {b!r}\n    {path!r}"


def but_normals(text: str | None) -> str | None:
    """Pass over normals that open the right gap and are yet off the unique one.

    Two vertices at one distance but for the last bits have directions that differ by far more than the last bits.
    """
    return None if text is not None and text.startswith("normal") and "exactly" in text else text


def wrong_rows(a: Any, b: Any, path: tuple[float, float]) -> str | None:
    """Complain unless a set of one row gives the bits of the single pair."""
    first, second = cm.Shapes([a]), cm.Shapes([b])
    if bool(cm.intersects(first, second)[0]) != cm.intersects(a, b):
        return "a row intersects otherwise than the pair"
    if float(cm.separation(first, second)[0]) != cm.separation(a, b):
        return "a row is separated otherwise than the pair"
    hit, row = cm.cast(a, b, path), cm.cast(first, second, path)
    if bool(row.hit[0]) != (hit is not None) or (hit is not None and float(row.fraction[0]) != hit.fraction):
        return "a row is hit otherwise than the pair"
    return None
