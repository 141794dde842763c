"""The keys of the playground in words: those that stand below the scene, and all, for the list that H opens.

Out: rows of keys and what they do, the most needed first.
"""

from __future__ import annotations

LEGEND = (
    ("drag, arrows", "move"),
    ("R, wheel", "turn"),
    ("S, Shift+wheel", "grow"),
    ("A", "add"),
    ("Del", "delete"),
    ("N / P", "step through the test"),
    ("[ ]", "axis"),
    ("Tab", "select"),
    ("Page Up / Down", "scenes"),
    ("Ctrl+Z", "undo"),
    ("H", "all keys"),
)
ALL = (
    ("drag, arrows", "move; Shift: farther"),
    ("R, wheel", "turn by 5 degrees"),
    ("Shift+R", "turn back; Alt: finely"),
    ("S, Shift+wheel", "grow"),
    ("Shift+S", "shrink"),
    ("A", "add a shape, then its number"),
    ("Del", "delete"),
    ("E", "move corners one by one"),
    ("Tab", "select the next shape"),
    ("X", "exchange A and B"),
    ("click a shape", "a third one becomes B, B becomes A"),
    ("Ctrl+Z / Y", "undo, redo"),
    ("1 to 0, G", "layers"),
    ("N / P", "step through the test"),
    ("[ ]", "next axis"),
    ("T", "count tests"),
    ("M", "magnifier for tiny gaps"),
    ("F, + -, Ctrl+wheel", "fit, zoom"),
    ("Page Up / Down", "scenes"),
    ("B", "blue and orange"),
    ("Ctrl+C", "copy as Python"),
    ("Ctrl+S", "save"),
    ("H", "this list"),
    ("Esc", "back, leave"),
)
