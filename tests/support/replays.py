"""A replay played to its end without a window, and checked on the way."""

from __future__ import annotations

from carom_breakout.replay import Replay
from carom_breakout.session import Playback
from carom_breakout.state import Rows


def play_replay(replay: Replay) -> Rows:
    """Return the game of a replay after its last step."""
    playback = Playback(replay)
    session = playback.session()
    while (press := playback.next(session)) is not None:
        session.tick(press)
    return session.games
