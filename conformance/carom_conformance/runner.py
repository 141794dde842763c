"""Each scene in a process of its own, with a limit of time and of memory.

In: the name of an engine and names of scenes. Out: a `Row` for each. A process that crashes or does not end becomes a
row as well. The processes are forked from one that has imported the engine where the system can do that (every system
but Windows, where each process imports it anew).
"""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from carom_conformance.adapters import load, module_of
from carom_conformance.engine import NotOffered
from carom_conformance.judge import Row, judge
from carom_conformance.registry import all_scenes

SECONDS = 60.0
MEGABYTES = 2048
REPLIES = 10.0
"""Seconds that a process gets beyond its limit, to start and to reply."""
CUT = 120
"""Letters of a message that a row keeps."""


def play(engine: str, name: str) -> Row:
    """Return the verdict on a scene, played in this process; errors of Python are wrong answers."""
    began = time.perf_counter()
    try:
        found = judge(all_scenes()[name].play(load(engine)))
    except NotOffered:
        found = Row("not offered")
    except MemoryError:
        found = Row("crashed", note="needs more memory than the limit")
    except Exception as error:
        found = Row("wrong", note=f"raised {type(error).__name__}: {' '.join(str(error).split())}"[:CUT])
    return found._replace(seconds=round(time.perf_counter() - began, 3))


def run(
    engine: str,
    names: Iterable[str],
    seconds: float = SECONDS,
    megabytes: int = MEGABYTES,
    jobs: int = 1,
    tell: Callable[[str, Row], None] | None = None,
) -> dict[str, Row]:
    """Play scenes one after the other, or several at once, and return their rows by name."""
    context: Any = multiprocessing.get_context("forkserver" if os.name == "posix" else "spawn")
    preload([engine])
    found: dict[str, Row] = {}
    with ThreadPoolExecutor(jobs) as pool:
        asked = {name: pool.submit(apart, context, engine, name, seconds, megabytes) for name in names}
        for name, reply in asked.items():
            found[name] = reply.result()
            if tell is not None:
                tell(name, found[name])
    return found


def preload(engines: Iterable[str]) -> None:
    """Have engines imported once by the process that all others are forked from; its first call counts."""
    if os.name == "posix":
        modules = [__name__, "carom_conformance.scenes.everything", *(module_of(engine)[0] for engine in engines)]
        multiprocessing.get_context("forkserver").set_forkserver_preload(modules)


def apart(context: Any, engine: str, name: str, seconds: float, megabytes: int) -> Row:
    """Play one scene in a process of its own."""
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(theirs, engine, name, seconds, megabytes), daemon=True)
    began = time.perf_counter()
    process.start()
    theirs.close()
    found: Row | None = None
    with suppress(EOFError, OSError):
        if ours.poll(seconds + REPLIES):
            found = Row(*ours.recv())
        else:
            found = Row("crashed", note=f"did not end within {seconds:g} s")
    process.join(1.0 if found is None or found.verdict == "crashed" else REPLIES)
    if process.is_alive():
        process.kill()
        process.join()
    ours.close()
    if found is None:
        found = Row("crashed", note=ending(process.exitcode, seconds))
    return found if found.seconds else found._replace(seconds=round(time.perf_counter() - began, 3))


def ending(code: int | None, seconds: float) -> str:
    """Return in words how a process ended that gave no answer."""
    if code is not None and code < 0:
        if os.name == "posix" and -code == signal.SIGALRM:
            return f"did not end within {seconds:g} s"
        with suppress(ValueError):
            return f"the process died of {signal.Signals(-code).name}"
    return f"the process ended with status {code}"


def _child(reply: Connection, engine: str, name: str, seconds: float, megabytes: int) -> None:
    faulthandler.disable()
    with Path(os.devnull).open("w") as nowhere:  # the output of an engine that dies is no answer
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
        os.dup2(nowhere.fileno(), sys.stderr.fileno())
    if os.name == "posix":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (_in_use() + (megabytes << 20),) * 2)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)
    reply.send(tuple(play(engine, name)))
    reply.close()


def _in_use() -> int:
    """Return how many bytes of addresses the process has as it starts; an imported engine has taken some."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
