"""Systems of equations solved in rational numbers."""

from __future__ import annotations

from fractions import Fraction


def solved(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction] | None:
    """Return the solution of a system of equations; None if it has none or several."""
    n = len(right)
    work = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for k in range(n):
        pivot = next((r for r in range(k, n) if work[r][k] != 0), None)
        if pivot is None:
            return None
        work[k], work[pivot] = work[pivot], work[k]
        for r in range(n):
            if r != k and work[r][k] != 0:
                factor = work[r][k] / work[k][k]
                work[r] = [a - factor * b for a, b in zip(work[r], work[k], strict=True)]
    return [work[k][n] / work[k][k] for k in range(n)]
