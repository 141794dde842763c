"""States that long random runs came upon, remade as code: what must hold in them, whatever steps a world later."""

from __future__ import annotations

import pytest

import carom as cm
from tests.support.found_states import PRESSED_SLEEPER, SEGMENT_AT_A_LINE, STEPS_OF_PRESSED_SLEEPER, built

WALL = 300.0
SLOP = 0.3 * 0.004 * 0.01  # overlap that the step leaves to bodies as thin as the wall of the pressed sleeper


@pytest.mark.parametrize("speed", [400.0, 150.0, 900.0])
@pytest.mark.parametrize("heavier", [1.0, 0.01, 30.0])
def test_a_heavy_segment_pressed_along_a_line_stays_on_its_side(heavier: float, speed: float) -> None:
    world, bodies = built(SEGMENT_AT_A_LINE, (0, 0))
    bodies[16].mass *= heavier
    bodies[7].velocity = (speed, 0)
    for _ in range(8):
        world.step(1 / 60)
        assert bodies[16].position.x < WALL


def test_a_sleeping_plank_that_is_pressed_does_not_sink_into_the_wall() -> None:
    world, bodies = built(PRESSED_SLEEPER, (0, -10))
    world.step(1e-9)  # bodies that have just come would wake the plank
    bodies[5].sleep()
    for dt in STEPS_OF_PRESSED_SLEEPER:
        world.step(dt)
        assert cm.separation(bodies[5].shape, bodies[3].shape) > -1.01 * SLOP


def test_the_states_are_such_as_a_world_may_be_in() -> None:
    """The overlaps at the start are those that a step leaves: what goes wrong later is the step's."""
    for bodies, slop in ((SEGMENT_AT_A_LINE, 1e-2), (PRESSED_SLEEPER, SLOP)):
        world, _ = built(bodies, (0, 0))
        assert world.overlaps().depth.max(initial=0.0) < slop
