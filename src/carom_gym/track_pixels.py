"""Pictures of CarRacing: field, road, kerbs, car and instruments, seen from above by a camera that turns with the car.

In: tables of cars, their roads and colors. Out: (height, width, 3) bytes for each car, rows from the top. A polygon
shades each pixel by the exact area that it covers of it (`areas`), so that neighbouring tiles meet without a seam.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from carom import inner, uncounted_kernel
from carom_gym.areas import Pictures, add_box, add_polygon, lay_down, lay_first
from carom_gym.arrays import Booleans, Floats
from carom_gym.track import FIELD, HALF, KERB

WIDE, HIGH, AHEAD, BAR = 1000.0, 800.0, 0.25, 0.125
"""The size of the original's window; how far up the car stands in it, and how high the instruments are, as shares."""
PATCH, PATCHES = FIELD / 20.0, 20
"""Every other square of the field is grass of another shade, so many along a side."""
SHADES, SHADE_STEP = 3, 2.55
"""Tiles that no wheel has touched are shaded in turn."""
LINE_OUT, LINE_IN, PAINT = 0.02, 0.04, 225.0
"""Where the lines at the edges are, as shares of the width of the road, and how light."""

SIZE = 0.02
PARTS: list[list[tuple[float, float]]] = [
    [(-60, 130), (60, 130), (60, 110), (-60, 110)],
    [(-15, 120), (15, 120), (20, 20), (-20, 20)],
    [(25, 20), (50, -10), (50, -40), (20, -90), (-20, -90), (-50, -40), (-50, -10), (-25, 20)],
    [(-50, -120), (50, -120), (50, -90), (-50, -90)],
]
"""The four parts of the hull, in units of SIZE about the position of the car."""
WHEEL_HALF, WHEEL_RADIUS = 14 * SIZE, 27 * SIZE
SPOKE = 1.2
"""The part of a turn of a wheel that is light, in radians."""
CAR_WIDE, CAR_LONG = 2.0, 3.2
"""All of the car lies within so many metres of its position."""

CAR = np.dtype(
    [
        ("x", "f8"),  # the position
        ("y", "f8"),
        ("cos", "f8"),
        ("sin", "f8"),
        ("at_x", "f8"),  # where in the picture that is, in pixels
        ("at_y", "f8"),
        ("per_x", "f8"),  # pixels per metre across and along the car
        ("per_y", "f8"),
        ("sight", "f8"),  # how far from the car the picture goes, in metres
        ("wheels", "f8", (4, 4)),  # x, y, cosine, sine
        ("rims", "f8", (4, 2)),  # where the light part of each wheel begins and ends, in radii
        ("speed", "f8"),
        ("omegas", "f8", (4,)),
        ("steer", "f8"),
        ("spin", "f8"),
        ("score", "i8"),
        ("tiles", "i8"),  # how many the road has
    ],
    align=True,
)
Car = Any
Shades = NDArray[np.int8]
Cars = NDArray[np.void]


def no_cars(count: int) -> Cars:
    """Return a table of so many cars, all zeros, whose fields are attributes of a row."""
    return np.zeros(count, CAR).view(np.recarray).view(np.ndarray)


def outlines(parts: list[list[tuple[float, float]]]) -> Floats:
    """Return outlines in metres, (parts, 8, 2); the last corner is repeated."""
    return np.array([[*part, *[part[-1]] * (8 - len(part))] for part in parts], np.float64) * SIZE


