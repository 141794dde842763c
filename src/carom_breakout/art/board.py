"""One game on show: its camera, its sparks and sounds, its overlay, and its picture.

In: a `Session`, word of each tick, and the place of the picture in the output. Out: the picture of the game without the
messages over it: the table, the bricks, the paddle, the ball, the power-ups that fall, and the words on the rails. The
wall of bricks is kept as one surface and only mended where a brick has gone, so a picture costs little however many
there are. The window has one board, the comparison of both physics has two.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pygame

from carom_breakout import state
from carom_breakout.app.sound import Sounds
from carom_breakout.art.drawing import Art
from carom_breakout.art.effects import Effects
from carom_breakout.art.feedback import FLASH, Feedback
from carom_breakout.art.ink import put_middle
from carom_breakout.art.overlay import Overlay
from carom_breakout.art.rails import draw_flight, draw_rails, draw_toast
from carom_breakout.art.snapshot import Bricks, Camera, Snapshot
from carom_breakout.art.view import View
from carom_breakout.power_up_table import POWER_UPS
from carom_breakout.session import Box, Press, Session, Tick


class Board:
    """Shows one game.

    Parameters
    ----------
    session : the game.
    sounds : where its sounds go, if anywhere.
    label : text in place of the level's number and name.
    """

    def __init__(self, session: Session, sounds: Sounds | None = None, label: str = "") -> None:
        self.session, self.label = session, label
        self.camera = Camera(session)
        self.feedback = Feedback(session.setup.seed, sounds)
        self.overlay = Overlay()
        self.effects = Effects()

    def tick(self, press: Press) -> Tick:
        """Play one tick and keep its effects on picture and sound."""
        self.camera.remember()
        tick = self.session.tick(press)
        snapshot = self.camera.take()
        self.feedback.tick(tick, snapshot, self.session.setup.dt)
        self.overlay.tick(tick, snapshot)
        return tick

    def place(self, view: View, art: Art) -> None:
        """Draw there from now on, with things at the scale of the view; this comes before the first `draw`."""
        self.view, self.art = view, art
        self._wall: pygame.Surface | None = None
        self._shown: Bricks | None = None

    def draw(self, target: pygame.Surface, share: float, bare: bool = False, lost: bool = False) -> Snapshot:
        """Draw the game at a share of the last tick and return its snapshot.

        Parameters
        ----------
        target : the surface to draw on.
        share : how far into the tick, 0 to 1.
        bare : leave out paddle, ball and words.
        lost : show no lives, though the rules have dealt new ones already.
        """
        view, art, feedback = self.view, self.art, self.feedback
        snapshot = self.camera.take(share)
        if lost:
            snapshot.lives = 0
        ahead = 0.0 if snapshot.mode == state.PAUSED else share * self.session.setup.dt
        field = view.field.clip(target.get_rect())
        target.blit(self._mended(snapshot.bricks), view.picture)
        target.set_clip(field)
        for box, age in feedback.flashes:
            self._flash(target, box, age)
        if not bare:
            self._paddle(target, snapshot)
        for kind, x, y in snapshot.items:
            self._item(target, kind, x, y)
        feedback.particles.draw(target, view, art, ahead)
        if not bare:
            self._ball(target, snapshot)
            if self.overlay.on:
                self.overlay.draw(target, view, snapshot)
        target.set_clip(None)
        self.effects.apply(target.subsurface(field), snapshot)
        if not bare:
            draw_rails(target, view, art, snapshot, self.label)
            for flight, age in feedback.flights:
                draw_flight(target, view, flight, age)
            for kind, x, age in feedback.toasts:
                draw_toast(target, view, art, kind, x, age)
        return snapshot

    def _mended(self, bricks: Bricks) -> pygame.Surface:
        """The table with its bricks; only the places of bricks that came or went are drawn again."""
        shown = self._shown
        if (
            self._wall is None
            or shown is None
            or not np.array_equal(shown.edge_x, bricks.edge_x)
            or not np.array_equal(shown.edge_y, bricks.edge_y)
        ):
            self._wall = self.art.table().copy()
            self._lay(self._wall, bricks, np.flatnonzero(bricks.codes).tolist())
        else:
            changed = np.flatnonzero(shown.codes != bricks.codes).tolist()
            if changed:
                self._mend(self._wall, bricks, changed)
        self._shown = bricks
        return self._wall

    def _brick_box(self, bricks: Bricks, cell: int) -> pygame.Rect:
        """Where a brick is drawn on the board: its box less half the joint on each side."""
        rectangle = View(0, 0, self.view.scale).box(*bricks.box(cell))
        joint = max(2, round(2.2 * self.view.scale))
        if rectangle.width <= 2 * joint or rectangle.height <= 2 * joint:
            joint = 1
        near = joint // 2
        width, height = max(1, rectangle.width - joint), max(1, rectangle.height - joint)
        return pygame.Rect(rectangle.left + near, rectangle.top + near, width, height)

    def _lay(self, board: pygame.Surface, bricks: Bricks, cells: Iterable[int]) -> None:
        """Draw bricks onto the board, all shadows below all bricks."""
        boxes = [(int(bricks.codes[cell]), self._brick_box(bricks, cell)) for cell in cells]
        for _, box in boxes:
            self.art.cast_shadow(board, box, 3.2 * self.view.scale, 0.5, 3)
        for code, box in boxes:
            board.blit(self.art.brick(code, box.width, box.height), box)

    def _mend(self, board: pygame.Surface, bricks: Bricks, changed: list[int]) -> None:
        margin = self.art.shadow_margin + round(4 * self.view.scale)
        first, *rest = (self._brick_box(bricks, cell) for cell in changed)
        area = first.unionall(rest).inflate(2 * margin, 2 * margin)
        board.set_clip(area.clip(board.get_rect()))
        board.blit(self.art.table(), (0, 0))
        around = area.inflate(2 * margin, 2 * margin)
        standing = np.flatnonzero(bricks.codes).tolist()
        self._lay(board, bricks, [cell for cell in standing if around.colliderect(self._brick_box(bricks, cell))])
        board.set_clip(None)

    def _flash(self, target: pygame.Surface, box: Box, age: float) -> None:
        left = 1 - age / FLASH
        if left <= 0:
            return
        place = self.view.box(*box)
        strength = round(110 * left)
        light = pygame.Surface(place.size, 0, 32)
        light.fill((strength, strength, round(strength * 0.9)))
        target.blit(light, place, special_flags=pygame.BLEND_RGB_ADD)

    def _paddle(self, target: pygame.Surface, snapshot: Snapshot) -> None:
        left, width = snapshot.paddle
        place = self.view.box(left, state.PADDLE_TOP, width, state.PADDLE_HEIGHT)
        self.art.cast_shadow(target, place, 4.5 * self.view.scale, 0.6, 3)
        target.blit(self.art.paddle(place.width, place.height, snapshot.has(state.STICKY)), place)

    def _ball(self, target: pygame.Surface, snapshot: Snapshot) -> None:
        x, y = self.view.point(*snapshot.ball)
        radius = state.BALL_RADIUS * self.view.scale
        half = round(radius)
        place = pygame.Rect(round(x) - half + 1, round(y) - half, 2 * half, 2 * half)
        self.art.cast_shadow(target, place, radius, 0.55, 4)
        whole_x, whole_y = int(x // 1), int(y // 1)
        shift = (int((x - whole_x) * 4), int((y - whole_y) * 4))
        picture = self.art.ball(state.BALL_RADIUS, snapshot.has(state.PASS_THROUGH), shift)
        reach = picture.get_width() // 2
        target.blit(picture, (whole_x - reach, whole_y - reach))

    def _item(self, target: pygame.Surface, kind: int, x: float, y: float) -> None:
        left, top = (round(v) for v in self.view.point(x, y))
        width, height = round(state.ITEM_WIDTH * self.view.scale), round(state.ITEM_HEIGHT * self.view.scale)
        glow = self.art.halo(POWER_UPS[kind].color, round(46 * self.view.scale), 4)
        put_middle(target, glow, left + width // 2, top + height // 2, pygame.BLEND_RGB_ADD)
        self.art.cast_shadow(target, pygame.Rect(left, top, width, height), height / 2, 0.5, 3)
        target.blit(self.art.item(kind, width, height), (left, top))
