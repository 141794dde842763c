"""The command line: its output, its refusals in one line, and the files that it leaves without a display."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from carom.cli import programs as cli
from carom_breakout.flaws import FLAWS, show_flaw
from carom_breakout.replay import load_replay

pytest.importorskip("pygame")

LEVEL = "0 2 2 0\n1 3 4 1\n"


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Run in an empty folder, without a display."""
    monkeypatch.chdir(tmp_path)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("CAROM_DATA", str(tmp_path.with_name(f"{tmp_path.name}-data")))
    return tmp_path


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own, as a user does."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, "-m", "carom", *words], capture_output=True, text=True, timeout=100, env=environment
    )


def test_the_bare_command_lists_the_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 0
    shown = capsys.readouterr().out
    for program in cli.PROGRAMS:
        assert f"carom {program}" in shown
        assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out.strip().splitlines()[-1] == f"carom {version('carom')}"


HELP = """
import contextlib, io, sys
from carom import cli

for words in ([], ["--help"], ["--version"], ["breakout", "--help"]):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        try:
            cli.main(words)
        except SystemExit as end:
            assert not end.code, words
    assert "carom" in said.getvalue(), words
    heavy = {"pygame", "PIL", "imageio", "tqdm", "carom_breakout.rules"} & set(sys.modules)
    assert not heavy, (words, heavy)
"""


