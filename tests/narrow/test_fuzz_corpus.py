"""The corpus of the fuzzer, replayed: scenes that reach far corners of the code, and every scene that once failed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.judge import complaint
from tests.fuzz.scene_bytes import scene

CORPUS = (Path(__file__).parents[1] / "fuzz" / "corpus.txt").read_text(encoding="ascii").split()


@pytest.mark.parametrize("part", range(8))
def test_every_scene_of_the_corpus_is_right(part: int) -> None:
    for line in CORPUS[part::8]:
        found = scene(bytes.fromhex(line))
        if found is not None:
            text = complaint(*found)
            assert text is None, f"{line}\n{text}"


def test_corpus_is_worth_its_place() -> None:
    scenes = [found for line in CORPUS if (found := scene(bytes.fromhex(line))) is not None]
    assert len(scenes) > 0.7 * len(CORPUS) > 70
    assert len({(type(a), type(b)) for a, b, _ in scenes}) >= 25
