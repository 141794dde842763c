"""Put the prebuilt kernels into a wheel: the path that CAROM_EXTENSION names, with the tag of the platform.

In: hatchling, while it builds. Without the variable the wheel is pure: it serves every platform, with Numba.
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
        """Add the extension to the files of the wheel."""
        made = os.environ.get("CAROM_EXTENSION")
        if not made:
            return
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["force_include"][made] = f"carom/{Path(made).name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"cp311-abi3-{os.environ.get('CAROM_PLATFORM', platform)}"
