"""The order in which mechanisms are eliminated, found anew whenever joints or their bodies change.

In: the joints of a world, and which of its bodies can be moved. Out: the graph of `tables`. Bodies that joints connect
are one mechanism; what cannot be moved connects nothing. Within a mechanism the node of the least degree goes first,
and a joint only after both its bodies, or after one that hung on this joint alone: so every pivot is definite, also
where joints make loops, and a tree has no fill (D. Baraff, "Linear-time dynamics using Lagrange multipliers", 1996).
"""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np

from carom.world.joints.kinds import REMOVED
from carom.world.joints.tables import WORLD
from carom.world.step.declared import longer
from carom.world.step.piles import Piles
from carom.world.step.tables import DYNAMIC, Tables


class Links:
    """The joints of a world as a graph of nodes: bodies that can be moved by their rows, joints as -2 - their row."""

    def __init__(self, w: Tables) -> None:
        self.table: Any = w.joints.table[: int(w.state["joints"][0])]
        self.near: dict[int, set[int]] = {}
        self.ends: dict[int, list[int]] = {}
        moving = w.bodies["kind"] == DYNAMIC
        for k in np.flatnonzero((self.table["kind"] != REMOVED) & (self.table["off"] == 0)).tolist():
            ends = [int(self.table["a"][k]), int(self.table["b"][k])]
            self.ends[-2 - k] = ends
            own = {end for end in ends if end >= 0 and moving[end]}
            self.near[-2 - k] = own
            for end in own:
                self.near.setdefault(end, set()).add(-2 - k)

    def mechanisms(self) -> list[list[int]]:
        """Return the nodes of each mechanism, in the order of the first row of its joints."""
        found, seen = [], set()
        for joint in sorted(self.ends, reverse=True):
            if joint in seen or not self.near[joint]:
                continue
            nodes, todo = [], [joint]
            seen.add(joint)
            while todo:
                node = todo.pop()
                nodes.append(node)
                fresh = sorted(self.near[node] - seen)
                seen.update(fresh)
                todo += fresh
            found.append(nodes)
        return found


def ordered(near: dict[int, set[int]]) -> tuple[list[int], list[set[int]]]:
    """Return nodes in the order of elimination, and with each the later ones that it then touches.

    `near` is used up.
    """
    joints_of: dict[int, list[int]] = {}
    waits: dict[int, int] = {}
    for node, beside in near.items():
        if node < 0:
            waits[node] = len(beside)
            for end in beside:
                joints_of.setdefault(end, []).append(node)
    heap: list[tuple[int, bool, int]] = []

    def offer(node: int) -> None:
        if node >= 0 or waits[node] <= 0:
            heapq.heappush(heap, (len(near[node]), node < 0, abs(node)))

    for node in near:
        offer(node)
    order: list[int] = []
    later: list[set[int]] = []
    while heap:
        degree, joint, number = heapq.heappop(heap)
        node = -number if joint else number
        if node not in near or degree != len(near[node]):
            continue  # it was eliminated, or offered again with another degree
        beside = near.pop(node)
        order.append(node)
        later.append(beside)
        changed = set(beside)
        for other in joints_of.get(node, ()):
            waits[other] = 0 if len(beside) == 1 else waits[other] - 1
            changed.add(other)
        for other in beside:
            near[other] |= beside
            near[other] -= {node, other}
        for other in sorted(changed & near.keys()):
            offer(other)
    return order, later


def link(w: Tables, piles: Piles) -> Piles:
    """Write the graph of all joints; return piles with room for it."""
    links, table = Links(w), w.joints.table
    node: list[int] = []
    mechanism: list[int] = []
    starts, middle, first, change_first = [0], [], [0], [0]
    later: list[int] = []
    changes: list[int] = []
    w.bodies["node"] = 0
    for m, nodes in enumerate(links.mechanisms()):
        order, beside = ordered({one: set(links.near[one]) for one in nodes})
        base, block = len(node), {}
        place = {one: base + p for p, one in enumerate(order)}
        node += order
        owned = [sorted(place[other] for other in others) for others in beside]
        for p, own in enumerate(owned, base):
            for q in own:
                block[q, p] = len(later)
                later.append(q)
            first.append(len(later))
        for own in owned:
            for u in own:
                changes += [-1 - u if u == v else block[u, v] for v in own if v <= u]
            change_first.append(len(changes))
        middle.append(len(node))
        fixed: dict[int, int] = {}
        for one in order:
            if one >= 0:
                w.bodies["node"][one] = 1 + place[one]
                continue
            row = table[-2 - one]
            row["node"] = place[one]
            for side, end in zip("ab", links.ends[one], strict=True):
                at, flip = -1, 0
                if end in place:
                    u, v = place[one], place[end]
                    at, flip = (block[u, v], 0) if u > v else (block[v, u], 1)
                elif end not in fixed:
                    fixed[end] = len(node)
                    node.append(end if end >= 0 else WORLD)
                    first.append(len(later))
                    change_first.append(len(changes))
                row["place_" + side] = place[end] if end in place else fixed[end]
                row["block_" + side], row["flip_" + side] = at, flip
        mechanism += [m] * (len(node) - starts[-1])
        starts.append(len(node))
    for of, count in (("nodes", len(node)), ("blocks", len(later)), ("changes", len(changes))):
        piles = longer(piles, of, count)
    graph: Any = piles.rows.graph._asdict() | piles.rows.graph.matrix._asdict()
    written: dict[str, list[Any]] = {
        "node": node,
        "mechanism": mechanism,
        "starts": starts,
        "middle": middle,
        "first": first,
        "later": later,
        "change_first": change_first,
        "changes": changes,
    }
    for name, values in written.items():
        if values:
            graph[name][: len(values)] = values
    graph["mechanisms"][0], w.state["linked"] = len(starts) - 1, 1
    return piles
