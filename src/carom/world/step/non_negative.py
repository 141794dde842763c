"""A few impulses at once, none of which pulls, solved to the end: the non-negative least squares problem.

In: a symmetric matrix of what each impulse does at each point, and what each point lacks. Out: impulses x >= 0 with
matrix x = lack where x > 0, and matrix x >= lack where x = 0. Impulses join one by one, the one that lacks most first,
and those that have joined are solved by Cholesky's factor; one that would pull leaves (C. Lawson, R. Hanson, "Solving
Least Squares Problems", 1974, chapter 23). An impulse whose effect the others have together takes the place of one.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Floats, Integers
from carom.world.step.minimise import AGREE, DEPENDS

OUT, IN, NEVER = 0, 1, 2


@kernel
def solve_non_negative(matrix: Floats, lack: Floats, push: Floats) -> None:
    """Write the impulses into `push`."""
    count = lack.shape[0]
    factor, trial, state = np.empty((count, count)), np.empty(count), np.zeros(count, dtype=np.int64)
    most = 0.0
    for p in range(count):
        push[p] = 0.0
        most = max(most, abs(lack[p]))
    for _ in range(3 * count):
        joins = neediest(matrix, lack, push, state, AGREE * most)
        if joins < 0:
            return
        state[joins] = IN
        if not factorise(matrix, state, factor):
            take_place(matrix, factor, push, state, trial, joins)
            factorise(matrix, state, factor)
        while not step_towards(factor, lack, push, state, trial) and factorise(matrix, state, factor):
            pass


@kernel
def neediest(matrix: Floats, lack: Floats, push: Floats, state: Integers, least: float) -> int:
    """Return which impulse that is out lacks most, and more than `least`; -1 if none does."""
    found = -1
    for p in range(lack.shape[0]):
        left = lack[p]
        for q in range(lack.shape[0]):
            left -= matrix[p, q] * push[q]
        if state[p] == OUT and left > least:
            found, least = p, left
    return found


@kernel
def factorise(matrix: Floats, state: Integers, factor: Floats) -> bool:
    """Write Cholesky's factor of the part of the matrix that is in; False if one depends on those before it."""
    for p in range(state.shape[0]):
        for q in range(p + 1 if state[p] == IN else 0):
            if state[q] != IN:
                continue
            left = matrix[p, q]
            for r in range(q):
                left -= factor[p, r] * factor[q, r] if state[r] == IN else 0.0
            if q < p:
                factor[p, q] = left / factor[q, q]
            elif left > DEPENDS * matrix[p, p]:
                factor[p, p] = math.sqrt(left)
            else:
                return False
    return True


@kernel
def solve_within(factor: Floats, right: Floats, state: Integers, out: Floats) -> None:
    """Write the solution for those that are in."""
    count = state.shape[0]
    for p in range(count):
        if state[p] == IN:
            out[p] = right[p]
            for q in range(p):
                out[p] -= factor[p, q] * out[q] if state[q] == IN else 0.0
            out[p] /= factor[p, p]
    for p in range(count - 1, -1, -1):
        if state[p] == IN:
            for q in range(p + 1, count):
                out[p] -= factor[q, p] * out[q] if state[q] == IN else 0.0
            out[p] /= factor[p, p]


@kernel
def step_towards(factor: Floats, lack: Floats, push: Floats, state: Integers, trial: Floats) -> bool:
    """Go towards the solution of those that are in, until one would pull, which leaves; True if none does."""
    solve_within(factor, lack, state, trial)
    share, leaves = 1.0, -1
    for p in range(state.shape[0]):
        if state[p] == IN and trial[p] <= 0.0 and push[p] <= share * (push[p] - trial[p]):
            share, leaves = push[p] / (push[p] - trial[p]) if push[p] > trial[p] else 0.0, p
    for p in range(state.shape[0]):
        push[p] += share * (trial[p] - push[p]) if state[p] == IN else 0.0
    if leaves >= 0:
        state[leaves], push[leaves] = OUT, 0.0
    return leaves < 0


@kernel
def take_place(matrix: Floats, factor: Floats, push: Floats, state: Integers, trial: Floats, joins: int) -> None:
    """Have an impulse that depends on those that are in take the place of one of them, with the same effect.

    Where none can leave, they contradict each other without end, and the impulse stays out.
    """
    state[joins] = OUT
    factorise(matrix, state, factor)
    solve_within(factor, matrix[joins], state, trial)
    share, leaves = math.inf, -1
    for p in range(state.shape[0]):
        if state[p] == IN and trial[p] > AGREE and push[p] < share * trial[p]:
            share, leaves = push[p] / trial[p], p
    if leaves < 0:
        state[joins] = NEVER
        return
    for p in range(state.shape[0]):
        push[p] = max(push[p] - share * trial[p], 0.0) if state[p] == IN else 0.0
    push[joins], push[leaves] = share, 0.0
    state[joins], state[leaves] = IN, OUT
