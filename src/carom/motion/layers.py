"""Layers of bodies by name: a world gives each a number when it first hears of it.

In: names, as users write them. Out: the number of a layer, or one bit for each layer that a body meets.
"""

from __future__ import annotations

from typing import Any

from carom._core import inputs

MOST_LAYERS = 63  # one bit each


def number_of_layer(layers: list[str], where: str, name: str, value: Any) -> int:
    """Return the number of a layer, which is added to `layers` if it is new."""
    if not isinstance(value, str):
        inputs.refuse(TypeError, where, name, value, f"must be the name of a layer, not {type(value).__name__}")
    if value not in layers:
        if len(layers) == MOST_LAYERS:
            inputs.refuse(ValueError, where, name, value, f"is one layer more than the {MOST_LAYERS} a world holds")
        layers.append(str(value))
    return layers.index(value)


def bits_of_layers(layers: list[str], where: str, name: str, value: Any) -> int:
    """Return the bits of the layers that a body meets; all if None."""
    if value is None:
        return -1
    if isinstance(value, str):
        return 1 << number_of_layer(layers, where, name, value)
    bits = 0
    for k, each in enumerate(inputs.listed(where, name, value, "the name of a layer, or several in a list")):
        bits |= 1 << number_of_layer(layers, where, f"{name}[{k}]", each)
    return bits
