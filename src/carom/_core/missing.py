"""The error of a package that is not installed: which one, for what, and what installs it.

In: a purpose, and the modules that it needs. Out: nothing where they are all there, or an error.
"""

from __future__ import annotations

from importlib import import_module

from carom._core.jit.prebuilt import to_install

# Modules of the packages that extras bring, with the package and the extra.
BROUGHT = {
    "dask": ("dask", "tables"),
    "distributed": ("distributed", "tables"),
    "gymnasium": ("gymnasium", "gym"),
    "imageio": ("imageio", "play"),
    "imageio_ffmpeg": ("imageio-ffmpeg", "play"),
    "matplotlib": ("matplotlib", "plot"),
    "pandas": ("pandas", "tables"),
    "PIL": ("pillow", "play"),
    "pygame": ("pygame-ce", "play"),
    "pyarrow": ("pyarrow", "tables"),
    "shapely": ("shapely", "maps"),
    "tqdm": ("tqdm", "play"),
    "yaml": ("PyYAML", "maps"),
    "zstandard": ("zstandard", "maps"),
}


class MissingPackage(ModuleNotFoundError):
    """A package that is not installed, said in one line with what installs it."""


def need(purpose: str, *modules: str, instead: str = "", extra: str = "") -> None:
    """Raise the error of modules that are needed for a purpose, with another way out if there is one.

    `extra` is the one that brings them, where several do.

    They are needed unless they can be imported. Pygame itself will not do for pygame-ce, since it lacks functions.
    """
    absent = [name for name in modules if not _is_there(name)]
    if not absent:
        return
    packages = ", ".join(BROUGHT[name][0] if name in BROUGHT else name for name in absent)
    if absent[0] in BROUGHT:
        extra = extra or BROUGHT[absent[0]][1]
        packages += f", of the extra `{extra}`"
        remedy = to_install(extra) + instead
    else:
        remedy = f"pip install {packages}{instead}"
    raise MissingPackage(f"{purpose} needs {packages}: {remedy}", name=absent[0])


def _is_there(name: str) -> bool:
    try:
        found = import_module(name)
    except ModuleNotFoundError as absent:
        if absent.name != name:
            raise
        return False
    return name != "pygame" or hasattr(found, "IS_CE")
