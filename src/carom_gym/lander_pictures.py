"""Pictures of the lander: night sky, moon ground, pad with flags, hull, legs and flames.

In: the corners of the ground, poses and engines of one lander, a pygame surface and a camera. Out: the surface, drawn.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import carom as cm
from carom_gym.arrays import Floats

FINER = 2
"""Drawn so many times larger, then made smaller: smooth edges."""
UNIT = 1 / 30
"""The outlines below are in pixels of the original picture."""
TOP, HORIZON = (7, 9, 24), (38, 43, 84)
DUST, DUST_DEEP, RIM, PAD = (104, 106, 122), (58, 59, 74), (186, 189, 204), (255, 196, 84)
HULL_COLOR, SHADE, FOIL, LINE, GLASS = (226, 229, 238), (176, 181, 199), (214, 160, 62), (70, 74, 96), (92, 178, 236)
FLAG, POLE, LEG_COLOR, STRUT = (242, 104, 76), (220, 224, 236), (160, 165, 184), (128, 133, 154)
FLAMES = ((255, 122, 40), 1.0), ((255, 190, 70), 0.68), ((255, 244, 200), 0.36)
CABIN = [(-14, 17), (-17, 0), (17, 0), (14, 17)]
BASE = [(-17, 0), (-17, -10), (17, -10), (17, 0)]
BELL = [(-4, -10), (4, -10), (6.5, -14), (-6.5, -14)]
WINDOW = [(-8, 13), (-9, 5), (-1, 5), (-1, 13)]
LEG = [(-2, 8), (2, 8), (2, -8), (-2, -8)]
FOOT = [(-5, -6), (5, -6), (5, -8), (-5, -8)]
STARS = np.random.default_rng(11).uniform((0, 0, 0.25), (1, 0.85, 1), (70, 3))
"""Where stars are, shares of width and height from the upper left corner, and how bright."""


class Scene(NamedTuple):
    """One moment of a lander: lines of the ground, poses, the engines (main, side with its direction) and the step."""

    ground: Floats
    hull: tuple[Floats, float]
    legs: list[tuple[Floats, float]]
    flames: tuple[float, float]
    step: int


def placed(outline: Any, pose: tuple[Floats, float]) -> Floats:
    """Return points of an outline, given in pixels of the original picture, where a pose puts them."""
    (x, y), angle = pose
    c, s = math.cos(angle), math.sin(angle)
    points = np.asarray(outline, np.float64) * UNIT
    return np.stack((x + c * points[:, 0] - s * points[:, 1], y + s * points[:, 0] + c * points[:, 1]), axis=1)


def paint_scene(surface: Any, camera: cm.draw.Camera, scene: Scene) -> None:
    """Draw a moment of a lander onto a pygame surface."""
    import pygame  # only where pictures are wanted

    width, height = (FINER * one for one in surface.get_size())
    fine = pygame.Surface((width, height), 0, 32)
    large = cm.draw.Camera((width, height), position=camera.position, zoom=FINER * camera.zoom)

    def fill(color: tuple[int, int, int], points: NDArray[Any]) -> None:
        pygame.draw.polygon(fine, color, large.to_pixel(np.asarray(points)).tolist())

    def line(color: tuple[int, int, int], points: NDArray[Any], wide: float, closed: bool = False) -> None:
        pygame.draw.lines(fine, color, closed, large.to_pixel(np.asarray(points)).tolist(), round(wide * FINER))

    def shape(color: tuple[int, int, int], outline: Any, pose: tuple[Floats, float]) -> None:
        fill(color, placed(outline, pose))
        line(LINE, placed(outline, pose), 1, closed=True)

    sky = np.linspace(TOP, HORIZON, 32)[:, None].round().astype(np.uint8)
    pygame.transform.smoothscale(pygame.surfarray.make_surface(sky.swapaxes(0, 1)), (width, height), fine)
    for across, down, bright in STARS.tolist():
        glow = tuple(round(60 + 195 * bright * one) for one in (0.9, 0.93, 1.0))
        pygame.draw.circle(fine, glow, (across * width, down * height), FINER * (0.5 + bright))

    corners = np.concatenate((scene.ground[:, 0], scene.ground[-1:, 1]))
    fill(DUST_DEEP, np.concatenate((corners, [(corners[-1, 0], -1), (corners[0, 0], -1)])))
    deep = corners - (0, 0.45)
    fill(DUST, np.concatenate((corners, deep[::-1])))
    line(RIM, corners, 2)
    middle = len(corners) // 2
    line(PAD, corners[[middle - 1, middle + 1]], 4)

    fire(fill, scene)
    for side, pose in zip((1, -1), scene.legs, strict=True):
        (knee,) = placed([(0, 5)], pose)
        for strut in placed([(16 * side, -1), (15 * side, -9)], scene.hull):
            line(STRUT, np.array((strut, knee)), 1.5)
        shape(LEG_COLOR, LEG, pose)
        shape(SHADE, FOOT, pose)
    shape(SHADE, BELL, scene.hull)
    shape(FOIL, BASE, scene.hull)
    shape(HULL_COLOR, CABIN, scene.hull)
    shape(GLASS, WINDOW, scene.hull)

    for x, y in corners[[middle - 1, middle + 1]].tolist():
        top = y + 50 * UNIT
        line(POLE, np.array([(x, y), (x, top)]), 1.5)
        fill(FLAG, np.array([(x, top), (x, top - 12 * UNIT), (x + 25 * UNIT, top - 6 * UNIT)]))
    pygame.transform.smoothscale(fine, surface.get_size(), surface)


def fire(fill: Any, scene: Scene) -> None:
    """Draw the flames of the engines that fire; they flicker from step to step."""
    main, side = scene.flames
    flicker = 1 + 0.18 * math.sin(2.4 * scene.step)
    for color, share in FLAMES:
        if main:
            long, wide = 34 * main * flicker * share, 6 * math.sqrt(share)
            fill(color, placed([(-wide, -14), (wide, -14), (wide / 2, -14 - long / 2), (0, -14 - long)], scene.hull))
        if side:
            out, long, wide = -math.copysign(15, side), 16 * abs(side) * flicker * share, 3 * math.sqrt(share)
            tip = out + math.copysign(long, out)
            fill(color, placed([(out, 12 + wide), (out, 12 - wide), (tip, 12)], scene.hull))
