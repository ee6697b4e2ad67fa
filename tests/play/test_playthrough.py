"""One game: whatever agents do, there is a record, and the same seed gives it again."""

import pytest

from noughts.agents import build_agent, parse_agent
from noughts.play.playthrough import GamePlan, broken_off, play_game, random_opening, replay
from noughts.positions import Position, Rng
from noughts.rules import parse_rules
from noughts.store.records import GameRecord


class Heard:
    """Keeps the notes of a game."""

    def __init__(self) -> None:
        self.notes: list[tuple[str, float | None]] = []

    def note(self, text: str, limit: float | None = None) -> None:
        self.notes.append((text, limit))


def plan(first: str = "random", second: str = "random", rules: str = "tic-tac-toe", **more: object) -> GamePlan:
    return GamePlan(rules=parse_rules(rules), first=parse_agent(first), second=parse_agent(second), seed=7, **more)


def play(of: GamePlan, heard: Heard | None = None) -> GameRecord:
    return play_game(of, (build_agent(of.first), build_agent(of.second)), notes=heard)


@pytest.mark.parametrize("agent", ["random", "minimax", "mcts:sims=20", "mc:sims=2", "omniscient:inside=random"])
@pytest.mark.parametrize("rules", ["tic-tac-toe", "notakto(3)", "notakto(2,boards=3)", "bttt(D4)"])
def test_a_seed_gives_the_same_game_and_it_replays_to_its_end(agent: str, rules: str) -> None:
    first = play(plan(agent, "random", rules))
    assert first == play(plan(agent, "random", rules))
    assert first.ending != "error"
    _, end = replay(first)
    assert end.is_over
    assert end.outcome.name.lower() == first.ending


def test_each_sides_draws_come_from_a_stream_of_its_own() -> None:
    # The first player's moves do not depend on how much randomness the second one uses.
    calm, busy = play(plan("random", "minimax:ties=first", "gomoku")), play(plan("random", "mc:sims=3", "gomoku"))
    assert calm.moves[0] == busy.moves[0]


@pytest.mark.parametrize(
    ("agent", "error"),
    [
        ("Raises", "RuntimeError: lost my marbles"),
        ("RaisesLater", "KeyError: 'gone'"),
        ("TakesATakenCell", "IllegalMoveError: move A1 is taken by X"),
        ("PlaysOffTheBoard", "IllegalMoveError: move 10000 is off the board"),
        ("SaysNothing", "TypeError: 'NoneType' object cannot be interpreted as an integer"),
        ("SaysText", "TypeError: 'str' object cannot be interpreted as an integer"),
    ],
)
@pytest.mark.parametrize("side", ["first", "second"])
def test_an_agent_that_misbehaves_ends_the_game_with_a_record(agent: str, error: str, side: str) -> None:
    bad, good = f"python:tests.play.players:{agent}", "python:tests.play.players:First"
    record = play(plan(bad, good) if side == "first" else plan(good, bad))
    assert record.ending == "error"
    assert record.culprit == side
    assert error in record.error
    assert "\n" not in record.error
    _, end = replay(record)
    assert not end.is_over


def test_notes_let_somebody_break_a_game_off_and_keep_its_moves() -> None:
    heard = Heard()
    record = play(plan(move_seconds=2.5), heard)
    assert len(heard.notes) == len(record.moves)
    assert {limit for _, limit in heard.notes} == {2.5}
    broken = broken_off(plan(), heard.notes[3][0], "the move took longer than 2.5 s")
    assert broken.moves == record.moves[:3]
    assert (broken.ending, broken.culprit) == ("error", "second")
    assert broken.error == "the move took longer than 2.5 s"
    assert broken_off(plan(), "", "died").moves == ()


def test_an_opening_is_played_first_and_counted() -> None:
    record = play(plan(opening=(4, 0)))
    assert record.moves[:2] == (4, 0)
    assert record.opening == 2


def test_of_games_of_thousands_of_moves_a_note_names_the_first() -> None:
    heard = Heard()
    record = play(plan(rules="notakto(5,boards=100)"), heard)
    assert record.error == ""
    assert len(record.moves) > 1000
    broken = broken_off(plan(rules="notakto(5,boards=100)"), heard.notes[-1][0], "died")
    assert broken.moves == record.moves[: len(broken.moves)]
    assert len(broken.moves) > 400


def test_openings_never_end_the_game() -> None:
    rules = parse_rules("mnk(2,3,2)")
    for seed in range(50):
        assert not Position.start(rules, random_opening(rules, 9, Rng(seed))).is_over


def test_a_record_names_the_agents_by_their_text() -> None:
    record = play(plan("minimax", "mcts:sims=1_000,c=1"))
    assert (record.first, record.second, record.rules) == ("minimax:depth=2", "mcts:sims=1000", "tic-tac-toe")
