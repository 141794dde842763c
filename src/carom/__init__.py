"""2D collision, exactly: questions about shapes, worlds of bodies, levels, and the programs built on them."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from carom import convert
from carom._core.compiled import inner, kernel, source_key, uncounted_kernel, will_compile
from carom._core.moved import answer_old_paths
from carom._core.names import no_attribute
from carom.broad.all_pairs import Plan
from carom.broad.answers import CastColumns, Neighbors, RayHitLists, RowHit, RowLists, RowRayHit
from carom.broad.contact_pairs import PairContacts, contacts
from carom.broad.index import Index
from carom.broad.memory import free_memory
from carom.broad.pairs import bounds_pairs, pairs, pairs_plan
from carom.character.character import Character, CharacterHit, CharacterMove
from carom.character.move import MoveColumns, MoveHitLists, move
from carom.character.slide import Move, MoveHit
from carom.explain.explain import explain
from carom.narrow.approach.approaches import Approaches, approaches
from carom.narrow.cast import Hit, HitColumns, RayHit, RayHitColumns
from carom.narrow.crossings import Crossing, CrossingLists, crossings
from carom.narrow.manifold import Contact
from carom.narrow.pairs.disc_box import distance_disc_box, sweep_disc_box
from carom.narrow.rows.contact import ContactColumns
from carom.narrow.separation import Closest, ClosestColumns
from carom.narrow.verbs import cast, closest, collide, contains, distance, intersects, raycast, separation
from carom.shapes.basic import Capsule, Circle, ConvexShape, Point, Polygon, Segment, Shape
from carom.shapes.bounds import Bounds, bounding_circle, bounds, smallest_box
from carom.shapes.box import Box
from carom.shapes.compound import Compound, decompose
from carom.shapes.features import BadFeature, Features
from carom.shapes.hull import hull
from carom.shapes.mass import Mass
from carom.shapes.outlines.clean import Cleaned, clean
from carom.shapes.set import Shapes
from carom.vector import Vec
from carom.world.body import Body
from carom.world.copies.of_body import CopiesBody
from carom.world.copies.snapshots import WorldsSnapshot
from carom.world.copies.told import CopiesContacts, CopiesOverlaps
from carom.world.copies.worlds import Worlds
from carom.world.joint import Joint
from carom.world.questions.answers import BodyHit, BodyList, BodyNeighbors, BodyRayHit
from carom.world.recording import Recording, Replay
from carom.world.reports.contacts import WorldContacts
from carom.world.reports.hits import CopiesHits, HitKind, WorldHit, WorldHits
from carom.world.reports.overlaps import WorldOverlaps
from carom.world.world import World, WorldSnapshot

if TYPE_CHECKING:
    from carom import draw as draw
    from carom import kernels as kernels
    from carom import tables as tables
    from carom.draw.pictures import Picture, picture
    from carom.draw.playground import playground
    from carom.explain.axes import Axis, Difference, Interval
    from carom.explain.explanation import CompoundExplanation, Explanation
    from carom.maps import Level, read_grid, read_map
    from carom.maps.level import LevelBodies, OneWay, Outline, Trigger

    __version__: str

__all__ = [
    "Approaches",
    "Axis",
    "BadFeature",
    "Body",
    "BodyHit",
    "BodyList",
    "BodyNeighbors",
    "BodyRayHit",
    "Bounds",
    "Box",
    "Capsule",
    "CastColumns",
    "Character",
    "CharacterHit",
    "CharacterMove",
    "Circle",
    "Cleaned",
    "Closest",
    "ClosestColumns",
    "Compound",
    "CompoundExplanation",
    "Contact",
    "ContactColumns",
    "ConvexShape",
    "CopiesBody",
    "CopiesContacts",
    "CopiesHits",
    "CopiesOverlaps",
    "Crossing",
    "CrossingLists",
    "Difference",
    "Explanation",
    "Features",
    "Hit",
    "HitColumns",
    "HitKind",
    "Index",
    "Interval",
    "Joint",
    "Level",
    "LevelBodies",
    "Mass",
    "Move",
    "MoveColumns",
    "MoveHit",
    "MoveHitLists",
    "Neighbors",
    "OneWay",
    "Outline",
    "PairContacts",
    "Picture",
    "Plan",
    "Point",
    "Polygon",
    "RayHit",
    "RayHitColumns",
    "RayHitLists",
    "Recording",
    "Replay",
    "RowHit",
    "RowLists",
    "RowRayHit",
    "Segment",
    "Shape",
    "Shapes",
    "Trigger",
    "Vec",
    "World",
    "WorldContacts",
    "WorldHit",
    "WorldHits",
    "WorldOverlaps",
    "WorldSnapshot",
    "Worlds",
    "WorldsSnapshot",
    "approaches",
    "bounding_circle",
    "bounds",
    "bounds_pairs",
    "cast",
    "clean",
    "closest",
    "collide",
    "contacts",
    "contains",
    "convert",
    "crossings",
    "decompose",
    "distance",
    "distance_disc_box",
    "draw",
    "explain",
    "free_memory",
    "hull",
    "inner",
    "intersects",
    "kernel",
    "move",
    "pairs",
    "pairs_plan",
    "picture",
    "playground",
    "raycast",
    "read_grid",
    "read_map",
    "separation",
    "smallest_box",
    "source_key",
    "sweep_disc_box",
    "tables",
    "uncounted_kernel",
    "will_compile",
]

answer_old_paths()


_LATER = {
    **dict.fromkeys(("Level", "read_grid", "read_map"), "carom.maps"),
    **dict.fromkeys(("LevelBodies", "OneWay", "Outline", "Trigger"), "carom.maps.level"),
    **dict.fromkeys(("CompoundExplanation", "Explanation"), "carom.explain.explanation"),
    **dict.fromkeys(("Axis", "Difference", "Interval"), "carom.explain.axes"),
    **dict.fromkeys(("Picture", "picture"), "carom.draw.pictures"),
    "playground": "carom.draw.playground",
}
"""Modules that are imported at the first use of a name: most programs use none, and all pay for an import."""


if not TYPE_CHECKING:  # else every name would be known to type checkers

    def __getattr__(name: str) -> Any:
        """Import what is imported at its first use."""
        if name in _LATER:
            return getattr(import_module(_LATER[name]), name)
        if name in ("draw", "kernels", "tables"):
            return import_module(f"carom.{name}")  # from carom import draw would ask here again
        if name == "__version__":
            from importlib.metadata import version

            return version("carom")
        raise no_attribute("carom", name, __all__)


def __dir__() -> list[str]:
    return ["__version__", "kernels", *__all__]
