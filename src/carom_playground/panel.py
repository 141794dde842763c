"""The panel of the playground: title, answer, step or numbers of the layers, strips of all axes, and the switches.

In: a state, a pen and the layout. Out: pixels. The most needed stands first, and what has no room is left out.
"""

from __future__ import annotations

from collections.abc import Mapping

import pygame

from carom import Explanation
from carom.draw import FINE, Drawing, Style, fit, paint_items, smooth
from carom.draw.pair import BLACK, GREY, ROWS, minkowski, sentence_of, strips, without_title
from carom_playground.layout import Layout
from carom_playground.pen import HANDLE, PAPER, SHADE, Button, Pen
from carom_playground.scene import LAYER_KEYS, LAYERS
from carom_playground.state import State
from carom_playground.story import DIGITS, layer_lines, tally_lines

BRIEF = 400  # pixels; in a narrower panel strips have no sources
LEAST_PICTURE = 90  # pixels of height, for a scale of words of 1
LEAST_ROW, MOST_ROW = 18.0, 40.0  # pixels of height of a strip, for the same
LEAST_UNITS = 5.2  # of the drawing for a strip: less, and bars of one lie on those of the next
STRIPS_WIDE, STRIPS_HEAD = 112.0, 22.0  # units of their drawing: its width, and what stands above and below the rows


def draw_panel(pen: Pen, state: State, layout: Layout, styles: Mapping[str, Style]) -> None:
    """Draw the panel."""
    panel = layout.panel
    pygame.draw.rect(pen.target, PAPER, panel)
    edge = panel.topright if layout.narrow else panel.bottomleft
    pygame.draw.line(pen.target, "#CFCBC2", panel.topleft, edge)
    switches = _caps(pen, state, panel) if layout.narrow else _switches(pen, state, panel)
    u = pen.letter
    margin = round(16 * u)
    place = pygame.Rect(panel.left + margin, panel.top, panel.width - 2 * margin, round(switches - panel.top - 4 * u))
    y = _words(pen, state, place, styles, with_title=not layout.narrow or panel.height > 260 * u)
    _pictures(pen, state, place, y, styles)


def _words(pen: Pen, state: State, place: pygame.Rect, styles: Mapping[str, Style], *, with_title: bool) -> float:
    """Write all words; return where they end."""
    scene, facts, u = state.scene, state.facts, pen.letter
    why, y = facts.why, place.top + 8.0 * u
    if with_title:
        y = pen.paragraph(scene.title, place, y + 4 * u, 21, bold=True)
        y = pen.paragraph(scene.words, place, y + 3 * u, 15, GREY) + 8 * u
    if why is None:
        alone = "Add a second shape to compare two." if scene.shapes else "Add a shape: press A."
        y = pen.paragraph(alone, place, y, 16, GREY)
    elif not state.is_asking:
        y = _verdict(pen, why.verdict, sentence_of(why.closest, DIGITS), place, y, styles) + 9 * u
    if state.present_step is not None:
        y = _step(pen, state, place, y)
    else:
        for line in layer_lines(scene, facts, state.shown_axis):
            y = pen.paragraph(line, place, y, 15) + 4 * u
    if state.counting:
        for k, line in enumerate(tally_lines(scene)):
            y = pen.paragraph(line, place, y + (4 * u if k == 0 else 0), 15, BLACK if k == 0 else GREY)
    return y


def _verdict(pen: Pen, verdict: str, sentence: str, place: pygame.Rect, y: float, styles: Mapping[str, Style]) -> float:
    """Write the answer on a band of its colour; return where it ends."""
    u, color = pen.letter, styles["apart" if verdict == "apart" else "meets"].fill
    inner = place.inflate(-round(24 * u), 0)
    lines = pen.lines(sentence, 16, inner.width)
    high = (21 * len(lines) + 12) * u
    band = pygame.Rect(place.left, round(y), place.width, round(high))
    pygame.draw.rect(pen.target, pygame.Color(color).lerp("white", 0.72), band, border_radius=round(6 * u))
    pygame.draw.rect(pen.target, color, (*band.topleft, round(6 * u), band.height))
    pen.paragraph(sentence, pygame.Rect(inner.left, band.top, inner.width, band.height), y + 6 * u, 16)
    return y + high


def _step(pen: Pen, state: State, place: pygame.Rect, y: float) -> float:
    step, u = state.present_step, pen.letter
    assert step is not None and state.step is not None
    count, x = len(state.steps), float(place.left)
    x += pen.button("back", (x, y + 14 * u), "step", "-1") + 6 * u
    x += pen.button("next", (x, y + 14 * u), "step", "1") + 12 * u
    pen.write(f"step {min(state.step, count - 1) + 1} of {count}", (x, y + 14 * u), 15, GREY)
    y = pen.paragraph(step.heading, place, y + 36 * u, 18, bold=True)
    y = pen.paragraph(step.test, place, y + 3 * u, 15)
    return pen.paragraph(step.text, place, y + 3 * u, 15, GREY) + 8 * u