HULL = outlines(PARTS)
DETAILS = outlines(
    [
        [(-60, 130), (-46, 130), (-46, 110), (-60, 110)],
        [(46, 130), (60, 130), (60, 110), (46, 110)],
        [(-4, 112), (4, 112), (5, 28), (-5, 28)],
        [(-50, -112), (50, -112), (50, -118), (-50, -118)],
        [(-15, 14), (15, 14), (22, -8), (22, -34), (12, -52), (-12, -52), (-22, -34), (-22, -8)],
        [(-6, -4), (6, -4), (14, -13), (14, -25), (6, -34), (-6, -34), (-14, -25), (-14, -13)],
    ]
)
"""What people see besides: ends of the wing, stripes, cockpit and helmet."""
DETAIL_COLORS = np.array(
    [(240, 240, 244), (240, 240, 244), (240, 240, 244), (240, 240, 244), (36, 42, 56), (250, 208, 62)], np.float64
)
DIGITS = np.array([119, 36, 93, 109, 46, 107, 123, 37, 127, 111])
"""Which of a digit's strokes are drawn, as bits: top, left, right, middle, left and right below, bottom."""
STROKES = np.array(
    [(0, 0, 17, 5), (0, 0, 5, 17), (12, 0, 17, 17), (0, 14, 17, 19), (0, 16, 5, 33), (12, 16, 17, 33), (0, 28, 17, 33)],
    np.float64,
)
DIGIT_X, DIGIT_Y, DIGIT_STEP = 16.0, 733.0, 24.0
"""Where the score stands in the original's window, and from digit to digit."""


@inner
def place(car: Car, points: Floats, k: int, x: float, y: float) -> None:
    """Write where a point of the field is in the picture, in pixels."""
    dx, dy = x - car.x, y - car.y
    points[k, 0] = car.at_x + (car.cos * dx + car.sin * dy) * car.per_x
    points[k, 1] = car.at_y - (car.cos * dy - car.sin * dx) * car.per_y


@inner
def place_part(car: Car, points: Floats, parts: Floats, part: int) -> None:
    """Write where the corners of a part of the hull are in the picture."""
    for k in range(8):
        points[k, 0] = car.at_x + parts[part, k, 0] * car.per_x
        points[k, 1] = car.at_y - parts[part, k, 1] * car.per_y


@inner
def add_field(car: Car, colors: Floats, g: int, sums: Floats, points: Floats, height: int, width: int) -> None:
    """Add the field and its squares of grass; a square adds the difference of the two shades."""
    for k in range(4):
        place(car, points, k, FIELD if k in (0, 1) else -FIELD, FIELD if k in (0, 3) else -FIELD)
    red, green, blue = colors[g, 1, 0], colors[g, 1, 1], colors[g, 1, 2]
    add_polygon(sums, height, width, points, 4, red, green, blue, 1.0)
    red, green, blue = colors[g, 2, 0] - red, colors[g, 2, 1] - green, colors[g, 2, 2] - blue
    far, step = car.sight + 1.5 * PATCH, 2.0 * PATCH
    for i in range(PATCHES):
        x = step * i - FIELD
        if abs(x - car.x) < far:
            for j in range(PATCHES):
                y = step * j - FIELD
                if abs(y - car.y) < far:
                    place(car, points, 0, x, y)
                    place(car, points, 1, x + PATCH, y)
                    place(car, points, 2, x + PATCH, y + PATCH)
                    place(car, points, 3, x, y + PATCH)
                    add_polygon(sums, height, width, points, 4, red, green, blue, 0.0)


@inner
def place_strip(
    car: Car, points: Floats, edges: Floats, g: int, i: int, j: int, side: int, low: float, high: float
) -> None:
    """Write where a strip along a tile is in the picture: between two shares of the way from one edge to the other."""
    for k in range(4):
        m, share = i if k in (0, 3) else j, low if k in (0, 1) else high
        x, y = edges[g, m, side], edges[g, m, side + 1]
        place(car, points, k, x + share * (edges[g, m, 2 - side] - x), y + share * (edges[g, m, 3 - side] - y))


