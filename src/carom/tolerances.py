"""The tolerances that decide what Carom answers: meaning, unit, normal value, and what breaks if one is changed.

All are pure numbers: they are multiplied by the sizes and coordinates of the shapes at hand, so no unit is hidden. Only
bounds on the rounding of one formula, a few EPSILON each, stand beside that formula.
"""

EPSILON = 2.0**-52
"""Spacing of float64 at 1. A fact of the number format, not a choice."""

LARGEST = 1e150
"""Largest coordinate or size accepted. Squares must stay finite; larger input is refused at the door."""

SMALLEST_SIZE = 1e-150
"""Smallest nonzero size or radius accepted. Squares must not vanish; smaller input is refused at the door."""

FACE_BAND = 8.0 * EPSILON
"""Times the largest coordinate difference of a pair: nearer than this to the surface, the face normal stands.
Smaller, and touching shapes get normals made of rounding errors; larger, and true corner normals are lost."""

SIGN_BAND = 32.0 * EPSILON
"""Times the same difference: a separation within this of zero has its sign decided by exact arithmetic.
Smaller than the proved error bound, and `intersects` could be wrong; larger only costs time."""

SURELY_LESS = 1.0 - 8.0 * EPSILON
"""Factor: of two distances within it neither is the less. An edge and its own end then tie, and the edge is taken.
Two vertices are told apart by less: an edge as good as tangential puts them far apart at nearly one distance."""

PROXY_BAND = 64.0 * EPSILON
"""Share of an edge, of a unit normal, of a box: what a file holds may differ by so much from what its points give.
Smaller than the roundings in both, and sound files would be refused; larger, and damaged ones give wrong answers."""

SQUARE_BAND = 16.0 * EPSILON
"""Times the square of both radii: two discs whose squared distance is this near it are decided exactly.
Smaller than the four roundings in it, and `intersects` could be wrong."""

SMALLEST_SQUARE = 1e-280
"""Squares below this have lost digits to underflow; what depends on them is decided exactly."""

SMALLEST_ROOT = 1e-140
"""Roots below this came from squares that have lost digits to underflow: the square root of `SMALLEST_SQUARE`."""

SMALLEST_MOTION = 1e-130
"""Motions shorter than this are scaled up with all that they can reach, so that their squares keep their digits."""

NEARLY_GRAZING = 1e-4
"""Share of a motion that goes towards the surface; below it an arc is found only to half the digits, and the normal of
a side that begins there is the better one."""

SLOP_SIZE = 1e-12
"""Motion slop as a share of the size: overlap this deep counts as touching when things move.
Smaller, and sliding boxes catch on seams; larger, and overlap becomes visible."""

SLOP_ULPS = 16.0
"""Motion slop in units in the last place of the largest coordinate. The larger of the two slops counts.
Without it ghost bumps return far from the origin (seen at 1e7 with SLOP_SIZE alone)."""

CULL_SIZE = 2.0**-20
"""Boxes and circles for searching are this share of the size larger than the shape, so that rounding in the fraction of
a hit, or in a distance, never hides a shape. Larger than the slop; smaller, and what is grazed at a needle's tip could
be looked for beside it; larger only costs time."""

CULL_ULPS = 64.0
"""And larger by so many units in the last place of the largest coordinate: more than all roundings of a search."""

CULL_LEAST = 1e-200
"""And by this, in any unit: below it products of coordinate differences vanish."""

LEAST_COMPONENT = 1e-300
"""A motion along one axis by less than this goes nowhere along it: its inverse would overflow."""

SURELY_INSIDE = 1.0 - 2.0**-10
"""Share of a shape's inner circle: a path that comes so near the centre hits, whatever the rounding."""

SURELY_OUTSIDE = 1.0 + 2.0**-10
"""Times a shape's outer circle: a path that starts beyond it starts apart, whatever the rounding."""

CELL_SLACK = 2.0**-46
"""Times the largest coordinate of a set: added to the window in which a grid looks for the lower corners of partners.
Smaller than the few roundings in it, and pairs could be missed; larger only costs time."""

LEAST_EXTENT = 1e-280
"""Extents below this are not divided into cells: the number of cells per length could overflow."""

MOST_TURN = 2.0**20
"""Largest turn of one motion, in radians, some 167,000 turns. Beyond it sine and cosine would lose digits."""

