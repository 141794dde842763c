"""All kernels, compiled beforehand by two processes: `carom compile`.

In: the list of the kernels that Python calls. Out: their compiled forms on disk, where the next process finds them.
"""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from multiprocessing import active_children, get_context
from typing import Any

from carom._core import jit
from carom._core.jit.prebuilt import to_install
from carom._core.missing import BROUGHT


def compile_all(options: argparse.Namespace) -> None:
    """Compile all kernels that Python calls, with a progress bar, but those that need packages which are missing."""
    if jit.KERNELS != "jit":
        print(f"nothing to compile: the kernels are {jit.KERNELS}")
        return
    from carom._core.jit import kernel_cache, signatures

    lines, done, lacked = signatures.listed(), 0, list[str]()
    try:
        for package in progress(compile_lines(lines), len(lines)):
            done += 1
            lacked += [package] if package else []
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"carom compile: stopped; {done} of {len(lines)} kernels are done") from None
    print(f"{done - len(lacked)} kernels are compiled, in {kernel_cache.folder()}")
    if lacked:
        print(left_out(lacked))


def left_out(lacked: list[str]) -> str:
    """Say how many kernels are left out for want of which packages, and what would bring these."""
    packages = sorted(set(lacked))
    extras = sorted({BROUGHT[one][1] for one in packages if one in BROUGHT})
    remedy = f": {to_install(','.join(extras))}" if extras else ""
    return f"{len(lacked)} are left out, which need {', '.join(packages)}{remedy}"


def compile_lines(lines: list[str]) -> Iterator[str]:
    """Compile the kernels that lines of the list spell, and yield what `compile_line` returns, as each is done.

    Two processes begin at either end of the list. Neighbours there are of one subpackage and share what they are made
    of, which a process reads and types once. Ctrl-C ends both at once, though they do not hear it.
    """
    left, others = deque(lines), {*active_children()}
    with ExitStack() as closing:
        ends = [ProcessPoolExecutor(1, get_context("spawn"), ignore_interrupts) for _ in range(min(2, len(lines)))]
        for process in ends:
            closing.callback(process.shutdown, cancel_futures=True)
        with interrupts_ignored():  # which a new process inherits, for what it does before it can say so itself
            busy: dict[Future[str], int] = {ends[k].submit(compile_line, _next(left, k)): k for k in range(len(ends))}
        try:
            while busy:
                for done in wait(busy, return_when=FIRST_COMPLETED).done:
                    k = busy.pop(done)
                    if left:
                        busy[ends[k].submit(compile_line, _next(left, k))] = k
                    yield done.result()
        except KeyboardInterrupt:
            for one in {*active_children()} - others:
                one.terminate()
            raise


def ignore_interrupts() -> None:
    """Have Ctrl-C not end this process: the one that has begun it will."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def interrupts_ignored() -> Iterator[None]:
    """Ignore Ctrl-C for a moment; only the main thread is asked for it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _next(left: deque[str], end: int) -> str:
    return left.popleft() if end == 0 else left.pop()


def compile_line(line: str) -> str:
    """Compile in this process the kernel that a line spells; return the package that is not installed and it needs."""
    from carom._core.jit import notice, signatures

    notice.notice.wanted = False  # another progress is shown
    lacked = signatures.lacked_by(line, signatures.import_all())
    for name, forms in signatures.read([] if lacked else [line]).items():
        kernel = dict(signatures.kernels())[name]
        for given in forms:
            kernel.compile(given)
    return lacked


def progress(done: Iterator[str], count: int) -> Any:
    """Return the same with a bar on stderr, where tqdm is installed."""
    try:
        import tqdm
    except ModuleNotFoundError:
        print(f"compiling {count} kernels, some minutes", file=sys.stderr)
        return done
    return tqdm.tqdm(done, total=count, desc="compiling", unit="kernel", file=sys.stderr)