@inner
def add_road(
    car: Car,
    edges: Floats,
    kerbs: Shades,
    visited: Booleans,
    colors: Floats,
    fine: int,
    g: int,
    sums: Floats,
    points: Floats,
    height: int,
    width: int,
) -> tuple[float, float, float, float]:
    """Add the tiles that may be seen, their kerbs, and for people lines along the edges; return the bounds of all."""
    over = KERB * max(car.per_x, car.per_y)
    far, low_x, low_y, high_x, high_y = car.sight + 12.0, float(width), float(height), 0.0, 0.0
    for i in range(car.tiles):
        dx, dy = 0.5 * (edges[g, i, 0] + edges[g, i, 2]) - car.x, 0.5 * (edges[g, i, 1] + edges[g, i, 3]) - car.y
        if dx * dx + dy * dy < far * far:
            j = i - 1 if i > 0 else car.tiles - 1
            shade = 0.0 if visited[g, i] else SHADE_STEP * (i % SHADES)
            red, green, blue = colors[g, 0, 0] + shade, colors[g, 0, 1] + shade, colors[g, 0, 2] + shade
            place_strip(car, points, edges, g, i, j, 0, 0.0, 1.0)
            add_polygon(sums, height, width, points, 4, red, green, blue, 1.0)
            for k in range(4):  # with room for a kerb
                low_x, high_x = min(low_x, points[k, 0] - over), max(high_x, points[k, 0] + over)
                low_y, high_y = min(low_y, points[k, 1] - over), max(high_y, points[k, 1] + over)
            if kerbs[g, i] != 0:
                pale = 255.0 if i % 2 == 0 else 0.0
                place_strip(car, points, edges, g, i, j, 2 if kerbs[g, i] > 0 else 0, -KERB / (2.0 * HALF), 0.0)
                add_polygon(sums, height, width, points, 4, 255.0, pale, pale, 1.0)
            for side in range(0, 4 if fine else 0, 2):  # what a line adds to the road
                place_strip(car, points, edges, g, i, j, side, LINE_OUT, LINE_IN)
                add_polygon(sums, height, width, points, 4, PAINT - red, PAINT - green, PAINT - blue, 0.0)
    return low_x, low_y, high_x, high_y


@inner
def draw_car(car: Car, fine: int, out: Pictures, g: int, sums: Floats, points: Floats, height: int, width: int) -> None:
    """Draw wheels, hull, and for people its details."""
    across, along = CAR_WIDE * car.per_x, CAR_LONG * car.per_y
    left, right = max(int(car.at_x - across), 0), min(int(car.at_x + across) + 2, width)
    top, bottom = max(int(car.at_y - along), 0), min(int(car.at_y + along) + 2, height)
    for layer in range(2):
        for w in range(4):
            x, y, cos, sin = car.wheels[w, 0], car.wheels[w, 1], car.wheels[w, 2], car.wheels[w, 3]
            back, front = -WHEEL_RADIUS, WHEEL_RADIUS
            if layer == 1:
                back, front = WHEEL_RADIUS * car.rims[w, 0], WHEEL_RADIUS * car.rims[w, 1]
            for k in range(4):
                px = WHEEL_HALF if k in (0, 3) else -WHEEL_HALF
                py = back if k in (0, 1) else front
                place(car, points, k, x + cos * px - sin * py, y + sin * px + cos * py)
            shade = 77.0 * layer
            add_polygon(sums, height, width, points, 4, shade, shade, shade, 1.0)
        lay_down(sums, out, g, top, bottom, left, right)
    for part in range(len(HULL)):
        place_part(car, points, HULL, part)
        add_polygon(sums, height, width, points, 8, 204.0, 0.0, 0.0, 1.0)
    lay_down(sums, out, g, top, bottom, left, right)
    if fine:
        for part in range(len(DETAILS)):
            place_part(car, points, DETAILS, part)
            red, green, blue = DETAIL_COLORS[part, 0], DETAIL_COLORS[part, 1], DETAIL_COLORS[part, 2]
            add_polygon(sums, height, width, points, 8, red, green, blue, 1.0)
            lay_down(sums, out, g, top, bottom, left, right)


