"""Joints as users hold them: what each kind is made of, what is refused, and how they come, change and go.

All but the motion. The numbers are held against closed forms: places of anchors by hand, springs by k = m w^2.
"""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import carom as cm
from tests.support.joined import KINDS, joined, two_boxes

# The kinds.


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_joint_gapes_nowhere_and_has_done_nothing(kind: str) -> None:
    world, joint = joined(kind)
    assert joint.kind == kind and joint.row == 0 and not joint.removed
    assert joint.a is world.body(0) and joint.b is (None if kind == "drag" else world.body(1))
    assert joint.error == pytest.approx(0.0, abs=1e-15)
    assert joint.force == (0.0, 0.0) and joint.torque == 0.0
    assert world.joints == [joint] and world.joint(0) is joint and joint in world


def test_anchors_go_with_their_bodies() -> None:
    world, a, b = two_boxes()
    pin = world.pin(a, b, (1.5, 0.5))
    a.position, a.angle = (10, 20), math.pi / 2
    assert pin.anchor_a == pytest.approx((9.5, 21.5))
    assert pin.anchor_b == (1.5, 0.5)
    assert pin.angle == pytest.approx(math.pi / 2) and pin.error == pytest.approx(math.hypot(8.0, 21.0))


@given(
    st.tuples(*[st.floats(-50, 50)] * 4), st.tuples(*[st.floats(-3, 3)] * 2), st.sampled_from(["pin", "slide", "wheel"])
)
@settings(deadline=None, max_examples=30)
def test_measures_are_those_of_the_bodies_wherever_they_are(
    place: tuple[float, ...], angles: tuple[float, ...], kind: str
) -> None:
    _, joint = joined(kind)
    a, b = joint.a, joint.b
    assert b is not None
    first, second = (complex(*joint.anchor_a) - complex(*a.position), complex(*joint.anchor_b) - complex(*b.position))
    a.position, b.position = place[:2], place[2:]
    a.angle, b.angle = angles
    ends = [
        complex(*place[2 * k : 2 * k + 2]) + lever * np.exp(1j * angles[k]) for k, lever in enumerate((first, second))
    ]
    assert complex(*joint.anchor_a) == pytest.approx(ends[0]) and complex(*joint.anchor_b) == pytest.approx(ends[1])
    way = (ends[0] - ends[1]) * np.exp(-1j * angles[1])
    if kind != "slide":
        assert joint.angle == pytest.approx(angles[0] - angles[1])
    if kind != "pin":
        assert joint.offset == pytest.approx(way.imag, abs=1e-9)
        assert joint.axis == pytest.approx((-math.sin(angles[1]), math.cos(angles[1])))


def test_a_gear_of_two_turns_twice_as_far_the_other_way() -> None:
    _, joint = joined("gear")
    assert joint.b is not None
    joint.a.angle, joint.b.angle = -2.0, 1.0
    assert joint.error == pytest.approx(0.0, abs=1e-15)
    joint.b.angle = 1.5
    assert joint.error == pytest.approx(1.0)
    joint.ratio = -1
    assert joint.error == pytest.approx(0.0, abs=1e-15) and joint.ratio == -1


def test_limits_count_as_errors_where_they_are_passed() -> None:
    _, rope = joined("rope")
    rope.a.position = (-2.0, 0.0)
    assert (rope.distance, rope.length) == (5.0, 4.0) and rope.error == pytest.approx(1.0)
    _, pin = joined("pin")
    pin.limits = (1.0, 2.0)
    assert pin.error == 1.0
    pin.limits = None
    assert pin.error == 0.0 and pin.limits is None


