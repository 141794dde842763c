"""A power-up is one row of the table: order means nothing, a new row falls, runs, ends and is drawn, the docs agree."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from carom_breakout import state
from carom_breakout.power_up_table import POWER_UPS

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "carom" / "breakout"

# Each power-up is caught alone, then after each other one; what comes of it is printed by name, not by number.
CATCH_ALL = """
from carom_breakout import power_up_table
power_up_table.POWER_UPS = tuple({order})
from carom_breakout import state
from carom_breakout.levels import make_levels, parse_level
from carom_breakout.rules import step

names, levels = sorted(state.KINDS), make_levels([parse_level("2 2", "x")])
for physics in (state.EXACT, state.TUTORIAL):
    for first in names:
        for then in names:
            games = state.make_games(levels, [3])
            inputs, trace, game = state.make_inputs(1), state.make_trace(1), games[0]
            game.mode = state.ACTIVE
            for kind in (state.KINDS[first], state.KINDS[then]):
                game.falling = 1
                game.items[0].kind = kind
                game.items[0].position[:] = 370.0, state.PADDLE_TOP - 10.0
                step(games, levels, inputs, physics=physics, trace=trace)
            effects = [name for name in names if game.effects & (1 << state.KINDS[name])]
            timers = [(name, float(game.timers[state.KINDS[name]])) for name in names]
            print(physics, first, then, effects, timers, game.speed, game.paddle_width, game.score)
"""


def printed(program: str) -> str:
    """Return what a program prints in a fresh, uncompiled Python, into which another table of power-ups can be put."""
    found = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    return found.stdout


def test_the_order_of_the_table_means_nothing_to_what_a_power_up_does():
    as_it_is = printed(CATCH_ALL.format(order="power_up_table.POWER_UPS"))
    assert as_it_is == printed(CATCH_ALL.format(order="reversed(power_up_table.POWER_UPS)"))
    assert len(as_it_is.splitlines()) == 2 * len(POWER_UPS) ** 2


def test_a_new_row_is_enough_for_a_power_up_to_fall_run_be_shut_out_and_end():
    program = """
from carom_breakout import power_up_table as table
new = table.POWER_UPS[4]._replace(name="slow", one_in=1, lasts=0.05, title="Slow", shut_out_by=("sticky",))
table.POWER_UPS = (new, *table.POWER_UPS)
import pygame
from carom_breakout import state
from carom_breakout.art.drawing import Art
from carom_breakout.flaws.stage import set_scene
from carom_breakout.rules import step

assert state.KINDS["slow"] == 0 and state.STICKY == 2
for effects, works in ((0, True), (1 << state.STICKY, False)):
    scene = set_scene("0 2 2", (400.0, 330.0), (0.0, -600.0), effects=effects)
    game, inputs, trace = scene.games[0], state.make_inputs(1), state.make_trace(1)
    for _ in range(10):
        step(scene.games, scene.levels, inputs, trace=trace)
    assert [item.kind for item in game.items[: game.falling]][0] == 0
    game.mode, game.items[0].position[:] = state.ACTIVE, (370.0, state.PADDLE_TOP - 10.0)
    game.falling, game.effects = 1, effects
    step(scene.games, scene.levels, inputs, trace=trace)
    assert (game.effects & 1 == 1) == works and (game.timers[0] > 0.0) == works
    ended = []
    for _ in range(5):
        step(scene.games, scene.levels, inputs, trace=trace)
        ended += [int(e.subject) for e in state.events(trace, 0) if e.kind == state.EFFECT_ENDED]
    assert ended == [0] * works and game.effects & 1 == 0
assert Art(1.0).item(0, 60, 20).get_size() == (60, 20)
print("as it should be")
"""
    pytest.importorskip("pygame")
    assert "as it should be" in printed(program)


def test_power_ups_are_not_compared_by_size():
    names = {name for name, value in vars(state).items() if name.isupper() and type(value) is int} & {
        "SPEED", "STICKY", "PASS_THROUGH", "PAD_SIZE", "CONFUSE", "CHAOS",
    }  # fmt: skip
    assert len(names) == len(POWER_UPS)
    for file in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare) and any(
                isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for op in node.ops
            ):
                sides = {ast.unparse(side).rpartition(".")[2] for side in (node.left, *node.comparators)}
                assert not sides & (names | {"kind"}), f"{file.name}:{node.lineno}: {ast.unparse(node)}"


def test_the_table_in_the_docs_is_the_table_of_the_rules():
    page = (ROOT / "docs" / "breakout.md").read_text(encoding="utf-8")
    table = page[page.index("| power-up | one brick in") :].partition("\n\n")[0]
    rows = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in table.splitlines()[2:]]
    for (name, one_in, lasts, does, fetched), power_up in zip(rows, POWER_UPS, strict=True):
        assert name == power_up.name and int(one_in) == power_up.one_in
        assert lasts == (f"{power_up.lasts:g} s" if power_up.lasts else "until a life is lost")
        assert fetched == ("fetches it" if power_up.helps else "")
        assert re.findall(r"not during ([\w-]+)", does) == list(power_up.shut_out_by)
