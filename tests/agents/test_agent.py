"""Querying agents: batches for every kind of agent, and detection of randomness, hidden state and illegal moves."""

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings

from noughts.agents import Agent, Decision, Want, as_agent, build_agent, choose, parse_agent
from noughts.agents.agent import OneByOne
from noughts.agents.asking import analyse, answers, ask_stepwise, is_shared, is_symmetric, possible_moves
from noughts.agents.registry import is_even
from noughts.positions import Position, Rng, derive_seed
from noughts.rules import AgentError, Rules, parse_rules, symmetries
from noughts.rules.errors import AgentFailedError
from tests.agents import deciders, players, together
from tests.agents.law import check_law
from tests.positions.strategies import games
from tests.search.cases import positions

RULES = parse_rules("tic-tac-toe")
ASKED = [position for position in positions(30) if position.rules == RULES]


@pytest.mark.parametrize(
    "agent", [as_agent(deciders.Last()), deciders.Together(), as_agent(deciders.ArrayMove()), deciders.SometimesNames()]
)
@pytest.mark.parametrize("twice", [False, True])
def test_many_positions_are_decided_by_each_method_an_agent_has(agent: Agent, twice: bool) -> None:
    assert {bool(position.cells[4]) for position in ASKED} == {True, False}, "so `SometimesNames` lists some choices"
    expected = [(position.legal_moves[-1],) for position in ASKED]
    assert possible_moves(agent, ASKED, twice=twice) == expected
    assert possible_moves(agent, ASKED, instance=3, twice=twice) == expected


def test_all_ties_are_listed_unless_an_instance_is_requested() -> None:
    agent = deciders.Ends()
    assert possible_moves(agent, ASKED, twice=True) == [agent.name_choices(position) for position in ASKED]
    found = possible_moves(agent, ASKED, instance=5)
    assert all(len(moves) == 1 for moves in found)
    keys = [position.cells.hex() for position in ASKED]
    assert found == [(choose(agent, p, Rng(derive_seed(5, key))),) for p, key in zip(ASKED, keys, strict=True)]
    assert found != possible_moves(agent, ASKED, instance=6)


@pytest.mark.parametrize("text", ["random", "mcts:sims=5", "mc:sims=2"])
def test_an_agent_that_draws_is_not_deterministic(text: str) -> None:
    with pytest.raises(AgentError, match=r"in tic-tac-toe after B2 it draws random numbers; .* --instance SEED"):
        possible_moves(build_agent(text), [Position.start(RULES, (4,))])
    possible_moves(build_agent(text), ASKED, instance=0)


@pytest.mark.parametrize(
    "agent", [as_agent(deciders.OwnChance()), as_agent(deciders.Follows()), as_agent(deciders.Counts())]
)
@pytest.mark.parametrize("instance", [None, 1])
def test_decisions_that_depend_on_more_than_the_board_are_detected(agent: Agent, instance: int | None) -> None:
    said = "not deterministic: in tic-tac-toe .* it plays .* or .*; its moves may depend only"
    with pytest.raises(AgentError, match=said):
        possible_moves(agent, ASKED, instance, twice=True)


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        (as_agent(players.RaisesLater()), "in tic-tac-toe after A1 B2: KeyError: 'gone'"),
        (as_agent(players.TakesATakenCell()), "after A1 B2: IllegalMoveError: move A1 is taken"),
        (as_agent(players.SaysNothing()), "its move is a value of type NoneType: choose must return"),
        (as_agent(players.SaysText()), "its move is the text 'A1': choose must return the number of a cell, one of"),
        (deciders.NamesTaken(), "after A1 B2: IllegalMoveError: move B2 is taken"),
        (deciders.OneTooFew(), "after A1 B2: AgentError: it returned 0 moves for 1 position"),
    ],
)
def test_agent_errors_contain_the_position(agent: Agent, message: str) -> None:
    with pytest.raises(AgentFailedError) as raised:
        possible_moves(agent, [Position.start(RULES, (0, 4))])
    assert message in str(raised.value)