def test_springs_have_the_frequency_of_the_two_bodies_alone() -> None:
    world, a, b = two_boxes()
    spring = world.spring(a, b, (0, 0), (3, 0), hertz=2, damping=0.25)
    mass, w = 1 / (1 / 2 + 1 / 3), 2 * math.pi * 2
    assert spring.stiffness == pytest.approx(mass * w * w) and spring.resistance == pytest.approx(2 * mass * 0.25 * w)
    # Off the centre the body turns, too: 1 / m + r^2 / I.
    off = world.spring(a, None, (1, 0), (1, 5), hertz=1)
    assert off.stiffness == pytest.approx((2 * math.pi) ** 2 / (1 / 2 + 1 / a.inertia))
    pin = world.pin(a, b, (1.5, 0), hertz=3)
    assert pin.stiffness == pytest.approx((6 * math.pi) ** 2 / (1 / a.inertia + 1 / b.inertia))
    slide = world.slide(a, None, (0, 0), (1, 0), stiffness=8)
    assert slide.hertz == pytest.approx(2 / (2 * math.pi)) and slide.damping == 0.0
    assert world.drag(b, (4, 0.5)).hertz == pytest.approx(5) and world.drag(b, (3, 0), stiffness=27).hertz is not None
    damper = world.spring(a, b, (0, 0), (3, 0), resistance=2)
    assert (damper.stiffness, damper.hertz, damper.damping) == (0.0, None, None)


@pytest.mark.parametrize("kind", ["pin", "spring", "weld", "slide", "wheel", "drag"])
def test_both_forms_of_a_spring_are_one(kind: str) -> None:
    _, joint = joined(kind)
    joint.hertz, joint.damping = 3.0, 0.4
    assert joint.hertz == pytest.approx(3.0) and joint.damping == pytest.approx(0.4)
    joint.hertz = 6.0
    assert joint.damping == pytest.approx(0.4)
    joint.stiffness = joint.stiffness
    joint.resistance = joint.resistance
    assert joint.hertz == pytest.approx(6.0) and joint.damping == pytest.approx(0.4)
    if kind in ("spring", "drag"):
        with pytest.raises(TypeError, match="hertz"):
            joint.hertz = None
    else:
        joint.hertz = None
        assert joint.stiffness is None and joint.resistance is None


SETTABLE: dict[str, dict[str, Any]] = {
    "pin": {"limits": (-2.0, 3.0), "speed": -1.0, "max_torque": 7.0, "rest": 0.5},
    "rod": {"length": 2.5},
    "rope": {"length": 7.0},
    "spring": {"length": 2.5, "limits": (0.0, 9.0)},
    "slide": {"limits": (-2.0, 3.0), "speed": -1.0, "max_force": 7.0, "rest": 0.5},
    "wheel": {"limits": (-2.0, 3.0), "speed": -1.0, "max_torque": 7.0, "rest": 0.5},
    "weld": {},
    "gear": {"ratio": -3.0},
    "drag": {"target": cm.Vec(7.0, 8.0), "max_force": 5.0},
    "motor": {"velocity": cm.Vec(3.0, -1.0), "speed": -1.0, "max_force": 7.0, "max_torque": 5.0},
    "pulley": {"length": 9.0, "ratio": 3.0, "over": (cm.Vec(0.0, 5.0), cm.Vec(3.0, 6.0))},
}
SHARED = {"breaks_at": (5.0, None), "collide": True, "data": "hinge", "enabled": False}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_set_is_read_back_and_the_rest_is_left_to_other_kinds(kind: str) -> None:
    world, joint = joined(kind)
    for name, value in (SETTABLE[kind] | SHARED).items():
        digest = world.digest()
        unlike = getattr(joint, name) != value
        setattr(joint, name, value)
        assert getattr(joint, name) == value
        assert name == "data" or (world.digest() != digest) == unlike
    joint.breaks_at = None
    assert joint.breaks_at is None
    sprung = (
        set() if kind in ("rod", "rope", "gear", "motor", "pulley") else {"hertz", "damping", "stiffness", "resistance"}
    )
    for name in {one for each in SETTABLE.values() for one in each} | {"hertz"}:
        if name not in SETTABLE[kind].keys() | sprung:
            assert not hasattr(joint, name)
            with pytest.raises(AttributeError, match=rf"Joint\.{name}: a {kind} has none"):
                setattr(joint, name, 1.0)


# Refusals.


