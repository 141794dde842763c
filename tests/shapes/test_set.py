"""A set holds the same shapes, bit for bit, as the single values; every way in and out keeps them."""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import carom as cm
from carom.shapes.proxy_writers import make_proxy

RNG = np.random.default_rng(5)
N = 300
CENTERS = RNG.uniform(-1e3, 1e3, (N, 2))
CENTERS[::10] *= 1e7
SIZES = RNG.uniform(0.1, 5.0, (N, 2))
RADII = RNG.uniform(0.1, 3.0, N)
ANGLES = RNG.uniform(-7.0, 7.0, N)
ANGLES[::7], ANGLES[1::7], ANGLES[2::14] = 0.0, math.pi / 2, -math.pi
CORNERS = np.array([(math.cos(k * math.pi / 3), math.sin(k * math.pi / 3)) for k in range(6)])
OUTLINES = CENTERS[:, None] + RADII[:, None, None] * CORNERS

MADE: dict[str, tuple[cm.Shapes, list[Any]]] = {
    "points": (cm.Shapes.points(CENTERS), [cm.Point(c) for c in CENTERS]),
    "circles": (cm.Shapes.circles(CENTERS, RADII), [cm.Circle(c, r) for c, r in zip(CENTERS, RADII, strict=True)]),
    "segments": (
        cm.Shapes.segments(CENTERS, CENTERS + SIZES),
        [cm.Segment(c, c + s) for c, s in zip(CENTERS, SIZES, strict=True)],
    ),
    "capsules": (
        cm.Shapes.capsules(CENTERS, CENTERS + SIZES, RADII),
        [cm.Capsule(c, c + s, r) for c, s, r in zip(CENTERS, SIZES, RADII, strict=True)],
    ),
    "boxes": (cm.Shapes.boxes(CENTERS, SIZES), [cm.Box(c, s) for c, s in zip(CENTERS, SIZES, strict=True)]),
    "turned boxes": (
        cm.Shapes.boxes(CENTERS, SIZES, ANGLES, radius=0.5),
        [cm.Box(c, s, a, radius=0.5) for c, s, a in zip(CENTERS, SIZES, ANGLES, strict=True)],
    ),
    "polygons": (cm.Shapes.polygons(OUTLINES), [cm.Polygon(outline) for outline in OUTLINES]),
    "clockwise": (cm.Shapes.polygons(OUTLINES[:, ::-1]), [cm.Polygon(outline[::-1]) for outline in OUTLINES]),
    "ragged": (
        cm.Shapes.polygons([outline[: 3 + k % 4] for k, outline in enumerate(OUTLINES)], radius=0.25),
        [cm.Polygon(outline[: 3 + k % 4], radius=0.25) for k, outline in enumerate(OUTLINES)],
    ),
}
ALL = cm.Shapes([value for _, values in MADE.values() for value in values])


@pytest.mark.parametrize("kind", MADE)
def test_rows_are_the_single_values(kind: str) -> None:
    many, values = MADE[kind]
    assert list(many) == values
    assert all(np.array_equal(a._record, b._record) for a, b in zip(many, values, strict=True))
    assert many == cm.Shapes(values)


@pytest.mark.parametrize("kind", MADE)
def test_bounds_and_moves_are_those_of_the_single_values(kind: str) -> None:
    many, values = MADE[kind]
    assert many.bounds.tolist() == [list(cm.bounds(value)) for value in values]
    moves = RNG.uniform(-1e4, 1e4, (len(values), 2))
    assert list(many.translated(moves)) == [value.translated(move) for value, move in zip(values, moves, strict=True)]
    assert many.translated((3.0, -1.0)) == cm.Shapes([value.translated((3.0, -1.0)) for value in values])


NUMBERS = st.one_of(
    st.floats(-1e150, 1e150),
    st.sampled_from([0.1, -0.1, 1.0, 2.0**-1074, -(2.0**-1022), 1e-290, 1e-160, 3.0, 1e15, -1e7 / 3, 1e150]),
    st.integers(-10, 10).map(lambda k: k * 0.1),
)
SIZED = st.one_of(st.floats(1e-150, 1e150), st.sampled_from([1e-150, 0.1, 1.0, 1e15, 1e150]))


@given(st.lists(st.tuples(NUMBERS, NUMBERS, SIZED), min_size=1, max_size=5), st.tuples(NUMBERS, NUMBERS))
def test_bounds_hold_the_exact_shape_to_the_ulp(
    discs: list[tuple[float, float, float]], end: tuple[float, float]
) -> None:
    values: list[cm.Shape] = [cm.Circle((x, y), r) for x, y, r in discs]
    values += [cm.Capsule((x, y), end, r) for x, y, r in discs if max(abs(x - end[0]), abs(y - end[1])) >= 1e-150]
    assert cm.Shapes(values).bounds.tolist() == [list(cm.bounds(value)) for value in values]


