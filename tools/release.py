"""Make the commits of a release: python tools/release.py [--date YYYY-MM-DD] [--check], which `make release` runs.

In: a clean tree whose pyproject.toml holds the new version. Out: a commit in which the changelog has the dated part of
the version, made from the files in changes/, and CITATION.cff its version and date; every test run on that commit, long
ones too; a commit with their summary, which names the commit that was tested; and words on what to do next. Nothing is
tagged, pushed or published.
"""

from __future__ import annotations

import argparse
import datetime
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOG, CITATION, SUMMARY = "CHANGELOG.md", "CITATION.cff", "tests/full-summary.txt"


def run(*words: str) -> str:
    """Run a command in the project's folder and return what it prints; its errors end the release."""
    return subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def refusal(version: str) -> str:
    """Return why this version cannot be released from the tree as it is; "" if it can."""
    if changed := run("git", "status", "--porcelain"):
        return f"the tree is not clean:\n{changed}"
    if run("git", "tag", "--list", f"v{version}"):
        return f"v{version} is tagged already; set the next version in pyproject.toml"
    if fragments() and is_dated(version):
        return f"{LOG} has a part for {version}, and more waits in changes/; set the next version in pyproject.toml"
    return "" if fragments() or is_dated(version) else "there is nothing in changes/ to tell users"


def fragments() -> list[Path]:
    """Return the files of changes that no part of the changelog has yet."""
    return [file for file in sorted((ROOT / "changes").iterdir()) if file.name != "README.md"]


def is_dated(version: str) -> bool:
    """Tell whether the changelog has the part of a version."""
    return f"\n## {version} (" in (ROOT / LOG).read_text(encoding="utf-8")


def date_the_changelog(version: str, date: str) -> None:
    """Move all of changes/ into the changelog, and tell those who cite Carom the version and the date."""
    run(sys.executable, "-m", "towncrier", "build", "--yes", "--version", version, "--date", date)
    cited = (ROOT / CITATION).read_text(encoding="utf-8")
    cited = re.sub(r"(?m)^version: .*$", f"version: {version}", cited)
    (ROOT / CITATION).write_text(re.sub(r"(?m)^date-released: .*$", f"date-released: {date}", cited), encoding="utf-8")
    run("git", "add", "--all", LOG, CITATION, "changes")
    run("git", "commit", "--quiet", "--message", f"docs: date the changelog of {version}")


def main() -> None:
    """Release the version of pyproject.toml, as far as this machine can."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--date", default=datetime.date.today().isoformat())
    parser.add_argument("--changelog-only", action="store_true", help="stop before the tests")
    parser.add_argument("--check", action="store_true", help="only say what would be released, or why not")
    given = parser.parse_args()
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    if why := refusal(version):
        sys.exit(f"not released: {why}")
    if given.check:
        print(f"{version} can be released: changes/ has {len(fragments())} files for {LOG}; nothing is changed now")
        return
    if fragments():
        date_the_changelog(version, given.date)
    if given.changelog_only:
        return
    subprocess.run(["make", "test-full", f"ARGS=--summary {SUMMARY}"], cwd=ROOT, check=True)
    run("git", "add", SUMMARY)
    run("git", "commit", "--quiet", "--message", f"tests: keep the summary of every test of {version}")
    print(f"{version} is ready. What is left, once the tests of both commits pass elsewhere, too:")
    print(f"  git tag v{version} && git push origin HEAD v{version}")
    print("The tag makes .github/workflows/wheels.yml build, test and publish.")


if __name__ == "__main__":
    main()
