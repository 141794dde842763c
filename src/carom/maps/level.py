"""The values that a map becomes: outlines, convex solids, one-way edges and triggers, and how they enter a world.

In: merged outlines, solids, one-way edges and triggers from `building`. Out: `Level`. World frame: the user's units, y
pointing as asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, Never

import numpy as np

from carom._core import inputs
from carom._core.names import NamesNear, names_near, refuse_keywords, told_by_name
from carom._core.types import Floats
from carom.shapes.basic import Segment, Shape
from carom.shapes.bounds import Bounds
from carom.shapes.outlines.rings import Rings
from carom.shapes.set import Shapes
from carom.vector import Vec
from carom.world.body import Body
from carom.world.world import World


@names_near
class Outline(NamedTuple):
    """One connected solid region: the two arguments of `decompose`, of Shapely's Polygon, of GeoJSON.

    Attributes
    ----------
    outline : tuple of Vec
        Counter-clockwise, corners only; a point where the region touches itself is one.
    holes : tuple of tuples of Vec
        Counter-clockwise.
    """

    outline: tuple[Vec, ...]
    holes: tuple[tuple[Vec, ...], ...]


@names_near
class OneWay(NamedTuple):
    """Edges that block bodies moving against their direction, and let through bodies moving with it.

    Attributes
    ----------
    shapes : Shapes
        Segments.
    directions : (n, 2) float64
        Unit vectors: a platform to be landed on looks up.
    """

    shapes: Shapes
    directions: Floats

    @property
    def by_direction(self) -> Iterator[tuple[Vec, list[Segment]]]:
        """The segments of each direction."""
        groups: dict[Vec, list[Segment]] = {}
        for segment, (x, y) in zip(self.shapes, self.directions.tolist(), strict=True):
            groups.setdefault(Vec(x, y), []).append(segment)  # type: ignore[arg-type]
        yield from groups.items()


@names_near
class Trigger(NamedTuple):
    """A named place: a region to be noticed in, or a point to start from.

    Attributes
    ----------
    name : str
        The object's name, or its class if it has none; LDtk's identifier; the letter of a text grid or its legend.
    shape : Point, Segment, Circle, Box, Polygon or Compound
        `shape.position` is its middle. A line of several segments is a Compound, whose `parts` are these in order.
    properties : dict
        Tiled's custom properties, LDtk's fields.
    kind : str
        The class of an object or tile in Tiled; the name where there is none.
    layer : str
        The layer it is in; in LDtk the level and the layer, as in "Cave/Things".
    id : int, str or None
        The number of an object in Tiled, the `iid` of an entity in LDtk; None of cells.
    """

    name: str
    shape: Shape
    properties: dict[str, Any]
    kind: str
    layer: str
    id: int | str | None = None


@names_near
class LevelBodies(NamedTuple):
    """The bodies that a level has become, in the order of its rows."""

    solids: list[Body]
    one_way: list[Body]
    triggers: list[Body]


@names_near
@dataclass(frozen=True, eq=False, repr=False)
class Level(metaclass=NamesNear):
    """The geometry of a map, from `read_map` or `read_grid`.

    Attributes
    ----------
    bounds : Bounds
        The extent of all cells of the map, empty ones too.
    solids : Shapes
        Convex parts of everything solid, to collide with, to move among, to make an `Index` of.
    one_way : OneWay
        `shapes` and `directions`.
    triggers : tuple of Trigger
    outlines : tuple of Outline
        Flush tiles merged; two regions that touch at a corner only are two. Objects stand alone.
    """

    bounds: Bounds
    solids: Shapes
    one_way: OneWay
    triggers: tuple[Trigger, ...]
    _rings: Rings

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields, without what is made of them when it is asked for."""
        return {one.name: vars(self)[one.name] for one in fields(self)}

    @cached_property
    def outlines(self) -> tuple[Outline, ...]:
        """The solid regions, each with its holes."""
        points = [Vec(x, y) for x, y in self._rings.points.tolist()]
        first, regions = self._rings.first.tolist(), self._rings.region.tolist()
        rings = [tuple(points[a:b]) for a, b in pairwise(first)]
        starts = [k for k, region in enumerate(regions) if k == 0 or region != regions[k - 1]]
        ends = [*starts[1:], len(rings)]
        return tuple([Outline(rings[a], tuple(rings[a + 1 : b])) for a, b in zip(starts, ends, strict=False)])

    @cached_property
    def _blocking(self) -> tuple[Shapes, Floats]:
        """Everything that movers meet, solids first, with the direction that each blocks from; 0, 0 for solids."""
        directions = np.concatenate((np.zeros((len(self.solids), 2)), self.one_way.directions.reshape(-1, 2)))
        return Shapes.concatenate([self.solids, self.one_way.shapes]), directions

    @told_by_name
    def named(self, name: str) -> tuple[Trigger, ...]:
        """Return the triggers of a name, in the order of the file.

        Examples
        --------
        >>> level = cm.read_grid("#P #")
        >>> level.named("P")[0].shape.position
        Vec(1.5, 0.5)
        """
        if not isinstance(name, str):
            inputs.refuse(TypeError, "Level.named", "name", name, f"must be text, not {type(name).__name__}")
        return tuple([trigger for trigger in self.triggers if trigger.name == name])

    @told_by_name
    def add_to(self, world: World, *, layer: str = "default", **unknown: Never) -> LevelBodies:
        r"""Put solids and one-way edges into a world as static bodies, triggers as sensors with `data=` the Trigger.

        Parameters
        ----------
        world : World
        layer : str
            The layer of all of them.

        Returns
        -------
        LevelBodies(solids, one_way, triggers)

        Examples
        --------
        >>> world = cm.World()
        >>> bodies = cm.read_grid("P -\n####").add_to(world)
        >>> len(bodies.solids), len(bodies.one_way), bodies.triggers[0].data.name
        (1, 1, 'P')
        """
        if unknown:
            refuse_keywords("Level.add_to", Level.add_to, unknown)
        if not isinstance(world, World):
            inputs.refuse(TypeError, "Level.add_to", "world", world, f"must be a World, not {type(world).__name__}")
        try:
            solids = world.add_many(self.solids, layer=layer)
        except (TypeError, ValueError) as error:
            raise type(error)(f"Level.add_to: {error}") from None
        edges: list[Body] = []
        for direction, segments in self.one_way.by_direction:
            edges += world.add_many(segments, one_way=direction, layer=layer)
        shapes = [trigger.shape for trigger in self.triggers]
        return LevelBodies(solids, edges, world.add_many(shapes, sensor=True, layer=layer, data=list(self.triggers)))

    def __repr__(self) -> str:
        counts = f"{len(self.solids)} solids, {len(self.one_way.shapes)} one-way edges, {len(self.triggers)} triggers"
        return f"<Level: {counts}, bounds {tuple(self.bounds)}>"
