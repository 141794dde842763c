"""`carom playground` and `cm.playground`: from options or shapes to a window, a picture or a page.

In: the options of the command line, or shapes. Out: the window, picture or page, and a line that says where a file
lies. Without a display a picture is left instead of a window, and a line says so.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from carom import ConvexShape
from carom.draw.pair import SHAPES, pictures, read_convex, to_svg
from carom_playground.gallery import GALLERY, named
from carom_playground.scene import LAYERS, Scene, SceneError, read_scene
from carom_playground.state import State

Refusal = SceneError
PICTURE = "playground.png"
SIZE = (1280, 680)  # fits a screen of 1366 x 768, with the title of the window and a bar of tasks
SMALLEST = 320, 240
EPILOG = f"""{SHAPES}
scenes:
  {", ".join(GALLERY)}

layers:
  {", ".join(LAYERS)}, or all

examples:
  carom playground
  carom playground "circle 0 0 1" "box 1.5 0 1 .5"
  carom playground --scene sat-polygons --layers axes,mtv,minkowski --shot sat.png
  carom playground --scene crowd --html crowd.html
"""


class Start(NamedTuple):
    """How the playground opens."""

    scene: Scene
    file: Path | None = None
    """Where the scene came from, and is saved."""
    size: tuple[int, int] = SIZE
    step: int | None = None
    """The step of the layered test to begin at, 1 is the question."""
    counting: bool = False
    safe: bool = False

    @property
    def step_number(self) -> int | None:
        """The place of the step among those of the scene."""
        if self.step is None:
            return None
        count = len(State(self.scene).steps)
        if not 1 <= self.step <= count:
            known = f"--step {self.step}: this scene has steps 1 to {count}" if count else "--step needs two shapes"
            raise SceneError(known)
        return self.step - 1

    def prepare(self, state: State) -> None:
        """Set the step and the switches of a state."""
        state.counting, state.safe, state.step = self.counting, self.safe, self.step_number


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options to a parser."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    add = parser.add_argument
    add("shapes", metavar="SHAPE", nargs="*", help='shapes to open, as "circle 0 0 1"')
    add("--scene", metavar="NAME|FILE", help="a scene to open by name, or one that was saved")
    add("--layers", metavar="NAMES", help="layers to switch on, with commas between; all for all")
    add("--step", type=int, metavar="N", help="begin at this step of the layered test, 1 is the question")
    add("--count", action="store_true", help="count what each level of the test saves over all pairs")
    add("--safe", action="store_true", help="blue and orange in place of green and red")
    add("--size", metavar="WxH", default=f"{SIZE[0]}x{SIZE[1]}", help="of the picture or window, in pixels")
    add("--shot", metavar="FILE", type=Path, help="draw the playground into this file, without a window")
    add("--html", metavar="FILE", type=Path, help="write a page to play with in a browser")


def main(options: argparse.Namespace) -> None:
    """Open the playground as the options say.

    Raises
    ------
    Refusal : if a shape, a scene or an option makes no sense, or a file cannot be written
    """
    start = Start(*scene_of(options), size_of(options.size), options.step, options.count, options.safe)
    if options.html is not None:
        save_page(start, options.html)
    if options.shot is not None:
        save_shot(start, options.shot)
        print(f"picture  {options.shot}")
    if options.html is not None:
        print(f"page     {options.html}")
    if options.html is None and options.shot is None:
        open_window(start)


def scene_of(options: argparse.Namespace) -> tuple[Scene, Path | None]:
    """Return the scene that the options ask for, and its file if it came from one."""
    file: Path | None = None
    if options.shapes and options.scene:
        raise SceneError("--scene brings its own shapes; leave out one of the two")
    if options.shapes:
        scene = of_shapes([read_convex(text) for text in options.shapes])
    elif options.scene and (options.scene.endswith(".json") or Path(options.scene).is_file()):
        file = Path(options.scene)
        scene = read_scene(file)
    else:
        scene = named(options.scene or "demo")
    if options.layers is not None:
        given = (name.strip() for name in options.layers.split(","))
        names = list(LAYERS) if options.layers == "all" else [name for name in given if name]
        scene = replace(scene, layers=frozenset(names))
    return scene, file


def of_shapes(shapes: list[ConvexShape]) -> Scene:
    """Return the scene of some shapes, with the first two as the pair."""
    words = "Drag the shapes, switch layers on, and press N to step through the test." if len(shapes) > 1 else ""
    return Scene.of(shapes, "axes" if len(shapes) > 1 else "", title="Your shapes", words=words)


def size_of(text: str) -> tuple[int, int]:
    """Return width and height from text such as 1280x800."""
    wide, _, high = text.partition("x")
    if not (wide.isascii() and wide.isdigit() and high.isascii() and high.isdigit()):
        raise SceneError(f"--size {text} must be two whole numbers, such as 1280x800")
    size = int(wide), int(high)
    if size[0] < SMALLEST[0] or size[1] < SMALLEST[1] or max(size) > 8000:
        raise SceneError(f"--size {text} must lie between {SMALLEST[0]}x{SMALLEST[1]} and 8000x8000")
    return size


def save_shot(start: Start, file: Path) -> None:
    """Draw the playground without a window, into a file with an ending that pygame knows."""
    if file.suffix.lower() == ".svg":
        write("--shot", file, to_svg(pictures(start.scene), start.scene.title))
        return
    if file.suffix.lower() not in (".png", ".jpg", ".jpeg", ".bmp", ".tga"):
        raise SceneError(f"--shot {file}: the picture must end in .png, .jpg, .bmp or .svg")
    from carom.draw import pygame
    from carom_playground.painter import Painter

    state = State(start.scene)
    start.prepare(state)
    painter = Painter(start.size)
    surface = pygame.Surface(start.size)
    painter.draw(surface, state, painter.fitting(state))
    try:
        pygame.image.save(surface, file)
    except (OSError, pygame.error) as error:
        raise SceneError(f"--shot {file} cannot be written: {error}") from None


def write(option: str, file: Path, text: str) -> None:
    """Write the file of an option, or refuse."""
    try:
        file.write_bytes(text.encode())
    except OSError as error:
        raise SceneError(f"{option} {file} cannot be written: {error.strerror}") from None


def open_with(shapes: list[ConvexShape]) -> None:
    """Open the window with shapes, or without any with shapes of every kind."""
    open_window(Start(of_shapes(shapes) if shapes else named("demo")))


def save_page(start: Start, file: Path) -> None:
    """Write the live page, or, where the kernels for the browser are not here, one that only steps through the test."""
    from carom_playground.browser.page import NotLive, live_page
    from carom_playground.page import page

    try:
        text = live_page(start.scene, start.step_number, safe=start.safe)
    except NotLive as reason:
        print(f"The page can be stepped through, but not played with: {reason}")
        text = page(start.scene, start.step_number, safe=start.safe)
    write("--html", file, text)


def open_window(start: Start) -> None:
    """Open the window, or, where there is no display, leave a picture and say so."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from carom.draw import open_display, pygame
    from carom_playground.window import Window

    if not open_display():
        picture = Path(PICTURE)
        save_shot(start, picture)
        print(f"There is no display here, so the playground was drawn into {picture}")
        return
    pygame.display.set_caption("Playground – Carom")
    pygame.display.set_mode(start.size, pygame.RESIZABLE)
    pygame.key.set_repeat(400, 60)
    window = Window(start.scene, start.file)
    start.prepare(window.state)
    window.run()
    pygame.display.quit()
