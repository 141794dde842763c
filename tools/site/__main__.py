"""Build the documentation: `make docs`, or python -m tools.site [FOLDER].

In: docs/, examples/, the checked-in results, the docstrings and the changes. Out: the site in FOLDER, `site` if none is
named, which a browser reads from the file system; a line with the number of pages and links; an exit status of 1 if
Sphinx has a warning or a link leads nowhere. The pages are staged in build/site.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

from tools.site import gallery, home, links, news, reference, results
from tools.site.stage import Stage, renew

ROOT = Path(__file__).parents[2]
STAGED = ROOT / "build" / "site"


def main() -> None:
    """Stage, build, check."""
    parser = argparse.ArgumentParser(prog="python -m tools.site", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "site")
    parser.add_argument("--anew", action="store_true", help="forget what was built before")
    given = parser.parse_args()
    began = time.perf_counter()
    if given.anew:
        shutil.rmtree(STAGED, ignore_errors=True)
    shutil.rmtree(given.folder, ignore_errors=True)
    pages = stage(STAGED / "pages")
    build(given.folder)
    live = home.playground(given.folder / "play.html")
    followed, wrong = links.check(given.folder)
    for line in wrong:
        print(line)
    seconds = time.perf_counter() - began
    print(f"{given.folder}/index.html: {pages} pages, {followed} links, {len(wrong)} broken, {seconds:.0f} s; {live}")
    sys.exit(bool(wrong))


def stage(folder: Path) -> int:
    """Write all pages into a folder; return their number."""
    made = Stage(folder)
    entries = list(reference.pages())
    made.places |= gallery.places() | results.places()
    made.places |= {f"docs/reference/{page}.md": f"reference/{page}.md" for page, _ in entries}
    made.copy_docs()
    for page, text in entries:
        made.add(f"reference/{page}.md", text, f"docs/reference/{page}.md")
    gallery.add_to(made)
    results.add_to(made)
    home.add_to(made)
    news.add_to(made)
    made.write()
    places = {name: f"reference/{place}" for name, place in reference.anchors(entries).items()}
    renew(folder / "names.json", json.dumps([places, sorted(reference.fields(entries))]))
    return len(made.pages)


def build(site: Path) -> None:
    """Run Sphinx over the staged pages; a warning is an error, after all of them were shown."""
    kept = STAGED / "doctrees"
    command = ["-b", "html", "-q", "-W", "--keep-going", "-j", "2", "-c", str(Path(__file__).parent), "-d", str(kept)]
    done = subprocess.run([sys.executable, "-m", "sphinx", *command, str(STAGED / "pages"), str(site)], check=False)
    if done.returncode:
        sys.exit("the site has warnings")
    shutil.rmtree(site / ".doctrees", ignore_errors=True)


if __name__ == "__main__":
    main()
