"""Films are whole up to where they were stopped; files that cannot be written are refused before anything is played."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
pygame = pytest.importorskip("pygame")

from carom.cli import programs as cli  # noqa: E402
from carom_breakout.app.slow_motion import HELD, MOTION, SlowMotion  # noqa: E402
from carom_breakout.app.window import Window  # noqa: E402
from carom_breakout.art.figure import BRICK, GONE, until  # noqa: E402
from carom_breakout.art.film import FileError, check_folder  # noqa: E402
from carom_breakout.flaws import show_flaw  # noqa: E402


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def length(film: Any) -> float:
    """Return the seconds of a GIF."""
    seconds = 0.0
    for number in range(film.n_frames):
        film.seek(number)
        seconds += film.info["duration"] / 1000
    return seconds


@pytest.mark.parametrize("name", ["film.gif", "film.mp4"])
def test_a_film_that_ctrl_c_stops_is_whole_up_to_there(
    name: str, nowhere: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("imageio_ffmpeg")
    image, imageio = pytest.importorskip("PIL.Image"), pytest.importorskip("imageio.v2")
    tick, ticks = Window.tick, 0

    def stopped(self: Window) -> None:
        nonlocal ticks
        ticks += 1
        if ticks > 60:
            raise KeyboardInterrupt
        tick(self)

    monkeypatch.setattr(Window, "tick", stopped)
    assert cli.main(["breakout", "--record", name, "--seconds", "20", "--seed", "3", "--mute"]) == 130
    assert f"{name} holds the first 1.0 s" in capsys.readouterr().err
    if name.endswith("gif"):
        with image.open(nowhere / name) as film:
            assert length(film) == pytest.approx(1.0, abs=0.08)
    else:
        with imageio.get_reader(nowhere / name) as film:
            assert film.count_frames() == pytest.approx(30, abs=2)


@pytest.mark.parametrize("option", ["--record", "--shot", "--record-replay"])
def test_an_unwritable_folder_is_told_in_one_line_before_the_game(
    option: str, nowhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ending = {"--record": "gif", "--shot": "png", "--record-replay": "json"}[option]
    file = f"/proc/none.{ending}" if Path("/proc/self").exists() else f"file/none.{ending}"
    assert cli.main(["breakout", option, file, "--seconds", "1"]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert line.startswith("carom breakout: ") and file in line


def test_looking_whether_a_file_can_be_written_leaves_none_behind(nowhere: Path) -> None:
    assert check_folder(Path("new.gif")) == Path("new.gif") and not list(nowhere.iterdir())
    Path("old.gif").write_bytes(b"old")
    check_folder(Path("old.gif"))
    assert Path("old.gif").read_bytes() == b"old"
    with pytest.raises(FileError, match="folder"):
        check_folder(Path("no/film.gif"))


def test_a_misspelt_flaw_is_answered_with_the_near_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["flaws", "cornr"]) == 2
    assert "did you mean corner?" in capsys.readouterr().err
    assert cli.main(["flaws", "zzz"]) == 2
    assert "carom flaws lists them" in capsys.readouterr().err


@pytest.mark.parametrize("columns", ["50", "80", "200"])
def test_the_words_of_a_flaw_are_no_wider_than_the_terminal(
    columns: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert cli.main(["flaws", "corner"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) < min(int(columns), 101)
    assert " ".join(show_flaw("corner").exact.says.split()) in " ".join(" ".join(lines).split())


def test_a_flaw_is_filmed_in_slow_motion(nowhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = pytest.importorskip("PIL.Image")
    assert cli.main(["flaws", "ghost-edge", "--record", "edge.gif"]) == 0
    with image.open(nowhere / "edge.gif") as film:
        assert length(film) == pytest.approx(MOTION + HELD, abs=0.1)
        assert film.n_frames > 50


def test_slow_motion_begins_at_the_start_and_ends_as_the_page() -> None:
    shown = show_flaw("double-hit")
    assert until(shown.exact, 1.0) == shown.exact
    begun = until(shown.exact, 0.3)
    assert begun.places[0] == shown.exact.places[0] and not begun.hits
    assert len(until(shown.tutorial, 0.99).hits) >= len(until(shown.tutorial, 0.6).hits) > 0
    through = show_flaw("tunnelling").exact
    assert {kind for _, kind in through.boxes} >= {GONE}
    kinds = {kind for _, kind in until(through, 0.001).boxes}
    assert GONE not in kinds and BRICK in kinds


def test_keys_hold_and_turn_slow_motion() -> None:
    show = SlowMotion(show_flaw("corner"))
    surface = pygame.Surface((640, 400))
    for _ in range(90):
        show.tick()
    before = show.share_of_motion
    assert 0.2 < before < 0.4
    show.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_LEFT))
    assert show.held and show.share_of_motion < before
    show.tick()
    show.draw(surface)
    assert show.share_of_motion < before
    show.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_SPACE))
    assert not show.held
    show.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_ESCAPE))
    assert not show.open
