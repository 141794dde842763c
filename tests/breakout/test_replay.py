"""Replays: the same game bit for bit, or an error that says where it went another way."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from carom_breakout.autoplay import choose, make_plans
from carom_breakout.levels import make_levels, shipped_levels
from carom_breakout.replay import Recorder, Replay, ReplayError, Setup, load_replay, save_replay
from carom_breakout.rules import step
from carom_breakout.state import EXACT, GAME, PAUSE, TUTORIAL, digest, make_games, make_inputs
from tests.support.replays import play_replay

DATA = Path(__file__).parent / "data"


def recorded_game(steps: int = 900, physics: int = EXACT, check_every: int = 60) -> Replay:
    """A game of the seeded player, with keys now and then and a pause."""
    levels = shipped_levels()
    table = make_levels(levels)
    games, inputs, plans = make_games(table, [5], 2), make_inputs(1), make_plans([5])
    recorder = Recorder(Setup(levels, 5, 2, physics), check_every)
    for k in range(steps):
        choose(games, plans, inputs)
        if k % 50 > 40:
            inputs[0] = (1 if k % 150 > 50 else -1, math.nan, PAUSE if k % 50 in (43, 46) else 0)
        step(games, table, inputs, physics=physics)
        recorder.add(*inputs[0], games)
    return recorder.finish(games)


@pytest.mark.parametrize("physics", [EXACT, TUTORIAL])
def test_a_replay_read_from_its_file_plays_the_same_game(tmp_path, physics):
    replay = recorded_game(physics=physics)
    save_replay(replay, tmp_path / "game.json")
    again = load_replay(tmp_path / "game.json")
    assert again.checkpoints == replay.checkpoints
    assert again.steps == 900
    games = play_replay(again)
    assert digest(games, 0) == replay.checkpoints[900]
    assert games[0].score > 0


def test_inputs_come_back_run_by_run():
    replay = recorded_game(300)
    listed = list(replay.inputs())
    assert len(listed) == 300
    assert len(replay.runs) < 300
    assert sum(direction for direction, _, _ in listed) != 0


def test_a_replay_names_the_first_step_that_differs():
    replay = recorded_game(400, check_every=1)
    ends = np.cumsum([run.steps for run in replay.runs])
    k = next(k for k, run in enumerate(replay.runs) if run.direction != 0 and ends[k] > 200)
    run, early = replay.runs[k], ends[k]
    turned = run._replace(direction=-run.direction)
    changed = replay._replace(runs=(*replay.runs[:k], turned, *replay.runs[k + 1 :]))
    first = early - run.steps + 1
    with pytest.raises(ReplayError, match=f"after step {first - 1} all was the same, after step {first} it differs"):
        play_replay(changed)


def test_a_replay_on_another_level_diverges_at_the_first_checkpoint():
    replay = recorded_game(200)
    with pytest.raises(ReplayError, match="after step 0 all was the same, after step 60"):
        play_replay(replay._replace(setup=replay.setup._replace(level=3)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "carom breakout replay 0"}, "not a replay of this format"),
        ({"runs": [[0, 0, None, 0]]}, "damaged.*runs"),
        ({"runs": [[3, 7, None, 0]]}, "damaged.*runs"),
        ({"physics": 9}, "damaged.*physics"),
        ({"checkpoints": {"1": "00"}}, "damaged.*checkpoints"),
        ({"dt": 0.0}, "damaged.*dt"),
        ({"level": 99}, "damaged.*level"),
        ({"seed": -1}, "damaged.*seed"),
        ({"levels": [{"name": "x", "text": "1 1"}]}, "damaged.*no brick can be broken"),
        ({"levels": [{"name": "a", "text": 5}]}, "damaged.*text holds int where str"),
        ({"levels": ["a"]}, "damaged.*levels holds str where dict"),
        ({"levels": [{"name": "a"}]}, "damaged.*text is missing"),
        ({"seed": float("inf")}, "damaged.*seed holds float where int"),
        ({"seed": True}, "damaged.*seed holds bool where int"),
        ({"runs": [[float("inf"), 0, None, 0]]}, "damaged.*runs holds float where int"),
        ({"runs": [[1, 0, None]]}, "damaged.*runs"),
        ({"runs": [[1, 0, float("nan"), 0]]}, "damaged.*runs"),
        ({"power_ups": 1}, "damaged.*power_ups holds int where bool"),
        ({"checkpoints": 1}, "damaged.*checkpoints holds int where dict"),
        ({"checkpoints": {}}, "damaged.*checkpoints"),
        ({"checkpoints": {"-1": "00"}}, "damaged.*checkpoints"),
        ({"checkpoints": {"9" * 5000: "00"}}, "damaged.*checkpoints"),
    ],
)
def test_damaged_files_are_refused(tmp_path, change, message):
    file = tmp_path / "game.json"
    save_replay(recorded_game(60), file)
    file.write_text(json.dumps({**json.loads(file.read_text()), **change}))
    with pytest.raises(ReplayError, match=message):
        load_replay(file)


def test_files_that_are_no_replay_are_refused(tmp_path):
    with pytest.raises(ReplayError, match="cannot be read"):
        load_replay(tmp_path / "missing.json")
    (tmp_path / "text.json").write_text("not json")
    with pytest.raises(ReplayError, match="not a replay"):
        load_replay(tmp_path / "text.json")
    (tmp_path / "deep.json").write_text("[" * 5000)
    with pytest.raises(ReplayError, match="not a replay"):
        load_replay(tmp_path / "deep.json")
    (tmp_path / "list.json").write_text("[]")
    with pytest.raises(ReplayError, match="not a replay"):
        load_replay(tmp_path / "list.json")


def test_a_replay_keeps_whether_there_are_power_ups(tmp_path):
    replay = recorded_game(60)
    save_replay(replay._replace(setup=replay.setup._replace(power_ups=False)), tmp_path / "game.json")
    assert load_replay(tmp_path / "game.json").setup.power_ups is False
    assert load_replay(DATA / "replay_exact.json").setup.power_ups, "a file of before, without a word of them"


def test_the_pointer_is_kept_to_the_last_bit(tmp_path):
    replay = recorded_game(200)
    save_replay(replay, tmp_path / "game.json")
    np.testing.assert_array_equal(
        [mouse for _, mouse, _ in load_replay(tmp_path / "game.json").inputs()],
        [mouse for _, mouse, _ in replay.inputs()],
    )


@pytest.mark.parametrize(
    ("physics", "steps", "end"), [("exact", 4200, "7f3fcb4e13d75f6d"), ("tutorial", 4200, "a2d3746795aaccb1")]
)
def test_a_game_recorded_in_november_2026_plays_the_same_today(physics, steps, end):
    """Seventy seconds each, over two levels and more: wins, lost lives, a pause; both games catch all six power-ups."""
    replay = load_replay(DATA / f"replay_{physics}.json")
    assert len(replay.checkpoints) == steps / 60
    assert digest(play_replay(replay), 0) == end


def values_of(field, dtype):
    """Yield the arrays of plain numbers that a field consists of: one, or one for each part of a record."""
    if dtype.names:
        for name in dtype.names:
            yield from values_of(field[name], dtype[name])
    else:
        yield field


@pytest.mark.parametrize("name", GAME.names)
def test_every_value_of_a_game_is_in_its_digest(name):
    games = make_games(make_levels(shipped_levels()), [5])
    digests = {digest(games, 0)}
    changed = 0
    for field in values_of(games[name], GAME[name].base):
        for place in np.ndindex(field.shape):
            before = field[place]
            field[place] = before + 1
            digests.add(digest(games, 0))
            field[place] = before
            changed += 1
    assert len(digests) == changed + 1