def worlds_with_joints() -> tuple[cm.World, dict[str, Any]]:
    world, a, b = two_boxes()
    other = cm.World()
    gone = world.add(cm.Circle((9, 9), 1), kind="dynamic")
    world.remove(gone)
    return world, {
        "a": a,
        "b": b,
        "gone": gone,
        "wall": world.add(cm.Box((9, 0), (1, 1))),
        "lift": world.add(cm.Box((12, 0), (1, 1)), kind="kinematic"),
        "stranger": other.add(cm.Circle((0, 0), 1), kind="dynamic"),
        "over": world.add(cm.Box((0.5, 0), (2, 1)), kind="dynamic"),
        "dot": world.add(cm.Point((0, 5)), kind="dynamic"),
        "dash": world.add(cm.Point((1, 5)), kind="dynamic"),
    }


REFUSED = [
    ("pin", "a a (0, 0)", {}, "b = .* is the same body"),
    ("pin", "wall None (0, 0)", {}, "a = .* cannot be moved by a joint: it is not dynamic"),
    ("weld", "wall lift (0, 0)", {}, "neither it nor b is dynamic"),
    ("drag", "lift (0, 0)", {}, "body = .* cannot be moved"),
    ("pin", "stranger None (0, 0)", {}, "a = .* is of another world"),
    ("rod", "a stranger (0, 0) (1, 1)", {}, "b = .* is of another world"),
    ("pin", "gone None (0, 0)", {}, "a = .* is no longer in its world"),
    ("pin", "a 1 (0, 0)", {}, "b = 1 must be a Body"),
    ("pin", "a b (0,)", {}, "point"),
    ("pin", "a b (0, math.nan)", {}, "point.1. = nan must be finite"),
    ("pin", "a b (0, 0)", {"limits": (2, 1)}, r"limits = \(2, 1\) must be \(low, high\)"),
    ("pin", "a b (0, 0)", {"limits": 3}, "limits = 3 must be a pair"),
    ("pin", "a b (0, 0)", {"limits": (0, math.inf)}, "limits.1. = inf must be finite"),
    ("pin", "a b (0, 0)", {"speed": 2}, "speed = 2 is of a motor; give max_torque"),
    ("pin", "a b (0, 0)", {"speed": math.inf, "max_torque": 1}, "speed = inf must be finite"),
    ("pin", "a b (0, 0)", {"max_torque": -1}, "max_torque = -1 must not be negative"),
    ("pin", "a b (0, 0)", {"hertz": 4, "stiffness": 5}, "stiffness = 5 and hertz = 4 say the same"),
    ("pin", "a b (0, 0)", {"damping": 0.5}, "damping = 0.5 is of a spring with a frequency"),
    ("pin", "a b (0, 0)", {"hertz": 0}, "hertz = 0 must be positive"),
    ("pin", "a b (0, 0)", {"hertz": 1e100}, "hertz = 1e.100 gives a spring of"),
    ("pin", "a b (0, 0)", {"hertz": 1, "damping": -1}, "damping = -1 must not be negative"),
    ("weld", "a b (0, 0)", {"stiffness": 0}, "stiffness = 0 makes no spring"),
    ("weld", "a b (0, 0)", {"stiffness": -1}, "stiffness = -1 must not be negative"),
    ("pin", "a b (0, 0)", {"breaks_at": 5}, "breaks_at = 5 must be a pair"),
    ("pin", "a b (0, 0)", {"breaks_at": (0, 1)}, "breaks_at.0. = 0 must be positive"),
    ("pin", "a over (0, 0)", {"collide": True}, "collide = True is for bodies that do not overlap; they overlap by"),
    ("pin", "a b (0, 0)", {"collide": 1}, "collide = 1 must be True or False"),
    ("pin", "dot dash (0, 5)", {"limits": (-1, 1)}, "limits = .* is for bodies that turn; neither does"),
    ("pin", "dot dash (0, 5)", {"hertz": 1}, "hertz = 1 is for bodies that turn; neither does"),
    ("gear", "dot dash", {}, "ratio = .* is for bodies that turn; neither does"),
    ("rod", "a b (0, 0) (0, 0)", {}, r"to = \(0, 0\) is where from_ is: a rod has a direction"),
    ("rod", "a b (0, 0) (3, 0)", {"length": 0}, "length = 0 must be positive"),
    ("rope", "a b (0, 0) (0, 0)", {}, "is where from_ is: give length"),
    ("rope", "a b (0, 0) (3, 0)", {"length": -1}, "length = -1 must be positive"),
    ("spring", "a b (0, 0) (3, 0)", {}, "hertz is missing, or stiffness"),
    ("spring", "a b (0, 0) (3, 0)", {"hertz": 1, "limits": (-1, 1)}, "limits = .* are lengths"),
    ("slide", "a b (0, 0) (0, 0)", {}, r"axis = \(0, 0\) must be a direction"),
    ("slide", "a b (0, 0) None", {}, "axis = None must be a direction"),
    (
        "slide",
        "a b (0, 0) (1, 0)",
        {"max_torque": 1},
        "max_torque = 1 is not for this motor, which pushes; give max_force",
    ),
    ("slide", "a b (0, 0) (1, 0)", {"max_force": 1, "turns": True}, "max_force = 1 is not for this motor, which turns"),
    ("gear", "a None", {}, "b = None must be a Body: a gear is between two bodies"),
    ("gear", "a b", {"ratio": 0}, "ratio = 0 must not be 0"),
    ("drag", "a (0, 0)", {"max_force": 0}, "max_force = 0 must be positive"),
    ("drag", "a (0, 0) (math.inf, 0)", {}, "target.0. = inf must be finite"),
]


