"""A scene in plain words: the layered test one step after another, and the numbers of each layer.

In: a scene and its facts. Out: steps, each with a heading, a line of words and items to draw; and lines for the layers
that are on. Numbers are rounded for reading, and come from the facts.
"""

from __future__ import annotations

from typing import NamedTuple

from carom import Explanation
from carom.draw import Item
from carom.draw.pair import (
    Facts,
    level_volumes,
    meeting,
    parallel_words,
    partition,
    ruler,
    sentence_of,
    shadows_of,
    show_gap,
    show_point,
    size_of,
    tallies,
    without_rounding,
)
from carom.draw.pair import show as show_digits
from carom_playground.scene import LAYERS, STILL, Point2, Scene

VERDICTS = {
    "apart": "they are apart",
    "touch": "they touch",
    "overlap": "they overlap",
    "cannot tell": "cannot tell: go on",
}
TESTS = {
    "bounding circle": "Compare the bounding circles: distance of the centres against the sum of the radii.",
    "AABB": "Compare the boxes along the axes: is there a gap in x or in y?",
    "OBB": "Compare the smallest boxes, turned as the shapes are.",
    "separating axes": "Project both shapes on every edge normal: is there an axis with a gap?",
    "exact arithmetic": "Ask once more without rounding.",
}


DIGITS = 4


def show(number: float) -> str:
    """Return a number as it is read out in class; far from zero with the digits that tell neighbours apart."""
    return show_digits(number, DIGITS if abs(number) < 1e4 else 10)


def show_vector(vector: Point2) -> str:
    """Return a vector, each coordinate as `show` gives it."""
    return f"({show(vector[0])}, {show(vector[1])})"


class Step(NamedTuple):
    """One step of the layered test."""

    heading: str
    test: str
    """The test, in words."""
    text: str
    """The numbers of the test, and the decision."""
    items: tuple[Item, ...]
    """Items that the step draws over the shapes."""


def steps(why: Explanation) -> tuple[Step, ...]:
    """Return the question, each level that was tried, and the answer."""
    question = Step(
        "The question", "Do A and B meet?", "Cheap tests come first, and the first that can tell decides.", ()
    )
    answer = Step("The answer", _sentence(VERDICTS[why.verdict]), sentence_of(why.closest, DIGITS), tuple(meeting(why)))
    tried = []
    for number, level in enumerate(why.levels, 1):
        heading = f"{number}  {level.name}: {VERDICTS[level.verdict]}"
        decided_by_axes = level.name in ("separating axes", "exact arithmetic")
        items = ruler(why, why.axis) if decided_by_axes else level_volumes(level)
        tried.append(Step(heading, TESTS[level.name], _sentence(level.text), tuple(items)))
    return question, *tried, answer


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def layer_lines(scene: Scene, facts: Facts, axis: int) -> list[str]:
    """Return a line or two for each layer that is on and has numbers to tell."""
    lines: list[str] = []
    why = facts.why
    for name in ("partition", "tree"):
        if name in scene.layers:
            lines += [line for line in partition_lines(scene, name) if line not in lines]
    if why is not None:
        for name in LAYERS:
            if name in scene.layers:
                lines += _pair_lines(name, why, axis)
        if "motion" in scene.layers:
            lines.append(motion_line(scene, facts))
    return lines


def _pair_lines(name: str, why: Explanation, axis: int) -> list[str]:
    near, contact = why.closest, why.contact
    if name == "axes":
        return _axis_lines(why, axis)
    if name == "closest":
        size = size_of(why)
        between = f"{show_point(near.point_a, size, DIGITS)} of A and {show_point(near.point_b, size, DIGITS)} of B"
        return [f"Separation {show(near.separation)}, between {between}."]
    if name == "mtv":
        if contact is None:
            return ["MTV: none, they are apart."]
        return [f"MTV: move B by {show_vector(contact.move_b)}, length {show(contact.depth)}, or A the other way."]
    if name == "contact" and contact is not None:
        points = " and ".join(show_vector(point) for point in contact.points)
        side = {"+x": "right", "-x": "left", "+y": "upper", "-y": "lower"}[contact.side]
        return [f"Contact at {points}, normal {show_vector(contact.normal)}: the {side} side of A."]
    if name == "minkowski":
        inside = {"apart": "outside", "touch": "on the boundary of", "overlap": "inside"}[why.verdict]
        return [f"The origin lies {inside} A - B, {show(abs(why.separation))} from its boundary."]
    return []


def _axis_lines(why: Explanation, number: int) -> list[str]:
    """Return the gap of an axis, how half shadows and middles make it up, and which axes are left out as parallel."""
    axis = why.axes[number]
    told = show_gap(axis.gap, DIGITS)
    if number == why.deciding:
        told += ", the largest gap: it decides" if axis.gap > 0.0 else ", the least: it decides"
    which = f"Axis {number} ({axis.source}), direction {show_vector(axis.direction)}: {told}."
    lines = [shadows_of(axis, number), which]
    parallel = parallel_words(why.axes)
    return [*lines, _sentence(parallel)] if parallel else lines


def motion_line(scene: Scene, facts: Facts) -> str:
    """Return the outcome of A's motion, in words."""
    if scene.motion == STILL:
        return "Motion: none; drag the dot at A's centre."
    way = f"A moves by {show_vector(scene.motion)}"
    if facts.strike is None:
        starts = any(facts.meets[row] for row in (scene.pair or ())[:1])
        return f"{way}, out of what it touches, and meets nothing else." if starts else f"{way} and meets nothing."
    hit = facts.strike.hit
    what = "B" if scene.pair is not None and facts.strike.row == scene.pair[1] else f"shape {facts.strike.row}"
    if hit.overlapping:
        return f"{way} but overlaps {what} from the start: normal out {show_vector(hit.normal)}."
    far = scene.motion.length
    x, y = (without_rounding(value, far) for value in hit.point)
    where = f"at {show_vector((x, y))}, normal {show_vector(hit.normal)}"
    return f"{way}: it hits {what} after {show(hit.fraction)} of the way, {where}."


def partition_lines(scene: Scene, which: str) -> list[str]:
    """Return how space is divided, and how many of all pairs are left to test."""
    found, count = partition(scene.shapes, which), len(scene.shapes)
    pairs, left = count * (count - 1) // 2, len(found.candidates)
    if not pairs:
        return []
    be = "is" if left == 1 else "are"
    return [f"{found.what}.", f"Of {pairs} pair{'s' * (pairs > 1)} {left} {be} left to test: the AABBs meet."]


def tally_lines(scene: Scene) -> list[str]:
    """Return, level by level, how many of the scene's pairs the layered test saved, and its false positives."""
    found = tallies(scene)
    if not found:
        return []
    pairs = len(scene.shapes) * (len(scene.shapes) - 1) // 2
    lines = [f"All {pairs} pairs, level by level:" if pairs != 1 else "The one pair, level by level:"]
    for tally in found:
        line = f"{tally.name}: {tally.asked} asked, {tally.apart} told apart"
        if tally.met:
            line += f", {tally.met} met"
        if tally.false:
            line += f", {tally.false} false positive{'s' if tally.false != 1 else ''}"
        lines.append(line)
    return lines