@inner
def draw_gauge(
    sums: Floats, height: int, width: int, at: int, share: float, upright: int, red: float, green: float, blue: float
) -> None:
    """Add a bar that grows upwards from the place of its number, or sideways; places are a fortieth of the picture.

    As the original's, it is larger by a pixel of the original's window at the right and below.
    """
    per, down, more_x, more_y = width / 40.0, height / 40.0, width / WIDE, height / HIGH
    if upright:
        least, most = min(-share, 0.0), max(-share, 0.0)
        y0, y1 = max(39.0 + least, 35.0), min(39.0 + most, 40.0)
        add_box(sums, height, width, at * per, y0 * down, (at + 1) * per + more_x, y1 * down + more_y, red, green, blue)
    else:
        x0, x1 = min(at + share, float(at)), max(at + share, float(at))
        add_box(sums, height, width, x0 * per, 36.0 * down, x1 * per + more_x, 38.0 * down + more_y, red, green, blue)


@inner
def draw_score(sums: Floats, height: int, width: int, score: int) -> None:
    """Add the score: four digits, or a stroke and three."""
    rest, per, down = abs(score), width / WIDE, height / HIGH
    for k in range(4):
        bits = DIGITS[rest % 10]
        if k == 3 and score < 0:
            bits = 8
        for s in range(7):
            if (bits >> s) & 1:
                x, y = DIGIT_X + DIGIT_STEP * (3 - k), DIGIT_Y
                x0, y0, x1, y1 = STROKES[s, 0] + x, STROKES[s, 1] + y, STROKES[s, 2] + x, STROKES[s, 3] + y
                add_box(sums, height, width, x0 * per, y0 * down, x1 * per, y1 * down, 255.0, 255.0, 255.0)
        rest //= 10


@inner
def draw_bar(car: Car, out: Pictures, g: int, sums: Floats, first: int, height: int, width: int) -> None:
    """Draw the instruments: score, speed, the turning of each wheel, steering and spin."""
    for row in range(first, height):
        for column in range(width):
            for channel in range(3):
                out[g, row, column, channel] = 0
    draw_score(sums, height, width, car.score)
    draw_gauge(sums, height, width, 5, 0.02 * car.speed, 1, 255.0, 255.0, 255.0)
    for w in range(4):
        draw_gauge(sums, height, width, 7 + w, 0.01 * car.omegas[w], 1, 0.0 if w < 2 else 51.0, 0.0, 255.0)
    draw_gauge(sums, height, width, 20, -10.0 * car.steer, 0, 0.0, 255.0, 0.0)
    draw_gauge(sums, height, width, 30, -0.8 * car.spin, 0, 255.0, 0.0, 0.0)
    lay_down(sums, out, g, first, height, 0, width)


@uncounted_kernel
def draw_cars(
    cars: Cars,
    edges: Floats,
    kerbs: Shades,
    visited: Booleans,
    colors: Floats,
    sums: Floats,
    points: Floats,
    fine: int,
    out: Pictures,
) -> None:
    """Draw what each car sees.

    Parameters
    ----------
    cars : (n,) CAR
    edges : (n, tiles, 4)
        The left and the right end of each tile, x and y each.
    kerbs : (n, tiles) int8
        1 for a kerb at the right, -1 at the left, 0 for none.
    visited : (n, tiles)
        Tiles that a wheel has touched have no shade of their own.
    colors : (n, 3, 3)
        Of the road, the field and its squares of grass.
    sums : (height, width + 1, 4)
        Room; zeros before and after.
    points : (8, 2)
        Room.
    fine : int
        1 for pictures for people.
    out : (n, height, width, 3) uint8
        Overwritten.
    """
    height, width = out.shape[1], out.shape[2]
    above = height - int(height * BAR)
    for g in range(len(cars)):
        car = cars[g]
        add_field(car, colors, g, sums, points, above, width)
        lay_first(sums, out, g, above, width)
        low_x, low_y, high_x, high_y = add_road(car, edges, kerbs, visited, colors, fine, g, sums, points, above, width)
        left, right = max(int(low_x), 0), min(int(high_x) + 2, width)
        lay_down(sums, out, g, max(int(low_y), 0), min(int(high_y) + 2, above), left, right)
        draw_car(car, fine, out, g, sums, points, above, width)
        draw_bar(car, out, g, sums, above, height, width)