def test_rows_are_taken_like_those_of_an_array() -> None:
    values = list(ALL)
    mask = RNG.random(len(ALL)) < 0.3
    rows = RNG.integers(0, len(ALL), 50)
    assert ALL[-1] == values[-1]
    assert list(ALL[5:900:7]) == values[5:900:7]
    assert list(ALL[mask]) == [value for value, kept in zip(values, mask, strict=True) if kept]
    assert list(ALL[rows]) == [values[row] for row in rows]
    with pytest.raises(IndexError, match="row 9999 of"):
        ALL[9999]


def test_sets_are_joined_and_repeated() -> None:
    assert cm.Shapes.concatenate([many for many, _ in MADE.values()]) == ALL
    assert list(cm.Shapes.repeat(ALL[700], 3)) == [ALL[700]] * 3
    assert len(cm.Shapes.concatenate([])) == len(cm.Shapes()) == 0


def test_sets_are_pickled_by_buffer_and_copied() -> None:
    buffers: list[pickle.PickleBuffer] = []
    text = pickle.dumps(MADE["circles"][0], protocol=5, buffer_callback=buffers.append)
    assert len(text) < 2_000 and sum(buffer.raw().nbytes for buffer in buffers) > 8 * 14 * N
    assert pickle.loads(text, buffers=buffers) == MADE["circles"][0]
    assert pickle.loads(pickle.dumps(ALL)) == copy.deepcopy(ALL) == ALL


def test_sets_do_not_change() -> None:
    with pytest.raises(AttributeError, match="do not change"):
        ALL._buffer = np.zeros(3)  # type: ignore[misc]


def bits(many: cm.Shapes) -> list[tuple[Any, ...]]:
    return [(type(value), value._detail, value._record.tobytes()) for value in many]


def assert_same_bits(many: cm.Shapes, values: list[cm.Shape]) -> None:
    assert len(many) == len(values)
    for row, (ours, value) in enumerate(zip(many, values, strict=True)):
        assert type(ours) is type(value) and ours._detail == value._detail, row
        assert ours._record.tobytes() == value._record.tobytes(), (row, ours, value)


NEEDLE = cm.Polygon([(0, 0), (1e6, 1e-3), (2e6, 1e-9)])
THIN = cm.Polygon([(0.1, 0.1), (0.3, 0.3 + 1e-16), (0.7, 0.7), (0.2, 0.9)], vertex_ids=[7, 8, 5, 6])
ANY = [
    cm.Point((0.1, -3.0)),
    cm.Circle((1e7 + 0.1, 2.0), 0.3),
    cm.Segment((0.1, 0.2), (5.0, -1.7)),
    cm.Capsule((1e6, 0.1), (1e6 + 0.7, 0.3), 2.0),
    cm.Box((0.3, 0.7), (0.1, 5.0)),
    cm.Box.from_corners((0.1, 0.2), (0.3, 0.7), radius=0.2),
    cm.Box((1.0, 2.0), (3.0, 0.3), 0.3),
    cm.Box((1.0, 2.0), (3.0, 0.3), 0.3, radius=1.0),
    cm.Polygon([(0, 0), (0, 2), (1, 3), (2, 2.5), (2, 0)]),
    cm.Polygon([(1e5, 0.1), (1e5 + 1, 0.3), (1e5 + 0.3, 0.9)], radius=0.1, vertex_ids=[5, 3, 9]),
    NEEDLE,
    THIN,
    *cm.decompose([(0, 0), (4, -2), (3, 0), (4, 2)]).parts,
]
TURNS = st.one_of(
    st.floats(-10, 10),
    st.integers(-9, 9).map(lambda k: k * math.pi / 2),
    st.sampled_from([0.0, 1e-300, 1e-9, 1e6, math.nextafter(math.pi / 2, 0)]),
)
SPOTS = st.tuples(st.floats(-1e9, 1e9), st.one_of(st.floats(-1e3, 1e3), st.sampled_from([0.0, 0.1, 1e15, 1e-200])))


def moved(move: Callable[[], cm.Shape]) -> cm.Shape | None:
    try:
        return move()
    except ValueError:
        return None


@given(st.lists(st.tuples(st.sampled_from(ANY), SPOTS, TURNS), max_size=8))
def test_rows_are_placed_and_turned_as_single_values(rows: list[tuple[cm.Shape, tuple[float, float], float]]) -> None:
    many = cm.Shapes([shape for shape, _, _ in rows])
    spots = np.array([spot for _, spot, _ in rows]).reshape(-1, 2)
    turns = np.array([turn for _, _, turn in rows])
    assert many.positions.tolist() == [list(shape.position) for shape, _, _ in rows]
    moves: list[tuple[Callable[[cm.Shapes, Any, Any], cm.Shapes], Callable[[int], Callable[[], cm.Shape]]]] = [
        (lambda s, p, t: s.placed(p, t), lambda k: lambda: rows[k][0].placed(*rows[k][1:])),
        (lambda s, p, t: s.rotated(t), lambda k: lambda: rows[k][0].rotated(rows[k][2])),
        (lambda s, p, t: s.rotated(t, p), lambda k: lambda: rows[k][0].rotated(rows[k][2], rows[k][1])),
        (lambda s, p, t: s.translated(p), lambda k: lambda: rows[k][0].translated(rows[k][1])),
    ]
    for whole, single in moves:
        wanted = [moved(single(k)) for k in range(len(rows))]
        good = np.array([value is not None for value in wanted], dtype=bool)
        assert_same_bits(whole(many[good], spots[good], turns[good]), [value for value in wanted if value is not None])
        for k in np.flatnonzero(~good).tolist():
            with pytest.raises(ValueError, match=r"Shapes\.\w+: .*\b0\b"):
                whole(many[[k]], spots[[k]], turns[[k]])


