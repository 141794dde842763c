"""What `carom` offers for compiled loops of a user's own: the decorators, and the disc against a box."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import carom as cm
from carom._core import jit

NUMBERS = st.floats(-50, 50, allow_nan=False).map(lambda x: round(x, 3))
SIZES = st.floats(0.1, 20).map(lambda x: round(x, 3))


@cm.inner
def _half(x: float) -> float:
    return 0.5 * x


@cm.kernel
def _halves(values: np.ndarray, out: np.ndarray) -> None:
    for k in range(values.size):
        out[k] = _half(values[k]) + cm.distance_disc_box(values[k], 0.0, 1.0, 0.0, 2.0, 1.0, 0.25)[0]


@cm.uncounted_kernel
def _doubled(values: np.ndarray) -> None:
    for k in range(values.size):
        values[k] *= 2.0


def test_a_kernel_gives_the_bits_of_plain_python() -> None:
    values = np.random.default_rng(1).normal(size=200)
    out, plain = np.zeros(200), np.zeros(200)
    _halves(values, out)
    for k, x in enumerate(values.tolist()):
        plain[k] = _half(x) + cm.distance_disc_box(x, 0.0, 1.0, 0.0, 2.0, 1.0, 0.25)[0]
    assert out.tobytes() == plain.tobytes()
    _doubled(values)
    assert (values == 2.0 * (values / 2.0)).all()


@pytest.mark.skipif(jit.KERNELS != "jit", reason="nothing is compiled here")
def test_will_compile_tells_before_the_first_call() -> None:
    @cm.kernel
    def fresh(values: np.ndarray) -> None:
        values[0] = 1.0

    assert cm.will_compile(fresh)
    fresh(np.zeros(1))
    assert not cm.will_compile(fresh)


@given(NUMBERS, NUMBERS, NUMBERS, NUMBERS, SIZES, SIZES, SIZES)
def test_a_disc_is_as_far_from_a_box_as_the_verb_says(
    x: float, y: float, left: float, low: float, wide: float, high: float, radius: float
) -> None:
    found, nx, ny = cm.distance_disc_box(x, y, left, low, left + wide, low + high, radius)
    box = cm.Box.from_corners((left, low), (left + wide, low + high))
    assert found == pytest.approx(cm.separation(cm.Circle((x, y), radius), box), abs=1e-9)
    assert math.hypot(nx, ny) == pytest.approx(1.0)


@given(NUMBERS, NUMBERS, NUMBERS, NUMBERS, SIZES, SIZES, SIZES)
def test_a_disc_meets_a_box_when_the_verb_says(
    x: float, y: float, mx: float, my: float, wide: float, high: float, radius: float
) -> None:
    disc, box = cm.Circle((x, y), radius), cm.Box.from_corners((0, 0), (wide, high))
    assume(cm.separation(disc, box) > 1e-6 and math.hypot(mx, my) > 1e-3)
    # A path that just misses or just grazes may be told either way: the two have tolerances of their own.
    least = min(cm.separation(disc.translated((mx * t, my * t)), box) for t in np.linspace(0, 1, 400).tolist())
    fraction, _, _ = cm.sweep_disc_box(x, y, mx, my, 0.0, 0.0, wide, high, radius, 0.0)
    hit = cm.cast(disc, box, (mx, my))
    if least < -1e-3:
        assert hit is not None and fraction == pytest.approx(hit.fraction, abs=1e-7)
    elif hit is None and least > 0.5:
        assert fraction == math.inf


@pytest.mark.skipif(jit.prebuilt.is_checkout(), reason="of an install")
def test_a_source_key_is_empty_in_an_install() -> None:
    assert cm.source_key("narrow") == ""


@pytest.mark.skipif(not jit.prebuilt.is_checkout(), reason="of a clone")
def test_a_source_key_names_an_unknown_subpackage() -> None:
    keys = {name: cm.source_key(name) for name in ("narrow", "carom_breakout", "carom_gym")}
    assert len(set(keys.values())) == 3 and all(len(key) == 16 for key in keys.values())
    with pytest.raises(ValueError, match="'nowhere' is no file or folder"):
        cm.source_key("nowhere")