def _switches(pen: Pen, state: State, panel: pygame.Rect) -> float:
    """Draw the layers with their keys in two columns at the foot of the panel; return where they begin."""
    u, rows = pen.letter, (len(LAYERS) + 1) // 2
    top = panel.bottom - (rows * 26 + 18) * u
    pygame.draw.rect(pen.target, SHADE, (panel.left, round(top), panel.width, panel.height))
    column = (panel.width - 20 * u) / 2.0
    for k, (name, title) in enumerate(LAYERS.items()):
        x, y = panel.left + 14 * u + column * (k // rows), top + (21 + 26 * (k % rows)) * u
        box = pygame.Rect(round(x), round(y - 8 * u), round(16 * u), round(16 * u))
        pygame.draw.rect(pen.target, PAPER, box)
        pygame.draw.rect(pen.target, GREY, box, max(1, round(1.5 * u)))
        if name in state.scene.layers:
            pygame.draw.rect(pen.target, HANDLE, box.inflate(-round(6 * u), -round(6 * u)))
        pen.write(LAYER_KEYS[name], (x + 22 * u, y), 13, GREY)
        pen.write(pen.shortened(title, 14, column - 44 * u), (x + 37 * u, y), 14, BLACK)
        area = pygame.Rect(round(x), round(y - 13 * u), round(column - 4 * u), round(26 * u))
        pen.buttons.append(Button(area, "layer", name))
    return top


def _caps(pen: Pen, state: State, panel: pygame.Rect) -> float:
    """Draw the keys of the layers in one row at the foot of the panel, those that are on filled."""
    u, wide = pen.letter, panel.width / len(LAYERS)
    top = panel.bottom - 30 * u
    words = [f"{LAYER_KEYS[name]} {name}" for name in LAYERS]
    if max(pen.width(text, 13) for text in words) > wide - 12:
        words = list(LAYER_KEYS.values())
    pygame.draw.rect(pen.target, SHADE, (panel.left, round(top), panel.width, round(30 * u) + 1))
    for k, (name, text) in enumerate(zip(LAYERS, words, strict=True)):
        on = name in state.scene.layers
        area = pygame.Rect(round(panel.left + k * wide + 3), round(top + 4 * u), round(wide - 6), round(22 * u))
        pygame.draw.rect(pen.target, HANDLE if on else PAPER, area, border_radius=round(4 * u))
        pygame.draw.rect(pen.target, GREY, area, 1, border_radius=round(4 * u))
        x = area.centerx - pen.width(text, 13) / 2.0
        pen.write(text, (x, area.centery), 13, PAPER if on else BLACK)
        pen.buttons.append(Button(area, "layer", name))
    return top


def _pictures(pen: Pen, state: State, place: pygame.Rect, y: float, styles: Mapping[str, Style]) -> None:
    """Draw the strips of all axes and the Minkowski difference, where they have room."""
    why, u = state.facts.why, pen.letter
    if why is None or (state.is_asking and not state.tests_axes):
        return
    shown = [name for name in ("axes", "minkowski") if name in state.scene.layers]
    for number, name in enumerate(shown):
        room = (place.bottom - y) / (len(shown) - number) - 6 * u
        drawing = minkowski(why) if name == "minkowski" else _strips(pen, state, why, place.width, room)
        if drawing is None:
            continue
        low_x, low_y, high_x, high_y = drawing.window
        high = min(room, place.width * (high_y - low_y) / (high_x - low_x))
        if name == "axes" or high > LEAST_PICTURE * u:
            _picture(pen, drawing, pygame.Rect(place.left, round(y + 4 * u), place.width, round(high)), styles)
            y += high + 6 * u


def _strips(pen: Pen, state: State, why: Explanation, wide: float, room: float) -> Drawing | None:
    """Return strips as wide as the panel, as many as have room one below the other; None for fewer than two."""
    pixels = wide / STRIPS_WIDE  # for a unit of the drawing
    units = room / pixels - STRIPS_HEAD
    listed = sum(axis.parallel_to is None for axis in why.axes)
    rows = min(ROWS, listed, int(units / max(LEAST_ROW * pen.letter / pixels, LEAST_UNITS)))
    if rows < min(2, listed):
        return None
    tallest = min(13.0, units / rows, MOST_ROW * pen.letter / pixels)
    return without_title(strips(why, rows, state.shown_axis, tallest, brief=wide < BRIEF))


def _picture(pen: Pen, drawing: Drawing, place: pygame.Rect, styles: Mapping[str, Style]) -> None:
    fine = pygame.Surface((place.width * FINE, place.height * FINE))
    fine.fill(PAPER)
    window = drawing.window
    view = fit(window, fine.get_size(), fine.get_rect().center)
    size = max(view.scale * (window.max_x - window.min_x) / 640.0, 0.78 * FINE * pen.letter)
    paint_items(fine, drawing.items, view._replace(size=size), styles)
    smooth(fine, pen.target, place.topleft)