FULL_TURN = 6.283185307179587
"""One turn in radians, rounded up: after it a shape that only turns has been everywhere it will be."""

UPRIGHT = 8.0 * EPSILON
"""A turned unit normal whose x is no larger counts as vertical.
Smaller, and two nearly horizontal edges of one shape could change places by rounding; larger, and thin shapes bend."""

SWEEP_BAND = 8.0 * EPSILON
"""Times the length of a turning motion: more than the position of any point on the way is off by rounding.
Smaller than the proved bound, and a turning cast could be late."""

TOUCH_BANDS = 4.0
"""Times the rounding margin of a turning cast: nearer than this (or than the slop) counts as a hit.
At least 4, so that there is room between what is proved and where it stops; larger only stops earlier."""

SAFE_SCALE = 2.0**200
"""Lengths between its inverse and this are squared as they are; others are first scaled by a power of two."""

STEPS_INSIDE = 1000
"""So many steps a turning cast follows a start in overlap closely, lest it leave and come back in within one step.
After them it may go no deeper than it then is. Fewer, and slow leaving is cut off; more only costs time."""

TWOFOLD_BAND = 2.0**-99
"""Times the sizes of both factors: a cross product held in two floats is surely not zero beyond this.
Smaller than the roundings in it (about 55 * 2**-106), and exact answers could be wrong; larger only costs time."""

LONG_BAND = 2.0**-95
"""Times the sizes and the path: with numbers of two floats nothing is told apart that is nearer to a path's side.
Smaller than the roundings in it (about 64 * 2**-106), and a corner could be missed and its edge met at the far end."""

STEEP = 0.125
"""Share of a motion that goes towards the surface: above it, a side that is met near its end is met there.
Smaller, and such hits could be told by a few more roundings too late; larger only costs time."""

LONG_PATH = 4.0
"""Sizes and path over the path: below it the promised error allows for one over the cosine of incidence.
Larger, and the fraction of a short motion nearly along a large shape could be off by more than is promised."""

STEADY_BANDS = 8.0
"""Error bands over the share that closes: a fraction that shapes larger and smaller by a band move by more is in doubt.
At least 2, which is what a side alone makes of it; larger than 16 or so, and doubtful fractions would pass as sure."""

SMALLEST_PRODUCT = 1e-250
"""Products below this may have lost digits to underflow; what depends on them is left to expansions."""

COVER_BAND = 64.0 * EPSILON
"""Times the coordinate differences of two bodies of several parts: an overlap of two parts by no more is none.
Smaller, and the way out of a body's inward corner may be lost to rounding; larger, and it may end inside a part."""

CONE_BAND = 1e-9
"""Sine of the angle by which an arc is taken to reach beyond its ends, where it hardly leaves the edges it touches.
Smaller, and a way out just where an arc and an edge meet may be lost."""

HORIZON_SIZES = 8.0
"""A moving body looks this many of its own sizes ahead at once. Only time depends on it: smaller, and fast bodies look
around more often; larger, and each look finds more that is never met."""

HORIZON_MOST = 64.0
"""But at least this share of its way in a step, so that what is tiny and fast does not look around without end."""

FAT_STEPS = 8.0
"""Steps whose way a part's fat bounds enclose; as long as they do, what is near it need not be searched for.
Only time depends on it, as on the next two: smaller, and searches are more; larger, and each part has more neighbours
to compare with."""

FAT_SIZES = 1.5
"""But as a rule no wider than a cell of the grid, whose width is the next power of two of so many of its own sizes."""

FAT_MARGIN = 2.0**-4
"""And to all sides by this share of its width, so that what turns off a little is still within."""

ONE_WAY_SIDE = 1e-9
"""Cosine between a one-way body's direction and the normal of a side that blocks; sides along the direction let pass.
Smaller, and rounding makes such sides block."""

MOST_EVENTS = 1_000_000
"""Events in one step, and a thousand for each body, after which the rest of the step is left out; reported."""

NO_SIZE = 1e-9
"""Share of the smaller body's or part's size that is as good as nothing in a world: what is nearer touches, or meets at
this instant; what is thinner has no width; bodies in each other by no more are not told as overlapping, but part if
deeper than the slop and none of them spins."""