@pytest.mark.parametrize(("name", "places", "settings", "match"), REFUSED)
def test_faults_are_named_and_change_nothing(name: str, places: str, settings: dict[str, Any], match: str) -> None:
    world, bodies = worlds_with_joints()
    before = pickle.dumps(world)
    taken = eval(f"[{places.replace(' ', ',').replace(',,', ',')}]", {"math": math, **bodies})
    with pytest.raises((TypeError, ValueError), match=f"^World.{name}: .*{match}"):
        getattr(world, name)(*taken, **settings)
    assert pickle.dumps(world) == before and world.joints == []


def test_a_point_may_hang_on_what_turns() -> None:
    world, a, _ = two_boxes()
    dot = world.add(cm.Point((1, 0)), kind="dynamic")
    assert world.pin(dot, a, (1, 0), limits=(-1, 1), hertz=2).hertz == pytest.approx(2)


def test_bodies_that_overlap_may_not_collide_later_either() -> None:
    world, bodies = worlds_with_joints()
    pin = world.pin(bodies["a"], bodies["over"], (0, 0))
    with pytest.raises(ValueError, match=r"Joint \(pin, row 0\): collide = True is for bodies that do not overlap"):
        pin.collide = True
    assert not pin.collide and len(world.overlaps().depth) == 0
    pin.remove()
    assert len(world.overlaps().depth) == 1


# How they come, change and go.


def test_a_removed_joint_says_so_and_its_row_is_given_to_another() -> None:
    world, a, b = two_boxes()
    first, second = world.pin(a, b, (1, 0), data="first"), world.rod(a, None, (0, 0), (0, 3))
    first.remove()
    assert first.removed and first not in world and world.joints == [second]
    assert repr(first) == "<Joint 0: removed>" and (first.kind, first.data) == ("pin", "first")
    for name in ("angle", "force", "a", "limits", "row"):
        with pytest.raises(ValueError, match=rf"Joint\.{name}: <Joint 0: removed> is no longer in its world"):
            getattr(first, name)
    with pytest.raises(ValueError, match=r"Joint\.remove"):
        first.remove()
    third = world.weld(a, b, (1, 0))
    assert third.row == 0 and third.data is None and first.removed and first != third
    world.remove(second, third)
    assert world.joints == [] and np.isnan(world.joint_forces).all()


