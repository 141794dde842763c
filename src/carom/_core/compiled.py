"""The decorators that compile Carom's own loops, for programs and users.

In: a function. Out: the same, compiled at its first call where anything is. `carom._core.jit` does the work, and stands
on nothing else of the package.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from carom._core import jit
from carom._core.jit import Function, prebuilt, subpackages
from carom._core.names import told_by_name


@told_by_name
def inner(function: Function) -> Function:
    """Compile a scalar function into the kernels that call it.

    Parameters
    ----------
    function : callable
        Of numbers, or an array and row numbers, that returns a number or a tuple. It neither allocates nor raises nor
        holds array expressions, and returns no arrays, since nobody counts these.

    Returns
    -------
    callable
        To be called by functions marked with `inner` or `kernel`; from Python, too. Plain Python where `kernel` is.

    Examples
    --------
    >>> @cm.inner
    ... def half(x):
    ...     return 0.5 * x
    >>> half(3.0)
    1.5
    """
    return jit.inner(function)


@told_by_name
def kernel(function: Function) -> Function:
    """Compile a loop over rows, or the face of one pair, at its first call, as Carom compiles its own.

    Parameters
    ----------
    function : callable
        It takes numbers, arrays and named tuples of arrays, and writes into arrays that the caller gives. It may call
        functions marked with `inner` or `kernel`, such as `sweep_disc_box`, but not those of `carom.kernels`, which
        are for functions that Numba's own ``njit`` compiles.

    Returns
    -------
    callable
        It lets other threads run. Its bits are those of plain Python: there is no fast mathematics.

    Notes
    -----
    Compiled forms of Carom and of the packages that come with it are kept on disk; those of others are made anew in
    each process. Without Numba, or with NUMBA_DISABLE_JIT=1, the function stays plain Python, and so does one of your
    own beside the prebuilt kernels of a wheel: set CAROM_KERNELS=jit to have all compiled here.

    Examples
    --------
    >>> import numpy as np
    >>> @cm.kernel
    ... def gaps(places, out):
    ...     for k in range(len(places)):
    ...         out[k] = cm.distance_disc_box(places[k], 0.0, 2.0, -1.0, 3.0, 1.0, 0.5)[0]
    >>> out = np.zeros(2)
    >>> gaps(np.array([0.0, 1.0]), out)
    >>> out
    array([1.5, 0.5])
    """
    return jit.kernel(function)


@told_by_name
def uncounted_kernel(function: Function) -> Function:
    """Compile as `kernel` does a loop that neither makes arrays nor calls what does: it counts no references to them.

    A row of discs and turned boxes takes 30 in place of 40 ns.

    Parameters
    ----------
    function : callable
        As that of `kernel`.

    Returns
    -------
    callable

    Examples
    --------
    >>> import numpy as np
    >>> @cm.uncounted_kernel
    ... def double(values):
    ...     for k in range(values.size):
    ...         values[k] *= 2.0
    >>> values = np.array([1.0, 2.0])
    >>> double(values)
    >>> values
    array([2., 4.])
    """
    return jit.uncounted_kernel(function)


@told_by_name
def will_compile(function: Callable[..., Any]) -> bool:
    """Tell whether the next call of a kernel has to compile it, which takes seconds, rather than load or run it.

    Parameters
    ----------
    function : callable
        One marked with `kernel`.

    Returns
    -------
    bool
        False for plain Python, too.

    Examples
    --------
    >>> import numpy as np
    >>> @cm.kernel
    ... def clear(values):
    ...     for k in range(values.size):
    ...         values[k] = 0.0
    >>> clear(np.ones(3))
    >>> cm.will_compile(clear)
    False
    """
    return jit.will_compile(function)


@told_by_name
def source_key(subpackage: str) -> str:
    """Return a hash of all sources that compiled code of a subpackage depends on, for files that are made from it.

    Parameters
    ----------
    subpackage : str
        A file or folder of Carom, such as "narrow", or a program, such as "carom_breakout".

    Returns
    -------
    str
        It changes with every edit of a source that counts. Empty in an install, where nobody edits sources.

    Raises
    ------
    ValueError
        If there is no such subpackage.

    Examples
    --------
    >>> len(cm.source_key("narrow")) in (0, 16)
    True
    """
    if not prebuilt.is_checkout():
        return ""
    if not subpackages.is_known(subpackage):
        raise ValueError(f"source_key: subpackage = {subpackage!r} is no file or folder of Carom")
    return subpackages.key(subpackage)
