"""The columns of pieces of even motion.

In: nothing. Out: the meaning of the columns of an array of pieces, (n, 7): first time and place, last, and radius.
"""

T0, X0, Y0, T1, X1, Y1, RADIUS = range(7)