def test_placed_puts_the_position_there_and_adds_the_angle() -> None:
    for shape in ANY:
        for angle in (0.0, 0.4, math.pi / 2):
            there = shape.placed((3.0, -2.0), angle)
            size = max(abs(v - shape.position[axis]) for p in shape.vertices for axis, v in enumerate(p)) + 1.0
            assert math.dist(there.position, (3.0, -2.0)) <= 1e-15 * (size + 5)
            turned = shape.rotated(angle).translated(cm.Vec(3.0, -2.0) - shape.position)
            far = 1e-14 * (size + 5 + max(map(abs, shape.position)))
            assert all(math.dist(p, q) <= far for p, q in zip(there.vertices, turned.vertices, strict=True))
    with pytest.raises(ValueError, match=r"Circle.placed: position must|Circle.placed: position\[1\] = nan"):
        cm.Circle((0, 0), 1).placed((0, math.nan))
    with pytest.raises(ValueError, match=r"Box.placed: angle = inf"):
        cm.Box((0, 0), (1, 1)).placed((0, 0), math.inf)


def test_a_shape_repeated_and_placed_is_a_fleet() -> None:
    for shape in ANY:
        fleet = cm.Shapes.repeat(shape, N).placed(CENTERS, ANGLES)
        values = [
            moved(lambda c=c, a=a, s=shape: s.placed(c, a)) for c, a in zip(CENTERS, ANGLES.tolist(), strict=True)
        ]
        assert_same_bits(fleet, values)  # type: ignore[arg-type]


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=3, max_size=6), st.sampled_from([0.0, 1e-150, 0.1, 1e3]))
def test_polygons_are_cleaned_as_single_ones(outline: list[tuple[float, float]], radius: float) -> None:
    given_ = [outline, outline[::-1], [*outline, outline[0]], [*outline[::-1], outline[-1]], [outline[0], *outline]]
    for points in given_:
        try:
            value = cm.Polygon(points, radius=radius)
        except ValueError:
            with pytest.raises(ValueError, match=r"Shapes.polygons: vertices\[1\]"):
                cm.Shapes.polygons([[(0, 0), (1, 0), (0, 1)], points], radius=radius)
        else:
            triangle = cm.Polygon([(0, 0), (1, 0), (0, 1)], radius=radius)
            assert_same_bits(cm.Shapes.polygons([[(0, 0), (1, 0), (0, 1)], points], radius=radius), [triangle, value])


@given(st.lists(st.tuples(NUMBERS, NUMBERS, SIZED, SIZED, TURNS), max_size=4))
def test_boxes_and_spans_are_the_single_values(rows: list[tuple[float, float, float, float, float]]) -> None:
    for x, y, w, h, angle in rows:
        at, to = (x, y), (w, h)
        assert_made_alike(partial(cm.Shapes.boxes, [at], [to], angle), partial(cm.Box, at, to, angle))
        assert_made_alike(partial(cm.Shapes.segments, [at], [to]), partial(cm.Segment, at, to))
        assert_made_alike(partial(cm.Shapes.capsules, [at], [to], w), partial(cm.Capsule, at, to, w))


def assert_made_alike(many: Callable[[], cm.Shapes], single: Callable[[], cm.Shape]) -> None:
    value = moved(single)
    if value is None:
        with pytest.raises(ValueError, match=r"Shapes\.\w+: \w+\[0\] = "):
            many()
    else:
        assert_same_bits(many(), [value])


def test_known_quarter_turns_are_those_of_single_values() -> None:
    from carom.shapes.set_move import quarters_of
    from carom.vector import MOST_QUARTERS, quarter_turns

    exact = np.concatenate([np.arange(-3000, 3000), RNG.integers(-MOST_QUARTERS, MOST_QUARTERS, 3000)]) * (math.pi / 2)
    near = np.concatenate(
        [exact, np.nextafter(exact, -1e9), np.nextafter(exact, 1e9), RNG.uniform(-9, 9, 1000), [1e300]]
    )
    assert quarters_of(near).tolist() == [*map(quarter_turns, near.tolist())]


@pytest.mark.full
def test_known_quarter_turns_are_the_nearest_floats_alone() -> None:
    from carom.shapes.set_move import quarters_of
    from carom.vector import MOST_QUARTERS

    half_pi = Fraction(15707963267948966192313216916397514420985846996875529, 10**52)
    angles = np.array([float(half_pi * k) for k in range(1, MOST_QUARTERS)])
    k = np.arange(1, MOST_QUARTERS)
    for sign in (1, -1):
        assert (quarters_of(sign * angles) == (sign * k) % 4).all()
        for far in (0.0, 1e9):
            assert (quarters_of(np.nextafter(sign * angles, far)) == -1).all()


