"""The window, driven by events without a display: keys and mouse act as documented, no frame rate changes the game."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
pygame = pytest.importorskip("pygame")

from carom_breakout import state  # noqa: E402
from carom_breakout.app.show import LONGEST_FRAME  # noqa: E402
from carom_breakout.app.sound import Sounds  # noqa: E402
from carom_breakout.app.window import Window, open_window  # noqa: E402
from carom_breakout.levels import parse_level, shipped_levels  # noqa: E402
from carom_breakout.replay import Replay, Setup  # noqa: E402
from carom_breakout.session import Press, Session  # noqa: E402
from tests.support.replays import play_replay  # noqa: E402

LEVELS = shipped_levels()
SIZE = (800, 600)
ENTER, SPACE, LEFT, RIGHT = pygame.K_RETURN, pygame.K_SPACE, pygame.K_a, pygame.K_d


@pytest.fixture
def window() -> Window:
    return Window(Session(Setup(LEVELS, seed=3)))


@pytest.fixture
def picture() -> pygame.Surface:
    return pygame.Surface(SIZE, 0, 32)


def press(window: Window, key: int, ticks: int = 1, down: bool = True) -> None:
    window.handle(pygame.event.Event(pygame.KEYDOWN if down else pygame.KEYUP, key=key))
    play(window, ticks)


def play(window: Window, ticks: int) -> None:
    for _ in range(ticks):
        window.advance(state.TICK)


def start(window: Window) -> None:
    press(window, ENTER)
    press(window, SPACE)


def paddle(window: Window) -> float:
    return float(window.session.now.paddle)


def ball(window: Window) -> tuple[float, float]:
    """Where the ball is drawn at this moment."""
    return window.board.camera.take(window.share).ball


# Actions of a player: (seconds, key, pressed). Times lie on the grid of the slowest frame rate below.
SCRIPT = [
    (0.2, pygame.K_w, True),
    (0.4, pygame.K_s, True),
    (0.6, ENTER, True),
    (0.8, RIGHT, True),
    (1.0, SPACE, True),
    (1.2, RIGHT, False),
    (1.4, LEFT, True),
    (2.0, pygame.K_p, True),
    (2.2, pygame.K_p, True),
    (2.4, LEFT, False),
    (2.6, pygame.K_RIGHT, True),
    (4.2, pygame.K_RIGHT, False),
    (4.4, SPACE, True),
]
SECONDS = 6.0


def played(rate: int, picture: pygame.Surface) -> Window:
    """Play the script, drawn so many times a second."""
    window = Window(Session(Setup(LEVELS, seed=11)))
    waiting = list(SCRIPT)
    for frame in range(round(SECONDS * rate)):
        while waiting and waiting[0][0] <= frame / rate + 1e-9:
            _, key, down = waiting.pop(0)
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN if down else pygame.KEYUP, key=key))
        for event in pygame.event.get((pygame.KEYDOWN, pygame.KEYUP)):
            window.handle(event)
        window.advance(1 / rate)
        if frame % max(1, rate // 10) == 0:
            window.draw(picture)
    return window


def replay(window: Window) -> Replay:
    return window.session.recorder.finish(window.session.games)


@pytest.fixture
def display(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    pygame.display.set_mode(SIZE)
    pygame.event.clear()
    yield
    pygame.display.quit()


def test_no_frame_rate_changes_the_game(display: None, picture: pygame.Surface) -> None:
    games = {rate: played(rate, picture) for rate in (10, 30, 60, 120, 300)}
    assert len({window.session.digest() for window in games.values()}) == 1
    assert len({repr(replay(window).runs) for window in games.values()}) == 1
    assert int(games[60].session.now.tick) == SECONDS / state.TICK
    assert int(games[60].session.now.score) > 0

    without_window = play_replay(replay(games[120]))
    assert state.digest(without_window, 0) == games[60].session.digest()


def test_a_long_frame_does_not_make_the_game_run_after_it(window: Window) -> None:
    window.advance(100.0)
    assert int(window.session.now.tick) == round(LONGEST_FRAME / state.TICK)


def test_keys_lead_through_the_states(window: Window) -> None:
    assert window.mode == state.MENU
    press(window, pygame.K_w)
    level = 1 % len(LEVELS)
    assert int(window.session.now.level) == level
    press(window, pygame.K_s)
    assert int(window.session.now.level) == 0
    press(window, ENTER)
    assert window.mode == state.ACTIVE and int(window.session.now.stuck) == state.SERVED
    press(window, SPACE)
    assert int(window.session.now.stuck) == state.FREE
    press(window, pygame.K_p)
    assert window.mode == state.PAUSED
    press(window, pygame.K_p)
    assert window.mode == state.ACTIVE


def test_escape_pauses_first_and_quits_then(window: Window) -> None:
    start(window)
    press(window, pygame.K_ESCAPE)
    assert window.mode == state.PAUSED and window.open
    press(window, pygame.K_ESCAPE)
    assert not window.open


@pytest.mark.parametrize("event", [{"type": pygame.QUIT}, {"type": pygame.KEYDOWN, "key": pygame.K_q}])
def test_the_window_closes(window: Window, event: dict[str, int]) -> None:
    window.handle(pygame.event.Event(event.pop("type"), event))
    assert not window.open


def test_the_later_of_two_opposite_keys_counts(window: Window) -> None:
    start(window)
    at_first = paddle(window)
    press(window, RIGHT, ticks=6)
    assert paddle(window) == pytest.approx(at_first + 6 * state.PADDLE_SPEED * state.TICK)
    press(window, LEFT, ticks=6)
    assert paddle(window) == pytest.approx(at_first)
    press(window, LEFT, ticks=3, down=False)
    assert paddle(window) > at_first


def test_a_key_struck_between_two_ticks_moves_the_paddle_once(window: Window) -> None:
    start(window)
    before = paddle(window)
    for down in (True, False):
        window.handle(pygame.event.Event(pygame.KEYDOWN if down else pygame.KEYUP, key=LEFT))
    play(window, 5)
    assert paddle(window) == pytest.approx(before - state.PADDLE_SPEED * state.TICK)


@pytest.mark.parametrize("size", [(800, 600), (1600, 1200), (1000, 500)])
def test_the_paddle_follows_the_mouse_and_a_click_releases(window: Window, size: tuple[int, int]) -> None:
    window.draw(pygame.Surface(size, 0, 32))
    press(window, ENTER)
    pixel = window._view.point(600, 300)
    window.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=(round(pixel[0]), round(pixel[1])), buttons=(0, 0, 0)))
    play(window, 30)
    assert paddle(window) + state.PADDLE_WIDTH / 2 == pytest.approx(600, abs=1.0)
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(0, 0)))
    play(window, 1)
    assert int(window.session.now.stuck) == state.FREE
    press(window, LEFT, ticks=2)
    press(window, LEFT, ticks=20, down=False)
    assert paddle(window) + state.PADDLE_WIDTH / 2 == pytest.approx(600 - 2 * state.PADDLE_SPEED * state.TICK, abs=1.0)


def test_a_window_that_loses_the_keys_pauses_and_lets_go(window: Window) -> None:
    start(window)
    press(window, RIGHT)
    window.handle(pygame.event.Event(pygame.WINDOWFOCUSLOST))
    play(window, 1)
    assert window.mode == state.PAUSED
    press(window, pygame.K_p)
    before = paddle(window)
    play(window, 5)
    assert paddle(window) == before


def test_the_score_stays_visible_after_the_last_life(window: Window, picture: pygame.Surface) -> None:
    start(window)
    now = window.session.now
    now.lives, now.score = 1, 70
    now.ball, now.velocity = (60.0, 590.0), (0.0, 300.0)
    play(window, 30)
    assert window.mode == state.MENU and window.over == (LEVELS[0].name, 70)
    window.draw(picture)
    card = picture.copy()
    press(window, ENTER)
    assert window.over is None and window.mode == state.MENU
    window.draw(picture)
    assert card.get_buffer().raw != picture.get_buffer().raw


def test_winning_leads_to_the_next_level() -> None:
    window = Window(Session(Setup([parse_level("2", "one"), parse_level("3", "two")], seed=1)))
    start(window)
    play(window, 300)
    assert window.mode == state.WIN
    press(window, ENTER)
    assert int(window.session.now.level) == 1


def test_the_picture_lies_between_two_ticks(window: Window) -> None:
    start(window)
    play(window, 20)
    before = ball(window)
    window.advance(1.5 * state.TICK)
    between = ball(window)
    window.advance(0.5 * state.TICK - 1e-7)
    after = ball(window)
    assert before[1] > between[1] > after[1]
    assert between[0] == pytest.approx(before[0] + 0.75 * (after[0] - before[0]), abs=1e-3)
    assert between[1] == pytest.approx(before[1] + 0.75 * (after[1] - before[1]), abs=1e-3)


def test_a_bounce_is_drawn_where_it_happened() -> None:
    """Between two ticks the ball follows its swept path and is never drawn inside a brick or beyond a wall."""
    window = Window(Session(Setup(LEVELS, seed=2)))
    start(window)
    for _ in range(900):
        window.advance(state.TICK / 7)
        x, y = ball(window)
        assert state.BALL_RADIUS - 1e-6 <= x <= state.WIDTH - state.BALL_RADIUS + 1e-6
        assert y >= state.BALL_RADIUS - 1e-6


def test_without_a_display_no_window_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    assert open_window() is None


def test_a_missing_sound_device_prints_nothing(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "no such driver")
    sounds = Sounds()
    window = Window(Session(Setup(LEVELS, seed=1)), sounds=sounds)
    press(window, pygame.K_m)
    assert not sounds.available
    sounds.play("win")
    assert capfd.readouterr() == ("", "")


def test_muting_is_heard_and_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    sounds = Sounds()
    window = Window(Session(Setup(LEVELS, seed=1)), sounds=sounds)
    try:
        assert sounds.available and not sounds.muted
        press(window, pygame.K_m)
        assert sounds.muted
        press(window, pygame.K_m)
        assert not sounds.muted
    finally:
        sounds.close()


def test_a_source_that_ends_stops_the_game(window: Window) -> None:
    class Three:
        left = 3

        def next(self, session: Session) -> Press | None:
            self.left -= 1
            return Press() if self.left >= 0 else None

    window = Window(Session(Setup(LEVELS, seed=1)), Three())
    play(window, 10)
    assert window.finished and int(window.session.now.tick) == 3
