"""Write what a package index shows: the README as a long description, and the project's addresses.

In: hatchling, while it reads pyproject.toml, and the one setting that holds the project's address. Out: with an
address, links and pictures of the README that lead to it, at the tag of the version, and `[project.urls]`; without one
a description that holds no link to a file and no picture, since an index has none of the repository's files.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

FENCE = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
HERE = r"(?![a-z]+:|#)([^)\s]+)"  # a file of the repository: no address, no heading of the page itself
PICTURE = re.compile(rf"!\[([^\]]*)\]\({HERE}\)")
LINK = re.compile(rf"\[([^\[\]]*(?:!\[[^\]]*\]\([^)]*\))?[^\[\]]*)\]\({HERE}\)")
TEMPLATE = re.compile(
    r"^<!-- figures\n.*?^-->\n|^<!-- end of figures -->\n", re.DOTALL | re.MULTILINE
)  # of tools/figures
EMPTY_ROW = re.compile(r"^\|(?:[ ]*\|)+\n(?!\|[-| ]+\|$)", re.MULTILINE)  # but the row above a table's line stays


def described(readme: str, address: str, version: str) -> str:
    """Return the text of a README for a package index.

    Parameters
    ----------
    readme
        Markdown.
    address
        Where the repository can be read, or "".
    version
        The one that is described; its tag is `v` and the version.
    """

    def outside_of_code(text: str) -> str:
        if not address:
            return EMPTY_ROW.sub("", LINK.sub(r"\1", PICTURE.sub("", text)))
        text = PICTURE.sub(rf"![\1]({address}/raw/v{version}/\2)", text)
        return LINK.sub(rf"[\1]({address}/blob/v{version}/\2)", text)

    parts = FENCE.split(TEMPLATE.sub("", readme))
    return "".join(part if part.startswith("```") else outside_of_code(part) for part in parts)


def urls(address: str, version: str) -> dict[str, str]:
    """Return the links that a package index shows beside the description."""
    pages = f"{address}/blob/v{version}"
    return {
        "Source": address,
        "Documentation": f"{pages}/docs/index.md",
        "Changelog": f"{pages}/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }


class About(MetadataHookInterface):
    """Hatchling's hook."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the fields that pyproject.toml calls dynamic."""
        address, version = self.config["address"].rstrip("/"), metadata["version"]
        readme = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": described(readme, address, version)}
        metadata["urls"] = urls(address, version) if address else {}
