"""Words of a call that are not its own: the error names the one that is meant.

In: a call of tables with a keyword that it does not take, too many values by position, or one that is missing. Out: a
TypeError in one line. `MEANT` has the words of other libraries and of earlier versions; what is not there is told by
its spelling.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from difflib import get_close_matches
from functools import wraps
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

INNER = "pairs are those of an inner join; merge() with the tables adds their columns"
TRACK = "shape= names the columns of time, x and y, and perhaps radius, in this order"
TOUCH = "pairs touch or overlap; within= asks for all that are no farther apart than that"
OTHER = "id= names the rows of the first table, other_id= those of the second"
WORKERS = "an open Client of distributed says where the work is done"
# Behind a colon stands what to do; else the first of the names that the call has.
MEANT = {
    **dict.fromkeys(("how", "lsuffix", "rsuffix", "suffixes"), f":{INNER}"),
    **dict.fromkeys(("predicate", "op", "touching"), f":{TOUCH}"),
    **dict.fromkeys(("distance", "max_distance", "distance_within", "tolerance", "radius", "buffer"), "within"),
    **dict.fromkeys(("on", "left_on", "right_on", "by", "key"), f":{OTHER}"),
    **dict.fromkeys(("time", "t", "x", "y", "lon", "lat", "timestamp", "radii"), f"shape:{TRACK}"),
    **dict.fromkeys(("geometry", "geom", "column", "point"), "shape"),
    **dict.fromkeys(("other_geometry", "other_point"), "other_shape"),
    **dict.fromkeys(("point_id", "track", "track_id", "traj_id", "name"), "id"),
    **dict.fromkeys(("source_id", "id_other", "right_id"), "other_id"),
    **dict.fromkeys(("source", "shapes", "df2", "right", "right_df", "others"), "other source"),
    **dict.fromkeys(("left", "left_df", "df", "table", "df1"), "source points tracks"),
    **dict.fromkeys(("neighbors", "n_neighbors", "count"), "k"),
    **dict.fromkeys(("output", "path", "to", "folder", "out_path"), "out"),
    **dict.fromkeys(("gap", "max_gap", "tolerance_time"), "longest_gap"),
    **dict.fromkeys(("limit", "max_pairs", "max_rows"), "most"),
    **dict.fromkeys(("memory_limit", "ram"), "memory"),
    **dict.fromkeys(("npartitions", "chunksize", "partitions", "rows"), "tile_rows"),
    **dict.fromkeys(("workers", "threads", "n_jobs", "client", "scheduler"), f":{WORKERS}"),
    **dict.fromkeys(("errors", "on_error", "invalid"), "on_bad"),
    **dict.fromkeys(("tmp", "temp", "temporary_directory", "local_directory"), "spill"),
}


def answers_words(function: F) -> F:
    """Make a function answer a call that it does not take by the word that is meant."""
    signature = inspect.signature(function)

    @wraps(function)
    def told(*given: Any, **named: Any) -> Any:
        try:
            signature.bind(*given, **named)
        except TypeError:
            raise _refusal(function.__name__, signature, given, named) from None
        return function(*given, **named)

    return cast(F, told)


def _refusal(where: str, signature: inspect.Signature, given: tuple[Any, ...], named: dict[str, Any]) -> TypeError:
    known = signature.parameters
    for name in named:
        if name not in known:
            return TypeError(f"{where}: got an unexpected keyword argument {name!r}{near_word(name, list(known))}")
    places = [name for name, one in known.items() if one.kind == one.POSITIONAL_OR_KEYWORD]
    if len(given) > len(places):
        rest = ", ".join(f"{name}=" for name in known if name not in places)
        return TypeError(
            f"{where}: takes {', '.join(places)} by place, and was given {len(given)} values; name the others: {rest}"
        )
    twice = [name for name in places[: len(given)] if name in named]
    if twice:
        return TypeError(f"{where}: {twice[0]} is given by place and by name")
    missing = [name for k, name in enumerate(known) if known[name].default is inspect.Parameter.empty]
    lacks = next(name for name in missing if name not in named and name not in places[: len(given)])
    return TypeError(f"{where}: {lacks} is missing")


def near_word(name: str, known: list[str]) -> str:
    """Return the end of a message: the word that was most likely meant, or all that there are."""
    meant, _, remedy = MEANT.get(name, "").partition(":")
    found = next((one for one in meant.split() if one in known), "")
    if found and remedy:
        return f"; {remedy}"
    if found:
        return f"; did you mean {found}?"
    if remedy and not meant:
        return f"; {remedy}"
    close = get_close_matches(name, known, 1)
    return f"; did you mean {close[0]}?" if close else f"; it takes {', '.join(known)}"
