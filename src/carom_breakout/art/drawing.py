"""How the table and the things on it look, drawn by code at the output's own resolution.

In: a scale (output pixels per unit of the world) and plain facts (a brick's code and size, a paddle's width). Out:
pygame surfaces, each made once and kept. The picture is the table: the field of 800 x 600 units with rails left, right
and above; below it is open. Nothing here knows the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

import numpy as np
import pygame

from carom_breakout import state
from carom_breakout.art import ink, palette, view
from carom_breakout.art.snapshot import RING
from carom_breakout.art.strokes import read_strokes
from carom_breakout.power_up_table import POWER_UPS

SOFT_SCALE = 0.5
GRAIN = 256


Place = ParamSpec("Place")
Draw = Callable[Concatenate["Art", Place], pygame.Surface]


def kept(draw: Draw[Place]) -> Draw[Place]:
    """Have a thing drawn when it is first asked for, and kept."""

    @wraps(draw)
    def draw_once(self: Art, /, *key: Place.args, **more: Place.kwargs) -> pygame.Surface:
        name = (draw.__name__, key, *more.items())
        if name not in self.things:
            self.things[name] = draw(self, *key, **more)
        return self.things[name]

    return draw_once


class Art:
    """Every drawn thing at one scale; each is made when first asked for and kept.

    Parameters
    ----------
    scale : output pixels per unit of the world.
    """

    def __init__(self, scale: float) -> None:
        self.scale = scale
        self.things: dict[tuple[object, ...], pygame.Surface] = {}

    @kept
    def table(self) -> pygame.Surface:
        """The empty table: felt, rails, sights.

        The soft parts are made small and stretched; lines and sights are drawn at full size; grain hides the bands.
        """
        size = (round(view.PICTURE_WIDTH * self.scale), round(view.PICTURE_HEIGHT * self.scale))
        small = SOFT_SCALE
        width, height = round(view.PICTURE_WIDTH * small), round(view.PICTURE_HEIGHT * small)
        x, y = ink.grid(width, height)
        inside = np.minimum(
            np.minimum(x - view.FIELD_LEFT * small, (view.FIELD_LEFT + view.FIELD_WIDTH) * small - x),
            y - view.FIELD_TOP * small,
        )
        lamp = np.clip(1 - np.sqrt(((x / width - 0.5) / 0.72) ** 2 + ((y / height - 0.42) / 0.78) ** 2), 0, 1)
        felt = ink.ramp(palette.FELT_DARK, palette.FELT_LIGHT, lamp**0.9)
        rail_shadow = 1 - 0.45 * np.exp(-np.maximum(inside, 0) / (9 * small))
        pocket = 1 - 0.55 * np.clip((y - (height - 46 * small)) / (46 * small), 0, 1) ** 1.5
        felt *= (rail_shadow * pocket)[..., np.newaxis]
        rail = ink.ramp(palette.RAIL_LIGHT, palette.RAIL_DARK, np.broadcast_to(y / height, (height, width)))
        rail *= (0.86 + 0.3 * np.exp(-np.maximum(-inside, 0) / (2.5 * small)))[..., np.newaxis]
        table = pygame.transform.smoothscale(ink.opaque(rail), size)
        field = view.View(0, 0, self.scale).field
        table.blit(pygame.transform.smoothscale(ink.opaque(felt), size), field, field)
        thick = max(1, round(1.7 * self.scale))
        for line in (
            (field.left - thick, field.top - thick, thick, size[1]),
            (field.right, field.top - thick, thick, size[1]),
            (field.left, field.top - thick, field.width, thick),
        ):
            table.fill(ink.mix(palette.RAIL_LIGHT, palette.BRASS, 0.72), line)
        reach = round(6 * self.scale)
        x, y = ink.grid(2 * reach, 2 * reach)
        diamond = np.abs(x - reach) + np.abs(y - reach) - 3.2 * self.scale
        sight = ink.surface(palette.BRASS, ink.cover(diamond / 1.4) * 0.55)
        places = [(view.FIELD_LEFT + view.FIELD_WIDTH * i / 8, view.FIELD_TOP - 11) for i in range(1, 8)]
        places += [
            (px, view.FIELD_TOP + view.FIELD_HEIGHT * i / 6)
            for i in range(1, 6)
            for px in (view.FIELD_LEFT - 11, 851.0)
        ]
        for px, py in places:
            table.blit(sight, (round(px * self.scale) - reach, round(py * self.scale) - reach))
        grain = ink.opaque(np.random.default_rng(7).integers(0, 3, (GRAIN, GRAIN, 1)) * np.ones(3))
        for left in range(0, size[0], GRAIN):
            for top in range(0, size[1], GRAIN):
                table.blit(grain, (left, top), special_flags=pygame.BLEND_RGB_ADD)
        return table

    @kept
    def brick(self, code: int, width: int, height: int) -> pygame.Surface:
        """A brick of so many pixels; a code of 1 is stone, which does not break."""
        size = (width, height)
        color = palette.brick_color(code)
        colors, alpha = _bevelled(size, color, 3.2 * self.scale, max(1.6 * self.scale, 1.3))
        x, y = ink.grid(width, height)
        if code == state.SOLID:
            inset = 5.2 * self.scale
            away = ink.box_distance(size, (inset, inset, width - inset, height - inset), 1.6 * self.scale)
            groove = ink.cover(np.abs(away) - 0.8 * self.scale)
            shine = ink.cover(np.abs(away + 1.3 * self.scale) - 0.5 * self.scale)
            colors *= (1 - 0.42 * groove)[..., np.newaxis]
            colors += (255 - colors) * (0.12 * shine)[..., np.newaxis]
            stone = np.clip(-away / self.scale, 0, 1) * (0.055 * np.sign(np.sin((x + y) * (1.05 / self.scale))))
            colors *= (1 - 0.1 * np.clip(-away, 0, 1) + stone)[..., np.newaxis]
        else:
            sheen = np.clip(1 - np.abs((x + y * 0.6) / width - 0.3) / 0.22, 0, 1)
            colors += (255 - colors) * (0.05 * sheen)[..., np.newaxis]
        return ink.surface(colors, alpha)

    @kept
    def shadow(self, width: int, height: int, radius: float, strength: float) -> pygame.Surface:
        """The soft shadow of a box; it is `shadow_margin` pixels larger on every side."""
        margin = self.shadow_margin
        size = (width + 2 * margin, height + 2 * margin)
        away = ink.box_distance(size, (margin, margin, width + margin, height + margin), radius)
        return ink.surface((0, 6, 10), ink.glow(away + margin * 0.35, margin * 1.3) * strength)

    @property
    def shadow_margin(self) -> int:
        """How far a shadow reaches, in pixels."""
        return max(2, round(7 * self.scale))

    def cast_shadow(
        self, target: pygame.Surface, box: pygame.Rect, radius: float, strength: float, drop: float, alpha: int = 255
    ) -> None:
        """Lay the shadow of a box on the target, `drop` units below the box."""
        shadow, margin = self.shadow(box.width, box.height, radius, strength), self.shadow_margin
        shadow.set_alpha(alpha)
        target.blit(shadow, (box.left - margin, box.top - margin + round(drop * self.scale)))

    @kept
    def paddle(self, width: int, height: int, sticky: bool) -> pygame.Surface:
        """The paddle of so many pixels; sticky tints it."""
        color = palette.PADDLE_STICKY if sticky else palette.IVORY
        size = (width, height)
        colors, alpha = _bevelled(size, color, 4.5 * self.scale, 3.0 * self.scale)
        x, _ = ink.grid(width, height)
        cap = 13 * self.scale
        ends = ink.cover(np.abs(x - width / 2) * -1 + width / 2 - cap)
        brass, _ = _bevelled(size, palette.BRASS, 4.5 * self.scale, 3.0 * self.scale)
        colors += (brass - colors) * ends[..., np.newaxis]
        seam = ink.cover(np.abs(np.abs(x - width / 2) - (width / 2 - cap)) - 0.7 * self.scale)
        colors *= (1 - 0.4 * seam)[..., np.newaxis]
        return ink.surface(colors, alpha)

    @kept
    def ball(self, radius: float, through: bool, shift: tuple[int, int] = (0, 0)) -> pygame.Surface:
        """The ball of a radius in units of the world; `shift` moves it by quarters of a pixel."""
        color = palette.BALL_THROUGH if through else palette.IVORY
        radius *= self.scale
        reach = int(radius) + 2
        size = (2 * reach, 2 * reach)
        center = (reach + shift[0] / 4, reach + shift[1] / 4)
        x, y = ink.grid(*size)
        distance = ink.disc_distance(size, center, radius)
        toward = np.sqrt((x - center[0] + radius * 0.35) ** 2 + (y - center[1] + radius * 0.42) ** 2) / radius
        lit, unlit = ink.mix(color, (255, 255, 255), 0.35), ink.mix(color, (20, 30, 50), 0.42)
        colors = ink.ramp(lit, unlit, np.clip(toward / 1.5, 0, 1) ** 1.6)
        spot = np.clip(1 - toward / 0.42, 0, 1) ** 1.5
        colors += (255 - colors) * (0.85 * spot)[..., np.newaxis]
        return ink.surface(colors, ink.cover(distance))

    @kept
    def item(self, kind: int, width: int, height: int) -> pygame.Surface:
        """A falling power-up of so many pixels."""
        power_up = POWER_UPS[kind]
        size = (width, height)
        colors, alpha = _bevelled(size, power_up.color, height * 0.5, height * 0.16)
        half = max(height * 0.055, 0.75)
        dark = _sign(size, power_up.sign, (width / 2, height / 2), height * 0.32, half)
        colors += (np.array(ink.mix(power_up.color, palette.INK, 0.86)) - colors) * dark[..., np.newaxis]
        return ink.surface(colors, alpha)

    @kept
    def badge(self, kind: int, radius: int, parts: int) -> pygame.Surface:
        """A round sign of a running effect; so many of the RING parts of its ring are left, all without a clock."""
        power_up, share = POWER_UPS[kind], parts / RING
        size = (2 * radius + 2, 2 * radius + 2)
        center = (radius + 1.0, radius + 1.0)
        x, y = ink.grid(*size)
        ring = ink.cover(np.abs(ink.disc_distance(size, center, radius * 0.9)) - radius * 0.075)
        clockwise = np.arctan2(x - center[0], center[1] - y) / (2 * np.pi) % 1.0
        left = np.where(clockwise <= share, 1.0, 0.22) if share < 1 else np.ones((size[1], size[0]))
        face = ink.cover(ink.disc_distance(size, center, radius * 0.76))
        sign = _sign(size, power_up.sign, center, radius * 0.42, max(radius * 0.062, 0.7))
        colors = np.full((size[1], size[0], 3), power_up.color, np.float64)
        colors *= (1 - 0.78 * face * (1 - sign))[..., np.newaxis]
        return ink.surface(colors, np.maximum(ring * left, face * 0.94))

    @kept
    def halo(self, color: ink.Color, radius: int, strength: int) -> pygame.Surface:
        """A round light to be added, its strength from 0 to 16."""
        away = ink.disc_distance((2 * radius, 2 * radius), (radius, radius), 0.0)
        return ink.light(color, ink.glow(away, radius) ** 2 * (strength / 16))

    @kept
    def spark(self, color: ink.Color, size: int, strength: int) -> pygame.Surface:
        """A small bright square with soft edges to be added: one particle; strength from 0 to 16."""
        away = ink.box_distance((size + 2, size + 2), (1, 1, size + 1, size + 1), size * 0.35)
        return ink.light(color, ink.cover(away) * (strength / 16))

    @kept
    def veil(self, size: tuple[int, int], alpha: int) -> pygame.Surface:
        """A dark sheet that puts the table behind a message."""
        sheet = pygame.Surface(size, 0, 32)
        sheet.fill(palette.INK)
        sheet.set_alpha(alpha)
        return sheet

    @kept
    def panel(self, width: int, height: int) -> pygame.Surface:
        """A card for messages, with a fine brass edge and a shadow of its own."""
        margin = round(26 * self.scale)
        size = (width + 2 * margin, height + 2 * margin)
        away = ink.box_distance(size, (margin, margin, width + margin, height + margin), 12 * self.scale)
        _, y = ink.grid(*size)
        share = np.broadcast_to(np.clip((y - margin) / height, 0, 1), away.shape)
        colors = ink.ramp((24, 44, 50), (14, 28, 34), share)
        face = ink.cover(away)
        colors *= face[..., np.newaxis]
        line = ink.cover(np.abs(away + 1.0 * self.scale) - 0.6 * self.scale)
        colors += (np.array(palette.BRASS) - colors) * (line * 0.6)[..., np.newaxis]
        return ink.surface(colors, np.maximum(face * 0.97, ink.glow(away, margin) * 0.5))

    @kept
    def keycap(self, width: int, height: int) -> pygame.Surface:
        """An empty key of a keyboard."""
        size = (width, height)
        base = ink.cover(ink.box_distance(size, (0, 0, width, height), 4 * self.scale))
        top = ink.box_distance(size, (0, 0, width, height - 2.2 * self.scale), 4 * self.scale)
        face = ink.cover(top)
        colors = np.full((height, width, 3), (20, 36, 42), np.float64)
        colors += (np.array((47, 71, 77)) - colors) * face[..., np.newaxis]
        line = ink.cover(np.abs(top + 0.5 * self.scale) - 0.5 * self.scale)
        colors += (np.array((96, 124, 128)) - colors) * (line * 0.7)[..., np.newaxis]
        return ink.surface(colors, base)


def icon() -> pygame.Surface:
    """The sign of the game: a ball below two bricks, on felt."""
    art = Art(1.0)
    picture = ink.surface(palette.FELT_LIGHT, ink.cover(ink.box_distance((64, 64), (0, 0, 64, 64), 12)))
    picture.blit(art.brick(state.ORANGE, 25, 15), (6, 10))
    picture.blit(art.brick(state.BLUE, 25, 15), (33, 10))
    ink.put_middle(picture, art.ball(12.0, False), 32, 44)
    return picture


def _bevelled(size: tuple[int, int], color: ink.Color, radius: float, depth: float) -> tuple[ink.Mask, ink.Mask]:
    """Colours and opacity of a softly raised tile that is lit from above."""
    width, height = size
    _, y = ink.grid(width, height)
    distance = ink.box_distance(size, (0, 0, width, height), radius)
    share = np.broadcast_to(y / height, (height, width))
    colors = ink.ramp(ink.mix(color, (255, 255, 255), 0.13), ink.mix(color, (10, 20, 40), 0.16), share)
    rim = np.clip(1 + distance / depth, 0, 1)
    upper = rim * np.clip(1 - y / (height * 0.5), 0, 1)
    lower = rim * np.clip((y - height * 0.5) / (height * 0.5), 0, 1)
    colors += (255 - colors) * (upper * 0.42)[..., np.newaxis]
    colors *= (1 - lower * 0.34)[..., np.newaxis]
    return colors, ink.cover(distance)


def _sign(size: tuple[int, int], sign: str, center: tuple[float, float], reach: float, half: float) -> ink.Mask:
    paths = [[(center[0] + x * reach, center[1] + y * reach) for x, y in path] for path in read_strokes(sign)]
    return ink.cover(ink.stroke_distance(size, paths, half + 1) - half)
