"""How pictures become a file: a PNG, an animated GIF, an MP4.

In: pygame surfaces, one for each picture, and the pictures per second. Out: the file named by the user, its kind by its
ending. The libraries for it come with the extra `play` and are imported only when a film is made.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pygame

from carom_breakout.art import palette
from carom_breakout.art.overlay import NORMAL_COLOR, PATH_COLOR, SHAPE_COLOR
from carom_breakout.art.particles import EMBER
from carom_breakout.power_up_table import POWER_UPS

if TYPE_CHECKING:
    from PIL import Image

FPS = {".gif": 25, ".mp4": 30}  # pictures per second that suit each kind of film
MAKERS = {".gif": ("PIL",), ".mp4": ("imageio", "imageio_ffmpeg")}
PICTURES = (".png", ".jpg", ".jpeg", ".bmp")
GIF_COLORS = 128
MP4_BLOCK = 2


class FileError(ValueError):
    """A file that cannot be written: which, and why."""


def check_film(name: str) -> Path:
    """Return the path of a film to be written, or say why it cannot be."""
    path = Path(name)
    if path.suffix.lower() not in FPS:
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


def _gif_palette(picture: Image.Image) -> Image.Image:
    """The colours of a first picture, and those that only later pictures will show."""
    from PIL import Image

    later = [power_up.color for power_up in POWER_UPS]
    later += [palette.brick_color(code) for code in range(1, 7)]
    later += [palette.ROSE, palette.BRASS, palette.IVORY, palette.BALL_THROUGH, palette.PADDLE_STICKY, EMBER]
    later += [palette.WRONG, palette.RIGHT, PATH_COLOR, NORMAL_COLOR, SHAPE_COLOR, palette.FINE]
    first = picture.quantize(GIF_COLORS - len(later), method=Image.Quantize.MEDIANCUT).getpalette()
    colors = [*(first or []), *(value for color in later for value in color)]
    shared = Image.new("P", (1, 1))
    shared.putpalette(colors)
    return shared


class Film:
    """Takes pictures one after another and writes them when it is closed; use it in a `with` block.

    A block that Ctrl-C or an error ends leaves the film as far as it had come.

    Parameters
    ----------
    path : where to, ending in .gif or .mp4.
    fps : pictures per second; a number that suits the kind unless given.
    """

    def __init__(self, path: Path, fps: int = 0) -> None:
        self.path = path
        self.moving = path.suffix.lower() == ".mp4"
        self.fps = fps or FPS[path.suffix.lower()]
        self._taken = 0
        self._writer: Any = None
        self._frames: list[Image.Image] = []
        self._palette: Image.Image | None = None

    def __enter__(self) -> Film:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self._writer is not None:
                self._writer.close()
            elif self._frames:
                first, *later = self._frames
                duration = round(1000 / self.fps)
                first.save(self.path, save_all=True, append_images=later, duration=duration, loop=0, optimize=True)
        except OSError as error:
            raise FileError(f"{self.path}: the film cannot be written ({error})") from None

    @property
    def seconds(self) -> float:
        """The length of the film so far."""
        return self._taken / self.fps

    def wants(self, seconds: float) -> bool:
        """Whether a picture is due at this second of the film."""
        return seconds * self.fps >= self._taken - 1e-6

    def add(self, surface: pygame.Surface) -> None:
        """Add one picture; all must be of one size."""
        try:
            if self.moving:
                self._add_to_mp4(surface)
            else:
                self._add_to_gif(surface)
        except OSError as error:
            raise FileError(f"{self.path}: the film cannot be written ({error})") from None
        self._taken += 1

    def _add_to_mp4(self, surface: pygame.Surface) -> None:
        import imageio.v2 as imageio

        if self._writer is None:
            self._writer = imageio.get_writer(
                str(self.path), format="FFMPEG", fps=self.fps, codec="libx264", quality=8,
                macro_block_size=MP4_BLOCK, ffmpeg_log_level="error",
                ffmpeg_params=["-preset", "veryfast"],
            )  # fmt: skip
        self._writer.append_data(pygame.surfarray.array3d(surface).swapaxes(0, 1))

    def _add_to_gif(self, surface: pygame.Surface) -> None:
        from PIL import Image

        picture = Image.frombytes("RGB", surface.get_size(), pygame.image.tobytes(surface, "RGB"))
        if self._palette is None:
            self._palette = _gif_palette(picture)
        self._frames.append(picture.quantize(palette=self._palette, dither=Image.Dither.NONE))
