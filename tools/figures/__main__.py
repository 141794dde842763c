"""Fill the figures of the pages from the results: `python -m tools.figures` writes, with `--check` it only looks.

In: README.md and docs/. Out: the same pages, where the text below each template has the figures that the checked-in
results have now.
"""

from __future__ import annotations

import argparse
import sys

from tools.figures.fill import ROOT, filled, pages


def main() -> None:
    """Write the pages whose figures are not those of the results, or name them and fail."""
    parser = argparse.ArgumentParser(prog="python -m tools.figures", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, and fail if a page would change")
    check = parser.parse_args().check
    stale = []
    for page in pages():
        text = page.read_text(encoding="utf-8")
        if (new := filled(text)) != text:
            stale.append(page.relative_to(ROOT).as_posix())
            if not check:
                page.write_text(new, encoding="utf-8")
    for name in stale:
        print(f"{name}: {'has other figures than the results' if check else 'written'}")
    if check and stale:
        sys.exit("run python -m tools.figures")


if __name__ == "__main__":
    main()
