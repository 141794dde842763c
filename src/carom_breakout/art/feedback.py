"""Feedback to the events of a tick: sparks, flashes, the names of power-ups caught, and sounds.

In: each tick and the snapshot after it. Out: particles, and lists of all that still fades, in units of
the field and seconds. Nothing here changes the game.
"""

from __future__ import annotations

from carom_breakout import state
from carom_breakout.app.sound import Sounds
from carom_breakout.art import palette
from carom_breakout.art.ink import Color
from carom_breakout.art.particles import Particles
from carom_breakout.art.rails import FLIGHT, TOAST, Flight
from carom_breakout.art.snapshot import Snapshot
from carom_breakout.power_up_table import POWER_UPS
from carom_breakout.session import Box, Tick

FLASH = 0.14  # seconds that a brick shines after a hit

SOUNDS = {
    state.SOLID_HIT: "solid",
    state.PADDLE_HIT: "paddle",
    state.LAUNCHED: "paddle",
    state.ITEM_CAUGHT: "power",
    state.LIFE_LOST: "life",
    state.GAME_OVER: "over",
    state.LEVEL_WON: "win",
}


class Feedback:
    """Follows one game, tick by tick.

    Parameters
    ----------
    seed : start of the sparks' own stream of chance.
    sounds : where to play sounds, if anywhere.
    """

    def __init__(self, seed: int = 0, sounds: Sounds | None = None) -> None:
        self.particles = Particles(state.stream(seed, "particles"))
        self.sounds = sounds
        self.flashes: list[tuple[Box, float]] = []
        self.toasts: list[tuple[int, float, float]] = []
        self.flights: list[tuple[Flight, float]] = []
        self._codes: list[int] = []

    def tick(self, tick: Tick, snapshot: Snapshot, dt: float) -> None:
        """Take in the events of one tick; `snapshot` is the end of it."""
        self.flashes = [(box, age + dt) for box, age in self.flashes if age + dt < FLASH]
        self.toasts = [(kind, x, age + dt) for kind, x, age in self.toasts if age + dt < TOAST]
        self.flights = [(flight, age + dt) for flight, age in self.flights if age + dt < FLIGHT]
        if snapshot.mode == state.PAUSED:
            return
        self.particles.step(dt)
        before = self._codes
        self._codes = snapshot.bricks.codes.tolist()
        if snapshot.mode == state.ACTIVE and not snapshot.stuck:
            self.particles.trail(*tick.start, snapshot.velocity, state.BALL_RADIUS)
        played: set[str] = set()
        for kind, subject, _, point, _ in tick.events:
            if kind == state.BRICK_HIT:
                code = before[subject] if subject < len(before) else state.WHITE
                played.add(f"brick{min(max(code, 2), 6)}")
                color = palette.brick_color(max(code, 2))
                self.particles.burst(snapshot.bricks.box(subject), color)
                self._fly(state.POINTS[min(max(code, 2), 6)], snapshot.bricks.box(subject), palette.IVORY)
            elif kind == state.ITEM_CAUGHT:
                self.toasts.append((subject, point[0] + state.ITEM_WIDTH / 2, 0.0))
                color = POWER_UPS[subject].color
                self._fly(state.POINTS_ITEM, (point[0], point[1] - 60.0, state.ITEM_WIDTH, 0.0), color)
            elif kind in (state.LIFE_LOST, state.LEVEL_LOADED):
                self.particles.clear()
                self.toasts.clear()
            if kind == state.LEVEL_WON:
                self._fly(state.POINTS_CLEARED, (0.0, 180.0, state.WIDTH, 0.0), palette.BRASS, 30.0)
            if kind in (state.BRICK_HIT, state.SOLID_HIT):
                self.flashes.append((snapshot.bricks.box(subject), 0.0))
            if kind in SOUNDS:
                played.add(SOUNDS[kind])
        if "over" in played:
            played.discard("life")
        if self.sounds is not None:
            for name in played:
                self.sounds.play(name)

    def _fly(self, points: int, box: Box, color: Color, size: float = 15.0) -> None:
        x, y, width, height = box
        self.flights.append((Flight(f"+{points}", x + width / 2, y + height / 2, color, size), 0.0))
