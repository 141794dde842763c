"""Both physics side by side: each flaw holds both games for a moment, circled, named and counted."""

from __future__ import annotations

import os
from typing import Any

import pytest

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
pygame = pytest.importorskip("pygame")

from carom_breakout import state  # noqa: E402
from carom_breakout.app.show import Show  # noqa: E402
from carom_breakout.app.side_by_side import HOLD, NAMED, SEED, SideBySide  # noqa: E402
from carom_breakout.app.slow_motion import SlowMotion  # noqa: E402
from carom_breakout.art.rails import Words  # noqa: E402
from carom_breakout.flaws import show_flaw  # noqa: E402
from carom_breakout.levels import shipped_levels  # noqa: E402
from carom_breakout.replay import Setup  # noqa: E402


@pytest.fixture
def both() -> SideBySide:
    return SideBySide(Setup(shipped_levels(), SEED, 0, state.TUTORIAL), 400)


def to_the_first_flaw(both: SideBySide) -> None:
    while both.sight is None:
        both.tick()


def test_the_seed_shows_tunnelling_a_double_hit_and_a_corner_within_three_seconds(both: SideBySide) -> None:
    shown: set[str] = set()
    while both.ticks < 180:
        both.tick()
        if both.sight is not None:
            assert both.sight.board == 0
            shown |= {name for name, words in NAMED.items() if any(one.startswith(words) for one in both.sight.names)}
    assert shown == set(NAMED)
    assert both.tallies[1][1:] == (0, 0, 0, 0)


def test_a_flaw_holds_both_games_for_a_moment(both: SideBySide) -> None:
    to_the_first_flaw(both)
    before, seconds = [board.session.digest() for board in both.boards], both.seconds
    held = 0
    while both.sight is not None:
        both.tick()
        held += 1
        assert [board.session.digest() for board in both.boards] == before
    assert held * both.dt == pytest.approx(HOLD, abs=2 * both.dt)
    assert both.seconds - seconds == pytest.approx(held * both.dt)
    both.tick()
    assert [board.session.digest() for board in both.boards] != before


def test_space_goes_on_at_once(both: SideBySide) -> None:
    to_the_first_flaw(both)
    both.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_SPACE))
    assert both.sight is None


def test_titles_name_the_physics_and_flaws_are_written_with_their_count(
    both: SideBySide, monkeypatch: pytest.MonkeyPatch
) -> None:
    to_the_first_flaw(both)
    written: dict[str, float] = {}
    put = Words.put

    def noted(self: Words, target: Any, words: str, x: float, y: float, size: float, *rest: Any, **style: Any) -> Any:
        written[words] = size * self.view.scale
        return put(self, target, words, x, y, size, *rest, **style)

    monkeypatch.setattr(Words, "put", noted)
    both.draw(pygame.Surface((1280, 720)))
    assert {"Tutorial's physics, stage 5", "Exact physics"} <= written.keys()
    assert both.boards[0].session.level_name not in written, "a level's name alone is no title here"
    assert both.sight is not None and {*both.sight.names} <= written.keys()
    small = {words: size for words, size in written.items() if size < 8.5 and not words.startswith("+")}
    assert small == {}, "capitals of less than nine pixels cannot be read at 1280 x 720"


def test_a_circle_stands_around_the_place(both: SideBySide) -> None:
    to_the_first_flaw(both)
    for _ in range(30):
        both.tick()
    surface = pygame.Surface((1280, 720))
    both.draw(surface)
    assert both.sight is not None
    view = both._views[0]
    x, y = view.point(*both.sight.place)
    around = range(round(26 * view.scale), round(33 * view.scale))
    for dx, dy in ((1, 0), (0, 1), (-1, 0)):
        line = [surface.get_at((round(x + r * dx), round(y + r * dy))) for r in around]
        assert any(color.r > color.g + 60 for color in line)


@pytest.mark.parametrize("slowly", [False, True])
def test_the_frame_closes_comparisons_and_slow_motion_at_once(
    slowly: bool, both: SideBySide, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    show: Show = SlowMotion(show_flaw("corner")) if slowly else both
    pygame.display.init()
    try:
        pygame.display.set_mode((640, 480))
        pygame.event.clear()
        pygame.event.post(pygame.event.Event(pygame.QUIT))
        show.run(60, 5.0)
    finally:
        pygame.display.quit()
    assert not show.open
