"""Colours of figures: by what they are, by their layer, or as the user says; and what a legend tells of them.

In: figures, and the user's choice. Out: for each figure a fill and an edge, and lines of a legend. The hues are those
of M. Okabe and K. Ito, "Color Universal Design" (2008), told apart by most colour-blind people, made pale for fills; an
edge is the same hue, darker. What sleeps is paler than what is awake.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from carom._core import inputs
from carom.draw.figures import ROLES, SENSOR, Figures

Rgb = tuple[int, int, int]


class Look(NamedTuple):
    """Two colours, each "#RRGGBB"; a figure whose fill is not solid lets through what lies behind it."""

    fill: str
    edge: str
    opacity: float = 1.0


OF_ROLE = {
    "shape": Look("#A9CCE6", "#24618F"),
    "static": Look("#C4C8CC", "#5B6770"),
    "kinematic": Look("#F2C879", "#96690A"),
    "dynamic": Look("#8FC4E8", "#1F5F8F"),
    "asleep": Look("#D6E0E8", "#7B90A2"),
    "sensor": Look("#2FA982", "#0A7F5C", 0.18),
    "character": Look("#E59A5F", "#94480F"),
}
OF_LAYER = tuple(
    Look(fill, edge)
    for fill, edge in (
        ("#A9CCE6", "#24618F"),
        ("#F2C879", "#96690A"),
        ("#9AD3BC", "#12755A"),
        ("#E3B4CF", "#8A2F6B"),
        ("#EFA98A", "#A34608"),
        ("#D9D48A", "#77710B"),
        ("#BFC3CC", "#4F5868"),
    )
)
CONTACT, NORMAL, VELOCITY, ONE_WAY, WORDS = "#C8361B", "#1A1A1A", "#1B7F3B", "#7A2F8F", "#1A1A1A"
JOINT, JOINT_WAY = "#A3195B", "#C77BA0"
EDGE_SHARE = 0.08  # an edge's width in half the size of most parts, at most, so that the fills of small ones are seen
DARKER = 0.62  # an edge's share of the brightness of a fill that the user gave


class Colors(NamedTuple):
    """The colours of figures."""

    looks: tuple[Look, ...]
    """All there are."""
    chosen: list[int]
    """Of each figure, its place in `looks`."""
    legend: tuple[tuple[str, Look], ...]


def colors_of(where: str, figures: Figures, color: Any) -> Colors:
    """Return colours by "kind", by "layer", one for all, or one for each figure."""
    roles = figures.roles.tolist()
    if color == "kind" if isinstance(color, str) else color is None:
        found = sorted(set(roles))
        return Colors(tuple(OF_ROLE.values()), roles, tuple((ROLES[k], OF_ROLE[ROLES[k]]) for k in found))
    if isinstance(color, str) and color == "layer":
        return _by_layer(figures, roles)
    if isinstance(color, str) or _is_rgb(color):
        given: list[str | None] = [own_color(where, "color", color)] * len(roles)
    else:
        listed = list(inputs.listed(where, "color", color, 'a colour, several in a list, "kind" or "layer"'))
        if len(listed) != len(roles):
            wrong = f"has {len(listed)} colours for {len(roles)} figures; give one for each, in the order of rows"
            inputs.refuse(ValueError, where, "color", color, wrong)
        given = [None if one is None else own_color(where, f"color[{k}]", one) for k, one in enumerate(listed)]
    looks = list(OF_ROLE.values())
    places: dict[Look, int] = {}
    chosen = []
    for role, fill in zip(roles, given, strict=True):
        if fill is None:
            chosen.append(role)
        else:
            look = _own_look(fill, role)
            chosen.append(places.setdefault(look, len(looks) + len(places)))
    return Colors((*looks, *places), chosen, ())


def _by_layer(figures: Figures, roles: list[int]) -> Colors:
    """Colour figures by the layers they are on; the same layers, the same colour."""
    layers = figures.layers.tolist()
    legend: list[tuple[str, Look]] = []
    looks: list[Look] = []
    places = {}
    for bits in sorted(set(layers)):
        look = OF_LAYER[len(legend) % len(OF_LAYER)]
        legend.append((_layer_name(bits, figures.layer_names), look))
        places[bits] = len(looks)
        looks += [look, look._replace(opacity=OF_ROLE["sensor"].opacity)]
    chosen = [places[bits] + (role == SENSOR) for bits, role in zip(layers, roles, strict=True)]
    return Colors(tuple(looks), chosen, tuple(legend))


def _layer_name(bits: int, names: dict[int, str]) -> str:
    if bits == -1:
        return "all layers"
    on = [k for k in range(63) if bits >> k & 1]
    return ", ".join(names.get(k, f"bit {k}") for k in on) or "no layer"


def own_color(where: str, name: str, color: Any) -> str:
    """Return a colour of the user's, "#RRGGBB", "#RRGGBBAA" or as many numbers from 0 to 255, as text."""
    if isinstance(color, str):
        digits = color.removeprefix("#")
        if len(color) in (7, 9) and color[0] == "#" and all(digit in "0123456789abcdefABCDEF" for digit in digits):
            return color.upper()
    elif _is_rgb(color) and all(0 <= one <= 255 for one in color):
        return "#" + "".join(f"{one:02X}" for one in color)
    wanted = '"#RRGGBB", "#RRGGBBAA", three or four numbers from 0 to 255, "kind" or "layer"'
    inputs.refuse(ValueError, where, name, color, f"must be {wanted}")


def _own_look(color: str, role: int) -> Look:
    """Return the look of a figure whose colour the user gave, where the last two of eight digits are its opacity."""
    fill, alpha = color[:7], color[7:]
    opacity = int(alpha, 16) / 255.0 if alpha else OF_ROLE["sensor"].opacity if role == SENSOR else 1.0
    return Look(fill, darker(fill), opacity)


def _is_rgb(color: Any) -> bool:
    return isinstance(color, Sequence) and len(color) in (3, 4) and all(type(one) is int for one in color)


def rgb(color: str) -> Rgb:
    """Return the three numbers of a colour."""
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def darker(color: str) -> str:
    """Return the colour of the edge of a fill."""
    return "#{:02X}{:02X}{:02X}".format(*(round(DARKER * one) for one in rgb(color)))
