"""How pictures become a file: a PNG, an animated GIF, an MP4.

In: pygame surfaces, one for each picture, and the pictures per second. Out: the file named by the user, its kind by its
ending. The libraries for it come with the extra `play` and are imported only when a film is made.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import TracebackType

import pygame

import carom as cm
from carom_breakout.art import palette
from carom_breakout.art.overlay import NORMAL_COLOR, PATH_COLOR, SHAPE_COLOR
from carom_breakout.art.particles import EMBER
from carom_breakout.power_up_table import POWER_UPS

MAKERS = {".gif": ("PIL",), ".mp4": ("imageio", "imageio_ffmpeg")}
PICTURES = (".png", ".jpg", ".jpeg", ".bmp")


class FileError(ValueError):
    """A file that cannot be written: which, and why."""


def check_film(name: str) -> Path:
    """Return the path of a film to be written, or say why it cannot be."""
    path = Path(name)
    if path.suffix.lower() not in MAKERS:
        raise FileError(f"{name}: a film ends in .gif or .mp4")
    for module in MAKERS[path.suffix.lower()]:
        import_module(module)
    return check_folder(path)


def check_picture(name: str) -> Path:
    """Return the path of a picture to be written, or say why it cannot be."""
    path = Path(name)
    if path.suffix.lower() not in PICTURES and not path.is_dir():
        raise FileError(f"{name}: a picture ends in {', '.join(PICTURES)}")
    return check_folder(path)


def check_folder(path: Path) -> Path:
    """Return the path of a file to be written, or say that its folder is missing or cannot be written to."""
    if not path.resolve().parent.is_dir():
        raise FileError(f"{path}: there is no folder {path.resolve().parent}")
    if path.is_dir():
        raise FileError(f"{path}: this is a folder; give the name of a file")
    fresh = not path.exists()
    try:
        with path.open("ab"):
            pass
        if fresh:
            path.unlink()
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror}") from None
    return path


def save_picture(surface: pygame.Surface, path: Path) -> None:
    """Write one picture; the ending says which kind."""
    try:
        pygame.image.save(surface, str(path))
    except (pygame.error, OSError) as error:
        raise FileError(f"{path}: the picture cannot be written ({error})") from None


LATER = (
    *(power_up.color for power_up in POWER_UPS),
    *(palette.brick_color(code) for code in range(1, 7)),
    *(palette.ROSE, palette.BRASS, palette.IVORY, palette.BALL_THROUGH, palette.PADDLE_STICKY, EMBER),
    *(palette.WRONG, palette.RIGHT, PATH_COLOR, NORMAL_COLOR, SHAPE_COLOR, palette.FINE),
)
"""Colours that only later pictures of a film show."""


class Film(cm.draw.Film):
    """A film of a round; what the system refuses is told as a `FileError`.

    Parameters
    ----------
    path : where to, ending in .gif or .mp4.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, colors=LATER)
        self.path = path

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with told(self.path):
            super().__exit__(kind, error, trace)

    def add(self, surface: pygame.Surface) -> None:
        """Add one picture; all must be of one size."""
        with told(self.path):
            super().add(surface)


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Tell what the system refuses about a film in a line."""
    try:
        yield
    except OSError as error:
        raise FileError(f"{path}: the film cannot be written ({error})") from None
