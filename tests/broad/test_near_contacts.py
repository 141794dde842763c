"""Contacts of near pairs: the pairs of `pairs`, the contacts of `collide`, the separations of `closest`."""

from __future__ import annotations

import numpy as np
import pytest

import carom as cm


def scattered(count: int) -> cm.Shapes:
    rng = np.random.default_rng(count)
    at, turn = rng.uniform(-8, 8, (count, 2)), rng.uniform(0, 6, count)
    makers = [
        lambda p, a: cm.Circle(p, 0.5),
        lambda p, a: cm.Box(p, (1, 0.5), a),
        lambda p, a: cm.Box(p, (1, 1)),
        lambda p, a: cm.Capsule(p, p + 1, 0.2),
        lambda p, a: cm.Polygon(p + np.array([(0, 0), (1, 0), (0, 1)]), radius=0.1, vertex_ids=[7, 8, 9]),
    ]
    return cm.Shapes([makers[k % 5](p, a) for k, (p, a) in enumerate(zip(at, turn, strict=True))])


@pytest.mark.parametrize("within", [0.0, 0.3, 2.0])
def test_near_pairs_come_with_their_separations(within: float) -> None:
    many = scattered(120)
    found = cm.contacts(many, within=within)
    assert found.pairs.tolist() == cm.pairs(many, within=within).tolist()
    a, b = many[found.pairs[:, 0]], many[found.pairs[:, 1]]
    met, apart = cm.collide(a, b), cm.separation(a, b) > 0.0
    assert found.depth.tolist() == (0.0 - cm.separation(a, b)).tolist()
    near = cm.closest(a[apart], b[apart])
    assert (apart.any(), found.depth[apart].max(initial=-1.0) < 0.0) == (within > 0.0, True)
    for column in ("normal", "count", "points", "depths", "features"):
        assert getattr(found, column)[~apart].tolist() == getattr(met, column)[~apart].tolist()
    np.testing.assert_allclose(found.normal[apart], near.normal, atol=1e-12)
    np.testing.assert_allclose(found.points[apart][:, 0], (near.point_a + near.point_b) / 2.0, atol=1e-12)
    assert (found.count[apart] == 1).all()
    assert found.depths[apart][:, 0].tolist() == found.depth[apart].tolist()


def test_features_of_a_near_pair_are_the_users_numbers() -> None:
    wedge = cm.Polygon([(0, 0), (-2, 1), (-2, -1)], vertex_ids=[7, 8, 9])
    found = cm.contacts(cm.Shapes([wedge, cm.Box((2, 0), (2, 2))]), within=2)
    assert found.features[0, 0].tolist() == [7, -1 - 3]
    assert found.points[0, 0].tolist() == [0.5, 0.0]


def test_blocks_and_an_index_say_the_same() -> None:
    many = scattered(60)
    whole, index = cm.contacts(many, within=1.0), cm.Index(many)
    for found in (index.contacts(within=1.0), cm.contacts(many, many, within=1.0)):
        kept = found.pairs[:, 0] < found.pairs[:, 1]
        assert found.pairs[kept].tolist() == whole.pairs.tolist()
        assert found.depth[kept].tolist() == whole.depth.tolist()
    blocks = list(cm.contacts(many, within=1.0, block=7))
    assert np.concatenate([block.depth for block in blocks]).tolist() == whole.depth.tolist()
    with pytest.raises(ValueError, match=r"^contacts: within = -1"):
        cm.contacts(many, within=-1)
