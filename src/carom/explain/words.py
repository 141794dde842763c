"""What was found out about a pair of shapes, in sentences.

In: the answer of `closest`, or axes. Out: sentences, with numbers rounded for reading.
"""

from __future__ import annotations

from collections.abc import Sequence

from carom.explain.axes import Axis
from carom.explain.levels import verdict
from carom.explain.numbers import DIGITS, show, show_alike, show_direction, without_rounding
from carom.narrow.separation import Closest

MOST_NAMED = 6  # parallel edges; more are counted


def sentence_of(near: Closest, digits: int = DIGITS) -> str:
    """Return the answer in one sentence, its numbers with so many digits."""
    along = f"along {show_direction(near.normal, digits)}"
    told, size = verdict(near.separation), show(abs(near.separation), digits)
    if told == "touch":
        return f"A and B touch, without overlap; from A, B lies {along}."
    tiny = not without_rounding(near.separation, max(map(abs, (*near.point_a, *near.point_b))))
    if tiny:
        size = "by less than coordinates are rounded by"
    if told == "apart":
        apart = f"apart {size}" if tiny else f"{size} apart"
        return f"A and B are {apart}; from A, the nearest of B lies {along}."
    by = size if tiny else f"by {size}"
    return f"A and B overlap; moving B {by} {along} just parts them."


def shadows_of(axis: Axis, number: int) -> str:
    """Return how the gap or the overlap on an axis comes about from both intervals, in one sentence."""
    half_a, half_b, between = axis.half_a, axis.half_b, axis.between
    largest = max(half_a, half_b, abs(between))
    gap = without_rounding(axis.gap, largest)
    a, b, middles, size = show_alike((half_a, half_b, abs(between), abs(gap)))
    if gap > 0.0:
        told = f"{middles} - {a} - {b} leaves a gap of {size}"
    elif gap < 0.0:
        told = f"{a} + {b} {'-' if between >= 0.0 else '+'} {middles} is an overlap of {size}"
    else:
        told = f"{a} + {b} is {middles}{', so they touch' if axis.gap == 0.0 else ', but for rounding'}"
    back = "" if between >= 0.0 else ", B's before A's"
    halves = f"the half shadows of A and B are {a} and {b} long"
    return f"On axis {number} {halves}, their middles {middles} apart{back}: {told}."


def corner_of(near: Closest, axis: Axis) -> str:
    """Return how the way out through a corner between two parts goes with the overlap on the axis of one."""
    size, share = show(-near.separation), show(abs(axis.gap))
    return f"B comes out at a corner between two parts: moved by {size} as above, it moves by {share} along this axis."


def parallel_words(axes: Sequence[Axis]) -> str:
    """Return which edges are left out because their axis is that of an earlier edge; nothing if none is."""
    told = []
    for name in "AB":
        left_out = [(axis.source.split()[1], axis.parallel_to) for axis in axes if _is_left_out(axis, name)]
        if len(left_out) > MOST_NAMED:
            told.append(f"{len(left_out)} edges of {name} to axes above")
        elif left_out:
            edges, others = ([str(pair[k]) for pair in left_out] for k in (0, 1))
            many = "s" * (len(edges) > 1)
            others = list(dict.fromkeys(others))
            along = "axes" if len(others) > 1 else "axis"
            told.append(f"edge{many} {_listed(edges)} of {name} to {along} {_listed(others)}")
    return f"left out as parallel: {', '.join(told)}" if told else ""


def _is_left_out(axis: Axis, name: str) -> bool:
    return axis.parallel_to is not None and axis.source.startswith("edge") and axis.source.endswith(name)


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
