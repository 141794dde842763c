"""Tiled's files, XML and JSON, as one form: nested dictionaries with the keys of the JSON format.

In: a .tmx, .tsx or .tx file (XML), or their JSON twins. Out: dictionaries; tile data decoded to arrays of global ids.
Differences of the formats (attributes that are text, `<properties>`) end here.
"""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from carom._core.missing import need

Node = dict[str, Any]
Ids = NDArray[np.uint32]

MOST_PACKED = 2**26
"""Tiles of a packed layer: a small file may tell of more than there is memory for."""

_LISTS = {"tileset": "tilesets", "tile": "tiles", "object": "objects", "chunk": "chunks"}
_LAYERS = {"layer": "tilelayer", "objectgroup": "objectgroup", "group": "group", "imagelayer": "imagelayer"}
_TEXT = {"name", "type", "class", "source", "template", "orientation", "encoding", "compression", "objectalignment"}
_TEXT |= {"staggeraxis", "staggerindex", "tilerendersize", "fillmode", "renderorder", "draworder", "trans", "tintcolor"}
_TEXT |= {"version", "tiledversion"}


def load(path: Path) -> Node:
    """Return the content of a file, in the keys of the JSON format.

    Raises
    ------
    OSError
        The file cannot be read.
    ValueError
        It is neither XML nor JSON of a map, tileset or template. The text has no file's name.
    """
    raw = path.read_bytes()
    if raw.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<":
        try:
            return _node(ElementTree.fromstring(raw))
        except (ElementTree.ParseError, RecursionError, LookupError) as error:
            raise ValueError(f"the XML is broken: {error}") from None
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"it is neither XML nor JSON: {error}") from None
    if not isinstance(found, dict):
        raise ValueError("it holds no map: the JSON is no object")
    return found


def load_named(folder: Path, source: str) -> Node:
    """Return the content of a file that a map names, relative to a folder.

    Raises
    ------
    ValueError
        It cannot be read, or as of `load`.
    """
    path = folder / source
    try:
        return load(path)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None


def _node(element: ElementTree.Element) -> Node:
    """Return an element as JSON has it."""
    result: Node = {key: _value(key, text) for key, text in element.items()}
    if element.tag in _LAYERS:
        result["type"] = _LAYERS[element.tag]
    elif element.tag in ("map", "tileset", "template"):
        result["type"] = element.tag
    if element.tag in ("map", "group"):
        result["layers"] = []
    for child in element:
        tag = child.tag
        if tag == "properties":
            result["properties"] = [_property(one) for one in child]
        elif tag in _LAYERS and not (element.tag == "tile" and tag == "objectgroup"):
            result.setdefault("layers", []).append(_node(child))
        elif tag == "objectgroup":
            result["objectgroup"] = _node(child)
        elif tag in _LISTS and element.tag != "data":
            result.setdefault(_LISTS[tag], []).append(_node(child))
        elif tag in ("tileoffset", "grid"):
            result[tag] = _node(child)
        elif tag == "image":
            result |= {f"image{key}": _value(key, text) for key, text in child.items() if key in ("width", "height")}
        elif tag in ("polygon", "polyline"):
            result[tag] = [dict(zip("xy", _pair(point), strict=True)) for point in (child.get("points") or "").split()]
        elif tag in ("ellipse", "point", "capsule"):
            result[tag] = True
        elif tag == "text":
            result[tag] = {}
        elif tag == "data":
            result["encoding"] = child.get("encoding", "xml")
            result["compression"] = child.get("compression", "")
            chunks = [one for one in child if one.tag == "chunk"]
            if chunks:
                result["chunks"] = [_node(one) | {"data": _content(one, result["encoding"])} for one in chunks]
            else:
                result["data"] = _content(child, result["encoding"])
    return result


def _content(element: ElementTree.Element, encoding: str) -> Any:
    if encoding == "xml":
        return [_value("gid", tile.get("gid", "0")) for tile in element if tile.tag == "tile"]
    return element.text or ""


def _value(key: str, text: str) -> Any:
    """Return a number where the text is one."""
    if key in _TEXT:
        return text
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


def _pair(text: str) -> tuple[float, float]:
    x, _, y = text.partition(",")
    try:
        return float(x), float(y)
    except ValueError:
        raise ValueError(f"point {text!r} must be two numbers with a comma between them") from None