def test_a_body_takes_its_joints_with_it() -> None:
    world, a, b = two_boxes()
    c = world.add(cm.Circle((9, 0), 1), kind="dynamic")
    joints = [
        world.pin(a, b, (1, 0)),
        world.rod(b, c, (3, 0), (9, 0)),
        world.drag(c, (9, 0)),
        world.pin(a, None, (0, 0)),
    ]
    world.remove(b)
    assert [joint.removed for joint in joints] == [True, True, False, False]
    assert repr(world) == "<World: 0 static, 0 kinematic, 2 dynamic, 2 joints>"
    world.remove(c, joints[3])
    assert world.joints == []


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(-1, 5)), max_size=30), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=25)
def test_the_lists_of_bodies_name_their_joints_whatever_goes(pairs: list[tuple[int, int]], random: Any) -> None:
    world = cm.World()
    bodies = [world.add(cm.Circle((3 * k, 0), 1), kind="dynamic") for k in range(6)]
    joints = []
    for first, second in pairs:
        if first != second:
            joints.append(world.pin(bodies[first], None if second < 0 else bodies[second], (first, second)))
        if joints and random.random() < 0.4:
            joints.pop(random.randrange(len(joints))).remove()
    tables = world._store.tables
    for number, body in enumerate(bodies):
        found, k = [], int(tables.bodies["joint"][number])
        while k:
            joint = tables.joints.table[k - 1]
            found.append(k - 1)
            k = int(joint["next_a"] if joint["a"] == number else joint["next_b"])
        assert sorted(found) == sorted(joint.row for joint in joints if body in (joint.a, joint.b))
    assert tables.state["linked"][0] == 0
    copied = pickle.loads(pickle.dumps(world))
    assert copied.digest() == world.digest()


def test_joints_and_their_changes_wake_what_they_hold() -> None:
    world, a, b = two_boxes()
    pin, weld, drag = world.pin(a, b, (1.5, 0)), world.weld(a, b, (1.5, 0)), world.drag(a, (0, 0))
    changes: list[Callable[[], Any]] = [
        lambda: setattr(pin, "limits", (-1, 1)),
        lambda: setattr(drag, "target", (1, 1)),
        lambda: world.rod(a, None, (0, 0), (0, 9)),
        lambda: weld.remove(),
        lambda: world.remove(b),
    ]
    for change in changes:
        for body in world:
            body.sleep()
        assert world.asleep[a.row]
        change()
        assert not a.asleep


def test_a_kinematic_body_that_is_told_where_to_go_wakes_what_hangs_on_it() -> None:
    world, a, _ = two_boxes()
    hook = world.add(cm.Circle((0, 20), 0.1), kind="kinematic")
    world.rope(a, hook, (0, 0), (0, 20))
    a.sleep()
    hook.move_to((1, 20))
    assert not a.asleep
    worlds = world.copies(2)
    velocities = worlds.velocities.copy()
    velocities[0, hook.row] = 1, 0
    worlds.velocities = velocities
    assert not worlds.asleep[:, a.row].any()


def test_an_anchor_stays_where_it_is_when_its_body_turns_about_another_point() -> None:
    world, a, _ = two_boxes()
    lift = world.add(cm.Box((9, 0), (2, 2), angle=0.3), kind="kinematic", pivot=(8, 1))
    rope = world.rope(a, lift, (0, 0), (9, 1))
    for change in (
        lambda: setattr(lift, "pivot", (3, 3)),
        lambda: setattr(lift, "kind", "dynamic"),
        lambda: setattr(lift, "kind", "static"),
    ):
        change()
        assert rope.anchor_b == pytest.approx((9, 1))


