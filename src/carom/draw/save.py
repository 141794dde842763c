"""Pictures into a file, with matplotlib only where the file's ending asks for it.

In: pictures, to stand side by side, and a path. Out: the file; and the module that draws with matplotlib, or an error
that says how to install it.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any

from carom.draw.picture import Picture
from carom.draw.svg import to_svg


def save(file: str | PathLike[str], pictures: Sequence[Picture], title: str) -> None:
    """Write pictures as SVG, or in any other format that matplotlib knows by the file's ending."""
    from pathlib import Path  # only here

    path = Path(file)
    if path.suffix.lower() == ".svg":
        path.write_text(to_svg(pictures, title), encoding="utf-8")
    else:
        matplotlib().figure(pictures).savefig(path)


def matplotlib() -> Any:
    """Return the module that draws with matplotlib, or say how to install it."""
    try:
        from carom.draw import plot
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] != "matplotlib":
            raise
        remedy = 'needs matplotlib; install it with: pip install "carom[plot]", or save the explanation as .svg'
        raise ModuleNotFoundError(f"this picture {remedy}", name="matplotlib") from None
    return plot
