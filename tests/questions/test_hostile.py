"""Agents that try to change games: every game is counted, and games of other agents are unchanged."""

import pytest

from noughts.agents import parse_agent
from noughts.machine import worker_process
from noughts.questions import traits
from noughts.questions.played import Playthrough
from noughts.questions.tournament import round_robin
from noughts.rules import parse_task
from noughts.store.records import GameRecord
from tests.questions.asking import asked, without_seconds
from tests.questions.hostile import KINDS

HONEST = ("random", "mcts:sims=50")


def _games(agents: tuple[str, ...], move_seconds: float) -> list[Playthrough]:
    named = [parse_agent(agent) for agent in agents]
    matches = round_robin(parse_task("tic-tac-toe"), named, 1, seed=3, move_seconds=move_seconds)
    return [unit for match in matches for unit in match.needs()]


def _played(games: list[Playthrough], workers: int) -> dict[str, GameRecord]:
    answers = asked(games, workers=workers)
    return {game.key: record for game in games if (record := answers[game]) is not None}


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_no_hostile_agent_changes_a_game_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(KINDS) >= 40
    monkeypatch.setattr(traits, "MAKING_SECONDS", 2.0)
    monkeypatch.setattr("noughts.questions.played.MAKING_SECONDS", 2.0)
    monkeypatch.setattr(worker_process, "_STALL_SECONDS", 1)
    alone = _played(_games(HONEST, 3.0), 1)
    line_ups = {kind: _games((f"python:tests.questions.hostile:{kind}", *HONEST), 3.0) for kind in KINDS}
    # The hostile games first, because a match that names these agents first is played so.
    everything = [game for games in line_ups.values() for game in games]
    found = _played(everything, 2)
    for kind, games in line_ups.items():
        assert len(games) == 6
        for game in games:
            record = found[game.key]  # every game is counted
            if game.key in alone:
                assert without_seconds(record) == without_seconds(alone[game.key]), kind
            else:
                assert record.ending in ("first", "second", "draw") or "\n" not in record.error
                assert (record.rules, record.first, record.second) == ("tic-tac-toe", str(game.first), str(game.second))
                assert len(record.error) <= 2000
                assert len(set(record.moves)) == len(record.moves) <= 9


@pytest.mark.heavy
@pytest.mark.parametrize("kind", ["ClosesEverything", "KillsItself"])
def test_an_agent_that_breaks_its_process_has_no_other_agent_blamed(kind: str) -> None:
    outside = f"python:tests.questions.hostile:{kind}"
    games = _games((outside, "random"), 3.0)
    for game, record in zip(games, _played(games, 2).values(), strict=True):
        assert record.ending == "error"
        assert record.culprit != ("second" if str(game.first) == outside else "first")


@pytest.mark.heavy
def test_a_hanging_agent_only_ends_its_own_games() -> None:
    games = _games(("python:tests.questions.hostile:Sleeps", "python:tests.agents.together:Together", "random"), 0.5)
    for game, record in zip(games, _played(games, 2).values(), strict=True):
        hangs = "Sleeps" in f"{game.first} {game.second}"
        assert (record.ending == "error") == hangs
        assert ("longer than 0.5 s" in record.error) == hangs
