"""Play the scenes against engines: `python -m carom_conformance --engine carom --engine package.module:Adapter`."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path

from carom_conformance import results
from carom_conformance.adapters import ADAPTERS, load
from carom_conformance.judge import VERDICTS, Row
from carom_conformance.registry import all_scenes
from carom_conformance.runner import MEGABYTES, SECONDS, preload, run


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m carom_conformance", description=__doc__)
    names = ", ".join(ADAPTERS)
    parser.add_argument("--engine", action="append", help=f"{names}, or module:Class; may be given several times")
    parser.add_argument("--scenes", nargs="*", default=[], metavar="WORD", help="scenes whose names have one of these")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="limit of time for a scene")
    parser.add_argument(
        "--memory", type=int, default=MEGABYTES, help="limit of memory for a scene, in MB; not on Windows"
    )
    parser.add_argument("--jobs", type=int, default=1, help="scenes played at once")
    parser.add_argument("--json", type=Path, metavar="FOLDER", help="write results to FOLDER/<engine>.json")
    parser.add_argument("--keep", action="store_true", help="write results into conformance/results, and the page")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="draw every scene as Carom plays it, and stop")
    parser.add_argument("--list", action="store_true", help="list the scenes, and stop")
    options = parser.parse_args()
    known = all_scenes()
    chosen = [name for name in known if not options.scenes or any(word in name for word in options.scenes)]
    if options.list:
        for name in chosen:
            print(f"{name:48} {known[name].text}")
        return
    if options.pictures:
        from carom_conformance.sketch import draw_all

        draw_all(options.pictures, chosen)
        return
    engines = options.engine or ["carom"]
    preload(engines)
    for engine in engines:
        began = time.perf_counter()
        rows = run(engine, chosen, options.seconds, options.memory, options.jobs, tell)
        counts = Counter(row.verdict for row in rows.values())
        told = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS)
        print(f"{engine}: {told}, of {len(rows)} scenes in {time.perf_counter() - began:.0f} s")
        target = options.json
        if options.keep and len(chosen) == len(known):
            target = results.RESULTS / results.folder(results.machine())
        if target:
            results.write(results.of(load(engine), rows), target / f"{engine.rpartition(':')[0] or engine}.json")
    if options.keep:
        from carom_conformance import report

        if all(one.rows.keys() == known.keys() for one in report.kept()):
            report.write()
        else:
            print("the page is left as it is: not all engines have been kept with the scenes that there are now")


def tell(name: str, row: Row) -> None:
    """Print a row that is not right."""
    if row.verdict not in ("right", "not offered"):
        print(f"{row.verdict:8} {name:44} {explained(row)}", flush=True)


def explained(row: Row) -> str:
    """Return in a line why a row is not right."""
    if row.note:
        return row.note
    off = "" if row.off is None else f", off by {row.off:.3g} where {row.within:.3g} is allowed"
    return f"{row.measured}, right {row.expected}{off}"


if __name__ == "__main__":
    main()
