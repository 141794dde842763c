"""The tuple of verbs that the tests share has every public function that answers for two shapes."""

from __future__ import annotations

import inspect

import pytest

import carom as cm
from tests.support.verbs import NO_VERBS, VERBS, Verb

FUNCTIONS = {name for name in cm.__all__ if inspect.isfunction(getattr(cm, name))}


def test_every_public_function_is_a_verb_or_listed_as_none() -> None:
    verbs = {verb.name for verb in VERBS}
    assert verbs | set(NO_VERBS) == FUNCTIONS
    assert not verbs & set(NO_VERBS)
    assert all(NO_VERBS.values())


def test_no_verb_is_listed_twice() -> None:
    assert len({verb.name for verb in VERBS}) == len(VERBS)


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_a_verb_takes_as_many_arguments_as_are_listed(verb: Verb) -> None:
    parameters = inspect.signature(verb.function).parameters.values()
    assert len([one for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD]) == len(verb.takes)


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_a_verb_answers_for_two_shapes_and_row_by_row(verb: Verb) -> None:
    a, b = cm.Circle((0, 0), 1.0), cm.Box((2, 0), (1, 1))
    rows = verb.ask(cm.Shapes([a, a, a]), cm.Shapes([b, b, b]))
    column = rows[0] if isinstance(rows, tuple) else rows
    assert len(column) == 3
    assert isinstance(verb.ask(a, b), (bool, float, tuple, type(None)))
