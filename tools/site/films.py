"""Make the moving pictures of the first page: python -m tools.site.films [FOLDER] [NAME ...].

In: programs of examples/, of which the worlds are taken. Out: a GIF for each scene in FOLDER, docs/images/films if none
is named; each is drawn at twice its size and made smaller, so that edges are smooth, and has at most 150 kB.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import runpy
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
import numpy as np
import pygame

import carom as cm

ROOT = Path(__file__).parents[2]
SIZE, FINER = (304, 228), 2
FPS = 12
STEPS = 60 // FPS  # of a sixtieth of a second, for each picture
SKY = "#EAF1F7"
COLORS = [(178, 34, 34), (143, 184, 222), (242, 184, 160)]  # that come into view after the first picture
Frames = Iterator[pygame.Surface]


def main() -> None:
    """Make the films, or those that are named."""
    parser = argparse.ArgumentParser(prog="python -m tools.site.films", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "docs" / "images" / "films")
    parser.add_argument("names", nargs="*", help=", ".join(FILMS))
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for name in given.names or FILMS:
        file = given.folder / f"{name}.gif"
        with cm.draw.Film(file, fps=FPS, colors=COLORS) as film:
            for surface in FILMS[name]():
                film.add(pygame.transform.smoothscale(surface, SIZE))
        print(f"{file}: {file.stat().st_size / 1000:.0f} kB")


def example(name: str, *words: str) -> dict[str, Any]:
    """Run an example for one frame and return its names."""
    kept, here = sys.argv, Path.cwd()
    sys.argv = [name, *words]
    try:
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            os.chdir(folder)
            return runpy.run_path(str(ROOT / "examples" / f"{name}.py"), run_name="__main__")
    finally:
        sys.argv = kept
        os.chdir(here)


def shown(name: str) -> dict[str, Any]:
    return example(name, "--window", "--frames", "1")


def camera(position: tuple[float, float], width: float) -> cm.draw.Camera:
    """Return a camera that sees so many units of the world from left to right."""
    return cm.draw.Camera(canvas().get_size(), position=position, zoom=FINER * SIZE[0] / width)


def canvas(color: str = SKY) -> pygame.Surface:
    surface = pygame.Surface((FINER * SIZE[0], FINER * SIZE[1]))
    surface.fill(color)
    return surface


def filmed(
    world: cm.World,
    seconds: float,
    view: cm.draw.Camera,
    step: Callable[[], object],
    color: Callable[[cm.Body], str] = lambda body: body.data,
    follow: Callable[[], tuple[float, float]] | None = None,
    joints: bool = False,
) -> Frames:
    """Yield pictures of a world, which `step` moves by a sixtieth of a second."""
    for _ in range(round(seconds * FPS)):
        surface = canvas()
        if follow is not None:
            view.position = follow()
        cm.draw.paint(surface, world, view, color=[color(body) for body in world.bodies], joints=joints)
        yield surface
        for _ in range(STEPS):
            step()


def wrecking() -> Frames:
    """A wrecking ball swings into a wall of crates."""
    names = shown("wrecking_ball")
    world, wrecker = names["make_site"]()
    for _ in range(88):
        names["tick"](world, wrecker)
    return filmed(world, 2.2, camera((2.2, 5.2), 15.4), lambda: names["tick"](world, wrecker))


def car() -> Frames:
    """A car drives over hills on its springs."""
    names = shown("car")
    world, body, axles = names["make_road"]()
    names["drive"](axles, 6)
    world.step(1 / 60, steps=60)
    view = camera((0, 0), 13)
    return filmed(world, 5, view, lambda: world.step(1 / 60), follow=lambda: (body.position.x + 1.5, 1.6))


def ragdolls() -> Frames:
    """Ragdolls fall down stairs."""
    world = shown("ragdoll")["make_stairs"]()
    return filmed(world, 3.6, camera((4.1, 3.4), 13.2), lambda: world.step(1 / 60))


def cradle() -> Frames:
    """A Newton's cradle swings: as many balls leave as arrive. The film ends where it began."""
    names = shown("newtons_cradle")
    world, _ = names["make_cradle"]()
    return filmed(
        world,
        3.9,
        camera((0, 1.6), 11.4),
        lambda: world.step(1 / 60),
        lambda body: names["COLOURS"][body.row],
        joints=True,
    )


def sight() -> Frames:
    """A guard sees as far as walls let it; a hero walks by."""
    names = shown("topdown")
    view = cm.draw.Camera(canvas().get_size(), position=(8, 5.5), zoom=FINER * SIZE[1] / 11.4, y_up=False)
    player, tick = cm.Circle(names["place"]["P"].position, 0.35), 0
    names["draw"].__globals__["CAMERA"] = view
    for keys, ticks in map(str.split, names["WALK"].split(",")):
        for _ in range(int(ticks)):
            player, tick = names["walk"](player, keys), tick + 1
            if tick % STEPS == 0 and 50 < tick < 300:
                surface = canvas()
                view.position = min(max(player.center.x, 7.6), 12.5), 5.5
                names["draw"](surface, player, *names["look"](tick, player))
                yield surface


def robots() -> Frames:
    """A hundred robots look around with lidar and drive where there is room; one of them shows what it sees."""
    names = example("robots")
    index, rows, rays, places = names["index"], names["rows"], names["rays"], names["robots"]
    count, reach = names["RAYS"], names["RADIUS"]
    chosen = min(range(len(places)), key=lambda k: float(np.hypot(*(places[k] - 22))))
    view, heading = camera(places[chosen], 17), np.arange(len(places)) * 7 % count
    for _ in range(34):
        starts = np.repeat(places, count, axis=0)
        seen = np.minimum(index.raycast(starts, rays, ignore=np.repeat(rows, count)).fraction, 1.0)
        surface = canvas("#FBFAF7")
        part = slice(count * chosen, count * (chosen + 1))
        ends = starts[part] + seen[part, None] * rays[part]
        pygame.draw.polygon(surface, "#DCEBF5", view.to_pixel(ends))
        pygame.draw.lines(surface, "#9CC4DF", True, view.to_pixel(ends), 2)
        cm.draw.paint(surface, cm.Shapes(names["rocks"]), view, color="#8A8F94")
        colors = ["#D55E00" if k == chosen else "#2B2D42" for k in range(len(places))]
        cm.draw.paint(surface, cm.Shapes.circles(places, reach), view, color=colors)
        yield surface
        ahead = (heading[:, None] + np.arange(-12, 13)) % count
        room = np.take_along_axis(seen.reshape(-1, count), ahead, 1) - 0.004 * np.abs(np.arange(-12, 13))
        heading = ahead[np.arange(len(ahead)), room.argmax(axis=1)]
        for k, row in enumerate(rows.tolist()):
            way = rays[heading[k]] / 100
            hit = index.cast(cm.Circle(places[k], reach), way, ignore=row)
            heading[k] += 9 if hit else 0
            places[k] = places[k] + way * (0.9 * hit.fraction if hit else 1.0)
            index.update(row, cm.Circle(places[k], reach))


FILMS: dict[str, Callable[[], Frames]] = {one.__name__: one for one in (wrecking, car, ragdolls, cradle, sight, robots)}

if __name__ == "__main__":
    main()