# ---- owner


def test_owner_names_the_input_after_every_operation() -> None:
    arrow = cm.decompose([(0, 0), (4, -2), (3, 0), (4, 2)])
    many = cm.Shapes([cm.Circle((0, 0), 1), arrow, cm.Point((1, 1)), arrow])
    assert list(many) == [cm.Circle((0, 0), 1), *arrow.parts, cm.Point((1, 1)), *arrow.parts]
    owner = [0, 1, 1, 2, 3, 3]
    assert many.owner.tolist() == owner and many.owner.dtype == np.int64
    assert cm.Shapes([cm.Point((0, 0))] * 3).owner.tolist() == [0, 1, 2]
    assert many[2:5].owner.tolist() == many[[2, 3, 4]].owner.tolist() == owner[2:5]
    assert many[::-1].owner.tolist() == owner[::-1]
    assert many[many.owner == 3].owner.tolist() == [3, 3]
    for moved_ in (many.translated((1, 1)), many.rotated(0.3), many.placed((1, 2), 0.5)):
        assert moved_.owner.tolist() == owner
    assert pickle.loads(pickle.dumps(many)).owner.tolist() == owner
    joined = cm.Shapes.concatenate([many[1:3], many, cm.Shapes.circles([(0, 0)] * 2, 1)[1:], cm.Shapes()])
    assert joined.owner.tolist() == [1, 1, *[4 + k for k in owner], 9]
    assert cm.Shapes.repeat(arrow, 2).owner.tolist() == [0, 0, 1, 1]
    assert list(cm.Shapes.repeat(arrow, 2)) == [*arrow.parts, *arrow.parts]
    assert many == cm.Shapes(list(many))  # equality is of the shapes
    many.owner[:] = 7
    assert many.owner.tolist() == owner


def test_one_vector_applies_to_all_rows() -> None:
    many, vector = ALL[:2], np.array([1, 2], dtype=object)
    assert many.translated(vector) == many.translated((1, 2))
    assert many.placed(vector, 0.3) == many.placed((1, 2), 0.3)
    assert many.rotated(0.3, vector) == many.rotated(0.3, (1, 2))
    rows = np.empty(2, dtype=object)
    rows[:] = [(1, 2), (3, 4)]
    assert many.translated(rows) == many.translated([(1, 2), (3, 4)])
    for bad in ("x", True, None):
        with pytest.raises(TypeError, match=r"Shapes.translated: vector"):
            many.translated(np.array([1, bad], dtype=object))


# ---- files


@pytest.mark.parametrize("mmap", [True, False])
def test_sets_are_saved_and_loaded(tmp_path: Path, mmap: bool) -> None:
    arrow = cm.decompose([(0, 0), (4, -2), (3, 0), (4, 2)])
    # Edges whose normals have a part smaller than any float.
    nearly_level = cm.Polygon([(-(2.0**31), 0.0), (0.0, -7.0 * 2.0**30), (0.0, 5e-324)])
    nearly_upright = cm.Polygon([(-2.7e-12, -6.0), (0.0, -5.0), (-5e-324, -2.0), (-2.7e-12, -2.0)], radius=1.0)
    sets = {"all": ALL, "none": cm.Shapes(), "owned": cm.Shapes([arrow, THIN]), "slice": ALL[5:900]}
    sets["nearly"] = cm.Shapes([nearly_level, nearly_upright])
    for name, many in sets.items():
        path = tmp_path / name
        many.save(path)
        many.save(str(path))  # over what is there
        again = cm.Shapes.load(path, mmap=mmap)
        assert bits(again) == bits(many) and again.owner.tolist() == many.owner.tolist()
        assert again == many and list(again[3:7]) == list(many[3:7])
        assert pickle.loads(pickle.dumps(again)) == many
        if len(many) > 20:
            assert again[::3] == many[::3] and again[RNG.permutation(20)].bounds.shape == (20, 4)
            assert cm.intersects(again[:50], again[50:100]).tolist() == cm.intersects(many[:50], many[50:100]).tolist()
            assert cm.separation(again, cm.Point((0, 0))).tolist() == cm.separation(many, cm.Point((0, 0))).tolist()
            assert again.translated((1, 2)) == many.translated((1, 2))
            assert again.placed((1, 2), 0.0) == many.placed((1, 2), 0.0)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(sets)  # nothing left beside


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "set"
    many = cm.Shapes([*ANY, *ANY])
    many.save(path)
    whole = path.read_bytes()
    for cut in (0, 1, 5, 100, 130, 160, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:cut])
        with pytest.raises(ValueError, match=r"Shapes.load: path = .* cannot be used"):
            cm.Shapes.load(path)
    for text in (whole + b"x", b"hello world" * 30, whole.replace(b"carom", b"moron", 1)):
        path.write_bytes(text)
        with pytest.raises(ValueError, match=r"Shapes.load: path = .* cannot be used"):
            cm.Shapes.load(path)
    np.save(tmp_path / "other.npy", np.zeros(5))
    with pytest.raises(ValueError, match="cannot be used"):
        cm.Shapes.load(tmp_path / "other.npy")
    np.save(tmp_path / "pickled.npy", np.array([{}]), allow_pickle=True)
    with pytest.raises(ValueError, match="cannot be used"):
        cm.Shapes.load(tmp_path / "pickled.npy")
    with pytest.raises(FileNotFoundError):
        cm.Shapes.load(tmp_path / "absent")
    with pytest.raises(FileNotFoundError, match=r"Shapes.save: there is no such folder: .*absent'$"):
        many.save(tmp_path / "absent" / "set")
    with pytest.raises(IsADirectoryError, match=r"Shapes.save: path must be a file"):
        many.save(tmp_path)
    for bad in (3, None, 2.0):
        with pytest.raises(TypeError, match=r"Shapes.load: path = .* must be a path"):
            cm.Shapes.load(bad)
    with pytest.raises(TypeError, match="mmap = 'r' must be True or False"):
        cm.Shapes.load(path, mmap="r")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="vertex number is beyond int64"):
        cm.Shapes([cm.Polygon([(0, 0), (1, 0), (0, 1)], vertex_ids=[2**70, 1, 2])]).save(path)


