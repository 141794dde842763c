"""The memory that an answer may take: the least of the machine's free memory and the limit of the process.

In: a number of bytes. Out: whether so many may be taken, or the text of the error that refuses them.
"""

from __future__ import annotations

import os

UNKNOWN = 4 * 2**30  # where the system does not tell
FEW = 2**26  # bytes that fit anywhere
SHARE = 0.8  # of what is free; the rest is left to everybody else

_MEMORY = "/proc/meminfo"
_GROUP = "/sys/fs/cgroup"


def free_memory() -> int:
    """Return the bytes that an answer may take: four fifths of what the machine, or the limit of a container, leaves.

    Searches for pairs refuse answers that take more, and tables take so much where ``memory=`` says nothing else.

    Returns
    -------
    int

    Examples
    --------
    >>> cm.free_memory() > 0
    True
    """
    return int(SHARE * min(_free_of_machine(), _free_of_group()))


def fits(size: int) -> bool:
    """Tell whether so many bytes may be taken; for few, without asking the system, which takes time."""
    return size <= FEW or size <= free_memory()


def refusal(where: str, count: int, what: str, bytes_each: int, remedy: str) -> str:
    """Return the text of the error for an answer that does not fit."""
    need, have = bytes_each * count / 2**30, free_memory() / 2**30
    return f"{where}: {count:,} {what}; that takes {need:,.1f} GiB of memory, and {have:,.1f} GiB are free; {remedy}"


def _text(path: str) -> str:
    with open(path, encoding="ascii") as file:
        return file.read()


def _free_of_machine() -> float:
    try:
        lines = _text(_MEMORY).splitlines()
        return next(1024.0 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable"))
    except (OSError, ValueError, StopIteration):
        pass
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, OSError, ValueError):
        return UNKNOWN


def _free_of_group() -> float:
    """Return the memory that the limit of a container leaves; without one, no limit."""
    try:
        limit = _text(os.path.join(_GROUP, "memory.max")).strip()
        used = _text(os.path.join(_GROUP, "memory.current")).strip()
        return float("inf") if limit == "max" else float(int(limit) - int(used))
    except (OSError, ValueError):
        return float("inf")
