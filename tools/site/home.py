"""The first page, and the live playground in it.

In: `docs/home.md`, and the kernels that `make page` compiles. Out: the page `index` on a stage;
`play.html` in the site.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tools.site.stage import Stage

ROOT = Path(__file__).parents[2]
HOME = ROOT / "docs" / "home.md"


def add_to(stage: Stage) -> None:
    """Add the first page."""
    stage.add("index.md", HOME.read_text(encoding="utf-8"), "docs/home.md")


def playground(file: Path) -> str:
    """Write the live page, with kernels as they are compiled for it now; return a word on them."""
    from carom_playground.browser.module import NotLive, module

    try:
        module()
    except NotLive:
        subprocess.run([sys.executable, "-m", "tools.emit.page"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(
        [sys.executable, "-m", "carom", "playground", "--html", str(file)], check=True, stdout=subprocess.DEVNULL
    )
    return "the playground is live"
