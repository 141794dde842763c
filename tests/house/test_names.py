"""Names: one for each meaning, the near one for a word that is not there, and layers that a question may name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any, cast

import numpy as np
import pytest

import carom as cm
from carom._core.names import words

RNG = np.random.default_rng(5)
A = cm.Shapes.circles(RNG.uniform(0, 4, (20, 2)), 0.7)
B = cm.Shapes.boxes(RNG.uniform(0, 4, (20, 2)), RNG.uniform(0.5, 1, (20, 2)), 0.5)
INDEX = cm.Index(B)


THINGS: dict[str, Any] = {
    "body": lambda: cm.World().add(cm.Circle((0, 0), 1), kind="dynamic"),
    "world": cm.World,
    "worlds": lambda: cm.World().copies(2),
    "index": lambda: INDEX,
    "polygon": lambda: cm.Polygon([(0, 0), (1, 0), (0, 1)]),
    "box": lambda: cm.Box((0, 0), (1, 1)),
    "compound": lambda: cm.decompose([(0, 0), (4, 0), (4, 4), (2, 1)]),
    "shapes": lambda: cm.Shapes.circles([(0, 0)], 1),
    "character": lambda: cm.Character(cm.Circle((0, 0), 1), up=(0, 1)),
    "level": lambda: cm.read_grid("##"),
    "vec": lambda: cm.Vec(1, 2),
    "carom": lambda: cm,
    "class of sets": lambda: cm.Shapes,
    "contacts": lambda: cm.contacts(A),
    "explanation": lambda: cm.explain(A[0], A[1]),
    "kernels": lambda: import_module("carom.kernels"),
    "tape": lambda: cm.Recording(cm.World()),
    "draw": lambda: cm.draw,
}
WORDS = [
    ("body", "elasticity", "did you mean restitution"),
    ("body", "angular_velocity", "did you mean spin"),
    ("body", "apply_force", "set body.force"),
    ("body", "apply_impulse_at_local_point", "body.apply_impulse"),
    ("body", "body_type", "did you mean kind"),
    ("body", "moment", "did you mean inertia"),
    ("body", "positoin", "did you mean position"),
    ("body", "name", "did you mean data"),
    ("body", "index", "did you mean row"),
    ("body", "remove", r"World.remove\(body\)"),
    ("body", "apply_angular_impulse", "body.spin"),
    ("world", "add_sensor", "sensor=True"),
    ("world", "add_box", "did you mean add"),
    ("world", "update", "did you mean step"),
    ("world", "clock", "did you mean time"),
    ("world", "cast_ray", "did you mean raycast"),
    ("world", "hinge", "did you mean pin"),
    ("world", "size", "shapes have one"),
    ("body", "destroy", r"World.remove\(body\)"),
    ("body", "x", "position.x"),
    ("body", "area", "shape.area"),
    ("worlds", "bodies", "body.row"),
    ("carom", "Camera", "cm.draw.Camera"),
    ("carom", "Triangle", "did you mean Polygon"),
    ("world", "reset", "did you mean restore"),
    ("index", "knn", "did you mean nearest"),
    ("character", "grounded", "did you mean on_floor"),
    ("character", "move_and_slide", "did you mean move"),
    ("level", "tiles", "did you mean solids"),
    ("level", "width", "did you mean bounds"),
    ("tape", "play", "did you mean replay"),
    ("tape", "save", "pickle.dump"),
    ("draw", "DrawOptions", "did you mean paint"),
    ("carom", "load_tmx", "did you mean read_map"),
    ("carom", "from_mask", r"convert.from_pygame\(mask\)"),
    ("world", "gravty", "did you mean gravity"),
    ("world", "iterations", "no iterations"),
    ("world", "add_collision_handler", "did you mean rule"),
    ("worlds", "velocty", "did you mean velocities"),
    ("index", "append", "did you mean insert"),
    ("index", "query_items", "did you mean query"),
    ("polygon", "intersects", r"cm.intersects\(a, b\)"),
    ("polygon", "distance", r"cm.distance\(a, b\)"),
    ("polygon", "buffer", "radius="),
    ("polygon", "exterior", "did you mean vertices"),
    ("box", "bounds", r"cm.bounds\(shape\)"),
    ("box", "contains", r"cm.contains\(shape, other\)"),
    ("box", "translate", "did you mean translated"),
    ("compound", "geoms", "did you mean parts"),
    ("compound", "exterior", "did you mean"),
    ("shapes", "centroid", "did you mean"),
    ("shapes", "intersects", r"cm.intersects\(a, b\)"),
    ("character", "on_flor", "did you mean on_floor"),
    ("character", "velocity", "its way at each move"),
    ("level", "solid", "did you mean solids"),
    ("vec", "magnitude", "did you mean length"),
    ("vec", "lenght", "did you mean length"),
    ("carom", "Space", "did you mean World"),
    ("carom", "STRtree", "did you mean Index"),
    ("carom", "PinJoint", "it is World.rod"),
    ("carom", "polygon", "did you mean Polygon"),
    ("carom", "join", r"cm.pairs\(a, b\)"),
    ("carom", "nearest", r"cm.closest\(a, b\), or cm.Index"),
    ("carom", "load", "Shapes.load"),
    ("carom", "separating_axis", "did you mean explain"),
    ("class of sets", "from_pandas", r"Shapes.circles\(table"),
    ("class of sets", "concat", "did you mean concatenate"),
    ("class of sets", "read", "did you mean load"),
    ("contacts", "to_pandas", r"pandas.DataFrame\(answer.flat\(\)\)"),
    ("explanation", "depth", "did you mean contact"),
    ("explanation", "levls", "did you mean levels"),
    ("kernels", "distance", "did you mean separation"),
]


@pytest.mark.parametrize(("thing", "word", "text"), WORDS)
def test_a_word_of_another_library_or_a_slip_is_told_the_right_one(thing: str, word: str, text: str) -> None:
    owner = THINGS[thing]()
    with pytest.raises(AttributeError, match=f"has no attribute '{word}'.*{text}"):
        getattr(owner, word)
    assert not hasattr(owner, word)
    if thing in ("body", "world", "worlds", "index"):
        with pytest.raises(AttributeError, match=f"has no attribute '{word}'.*{text}"):
            setattr(owner, word, 1)


def test_a_class_derived_from_world_keeps_names_of_its_own() -> None:
    class Scene(cm.World):
        pass

    scene = Scene()
    scene.score = 3  # type: ignore[attr-defined]
    assert scene.score == 3  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("ask", "old", "new"),
    [
        (lambda: cm.Shapes.boxes([(0, 0)], (1, 1), angles=0), "angles", "angle"),  # type: ignore[call-overload]
        (lambda: cm.Shapes.boxes([(0, 0)], (1, 1), radii=0), "radii", "radius"),  # type: ignore[call-overload]
        (lambda: cm.Shapes.polygons([], radii=0), "radii", "radius"),  # type: ignore[arg-type]
        (lambda: A.rotated(1, pivots=(0, 0)), "pivots", "pivot"),  # type: ignore[arg-type]
        (lambda: A.placed((0, 0), angles=1), "angles", "angle"),  # type: ignore[arg-type]
        (lambda: INDEX.cast(B[0], (1, 0), rotations=1), "rotations", "rotation"),
        (lambda: INDEX.cast(B[0], (1, 0), pivots=(1, 0)), "pivots", "pivot"),
        (lambda: INDEX.nearest((0, 0), max_distance=1), "max_distance", "within"),
        (lambda: cm.Box((0, 0), (1, 1), theta=1), "theta", "angle"),  # type: ignore[arg-type]
        (lambda: cm.Circle((0, 0), 1, r=1), "r", "radius"),  # type: ignore[arg-type]
        (lambda: cm.World(gravty=1), "gravty", "gravity"),  # type: ignore[arg-type]
        (lambda: cm.pairs(A, tolerance=1), "tolerance", "within"),  # type: ignore[call-overload]
        (lambda: cm.pairs(A, distance=1), "distance", "within"),  # type: ignore[call-overload]
    ],
)
def test_an_old_or_wrong_keyword_names_the_right_one(ask: Any, old: str, new: str) -> None:
    with pytest.raises(TypeError, match=f"unexpected keyword argument '{old}'; did you mean {new}\\?"):
        ask()


PLURALS = {"angles", "centers", "ends", "origins", "pivots", "positions", "radii", "rotations", "sizes", "starts"} | {
    "translations",
    "vectors",
    "geometries",
}


def test_a_parameter_has_one_name_for_one_and_for_many() -> None:
    """No call of sets or of an Index has a name of many for what a call of one names in the singular."""
    for owner in (cm.Shapes, cm.Index, cm.World, cm.Compound, cm.Box, cm.Polygon):
        for name, method in vars(owner).items():
            function = getattr(method, "__func__", method)
            if not name.startswith("_") and inspect.isfunction(function):
                assert not PLURALS & set(inspect.signature(function).parameters), (owner, name)
    for verb in (cm.cast, cm.raycast, cm.move, cm.contains, cm.pairs, cm.contacts):
        assert not PLURALS & set(inspect.signature(verb).parameters), verb


def test_one_value_serves_all_rows() -> None:
    at, sizes = [(0, 0), (5, 0), (9, 1)], [(1, 2), (2, 2), (3, 1)]
    assert cm.Shapes.boxes(at, (1, 2)) == cm.Shapes.boxes(at, [(1, 2)] * 3)
    assert cm.Shapes.boxes((1, 2), sizes, 0.5) == cm.Shapes.boxes([(1, 2)] * 3, sizes, [0.5] * 3)
    assert cm.Shapes.boxes((1, 2), (2, 1), [0, 0.5]) == cm.Shapes.boxes([(1, 2)] * 2, [(2, 1)] * 2, [0, 0.5])
    assert cm.Shapes.circles((0, 0), [1, 2]) == cm.Shapes.circles([(0, 0)] * 2, [1, 2])
    assert cm.Shapes.segments((1, 1), at) == cm.Shapes.segments([(1, 1)] * 3, at)
    assert cm.Shapes.capsules(at, (1, 1), 0.5) == cm.Shapes.capsules(at, [(1, 1)] * 3, [0.5] * 3)
    with pytest.raises(ValueError, match=r"Shapes.circles: center has shape \(2,\); it must be \(n, 2\)"):
        cm.Shapes.circles((0, 0), 1)
    world = cm.World()
    world.add_many(cm.Shapes.circles(at, 0.5), kind="dynamic", velocity=(1, 0))
    worlds = world.copies(2)
    world.velocities, worlds.velocities, worlds.spins = (2, 3), (2, 3), 4
    assert world.velocities.tolist() == [[2, 3]] * 3 and (worlds.velocities == (2, 3)).all()
    assert (worlds.spins == 4).all()


def test_a_layer_that_nothing_is_on_is_refused_in_questions() -> None:
    index = cm.Index(A, layer="crate", mask="ghost")
    assert index.query(B[0], mask="ghost").size == 0, "it was named, so it may get rows"
    ask: Any
    for ask in (
        lambda mask: index.query(B[0], mask=mask),
        lambda mask: index.contains((0, 0), mask=mask),
        lambda mask: index.nearest((0, 0), mask=mask),
        lambda mask: index.raycast((0, 0), (1, 0), mask=mask),
        lambda mask: index.cast(B[0], (1, 0), mask=mask),
        lambda mask: cm.move(B[0], (1, 0), index, mask=mask),
        lambda mask: cm.pairs(A, layer="crate", mask=mask),
        lambda mask: cm.contacts(A, A, layer="crate", others_mask=mask),
    ):
        for mask in ("crates", ("default", "crates")):
            with pytest.raises(
                ValueError, match=r"mask.* = 'crates' is a layer that nothing is on; did you mean crate"
            ):
                ask(mask)
        ask("default")
    both = cm.pairs(A, A, layer="a", mask="b", others_layer="b", others_mask="a")
    assert np.array_equal(both, cm.pairs(A, A))


BOX = cm.Box((0, 0), (2, 1))
CORNER = cm.decompose([(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)])
TRIANGLE = [(0, 0), (1, 0), (0, 1)]
KEYWORDS: dict[str, tuple[Callable[[], Any], str]] = {
    "rotated": (lambda: cast(Any, BOX).rotated(1, center=(0, 0)), "Box.rotated: .*'center'; did you mean pivot"),
    "placed": (lambda: cast(Any, BOX).placed((0, 0), rotation=1), "Box.placed: .*; did you mean angle"),
    "rotated polygon": (lambda: cast(Any, cm.hull(TRIANGLE)).rotated(1, about=(0, 0)), "Polygon.rotated: .*pivot"),
    "placed compound": (lambda: cast(Any, CORNER).placed((0, 0), rotation=1), "Compound.placed: .*angle"),
    "hull": (lambda: cast(Any, cm.hull)(TRIANGLE, radius=1), "hull: got an unexpected keyword argument 'radius'"),
    "decompose": (lambda: cast(Any, cm.decompose)(TRIANGLE, hole=[]), "decompose: .*did you mean holes"),
    "read_grid": (lambda: cast(Any, cm.read_grid)("#", cell=2), "read_grid: .*did you mean tile_size"),
    "read_map": (lambda: cast(Any, cm.read_map)("a.tmx", tile_size=2), "read_map: .*did you mean scale"),
    "add_to": (lambda: cast(Any, cm.read_grid("#")).add_to(cm.World(), layers="a"), "add_to: .*did you mean layer"),
    "step": (lambda: cast(Any, cm.World()).step(0.1, substeps=4), "World.step: .*exact in time"),
    "move_to": (lambda: THINGS["body"]().move_to((0, 0), rotation=1), "move_to: .*did you mean angle"),
    "apply_impulse": (lambda: THINGS["body"]().apply_impulse((1, 0), point=(0, 0)), "apply_impulse: .*mean at"),
    "Index": (lambda: cast(Any, cm.Index)([], layers="a"), "Index: .*did you mean layer"),
    "Camera": (lambda: cast(Any, cm.draw.Camera)((8, 6), scale=3), "Camera: .*did you mean zoom"),
}


@pytest.mark.parametrize("call", KEYWORDS)
def test_a_keyword_that_is_not_there_is_refused_with_the_near_one(call: str) -> None:
    made, message = KEYWORDS[call]
    with pytest.raises(TypeError, match=message):
        made()


WORLD = cm.World()
COPIES = cm.World().copies(2)
BARE: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any], str]] = [
    (cm.intersects, (A[0],), {"other": B[0]}, "intersects: got an unexpected keyword argument 'other'; did you mean b"),
    (cm.separation, (A[0],), {"shape": B[0]}, "separation: .* 'shape'; did you mean a"),
    (cm.distance, (A[0], B[0]), {"limit": 2}, "distance: .* 'limit'; it takes a, b, threads"),
    (cm.closest, (), {"a": A[0], "other": B[0]}, "closest: .* 'other'; did you mean b"),
    (cm.collide, (A[0],), {"other": B[0]}, "collide: .* 'other'; did you mean b"),
    (cm.collide, (A[0],), {}, "collide: b is missing; it must be a shape"),
    (cm.contains, (A[0],), {"points": (0, 0)}, "contains: .* 'points'; did you mean other"),
    (cm.cast, (A[0], B[0]), {"direction": (1, 0)}, "cast: .* 'direction'; did you mean translation"),
    (cm.raycast, ((0, 0), (1, 0)), {"shapes": A}, "raycast: .* 'shapes'; did you mean shape"),
    (cm.explain, (A[0],), {"other": B[0]}, "explain: .* 'other'; did you mean b"),
    (cm.move, (A[0], (1, 0)), {"walls": A}, "move: .* 'walls'; did you mean obstacles"),
    (cm.decompose, (), {"vertices": [(0, 0)]}, "decompose: .* 'vertices'; did you mean outline"),
    (cm.clean, (), {"points": [(0, 0)]}, "clean: .* 'points'; did you mean outline"),
    (cm.picture, (A[0],), {"layer": "axes"}, "picture: .* 'layer'; did you mean layers"),
    (cm.Circle, ((0, 0),), {"r": 1}, "Circle: .* 'r'; did you mean radius"),
    (cm.Circle, ((0, 0),), {}, "Circle: radius is missing; it must be a number"),
    (cm.Box, (), {"pos": (0, 0), "size": (1, 1)}, "Box: .* 'pos'; did you mean center"),
    (cm.Polygon, (), {"points": [(0, 0)]}, "Polygon: .* 'points'; did you mean vertices"),
    (cm.Shapes.circles, ([(0, 0)],), {"radii": 1}, "Shapes.circles: .* 'radii'; did you mean radius"),
    (cm.Character, (A[0],), {"max_step": 1}, "Character: .* 'max_step'; did you mean step_height"),
    (A[0].translated, (), {"offset": (1, 0)}, "Circle.translated: .* 'offset'; did you mean vector"),
    (B[0].translated, (), {"translation": (1, 0)}, "Box.translated: .* 'translation'; did you mean vector"),
    (A.rotated, (), {"theta": 1}, "Shapes.rotated: .* 'theta'; did you mean angle"),
    (A[0].placed, (), {"pos": (1, 0)}, "Circle.placed: .* 'pos'; did you mean position"),
    (WORLD.add, (), {"body": A[0]}, "World.add: .* 'body'; did you mean shape"),
    (WORLD.add, (A[0], "moving"), {}, "World.add: kind = 'moving' must be one of static, kinematic, dynamic"),
    (WORLD.step, (), {"delta": 1}, "World.step: .* 'delta'; did you mean dt"),
    (WORLD.events, (), {"seconds": 1}, "World.events: .* 'seconds'; did you mean dt"),
    (WORLD.contains, (), {"position": (0, 0)}, "World.contains: .* 'position'; did you mean point"),
    (COPIES.step, (), {"delta": 1}, "Worlds.step: .* 'delta'; did you mean dt"),
    (COPIES.raycast, ((0, 0),), {"direction": (1, 0)}, "Worlds.raycast: .* 'direction'; did you mean translation"),
    (COPIES.nearest, (), {}, "Worlds.nearest: shape is missing"),
    (INDEX.nearest, (), {"point": (0, 0)}, "Index.nearest: .* 'point'; did you mean shape"),
]


@pytest.mark.parametrize(("call", "given", "named", "message"), BARE, ids=[one[3] for one in BARE])
def test_a_call_without_a_required_argument_is_told_by_name(
    call: Callable[..., Any], given: tuple[Any, ...], named: dict[str, Any], message: str
) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        call(*given, **named)


def test_a_required_argument_is_shown_as_one() -> None:
    for call in (cm.collide, cm.Circle, cm.World.step, cm.Character):
        parameters = inspect.signature(call).parameters
        first = next(one for name, one in parameters.items() if name != "self")
        assert first.default is first.empty
    assert list(inspect.signature(cm.collide).parameters) == ["a", "b", "threads"]
    assert inspect.signature(cm.intersects).parameters["touching"].default is True


def test_the_kind_of_a_body_may_stand_in_its_place() -> None:
    assert cm.World().add(A[0], "dynamic").kind == "dynamic"
    assert cm.World().add_many(A, "kinematic")[3].kind == "kinematic"


@pytest.mark.parametrize(
    ("kind", "name", "message"),
    [
        (cm.World, "add_body", "World has no attribute 'add_body'; did you mean add"),
        (cm.Index, "from_shapes", "Index has no attribute"),
        (cm.Box, "from_center", "did you mean from_corner"),
        (cm.Compound, "from_part", "did you mean from_parts"),
        (cm.Body, "mas", "did you mean mass"),
        (cm.Recording, "play", "did you mean replay"),
        (cm.Picture, "savefig", "did you mean save"),
        (cm.draw.Camera, "fit", "Camera has no attribute 'fit'"),
    ],
)
def test_names_asked_of_a_class_lead_to_the_near_one(kind: Any, name: str, message: str) -> None:
    with pytest.raises(AttributeError, match=message):
        getattr(kind, name)


def test_a_name_that_a_character_does_not_have_cannot_be_set() -> None:
    hero: Any = THINGS["character"]()
    with pytest.raises(AttributeError, match="did you mean position"):
        hero.pos = 1, 1
    with pytest.raises(AttributeError, match=r"Character.max_slope cannot be set"):
        hero.max_slope = 1.0
    hero.position = 1, 1
    assert hero.position == (1, 1)


def test_a_question_to_a_world_names_a_layer_that_is_there() -> None:
    world = cm.World()
    world.add(cm.Circle((0, 0), 1), layer="crate")
    asked: Any
    for asked in (world, world.copies(2)):
        for ask in (
            lambda mask, asked=asked: asked.raycast((-5, 0), (9, 0), mask=mask),
            lambda mask, asked=asked: asked.query(cm.Circle((0, 0), 1), mask=mask),
            lambda mask, asked=asked: asked.nearest([(0, 0), (1, 1)], mask=mask),
        ):
            with pytest.raises(
                ValueError, match=r"mask.* = 'crates' is a layer that nothing is on; did you mean crate"
            ):
                ask("crates")
            ask("crate")


@pytest.mark.parametrize(("thing", "word"), [("carom", "overlap_area"), ("class of sets", "random")])
def test_a_word_that_only_looks_like_a_name_is_told_none(thing: str, word: str) -> None:
    """`size` has four letters in common with `inside`, which is no help."""
    with pytest.raises(AttributeError, match=f"has no attribute '{word}'$"):
        getattr(THINGS[thing](), word)


def test_what_has_solids_but_is_none_says_so() -> None:
    level = cm.read_grid("P\n#")
    bodies: Any = level.add_to(cm.World())
    with pytest.raises(TypeError, match="ask the World that has them"):
        cm.intersects(BOX, bodies)
    lines: Any = ["#.", "##"]
    with pytest.raises(TypeError, match="join lines"):
        cm.read_grid(lines)


def test_every_known_word_leads_to_something_that_is_there() -> None:
    """A plain word of the table is a public name, an attribute of a public class, or a parameter of a public call."""
    there = set(cm.__all__)
    for thing in (*(getattr(cm, name) for name in cm.__all__), *(type(make()) for make in THINGS.values())):
        members = vars(thing).values() if inspect.isclass(thing) else [thing]
        there |= {*dir(thing), *getattr(thing, "__annotations__", ())}
        for member in members:
            function = getattr(member, "__func__", member)
            if inspect.isfunction(function):
                there |= set(inspect.signature(function).parameters)
    there |= {*dir(THINGS["character"]()), *dir(cm.draw.Camera)}
    lost = {
        word: meant
        for table in words().values()
        for word, (meant, _, remedy) in ((word, text.partition(":")) for word, text in table.items())
        if not remedy and not there & {*meant.split(), *(f"{one}s" for one in meant.split())}
    }
    assert not lost