def test_damaged_shapes_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "set"
    house = cm.Polygon([(0, 0), (4, 0), (5, 3), (2, 6), (-1, 3)])
    made = [house, cm.Box((1, 2), (3, 1), 0.4), cm.Box((1, 2), (3, 1)), cm.Capsule((0, 1), (2, 5), 0.5)]
    star = [(math.cos(4 * math.pi * k / 5), math.sin(4 * math.pi * k / 5)) for k in range(5)]  # goes round twice
    for shape in [*made, cm.Circle((1, 2), 3)]:
        many = cm.Shapes([cm.Circle((0, 0), 1), shape])
        many.save(path)
        whole, record = path.read_bytes(), shape._record
        at = whole.index(record.tobytes())
        # Anything but where the shape is and its radius follows from the other numbers.
        for place in [k for k in range(record.size) if k not in (2, 3, 4)]:
            for value in (-record[place] - 1.5, record[place] + 1e-9, 1e9, 1e140, math.inf, math.nan):
                damaged = bytearray(whole)
                damaged[at + 8 * place : at + 8 * place + 8] = np.float64(value).tobytes()
                path.write_bytes(damaged)
                with pytest.raises(ValueError, match=r"Shapes.load: path = .* cannot be used: row 1 is no shape"):
                    cm.Shapes.load(path)
    for name, points in (("concave", [(3, 2), (4, 0), (5, 3), (2, 6), (-1, 3)]), ("twice", star)):
        damaged_house = make_proxy(4.0, (0.0, 0.0), points, 0.0)
        cm.Shapes([house]).save(tmp_path / name)
        whole = (tmp_path / name).read_bytes()
        (tmp_path / name).write_bytes(whole.replace(house._record.tobytes(), damaged_house.tobytes()))
        with pytest.raises(ValueError, match="row 0 is no shape"):
            cm.Shapes.load(tmp_path / name)
    cm.Shapes([made[1]]).save(path)
    whole = path.read_bytes()
    for old, new in ((3.0, 3.1), (1.0, -1.0), (0.4, 0.4 + 1e-9), (0.4, math.inf)):
        sizes = np.array([3.0, 1.0, 0.4])
        path.write_bytes(whole.replace(sizes.tobytes(), np.where(sizes == old, new, sizes).tobytes()))
        with pytest.raises(ValueError, match="row 0 is no shape"):
            cm.Shapes.load(path)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    path = tmp_path_factory.mktemp("files") / "set"
    cm.Shapes(ANY).save(path)
    return path, path.read_bytes()


@given(data=st.data())
def test_changed_bytes_are_refused_or_harmless(saved: tuple[Path, bytes], data: Any) -> None:
    path, whole = saved
    text = bytearray(whole)
    for _ in range(3):
        place = data.draw(st.integers(0, len(text) - 1))
        text[place] = data.draw(st.integers(0, 255))
    path.write_bytes(text)
    try:
        many = cm.Shapes.load(path, mmap=False)
    except ValueError:
        return
    assert np.isfinite(many.bounds).all() and many.owner.size == len(many)
    assert cm.intersects(many, cm.Circle((0, 0), 1)).shape == (len(many),)


def test_arrays_in_files_are_input_like_any_other(tmp_path: Path) -> None:
    np.save(tmp_path / "centers.npy", CENTERS)
    centers = np.load(tmp_path / "centers.npy", mmap_mode="r")
    assert cm.Shapes.circles(centers, centers[:, 0] ** 2 + 1) == cm.Shapes.circles(CENTERS, CENTERS[:, 0] ** 2 + 1)
    assert cm.Shapes.boxes(centers, SIZES).translated(centers).placed(centers, centers[:, 0]).bounds.shape == (N, 4)
    triangles = np.lib.stride_tricks.sliding_window_view(centers, 3, axis=0).transpose(0, 2, 1)
    with pytest.raises(ValueError, match=r"vertices\[\d+\]|go"):
        cm.Shapes.polygons([(centers[0], centers[0], centers[0])])
    assert len(cm.Shapes.polygons(triangles[:1])) == 1
    assert cm.contains(cm.Shapes.circles(centers, 1.0), centers).all()


