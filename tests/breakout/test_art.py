"""The pictures: every state has its own, all words fit and can be set, and a repaired picture equals a new one."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import numpy as np
import pytest

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
pygame = pytest.importorskip("pygame")

from carom_breakout import state  # noqa: E402
from carom_breakout.app.side_by_side import SideBySide  # noqa: E402
from carom_breakout.app.sound import BRICK_PITCHES, effects, music  # noqa: E402
from carom_breakout.app.window import Window  # noqa: E402
from carom_breakout.art import figure, lettering, palette, rails  # noqa: E402
from carom_breakout.art.board import Board  # noqa: E402
from carom_breakout.art.drawing import Art  # noqa: E402
from carom_breakout.art.effects import Effects  # noqa: E402
from carom_breakout.art.ink import box_distance, cover, disc_distance, stroke_distance  # noqa: E402
from carom_breakout.art.particles import POOL, Particles  # noqa: E402
from carom_breakout.art.view import PICTURE_HEIGHT, PICTURE_WIDTH, fit  # noqa: E402
from carom_breakout.flaws import FLAWS, Flaw, show_flaw  # noqa: E402
from carom_breakout.levels import Level, shipped_levels  # noqa: E402
from carom_breakout.power_up_table import POWER_UPS  # noqa: E402
from carom_breakout.replay import Setup  # noqa: E402
from carom_breakout.session import Session  # noqa: E402

LEVELS = shipped_levels()
SIZES = [(800, 600), (1600, 1200), (1000, 500)]
STATES = ("menu", "served", "playing", "paused", "won", "over", "overlay", "confuse", "chaos", "caught", "finished")


def pixels(surface: pygame.Surface) -> np.ndarray:
    return pygame.surfarray.array3d(surface).swapaxes(0, 1).astype(int)


def window_in(name: str, levels: list[Level] = LEVELS) -> Window:
    """Return a window whose game has been put into a state."""
    window = Window(Session(Setup(levels, seed=5)))
    window.advance(state.TICK)
    now = window.session.now
    if name != "menu":
        window.hands.press(state.ENTER)
        window.advance(state.TICK)
    if name not in ("menu", "served"):
        window.hands.press(state.RELEASE)
        for _ in range(40):
            window.advance(state.TICK)
    if name == "paused":
        window.hands.press(state.PAUSE)
        window.advance(state.TICK)
    elif name == "won":
        now.mode, now.score = state.WIN, 123456
    elif name == "over":
        now.mode, window.over = state.MENU, (window.session.level_name, 123456)
    elif name == "overlay":
        window.board.overlay.on = True
    elif name in ("confuse", "chaos"):
        kind = state.KINDS[name]
        now.effects |= 1 << kind
        now.running |= 1 << kind
        now.timers[kind] = 9.0
    elif name == "caught":
        window.board.feedback.toasts = [(kind, 20.0 + 150 * kind, 0.3) for kind in range(len(POWER_UPS))]
        now.effects |= (1 << state.STICKY) | (1 << state.PASS_THROUGH)
        now.running |= (1 << state.STICKY) | (1 << state.PASS_THROUGH)
        now.timers[:] = 7.0
        now.speed *= 1.44
        now.paddle_width = 150.0
    elif name == "finished":
        window.finished = True
    return window


def draw(window: Window, size: tuple[int, int]) -> pygame.Surface:
    picture = pygame.Surface(size, 0, 32)
    window.draw(picture)
    return picture


def test_every_state_has_its_own_picture() -> None:
    pictures = {name: pixels(draw(window_in(name), (800, 600))) for name in STATES}
    for one, other in itertools.combinations(STATES, 2):
        changed = (abs(pictures[one] - pictures[other]).max(axis=2) > 24).mean()
        assert changed > 0.0004, f"{one} and {other} look the same"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", STATES)
def test_all_words_fit_and_can_be_set(name: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[tuple[str, pygame.Rect]] = []

    def put(target: pygame.Surface, words: str, *place: object, **style: object) -> pygame.Rect:
        box = lettering.put(target, words, *place, **style)  # type: ignore[arg-type]
        said.append((words, box))
        return box

    monkeypatch.setattr(rails, "put", put)
    long = Level("a level with an uncommonly long name of which not all can be shown", LEVELS[0].rows)
    window = window_in(name, [long, *LEVELS])
    draw(window, size)
    picture = window._view.picture
    assert said
    for words, box in said:
        assert picture.contains(box), f"{words!r} leaves the picture"
        assert set(words) <= set(lettering.GLYPHS) | {" "}, f"{words!r} has a letter that cannot be set"
    flat = [(words, box) for words, box in said if name not in ("overlay", "caught")]
    for (one, first), (other, second) in itertools.combinations(flat, 2):
        assert not first.colliderect(second), f"{one!r} and {other!r} overlap"


def test_a_picture_keeps_its_proportion_and_leaves_bars() -> None:
    window = window_in("playing")
    picture = pixels(draw(window, (1000, 500)))
    box = window._view.picture
    assert box.width / box.height == pytest.approx(PICTURE_WIDTH / PICTURE_HEIGHT, rel=0.01)
    assert (picture[:, : box.left] == palette.INK).all() and (picture[:, box.right :] == palette.INK).all()
    assert box.left == pytest.approx((1000 - box.width) / 2, abs=1)


def test_a_window_may_change_its_size_at_any_moment() -> None:
    window = window_in("playing")
    first = pixels(draw(window, (800, 600)))
    for size in ((320, 200), (1201, 777), (800, 600)):
        picture = draw(window, size)
    assert (pixels(picture) == first).all()


def test_a_mended_wall_equals_a_new_one() -> None:
    session = Session(Setup(LEVELS, seed=1))
    view = fit((800, 600))[0]
    mended, fresh = Board(session), Board(session)
    target, again = (pygame.Surface((800, 600), 0, 32) for _ in range(2))
    mended.place(view, Art(view.scale))
    standing = np.flatnonzero(session.now.bricks)
    mended.draw(target, 1.0)
    random = np.random.default_rng(4)
    for _ in range(12):
        session.now.bricks[random.choice(standing, 3)] = state.EMPTY
        mended.draw(target, 1.0)
    session.now.bricks[standing[:2]] = state.ORANGE
    mended.draw(target, 1.0)
    fresh.place(view, Art(view.scale))
    fresh.draw(again, 1.0)
    assert (pixels(target) == pixels(again)).all()


def test_confuse_inverts_and_turns_the_picture_over() -> None:
    field = draw(window_in("playing"), (800, 600))
    before = pixels(field)
    Effects().confuse(field)
    assert (pixels(field) == 255 - before[::-1, ::-1]).all()


def test_chaos_leaves_edges_only_and_goes_round() -> None:
    field = pygame.Surface((400, 300), 0, 32)
    field.fill((80, 90, 100))
    pygame.draw.rect(field, (240, 200, 160), (100, 100, 60, 40))
    early, late = field.copy(), field.copy()
    effects = Effects()
    effects.chaos(early, 0.0)
    effects.chaos(late, 1.0)
    assert 0.005 < (pixels(early).max(axis=2) > 30).mean() < 0.2
    assert (pixels(early) != pixels(late)).any()
    assert (pixels(early) > 30).sum() == pytest.approx((pixels(late) > 30).sum(), rel=0.01)


def test_shake_moves_the_picture_a_little() -> None:
    field = draw(window_in("playing"), (800, 600))
    before = pixels(field)
    Effects().shake(field, 0.3)
    changed = abs(pixels(field) - before).max(axis=2) > 8
    assert 0.01 < changed.mean() < 0.6


def test_power_ups_differ_by_colour_and_by_sign() -> None:
    for one, other in itertools.combinations(POWER_UPS, 2):
        assert np.linalg.norm(np.subtract(one.color, other.color)) > 40, f"{one.name} and {other.name}"
        assert one.sign != other.sign
    art = Art(1.0)
    items = [pixels(art.item(kind, 60, 20)) for kind in range(len(POWER_UPS))]
    assert len({item.tobytes() for item in items}) == len(items)


def test_bricks_differ_by_code_and_stone_is_no_brick() -> None:
    art = Art(1.0)
    looks = [pixels(art.brick(code, 60, 40)) for code in range(1, 7)]
    for one, other in itertools.combinations(looks, 2):
        assert abs(one - other).mean() > 12
    assert (looks[5] == pixels(art.brick(17, 60, 40))).all()


def test_a_point_of_the_field_and_its_pixel_agree() -> None:
    for size in SIZES:
        view = fit(size)[0]
        for x, y in ((0.0, 0.0), (400.0, 300.0), (800.0, 600.0)):
            assert view.world(*view.point(x, y)) == pytest.approx((x, y))
        assert pygame.Rect((0, 0), size).contains(view.picture)


def test_two_pictures_lie_side_by_side() -> None:
    left, right = fit((1600, 700), columns=2, below=60)
    assert left.picture.right <= right.picture.left + 1
    assert right.picture.right <= 1600 and left.picture.bottom <= 700


@pytest.mark.parametrize("flaw", FLAWS, ids=[flaw.name for flaw in FLAWS])
def test_a_flaw_is_drawn_for_both_physics_and_all_words_fit(
    flaw: Flaw, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[tuple[str, pygame.Rect]] = []

    def put(target: pygame.Surface, words: str, *place: object, **style: object) -> pygame.Rect:
        box = lettering.put(target, words, *place, **style)  # type: ignore[arg-type]
        said.append((words, box))
        return box

    monkeypatch.setattr(figure, "put", put)
    shown = show_flaw(flaw.name)
    figure.save_flaw(shown, tmp_path / "flaw.png")
    picture = pixels(pygame.image.load(tmp_path / "flaw.png"))
    height = len(picture)
    panels = height - figure.TOP - figure.CAPTIONS - figure.LEGEND
    assert picture.shape == (height, figure.WIDTH, 3)
    assert 200 < panels <= figure.TALLEST
    left, right = np.split(picture[figure.TOP : figure.TOP + panels], 2, axis=1)
    assert (left.std() > 5 or right.std() > 5) and (left != right[:, ::-1]).any()
    page = pygame.Rect(0, 0, figure.WIDTH * figure.FINE, height * figure.FINE)
    for words, box in said:
        assert page.contains(box), f"{words!r} leaves the page"
        assert set(words) <= set(lettering.GLYPHS) | {" "}, f"{words!r} has a letter that cannot be set"
    for (one, first), (other, second) in itertools.combinations(said, 2):
        assert not first.colliderect(second), f"{one!r} and {other!r} overlap"
    for outcome in (shown.tutorial, shown.exact):
        set_words = " ".join(words for words, _ in said)
        assert set(outcome.says.split()) <= set(set_words.split()), "part of the sentence is missing"


def test_both_physics_side_by_side_count_and_show_it() -> None:
    both = SideBySide(Setup(LEVELS, seed=7, physics=state.TUTORIAL), steps=400)
    picture = pygame.Surface((1760, 764), 0, 32)
    both.draw(picture)
    before = pixels(picture)
    while not both.finished:
        both.tick()
    both.draw(picture)
    assert both.finished and both.ticks == 400
    assert (pixels(picture) != before).any()
    tutorial, exact = both.tallies
    assert tutorial.frames == exact.frames > 300
    assert exact[1:] == (0, 0, 0, 0)
    assert [board.session.setup.seed for board in both.boards] == [7, 7]
    runs = [board.session.recorder.finish(board.session.games).runs for board in both.boards]
    assert repr(runs[0]) == repr(runs[1]), "both games have one input"


def test_a_hand_takes_the_paddles_over() -> None:
    both = SideBySide(Setup(LEVELS, seed=7, physics=state.TUTORIAL), steps=400)
    for _ in range(60):
        both.tick()
    both.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_LEFT))
    before = [float(board.session.now.paddle) for board in both.boards]
    for _ in range(6):
        both.tick()
    for board, paddle in zip(both.boards, before, strict=True):
        assert float(board.session.now.paddle) == pytest.approx(max(paddle - 50, 0.0), abs=1e-6)


def test_distances_match_their_shapes() -> None:
    square = box_distance((40, 30), (10, 10, 30, 20), 0.0)
    assert square[15, 20] == pytest.approx(-4.5) and square[15, 35] == pytest.approx(5.5)
    assert cover(disc_distance((40, 40), (20, 20), 9.0)).sum() == pytest.approx(np.pi * 81, rel=0.005)
    stroke = stroke_distance((40, 30), [[(10.0, 15.0), (30.0, 15.0)]], 6.0)
    assert cover(stroke - 2.0).sum() == pytest.approx(20 * 4 + np.pi * 4, rel=0.01)
    assert stroke.max() == 6.0


def test_particles_fade_and_the_oldest_are_used_again() -> None:
    particles = Particles(seed=1)
    for _ in range(POOL):
        particles.trail(400, 300, (100, -350), 12.5)
        particles.step(state.TICK)
    assert 2 * 59 <= (particles.life > 0).sum() <= 2 * 60
    assert (particles.position[:, 1] <= 310).any() and (particles.velocity[:, 1] >= 0).all()
    for _ in range(61):
        particles.step(state.TICK)
    assert (particles.life <= 1e-9).all()


def test_particles_repeat_with_their_seed() -> None:
    pools = [Particles(seed) for seed in (1, 1, 2)]
    for pool in pools:
        pool.burst((10, 10, 60, 40), (200, 100, 50))
    assert (pools[0].position == pools[1].position).all() and (pools[0].position != pools[2].position).any()


def test_sounds_are_clean() -> None:
    sounds = effects()
    assert {f"brick{code}" for code in BRICK_PITCHES} < set(sounds)
    for name, wave in sounds.items():
        assert np.isfinite(wave).all() and 0.2 < abs(wave).max() <= 1.0, name
        assert abs(wave[0]) < 0.02 and abs(wave[-1]) < 0.02, f"{name} clicks"


def test_the_music_goes_round_without_a_seam() -> None:
    track = music()
    assert abs(track).max() <= 1.0 and np.sqrt((track**2).mean()) > 0.05
    assert abs(track[0] - track[-1]) < 0.02
