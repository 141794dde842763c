"""The window, driven by events without a display: keys and mouse act as documented, no frame rate changes the game."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
pygame = pytest.importorskip("pygame")

from carom_breakout import scores, state  # noqa: E402
from carom_breakout.app.opening import open_window  # noqa: E402
from carom_breakout.app.show import LONGEST_FRAME  # noqa: E402
from carom_breakout.app.sound import Sounds  # noqa: E402
from carom_breakout.app.window import Window  # noqa: E402
from carom_breakout.art.rails import Words  # noqa: E402
from carom_breakout.art.screens import Screens  # noqa: E402
from carom_breakout.levels import parse_level, shipped_levels  # noqa: E402
from carom_breakout.power_up_table import POWER_UPS  # noqa: E402
from carom_breakout.replay import Replay, Setup  # noqa: E402
from carom_breakout.session import Autoplay, Press, Session  # noqa: E402
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


def test_escape_pauses_and_goes_on(window: Window) -> None:
    start(window)
    press(window, pygame.K_ESCAPE)
    assert window.mode == state.PAUSED and window.open
    press(window, pygame.K_ESCAPE)
    assert window.mode == state.ACTIVE and window.open


def test_the_frame_closes_the_window_at_once_and_the_score_is_kept(
    display: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CAROM_DATA", str(tmp_path))
    window = Window(Session(Setup(LEVELS, seed=3)), keeps_scores=True)
    start(window)
    window.session.now.score = 120
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.run(60, 5.0)
    assert not window.open and window.asking == ""
    assert [score.points for score in scores.load()] == [120]


@pytest.mark.parametrize("key", [pygame.K_q, pygame.K_ESCAPE])
@pytest.mark.parametrize(("answer", "open_after"), [(pygame.K_n, True), (pygame.K_ESCAPE, True), (pygame.K_y, False)])
def test_quitting_is_asked_for_first(window: Window, key: int, answer: int, open_after: bool) -> None:
    press(window, key)
    assert window.open and window.asking == "quit"
    press(window, RIGHT)
    assert window.asking == "quit"
    press(window, answer)
    assert window.open == open_after and window.asking == ""


def test_a_question_holds_the_game(window: Window) -> None:
    start(window)
    press(window, pygame.K_q)
    assert window.mode == state.PAUSED
    before = window.session.now.ball.tolist()
    play(window, 20)
    assert window.session.now.ball.tolist() == before
    press(window, pygame.K_n)
    assert window.mode == state.PAUSED and window.open


def test_a_game_that_plays_itself_quits_without_a_question() -> None:
    setup = Setup(LEVELS, seed=3)
    window = Window(Session(setup), Autoplay(3))
    press(window, pygame.K_q)
    assert not window.open


def test_b_leads_back_to_the_menu_with_the_level_whole(window: Window) -> None:
    start(window)
    play(window, 200)
    now = window.session.now
    now.lives, now.level = 2, 1
    press(window, pygame.K_b)
    assert window.asking == "menu" and window.mode == state.PAUSED
    press(window, pygame.K_y)
    now = window.session.now
    assert window.mode == state.MENU and (int(now.level), int(now.lives)) == (1, state.LIVES)
    assert int(now.stuck) == state.SERVED and int(now.falling) == 0 and int(now.remaining) > 0
    press(window, pygame.K_b)
    assert window.asking == ""


def test_arrow_keys_and_the_wheel_choose_a_level(window: Window) -> None:
    for key, level in ((pygame.K_RIGHT, 1), (pygame.K_UP, 2), (pygame.K_LEFT, 1), (pygame.K_DOWN, 0)):
        press(window, key)
        assert int(window.session.now.level) == level % len(LEVELS)
    window.handle(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=-1))
    play(window, 1)
    assert int(window.session.now.level) == 1
    press(window, ENTER)
    before = paddle(window)
    press(window, pygame.K_RIGHT)
    assert paddle(window) > before


def click(window: Window, picture: pygame.Surface, action: str) -> None:
    """Click where the picture offers an action."""
    window.draw(picture)
    assert window._screens is not None
    places = {name: zone.center for zone, name in window._screens.zones}
    window.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=places[action], buttons=(0, 0, 0)))
    window.draw(picture)
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=places[action]))
    play(window, 1)


def test_the_mouse_leads_through_the_states(window: Window, picture: pygame.Surface) -> None:
    click(window, picture, "next")
    assert int(window.session.now.level) == 1
    click(window, picture, "previous")
    assert int(window.session.now.level) == 0
    click(window, picture, "play")
    assert window.mode == state.ACTIVE
    press(window, pygame.K_p)
    click(window, picture, "menu")
    assert window.asking == "menu"
    click(window, picture, "no")
    assert window.mode == state.PAUSED
    click(window, picture, "resume")
    assert window.mode == state.ACTIVE
    press(window, pygame.K_q)
    click(window, picture, "yes")
    assert not window.open


def test_a_card_covers_what_could_be_clicked_below(window: Window, picture: pygame.Surface) -> None:
    window.draw(picture)
    assert window._screens is not None
    below = {name for _, name in window._screens.zones}
    press(window, pygame.K_h)
    window.draw(picture)
    assert below >= {"play", "next"} and {name for _, name in window._screens.zones} == {"close"}
    press(window, pygame.K_ESCAPE)
    assert not window.helping and window.open and window.asking == ""


@pytest.mark.parametrize("power_ups", [True, False])
def test_help_names_every_power_up_of_the_game(
    power_ups: bool, picture: pygame.Surface, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = Window(Session(Setup(LEVELS, seed=3, power_ups=power_ups)))
    written: list[str] = []
    put = Words.put

    def noted(self: Words, target: pygame.Surface, words: str, *rest: Any, **style: Any) -> pygame.Rect:
        written.append(words)
        return put(self, target, words, *rest, **style)

    monkeypatch.setattr(Words, "put", noted)
    start(window)
    press(window, pygame.K_h)
    assert window.mode == state.PAUSED
    window.draw(picture)
    assert {power_up.title for power_up in POWER_UPS if power_up.title in written} == (
        {power_up.title for power_up in POWER_UPS} if power_ups else set()
    )
    assert ("No power-ups in this game" in written) is not power_ups


def test_f11_fills_the_screen_and_goes_back(window: Window, display: None) -> None:
    full = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_F11, mod=0)
    before = pygame.display.get_window_size()
    assert window.turn_full_screen(full)
    assert pygame.display.get_surface().get_flags() & pygame.FULLSCREEN
    window.draw(pygame.display.get_surface())
    assert window.turn_full_screen(full)
    assert not pygame.display.get_surface().get_flags() & pygame.FULLSCREEN
    assert pygame.display.get_window_size() == before
    assert not window.turn_full_screen(pygame.event.Event(pygame.KEYDOWN, key=LEFT, mod=0))


def test_points_fly_from_a_broken_brick(picture: pygame.Surface) -> None:
    window = Window(Session(Setup([parse_level("5 5 5", "row")], seed=1)))
    start(window)
    for _ in range(300):
        play(window, 1)
        if window.board.feedback.flights:
            break
    (flight, age), *_ = window.board.feedback.flights
    assert (flight.text, age) == ("+40", 0.0)
    window.draw(picture)
    press(window, pygame.K_p, ticks=1)
    play(window, 120)
    assert window.board.feedback.flights == []


def test_a_win_tells_what_it_brought_and_sends_up_rockets(
    picture: pygame.Surface, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = Window(Session(Setup([parse_level("2", "one"), parse_level("3", "two")], seed=1)))
    start(window)
    play(window, 300)
    assert window.mode == state.WIN
    assert (window.fireworks.life > 0).any()
    told: list[Any] = []
    result = Screens.result
    monkeypatch.setattr(Screens, "result", lambda *given, **more: (told.append(more["lines"]), result(*given, **more)))
    window.draw(picture)
    assert [number for _, number, _ in told[0]] == ["+250", "+300"]


def test_high_scores_are_kept_from_one_window_to_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, picture: pygame.Surface
) -> None:
    monkeypatch.setenv("CAROM_DATA", str(tmp_path / "data"))
    for points, place in ((70, 0), (90, 0), (80, 1), (0, -1)):
        window = Window(Session(Setup(LEVELS, seed=3)), keeps_scores=True)
        start(window)
        now = window.session.now
        now.lives, now.score, now.ball, now.velocity = 1, points, (60.0, 590.0), (0.0, 300.0)
        play(window, 30)
        window.draw(picture)
        assert window.place == place
    assert [score.points for score in Window(Session(Setup(LEVELS, seed=3)), keeps_scores=True).best] == [90, 80, 70]


@pytest.mark.parametrize("key", [pygame.K_q, pygame.K_b])
def test_a_game_given_up_keeps_its_score(key: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAROM_DATA", str(tmp_path))
    window = Window(Session(Setup(LEVELS, seed=3)), keeps_scores=True)
    start(window)
    window.session.now.score = 120
    press(window, key)
    press(window, pygame.K_y)
    assert [score.points for score in scores.load()] == [120]


def test_only_the_whole_game_by_hand_keeps_scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAROM_DATA", str(tmp_path))
    scores.add(500, "one")
    assert not Window(Session(Setup(LEVELS, 3, 0, 3)), keeps_scores=True).best
    assert not Window(Session(Setup(LEVELS, 3)), Autoplay(3), keeps_scores=True).best
    assert not Window(Session(Setup(LEVELS, 3, power_ups=False)), keeps_scores=True).best
    assert Window(Session(Setup(LEVELS, 3)), keeps_scores=True).best


def tour(stage: int) -> Window:
    return Window(Session(Setup(LEVELS, 3, 0, stage)))


@pytest.mark.parametrize("stage", range(1, 6))
def test_each_stage_of_the_tour_says_what_to_watch_for(stage: int, picture: pygame.Surface) -> None:
    window = tour(stage)
    assert window.tour is not None and window.tour.number == stage and window.tour.watch.endswith(".")
    window.draw(picture)
    press(window, pygame.K_PAGEDOWN)
    assert window.tour.number == min(stage + 1, 5)
    press(window, pygame.K_PAGEUP)
    press(window, pygame.K_PAGEUP)
    assert window.tour.number == max(min(stage + 1, 5) - 2, 1)


@pytest.mark.parametrize("stage", [1, 2, 3])
def test_n_serves_a_new_ball_where_one_is_lost_for_good(stage: int, picture: pygame.Surface) -> None:
    window = tour(stage)
    start(window)
    press(window, pygame.K_n)
    assert int(window.session.now.stuck) == state.FREE, "this ball is not lost"
    for _ in range(4000):
        play(window, 1)
        if window.session.now.ball[1] > state.HEIGHT + 2 * state.BALL_RADIUS:
            break
    window.draw(picture)
    assert window._screens is not None and "new ball" in {name for _, name in window._screens.zones}
    press(window, pygame.K_n)
    assert int(window.session.now.stuck) == state.SERVED and window.mode == state.ACTIVE
    assert int(window.session.now.lives) == state.LIVES


def test_a_change_of_stage_goes_on_with_the_level_that_was_played(window: Window) -> None:
    press(window, pygame.K_PAGEDOWN)
    assert window.tour is None
    shown = tour(2)
    press(shown, pygame.K_RIGHT)
    press(shown, ENTER)
    press(shown, pygame.K_PAGEDOWN)
    play(shown, 1)
    assert (shown.mode, int(shown.session.now.level), shown.session.setup.physics) == (state.ACTIVE, 1, 3)
    shown.one_stage = True
    press(shown, pygame.K_PAGEDOWN)
    assert shown.session.setup.physics == 3


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