# ---- lines


def test_rows_taken_again_are_copies_with_owners_of_their_own() -> None:
    arrow = cm.decompose([(0, 0), (4, -2), (3, 0), (4, 2)])
    many = cm.Shapes([cm.Circle((9, 9), 1), arrow])
    rows = [1, 2, 0, 2, 1, 0, 0]
    taken = many[rows]
    assert taken.owner.tolist() == [1, 1, 0, 3, 3, 2, 4]
    assert taken == cm.Shapes([many[row] for row in rows])
    assert cm.Shapes.concatenate([taken, many]).owner.tolist()[7:] == [6, 7, 7]
    templates = cm.Shapes([cm.Circle((0, 0), 1), cm.Box((0, 0), (1, 1))])
    chosen = np.random.default_rng(1).integers(0, 2, 500)
    placed = templates[chosen].placed(np.random.default_rng(2).uniform(0, 60, (500, 2)))
    assert np.unique(placed.owner).size == 500
    assert cm.pairs(placed).tolist() == cm.pairs(cm.Shapes(list(placed))).tolist() != []
    few = cm.Shapes.points(np.zeros((1000, 2)))[[3, 999, 3]]
    assert few.owner.tolist() == [3, 999, 1003]


def test_polylines_are_segments_with_an_owner() -> None:
    line = [(0, 0), (0, 0), (4, 0), (4, 3), (4, 3)]
    path = cm.Shapes.polyline(line)
    assert list(path) == [cm.Segment((0, 0), (4, 0)), cm.Segment((4, 0), (4, 3))]
    ring = cm.Shapes.polyline(np.array(line), closed=True)
    assert list(ring) == [*path, cm.Segment((4, 3), (0, 0))] and ring.owner.tolist() == [0, 0, 0]
    assert cm.Shapes.polyline([*line, (0, 0)], closed=True) == ring
    assert list(cm.Shapes.polyline([(0, 0), (1, 1)], closed=True)) == [cm.Segment((0, 0), (1, 1))]
    two = cm.Shapes.polylines([line, np.array([(5, 5), (6, 6)])])
    assert two.owner.tolist() == [0, 0, 1] and two == cm.Shapes.concatenate(
        [path, cm.Shapes.polyline([(5, 5), (6, 6)])]
    )
    assert len(cm.Shapes.polylines([])) == 0
    assert cm.Shapes.concatenate([two, two]).owner.tolist() == [0, 0, 1, 2, 2, 3]


# ---- nothing at all


NONE = [
    cm.Shapes(),
    cm.Shapes([]),
    cm.Shapes.points([]),
    cm.Shapes.points(np.zeros((0, 2))),
    cm.Shapes.circles([], []),
    cm.Shapes.circles(np.zeros((0, 2)), 1.0),
    cm.Shapes.segments([], []),
    cm.Shapes.capsules([], [], []),
    cm.Shapes.boxes([], [], []),
    cm.Shapes.polygons([]),
    cm.Shapes.polygons(np.zeros((0, 5, 2))),
    cm.Shapes.polygons(np.zeros((0, 2)), radius=[]),
    cm.Shapes.polylines([]),
    cm.Shapes.from_shapely([]),
    cm.Shapes.from_shapely([None]),
    cm.Shapes.repeat(cm.Box((0, 0), (1, 1), 0.3), 0),
    cm.Shapes.concatenate([]),
    cm.Shapes.concatenate([cm.Shapes(), cm.Shapes()]),
    ALL[:0],
    ALL[[]],
    ALL[np.zeros(len(ALL), dtype=bool)],
    ALL[900:20],
]


@pytest.mark.parametrize("none", NONE, ids=range(len(NONE)))
def test_no_rows_are_rows_too(none: cm.Shapes) -> None:
    assert len(none) == 0 and list(none) == [] and repr(none) == "<Shapes: no rows>"
    assert none.bounds.shape == (0, 4) and none.positions.shape == (0, 2)
    assert none.owner.shape == none.radii.shape == (0,)
    for again in (
        none.translated((1, 2)),
        none.translated(np.zeros((0, 2))),
        none.translated([]),
        none.rotated(0.3),
        none.rotated([], []),
        none.placed([], []),
        none.placed((1, 2), 0.5),
        none[:],
        none[[]],
        none[::-1],
        pickle.loads(pickle.dumps(none)),
    ):
        assert again == none
    assert cm.intersects(none, none).shape == cm.intersects(none, cm.Point((0, 0))).shape == (0,)
    assert cm.Shapes.concatenate([none, ALL, none]) == ALL


