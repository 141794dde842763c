"""Names that are not there: the error names the near one, by meaning or by spelling.

In: a name that a user looked up, set, or passed as a keyword, and the names there are. Out: an error to raise. `MEANT`
is the only table of words of other libraries and of earlier versions; `docs/errors.md` shows it to users.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

from carom._core.sealed import name_in_pickles, name_tuples
from carom.vector import Vec

# Words of other libraries and of earlier versions. Plain words are names that stand for the same here, of which the
# first that the object or the call has is told; behind a colon stands what to do, told where none of them is there.
FROM_TABLE = ": columns do, as in Shapes.circles(table[['x', 'y']], table['radius'])"
TO_TABLE = ": pandas.DataFrame(answer.flat()) makes a table of an answer"
MEANT = {
    # Shapes and what is made of them
    "AABB": "Box",
    "OBB": "Box",
    "BB": "Box bounds",
    "Rect": "Box",
    "rect": "Box",
    "Triangle": "Polygon",
    "Ellipse": ": there are no ellipses; take a Polygon of points on it",
    "Rectangle": "Box",
    "Square": "Box",
    "Disc": "Circle",
    "Ball": "Circle",
    "Line": "Segment",
    "Edge": "Segment",
    "LineString": "Shapes: it is Shapes.polyline(points)",
    "MultiPoint": "Shapes: it is Shapes.points(position)",
    "MultiPolygon": "Shapes: it is Shapes, or Compound.from_parts",
    "GeometryCollection": "Shapes",
    "Poly": "Polygon",
    "PolyShape": "Polygon",
    "box": "Box: it is Box.from_corners((xmin, ymin), (xmax, ymax))",
    "Set": "Shapes",
    "ShapeSet": "Shapes",
    "Vec2": "Vec",
    "Vec2d": "Vec",
    "Vector2": "Vec",
    "Ray": "raycast",
    "STRtree": "Index",
    "Tree": "Index",
    "RTree": "Index",
    "KDTree": "Index",
    "cKDTree": "Index",
    "QuadTree": "Index",
    "SpatialHash": "Index",
    "BVH": "Index",
    # Questions
    "overlaps": "overlaps intersects: ask cm.intersects(a, b)",
    "overlap": "intersects: ask cm.intersects(a, b)",
    "collides": "intersects: ask cm.intersects(a, b)",
    "colliderect": "intersects: ask cm.intersects(a, b)",
    "intersects": "intersects query: ask cm.intersects(a, b)",
    "disjoint": "intersects: ask not cm.intersects(a, b)",
    "touches": "intersects: compare cm.intersects(a, b) with cm.intersects(a, b, touching=False)",
    "contains": "contains: ask cm.contains(shape, other)",
    "covers": "contains: ask cm.contains(shape, other)",
    "within": "contains: ask cm.contains(shape, other)",
    "point_query": "contains: ask cm.contains(shape, point), or cm.separation",
    "collidepoint": "contains: ask cm.contains(shape, point)",
    "distance": "distance separation within translation: ask cm.distance(a, b)",
    "dwithin": "query distance: compare cm.distance(a, b)",
    "nearest_points": "closest",
    "collide": "collide: ask cm.collide(a, b)",
    "shapes_collide": "collide: ask cm.collide(a, b)",
    "raycast": "raycast: ask cm.raycast(origin, translation, shape)",
    "segment_query": "raycast raycast_all: ask cm.raycast(origin, translation, shape)",
    "segment_query_first": "raycast",
    "point_query_nearest": "nearest",
    "bounds": "bounds: ask cm.bounds(shape)",
    "bb": "bounds: ask cm.bounds(shape)",
    "aabb": "bounds: ask cm.bounds(shape)",
    "bb_query": "query",
    "shape_query": "query contacts",
    "query_nearest": "nearest",
    "query_items": "query",
    "geometries": "geometry shapes",
    "shapecast": "cast",
    "cast_ray": "raycast",
    "cast_shape": "cast",
    "search": "query",
    "find": "query nearest",
    "other_rotation": "other_rotation: the rows of an Index stand still; ask cm.cast(a, b, ...) of two",
    "other_pivot": "other_pivot: the rows of an Index stand still; ask cm.cast(a, b, ...) of two",
    "radius": "radius within",
    "diameter": "radius",
    "sweep": "cast",
    "time_of_impact": "cast",
    "penetration": "depth: it is the depth of collide",
    "mtv": "move_b collide: it is move_b of collide",
    "convex_hull": "hull: it is cm.hull(points)",
    "toi": "fraction cast",
    "near": "nearest pairs",
    "knn": "nearest",
    "query_radius": "query: it is query(shape, within=distance)",
    "query_ball_point": "query: it is query(shape, within=distance)",
    "triangulate": "decompose",
    "Snapshot": "Picture",
    "to_screen": "to_pixel",
    "colors": "color",
    "colour": "color",
    "nearest": "nearest: ask cm.closest(a, b), or cm.Index(shapes).nearest(point) among many",
    "sat": "explain: cm.explain(a, b) lists the axes",
    "separating_axis": "explain: cm.explain(a, b) lists the axes",
    "separating_axes": "explain: cm.explain(a, b) lists the axes",
    "minkowski": ": cm.picture(a, b, layers='minkowski') draws it",
    "minkowski_difference": ": cm.picture(a, b, layers='minkowski') draws it",
    "normal": "normal normals contact",
    "depth": "depth depths contact",
    # Tables and files
    "from_pandas": FROM_TABLE,
    "from_dataframe": FROM_TABLE,
    "from_frame": FROM_TABLE,
    "from_table": FROM_TABLE,
    "from_geopandas": "from_shapely: give the column of geometries to Shapes.from_shapely",
    "from_geodataframe": "from_shapely: give the column of geometries to Shapes.from_shapely",
    "to_pandas": TO_TABLE,
    "to_dataframe": TO_TABLE,
    "to_frame": TO_TABLE,
    "concat": "concatenate",
    "join": ": cm.pairs(a, b) joins two sets, cm.contacts(a, b) with depth and normal",
    "sjoin": ": cm.pairs(a, b) joins two sets, cm.contacts(a, b) with depth and normal",
    "pairs_within": "pairs: it is cm.pairs(shapes, within=distance)",
    "ids": ": answers name rows; ids[found.pairs] are the ids of both, for an array of ids in the order of rows",
    "iloc": ": rows are taken with []",
    "loc": ": rows are taken with []",
    "load": "load: sets are read by Shapes.load(path), worlds and recordings by pickle.load",
    "read": "load: sets are read by Shapes.load(path)",
    "from_file": "load: sets are read by Shapes.load(path)",
    "to_file": "save: Shapes have save(path)",
    "savefig": "save",
    "plot": "draw",
    "show": "save: it has save(path) and draw(axes); a notebook shows it by itself",
    # Shapely's measures and operations
    "area": "areas: it is shape.area",
    "x": "center: it is position.x",
    "y": "center: it is position.y",
    "w": "size",
    "h": "size",
    "length": "length size translation: it is the distance of its ends",
    "centroid": "position positions: it is position, or mass().center",
    "envelope": "bounds",
    "boundary": "vertices outline",
    "exterior": "vertices outline",
    "interiors": "holes",
    "coords": "vertices position: Segments have start and end",
    "geoms": "parts",
    "is_valid": ": shapes are valid, or refused when they are made; cm.clean mends outlines",
    "make_valid": "clean",
    "is_empty": ": no shape is empty",
    "buffer": ": give radius= to Box or Polygon, which rounds the corners",
    "grown": ": give radius= to Box or Polygon, which rounds the corners",
    "corners": "vertices",
    "union": "Compound: Carom has no set operations; join shapes with Compound.from_parts",
    "unary_union": "Compound: Carom has no set operations; join shapes with Compound.from_parts",
    "intersection": ": Carom has no set operations; take Shapely's, and convert.from_shapely",
    "difference": ": Carom has no set operations; take Shapely's, and convert.from_shapely",
    "symmetric_difference": ": Carom has no set operations; take Shapely's, and convert.from_shapely",
    "simplify": "clean: cm.clean(outline) drops points that are not needed",
    "affinity": "translated: shapes have translated, rotated and placed",
    "translate": "translated: it is shape.translated(vector)",
    "rotate": "rotated: it is shape.rotated(angle, pivot)",
    "moved": "translated",
    "move_ip": "translated: shapes do not change; translated gives a new one",
    "scale": "scale tile_size zoom: shapes are not scaled; make one of another size",
    "scaled": ": shapes are not scaled; make one of another size",
    "wkt": ": shapes are written by repr, and convert.to_shapely(shape).wkt",
    "is_ccw": ": outlines come back counter-clockwise, whichever way they were given",
    # Vectors
    "magnitude": "length",
    "norm": "length",
    "normalize": "normalized",
    "normalised": "normalized",
    "rotate_rad": "rotated",
    "perpendicular": "perpendicular rotated: it is rotated(math.pi / 2)",
    "get_distance": "distance",
    "unit": "normalized",
    "perp": "perpendicular",
    "from_angle": ": it is Vec(length, 0).rotated(angle)",
    "from_polar": ": it is Vec(length, 0).rotated(angle)",
    "lerp": ": it is a + (b - a) * share",
    "distance_to": "distance",
    "project": "projection",
    # pymunk's space and bodies
    "Space": "World",
    "Scene": "World",
    "Physics": "World",
    "Arbiter": "WorldHit",
    "KinematicBody": "World: it is World.add(shape, kind='kinematic')",
    "StaticBody": "World: it is World.add(shape, kind='static')",
    "PinJoint": "rod: it is World.rod(a, b, from_, to)",
    "DistanceJoint": "rod: it is World.rod(a, b, from_, to), or World.spring",
    "PivotJoint": "pin: it is World.pin(a, b, point)",
    "RevoluteJoint": "pin: it is World.pin(a, b, point)",
    "SlideJoint": "rope: it is World.rope(a, b, from_, to), or World.spring with limits",
    "RopeJoint": "rope: it is World.rope(a, b, from_, to)",
    "GrooveJoint": "slide: it is World.slide(a, b, point, axis, turns=True, limits=)",
    "PrismaticJoint": "slide: it is World.slide(a, b, point, axis)",
    "WheelJoint": "slide: it is World.slide(a, b, point, axis, turns=True, hertz=)",
    "WeldJoint": "weld: it is World.weld(a, b, point)",
    "DampedSpring": "spring: it is World.spring(a, b, from_, to, stiffness=, resistance=)",
    "DampedRotarySpring": ": give stiffness=, resistance= and rest= to World.pin",
    "RotaryLimitJoint": ": give limits= to World.pin",
    "RatchetJoint": ": there are no ratchets; set Joint.limits of a pin as it turns",
    "GearJoint": "gear: it is World.gear(a, b, ratio=)",
    "SimpleMotor": ": give speed= and max_torque= to World.pin",
    "MotorJoint": ": give speed= and max_torque= to World.pin",
    "MouseJoint": "drag: it is World.drag(body, point, target)",
    "PulleyJoint": ": there are no pulleys",
    "Constraint": "Joint joint",
    "Spring": "spring: it is World.spring(a, b, from_, to, hertz=)",
    "Motor": ": give speed= and max_torque= to World.pin",
    "Hinge": "pin: it is World.pin(a, b, point)",
    "Rope": "rope: it is World.rope(a, b, from_, to)",
    "joint": "joint: World.pin, rod, rope, spring, weld, slide, gear and drag return joints",
    "hinge": "pin: it is World.pin(a, b, point)",
    "revolute": "pin: it is World.pin(a, b, point)",
    "prismatic": "slide: it is World.slide(a, b, point, axis)",
    "wheel": "slide: it is World.slide(a, b, point, axis, turns=True, hertz=)",
    "fix": "weld: it is World.weld(a, b, point)",
    "distance_joint": "rod: it is World.rod(a, b, from_, to)",
    "spring": "spring: it is World.spring(a, b, from_, to, hertz=)",
    "motor": ": give speed= and max_torque= to World.pin",
    "rope": "rope: it is World.rope(a, b, from_, to)",
    "constraints": "joints",
    "joints": "joints: loop over World.joints, and look at joint.a and joint.b",
    "add_joint": "pin rod: World.pin, rod, rope, spring, weld, slide, gear and drag add joints",
    "mouse": "drag: it is World.drag(body, point, target)",
    "motor_speed": "speed",
    "rate": "speed",
    "max_motor_torque": "max_torque",
    "max_motor_force": "max_force",
    "motor_torque": "max_torque",
    "motor_force": "max_force",
    "rest_length": "length rest",
    "rest_angle": "rest",
    "max_length": "length",
    "frequency": "hertz",
    "damping_ratio": "damping",
    "lower": "limits",
    "upper": "limits",
    "collide_connected": "collide",
    "collide_bodies": "collide",
    "anchor": "anchor_a point",
    "break_force": "breaks_at",
    "phase": ": the angle of a joint is 0 where it is made",
    "ShapeFilter": "mask: give layer= and mask= to World.add",
    "moment_for_circle": ": World.add takes the moment of inertia of the shape, or inertia=",
    "moment_for_box": ": World.add takes the moment of inertia of the shape, or inertia=",
    "moment_for_poly": ": World.add takes the moment of inertia of the shape, or inertia=",
    "moment": "inertia",
    "moment_of_inertia": "inertia",
    "body_type": "kind",
    "type": "kind",
    "elasticity": "restitution",
    "bounce": "restitution",
    "bounciness": "restitution",
    "density": "density mass",
    "linear_velocity": "velocity",
    "angular_velocity": "spin",
    "omega": "spin",
    "linear_damping": "damping",
    "angular_damping": "damping",
    "rotation_vector": "angle",
    "is_sleeping": "asleep",
    "sleeping": "asleep",
    "activate": "wake",
    "fixed_rotation": "turns: give turns=False to World.add",
    "is_sensor": "sensor",
    "bullet": ": every body is swept; none goes through another at any speed",
    "isBullet": ": every body is swept; none goes through another at any speed",
    "userData": "data",
    "user_data": "data",
    "space": "world obstacles: keep the World that you made; bodies and recordings do not name theirs",
    "world": "world obstacles: keep the World that you made; bodies and recordings do not name theirs",
    "name": "data",
    "tag": "data",
    "label": "data",
    "color": "color: keep it in data, and give color= to draw.paint",
    "index": "row",
    "id": "row",
    "BodyKind": ": kinds are strings: 'static', 'kinematic', 'dynamic'",
    "static": ": it is kind='static', the default",
    "kinematic": ": it is kind='kinematic'",
    "dynamic": ": it is kind='dynamic'",
    "static_bodies": ": loop over the world, and ask body.kind",
    "bodies": "bodies: copies have the rows of the world's bodies; body.row tells which",
    "copies": "copies: len(worlds) tells how many, and worlds.world(k) gives one",
    "first": ": it is hits[0]",
    "kinematic_bodies": ": loop over the world, and ask body.kind",
    "dynamic_bodies": ": loop over the world, and ask body.kind",
    "add_body": "add",
    "add_box": "add",
    "add_circle": "add",
    "create_body": "add",
    "update": "update step",
    "tick": "step",
    "simulate": "step",
    "destroy": "remove: it is World.remove(body)",
    "touching": "touching resting_on",
    "active": "asleep",
    "clock": ": a world keeps none; add up the dt of steps",
    "now": ": a world keeps no clock; add up the dt of steps",
    "add_shape": "add",
    "add_sensor": ": it is add(shape, sensor=True)",
    "remove": "remove: it is World.remove(body), or Index.remove(rows)",
    "clear": "remove",
    "reset": "reset restore",
    "clone": "copy",
    "vel": "velocity velocities: a Character is told its way at each move",
    "speed": "speed velocity",
    "energy": ": it is the sum over bodies of mass, inertia, velocity and spin",
    "kinetic_energy": ": it is (mass * velocity.length_squared + inertia * spin**2) / 2",
    "explode": ": ask World.query(Circle(...)), and give each body an impulse with apply_impulse",
    "explosion": ": ask World.query(Circle(...)), and give each body an impulse with apply_impulse",
    "hits": "hits: World.step returns them, and World.events one by one",
    "contacts": "contacts resting_on",
    "shapes": "shape shapes bodies solids",
    "apply_force": ": set body.force, which holds until it is changed",
    "apply_force_at_local_point": ": set body.force and body.torque, which hold until they are changed",
    "apply_force_at_world_point": ": set body.force and body.torque, which hold until they are changed",
    "apply_force_to_center": ": set body.force, which holds until it is changed",
    "apply_torque": ": set body.torque, which holds until it is changed",
    "apply_impulse_at_local_point": ": it is body.apply_impulse(impulse, at=point of the world)",
    "apply_impulse_at_world_point": ": it is body.apply_impulse(impulse, at=point)",
    "apply_linear_impulse": "apply_impulse",
    "apply_angular_impulse": ": add impulse / body.inertia to body.spin",
    "local_to_world": ": it is body.position + vector.rotated(body.angle)",
    "world_to_local": ": it is (point - body.position).rotated(-body.angle)",
    "velocity_at": ": it is velocity, and spin times the way from position, turned by pi / 2",
    "velocity_at_world_point": ": it is velocity, and spin times the way from position, turned by pi / 2",
    "center_of_gravity": "pivot",
    "collision_type": "layer: name layers, and look at hit.kind, hit.body and hit.other",
    "add_collision_handler": "rule events: loop over World.events, or set rules of layers with World.rule",
    "on_collision": "events: loop over World.events, or set rules of layers with World.rule",
    "iterations": ": a world has no iterations to set; step(dt) is exact in time",
    "velocity": "velocity velocities: bodies have one; a Character is told its way at each move",
    "damping": "damping: each body has its own, World.add(damping=)",
    "substeps": ": one step is exact in time, and needs no smaller ones",
    "delta": "dt",
    "delta_time": "dt",
    "timestep": "dt",
    "time_step": "dt",
    "seconds": "dt",
    "idle_speed_threshold": ": bodies sleep of themselves",
    "sleep_time_threshold": ": bodies sleep of themselves",
    "collision_slop": ": a world has no slop to set; carom.tolerances says what is kept apart",
    "static_body": ": a world has none; add shapes with kind='static', which is the default",
    "each_shape": "bodies",
    "Camera": ": it is cm.draw.Camera",
    "paint": "paint: it is cm.draw.paint",
    "debug_draw": "draw paint: it is cm.draw",
    "DrawOptions": "paint draw",
    "draw": "draw paint picture: it is cm.draw.paint(surface, thing), or cm.picture(thing)",
    "render": "paint draw picture",
    "save": "save: draw.picture(...).save(file) writes pictures; worlds and recordings are kept by pickle.dump",
    "play": "replay",
    "follow": "position",
    "pan": "position",
    "offset": "position vector translation",
    # Characters and levels
    "gravity": "gravity gravity_scale: a Character has none; add it to the translation of each move",
    "grounded": "on_floor",
    "is_grounded": "on_floor",
    "on_ground": "on_floor",
    "move_and_slide": "move",
    "move_and_collide": "move",
    "jump": ": give move a translation that goes up while on_floor is True",
    "push_force": "push",
    "max_step": "step_height",
    "slope_limit": "max_slope",
    "floor_max_angle": "max_slope",
    "dropthrough": "drop",
    "drop_through": "drop",
    "one_way": "one_way: a Level has one-way edges, and bodies of a World may be one-way",
    "objects": "triggers",
    "entities": "triggers",
    "tiles": "solids",
    "walls": "solids obstacles",
    "size": "size tile_size bounds: shapes have one, as in body.shape.size",
    "tilesize": "tile_size",
    "cell": "tile_size",
    "cell_size": "tile_size",
    "tile_size": "tile_size scale",
    "flip": "y_up",
    "flip_y": "y_up",
    "y_down": "y_up",
    "load_map": "read_map",
    "load_tmx": "read_map",
    "read_tiled": "read_map",
    "read_tmx": "read_map",
    "read_level": "read_map",
    "Map": "Level",
    "Tilemap": "Level",
    "player": "named: it is level.named('player')",
    "load_pygame": "read_map",
    "read_image": ": convert.from_pygame(mask) has the region of a picture's pixels",
    "from_image": ": convert.from_pygame(mask) has the region of a picture's pixels",
    "from_mask": ": it is convert.from_pygame(mask), of a pygame Mask",
    "contours": "outlines: convert.from_pygame(mask) has the region of a picture's pixels",
    "outlines": "outlines: convert.from_pygame(mask) has the region of a picture's pixels",
    "torque": "torque max_torque: set it on the Body that is returned",
    "force": "force max_force: set it on the Body that is returned",
    "group": "layer",
    "category": "layer",
    "categories": "layer",
    "filter": "mask",
    "exclude": "ignore",
    # Index
    "add": "add insert concatenate: copies get no bodies; add them to the world before World.copies",
    "add_many": "add_many insert",
    "append": "insert concatenate",
    "discs": "circles",
    "rectangles": "boxes",
    "from_list": ": it is Shapes(list of shapes)",
    "from_arrays": ": it is Shapes.boxes, Shapes.circles and so on, which take arrays",
    "rects": "boxes",
    "to_list": ": it is list(shapes)",
    "set": "update",
    "rebuild": ": an Index keeps itself up to date",
    "move": "move update move_to",
    "delete": "remove: it is World.remove(body)",
    # Keywords and fields
    "direction": "translation",
    "end": "end translation",
    "max_distance": "within translation",
    "motion": "translation motion",
    "tolerance": "within",
    "vertices": "vertices points outline",
    "points": "points vertices point position outline other",
    "translation": "translation vector",
    "start": "start origin",
    "file": "file path",
    "other": "other b",
    "body": "body shape",
    "center": "center position pivot",
    "centre": "center position",
    "pos": "position center at point other: a shape is made where it is to be; give it to the shape",
    "position": "position center point: a shape is made where it is to be; give it to the shape",
    "angle": "angle rotation: give it to the Box, or turn the shape with rotated(angle)",
    "about": "pivot",
    "point": "at point position shape",
    "layer": "layer mask roles",
    "layers": "layer mask roles",
    "n": "k",
    "r": "radius",
    "theta": "angle rotation",
    "rotation": "rotation angle",
    "origin": "origin pivot position",
    "shape": "shape row shapes a",
    "time": "time fraction dt: a world keeps no clock; add up the dt of steps",
    "steps": "step: call step once for each",
    "t": "fraction",
    "rows": "rows row indices",
    "remainder": "rest",
    "width": "size bounds",
    "height": "size bounds",
    "half_size": "half_extents size",
    "degrees": "angle rotation: angles are in radians",
    "obstacles": "obstacles: give obstacles to each move",
    # Names of many, of earlier versions
    "angles": "angle",
    "centers": "center",
    "ends": "end",
    "origins": "origin",
    "pivots": "pivot",
    "positions": "position",
    "radii": "radius",
    "rotations": "rotation",
    "sizes": "size",
    "starts": "start",
    "translations": "translation",
    "vectors": "vector",
}
TUPLE = dir(tuple)
MISSING: Any = inspect.Parameter.empty  # in place of an argument that a call lacks; signatures show no default
T = TypeVar("T")
F = TypeVar("F", bound=Any)


def near_name(name: str, known: Iterable[str]) -> str:
    """Return the end of a message: the known name that was most likely meant, or nothing."""
    names = list(known)
    words, _, remedy = MEANT.get(name, "").partition(":")
    for meant in words.split():
        for one in (meant, f"{meant}s"):
            if one in names and one != name:
                return f"; did you mean {one}?"
    if remedy:
        return f":{remedy}"
    from difflib import get_close_matches  # only for an error

    close = [one for one in names if one.lower() == name.lower()] or get_close_matches(name, names, 3)
    close = [one for one in close if _may_be_a_slip(name, one)]
    return f"; did you mean {close[0]}?" if close else ""


def _may_be_a_slip(name: str, one: str) -> bool:
    """Tell whether the beginnings of two names that look alike are, too; `size` is no slip for `inside`."""
    first, second = name[:2].lower(), one[:2].lower()
    return first[0] == second[0] or sorted(first) == sorted(second) or one[1:] == name or one in name


def no_attribute(owner: str, name: str, known: Iterable[str]) -> AttributeError:
    """Return the error of a name that an object does not have."""
    hint = "" if name.startswith("_") else near_name(name, (one for one in known if not one.startswith("_")))
    return AttributeError(f"{owner} has no attribute {name!r}{hint}")


def names_near(kind: type[T]) -> type[T]:
    """Make objects of a class answer a name that they do not have with the near one; a named tuple itself does, too.

    A type checker does not see the method, so it goes on reporting such names itself.
    """
    _answer_near(kind)
    if type(kind) is not type or not issubclass(kind, tuple):
        return kind
    return cast(type[T], NamesNear(kind.__name__, kind.__bases__, dict(vars(kind))))


def _answer_near(kind: type) -> None:
    own, late = getattr(kind, "_fields", ()), vars(kind).get("_filled_late", {})

    def absent(self: Any, name: str) -> Any:
        if name in late:  # a slot that is filled when it is first asked for
            return late[name](self, name)
        if isinstance(getattr(type(self), name, None), property):
            object.__getattribute__(self, name)  # it is there, and says itself what is wrong
        there = [] if name.startswith("_") else dir(self)  # libraries try many such names; dir itself asks for one
        raise no_attribute(type(self).__name__, name, (one for one in there if one in own or one not in TUPLE))

    kind.__getattr__ = absent  # type: ignore[attr-defined]


class NamesNear(type):
    """The type of classes whose own missing names, such as that of a maker, are answered with the near one, too."""

    def made(cls: type[T], *given: Any) -> T:
        """Return an object of a class that users make by another call; see `made_by`."""
        one = cls.__new__(cls)
        one._begin(*given)  # type: ignore[attr-defined]
        return one

    if not TYPE_CHECKING:

        def __getattr__(cls, name: str) -> NoReturn:
            raise no_attribute(cls.__name__, name, () if name.startswith("_") else dir(cls))


name_in_pickles(NamesNear)
name_tuples(Vec)


def names_fixed(kind: type[T]) -> type[T]:
    """Make objects of a class refuse a name that is set and that they do not have, too, in place of keeping it unused.

    Those of classes that users derive from it keep names of their own.
    """
    held = names_near(kind)

    def change(self: Any, name: str, value: Any) -> None:
        if type(self) is held and not name.startswith("_"):
            if not hasattr(held, name):
                raise no_attribute(held.__name__, name, dir(held))
            if isinstance(found := vars(held).get(name), property) and found.fset is None:
                raise AttributeError(f"{held.__name__}.{name} cannot be set")
        object.__setattr__(self, name, value)

    held.__setattr__ = change  # type: ignore[method-assign]
    return held


def told_by_name(function: F) -> F:
    """Answer a keyword that a function does not take with the near one, and name a required argument that is missing.

    Python itself names neither. A function that is called often catches such keywords itself, with ``**unknown`` and
    `refuse_keywords`: then a right call takes no longer. Signatures and types stay as they are written.
    """
    code, given = function.__code__, function.__defaults__ or ()
    first = 1 if code.co_varnames[:1] in (("self",), ("cls",)) else 0
    function.__defaults__ = (MISSING,) * (code.co_argcount - first - len(given)) + given
    by_keyword = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    function.__kwdefaults__ = dict.fromkeys(by_keyword, MISSING) | (function.__kwdefaults__ or {})
    if code.co_flags & inspect.CO_VARKEYWORDS:
        return function
    known = frozenset(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])

    @wraps(function)
    def told(*given: Any, **named: Any) -> Any:
        if named and not named.keys() <= known:
            where = _called(function.__name__, given[0] if first else None)
            refuse_keywords(where, function, {name: None for name in named if name not in known})
        return function(*given, **named)

    return cast(F, told)


def _called(name: str, owner: Any) -> str:
    """Return how a user calls a function, or, of an owner, a method or the class itself."""
    if owner is None:
        return name
    kind = owner if isinstance(owner, type) else type(owner)
    return kind.__name__ if name == "__init__" else f"{kind.__name__}.{name}"


def made_by(call: str) -> Callable[[type[T]], type[T]]:
    """Make a class refuse to be called, with the public call that makes its objects; `NamesNear.made` makes them."""

    def change(kind: type[T]) -> type[T]:
        def refuse(self: Any, *given: Any, **named: Any) -> NoReturn:
            raise TypeError(f"{kind.__name__}: it is made by {call}")

        kind._begin, kind.__init__ = kind.__init__, refuse  # type: ignore[attr-defined,method-assign]
        return kind

    return change


def taken(where: str, function: Callable[..., Any], options: Mapping[str, Any]) -> list[Any]:
    """Return the options of a function, in the order of its signature; those that are not given have their defaults."""
    known = [one for one in inspect.signature(function).parameters.values() if one.kind == one.KEYWORD_ONLY]
    if unknown := options.keys() - {one.name for one in known}:
        refuse_keywords(where, function, {name: None for name in options if name in unknown})
    return [options.get(one.name, one.default) for one in known]


def refuse_keywords(where: str, function: Callable[..., Any], unknown: Mapping[str, Any]) -> NoReturn:
    """Raise the TypeError of keywords that a function does not take."""
    name = next(iter(unknown))
    caught = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD
    parameters = inspect.signature(function).parameters.values()
    known = [one.name for one in parameters if one.kind not in caught and one.name not in ("self", "cls")]
    several = [f"*{one.name}" for one in parameters if one.kind == one.VAR_POSITIONAL]
    near = near_name(name, known) or f"; it takes {', '.join(known or several)}"
    raise TypeError(f"{where}: got an unexpected keyword argument {name!r}{near}")


# Here, since its own file is below this one and may not import it. The other methods would lose half of their speed.
_answer_near(Vec)
Vec.rotated = told_by_name(Vec.rotated)  # type: ignore[method-assign]
