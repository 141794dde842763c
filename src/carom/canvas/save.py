"""Pictures into a file, with matplotlib only where the file's ending asks for it.

In: pictures, to stand side by side, and a path. Out: the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

from carom.canvas.drawing import Drawing
from carom.canvas.packages import matplotlib
from carom.canvas.svg import to_svg


def save(file: str | PathLike[str], pictures: Sequence[Drawing], title: str) -> None:
    """Write pictures as SVG, or in any other format that matplotlib knows by the file's ending."""
    from pathlib import Path  # only here

    path = Path(file)
    if path.suffix.lower() == ".svg":
        path.write_text(to_svg(pictures, title), encoding="utf-8")
    else:
        matplotlib().figure(pictures).savefig(path)
