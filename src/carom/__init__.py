"""2D collision, exactly: questions about shapes, worlds of bodies, levels, and the programs built on them."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from carom import convert
from carom._core.names import no_attribute
from carom.broad.contact_pairs import PairContacts, contacts
from carom.broad.index import Index
from carom.broad.pairs import bounds_pairs, pairs, pairs_plan
from carom.character.character import Character, CharacterHit, CharacterMove
from carom.character.move import move
from carom.character.slide import Move, MoveHit
from carom.explain.explain import explain
from carom.narrow.cast import Hit, RayHit
from carom.narrow.manifold import Contact
from carom.narrow.separation import Closest
from carom.narrow.verbs import cast, closest, collide, contains, distance, intersects, raycast, separation
from carom.shapes.basic import Capsule, Circle, ConvexShape, Point, Polygon, Segment, Shape
from carom.shapes.bounds import Bounds, bounding_circle, bounds, smallest_box
from carom.shapes.box import Box
from carom.shapes.compound import Compound, decompose
from carom.shapes.hull import hull
from carom.shapes.mass import Mass
from carom.shapes.outlines.clean import Cleaned, clean
from carom.shapes.set import Shapes
from carom.vector import Vec
from carom.world.body import Body
from carom.world.copies import CopiesHits, Worlds
from carom.world.hits import HitKind, WorldHit, WorldHits
from carom.world.overlaps import WorldOverlaps
from carom.world.recording import Recording, Replay
from carom.world.touching import WorldContacts
from carom.world.world import World, WorldSnapshot

if TYPE_CHECKING:
    from carom import draw as draw
    from carom import kernels as kernels
    from carom.draw.pictures import Picture, picture
    from carom.explain.explanation import CompoundExplanation, Explanation
    from carom.maps import Level, read_grid, read_map
    from carom.playground_app.launch import playground

    __version__: str

__all__ = [
    "Body",
    "Bounds",
    "Box",
    "Capsule",
    "Character",
    "CharacterHit",
    "CharacterMove",
    "Circle",
    "Cleaned",
    "Closest",
    "Compound",
    "CompoundExplanation",
    "Contact",
    "ConvexShape",
    "CopiesHits",
    "Explanation",
    "Hit",
    "HitKind",
    "Index",
    "Level",
    "Mass",
    "Move",
    "MoveHit",
    "PairContacts",
    "Picture",
    "Point",
    "Polygon",
    "RayHit",
    "Recording",
    "Replay",
    "Segment",
    "Shape",
    "Shapes",
    "Vec",
    "World",
    "WorldContacts",
    "WorldHit",
    "WorldHits",
    "WorldOverlaps",
    "WorldSnapshot",
    "Worlds",
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
    "decompose",
    "distance",
    "draw",
    "explain",
    "hull",
    "intersects",
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
]


def __getattr__(name: str) -> Any:
    """Import what reads maps or draws at the first use of it: most programs do neither, and all pay for an import."""
    if name in ("Level", "read_grid", "read_map"):
        from carom import maps

        return getattr(maps, name)
    if name in ("CompoundExplanation", "Explanation"):
        from carom.explain import explanation

        return getattr(explanation, name)
    if name in ("Picture", "picture"):
        from carom.draw import pictures

        return getattr(pictures, name)
    if name == "playground":
        from carom.playground_app.launch import playground

        return playground
    if name in ("draw", "kernels"):
        return import_module(f"carom.{name}")  # from carom import draw would ask here again
    if name == "__version__":
        from importlib.metadata import version

        return version("carom")
    raise no_attribute("module 'carom'", name, __all__)


def __dir__() -> list[str]:
    return ["__version__", "kernels", *__all__]
