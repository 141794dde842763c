"""Put compiled kernels into a wheel: those of the page, and the extension, with the tag of the platform.

In: hatchling, while it builds, and the paths that CAROM_PAGE and CAROM_EXTENSION name. Without the second the wheel is
pure: it serves every platform, with Numba.
"""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PrebuiltKernels(BuildHookInterface[Any]):
    """Hatchling's hook."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add both to the files of the wheel."""
        page = os.environ.get("CAROM_PAGE")
        if page:
            build_data["force_include"][page] = "carom_playground/browser/kernels.wasm"
        made = os.environ.get("CAROM_EXTENSION")
        if not made:
            return
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["force_include"][made] = f"carom/{Path(made).name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"cp311-abi3-{os.environ.get('CAROM_PLATFORM', platform)}"