INSTANT = 1e-6
"""Share of a step that is as good as no time: impacts nearer in time may be at one instant, are without progress, and
leave nothing of the step to be held for."""

NEARLY_TOUCHING = 1e3
"""Times the slop of motion: bodies no farther apart are looked at more closely, whether they touch."""

SHORTEST_STAY = 2.0**-12
"""Share of the step: what spins may leave a sensor and be back sooner untold, or graze it. Smaller costs time where it
barely touches."""

SAME_NORMAL = 1e-9
"""Sum of the differences of two unit normals up to which they are one surface to what moves along it."""

SAME_SIDE = 0.9
"""Cosine of the angle between the normal of an arc and that of a side it ends in, up to which the side may go before
it. Only what is rounded by a few slops has arcs as short as that and turned by more."""

SLIDES = 4.0 * EPSILON
"""Share of a motion: what closes by no more slides, for no impulse could change its velocity any more.
Smaller than the rounding of a velocity, and what slides is met again and again without end."""

FLUSH_SLOPS = 1.5
"""Slops by which shapes may overlap along one of their sides and yet are apart along it, at a corner or at an arc.
More than the one slop that they may go deep, by what faces of flush tiles differ by rounding; no more than half of
`THIN_SLOPS`, or what has just more width than that would pass along a seam."""

LEAN_SLOPS = 8.0
"""Slops over the size by which two sides may lean and still be parallel but for rounding: that of the ends of a side is
a sixteenth of a slop. Smaller, and what slides along its own rounded side sinks into that of what it lies on; larger,
and a blunt edge passes for the side it ends."""

MOST_LEGS = 10_000
"""Legs of one `move`, after which it ends and tells what was left of the motion."""

FLOOR_SLACK = 1e-9
"""Sine or cosine by which a floor may be steeper than the steepest walked up, and a motion along the level may rise.
Smaller, and rounding makes a wall of a slope of just the angle that was asked for, and a jump of a walk."""

TOUCH_SLOPS = 8.0
"""Slops by which a character is let down to find what it stands on. At least some: what is in touch is no hit before
the way goes deeper than the slop."""

LEGS_OF_WALK = 1000
"""Legs in which a character walks one way; farther than so many legs, and they are longer, and may miss small dips."""

CARRY_STEPS = 64
"""Steps in which a character is taken along by what turns, at most."""

DEEP_SHARE = 0.25
"""Share of the smaller of two sizes: deeper in something that moved, a character is not pushed out but crushed.
Larger, and it might be pushed out on the other side."""

MOST_PUSHES = 8
"""Times that what moves pushes a character in a step, and legs in which it gives way to one push, before it is crushed.
Fewer, and it may be crushed where it could still slide out from between."""

SIDEWAYS_SHARE = 0.05
"""Share of a push in the motion along a floor or wall that gives way to it. Larger, and a slanted press crushes what it
could push out; smaller, and one that is next to flat throws it far aside."""

PUSH_GAP = 0.1
"""Share of a frame's motion that a body may be ahead of a character that pushes it. Larger, and it moves before it is
touched; smaller, and rounding makes the character let go of it."""

SNAP_SHARE = 0.2
"""Share of a character's height that the floor may fall away under it before it leaves it, if the user does not say.
Larger, and it is pulled down from low ledges; smaller, and it walks in more legs."""

BESIDE_SLOPS = 4.0
"""Slops by which the path of a corner is shifted to meet one side of another corner alone. More than the one slop by
which what is flush may differ; larger, and the side found may be another thing's."""

THIN_SLOPS = 4.0
"""Slops of width up to which what moves is thin: two flush parts, each moved inward by the slop, leave it a gap.
At least 2; larger, and what has a little width is stopped where the gap is a little wider than it."""

SEAM_SLOPS = 2.0
"""Slops by which a path may pass beside a corner and still come to it. At least the one slop by which it may lie inside
or outside of what it slides along, and as much for where the corner was left; larger, and true gaps are closed."""

STAND_OFF_SLOPS = 2.0
"""Slops apart at which things without width stop: points and lines. More than the one slop by which rounding may take
them nearer, with room for as much again; larger, and the gap is wider than it needs to be."""

ON_LINE_SLOPS = 0.5
"""Slops apart up to which such things lie on each other, neither on a side of the other. More than any rounding of
where they were put; less than what stands off can come to."""
