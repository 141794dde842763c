"""Guesses in the words of other libraries: each is answered by what to write instead, or by why there is nothing."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

import carom as cm
from carom._core.names import words

GUESSES = [
    # words that led astray
    ("w.add(cm.Circle((9, 5), 1), kind='dynamic', rotation=1)", "give the angle to the shape"),
    ("h.bodies", "hits.body and hits.other"),
    ("j.bodies", "joint.a and joint.b"),
    ("s.bodies", r"World.inside\(sensor\)"),
    ("w.show()", r"cm.picture\(world\)"),
    ("cm.draw.paint(surface, w, scale=2)", "zoom of cm.draw.Camera"),
    ("cm.picture(w, size=(300, 200))", "figure"),
    ("cm.SpringJoint", "World.spring"),
    ("tape.steps", r"tape.frames\(\)"),
    ("cm.Plane", "endless"),
    ("cm.HalfPlane", "endless"),
    ("b.detach", r"joint.remove\(\)"),
    ("w.seed", "no chance"),
    ("w.mouse_joint", "World.drag"),
    ("w.add_joint", "World.pin, weld, rod"),
    ("w.wheel", "turns=True"),
    ("many.aabbs", r"cm.bounds\(shapes\)"),
    ("trigger.position", "trigger.shape.position"),
    # words that led nowhere
    ("w.add_static(cm.Box((0, 0), (1, 1)))", r"World.add\(shape\)"),
    ("w.add(cm.Circle((9, 5), 1), kind='dynamic', collides_with='pig')", "did you mean mask"),
    ("w.add(cm.Circle((9, 5), 1), kind='dynamic', health=3)", "data="),
    ("w.spring(b, f, k=10)", "did you mean stiffness"),
    ("w.revolute_joint(b, f, (0, 0))", "World.pin"),
    ("cm.HingeJoint2D", "World.pin"),
    ("cm.Rigidbody2D", "World.add"),
    ("j.release()", r"joint.remove\(\)"),
    ("w.on_hit", "World.events"),
    ("w.collisions", "World.step returns the hits"),
    ("w[1]", r"World.body\(row\)"),
    ("b.angle_degrees", "math.degrees"),
    ("b.momentum", "body.mass"),
    ("b.collide_with(c)", "cm.intersects"),
    ("b.is_touching(c)", "cm.intersects"),
    ("w.plot()", r"cm.picture\(world\)"),
    ("w.render()", "cm.draw.paint"),
    ("w.picture()", r"cm.picture\(world\)"),
    ("h.sort", "in the order of time"),
    ("h.of(bird)", "of_kind"),
    ("w.contacts(b)", "takes no arguments by place"),
    ("w.hits", "World.step returns them"),
    ("w.add(cm.Chain([(0, 0), (1, 1), (2, 0)]))", "Shapes.polyline"),
    ("w.add(cm.EdgeChain([(0, 0), (1, 1), (2, 0)]))", "Shapes.polyline"),
    ("cm.Compound([cm.Circle((30, 5), 1), cm.Circle((31, 5), 1)])", "Compound.from_parts"),
    ("w.slide(c, b, (3, 0.5), (0, 1), turns=True, suspension=4)", "hertz="),
    ("w.joint(c, b)", "takes row by place, and was given 2"),
    ("j.reaction_force", "did you mean force"),
    ("j.disable()", "joint.enabled = False"),
    ("w.at((0, 0.5))", "World.contains"),
    ("cm.animate(w)", "cm.draw.film"),
    ("cm.show(w)", "cm.picture"),
    ("cm.draw.show(w)", "cm.picture"),
    ("cm.draw.run(w)", "cm.draw.frames"),
    ("w.raycast((0, 5), (0, -10)).hit", "not None"),
    ("w.raycast((0, 5), to=(0, -5))", "to - origin"),
    ("w.line_of_sight((0, 5), (0, -10))", "World.raycast"),
    ("w.visible((0, 5), (0, -10))", "World.raycast"),
    ("w.overlap((0, 0), 3)", "World.query"),
    ("w.sensors", "body.sensor"),
    ("w.add(many)", "World.add_many"),
    ("w.add([b.shape, c.shape])", "World.add_many"),
    ("w.add(cm.read_grid('#'))", r"level.add_to\(world\)"),
    ("w.add(cm.Character(cm.Circle((0, 0), 1), up=(0, 1)))", r"hero.move\(translation, world\)"),
    ("w.add(b)", "add its shape"),
    ("h['enter']", "of_kind"),
    ("w.to_json()", r"World.save\(path\)"),
    ("b.bodies", "World.bodies"),
    ("w.detach(j)", r"World.remove\(joint\)"),
    ("b.sensor_contacts", "World.inside"),
    ("b.inside", "World.inside"),
    ("b.visitors", "World.inside"),
    ("b.overlapping", "World.query"),
    ("w.distance(b, c)", r"cm.distance\(a, b\)"),
    ("b.contains((0, 0.5))", r"cm.contains\(body, point\)"),
    ("b.shape.contains((0, 0.5))", "cm.contains"),
    ("cm.Vec(1, 0).from_angle", "rotated"),
    ("cm.Vec(1, 0).clamped(2)", r"min\(1"),
    ("w.add(cm.Box((0, 30), (1, 1)), mass=3)", "kind='dynamic'"),
    ("w.step(1 / 60, substeps=10)", "needs no smaller ones"),
    ("b.move_to((1, 1))", "Body.position"),
    ("c.move_to((1, 1), duration=2)", "next step"),
    ("b.look_at((3, 3))", "math.atan2"),
    ("b.forward", "rotated"),
    ("b.transform", "rotated"),
    ("cm.Box.from_rect(0, 0, 3, 4)", "positional arguments"),
    ("cm.Polygon([(0, 0), (1, 0), (1, 1), (0.5, 0.2), (0, 1)])", "decompose"),
    ("cm.Polygon.regular((0, 0), 5, 1)", "math.pi"),
    ("cm.Arc", "Shapes.polyline"),
    ("cm.Circle((0, 0), d=2)", "give the radius"),
    ("cm.Circle((0, 0), 1).radius = 3", "make a new one"),
    ("cm.gjk", "cm.distance"),
    ("cm.point_in_polygon", "contains"),
    ("h.where('enter')", "of_kind"),
    ("h.enters", "of_kind"),
    ("cm.World.from_level(cm.read_grid('#'))", "level"),
    ("cm.draw.paint(surface, w, y_up=False)", "cm.draw.Camera"),
    ("cm.picture(w).to_numpy()", "surfarray"),
    ("cm.Shapes.circles([0, 1], [0, 1], [1, 1])", "positional arguments"),
    ("cm.Shapes.from_frame(1)", "columns do"),
    ("cm.Shapes.from_pandas(1)", "columns do"),
]


@pytest.fixture
def there() -> dict[str, Any]:
    import pygame

    world = cm.World(gravity=(0, -10))
    floor = world.add(cm.Box((0, -1), (20, 1)))
    ball = world.add(cm.Circle((0, 3), 0.5), kind="dynamic")
    crate = world.add(cm.Box((3, 3), (1, 1)), kind="dynamic")
    sensor = world.add(cm.Box((0, 3), (4, 4)), sensor=True)
    joint = world.rod(ball, crate, (0, 3), (3, 3))
    return {
        "cm": cm, "np": np, "math": math, "w": world, "f": floor, "b": ball, "c": crate, "s": sensor, "j": joint,
        "h": world.step(0.01), "bird": ball, "surface": pygame.Surface((9, 9)), "tape": cm.Recording(world),
        "trigger": cm.read_grid("#P-").triggers[0], "many": cm.Shapes.circles([(0, 0)], 1),
    }  # fmt: skip


@pytest.mark.parametrize(("guess", "answer"), GUESSES, ids=[one[0] for one in GUESSES])
def test_a_guess_is_answered_by_what_to_write(guess: str, answer: str, there: dict[str, Any]) -> None:
    with pytest.raises((AttributeError, TypeError, ValueError), match=answer):
        exec(guess, there)


def test_what_an_answer_names_is_there(there: dict[str, Any]) -> None:
    """Each `cm.name`, `World.name`, `body.name` and so on in the table of words is a name that there is."""
    owners = {
        "cm": cm, "cm.draw": cm.draw, "World": cm.World, "world": cm.World, "body": there["b"], "joint": there["j"],
        "Body": there["b"], "hits": there["h"], "tape": there["tape"], "Shapes": cm.Shapes, "Compound": cm.Compound,
        "vector": cm.Vec, "shapes": there["many"], "level": cm.read_grid("#"),
    }  # fmt: skip
    lost = [
        (word, name)
        for table in words().values()
        for word, said in table.items()
        for name in re.findall(r"\b[a-zA-Z]+(?:[.][a-z_]+)+", said)
        if (owner := owners.get(name.rpartition(".")[0])) is not None and not hasattr(owner, name.rpartition(".")[2])
    ]
    assert not lost
