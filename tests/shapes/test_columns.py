"""The columns of a set read back: as the makers took them, and as the single values have them; and sets appended."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom as cm

VALUES: list[cm.ConvexShape] = [
    cm.Point((1, 2)),
    cm.Circle((3, 4), 0.7),
    cm.Segment((0, 0), (2, 1)),
    cm.Capsule((0, 0), (2, 1), 0.3),
    cm.Box((5, 6), (2, 1)),
    cm.Box((5, 6), (2, 1), 0.4),
    cm.Box((5, 6), (2, 1), radius=0.25),
    cm.Box((5, 6), (2, 1), 0.4, radius=0.25),
    cm.Polygon([(0, 0), (3, 0), (0, 3)]),
    cm.Polygon([(0, 0), (3, 0), (2, 2), (0, 3)], radius=0.1),
    cm.Polygon([(0, 0), (1e6, 1e-6), (0, 1e-6)]),  # a needle, whose area is taken exactly
]
MANY = cm.Shapes(VALUES)


def test_each_row_has_the_numbers_of_the_single_value() -> None:
    assert MANY.kinds.tolist() == [type(value).__name__ for value in VALUES]
    assert MANY.areas.tolist() == [value.area for value in VALUES]
    for row, value in enumerate(VALUES):
        boxed, centred = isinstance(value, cm.Box), isinstance(value, (cm.Box, cm.Circle, cm.Point))
        assert MANY.sizes[row].tolist() == list(value.size) if boxed else np.isnan(MANY.sizes[row]).all()
        assert MANY.angles[row] == value.angle if boxed else np.isnan(MANY.angles[row])
        assert MANY.centers[row].tolist() == list(value.position) if centred else np.isnan(MANY.centers[row]).all()


def test_makers_get_back_what_they_took() -> None:
    rng = np.random.default_rng(5)
    boxes = cm.Shapes.boxes(rng.uniform(-9, 9, (50, 2)), rng.uniform(1, 2, (50, 2)), rng.uniform(-3, 3, 50), radius=0.5)
    assert cm.Shapes.boxes(boxes.centers, boxes.sizes, boxes.angles, radius=boxes.radii) == boxes
    discs = cm.Shapes.circles(rng.uniform(-9, 9, (50, 2)), rng.uniform(1, 2, 50))
    assert cm.Shapes.circles(discs.centers, discs.radii) == discs


def test_an_empty_set_has_empty_columns() -> None:
    none = cm.Shapes()
    shapes = [none.kinds.shape, none.centers.shape, none.sizes.shape, none.angles.shape, none.areas.shape]
    assert shapes == [(0,), (0, 2), (0, 2), (0,), (0,)]


@pytest.mark.parametrize("first", [0, 3, 6, 11])
def test_appended_sets_are_as_concatenated(tmp_path: Path, first: int) -> None:
    corner = cm.decompose([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
    path = tmp_path / "many.shapes"
    parts = [MANY[:first], MANY[first:], cm.Shapes([corner, cm.Point((9, 9))])]
    for part in parts:
        part.save(path, append=True)
    expected = cm.Shapes.concatenate(parts)
    for mmap in (True, False):
        again = cm.Shapes.load(path, mmap=mmap)
        assert again == expected
        assert again.owner.tolist() == expected.owner.tolist()
    cm.Shapes.load(path).save(path, append=True)
    assert cm.Shapes.load(path) == cm.Shapes.concatenate([expected, expected])
    MANY.save(path)
    assert cm.Shapes.load(path) == MANY


def test_a_failed_append_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "many.shapes"
    MANY.save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    with pytest.raises(ValueError, match=r"^Shapes.save: nothing can be appended: .*cannot be used"):
        MANY.save(path, append=True)
    assert path.read_bytes() == whole[:-20]
    path.write_bytes(whole)

    def full(_: Any) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="no space left"):
        MANY.save(path, append=True)
    assert path.read_bytes() == whole
    assert [one.name for one in tmp_path.iterdir()] == ["many.shapes"]
    with pytest.raises(TypeError, match=r"^Shapes.save: append = 3"):
        MANY.save(path, append=3)  # type: ignore[arg-type]
