"""What a command says is what the function of that name gives: one question, one answer, found and not asked again."""

import json
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.cli.main import main

TOE = "tic-tac-toe"


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path / "store"))


def said(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    main([*words, "--workers", "0", "--json"])
    return json.loads(capsys.readouterr().out)


def test_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    result = noughts.match("minimax:depth=2", "random", TOE, 10, seed=4, opening=1, workers=0)
    told = said(capsys, "match", "minimax:depth=2", "random", "-n", "10", "--seed", "4", "--opening", "1")
    assert told["total"]["wins"] == result.total.wins
    assert told["seconds_a"] == result.seconds_a


def test_a_score(capsys: pytest.CaptureFixture[str]) -> None:
    found = noughts.score("random", TOE, all_up_to=0, per_ply=3, plies=(1, 4), seed=2, workers=0)
    words = ("--all-up-to", "0", "--per-ply", "3", "--plies", "1-4", "--seed", "2")
    told = said(capsys, "score", "random", "--rules", TOE, *words)
    assert told["total"]["optimal"] == found.games[0].total.optimal
    assert [ply["ply"] for ply in told["games"][0]["plies"]] == list(found.games[0].plies) == [1, 2, 3, 4]


def test_a_proof(capsys: pytest.CaptureFixture[str]) -> None:
    found = noughts.prove("minimax:depth=1,eval=none,ties=first", TOE, workers=0).games[0].result
    told = said(capsys, "prove", "minimax:depth=1,eval=none,ties=first", "--rules", TOE)["games"][0]
    assert told["answer"] == "refuted"
    rules = noughts.parse_rules(TOE)
    assert told["game"] == [rules.name_of(move) for move in found.lost_game or ()]


def test_exact_values(capsys: pytest.CaptureFixture[str]) -> None:
    found = noughts.solve("mnk(2,3,2)", every_move=True, distances=True, workers=0).games[0].found
    told = said(capsys, "solve", "mnk(2,3,2)", "--moves", "--distance")["games"][0]
    assert (told["value"], told["plies"], told["seconds"]) == (found.value, found.plies, found.seconds)