def test_incomplete_choices_are_detected() -> None:
    with pytest.raises(AgentError, match=r"in tic-tac-toe .*they are [A-C][1-3], [A-C][1-3], and it plays [A-C][1-3]$"):
        possible_moves(deciders.Untrue(), ASKED, twice=True)
    possible_moves(deciders.Untrue(), ASKED, instance=1, twice=True)  # then its choices are not requested


@given(games())
def test_the_second_query_reaches_the_same_position_by_legal_moves(game: tuple[Rules, tuple[int, ...]]) -> None:
    rules, moves = game
    seen: list[Position] = []

    class Notes:
        def choose(self, position: Position, rng: Rng) -> int:
            seen.append(position)
            return position.legal_moves[0]

    before = Position.start(rules, moves[: max(0, len(moves) - 1)])
    possible_moves(as_agent(Notes()), [before], twice=True)
    assert seen[0] == seen[-1] == Position.start(rules, seen[-1].moves)
    own = {move for move in before.moves if move // rules.board_size not in before.closed}
    if rules.boards == 1 and len(own) >= 3:
        assert seen[0].moves != seen[1].moves


@settings(max_examples=60)
@given(games())
def test_minimax_with_random_ties_is_symmetric(game: tuple[Rules, tuple[int, ...]]) -> None:
    rules, moves = game
    for text in ("minimax:depth=1", "minimax:depth=2", "minimax:depth=2,eval=none"):
        if rules.size > 49 and "depth=2" in text:
            continue
        agent = build_agent(text)
        assert is_symmetric(agent)
        at = moves[: len(moves) // 2]
        (choices,) = possible_moves(agent, [Position.start(rules, at)])
        for symmetry in symmetries(rules):
            image = Position.start(rules, tuple(symmetry.image[cell] for cell in at))
            assert possible_moves(agent, [image]) == [tuple(sorted(symmetry.image[cell] for cell in choices))]


def test_agents_report_whether_they_are_symmetric() -> None:
    assert is_symmetric(build_agent("perfect"))
    assert not is_symmetric(build_agent("minimax:ties=first"))
    assert not is_symmetric(build_agent("random"))
    with pytest.raises(AgentFailedError, match="to report whether it is symmetric: RuntimeError: no idea"):
        is_symmetric(as_agent(deciders.Sided()))


MIXED = [
    Position.start(parse_rules(text))
    for text in ("tic-tac-toe", "notakto(3,boards=2)", "mnk(3,4,3,bricks=B2,line=loses)")
]
MIXED += [position.play(4).play(0) for position in MIXED] + [MIXED[0].play(8), MIXED[0]]


@pytest.mark.parametrize(
    "text",
    [
        *("random", "minimax:depth=2", "minimax:depth=3,ties=first", "mcts:sims=30", "mcts:sims=30,pick=value"),
        *("mc:sims=5", "omniscient:sims=1,inside=minimax", "perfect", "perfect:ties=first"),
        *("python:tests.agents.players:First", "python:tests.agents.deciders:Ends"),
    ],
)
def test_agents_decide_consistently(text: str) -> None:
    check_law(lambda: build_agent(text), MIXED)


def test_inconsistent_agents_are_detected() -> None:
    class ByBatch(OneByOne):
        def decide(self, positions: Sequence[Position], rngs: Sequence[Rng], want: Want = Want.MOVE) -> list[Decision]:
            return [Decision(position.legal_moves[len(positions) % 2]) for position in positions]

    class DrawsToName(deciders.Ends):
        def decide(self, positions: Sequence[Position], rngs: Sequence[Rng], want: Want = Want.MOVE) -> list[Decision]:
            for rng in rngs:
                rng.random()
            return super().decide(positions, rngs, want)

    class SaysOther(deciders.Ends):
        def decide_one(self, position: Position, rng: Rng, want: Want) -> Decision:
            return Decision(position.legal_moves[0 if want is Want.MOVE else -1])

    for broken in (ByBatch, DrawsToName, SaysOther, deciders.Untrue, deciders.OneTooFew):
        with pytest.raises(AssertionError):
            check_law(broken, MIXED)


def test_before_each_is_called_before_each_question() -> None:
    told: list[object] = []

    class Tells(OneByOne):
        def decide(self, positions: Sequence[Position], rngs: Sequence[Rng], want: Want = Want.MOVE) -> list[Decision]:
            told.append(want)
            return super().decide(positions, rngs, want)

        def decide_one(self, position: Position, rng: Rng, want: Want) -> Decision:
            return Decision(position.legal_moves[0])

    first = [(position.legal_moves[0],) for position in ASKED]
    assert possible_moves(Tells(), ASKED, instance=2, before_each=told.append) == first
    assert told == [said for position in ASKED for said in (position, Want.MOVE)]
    told.clear()
    assert possible_moves(Tells(), ASKED, instance=2) == first
    assert told == [Want.MOVE]


@pytest.mark.parametrize("text", ["minimax:depth=2", "perfect"])
def test_kinds_marked_even_take_each_choice_equally_often(text: str) -> None:
    """Pearson's chi-squared test, with fixed seeds."""
    assert is_even(parse_agent(text))
    assert not is_even(parse_agent("python:tests.agents.players:First"))
    position = Position.start(parse_rules("mnk(3,3,3)"), (4,))
    agent = build_agent(text)
    (choices,) = possible_moves(agent, [position])
    counts = Counter(choose(agent, position, Rng(seed)) for seed in range(2000))
    assert len(choices) == 4
    assert counts.keys() == set(choices)
    assert sum((counts[move] - 500) ** 2 / 500 for move in choices) < 21  # probability 0.0001 with 3 degrees of freedom


def test_a_class_that_only_has_choose_is_wrapped() -> None:
    agent, position, rng = as_agent(deciders.ArrayMove()), ASKED[0], Rng(3)
    assert as_agent(agent) is agent
    assert not is_shared(agent)
    assert is_shared(build_agent("minimax"))
    assert not is_shared(build_agent("omniscient:inside=python:tests.agents.players:First"))
    move = choose(agent, position, rng)
    assert (move, type(move)) == (position.legal_moves[-1], int)
    found = analyse(agent, position, rng)
    assert (found.move, found.nodes, [m.move for m in found.moves if m.visits]) == (move, 1, [move])
    assert list(ask_stepwise(agent, position, rng, lambda: False)) == [Decision(move)]

    class Even:
        symmetric = True

        def choose(self, position: Position, rng: Rng) -> int:
            raise KeyError(position.ply)

    class OneArgument:
        def choose(self, position: Position) -> int:
            return position.legal_moves[0]

    assert is_symmetric(as_agent(Even()))
    with pytest.raises(KeyError):
        choose(as_agent(Even()), position, rng)
    said = r"choose must take a position and a generator of random numbers: choose\(self, p"
    with pytest.raises(AgentError, match=said):
        as_agent(OneArgument())
    with pytest.raises(AgentError, match=r"no method choose\(position, rng\) or decide"):
        as_agent(object())


@pytest.mark.parametrize("name", ["Raises", "Illegal", "Nonsense", "Short"])
def test_failures_are_isolated_and_generators_restored(name: str) -> None:
    agent, sound = getattr(together, name)(), together.Together()
    found = answers(agent, ASKED, [Rng(number) for number in range(len(ASKED))])
    expected = answers(sound, ASKED, [Rng(number) for number in range(len(ASKED))])
    bad = [position.ply >= 3 and position.cells[together.TAKEN] != 0 for position in ASKED]
    assert any(bad) or name == "Short"
    for is_bad, one, other in zip(bad, found, expected, strict=True):
        if is_bad and name != "Short":
            assert isinstance(one, Exception)
        else:
            assert one == other


def test_a_decision_contains_only_what_was_requested() -> None:
    rngs = [Rng(1) for _ in ASKED]
    for want in Want:
        for decision in answers(build_agent("minimax"), ASKED, rngs, want):
            assert isinstance(decision, Decision)
            assert bool(decision.choices) == (want is Want.CHOICES)
            assert (decision.analysis is not None) == (want is Want.ANALYSIS)
