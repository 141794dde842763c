"""Islands: bodies that contacts connect, each to be solved by itself.

In: the bodies that are to be solved, and contacts among them and with what cannot be moved. Out: bodies and contacts in
the order of islands, each island in the order of rows, so that the same world gives the same bits. An immovable
body connects nothing.
"""

from typing import Annotated, NamedTuple

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.world.joints.tables import Graph
from carom.world.step.declared import Length
from carom.world.step.notes import Notes
from carom.world.step.pairs.contacts import Contacts, moves
from carom.world.step.tables import Bodies


class Islands(NamedTuple):
    """Island s has the bodies members[starts[s]:starts[s + 1]] and the contacts order[begins[s]:begins[s + 1]]."""

    members: Annotated[Integers, Length("bodies", in_turn=True)]
    starts: Annotated[Integers, Length("bodies", more=2, in_turn=True)]
    order: Annotated[Integers, Length("contacts", in_turn=True)]
    begins: Annotated[Integers, Length("bodies", more=2, in_turn=True)]
    fresh: Annotated[Integers, Length("bodies", more=1, in_turn=True)]
    """1: the island has a contact that has not been solved yet."""
    kind: Annotated[Integers, Length("bodies", more=1, in_turn=True)]
    """How it is solved, of those that are fresh; see `island_kinds`."""
    missed: Annotated[Floats, Length("bodies", more=1, in_turn=True)]
    """How many times the tolerance the worst row of the island misses its speed by."""


@inner
def root_of(solving: Notes, number: int) -> int:
    """Return the body that stands for the island of a body; the way there is halved."""
    while solving[number].root != number:
        above = solving[solving[number].root].root
        solving[number].root = above
        number = above
    return number


@inner
def unite(solving: Notes, a: int, b: int) -> None:
    """Have two bodies be of one island; the one of the lower row stands for it."""
    first, second = root_of(solving, a), root_of(solving, b)
    solving[max(first, second)].root = min(first, second)


@kernel
def find_islands(
    bodies: Bodies,
    solving: Notes,
    solved: Integers,
    contacts: Contacts,
    count: int,
    seen: int,
    islands: Islands,
    graph: Graph,
) -> int:
    """Sort bodies and contacts by island; return how many there are.

    Contacts from `seen` on are new. An island without contacts is one, too.
    """
    members, starts, order = islands.members, islands.starts, islands.order
    begins, fresh = islands.begins, islands.fresh
    solved_count = solved.shape[0]
    for k in range(solved_count):
        noted = solving[solved[k]]
        noted.root, noted.island = solved[k], -1
    for c in range(count):
        contact = contacts[c]
        if moves(bodies[contact.a]) and moves(bodies[contact.b]):
            unite(solving, contact.a, contact.b)
    for k in range(solved_count):
        if bodies[solved[k]].node != 0:
            unite(solving, first_of(graph, bodies[solved[k]].node), solved[k])
    found = 0
    for k in range(solved_count):
        root = solving[root_of(solving, solved[k])]
        if root.island < 0:
            root.island = found
            starts[found], begins[found], fresh[found] = 0, 0, 0
            found += 1
        solving[solved[k]].island = root.island
        starts[root.island] += 1
        if seen == 0 and bodies[solved[k]].node != 0:
            fresh[root.island] = 1  # joints alone may be all that is to be solved
    for c in range(count):
        island = island_of(bodies, solving, contacts, c)
        begins[island] += 1
        if c >= seen:
            fresh[island] = 1
    # From counts to the end of each island; filling from the back leaves the starts.
    bodies_before, contacts_before = 0, 0
    for s in range(found):
        bodies_before += starts[s]
        contacts_before += begins[s]
        starts[s], begins[s] = bodies_before, contacts_before
    starts[found], begins[found] = bodies_before, contacts_before
    for k in range(solved_count - 1, -1, -1):
        island = solving[solved[k]].island
        starts[island] -= 1
        members[starts[island]] = solved[k]
    for c in range(count - 1, -1, -1):
        island = island_of(bodies, solving, contacts, c)
        begins[island] -= 1
        order[begins[island]] = c
    return found


@inner
def first_of(graph: Graph, node: int) -> int:
    """Return the body that is eliminated first of a mechanism: no joint goes before its bodies."""
    return int(graph.node[graph.starts[graph.mechanism[node - 1]]])


@inner
def island_of(bodies: Bodies, solving: Notes, contacts: Contacts, c: int) -> int:
    """Return the island of a contact, of which at least one body can be moved."""
    contact = contacts[c]
    number = contact.a if moves(bodies[contact.a]) else contact.b
    return int(solving[number].island)
