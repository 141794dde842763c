"""A pair of shapes and what explains it, drawn and told: parts of `picture` and `explain` for programs of your own.

A scene holds shapes, which two of them are A and B, a motion of A and the layers that are on. Its facts are the answers
of the verbs, and layers turn both into items that `carom.draw` paints; `strips` and `minkowski` are pictures with a
plane of their own. The playground is built of these.
"""

from carom.canvas.drawing import BLACK as BLACK
from carom.canvas.drawing import BLUE as BLUE
from carom.canvas.drawing import GREY as GREY
from carom.canvas.drawing import ORANGE as ORANGE
from carom.canvas.drawing import RED as RED
from carom.canvas.svg import HATCH as HATCH
from carom.canvas.svg import group as group
from carom.canvas.svg import to_svg as to_svg
from carom.draw.pair.explained import ROWS as ROWS
from carom.draw.pair.explained import meeting as meeting
from carom.draw.pair.explained import ruler as ruler
from carom.draw.pair.explained import strips as strips
from carom.draw.pair.explained import without_title as without_title
from carom.draw.pair.facts import Facts as Facts
from carom.draw.pair.facts import facts_of as facts_of
from carom.draw.pair.facts import partition as partition
from carom.draw.pair.facts import tallies as tallies
from carom.draw.pair.layers import ABOVE as ABOVE
from carom.draw.pair.layers import BELOW as BELOW
from carom.draw.pair.layers import axis_items as axis_items
from carom.draw.pair.layers import axis_of as axis_of
from carom.draw.pair.layers import items_of as items_of
from carom.draw.pair.layers import layer as layer
from carom.draw.pair.layers import level_volumes as level_volumes
from carom.draw.pair.layers import minkowski as minkowski
from carom.draw.pair.layers import shapes_of as shapes_of
from carom.draw.pair.layers import window_of as window_of
from carom.draw.pair.pictures import pictures as pictures
from carom.draw.pair.scene import LAYERS as LAYERS
from carom.draw.pair.scene import STILL as STILL
from carom.draw.pair.scene import Scene as Scene
from carom.draw.pair.scene import SceneError as SceneError
from carom.explain.numbers import show as show
from carom.explain.numbers import show_gap as show_gap
from carom.explain.numbers import show_point as show_point
from carom.explain.numbers import without_rounding as without_rounding
from carom.explain.report import largest_gaps as largest_gaps
from carom.explain.report import size_of as size_of
from carom.explain.typed import SHAPES as SHAPES
from carom.explain.typed import read_convex as read_convex
from carom.explain.words import parallel_words as parallel_words
from carom.explain.words import sentence_of as sentence_of
from carom.explain.words import shadows_of as shadows_of

__all__ = [
    "ABOVE",
    "BELOW",
    "BLACK",
    "BLUE",
    "GREY",
    "HATCH",
    "LAYERS",
    "ORANGE",
    "RED",
    "ROWS",
    "SHAPES",
    "STILL",
    "Facts",
    "Scene",
    "SceneError",
    "axis_items",
    "axis_of",
    "facts_of",
    "group",
    "items_of",
    "largest_gaps",
    "layer",
    "level_volumes",
    "meeting",
    "minkowski",
    "parallel_words",
    "partition",
    "pictures",
    "read_convex",
    "ruler",
    "sentence_of",
    "shadows_of",
    "shapes_of",
    "show",
    "show_gap",
    "show_point",
    "size_of",
    "strips",
    "tallies",
    "to_svg",
    "window_of",
    "without_rounding",
    "without_title",
]
