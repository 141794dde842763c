"""The game's letters: every letter of European languages is drawn, and no two of them alike."""

from __future__ import annotations

import os
import unicodedata

import numpy as np
import pytest

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
pytest.importorskip("pygame")

from carom_breakout.art import lettering

OWN = "".join(
    character
    for character in map(chr, [*range(0x20, 0x7F), *range(0xA1, 0x180), *range(0x218, 0x21C)])
    if unicodedata.category(character).startswith("L")
)
GREEK = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρστυφχψωάέήίόύώ"
CYRILLIC = "АБВГҐДЕЁЄЖЗИІЇЙЈКЛЉМНЊОПРСТЋУЎФХЦЧЏШЩЪЫЬЭЮЯабвгґдеёєжзиіїйјклљмнњопрстћуўфхцчџшщъыьэюя"
RARE = set("ĦħĲĳĸĿŀŉŊŋŦŧſªºµ")  # not in a language of more than a few; some come from the other typeface


def picture(character: str) -> bytes:
    mask = lettering.glyph(character, 40.0, lettering.REGULAR, 0.0)
    assert np.asarray(mask).max() > 0.5, f"{character} has no ink"
    return mask.tobytes() + str(mask.shape).encode()


def test_latin_letters_with_accents_have_strokes_of_their_own() -> None:
    assert [one for one in OWN if lettering.strokes_of(one) is None and one not in RARE] == []


@pytest.mark.parametrize("letters", [OWN, GREEK, CYRILLIC], ids=["Latin", "Greek", "Cyrillic"])
def test_no_two_letters_look_alike(letters: str) -> None:
    different = [one for one in letters if one != "Ð"]  # which is Đ in another alphabet
    assert len({picture(one) for one in different}) == len(different)


def test_an_accent_stands_above_its_letter_and_within_the_line() -> None:
    plain, accented = (lettering.strokes_of(one) for one in "AÅ")
    assert plain is not None and accented is not None
    assert accented.strokes[: len(plain.strokes)] == plain.strokes
    tops = [max(y for path in glyph.strokes for _, y in path) for glyph in (plain, accented)]
    assert tops[0] < tops[1] < lettering.ASCENT
    i, dotted = lettering.strokes_of("í"), lettering.strokes_of("i")
    assert i is not None and dotted is not None and len(i.strokes) == len(dotted.strokes) == 2


def test_a_line_is_as_wide_as_it_says() -> None:
    for words in ("Größe", "Łódź", "Ελλάδα", "Привет", "日本"):
        assert lettering.text(words, 20.0, (255, 255, 255)).get_width() >= lettering.advance(words, 20.0)


@pytest.mark.parametrize("letter", ["A", "Ł", "Ω", "Ж"])
def test_a_letter_of_more_weight_has_more_ink(letter: str) -> None:
    light, bold = (np.sum(lettering.glyph(letter, 40.0, w, 0.0)) for w in (lettering.REGULAR, lettering.BOLD))
    assert 1.2 * light < bold < 2.0 * light