def _property(element: ElementTree.Element) -> Node:
    """Return a custom property as JSON has it."""
    kind = element.get("type", "string")
    name = element.get("name", "")
    if kind == "class":
        inner = element.find("properties")
        value: Any = {one["name"]: one["value"] for one in map(_property, inner if inner is not None else ())}
        return {"name": name, "type": kind, "value": value}
    text = element.get("value")
    text = (element.text or "") if text is None else text
    try:
        value = int(text) if kind in ("int", "object") else float(text) if kind == "float" else text
    except ValueError:
        raise ValueError(f"property {name!r} = {text!r} must be of type {kind}") from None
    return {"name": name, "type": kind, "value": text == "true" if kind == "bool" else value}


def properties_of(node: Node) -> dict[str, Any]:
    """Return custom properties by name."""
    found = node.get("properties") or []
    if isinstance(found, dict):  # Tiled before 1.2
        return dict(found)
    try:
        return {one["name"]: one["value"] for one in found}
    except (TypeError, KeyError):
        raise ValueError(f"properties = {str(found)[:60]!r} must be a list of names and values") from None


def tile_ids(data: Any, encoding: str, compression: str, width: int, height: int) -> Ids:
    """Return the global ids of a layer or chunk, flags included, as (height, width).

    Raises
    ------
    ValueError
        Data that cannot be decoded or are not width * height. The text has no caller's name.
    """
    count = width * height
    ids: NDArray[Any]
    if isinstance(data, list):
        try:
            ids = np.array(data, dtype=np.int64)
        except (TypeError, ValueError, OverflowError):
            raise ValueError("data must be whole numbers") from None
    elif not isinstance(data, str):
        raise ValueError(f"data must be a list or text, not {type(data).__name__}")
    elif encoding == "base64":
        ids = _unpacked(data, compression or "", count)
    else:
        marks = data.replace("\n", "").replace("\r", "").strip(" ,").split(",")
        try:
            ids = np.array(marks if marks != [""] else [], dtype=np.int64)
        except (ValueError, OverflowError):
            raise ValueError(f"csv data must be whole numbers parted by commas, not {data.strip()[:40]!r}") from None
    if ids.ndim != 1 or ids.size != count:
        raise ValueError(f"data has {ids.size} tiles; {width} x {height} are {count}")
    if ids.size and not -1 < int(ids.min()) <= int(ids.max()) < 2**32:
        raise ValueError("data has tile ids beyond 32 bits")
    return ids.astype(np.uint32).reshape(height, width)


def _unpacked(text: str, compression: str, count: int) -> Ids:
    """Return the numbers of base64 data, compressed or not; never more than there should be."""
    import base64
    import binascii
    import zlib

    if compression and count > MOST_PACKED:
        raise ValueError(f"{compression} data of {count} tiles are too many; at most {MOST_PACKED} are unpacked")
    try:
        raw = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"base64 data cannot be decoded: {error}") from None
    most = 4 * count + 1
    if compression in ("zlib", "gzip"):
        unpack = zlib.decompressobj(wbits=47)  # either header
        try:
            raw = unpack.decompress(raw, most)
        except zlib.error as error:
            raise ValueError(f"{compression} data cannot be unpacked: {error}") from None
        if len(raw) < 4 * count:
            raise ValueError(f"{compression} data end after {len(raw)} of {4 * count} bytes")
    elif compression == "zstd":
        raw = _zstd(raw, most)
    elif compression:
        raise ValueError(f"compression {compression!r} is not known; save the map with zlib, gzip, or as CSV")
    if len(raw) % 4 or len(raw) != 4 * count:
        raise ValueError(f"base64 data have {len(raw)} bytes; {count} tiles of 4 bytes are {4 * count}")
    return np.frombuffer(raw, dtype="<u4")


def _zstd(raw: bytes, most: int) -> bytes:
    """Unpack at most so many bytes, by the standard library, which knows zstd from Python 3.14 on, or by a package."""
    try:
        zstd = import_module("compression.zstd")
    except ImportError:
        return _zstd_of_package(raw, most)
    try:
        return bytes(zstd.ZstdDecompressor().decompress(raw, most))
    except zstd.ZstdError as error:
        raise ValueError(f"zstd data cannot be unpacked: {error}") from None


def _zstd_of_package(raw: bytes, most: int) -> bytes:
    need("a layer packed by zstd", "zstandard", instead=", or save the map with zlib, gzip, or as CSV")
    import zstandard

    try:
        return bytes(zstandard.ZstdDecompressor().stream_reader(raw).read(most))
    except zstandard.ZstdError as error:
        raise ValueError(f"zstd data cannot be unpacked: {error}") from None
