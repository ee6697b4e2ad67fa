"""`noughts results`: what is kept is found, shown, replayed and removed."""

import json
from typing import Any

import pytest

from noughts.cli.main import main
from noughts.store.results import Store


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    said = capsys.readouterr()
    return code, said.out, said.err


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    code, out, err = run(capsys, *words, "--json")
    assert code == 0, err
    return json.loads(out)


@pytest.fixture
def matches(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The ids of two matches."""
    for b, seed in (("random", "3"), ("minimax:depth=1", "4")):
        run(capsys, "match", "mcts:sims=20", b, "-n", "4", "--seed", seed, "--opening", "1", "--workers", "0")
    return [found["id"] for found in shown(capsys, "results", "list")]


def test_runs_are_listed_and_found(matches: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert len(matches) == 2
    code, out, _ = run(capsys, "results", "list")
    assert code == 0
    assert all(id in out.replace("\n", "") or id[:8] in out for id in matches)
    assert [found["games"] for found in shown(capsys, "results", "list", "--kind", "match")] == [4, 4]
    assert [found["id"] for found in shown(capsys, "results", "list", "--find", "minimax")] == matches[1:]
    assert shown(capsys, "results", "list", "--kind", "study") == []
    assert "nothing like that is kept" in run(capsys, "results", "list", "--find", "nobody")[1]
    code, _, err = run(capsys, "results", "list", "--kind", "matsch")
    assert (code, "did you mean 'match'" in err) == (2, True)


def test_a_run_is_shown(matches: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    found = shown(capsys, "results", "show", matches[0])
    assert (found["kind"], found["games"], found["status"]) == ("match", 4, "finished")
    assert found["result"]
    assert found["environment"]["versions"]["noughts"]
    _, out, _ = run(capsys, "results", "show", "match")
    assert matches[1] in out
    assert run(capsys, "results", "show", "nothing")[0] == 2


def test_games_are_listed_by_what_is_wanted(matches: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    everything = shown(capsys, "results", "games", matches[0])
    assert [game["number"] for game in everything] == [1, 2, 3, 4]
    for ending in ("first", "second", "draw"):
        found = shown(capsys, "results", "games", matches[0], "--ending", ending)
        assert found == [game for game in everything if game["ending"] == ending]
    assert shown(capsys, "results", "games", "all", "--agent", "minimax") == [
        game for game in shown(capsys, "results", "games", "all") if "minimax" in game["first"] + game["second"]
    ]
    assert shown(capsys, "results", "games", matches[0], "--rules", "bttt(*)") == []
    assert run(capsys, "results", "games", matches[0], "--ending", "won")[0] == 2
    assert "tic-tac-toe" in run(capsys, "results", "games", matches[0])[1]


def test_a_game_is_replayed_and_its_agents_play_it_again(
    matches: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _ = run(capsys, "results", "replay", matches[0], "2", "--again")
    assert code == 0
    assert "played again: the same" in out
    assert "1  X" in out
    assert "opening" in out
    found = shown(capsys, "results", "replay", matches[0], "2", "--again")
    assert found["same"]
    assert found["again"]["moves"] == found["moves"]
    code, _, err = run(capsys, "results", "replay", matches[0], "9")
    assert (code, "has games 1 to 4" in err) == (2, True)
    from noughts.play import playthrough

    monkeypatch.setattr(playthrough, "choose", lambda agent, position, rng: position.legal_moves[-1])
    code, out, _ = run(capsys, "results", "replay", matches[0], "2", "--again")
    assert (code, "played again it differs" in out) == (1, True)


def test_runs_are_removed_when_that_is_confirmed(
    matches: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(capsys, "results", "remove", matches[0], "no-such-run", "--yes")[0] == 2
    assert len(shown(capsys, "results", "list")) == 2
    monkeypatch.setattr("typer.confirm", lambda *_, **__: False)
    assert run(capsys, "results", "remove", matches[0])[0] == 0
    assert len(shown(capsys, "results", "list")) == 2
    _, out, _ = run(capsys, "results", "remove", matches[0], "--yes")
    assert f"removed {matches[0]}: 4 games" in out
    assert [found["id"] for found in shown(capsys, "results", "list")] == matches[1:]
    assert len(shown(capsys, "results", "games", "all")) == 4


def test_a_run_at_work_is_not_removed(capsys: pytest.CaptureFixture[str]) -> None:
    with Store.open() as store, store.begin("match", "a match", {"a": 1}, 0) as working:
        code, _, err = run(capsys, "results", "remove", working.id, "--yes")
        assert (code, "is at work in another process" in err) == (2, True)