@pytest.mark.parametrize("kind", KINDS)
def test_pickles_copies_and_snapshots_keep_joints(kind: str) -> None:
    world, joint = joined(kind)
    joint.data = {"name": "hinge"}
    kept, snapshot, digest = pickle.loads(pickle.dumps((world, joint))), world.snapshot(), world.digest()
    assert kept[0].digest() == digest == world.copy().digest() == copy.deepcopy(world).digest()
    assert kept[0].joints[0] is kept[1] and kept[1].kind == kind and kept[1].data == {"name": "hinge"}
    assert world.copies(2).world(1).digest() == digest and copy.copy(joint) is joint
    joint.remove()
    assert world.digest() != digest
    later = world.pin(world.body(0), None, (0, 0))
    world.restore(snapshot)
    assert world.digest() == digest and not joint.removed and later.removed
    assert world.pin(world.body(0), None, (0, 0))._serial > later._serial


def test_a_world_without_joints_has_the_digest_that_it_had() -> None:
    world, a, b = two_boxes()
    before = world.digest()
    world.pin(a, b, (1.5, 0)).remove()
    assert world.digest() == before


def test_recordings_play_joints_again() -> None:
    world, a, b = two_boxes()
    with cm.Recording(world) as tape:
        pin = world.pin(a, b, (1.5, 0), hertz=3, data="hinge")
        drag = world.drag(a, (0, 0), data="mouse")
        drag.target, drag.data, pin.limits = (2, 2), "hand", (-1, 1)
        pin.remove()
        world.weld(a, b, (1.5, 0))
        world.remove(drag)
    played = pickle.loads(pickle.dumps(tape)).replay()
    assert played.diverged is None and played.world.digest() == world.digest()
    assert [joint.kind for joint in played.world.joints] == ["weld"]


@pytest.mark.parametrize(
    "call",
    [
        ("_put_joint", {"kind": 1, "a": 0, "b": 7}, None),
        ("_put_joint", {"kind": 1, "a": 0, "b": 1, "next_a": 9}, None),
        ("_put_joint", {"kind": 1, "a": 0, "b": 1, "ax": math.nan}, None),
        ("_change_joint", 3, {"low": 0.0}),
        ("_remove_joints", [0]),
        ("_set_joint_data", 1, None),
    ],
)
def test_damaged_recordings_are_refused(call: tuple[Any, ...]) -> None:
    world, _, _ = two_boxes()
    tape = cm.Recording(world)
    tape._calls.append(call)
    with pytest.raises(ValueError, match="the recording is damaged"):
        tape.replay()


@pytest.mark.parametrize(
    ("column", "value"),
    [
        *(("kind", 12), ("kind", -1), ("a", 2), ("a", -1), ("b", -2), ("b", 0), ("sprung", 2), ("serial", -1)),
        *(("ax", math.nan), ("rest", math.inf), ("stiffness", -1.0), ("low", math.nan), ("pull", math.nan)),
        *(("low", 2.0), ("serial", 9)),
    ],
)
def test_damaged_pickles_are_refused(column: str, value: float) -> None:
    world, _ = joined("pin")
    world._store.tables.joints.table[column][0] = value
    with pytest.raises(ValueError, match="World: the pickle is damaged"):
        pickle.loads(pickle.dumps(world))


def test_lists_of_joints_in_a_damaged_pickle_are_made_anew() -> None:
    world, _ = joined("pin")
    tables = world._store.tables
    tables.joints.table["next_a"], tables.bodies["joint"] = 1, 99
    back = pickle.loads(pickle.dumps(world))
    back.remove(back.body(0))
    assert back.joints == []


def test_a_joint_that_has_broken_is_gone_after_the_step() -> None:
    world, joint = joined("weld")
    world._store.tables.joints.table["broken"][0] = 1  # as a step notes it
    assert joint.removed and world.joints == [] and np.isnan(world.joint_forces).all()
    with pytest.raises(ValueError, match="is no longer in its world"):
        _ = joint.force


def test_handles_are_compared_with_handles() -> None:
    world, joint = joined("pin")
    assert joint == world.joints[0] and hash(joint) == hash(world.joints[0]) and joint != world.body(0)
    with pytest.raises(TypeError, match="compare rows"):
        _ = joint == 0
    with pytest.raises(TypeError, match=r"Joint: it is made by World\.pin, rod"):
        cm.Joint()
    with pytest.raises(AttributeError, match="did you mean limits"):
        _ = joint.limit
