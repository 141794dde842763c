"""One game on show: its camera, its sparks and sounds, its overlay, and the painter at the place where it is drawn.

In: a `Session`, and word of each tick. Out: the picture of the game without the messages over it. The window has one
board, the comparison of both physics has two.
"""

from __future__ import annotations

import pygame

from carom.breakout import state
from carom.breakout.app.sound import Sounds
from carom.breakout.art.drawing import Art
from carom.breakout.art.feedback import Feedback
from carom.breakout.art.overlay import Overlay
from carom.breakout.art.painter import Painter
from carom.breakout.art.rails import draw_rails, draw_toast
from carom.breakout.art.snapshot import Camera, Snapshot
from carom.breakout.art.view import View
from carom.breakout.session import Press, Session, Tick


class Board:
    """Shows one game.

    Parameters
    ----------
    session : the game.
    sounds : where its sounds go, if anywhere.
    label : what stands before the level's name instead of its number.
    """

    def __init__(self, session: Session, sounds: Sounds | None = None, label: str = "") -> None:
        self.session, self.label = session, label
        self.camera = Camera(session)
        self.feedback = Feedback(session.seed, sounds)
        self.overlay = Overlay()
        self.painter: Painter | None = None

    def tick(self, press: Press) -> Tick:
        """Play one tick and keep what it is to look and sound like."""
        self.camera.remember()
        tick = self.session.tick(press)
        snapshot = self.camera.take()
        self.feedback.tick(tick, snapshot, self.session.dt)
        self.overlay.tick(tick, snapshot)
        return tick

    def place(self, view: View, art: Art) -> None:
        """Draw there from now on."""
        self.painter = Painter(view, art)

    def draw(self, target: pygame.Surface, share: float, bare: bool = False, lost: bool = False) -> Snapshot:
        """Draw the game at a share of the last tick and return what was drawn.

        Parameters
        ----------
        target : the surface to draw on.
        share : how far into the tick, 0 to 1.
        bare : leave out paddle, ball and words.
        lost : show no lives, though the rules have dealt new ones already.
        """
        snapshot = self.camera.take(share)
        if lost:
            snapshot.lives = 0
        if self.painter is None:
            return snapshot
        ahead = 0.0 if snapshot.mode == state.PAUSED else share * self.session.dt
        overlay = self.overlay if self.overlay.on and not bare else None
        self.painter.draw(target, snapshot, self.feedback, ahead, not bare, overlay)
        if not bare:
            draw_rails(target, self.painter.view, self.painter.art, snapshot, self.label)
            for kind, x, age in self.feedback.toasts:
                draw_toast(target, self.painter.view, self.painter.art, kind, x, age)
        return snapshot
