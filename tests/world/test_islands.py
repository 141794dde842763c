"""Islands are the components of the graph of contacts, in the order of rows."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from carom.world.joints.tables import Graph
from carom.world.step.declared import make, rows_of
from carom.world.step.notes import NOTE
from carom.world.step.pairs.contacts import CONTACT
from carom.world.step.solve.islands import Islands, find_islands
from carom.world.step.tables import BODY, DYNAMIC, STATIC

NO_JOINTS = make(Graph, nodes=0, blocks=0, changes=0)


def components(movable: list[int], edges: list[tuple[int, int]]) -> list[set[int]]:
    groups = [{k} for k in movable]
    for a, b in edges:
        if a in movable and b in movable:
            joined = [group for group in groups if a in group or b in group]
            groups = [group for group in groups if group not in joined] + [set().union(*joined)]
    return sorted(groups, key=min)


@pytest.mark.parametrize("seed", range(60))
def test_islands_are_the_components(seed: int) -> None:
    rng = Random(seed)
    count = rng.randint(1, 20)
    bodies, solving = rows_of(BODY, count), rows_of(NOTE, count)
    bodies["kind"] = [DYNAMIC if k == 0 or rng.random() < 0.8 else STATIC for k in range(count)]
    movable = [k for k in range(count) if bodies["kind"][k] == DYNAMIC]
    edges = []
    for _ in range(rng.randint(0, 25)):
        a, b = rng.choice(movable), rng.randrange(count)
        if a != b:
            edges.append((min(a, b), max(a, b)))
    contacts = rows_of(CONTACT, len(edges) + 1)
    for k, (a, b) in enumerate(edges):
        contacts["a"][k], contacts["b"][k] = a, b
    seen = rng.randint(0, len(edges))
    islands = make(Islands, bodies=count, contacts=len(edges) + 1)
    found = find_islands(bodies, solving, np.array(movable), contacts, len(edges), seen, islands, NO_JOINTS)
    expected = components(movable, edges)
    assert found == len(expected)
    groups = [islands.members[islands.starts[s] : islands.starts[s + 1]].tolist() for s in range(found)]
    assert groups == [sorted(group) for group in expected]
    for s, group in enumerate(groups):
        own = islands.order[islands.begins[s] : islands.begins[s + 1]].tolist()
        assert own == [k for k, (a, b) in enumerate(edges) if a in group or b in group]
        assert islands.fresh[s] == any(k >= seen for k in own)
