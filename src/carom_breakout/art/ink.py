"""How a shape becomes pixels: signed distances on a pixel grid, and masks and surfaces made from them.

In: sizes in output pixels, colours as (red, green, blue) from 0 to 255. Out: NumPy coverage masks (rows, columns) from
0 to 1, and pygame surfaces. Every edge comes from a distance, so it is smooth at any size; the same distance gives
bevels, soft shadows and glows. Pixel (column, row) has its centre at (column + 0.5, row + 0.5), y downwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pygame

Mask = npt.NDArray[np.float64]
Color = tuple[int, int, int]
Path = Sequence[tuple[float, float]]


def mix(first: Color, second: Color, share: float) -> Color:
    """Blend two colours; share 0 gives the first, 1 the second."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return (red, green, blue)


def web_color(color: Color) -> str:
    """Return a colour as `draw.picture` has it, such as "#ff8000"."""
    return f"#{bytes(color).hex()}"


def grid(width: int, height: int) -> tuple[Mask, Mask]:
    """Return the x row (1, width) and the y column (height, 1) of all pixel centres."""
    x, y = np.arange(0.5, width, dtype=np.float64), np.arange(0.5, height, dtype=np.float64)
    return x[np.newaxis, :], y[:, np.newaxis]


def box_distance(size: tuple[int, int], box: tuple[float, float, float, float], radius: float) -> Mask:
    """Signed distance of every pixel of a `size` picture to the box (left, top, right, bottom) with round corners."""
    x, y = grid(*size)
    left, top, right, bottom = box
    across = np.abs(x - (left + right) / 2) - ((right - left) / 2 - radius)
    along = np.abs(y - (top + bottom) / 2) - ((bottom - top) / 2 - radius)
    outside: Mask = np.sqrt(np.maximum(across, 0) ** 2 + np.maximum(along, 0) ** 2)
    return outside + np.minimum(np.maximum(across, along), 0) - radius


def disc_distance(size: tuple[int, int], center: tuple[float, float], radius: float) -> Mask:
    """Signed distance of every pixel of a `size` picture to a disc."""
    x, y = grid(*size)
    distance: Mask = np.sqrt((x - center[0]) ** 2 + (y - center[1]) ** 2) - radius
    return distance


def stroke_distance(size: tuple[int, int], paths: Sequence[Path], reach: float) -> Mask:
    """Distance of every pixel to the nearest of several polylines, exact up to `reach` pixels and `reach` beyond."""
    width, height = size
    field = np.full((height, width), reach)
    for path in paths:
        ends = path[1:] if len(path) > 1 else path
        for (ax, ay), (bx, by) in zip(path, ends, strict=False):
            left, right = max(int(min(ax, bx) - reach), 0), min(int(max(ax, bx) + reach) + 2, width)
            top, bottom = max(int(min(ay, by) - reach), 0), min(int(max(ay, by) + reach) + 2, height)
            if left >= right or top >= bottom:
                continue
            x = np.arange(left, right)[np.newaxis, :] + (0.5 - ax)
            y = np.arange(top, bottom)[:, np.newaxis] + (0.5 - ay)
            dx, dy = bx - ax, by - ay
            square = dx * dx + dy * dy
            if square > 0:
                along = np.clip((x * dx + y * dy) / square, 0, 1)
                x, y = x - along * dx, y - along * dy
            part = field[top:bottom, left:right]
            np.minimum(part, np.sqrt(x * x + y * y), out=part)
    return field


def cover(distance: Mask) -> Mask:
    """Turn a signed distance into the covered share of each pixel."""
    return np.clip(0.5 - distance, 0, 1)


def glow(distance: Mask, reach: float) -> Mask:
    """Light that is 1 inside and fades smoothly to 0 at `reach` pixels outside."""
    away: Mask = np.clip(1 - np.maximum(distance, 0) / reach, 0, 1)
    return away * away * (3 - 2 * away)


def ramp(first: Color, second: Color, share: Mask) -> Mask:
    """Colours (rows, columns, 3) that go from the first to the second with share from 0 to 1."""
    start, end = np.array(first, dtype=np.float64), np.array(second, dtype=np.float64)
    return start + (end - start) * share[..., np.newaxis]


def surface(color: Color | Mask, alpha: Mask) -> pygame.Surface:
    """Make a surface with transparency from a colour, or one for each pixel, and the opacity (rows, columns)."""
    height, width = alpha.shape
    picture = pygame.Surface((width, height), pygame.SRCALPHA, 32)
    pixels: Any = pygame.surfarray.pixels3d(picture)
    pixels[...] = color if isinstance(color, tuple) else to_bytes(color).swapaxes(0, 1)
    del pixels
    opacity: Any = pygame.surfarray.pixels_alpha(picture)
    opacity[...] = to_bytes(alpha * 255).T
    del opacity
    return picture


def opaque(colors: Mask) -> pygame.Surface:
    """Make a surface without transparency from colours (rows, columns, 3)."""
    height, width = colors.shape[:2]
    picture = pygame.Surface((width, height), 0, 32)
    pygame.surfarray.blit_array(picture, to_bytes(colors).swapaxes(0, 1))
    return picture


def light(color: Color, strength: Mask) -> pygame.Surface:
    """Make a surface to be added (BLEND_RGB_ADD): the colour times the strength (rows, columns)."""
    return opaque(np.array(color) * strength[..., np.newaxis])


def put_middle(target: pygame.Surface, picture: pygame.Surface, x: float, y: float, flags: int = 0) -> None:
    """Draw a picture with its middle at a place of the target."""
    target.blit(picture, (round(x) - picture.get_width() // 2, round(y) - picture.get_height() // 2), None, flags)


def to_bytes(values: Mask) -> npt.NDArray[np.uint8]:
    """Round to whole numbers from 0 to 255."""
    return np.clip(values + 0.5, 0, 255).astype(np.uint8)
