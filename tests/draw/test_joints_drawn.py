"""Joints in pictures and windows: their marks are where the joints are, and the view reaches as far as they do."""

from __future__ import annotations

import math

import numpy as np
import pytest

import carom as cm
from carom.draw import pygame
from carom.draw.colors import JOINT, JOINT_WAY
from carom.draw.figures import figures_of
from carom.draw.joints import Marks, marks_of


def hung() -> tuple[cm.World, cm.Body]:
    world = cm.World(gravity=(0, -10))
    return world, world.add(cm.Box((0, 0), (2, 1)), kind="dynamic")


def marks(world: cm.World, zoom: float = 100.0) -> Marks:
    return marks_of(figures_of("test", world), zoom)


def test_a_rod_is_a_line_between_its_anchors_wherever_its_body_is() -> None:
    world, body = hung()
    world.rod(body, None, (1, 0), (3, 4))
    body.position, body.angle = (5, 5), math.pi / 2
    found = marks(world)
    assert found.lines == pytest.approx(np.array([[(5, 6), (3, 4)]])) and not len(found.faint)
    assert found.dots == pytest.approx(np.array([(5, 6), (3, 4)]))


@pytest.mark.parametrize("length", [3.0, 3.1, 4.0, 8.0])
def test_a_rope_hangs_through_about_as_long_as_it_is(length: float) -> None:
    world, body = hung()
    world.rope(body, None, (1, 0), (4, 0), length=length)
    lines = marks(world).lines
    assert lines[0, 0].tolist() == [1, 0] and lines[-1, 1].tolist() == [4, 0]
    assert np.hypot(*(lines[:, 1] - lines[:, 0]).T).sum() == pytest.approx(length, rel=0.2)
    assert lines[..., 1].max() == 0.0 and (length == 3.0 or lines[..., 1].min() < -0.1)


def test_springs_are_zigzags_of_a_width_in_pixels() -> None:
    world, body = hung()
    world.spring(body, None, (0, 0), (4, 0), hertz=1)
    lines = marks(world, 50.0).lines
    assert lines[0, 0].tolist() == [0, 0] and lines[-1, 1].tolist() == [4, 0]
    assert np.abs(lines[..., 1]).max() == pytest.approx(6 / 50)


def test_limits_are_drawn_where_they_are() -> None:
    world, body = hung()
    slide = world.slide(body, None, (0, 0), (3, 4), limits=(-1, 2))
    faint = marks(world).faint
    assert faint[0] == pytest.approx(np.array([(-0.6, -0.8), (1.2, 1.6)]))
    slide.remove()
    pin = world.pin(body, None, (-1, 0), limits=(-0.5, 0.25))
    body.angle, body.position = 0.1, cm.Vec(-1, 0) + cm.Vec(1, 0).rotated(0.1)
    arc = marks(world).faint[1:, 0] - (-1.0, 0.0)
    angles = np.arctan2(arc[:, 1], arc[:, 0])
    assert (angles.min(), angles.max()) == pytest.approx((-0.5, 0.25)) and pin.angle == pytest.approx(0.1)


def test_all_kinds_are_drawn_and_the_view_reaches_as_far_as_they_do() -> None:
    world, body = hung()
    wheel = world.add(cm.Circle((0, -1), 0.5), kind="dynamic")
    world.weld(body, None, (0, 0))
    world.gear(body, wheel)
    world.slide(wheel, body, (0, -1), (0, 1), turns=True, hertz=3)
    world.drag(body, (0, 0), (9, 7))
    before = world.digest()
    shown = cm.picture(world)._repr_svg_()
    assert JOINT in shown and JOINT_WAY in shown
    surface = pygame.Surface((300, 200))
    camera = cm.draw.paint(surface, world)
    assert camera.bounds.max_x >= 9 and camera.bounds.max_y >= 7
    assert pygame.transform.threshold(None, surface, pygame.Color(JOINT), (40, 40, 40), None, 0) > 20
    assert world.digest() == before


def test_joints_of_bodies_that_are_not_drawn_are_not_either() -> None:
    world, body = hung()
    other = world.add(cm.Box((5, 0), (1, 1)), kind="dynamic")
    rod = world.rod(body, other, (0, 0), (5, 0))
    assert len(marks_of(figures_of("test", [body, other]), 1.0).lines) == 1
    assert not len(marks_of(figures_of("test", [body]), 1.0).lines)
    rod.remove()
    assert not len(marks(world).lines)


def test_a_pulley_runs_over_its_points_and_a_joint_that_is_off_is_not_drawn() -> None:
    world, body = hung()
    other = world.add(cm.Box((5, 0), (1, 1)), kind="dynamic")
    rope = world.pulley(body, other, (0, 0), (5, 0), over=((0, 7), (5, 7)))
    world.motor(body, max_force=3)
    assert marks(world).lines.tolist() == [[[0, 0], [0, 7]], [[0, 7], [5, 7]], [[5, 7], [5, 0]]]
    assert len(marks(world).dots) == 4
    rope.enabled = False
    assert not len(marks(world).lines) and not len(marks(world).dots)
