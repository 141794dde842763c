"""The numbers of a step that were chosen by trial, and decide how bodies move; all else follows from the scene.

Each is a share of a size or of a speed, or a count, and so free of units; only `UNTIL_ASLEEP` is a time.
`tests/world/test_rules.py` holds how many there are. Bounds on rounding, and what only decides time or the size of a
table, stand beside their formulas.
"""

# Distances.

SKIN = 0.008
"""Share of half the smaller least width: bodies come to rest up to this far apart. Larger, and the gap is seen."""

MEET_AT = 0.5
"""Share of the skin: where something presses, bodies meet when they are so near."""

DEEPER = 0.125
"""Share of the skin by which bodies that have met go on until they meet again, up to a skin deep. Smaller, and a body
that is pressed on a wall meets it more often in a step."""

SPARE = 0.1
"""Share of the skin that does not matter: the solver's ways may end so far from where they were looked at, and bodies
may stay so deep, or be put so far apart, where they were opened, or close so far without an impact."""

MEET_TURNING = 4e-5
"""Share of half the smaller least width: where something turns and nothing presses, bodies meet when they are so near.
Smaller, and edges that touch are met without end."""

DEEP = -0.3
"""Times the skin: what is deeper at the end of a step is opened. It is what the world promises."""

REACH = 2.0
"""Times the skin: an awake body keeps others awake that are so near; points of one contact, and pairs that are opened
together, differ by no more; and what is so deep may come out on the other side."""

PARTING_SIZES = 0.125
"""Times half the smaller least width: the way that bodies which were put into each other part in a step."""

DEEPEST = 0.05
"""Share of half the smaller least width: a side that the other body is deeper behind is not the one that it met. Two
bodies of piles that could pass each other meet in the event queue where they are so deep, and so much deeper each time.
Of the same size, and of the rest of the step: a pair that met and does not close goes so far until it is looked at
again."""

# What is slow, and what rests.

SLOW = 2.0
"""Times the speed that acceleration gives in a step: what closes no faster is slow, and so far from the skin, times the
step, it may be and touch within the step."""

DROWSY = 0.6
"""Times the speed that acceleration gives in a step: slower bodies may fall asleep."""

CREEPING = 0.1
"""Times the same speed: those may, too, that are slower on average. Heaps in which discs stick and slip need the one,
heaps that creep the other."""

UNTIL_ASLEEP = 0.5
"""Seconds for which all bodies of an island must be so slow."""

# The solver.

SETTLED = 0.05
"""Share of the speed that acceleration gives in a step: no row misses its speed by more. Four times larger, and a heavy
box near the edge of its stack slides off."""

SETTLED_CALM = 0.2
"""Times the same where the island is calm, so that it comes to rest instead of trembling."""

COARSE = 4.0
"""Times the same in the pass before the last, in which the frictions find their share. At 10 and more, large piles take
twice to eight times as long."""

FEW = 16
"""Points of an island that is solved all but exactly, since it costs little: a body or two on the ground."""

EXACT = 1e-6
"""Times the same for these; and, where there is no acceleration, times the speed of closing."""

NO_SOLUTION = 10.0
"""Times the tolerance: where a row misses its speed by more, what drives the island leaves it no room."""

NO_SLIP = 10.0
"""Friction of a pair whose response is to stop."""

QUICK_SHARE = 0.05
"""Share of the contacts of an island: where more are not slow, it falls or is hit, and is solved roughly."""

# What ends: more, and a step takes longer.

MOST_TURNS = 3000
"""Turns of the solver for the impulses of one problem."""

FEW_TURNS = 60
"""Turns where there is another way, or no end: what contradicts may go round in a circle."""

MOST_TRIES = 10
"""Times that a stage of a step begins anew: rounds of the solver, measures of what is too deep, impacts with kinematic
bodies before these wait, and the rest of the step for what is hit too often: after so many impacts that give back
nothing, a body is solved with what it touches and no longer bounces; of those with a restitution so many more as they
lose less. With 30, a crate of boxes that spins takes three times as long."""

ELASTIC_IMPACTS = 10_000
"""Impacts of a body before it is solved, of those that lose nothing, without friction at one instant: in a row of n
balls there are n * n."""
