"""The columns of pieces of even motion, as `carom.approaches` takes them.

In: nothing. Out: the place of each in an array (n, 7): first time and place, last, and radius.
"""

T0, X0, Y0, T1, X1, Y1, RADIUS = range(7)
