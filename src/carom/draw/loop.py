"""The loop of a program with a window: sixty times a second a surface to draw on and what happened since.

In: the size and the title of a window, and the words of the command line. Out: a surface and a list of events for each
frame, until Esc is pressed, the window is closed, or as many frames were shown as the words say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from carom._core import inputs
from carom._core.missing import need
from carom._core.names import told_by_name

if TYPE_CHECKING:
    import pygame

WHERE = "draw.frames"
RATE = 60  # frames a second

Frame: TypeAlias = "tuple[pygame.Surface, list[pygame.event.Event]]"


@told_by_name
def frames(size: tuple[int, int], title: str = "", argv: Sequence[str] = ()) -> Iterator[Frame]:
    """Open a window and go through its frames: ``for screen, events in cm.draw.frames((800, 450), "Esc closes"):``.

    Sixty times a second it yields the surface of the window and the events since the last frame; step and draw in the
    body of the loop, which ends with Esc or when the window is closed. What was drawn is shown when the body is done.

    Parameters
    ----------
    size : (width, height)
        Of the window, in pixels.
    title : str, optional
        Of the window.
    argv : sequence of str, optional
        The words of the command line, ``sys.argv``: with ``--frames N`` among them the loop ends after N frames, which
        tries a program where nobody is there to close its window.

    Returns
    -------
    iterator of (Surface, list of Event)

    Raises
    ------
    ModuleNotFoundError
        If pygame is not installed.
    TypeError, ValueError
        With the argument at fault; no window is opened then.

    Examples
    --------
    >>> world = cm.World(gravity=(0, -10))
    >>> ball = world.add(cm.Circle((0, 3), 1), kind="dynamic")
    >>> for screen, events in cm.draw.frames((400, 300), "A ball: Esc closes", ["ball.py", "--frames", "3"]):
    ...     _ = world.step(1 / 60)
    ...     _ = screen.fill("white")
    ...     _ = cm.draw.paint(screen, world)
    >>> ball.position.y < 3
    True
    """
    width, height = inputs.items_of(WHERE, "size", size, 2, "a size (width, height)")
    wide, high = inputs.integer(WHERE, "size", width), inputs.integer(WHERE, "size", height)
    if min(wide, high) < 1:
        inputs.refuse(ValueError, WHERE, "size", size, "must be at least 1 pixel wide and high")
    if not isinstance(title, str):
        inputs.refuse_type(WHERE, "title", title, "must be a string")
    words = inputs.items_of(WHERE, "argv", argv, None, "the words of a command line, as sys.argv")
    for row, word in enumerate(words):
        if not isinstance(word, str):
            inputs.refuse_type(WHERE, f"argv[{row}]", word, "must be a string")
    most = _most(words)
    need(WHERE, "pygame")
    return _frames((wide, high), title, most)


def _most(words: list[str]) -> int | None:
    """Return how many frames the words of a command line ask for, None where they do not say."""
    import argparse

    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("--frames", type=int)
    try:
        most: int | None = parser.parse_known_args(words)[0].frames
    except argparse.ArgumentError:
        most = 0
    if most is not None and most < 1:
        inputs.refuse(ValueError, WHERE, "argv", words, "must have a whole number of frames above 0 after --frames")
    return most


def _frames(size: tuple[int, int], title: str, most: int | None) -> Iterator[Frame]:
    import pygame

    pygame.display.set_caption(title)
    screen, clock, shown = pygame.display.set_mode(size), pygame.time.Clock(), 0
    try:
        while shown != most:
            events = pygame.event.get()
            if any(event.type == pygame.QUIT or event.dict.get("key") == pygame.K_ESCAPE for event in events):
                return
            yield screen, events
            pygame.display.flip()
            clock.tick(RATE)
            shown += 1
    finally:
        pygame.display.quit()
