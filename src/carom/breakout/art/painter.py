"""How a scene becomes a picture: the table, the bricks, the paddle, the ball, and the power-ups that fall.

In: a `Scene`, a `View` (where the picture lies in the output), and the sparks. Out: pixels on the target. The wall of
bricks is kept as one surface and only mended where a brick has gone, so a picture costs little however many there are.
"""

from __future__ import annotations

import numpy as np
import pygame

from carom.breakout import state
from carom.breakout.art import palette
from carom.breakout.art.drawing import Art
from carom.breakout.art.effects import Effects
from carom.breakout.art.overlay import Overlay
from carom.breakout.art.particles import Particles
from carom.breakout.art.scene import Bricks, Scene
from carom.breakout.art.view import View

FLASH = 0.14  # seconds that a brick shines after a hit


class Painter:
    """Draws the scenes of one game at one place of the output.

    Parameters
    ----------
    view : where the picture lies.
    art : the drawn things at the scale of the view.
    """

    def __init__(self, view: View, art: Art) -> None:
        self.view, self.art = view, art
        self.effects = Effects()
        self._board: pygame.Surface | None = None
        self._shown: Bricks | None = None

    def draw(
        self,
        target: pygame.Surface,
        scene: Scene,
        particles: Particles | None = None,
        ahead: float = 0.0,
        flashes: list[tuple[tuple[float, float, float, float], float]] | None = None,
        with_ball: bool = True,
        overlay: Overlay | None = None,
    ) -> None:
        """Draw everything but the messages; `flashes` are boxes with seconds since they were hit."""
        view = self.view
        target.blit(self._mended(scene.bricks), view.picture)
        target.set_clip(view.field.clip(target.get_rect()))
        for box, age in flashes or ():
            self._flash(target, box, age)
        if with_ball:
            self._paddle(target, scene)
        for kind, x, y in scene.items:
            self._item(target, kind, x, y)
        if particles is not None:
            particles.draw(target, view, self.art, ahead)
        if with_ball:
            self._ball(target, scene)
        if overlay is not None:
            overlay.draw(target, view, scene)
        target.set_clip(None)
        chaos, confuse = scene.has(state.CHAOS), scene.has(state.CONFUSE)
        if chaos or confuse or scene.shaking:
            field = target.subsurface(view.field.clip(target.get_rect()))
            self.effects.apply(field, scene.time, chaos=chaos, confuse=confuse, shake=scene.shaking)

    def _mended(self, bricks: Bricks) -> pygame.Surface:
        """The table with its bricks; only the places of bricks that came or went are drawn again."""
        shown = self._shown
        if (
            self._board is None
            or shown is None
            or shown.codes.shape != bricks.codes.shape
            or not np.array_equal(shown.edge_x, bricks.edge_x)
            or not np.array_equal(shown.edge_y, bricks.edge_y)
        ):
            self._board = self.art.table().copy()
            self._lay(self._board, bricks, np.flatnonzero(bricks.codes))
        else:
            changed = np.flatnonzero(shown.codes != bricks.codes)
            if len(changed):
                self._mend(self._board, bricks, changed)
        self._shown = bricks
        return self._board

    def _brick_box(self, bricks: Bricks, cell: int) -> pygame.Rect:
        """Where a brick is drawn on the board: its box less half the joint on each side."""
        rectangle = View(0, 0, self.view.scale).box(*bricks.box(cell))
        joint = max(2, round(2.2 * self.view.scale))
        if rectangle.width <= 2 * joint or rectangle.height <= 2 * joint:
            joint = 1
        near = joint // 2
        return pygame.Rect(
            rectangle.left + near,
            rectangle.top + near,
            max(1, rectangle.width - joint),
            max(1, rectangle.height - joint),
        )

    def _lay(self, board: pygame.Surface, bricks: Bricks, cells: np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
        """Draw bricks onto the board, all shadows below all bricks."""
        boxes = [(int(bricks.codes[cell]), self._brick_box(bricks, int(cell))) for cell in cells]
        drop = round(3 * self.view.scale)
        margin = self.art.shadow_margin
        for _, box in boxes:
            shadow = self.art.shadow(box.width, box.height, 3.2 * self.view.scale)
            board.blit(shadow, (box.left - margin, box.top - margin + drop))
        for code, box in boxes:
            board.blit(self.art.brick(code, box.width, box.height), box)

    def _mend(self, board: pygame.Surface, bricks: Bricks, changed: np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
        margin = self.art.shadow_margin + round(4 * self.view.scale)
        area = self._brick_box(bricks, int(changed[0]))
        area = area.unionall([self._brick_box(bricks, int(cell)) for cell in changed[1:]]).inflate(
            2 * margin, 2 * margin
        )
        board.set_clip(area.clip(board.get_rect()))
        board.blit(self.art.table(), (0, 0))
        around = area.inflate(2 * margin, 2 * margin)
        standing = np.flatnonzero(bricks.codes)
        near = [cell for cell in standing if around.colliderect(self._brick_box(bricks, int(cell)))]
        self._lay(board, bricks, np.array(near, dtype=np.int64))
        board.set_clip(None)

    def _flash(self, target: pygame.Surface, box: tuple[float, float, float, float], age: float) -> None:
        left = 1 - age / FLASH
        if left <= 0:
            return
        place = self.view.box(*box)
        strength = round(110 * left)
        light = pygame.Surface(place.size, 0, 32)
        light.fill((strength, strength, round(strength * 0.9)))
        target.blit(light, place, special_flags=pygame.BLEND_RGB_ADD)

    def _paddle(self, target: pygame.Surface, scene: Scene) -> None:
        left, width = scene.paddle
        place = self.view.box(left, state.PADDLE_TOP, width, state.PADDLE_HEIGHT)
        margin = self.art.shadow_margin
        shadow = self.art.shadow(place.width, place.height, 4.5 * self.view.scale, 0.6)
        target.blit(shadow, (place.left - margin, place.top - margin + round(3 * self.view.scale)))
        target.blit(self.art.paddle(place.width, place.height, scene.has(state.STICKY)), place)

    def _ball(self, target: pygame.Surface, scene: Scene) -> None:
        x, y = self.view.point(*scene.ball)
        radius = state.BALL_RADIUS * self.view.scale
        size = 2 * round(radius)
        margin = self.art.shadow_margin
        shadow = self.art.shadow(size, size, radius, 0.55)
        target.blit(
            shadow, (round(x) - size // 2 - margin + 1, round(y) - size // 2 - margin + round(4 * self.view.scale))
        )
        whole_x, whole_y = int(x // 1), int(y // 1)
        shift = (int((x - whole_x) * 4), int((y - whole_y) * 4))
        picture = self.art.ball(state.BALL_RADIUS, scene.has(state.PASS_THROUGH), shift)
        reach = picture.get_width() // 2
        target.blit(picture, (whole_x - reach, whole_y - reach))

    def _item(self, target: pygame.Surface, kind: str, x: float, y: float) -> None:
        width, height = round(state.ITEM_WIDTH * self.view.scale), round(state.ITEM_HEIGHT * self.view.scale)
        left, top = (round(v) for v in self.view.point(x, y))
        glow = self.art.halo(palette.POWERS[kind].color, round(46 * self.view.scale), 4)
        target.blit(
            glow,
            (left + width // 2 - glow.get_width() // 2, top + height // 2 - glow.get_height() // 2),
            special_flags=pygame.BLEND_RGB_ADD,
        )
        margin = self.art.shadow_margin
        shadow = self.art.shadow(width, height, height / 2, 0.5)
        target.blit(shadow, (left - margin, top - margin + round(3 * self.view.scale)))
        target.blit(self.art.item(kind, width, height), (left, top))