BAD: list[tuple[Any, Any, str]] = [
    (lambda: cm.Shapes.circles([(0, 0), (1, math.nan)], 1.0), ValueError, r"center\[1\]\[1\] = nan must be finite"),
    (lambda: cm.Shapes.circles([(0, 0), (1, 1)], [1.0, -2.0]), ValueError, r"radius\[1\] = -2.0 must be positive"),
    (lambda: cm.Shapes.circles([(0, 0), (1, 1)], [1.0]), ValueError, r"radius has shape \(1,\)"),
    (lambda: cm.Shapes.circles([0, 1, 2], 1.0), ValueError, r"center has shape \(3,\)"),
    (lambda: cm.Shapes.circles([("a", "b")], 1.0), TypeError, r"center\[0\]\[0\] = 'a' must be a number"),
    (
        lambda: cm.Shapes.circles([(0, 0), (1,)], 1.0),
        ValueError,
        r"center\[1\] = \(1,\) must be a point \(x, y\): 2 numbers, not 1",
    ),
    (
        lambda: cm.Shapes.boxes(np.zeros((3, 2)), [(1, 1), (1, 1), (2.0, -1.0)]),
        ValueError,
        r"size\[2\] = \(2.0, -1.0\) must be positive; did you pass corners",
    ),
    (lambda: cm.Shapes.boxes([(0, 0)], [(1, 1)], math.inf), ValueError, r"angle\[0\] = inf must be finite"),
    (lambda: cm.Shapes.boxes([(0, 0)], [(1, 1)], radius=-1.0), ValueError, r"radius\[0\] = -1.0 must not be negative"),
    (lambda: cm.Shapes.boxes([(1e30, 0)], [(1, 1)]), ValueError, r"size\[0\] = .* is lost to rounding"),
    (lambda: cm.Shapes.segments([(0, 0)], [(0, 0)]), ValueError, r"end\[0\] = \(0.0, 0.0\) must differ from start"),
    (lambda: cm.Shapes.segments([(0, 0)], [(0, 0), (1, 1)]), ValueError, "end has 2 rows; 1 were expected"),
    (
        lambda: cm.Shapes.polygons([[(0, 0), (1, 0), (0, 1)], [(0, 0), (2, 0), (1, 0.5), (2, 2)]]),
        ValueError,
        r"vertices\[1\]: .*turns inward",
    ),
    (lambda: cm.Shapes([cm.Circle((0, 0), 1), (0, 0)]), TypeError, r"values\[1\] = \(0, 0\) must be a shape"),
    (lambda: cm.Shapes(3), TypeError, "values = 3 must be shapes"),
    (lambda: cm.Shapes.repeat(ALL[0], -1), ValueError, "count = -1 must not be negative"),
    (lambda: cm.Shapes.repeat(ALL[0], 10**30), ValueError, "count = 10+ is more than any memory holds"),
    (lambda: cm.Shapes.repeat(ALL[0], 2.5), TypeError, r"count.* = 2.5 must be a whole number"),
    (lambda: cm.Shapes.repeat(ALL[0], True), TypeError, r"count.* = True must be a whole number"),
    (lambda: cm.Shapes.repeat([ALL[0]], 2), TypeError, "must be a shape, not list"),
    (lambda: cm.Shapes(cm.Point((0, 0))), TypeError, "must be shapes, not Point"),
    (lambda: cm.Shapes("ab"), TypeError, "values = 'ab' must be shapes, not str"),
    (lambda: cm.Shapes.concatenate([ALL, ALL[0]]), TypeError, r"sets\[1\] = .* must be Shapes, not Point"),
    (lambda: cm.Shapes.concatenate(7), TypeError, "sets = 7 must be sets of shapes, not int"),
    (
        lambda: cm.Shapes.circles(np.zeros((2, 2), dtype=bool), 1.0),
        TypeError,
        r"center\[0\]\[0\] = False must be a number",
    ),
    (
        lambda: cm.Shapes.circles(np.zeros((2, 2)), [True, False]),
        TypeError,
        r"radius\[0\] = True must be a number, not bool",
    ),
    (lambda: cm.Shapes.circles(np.zeros((2, 2)), "1"), TypeError, "radius = '1' must be a number"),
    (lambda: cm.Shapes.circles([(0, 0), None], 1.0), (TypeError, ValueError), "Shapes.circles: center"),
    (lambda: cm.Shapes.circles(np.array([(0, None)]), 1.0), TypeError, r"center\[0\]\[1\] = None must be a number"),
    (lambda: cm.Shapes.circles(np.array(3.0), 1.0), ValueError, r"center has shape \(\)"),
    (lambda: cm.Shapes.circles(None, 1.0), TypeError, "center = None must be an array"),
    (lambda: cm.Shapes.circles([(0, 0)], None), TypeError, "radius = None must be a number"),
    (lambda: cm.Shapes.capsules([(0, 0)], [(1, 1)], None), TypeError, "radius = None must be a number"),
    (lambda: cm.Shapes.circles([(0, 0)], [[1.0]]), ValueError, r"radius has shape \(1, 1\)"),
    (lambda: cm.Shapes.circles([(0, 0)], [[1.0], [1.0, 2.0]]), TypeError, r"radius\[0\] = \[1.0\] must be a number"),
    (lambda: cm.Shapes.circles([(0, 0, 0)], 1.0), ValueError, r"center has shape \(1, 3\)"),
    (lambda: cm.Shapes.circles([(0, 1j)], 1.0), TypeError, r"center\[0\]\[1\] = 1j must be a number"),
    (lambda: cm.Shapes.circles([(0, 1e200)], 1.0), ValueError, r"center\[0\]\[1\] = 1e\+200 must be at most"),
    (lambda: cm.Shapes.circles([(0, 10**400)], 1.0), (TypeError, ValueError), "Shapes.circles: center"),
    (lambda: cm.Shapes.boxes([(0, 0)], [1.0]), ValueError, r"size has shape \(1,\)"),
    (lambda: cm.Shapes.boxes([(0, 0)], [(1, 1), (1, 1)]), ValueError, "size has 2 rows; 1 were expected"),
    (lambda: cm.Shapes.boxes([(0, 0)], [(1, 1)], [1, 2]), ValueError, r"angle has shape \(2,\); it must be \(1,\)"),
    (lambda: cm.Shapes.boxes([(0, 0)], [(1, 1)], radius=1e-200), ValueError, r"radius\[0\] = 1e-200 must be at least"),
    (lambda: cm.Shapes.boxes([(0, 0)], [(1, 1e-40)], 0.3), ValueError, r"size\[0\] = .*too thin to turn"),
    (lambda: cm.Shapes.polygons([(0, 0), (1, 0), (0, 1)]), ValueError, r"vertices\[0\] has shape \(2,\)"),
    (lambda: cm.Shapes.polygons(np.zeros((3, 2))), ValueError, r"shape \(3, 2\).*for one polygon give \[vertices\]"),
    (lambda: cm.Shapes.polygons(np.array(1.0)), ValueError, r"vertices has shape \(\)"),
    (lambda: cm.Shapes.polygons(np.zeros((2, 0, 2))), ValueError, r"vertices\[0\]: .*three distinct points"),
    (lambda: cm.Shapes.polygons([[], []]), ValueError, r"vertices\[0\]: .*three distinct points"),
    (lambda: cm.Shapes.polygons(3), TypeError, "vertices = 3 must be outlines"),
    (lambda: cm.Shapes.polygons("abc"), TypeError, "vertices = 'abc' must be outlines"),
    (lambda: cm.Shapes.polygons(OUTLINES, radius=-1), ValueError, r"radius\[0\] = -1.0 must not be negative"),
    (lambda: cm.Shapes.polyline([(0, 0)]), ValueError, "points has only one point"),
    (lambda: cm.Shapes.polyline([]), ValueError, "points has no points"),
    (lambda: cm.Shapes.polyline([(0, 0), (1, math.nan)]), ValueError, r"points\[1\]\[1\] = nan must be finite"),
    (lambda: cm.Shapes.polyline([(0, 0), (0, 0), (1e-200, 0)]), ValueError, r"points\[2\] = .* from points\[1\]"),
    (lambda: cm.Shapes.polyline([(0, 0), (1, 1)], closed=1), TypeError, "closed = 1 must be True or False"),
    (lambda: cm.Shapes.polylines([[(0, 0), (1, 1)], [(2, 2)]]), ValueError, r"lines\[1\] has only one point"),
    (lambda: cm.Shapes.polylines(5), TypeError, "lines = 5 must be lines, not int"),
    (lambda: ALL.translated((1, 2, 3)), ValueError, r"vector has shape \(3,\)"),
    (lambda: ALL.translated((1, math.inf)), ValueError, r"vector\[1\] = inf must be finite"),
    (lambda: ALL.translated("ab"), TypeError, "Shapes.translated: vector"),
    (lambda: ALL[:2].translated([(0, 0), (1e150, 0)]).translated((1e150, 0)), ValueError, r"vector\[1\] = .*beyond"),
    (lambda: ALL.rotated(math.nan), ValueError, r"angle\[0\] = nan must be finite"),
    (lambda: ALL.rotated([1, 2]), ValueError, r"angle has shape \(2,\)"),
    (lambda: ALL.rotated(1.0, [(1, 2), (3, 4)]), ValueError, "pivot has 2 rows"),
    (lambda: ALL.placed([(1, 2), (3, 4)]), ValueError, "position has 2 rows"),
    (lambda: ALL.placed((1, 2), "a"), TypeError, "angle = 'a' must be a number"),
    (lambda: ALL.placed(3.0), ValueError, r"position has shape \(\)"),
    (
        lambda: cm.Shapes.boxes([(0, 0)] * 2, [(1, 1)] * 2).placed([(0, 0), (1e30, 0)]),
        ValueError,
        r"row 1 at position\[1\] = \(1e\+30, 0.0\).*lost to rounding",
    ),
    (lambda: ALL.translated([(1, 2), (3, 4)]), ValueError, "vector has 2 rows"),
]


@pytest.mark.parametrize(("make", "error", "message"), BAD, ids=range(len(BAD)))
def test_bad_input_is_refused_by_row(make: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


def test_the_repr_of_a_set_stays_short_for_long_outlines() -> None:
    assert len(repr(cm.Shapes([cm.Polygon([(k, k * k) for k in range(200)])] * 9))) < 300
