"""Adapters of engines, one file each; only its own file imports an engine."""

from __future__ import annotations

import importlib

from carom_conformance.engine import Engine

ADAPTERS = ("carom", "pymunk", "box2d", "shapely")


def module_of(name: str) -> tuple[str, str]:
    """Return the module and the class of an engine's name: one of `ADAPTERS`, or `module:Class` of anybody's."""
    if name in ADAPTERS:
        return f"carom_conformance.adapters.{name}", "Adapter"
    module, colon, kind = name.partition(":")
    if not colon:
        raise ValueError(f"no adapter is called {name}: give one of {', '.join(ADAPTERS)}, or module:Class")
    return module, kind


def load(name: str) -> Engine:
    """Return an engine by its name."""
    module, kind = module_of(name)
    made = getattr(importlib.import_module(module), kind)()
    if not isinstance(made, Engine):
        raise TypeError(f"{name} makes a {type(made).__name__}, which is no carom_conformance.engine.Engine")
    return made
