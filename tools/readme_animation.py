"""Draw the animation of the README: a fast ball and a wall, the tutorial's physics on the left, exact on the right.

Both games have one seed and the same start. The ball moves 93 pixels in a tick, a brick is 37 high: a game that looks
only at where each tick ends finds the ball before the wall, then behind it. Shown eight times slower than played.

    python tools/readme_animation.py docs/images/tunnelling.gif
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
import pygame

from carom.draw import paint_items
from carom_breakout import state
from carom_breakout.art import palette
from carom_breakout.art.board import Board
from carom_breakout.art.drawing import Art
from carom_breakout.art.film import Film
from carom_breakout.art.lettering import BOLD
from carom_breakout.art.overlay import LOOKS, Overlay, surface_view
from carom_breakout.art.rails import Words
from carom_breakout.art.view import FIELD_HEIGHT, fit
from carom_breakout.levels import parse_level
from carom_breakout.replay import Setup
from carom_breakout.session import Press, Session

LEVEL = parse_level(
    "0 0 0 0 0 0 0 0 0 0 0 0 0\n"
    "0 5 5 0 4 4 4 4 4 0 5 5 0\n"
    "0 5 5 0 4 3 3 3 4 0 5 5 0\n"
    "0 5 5 0 4 4 4 4 4 0 5 5 0\n"
    "0 0 0 0 0 0 0 0 0 0 0 0 0\n"
    "0 0 0 0 0 0 0 0 0 0 0 0 0\n"
    "1 1 1 1 1 1 1 1 1 1 1 1 1\n"
    "0 0 0 0 0 0 0 0 0 0 0 0 0\n",
    "One wall",
)
SEED = 7
SPEED_UPS = 15  # of a fifth each, as many power-ups would give
SIZE = (900, 374)
SLOWER = 8
FPS = 20
SECONDS = 7.0
BELOW = 70.0


def main(target: Path) -> None:
    """Play both games on one input and write their pictures to `target`."""
    boards = [Board(Session(Setup([LEVEL], SEED, physics=physics)), label=label) for physics, label in
              ((state.TUTORIAL, "Tutorial"), (state.EXACT, "Exact"))]  # fmt: skip
    for board in boards:
        board.overlay = Overlay(kept=5)
        board.session.tick(Press(buttons=state.ENTER))
    views = fit(SIZE, columns=2, below=BELOW)
    art = Art(views[0].scale)
    for board, view in zip(boards, views, strict=True):
        board.place(view, art)
    picture = pygame.Surface(SIZE, 0, 32)
    ticks_a_frame = 1 / (SLOWER * FPS * state.TICK)
    played = 0
    with Film(target, FPS) as film:
        for frame in range(round(SECONDS * FPS)):
            while played <= frame * ticks_a_frame:
                for board in boards:
                    board.tick(follow(board.session))
                played += 1
            draw(picture, boards, frame * ticks_a_frame + 1 - played)
            film.add(picture)


def follow(session: Session) -> Press:
    """A player who keeps the paddle below the ball, a little outside, and serves each ball equally fast."""
    game = session.now
    game.shake, game.lives = 0.0, state.LIVES
    x = float(game.ball[0])
    outside = -30.0 if x < state.WIDTH / 2 else 30.0
    if int(game.stuck) == state.FREE:
        return Press(mouse=x + outside)
    faster = state.SPEED_FACTOR**SPEED_UPS
    game.velocity[:] = [0.62 * state.LAUNCH_X * faster, state.LAUNCH_Y * faster]
    game.speed = state.LAUNCH_SPEED * faster
    return Press(buttons=state.RELEASE)


def draw(picture: pygame.Surface, boards: list[Board], share: float) -> None:
    """Draw both games side by side, `share` of the way from one tick to the next."""
    picture.fill(palette.INK)
    for board in boards:
        board.draw(picture, share)
        view = board.view
        picture.set_clip(view.field)
        paint_items(picture, board.overlay.way(), surface_view(view), LOOKS)
        picture.set_clip(None)
        broken = int(board.session.table.destructible[0]) - int(board.session.now.remaining)
        color = palette.ROSE if broken else palette.FINE
        say = f"{broken} bricks broken behind a solid wall" if broken else "nothing passes through"
        Words(view).put(picture, say, 400, FIELD_HEIGHT + 42, 19, color, weight=BOLD, anchor=0.5)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "tunnelling.gif"))
