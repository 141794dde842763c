"""Films: an animated GIF or an MP4 of a world, of a recording, or of what a program yields step by step.

In: what is to be seen, and a file; or surfaces of one's own, one by one. Out: the file, its kind by its ending. Pillow
writes GIFs, imageio with ffmpeg MP4s; both come with the extra `play` and are imported when a film is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike, fspath
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Never, NoReturn, Self

from carom._core import inputs
from carom._core.missing import need
from carom._core.names import NamesNear, names_near, refuse_keywords, told_by_name
from carom.draw.camera import Camera
from carom.draw.window import painted
from carom.world.recording import Recording
from carom.world.world import World

if TYPE_CHECKING:
    import pygame
    from PIL import Image

WHERE = "draw.film"
RATES = {".gif": 25, ".mp4": 30}
"""Pictures a second that suit each kind of film."""
MAKERS = {".gif": ("pygame", "PIL"), ".mp4": ("pygame", "imageio", "imageio_ffmpeg")}
FASTEST = {".gif": 50, ".mp4": 240}
"""Viewers show GIFs of shorter pauses than 20 ms at a tenth of their speed."""
GIF_COLORS, MOST_COLORS = 128, 64
"""Of the palette of a GIF; and how many of them a user may choose."""
MOST_PICTURES = 100_000
"""Of one film: more would take hours."""
SHORTEST, LONGEST = 1e-5, 100.0
"""Seconds of a step that is filmed: thousands of steps for each picture, and thousands of pictures for each step."""


@names_near
class Film(metaclass=NamesNear):
    """A film that is made of pygame surfaces, one by one; use it in a `with` block, at whose end the file is written.

    A block that an error or Ctrl-C ends leaves the film as far as it had come.

    Parameters
    ----------
    file : str or path
        Ends in .gif or .mp4.
    fps : int, optional
        Pictures a second: 25 for a GIF, 30 for an MP4, unless given.
    colors : sequence of (red, green, blue), optional
        Colours that later pictures of a GIF show and its first one does not: all share one palette of 128 colours.

    Attributes
    ----------
    seconds : float
        The length of the film so far.

    Raises
    ------
    ModuleNotFoundError
        If what writes films is not installed.
    TypeError, ValueError
        With the argument at fault; no file is written then.

    Examples
    --------
    >>> import pygame, tempfile, pathlib
    >>> screen, file = pygame.Surface((80, 60)), pathlib.Path(tempfile.mkdtemp(), "dot.gif")
    >>> with cm.draw.Film(file) as film:
    ...     for x in range(10, 70, 2):
    ...         _ = screen.fill("white")
    ...         _ = pygame.draw.circle(screen, "red", (x, 30), 8)
    ...         film.add(screen)
    >>> film.seconds, file.exists()
    (1.2, True)
    """

    @told_by_name
    def __init__(
        self,
        file: str | PathLike[str],
        fps: int | None = None,
        *,
        colors: Sequence[Sequence[int]] = (),
        **unknown: Never,
    ) -> None:
        if unknown:
            refuse_keywords("draw.Film", Film, unknown)
        where = "draw.Film"
        self._path, self._rate = checked(where, file, fps)
        self._colors = [
            value
            for k, color in enumerate(inputs.listed(where, "colors", colors, "colours"))
            for value in _color(where, k, color)
        ]
        if len(self._colors) > 3 * MOST_COLORS:
            inputs.refuse(ValueError, where, "colors", colors, f"must be at most {MOST_COLORS}")
        self._taken = 0
        self._writer: Any = None
        self._pictures: list[Image.Image] = []

    def __reduce__(self) -> NoReturn:
        raise TypeError("draw.Film: a film is a file that is being written; it can be neither pickled nor copied")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._writer is not None:
            self._writer.close()
        elif self._pictures:
            first, *later = self._pictures
            pause = round(1000 / self._rate)
            first.save(self._path, save_all=True, append_images=later, duration=pause, loop=0, optimize=True)

    @property
    def seconds(self) -> float:
        """The length of the film so far."""
        return self._taken / self._rate

    @told_by_name
    def wants(self, seconds: float) -> bool:
        """Return whether a picture is due at this second of the film."""
        return inputs.number("Film.wants", "seconds", seconds) * self._rate >= self._taken - 1e-6

    @told_by_name
    def add(self, surface: pygame.Surface) -> None:
        """Add one picture; all must be of one size."""
        import pygame

        if not isinstance(surface, pygame.Surface):
            inputs.refuse_type("Film.add", "surface", surface, "must be a pygame.Surface")
        if self._path.suffix.lower() == ".mp4":
            self._add_to_mp4(surface)
        else:
            self._add_to_gif(surface)
        self._taken += 1

    def _add_to_mp4(self, surface: pygame.Surface) -> None:
        import imageio.v2 as imageio
        import pygame

        if self._writer is None:
            self._writer = imageio.get_writer(
                str(self._path), format="FFMPEG", fps=self._rate, codec="libx264", quality=8,
                macro_block_size=2, ffmpeg_log_level="error", ffmpeg_params=["-preset", "veryfast"],
            )  # fmt: skip
        self._writer.append_data(pygame.surfarray.array3d(surface).swapaxes(0, 1))

    def _add_to_gif(self, surface: pygame.Surface) -> None:
        import pygame
        from PIL import Image

        picture = Image.frombytes("RGB", surface.get_size(), pygame.image.tobytes(surface, "RGB"))
        if self._pictures:
            shared = self._pictures[0]
        else:
            own = GIF_COLORS - len(self._colors) // 3
            first = picture.quantize(own, method=Image.Quantize.MEDIANCUT).getpalette() or []
            shared = Image.new("P", (1, 1))
            shared.putpalette([*first[: 3 * own], *self._colors])
        self._pictures.append(picture.quantize(palette=shared, dither=Image.Dither.NONE))


@told_by_name
def film(
    thing: World | Recording | Iterable[Any],
    file: str | PathLike[str],
    *,
    seconds: float | None = None,
    dt: float = 1 / 60,
    size: tuple[int, int] = (640, 480),
    camera: Camera | None = None,
    fps: int | None = None,
    layers: str | Iterable[str] = (),
    color: Any = "kind",
    background: Any = "white",
    joints: bool = True,
    **unknown: Never,
) -> None:
    """Write a film of a world, of a recording, or of what a generator yields step by step.

    Parameters
    ----------
    thing : World, Recording or iterable
        A copy of a world is stepped for so many `seconds`; the world stays as it is. A recording is played again. An
        iterable yields a world, or anything else that `paint` draws, after each step of `dt` seconds: a generator of
        your own that steps its world and steers what is in it.
    file : str or path
        Ends in .gif or .mp4.
    seconds : float, positive
        How long the film is at most; a world needs it, others end by themselves, or after 100,000 pictures.
    dt : float, from 1e-5 to 100
        Seconds of a step. A recording knows its own.
    size : (width, height)
        In pixels.
    camera : Camera, optional
        What is seen; all that is there at first if not given.
    fps : int, optional
        Pictures a second: 25 for a GIF, 30 for an MP4, unless given. Time in the film goes as in the world.
    layers, color, joints
        As in `paint`.
    background : colour
        Anything that pygame takes for one.

    Raises
    ------
    ModuleNotFoundError
        If pygame or what writes films is not installed.
    TypeError, ValueError
        With the argument at fault; no file is written then.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> world = cm.World(gravity=(0, -10))
    >>> floor, ball = world.add(cm.Box((0, -1), (6, 1))), world.add(cm.Circle((0, 2), 0.5), kind="dynamic")
    >>> file = pathlib.Path(tempfile.mkdtemp(), "ball.gif")
    >>> cm.draw.film(world, file, seconds=0.5, size=(160, 120))
    >>> file.read_bytes()[:3], ball.position
    (b'GIF', Vec(0.0, 2.0))
    """
    if unknown:
        refuse_keywords(WHERE, film, unknown)
    path, rate = checked(WHERE, file, fps)
    wide, high = (
        inputs.integer(WHERE, "size", one) for one in inputs.items_of(WHERE, "size", size, 2, "(width, height)")
    )
    if not (2 <= wide <= 8192 and 2 <= high <= 8192):
        inputs.refuse(ValueError, WHERE, "size", size, "must be from 2 to 8192 pixels wide and high")
    length = inputs.size(WHERE, "dt", dt)
    if not SHORTEST <= length <= LONGEST:
        inputs.refuse(ValueError, WHERE, "dt", dt, f"must be from {SHORTEST:g} to {LONGEST:g} seconds")
    most = MOST_PICTURES / rate
    end = most if seconds is None else inputs.size(WHERE, "seconds", seconds)
    if isinstance(thing, World) and seconds is None:
        inputs.refuse_type(WHERE, "seconds", seconds, "must be given for a world: how long it is to be filmed")
    if end > most:
        inputs.refuse(ValueError, WHERE, "seconds", seconds, f"must be at most {most:g} at {rate} pictures a second")
    if camera is not None and not isinstance(camera, Camera):
        inputs.refuse_type(WHERE, "camera", camera, "must be a Camera")
    import pygame

    try:
        behind = pygame.Color(background)
    except (TypeError, ValueError):
        inputs.refuse(ValueError, WHERE, "background", background, "must be a colour, as a name or (red, green, blue)")
    surface, now = pygame.Surface((wide, high)), 0.0
    with Film(path, rate) as taken:
        for seen, step in _steps_of(thing, length):
            while taken.wants(now) and taken.seconds < end - 1e-9:
                surface.fill(behind)
                camera = painted(WHERE, surface, seen, camera, layers, color, joints=joints)
                taken.add(surface)
            now += step
            if now > end + 1e-9:
                break


def _steps_of(thing: Any, length: float) -> Iterator[tuple[Any, float]]:
    """Give what is seen at first and after each step, with the seconds that follow until the next."""
    if isinstance(thing, World):
        world = thing.copy()
        while True:
            yield world, length
            world.step(length)
    elif isinstance(thing, Recording):
        yield from thing._steps()
    else:
        try:
            frames = iter(thing)
        except TypeError:
            inputs.refuse_type(WHERE, "thing", thing, "must be a World, a Recording or an iterable of what paint draws")
        for seen in frames:
            yield seen, length


def _color(where: str, k: int, color: Any) -> list[int]:
    """Return the red, green and blue of a colour, each from 0 to 255."""
    expected = "a colour (red, green, blue), each from 0 to 255"
    found = [
        inputs.integer(where, f"colors[{k}]", one) for one in inputs.items_of(where, f"colors[{k}]", color, 3, expected)
    ]
    if not all(0 <= one <= 255 for one in found):
        inputs.refuse(ValueError, where, f"colors[{k}]", color, f"must be {expected}")
    return found


def checked(where: str, file: str | PathLike[str], fps: int | None) -> tuple[Path, int]:
    """Return the path of a film and its pictures a second; an error if there cannot be such a film."""
    try:
        path = Path(fspath(file))
    except TypeError:
        inputs.refuse_type(where, "file", file, "must be the name of a file")
    kind = path.suffix.lower()
    if kind not in RATES:
        inputs.refuse(ValueError, where, "file", str(file), "must end in .gif or .mp4")
    if path.is_dir() or not path.resolve().parent.is_dir():
        inputs.refuse(ValueError, where, "file", str(file), "must be in a folder that there is, and no folder itself")
    rate = RATES[kind] if fps is None else inputs.integer(where, "fps", fps)
    if not 1 <= rate <= FASTEST[kind]:
        inputs.refuse(
            ValueError, where, "fps", fps, f"must be from 1 to {FASTEST[kind]} for a film that ends in {kind}"
        )
    need(where, *MAKERS[kind])
    return path, rate
