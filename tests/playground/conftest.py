"""A browser for the tests of the live page; CAROM_NEEDS_CHROMIUM=1 makes a failure of what would be a skip."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any, NoReturn

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next((found for name in NAMES if (found := shutil.which(name))), None)


def pass_over(reason: str) -> NoReturn:
    """Skip a test for want of the browser or the page, or fail it where both must be there."""
    if os.environ.get("CAROM_NEEDS_CHROMIUM", "") not in ("", "0"):
        pytest.fail(f"CAROM_NEEDS_CHROMIUM is set, and {reason}", pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def without() -> Any:
    """Return the function that passes over a test, with its reason."""
    return pass_over


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Return Chromium, started."""
    if BROWSER is None:
        pass_over("there is no Chromium here")
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        pass_over("the package playwright is not here")
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield started
        started.close()
