"""A window's frames: what each brings, what ends them, and that no window is left."""

from __future__ import annotations

from typing import Any, cast

import pytest

import carom as cm

pygame = pytest.importorskip("pygame", reason="draw.frames opens a window of pygame: install the extra `play`")
ENDS = {
    "Esc": {"type": pygame.KEYDOWN, "key": pygame.K_ESCAPE},
    "closed": {"type": pygame.QUIT},
}


def event(type: int, **values: Any) -> Any:
    return pygame.event.Event(type, **values)


@pytest.mark.parametrize("values", ENDS.values(), ids=ENDS.keys())
def test_frames_bring_a_surface_and_events_until_the_window_is_closed(values: dict[str, Any]) -> None:
    seen = []
    for screen, events in cm.draw.frames((80, 60), "It closes"):
        assert screen is pygame.display.get_surface() and screen.get_size() == (80, 60)
        assert pygame.display.get_caption()[0] == "It closes"
        seen.append([each.key for each in events if each.type == pygame.KEYDOWN])
        pygame.event.post(event(pygame.KEYDOWN, key=pygame.K_a + len(seen)))
        if len(seen) == 3:
            pygame.event.post(event(**values))
    assert seen == [[], [pygame.K_b], [pygame.K_c]]
    assert not pygame.display.get_init()


@pytest.mark.parametrize("words", [["ball.py", "--window", "--frames", "2"], ["--frames=2", "--fast"]], ids=str)
def test_frames_are_shown_when_their_body_is_done_sixty_a_second(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    did: list[Any] = []
    flip = pygame.display.flip
    monkeypatch.setattr(pygame.display, "flip", lambda: did.append(flip() or "shown"))

    class Clock:
        def tick(self, rate: float) -> None:
            did.append(rate)
            assert len(did) <= 6, "the window stays open"

    monkeypatch.setattr(pygame.time, "Clock", Clock)
    for _ in cm.draw.frames((80, 60), argv=words):
        did += ["drawn"]
    assert did == ["drawn", "shown", 60] * 2


def test_leaving_the_loop_early_closes_the_window() -> None:
    for _ in cm.draw.frames((80, 60)):
        break
    assert not pygame.display.get_init()


@pytest.mark.parametrize("words", [["--frames"], ["--frames=0"], ["--frames", "-3"], ["--frames", "2.5"]], ids=str)
def test_a_number_of_frames_that_is_none_is_refused_before_a_window_opens(words: list[str]) -> None:
    with pytest.raises(ValueError, match=r"draw.frames: argv = .* whole number of frames above 0 after --frames"):
        cm.draw.frames((80, 60), argv=words)
    assert not pygame.display.get_init()


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"size": (0, 60)}, ValueError, "size = (0, 60) must be at least 1 pixel wide and high"),
        ({"size": (80.5, 60)}, TypeError, "size = 80.5 must be a whole number"),
        ({"size": (80, 60, 3)}, ValueError, "size"),
        ({"size": (80, 60), "title": 3}, TypeError, "title = 3 must be a string, not int"),
        ({"size": (80, 60), "argv": "--frames 3"}, TypeError, "argv"),
        ({"size": (80, 60), "argv": ["a.py", 3]}, TypeError, "argv[1] = 3 must be a string, not int"),
        ({"size": (80, 60), "caption": "A"}, TypeError, "caption"),
        ({}, TypeError, "size is missing"),
    ],
    ids=str,
)
def test_arguments_are_refused_by_name(given: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error) as refused:
        cast(Any, cm.draw.frames)(**given)
    assert "frames" in str(refused.value) and words in str(refused.value)
    assert not pygame.display.get_init()
