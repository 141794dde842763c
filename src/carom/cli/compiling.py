"""All kernels, compiled beforehand by two processes: `carom compile`.

In: the list of the kernels that Python calls. Out: their compiled forms on disk, where the next process finds them.
"""

from __future__ import annotations

import argparse
import sys
from collections import deque
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack
from multiprocessing import get_context
from typing import Any

from carom._core import jit


def compile_all(options: argparse.Namespace) -> None:
    """Compile all kernels that Python calls, with a progress bar."""
    if jit.KERNELS != "jit":
        print(f"nothing to compile: the kernels are {jit.KERNELS}")
        return
    from carom._core.jit import kernel_cache, signatures

    lines = signatures.listed()
    done = sum(1 for _ in progress(compile_lines(lines), len(lines)))
    print(f"{done} kernels are compiled, in {kernel_cache.folder()}")


def compile_lines(lines: list[str]) -> Iterator[str]:
    """Compile the kernels that lines of the list spell, and yield each line when it is done.

    Two processes begin at either end of the list. Neighbours there are of one subpackage and share what they are made
    of, which a process reads and types once.
    """
    left = deque(lines)
    with ExitStack() as closing:
        ends = [ProcessPoolExecutor(1, get_context("spawn")) for _ in range(min(2, len(lines)))]
        for process in ends:
            closing.callback(process.shutdown, cancel_futures=True)
        busy: dict[Future[str], int] = {ends[k].submit(compile_line, _next(left, k)): k for k in range(len(ends))}
        while busy:
            for done in wait(busy, return_when=FIRST_COMPLETED).done:
                k = busy.pop(done)
                if left:
                    busy[ends[k].submit(compile_line, _next(left, k))] = k
                yield done.result()


def _next(left: deque[str], end: int) -> str:
    return left.popleft() if end == 0 else left.pop()


def compile_line(line: str) -> str:
    """Compile in this process the kernel that a line spells; return the line."""
    from carom._core.jit import kernel_cache, signatures

    kernel_cache.without_notice()  # another progress is shown
    for name, forms in signatures.read([line]).items():
        kernel = dict(signatures.kernels())[name]
        for given in forms:
            kernel.compile(given)
    return line


def progress(done: Iterator[str], count: int) -> Any:
    """Return the same with a bar on stderr, where tqdm is installed."""
    try:
        import tqdm
    except ModuleNotFoundError:
        print(f"compiling {count} kernels, some minutes", file=sys.stderr)
        return done
    return tqdm.tqdm(done, total=count, desc="compiling", unit="kernel", file=sys.stderr)
