"""A world as JSON: all that a pickle holds, by name and in words, for editors, for diffs and for strangers.

In: a store. Out: a text with the shapes as `repr` writes them and every declared table column by column; and from such
a text the plain values again of which a store is made, checked as those of a pickle are. Nothing in a text is ever run.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from carom._core.inputs import short
from carom.shapes.texts import shape_of_text
from carom.world.changes.body_shapes import RowOf, Standing
from carom.world.state.pickled import OF_GONE, OF_USER, UNREADABLE, given_by_user, plain

FORMAT, VERSION = "carom world", 1
ENDLESS = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}
"""Numbers that JSON has no words for."""
TABLES = ("tables", "piles")
LEFT_OUT = ("shapes", "roomy", *TABLES)


def text_of(where: str, store: Any) -> str:
    """Return a store as a text, a line for each column."""
    content, given = plain(store), given_by_user(store)
    data = {name: _data(where, name, rows) for name, rows in given.items()}
    head = {
        "format": FORMAT,
        "version": VERSION,
        "shapes": [_written(store, row) for row in range(len(store.shapes))],
        **data,
        "rest": {name: _plain(value) for name, value in content.items() if name not in LEFT_OUT},
    }
    lines = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in head.items()]
    lines += [f" {json.dumps(name)}: {_block(_lines(content[name], '  '), ' ')}" for name in TABLES]
    return _block(lines, "") + "\n"


def content_of_text(where: str, text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the plain values of a store, and what the user gave, from its text."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{where}: the file holds no JSON: {error}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f"{where}: the file holds no world: its format is not {FORMAT!r}")
    if document.get("version") != VERSION:
        raise ValueError(f"{where}: version = {short(document.get('version'))} of the file must be {VERSION}")
    try:
        content = {name: _value(value) for name, value in document["rest"].items()}
        content["shapes"] = [
            None if one is None else _read(where, f"shapes[{row}]", one) for row, one in enumerate(document["shapes"])
        ]
        content |= {name: _tables(document[name]) for name in TABLES}
        data = {name: {_value(key): one for key, one in document[name]} for name in (*OF_USER, OF_GONE)}
    except (*UNREADABLE, OverflowError) as error:
        raise ValueError(f"{where}: the file is damaged: {type(error).__name__}: {error}") from None
    return content, data


def _written(store: Any, row: int) -> Any:
    """Return the shape of a row as a text, with its angle behind it where it stands at another."""
    shape = store.shapes[row]
    if isinstance(shape, RowOf):
        shape = shape.shapes[shape.row]
    if isinstance(shape, Standing):
        return [repr(shape.shape), shape.angle]
    return None if shape is None else repr(shape)


def _read(where: str, name: str, written: Any) -> Any:
    if isinstance(written, list):
        text, angle = written
        return Standing(shape_of_text(where, name, text), float(angle))
    return shape_of_text(where, name, written)


def _data(where: str, name: str, rows: dict[Any, Any]) -> list[list[Any]]:
    """Return the user's data by row as JSON has it: pairs of a key and a value."""
    found = []
    for key, value in rows.items():
        try:
            same = json.loads(json.dumps(value)) == value
        except (TypeError, ValueError, RecursionError):
            same = False
        if not same:
            whose = f"{name.replace('_', ' ')} of row {key}"
            raise TypeError(
                f"{where}: {whose} = {short(value)} must be None, True, False, a number, text, or a list or dict of"
                " these, with text as keys; pickle.dump keeps other data"
            )
        found.append([_plain(key), value])
    return found


def _plain(value: Any) -> Any:
    """Return plain values as JSON has them; what is no list says so."""
    if isinstance(value, dict):
        return {"dict": [[_plain(key), _plain(one)] for key, one in value.items()]}
    if isinstance(value, set | frozenset):
        return {"set": [_plain(one) for one in sorted(value)]}
    if isinstance(value, tuple):
        return {"tuple": [_plain(one) for one in value]}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, np.generic):
        value = value.item()
    return _number(value) if isinstance(value, float) else value


def _value(value: Any) -> Any:
    """Return what `_plain` was given."""
    if isinstance(value, list):
        return [_value(one) for one in value]
    if not isinstance(value, dict):
        return ENDLESS[value[1:]] if isinstance(value, str) and value[:1] == "~" else value
    ((kind, held),) = value.items()
    if kind == "dict":
        return {_value(key): _value(one) for key, one in held}
    return {"set": set, "tuple": tuple}[kind](_value(one) for one in held)


def _number(number: float) -> Any:
    """Return a number as JSON has it: those that it has not as a word behind a ~."""
    return number if math.isfinite(number) else f"~{number}"


def _lines(tables: dict[str, Any], indent: str) -> Iterator[str]:
    """Yield the tables, a line for each array and each column."""
    for name, one in tables.items():
        if isinstance(one, dict):
            yield f"{indent}{json.dumps(name)}: {_block(_lines(one, indent + ' '), indent)}"
            continue
        columns, shape, content = one
        if isinstance(columns, str):
            array = np.frombuffer(content, dtype=columns)
            yield f"{indent}{json.dumps(name)}: {json.dumps([columns, list(shape), _numbers(array)])}"
            continue
        table = np.frombuffer(content, dtype=list(columns))
        held = [
            f"{indent} {json.dumps(column)}: {json.dumps([kind, list(wide), _numbers(table[column])])}"
            for column, kind, wide in columns
        ]
        yield f'{indent}{json.dumps(name)}: {{"rows": {len(table)}, "columns": {_block(held, indent)}}}'


def _block(lines: Iterable[str], indent: str) -> str:
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}"


def _numbers(array: Any) -> Any:
    """Return numbers as a list, or the one that all are: whole tables begin so."""
    flat = np.ascontiguousarray(array).reshape(-1)
    if flat.size > 1 and flat.tobytes() == flat[:1].tobytes() * flat.size:
        return {"all": _number(flat[0].item()) if flat.dtype.kind == "f" else flat[0].item()}
    return [_number(one) for one in flat.tolist()] if flat.dtype.kind == "f" else flat.tolist()


def _tables(given: Any) -> dict[str, Any]:
    """Return tables in the form of a pickle from that of a text."""
    found: dict[str, Any] = {}
    for name, one in given.items():
        if isinstance(one, list):
            kind, shape, numbers = one
            size = math.prod(shape)
            found[name] = kind, tuple(shape), _array(kind, size, numbers).tobytes()
        elif "columns" in one:
            rows, named = one["rows"], one["columns"]
            columns = tuple((column, kind, tuple(wide)) for column, (kind, wide, _) in named.items())
            table = np.zeros(rows, dtype=list(columns))
            for column, (kind, wide, numbers) in named.items():
                size = rows * math.prod(wide)
                table[column] = _array(kind, size, numbers).reshape(rows, *wide)
            found[name] = columns, (rows,), table.tobytes()
        else:
            found[name] = _tables(one)
    return found


def _array(kind: str, size: int, numbers: Any) -> Any:
    """Return an array of so many numbers of a kind."""
    if isinstance(numbers, dict):
        numbers = [numbers["all"]] * size
    if len(numbers) != size:
        raise ValueError(f"a column has {len(numbers)} numbers in place of {size}")
    plain_ones = [ENDLESS[one[1:]] if isinstance(one, str) else one for one in numbers]
    if not all(type(one) in (int, float) for one in plain_ones):
        raise ValueError("a column holds what is no number")
    return np.array(plain_ones, dtype=kind)
