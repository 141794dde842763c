"""What a release does to the changelog, when it refuses, and what the summary of its tests says."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.conftest import ROOT, commit, summary
from tools import release

VERSION: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
TYPES = ("new", "changed", "fixed")


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=release.ROOT, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository with what a release reads, one change waiting, and a version that has no part yet."""
    if not shutil.which("git"):
        pytest.skip("git makes the commits of a release")
    monkeypatch.setattr(release, "ROOT", tmp_path)
    for name, value in (("AUTHOR", "A"), ("COMMITTER", "C")):
        monkeypatch.setenv(f"GIT_{name}_NAME", value)
        monkeypatch.setenv(f"GIT_{name}_EMAIL", f"{value}@localhost")
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(text.replace(f'version = "{VERSION}"', 'version = "99.0.0"'))
    for name in (release.LOG, release.CITATION):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "changes").mkdir()
    (tmp_path / "changes" / "README.md").write_text("Files for the changelog.\n")
    (tmp_path / "changes" / "+a-new-thing.new.md").write_text("**World**: a new thing,\nin two lines.\n")
    git("init", "--quiet")
    git("add", "--all")
    git("commit", "--quiet", "--message", "begin")
    return tmp_path


def released(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr(sys, "argv", ["release.py", "--date", "2099-01-02", *(words or ("--changelog-only",))])
    release.main()


def test_a_check_says_what_would_be_released_and_changes_nothing(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    released(monkeypatch, "--check")
    assert "99.0.0 can be released: changes/ has 1 files" in capsys.readouterr().out
    assert git("status", "--porcelain") == "" and git("rev-list", "--count", "HEAD") == "1"
    (project / "left").write_text("over")
    with pytest.raises(SystemExit, match="the tree is not clean"):
        released(monkeypatch, "--check")


def test_a_release_dates_the_changelog_and_the_citation_in_one_commit(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    released(monkeypatch)
    after = (project / release.LOG).read_text(encoding="utf-8")
    part = "## 99.0.0 (2099-01-02)\n\n### New\n\n- **World**: a new thing,\n  in two lines.\n"
    assert part in after and after.index(part) < after.index("\n## 0.1.0 (")
    cited = (project / release.CITATION).read_text(encoding="utf-8")
    assert "\nversion: 99.0.0\n" in cited and "\ndate-released: 2099-01-02\n" in cited
    assert [file.name for file in (project / "changes").iterdir()] == ["README.md"]
    assert git("status", "--porcelain") == "" and git("rev-list", "--count", "HEAD") == "2"


def test_a_release_refuses_what_is_not_ready(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "left").write_text("over")
    with pytest.raises(SystemExit, match="the tree is not clean"):
        released(monkeypatch)
    (project / "left").unlink()
    released(monkeypatch)
    (project / "changes" / "+late.fixed.md").write_text("late\n")
    git("add", "--all")
    git("commit", "--quiet", "--message", "late")
    with pytest.raises(SystemExit, match=r"has a part for 99\.0\.0, and more waits"):
        released(monkeypatch)
    git("reset", "--quiet", "--hard", "HEAD~1")
    git("tag", "v99.0.0")
    with pytest.raises(SystemExit, match=r"v99\.0\.0 is tagged already"):
        released(monkeypatch)


def test_what_waits_for_the_changelog_is_named_and_short() -> None:
    for file in (ROOT / "changes").iterdir():
        if file.name != "README.md":
            assert re.fullmatch(rf"\+[a-z0-9-]+\.({'|'.join(TYPES)})\.md", file.name), file.name
            lines = file.read_text(encoding="utf-8").splitlines()
            assert 1 <= len(lines) <= 4 and all(line == line.strip() and not line.startswith("-") for line in lines), (
                file
            )


def test_every_version_has_a_dated_part_and_this_one_has_or_waits_for_it() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    titles = re.findall(r"^## (.*)$", text, re.MULTILINE)
    dated = [re.fullmatch(r"(\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)", title) for title in titles]
    assert all(dated), titles
    parts = [(tuple(map(int, found[1].split("."))), found[2]) for found in dated if found]
    assert parts == sorted(parts, reverse=True) and parts[-1][0] == (0, 1, 0)
    waiting = [file for file in (ROOT / "changes").iterdir() if file.name != "README.md"]
    assert titles[0].startswith(f"{VERSION} (") or waiting


def test_the_summary_names_the_commit_that_was_tested() -> None:
    if not (ROOT / ".git").exists():
        assert commit() == "sources that are in no repository"
    else:
        head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True)
        assert commit().startswith(f"commit {head.stdout.strip()} of 20")
    reporter = SimpleNamespace(stats={})
    assert f"Of {commit()}." in summary(reporter, "")  # type: ignore[arg-type]
    kept = ROOT / "tests" / "full-summary.txt"
    if kept.exists():
        assert re.search(
            r"^Of commit [0-9a-f]{40} of \d{4}-\d\d-\d\d\.$", kept.read_text(encoding="utf-8"), re.MULTILINE
        )
