"""The only file that knows Numba: the two decorators that compile Carom's functions.

`inner` marks a pure scalar function that kernels call: numbers, or an array and row numbers, in; a number or a tuple
out. `kernel` marks one loop over rows that writes into arrays given by the caller, or the compiled face of one pair.
"""

from numba import njit

inner = njit(error_model="numpy", forceinline=True)
kernel = njit(error_model="numpy", nogil=True)
