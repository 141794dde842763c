"""A disc swept against an axis-aligned box, in closed form: the primitive of things that move.

In: the disc's centre, its motion relative to the box, the box's corners, the disc's radius (the box's own rounding may
be added to it), and the slop, all in one frame and unit. Out: the fraction of the motion at which they meet, infinite
where they do not, and the unit normal out of the box towards the disc.

The disc against the box is its centre against the box grown by the radius: clip the path against the grown box, then
try the arc of the corner it overshot. Distance comes first, so that leaving and sliding are never blocked: separation
along a straight path is convex, so a pair in touch that does not close along its normal cannot meet.
"""

from __future__ import annotations

import math

from carom._core.arithmetic import cross
from carom._core.jit import inner
from carom.tolerances import SMALLEST_ROOT

Sweep = tuple[float, float, float]


@inner
def ray_disc(px: float, py: float, mx: float, my: float, cx: float, cy: float, radius: float) -> Sweep:
    """Return (fraction, normal x, normal y) where p + fraction * m enters the disc around c from outside."""
    length = math.sqrt(mx * mx + my * my)
    if length == 0.0:
        return math.inf, 0.0, 0.0
    x, y = cx - px, cy - py
    along = (x * mx + y * my) / length
    # The textbook's b^2 - a c cancels; the offset from the line by an accurate cross product does not.
    aside = cross(mx, my, x, y) / length
    under, over = radius - aside, radius + aside
    if under < 0.0 or over < 0.0 or along <= 0.0:
        return math.inf, 0.0, 0.0
    root = math.sqrt(under * over)
    if root < SMALLEST_ROOT:  # the product of such small numbers has lost digits
        root = math.sqrt(under) * math.sqrt(over)
    # The normal is turned from the motion by the two legs of the right triangle (aside, root): no cancellation either.
    ux, uy = mx / length, my / length
    nx, ny = aside * uy - root * ux, -aside * ux - root * uy
    norm = math.sqrt(nx * nx + ny * ny)
    if norm == 0.0:
        return max(along / length, 0.0), -ux, -uy
    return max((along - root) / length, 0.0), nx / norm, ny / norm


@inner
def ray_box(
    px: float, py: float, mx: float, my: float, lx: float, ly: float, ux: float, uy: float, radius: float
) -> Sweep:
    """Return (fraction, normal x, normal y) where p + fraction * m enters the box grown by the radius.

    The start lies outside the grown box; it may lie in one of the corners that the arcs leave out.
    """
    enter, leave = 0.0, 1.0
    nx, ny = 0.0, 0.0
    for axis in range(2):
        p, m, low, high = (px, mx, lx, ux) if axis == 0 else (py, my, ly, uy)
        if m == 0.0:
            if p < low - radius or p > high + radius:
                return math.inf, 0.0, 0.0
            continue
        near = ((low - p) - radius) / m if m > 0.0 else ((high - p) + radius) / m
        far = ((high - p) + radius) / m if m > 0.0 else ((low - p) - radius) / m
        if near > enter:
            enter = near
            nx, ny = 0.0, 0.0
            if axis == 0:
                nx = -1.0 if m > 0.0 else 1.0
            else:
                ny = -1.0 if m > 0.0 else 1.0
        leave = min(leave, far)
    if enter > leave:
        return math.inf, 0.0, 0.0
    x, y = px + enter * mx, py + enter * my
    # Beyond the end of the face that was entered (or, from a start in a left-out corner, beyond both): the arc decides.
    cx, cy = min(max(x, lx), ux), min(max(y, ly), uy)
    if (cx != x and cy != y) or (nx == 0.0 and ny == 0.0):
        cx = lx if 2.0 * x < lx + ux else ux
        cy = ly if 2.0 * y < ly + uy else uy
        fraction, nx, ny = ray_disc(px, py, mx, my, cx, cy, radius)
        return (fraction, nx, ny) if fraction <= 1.0 else (math.inf, 0.0, 0.0)
    return enter, nx, ny


@inner
def distance_disc_box(
    px: float, py: float, lx: float, ly: float, ux: float, uy: float, radius: float
) -> tuple[float, float, float]:
    """Return how far a disc is from an axis-aligned box, for compiled code of your own marked with `kernel`.

    Parameters
    ----------
    px, py : float
        The disc's centre.
    lx, ly, ux, uy : float
        The box's lower and upper corner.
    radius : float
        The disc's radius.

    Returns
    -------
    tuple of float
        Separation, negative in overlap, and the unit normal x and y, which points to the disc. The separation is
        rounded; `separation` decides its sign exactly.

    Examples
    --------
    >>> cm.distance_disc_box(5.0, 0.5, 0.0, 0.0, 1.0, 1.0, 0.5)
    (3.5, 1.0, 0.0)
    """
    dx, dy = px - min(max(px, lx), ux), py - min(max(py, ly), uy)
    if dx != 0.0 and dy != 0.0:
        distance = math.sqrt(dx * dx + dy * dy)
        return distance - radius, dx / distance, dy / distance
    if dx != 0.0:
        return abs(dx) - radius, (1.0 if dx > 0.0 else -1.0), 0.0
    if dy != 0.0:
        return abs(dy) - radius, 0.0, (1.0 if dy > 0.0 else -1.0)
    best, nx, ny = lx - px, -1.0, 0.0
    if px - ux > best:
        best, nx = px - ux, 1.0
    if ly - py > best:
        best, nx, ny = ly - py, 0.0, -1.0
    if py - uy > best:
        best, nx, ny = py - uy, 0.0, 1.0
    return best - radius, nx, ny


@inner
def sweep_disc_box(
    px: float, py: float, mx: float, my: float, lx: float, ly: float, ux: float, uy: float, radius: float, slop: float
) -> Sweep:
    """Return when a moving disc meets an axis-aligned box, for compiled code of your own marked with `kernel`.

    Only what goes deeper than the slop is a hit, so flush boxes are one smooth surface. A start deeper than the slop is
    a hit at fraction 0 with the normal of the least way out, if the motion closes along it.

    Parameters
    ----------
    px, py : float
        The disc's centre at the start.
    mx, my : float
        Its motion relative to the box.
    lx, ly, ux, uy : float
        The box's lower and upper corner.
    radius : float
        The disc's radius.
    slop : float
        Overlap up to which the two merely touch.

    Returns
    -------
    tuple of float
        The fraction of the motion before the hit, infinite without one, and the unit normal x and y out of the box.

    Examples
    --------
    >>> cm.sweep_disc_box(5.0, 0.5, -10.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.5, 0.0)
    (0.35, 1.0, 0.0)
    """
    separation, nx, ny = distance_disc_box(px, py, lx, ly, ux, uy, radius)
    if separation <= slop:
        if mx * nx + my * ny >= 0.0:
            return math.inf, 0.0, 0.0
        if separation < -slop:
            return 0.0, nx, ny
    # Deeper than the slop means meeting the box grown by so much less, or, where nothing is left, its core.
    inset = max(radius - slop, 0.0)
    if separation > slop or separation > inset - radius:
        deep, _, _ = ray_box(px, py, mx, my, lx, ly, ux, uy, inset)
        if deep > 1.0:
            return math.inf, 0.0, 0.0
    if separation <= slop:
        return 0.0, nx, ny
    fraction, hit_x, hit_y = ray_box(px, py, mx, my, lx, ly, ux, uy, radius)
    return fraction, hit_x, hit_y
