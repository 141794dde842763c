"""Films: as many pictures as the time that passes, each with what is there at that time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom as cm

pytest.importorskip("pygame")
Image = pytest.importorskip("PIL.Image")


def falling() -> tuple[cm.World, cm.Body]:
    world = cm.World()
    return world, world.add(cm.Circle((-3, 0), 0.5), kind="dynamic", velocity=(3, 0))


def middles(file: Path, camera: cm.draw.Camera, fps: int) -> list[float]:
    """Return the x of the disc at each picture of a GIF; several that are alike stand once in it, for longer."""
    found: list[float] = []
    with Image.open(file) as film:
        for k in range(film.n_frames):
            film.seek(k)
            dark = np.argwhere(np.asarray(film.convert("L")) < 200)
            x = camera.to_world((float(dark[:, 1].mean()) + 0.5, 0)).x
            found += [x] * round(film.info["duration"] * fps / 1000)
    return found


def steps(world: cm.World, dt: float, count: int) -> Iterator[cm.World]:
    for _ in range(count):
        yield world
        world.step(dt)


@pytest.mark.parametrize("fps", [10, 25, 50])
@pytest.mark.parametrize("dt", [1 / 240, 1 / 60, 0.25])
@pytest.mark.parametrize("kind", ["world", "recording", "generator"])
def test_a_film_goes_as_time_does(kind: str, dt: float, fps: int, tmp_path: Path) -> None:
    world, ball = falling()
    camera, file = cm.draw.Camera((160, 40), zoom=20), tmp_path / "ball.gif"
    count = round(1 / dt)
    thing: Any = world
    if kind == "recording":
        with cm.Recording(world) as thing:
            world.step(dt, steps=count)
    elif kind == "generator":
        thing = steps(world, dt, count + 1)
    cm.draw.film(thing, file, seconds=1, dt=dt if kind != "recording" else 7, size=(160, 40), camera=camera, fps=fps)
    seen = middles(file, camera, fps)
    assert len(seen) == fps
    for k, x in enumerate(seen):
        shown = math.ceil(k / fps / dt - 1e-6) * dt  # the first step at which the picture is due
        assert abs(x - (-3 + 3 * shown)) < 0.06
    assert kind != "world" or ball.position == (-3, 0)


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # imageio leaves the pipes of ffmpeg to the collector
def test_an_mp4_has_the_asked_size(tmp_path: Path) -> None:
    iio = pytest.importorskip("imageio.v2")
    pytest.importorskip("imageio_ffmpeg")
    world, _ = falling()
    cm.draw.film(world, tmp_path / "ball.mp4", seconds=0.5, size=(160, 90))
    with iio.get_reader(str(tmp_path / "ball.mp4")) as reader:
        assert [picture.shape for picture in reader] == [(90, 160, 3)] * 15
        assert reader.get_meta_data()["fps"] == 30


@pytest.mark.parametrize(
    ("given", "error", "word"),
    [
        ({"file": "x.avi"}, ValueError, "must end in .gif or .mp4"),
        ({"file": "none/x.gif"}, ValueError, "folder"),
        ({"seconds": None}, TypeError, "seconds"),
        ({"seconds": 1e9}, ValueError, "seconds"),
        ({"fps": 100}, ValueError, "from 1 to 50"),
        ({"size": (0, 10)}, ValueError, "size"),
        ({"background": "nocolour"}, ValueError, "background"),
        ({"layers": "nolayer"}, ValueError, "layers"),
        ({"thing": 3}, TypeError, "thing"),
    ],
)
def test_what_cannot_be_filmed_leaves_no_file(
    given: dict[str, Any], error: type[Exception], word: str, tmp_path: Path
) -> None:
    call: dict[str, Any] = {"thing": falling()[0], "file": "x.gif", "seconds": 1} | given
    call["file"] = tmp_path / call["file"]
    with pytest.raises(error, match=word):
        cm.draw.film(call.pop("thing"), call.pop("file"), **call)
    assert list(tmp_path.iterdir()) == []


def test_frames_of_a_recording_are_what_was_seen_live() -> None:
    world, ball = falling()
    seen = []
    with cm.Recording(world) as tape:
        for k in range(6):
            if k == 2:
                ball.velocity = (0, 5)
            if k == 4:
                for _ in world.events(0.1):
                    pass
            else:
                world.step(0.1 * (k + 1))
            seen.append(tuple(ball.position))
    assert [tuple(frame.positions[ball.row].tolist()) for frame in tape.frames()] == seen