def test_help_imports_no_pygame_and_compiles_nothing() -> None:
    done = subprocess.run([sys.executable, "-c", HELP], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


REFUSED = [
    (["nonsense"], "nonsense"),
    (["playgroud"], "did you mean playground?"),
    (["explain", "circle", "0", "0", "1"], "each shape stands in quotes"),
    (["explain", "circle 0,0,1", "point 0 0"], "put spaces between numbers"),
    (["explain", "circle 0 0 1", "box 0 0 1 1 30 deg"], "30deg"),
    (["explain", "circle 0 0 1", "point 0 0", "--svg", "a.svg"], "--svg is now --shot FILE"),
    (["breakout", "--bogus"], "--bogus"),
    (["breakout", "--seed", "-1"], "--seed"),
    (["breakout", "--seed", "one"], "one"),
    (["breakout", "--seconds", "nan"], "nan"),
    (["breakout", "--scale", "0"], "--scale"),
    (["breakout", "--fps", "0"], "--fps"),
    (["breakout", "--level", "99"], "levels 1 to"),
    (["breakout", "--level", "missing.txt"], "missing.txt"),
    (["breakout", "--level", "ragged.txt"], "ragged.txt, line 2"),
    (["breakout", "--level", "."], "cannot be read"),
    (["breakout", "--stage", "6"], "--stage"),
    (["breakout", "--physics", "exact", "--stage", "2"], "--stage"),
    (["breakout", "--physics", "newton"], "newton"),
    (["breakout", "--replay", "missing.json"], "missing.json"),
    (["breakout", "--replay", "ragged.txt"], "ragged.txt"),
    (["breakout", "--replay", "ragged.txt", "--seed", "1"], "--seed"),
    (["breakout", "--replay", "ragged.txt", "--no-power-ups"], "--no-power-ups"),
    (["breakout", "--record", "film.avi"], ".gif or .mp4"),
    (["breakout", "--record", "no/film.gif"], "no folder"),
    (["breakout", "--shot", "no/picture.png"], "no folder"),
    (["breakout", "--shot", "."], "folder"),
    (["breakout", "--record-replay", "no/replay.json"], "no folder"),
    (["breakout", "--window"], "no display"),
    (["breakout", "--window", "--shot", "a.png"], "--window"),
    (["breakout", "--steps", "10"], "--steps"),
    (["breakout", "--compare", "--steps", "0"], "--steps"),
    (["breakout", "--compare", "--physics", "exact"], "--physics"),
    (["breakout", "--compare", "--seconds", "3"], "--seconds"),
    (["breakout", "--compare", "--window", "--shot", "a.png"], "--window"),
    (["breakout", "--shot", "picture.xyz"], ".png"),
    (["flaws", "corner", "--shot", "picture"], ".png"),
    (["flaws", "nothing"], "nothing"),
    (["flaws", "--shot", "a.png"], "carom flaws NAME"),
    (["flaws", "corner", "--shot", "no/picture.png"], "no folder"),
]


@pytest.mark.parametrize("wish", ["fast", "prebuilt"])
def test_kernels_that_are_not_there_end_the_command_with_one_line(wish: str) -> None:
    environment = os.environ | {"CAROM_KERNELS": wish}
    words = [sys.executable, "-m", "carom", "check"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=100, env=environment)
    if wish == "prebuilt" and done.returncode == 0:
        pytest.skip("this install has them")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("carom: CAROM_KERNELS") and len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(("words", "names"), REFUSED, ids=[" ".join(words) for words, _ in REFUSED])
def test_bad_files_and_options_end_with_one_clear_line(
    words: list[str], names: str, nowhere: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (nowhere / "ragged.txt").write_text("2 2 2\n2 2\n", encoding="utf-8")
    assert cli.main(words) == 2
    shown = capfd.readouterr()
    assert shown.out == ""
    assert len(shown.err.strip().splitlines()) == 1
    assert shown.err.startswith("carom") and names in shown.err
    assert sorted(file.name for file in nowhere.iterdir()) == ["ragged.txt"]


def test_breakout_without_a_display_plays_itself_and_saves_a_picture(nowhere: Path) -> None:
    done = run("breakout", "--seed", "7", "--record-replay", "game.json")
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr and "ALSA" not in done.stderr and "pygame" not in done.stdout
    lines = done.stdout.splitlines()
    played = next(line for line in lines if line.startswith("Played"))
    assert "30.0 s" in played and "seed 7" in played
    assert (nowhere / "breakout.png").read_bytes().startswith(b"\x89PNG")
    state = next(line for line in lines if "state" in line)

    again = run("breakout", "--replay", "game.json", "--shot", "again.png")
    assert again.returncode == 0, again.stderr
    assert state in again.stdout.splitlines()
    assert (nowhere / "again.png").exists()


@pytest.mark.parametrize("compiling", [False, True])
def test_with_a_display_a_window_opens_and_the_game_can_be_kept(
    compiling: bool, nowhere: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The dummy display stands in for a real one; what a real one shows is the same surface."""
    import pygame

    from carom_breakout.app import launch, opening, window

    def open_on_dummy(scale: float) -> pygame.Surface:
        pygame.display.init()
        return opening.set_window(scale)

    monkeypatch.setattr(launch, "open_window", open_on_dummy)
    monkeypatch.setattr(launch, "has_display", lambda: True)
    monkeypatch.setattr(launch, "must_compile", lambda physics: compiling)
    said: list[str] = []
    monkeypatch.setattr(window.Window, "say", lambda self, text: said.append(text))
    words = ["breakout", "--autoplay", "--seconds", "0.8", "--mute", "--scale", "0.5", "--seed", "4"]
    assert cli.main([*words, "--record-replay", "kept.json"]) == 0
    shown = capfd.readouterr().out
    assert "seed 4" in shown and "replay kept.json" in shown
    assert any("Compiling" in text for text in said) == compiling
    assert sorted(file.name for file in nowhere.iterdir()) == ["kept.json"]
    assert load_replay("kept.json").steps >= 1
    assert not pygame.display.get_init()


@pytest.mark.parametrize("name", ["film.gif", "film.mp4"])
def test_a_film_of_the_game_is_written(name: str, nowhere: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (nowhere / "mine.txt").write_text(LEVEL, encoding="utf-8")
    assert cli.main(["breakout", "--level", "mine.txt", "--record", name, "--seconds", "2", "--seed", "3"]) == 0
    content = (nowhere / name).read_bytes()
    assert content.startswith(b"GIF89a") if name.endswith("gif") else content[4:8] == b"ftyp"
    assert len(content) > 5_000
    assert "(mine)" in capfd.readouterr().out


def test_a_film_holds_the_length_of_the_game(nowhere: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    assert cli.main(["breakout", "--record", "film.gif", "--seconds", "2", "--seed", "3"]) == 0
    with image.open(nowhere / "film.gif") as film:
        seconds = 0.0
        for number in range(film.n_frames):
            film.seek(number)
            seconds += film.info["duration"] / 1000
        assert film.size == (560, 420)
    assert seconds == pytest.approx(2.0, abs=0.1)


def test_both_physics_side_by_side_are_counted(nowhere: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["breakout", "--compare", "--steps", "160", "--shot", "both.png"]) == 0
    lines = capfd.readouterr().out.splitlines()
    counts = {
        " ".join(words[:-2]): (int(words[-2]), int(words[-1]))
        for words in (line.split() for line in lines)
        if len(words) >= 3 and words[-1].isdigit() and words[-2].isdigit()
    }
    assert set(counts) == {"tunnelled", "double hits", "wrong normals", "frames in overlap"}
    assert all(exact == 0 for _, exact in counts.values())
    for name in ("tunnelled", "double hits", "wrong normals"):
        assert counts[name][0] > 0, "the seed that is taken without --seed shows each flaw within seconds"
    assert (nowhere / "both.png").read_bytes().startswith(b"\x89PNG")

    again = ["breakout", "--compare", "--seed", "7", "--steps", "60", "--record", "both.gif"]
    assert cli.main(again) == 0
    assert (nowhere / "both.gif").read_bytes().startswith(b"GIF89a")


def test_all_flaws_are_listed_a_line_for_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["flaws"]) == 0
    *lines, empty, hint = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines] == [[str(flaw.number), flaw.name] for flaw in FLAWS]
    assert len(lines) == 13 and all(len(line) < 80 for line in (*lines, hint))
    assert empty == "" and "carom flaws NAME" in hint


@pytest.mark.parametrize("name", [flaw.name for flaw in FLAWS])
def test_a_flaw_is_described_for_both_physics(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["flaws", name]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    flaw = show_flaw(name)
    assert flaw.tutorial.says in shown and flaw.exact.says in shown and flaw.flaw.summary in shown


def test_flaws_are_described_without_pygame(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    assert cli.main(["flaws", "1"]) == 0
    assert "Straight through" in capsys.readouterr().out


@pytest.mark.parametrize("stage", range(1, 6))
def test_every_stage_of_the_tutorial_plays(stage: int, nowhere: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["breakout", "--stage", str(stage), "--seconds", "3", "--seed", "1", "--shot", "a.png"]) == 0
    assert "Played 3.0 s" in capfd.readouterr().out


def test_a_replay_that_diverges_is_reported(nowhere: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["breakout", "--seconds", "4", "--seed", "1", "--record-replay", "a.json", "--shot", "a.png"]) == 0
    text = (nowhere / "a.json").read_text(encoding="utf-8")
    (nowhere / "b.json").write_text(text.replace('"seed":1', '"seed":2'), encoding="utf-8")
    capfd.readouterr()
    assert cli.main(["breakout", "--replay", "b.json", "--shot", "b.png"]) == 2
    shown = capfd.readouterr().err.strip()
    assert "goes another way" in shown.splitlines()[-1]


def test_an_interrupt_leaves_no_traceback(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    program = cli.PROGRAMS["breakout"].load()._replace(run=interrupt)
    monkeypatch.setitem(cli.PROGRAMS, "breakout", cli.Program("play", lambda: program))
    assert cli.main(["breakout"]) == 130
    assert capsys.readouterr().err.strip() == ""


@pytest.mark.parametrize("module", ["numpy", "carom.cli", "carom_breakout.command"])
def test_an_interrupt_during_an_import_leaves_no_traceback(module: str) -> None:
    words = f"""
import sys, carom_command
class Interrupts:
    def find_spec(self, name, *_):
        if name == {module!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupts())
sys.argv = ["carom", "breakout"]
sys.exit(carom_command.main())
"""
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stdout.strip(), done.stderr.strip()) == (130, "", "")
