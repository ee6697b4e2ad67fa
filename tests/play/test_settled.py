"""A record follows from its moves, whatever process wrote it."""

import pytest

from noughts.agents import parse_agent
from noughts.play.playthrough import GamePlan, broken_off, settled
from noughts.rules import StoreError, parse_rules
from noughts.store.records import GameRecord

PLAN = GamePlan(
    rules=parse_rules("tic-tac-toe"),
    first=parse_agent("random"),
    second=parse_agent("python:a:B"),
    seed=1,
    opening=(4,),
)
WON = GameRecord(
    rules="tic-tac-toe", first="random", second="python:a:B", seed=1, opening=1, moves=(4, 0, 3, 1, 5), ending="first"
)


def test_a_correct_record_is_unchanged() -> None:
    assert settled(PLAN, WON) == WON
    broken = WON.model_copy(update={"moves": (4, 0), "ending": "error", "error": "it hung", "culprit": "first"})
    assert settled(PLAN, broken) == broken


def test_everything_except_moves_and_errors_is_taken_from_the_plan() -> None:
    forged = {
        "rules": "gomoku",
        "first": "az",
        "second": "b",
        "seed": 2,
        "opening": 3,
        "ending": "second",
        "error": "no",
    }
    assert settled(PLAN, WON.model_copy(update=forged | {"culprit": "first"})) == WON


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ((4, 0, 3, 1), "it does not go on to its end"),
        ((4, 0, 3, 1, 5, 8), "move 6 of the game is illegal"),
        ((4, 4), "move 2 of the game is illegal"),
        ((4, -1), "move 2 of the game is illegal"),
        ((4, 10**30), "move 2 of the game is illegal"),
        ((), "it does not begin with its opening"),
        ((0, 4), "it does not begin with its opening"),
    ],
)
def test_an_unreplayable_record_is_blamed_on_the_foreign_agent(moves: tuple[int, ...], reason: str) -> None:
    record = settled(PLAN, WON.model_copy(update={"moves": moves}))
    assert (record.ending, record.culprit, record.moves) == ("error", "second", PLAN.opening)
    assert record.error == f"the record of the game cannot be replayed: {reason}"
    both = PLAN.model_copy(update={"first": PLAN.second})
    assert settled(both, WON.model_copy(update={"moves": moves})).culprit == ""


@pytest.mark.parametrize(
    "note",
    [
        "",
        "[",
        "[" * 10_000,
        "5",
        "null",
        "[0, [4], [1]]",
        "[2, [4], [0, 0]]",
        "[0, [4], [NaN, 0]]",
        '[0, ["x"], [0, 0]]',
    ],
)
def test_an_unreadable_note_is_ignored(note: str) -> None:
    record = broken_off(PLAN, note, "it died")
    assert (record.moves, record.ending, record.culprit, record.error) == ((4,), "error", "", "it died")


@pytest.mark.parametrize(
    ("first", "second", "mover", "culprit"),
    [
        ("random", "python:a:B", 0, ""),
        ("random", "python:a:B", 1, "second"),
        ("python:a:B", "random", 0, "first"),
        ("python:a:B", "random", 1, ""),
        ("python:a:B", "python:c:D", 0, "first"),
        ("python:a:B", "python:c:D", 1, "second"),
        ("random", "omniscient:inside=(python:a:B)", 0, ""),
        ("random", "minimax", 0, "first"),
        ("random", "minimax", 1, "second"),
    ],
)
def test_the_mover_is_blamed_for_a_dead_process_unless_only_the_other_can_have_broken_it(
    first: str, second: str, mover: int, culprit: str
) -> None:
    plan = PLAN.model_copy(update={"first": parse_agent(first), "second": parse_agent(second)})
    note = f"[{mover}, [4, 0], [0.5, 0.25]]"
    record = broken_off(plan, note, "it died", died=True)
    assert (record.culprit, record.moves, record.seconds_first, record.error) == (culprit, (4, 0), 0.5, "it died")
    late = broken_off(plan, note, "the move took longer than 1 s")
    assert late == record.model_copy(update={"culprit": ("first", "second")[mover], "error": late.error})


@pytest.mark.parametrize("seconds", ["-1", "NaN", "Infinity"])
def test_impossible_durations_are_rejected(seconds: str) -> None:
    text = WON.to_json().replace('"seconds_first":0.0', f'"seconds_first":{seconds}')
    with pytest.raises(StoreError):
        GameRecord.from_json(text)
