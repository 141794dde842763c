"""Features of collections: what errors call them, and what becomes of those that cannot be read.

In: a GeoJSON mapping, a table or column of GeoPandas, or a list of geometries. Out: one geometry a feature, with its id
and name; and a record of each feature that was skipped or repaired. No frame: coordinates are not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np

from carom._core import inputs
from carom._core.missing import need
from carom._core.names import NamesNear, names_near
from carom._core.types import Integers
from carom.shapes.base import Shape

OnBad = Literal["raise", "skip", "repair"]
"""The ways to treat a feature that cannot be read."""

T = TypeVar("T")


@names_near
@dataclass(frozen=True)
class BadFeature(metaclass=NamesNear):
    """A feature of a collection that was skipped, or that was read after it had been repaired.

    Parameters
    ----------
    index : int
        Its place in the collection, from 0.
    id : object
        The id of a GeoJSON feature, the label of a row of GeoPandas; None where there is none.
    name : str or None
        Its property or column `name`, in capitals or not.
    reason : str
        Why it could not be read as it was.
    repaired : bool
        True if Shapely's `make_valid` has changed it and it was read; False if it was skipped.
    """

    index: int
    id: Any
    name: str | None
    reason: str
    repaired: bool


class Features(tuple[Shape, ...]):
    """The shapes of a collection: a tuple, which also tells the feature of each shape and what could not be read.

    Attributes
    ----------
    owner : (n,) array of int
        For each shape the place of its feature in the collection.
    bad : tuple of BadFeature
        The features that were skipped or repaired.
    """

    owner: Integers
    bad: tuple[BadFeature, ...]

    def __new__(cls, shapes: Iterable[Shape] = (), owner: Any = (), bad: Iterable[BadFeature] = ()) -> Features:
        """Return the tuple of some shapes."""
        made = super().__new__(cls, shapes)
        made.owner, made.bad = np.array(owner, dtype=np.int64), tuple(bad)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Features, (tuple(self), self.owner, self.bad)


class Collection(NamedTuple):
    """The geometries of a collection, one a feature, and what the user knows each by."""

    geometries: Any
    ids: Sequence[Any] | None = None
    names: Sequence[Any] | None = None
    word: str = "geometry"

    def label(self, row: int) -> str:
        """Return how errors call a feature: by its place, and by its id and name if it has them."""
        name, known = name_at(self.names, row), id_at(self.ids, row)
        told = [f"id {inputs.short(known)}"] if known is not None and known != row else []
        told += [f"name {inputs.short(name)}"] if name is not None else []
        return f"{self.word}[{row}]" + (f" ({', '.join(told)})" if told else "")

    def bad(self, row: int, reason: str, repaired: bool) -> BadFeature:
        """Return the record of a feature that could not be read as it was."""
        return BadFeature(row, id_at(self.ids, row), name_at(self.names, row), reason, repaired)


def id_at(ids: Sequence[Any] | None, row: int) -> Any:
    """Return the id of a feature, or None."""
    return None if ids is None else ids[row]


def name_at(names: Sequence[Any] | None, row: int) -> str | None:
    """Return the name of a feature, or None."""
    name = None if names is None else names[row]
    return name if isinstance(name, str) else None


def collection_of(where: str, data: Mapping[str, Any]) -> Collection:
    """Return the features of a GeoJSON FeatureCollection; those without a geometry have None."""
    features = data.get("features")
    if not isinstance(features, (list, tuple)):
        inputs.refuse_type(where, "features", features, "must be the list of features of a FeatureCollection")
    for k, feature in enumerate(features):
        if not isinstance(feature, Mapping):
            inputs.refuse_type(where, f"features[{k}]", feature, "must be a GeoJSON Feature")
    names = [_name_in(feature.get("properties")) for feature in features]
    return Collection([one.get("geometry") for one in features], [one.get("id") for one in features], names, "features")


def _name_in(properties: Any) -> Any:
    """Return the property that is called a name, in capitals or not."""
    found = properties if isinstance(properties, Mapping) else {}
    return next((value for key, value in found.items() if isinstance(key, str) and key.casefold() == "name"), None)


def table_of(given: Any) -> Collection | None:
    """Return the geometries of a table or column of GeoPandas with the labels of their rows; None of anything else."""
    if not (hasattr(given, "geometry") and hasattr(given, "index") and hasattr(given, "crs")):
        return None
    columns = [name for name in getattr(given, "columns", ()) if isinstance(name, str) and name.casefold() == "name"]
    names = list(given[columns[0]]) if columns else None
    return Collection(np.asarray(given.geometry, dtype=object), list(given.index), names)


def read_or_note(
    collection: Collection, row: int, on_bad: OnBad, geometry: Any, read: Callable[[Any], T], errors: Any
) -> tuple[T | None, BadFeature | None]:
    """Return what is read of one geometry, repaired where that is asked for and needed, and the record if it was bad.

    `errors` are those that mean a geometry that cannot be read.
    """
    try:
        return read(geometry), None
    except errors as error:
        reason = str(error)
    if on_bad == "repair":
        try:
            return read(valid(geometry)), collection.bad(row, reason, True)
        except errors as error:
            reason = f"{reason}; repaired: {error}"
    return None, collection.bad(row, reason, False)


def valid(geometry: Any) -> Any:
    """Return what Shapely makes of a geometry: of a polygon only what has an area.

    Raises
    ------
    ValueError
        Nothing is left of it.
    """
    import shapely
    from shapely.geometry import shape

    try:
        given = shape(geometry)
        made = shapely.make_valid(given)
    except Exception as error:  # of many kinds
        raise ValueError(f"Shapely cannot repair it: {error}") from None
    if "Polygon" in given.geom_type and made.geom_type not in ("Polygon", "MultiPolygon"):
        made = shapely.MultiPolygon([p for p in _parts(made) if p.geom_type == "Polygon"])
    if made.is_empty and not given.is_empty:
        raise ValueError("nothing with an area is left of it")
    return made


def _parts(geometry: Any) -> list[Any]:
    """Return the single geometries in a collection, at any depth."""
    return [one for part in geometry.geoms for one in _parts(part)] if hasattr(geometry, "geoms") else [geometry]


def check_on_bad(where: str, on_bad: Any) -> OnBad:
    """Return what is to become of bad features; to repair them Shapely must be there."""
    inputs.one_of(where, "on_bad", on_bad, ("raise", "skip", "repair"))
    if on_bad == "repair":
        need(f'{where} with on_bad="repair"', "shapely")
    found: OnBad = on_bad
    return found
