"""Whether there is a display to open a window on, found out without noise.

In: the environment. Out: yes or no. Where there is none SDL quietly takes a driver that shows nothing, and C libraries
write to stderr; both are seen to here, for every program with a window.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pygame


def has_display() -> bool:
    """Tell whether a window may be tried: on Linux and its kin a display is named in the environment.

    Returns
    -------
    bool

    Examples
    --------
    >>> from carom import draw
    >>> if not draw.has_display():
    ...     pass  # leave a picture in place of a window
    """
    if os.environ.get("SDL_VIDEODRIVER", "") in ("dummy", "offscreen"):
        return False
    if sys.platform in ("win32", "darwin", "emscripten"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_display() -> bool:
    """Open the display for windows.

    Returns
    -------
    bool
        False, with nothing left open, where there is none: SDL then takes a driver that shows nothing.

    Examples
    --------
    >>> from carom import draw
    >>> from carom.draw import pygame
    >>> if draw.open_display():
    ...     screen = pygame.display.set_mode((640, 480))
    """
    with quiet_stderr():
        try:
            pygame.display.init()
            if pygame.display.get_driver() in ("dummy", "offscreen"):
                pygame.display.quit()
                return False
        except pygame.error:
            return False
    return True


@contextmanager
def quiet_stderr() -> Iterator[None]:
    """Hide the messages of C libraries (ALSA, SDL) on stderr for a moment.

    Returns
    -------
    context manager

    Examples
    --------
    >>> from carom import draw
    >>> with draw.quiet_stderr():
    ...     pass  # open the sound device
    """
    try:
        kept = os.dup(2)
    except OSError:
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
