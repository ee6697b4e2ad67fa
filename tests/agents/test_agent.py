"""Asking agents: in many positions at once, whatever they offer; chance, whims and illegal moves are found out."""

import pytest
from hypothesis import given, settings

from noughts.agents import Agent, build_agent
from noughts.agents.agent import BatchAgent, decide, is_symmetric
from noughts.positions import Position, Rng, derive_seed
from noughts.rules import AgentError, Rules, parse_rules, symmetries
from noughts.rules.errors import AgentFailedError
from tests.examine import deciders
from tests.play import players
from tests.positions.strategies import games
from tests.search.cases import positions

RULES = parse_rules("tic-tac-toe")
ASKED = [position for position in positions(30) if position.rules == RULES]


@pytest.mark.parametrize("agent", [deciders.Last(), deciders.Together()])
@pytest.mark.parametrize("twice", [False, True])
def test_agents_of_one_move_are_asked_in_the_way_they_offer(agent: Agent, twice: bool) -> None:
    expected = [(position.legal_moves[-1],) for position in ASKED]
    assert decide(agent, ASKED, twice=twice) == expected
    assert decide(agent, ASKED, instance=3, twice=twice) == expected


def test_ties_are_all_named_unless_an_instance_is_asked() -> None:
    agent = deciders.Ends()
    assert decide(agent, ASKED, twice=True) == [agent.choices(position) for position in ASKED]
    found = decide(agent, ASKED, instance=5)
    assert all(len(moves) == 1 for moves in found)
    keys = [position.cells.hex() for position in ASKED]
    assert found == [(agent.choose(p, Rng(derive_seed(5, key))),) for p, key in zip(ASKED, keys, strict=True)]
    assert found != decide(agent, ASKED, instance=6)


@pytest.mark.parametrize("text", ["random", "mcts:sims=5", "mc:sims=2"])
def test_an_agent_that_draws_is_not_deterministic(text: str) -> None:
    with pytest.raises(AgentError, match=r"in tic-tac-toe after B2 it draws random numbers; .* --instance SEED"):
        decide(build_agent(text), [Position.start(RULES, (4,))])
    decide(build_agent(text), ASKED, instance=0)


@pytest.mark.parametrize("agent", [deciders.OwnChance(), deciders.Follows(), deciders.Counts()])
@pytest.mark.parametrize("instance", [None, 1])
def test_an_agent_that_decides_by_something_else_is_found_out(agent: Agent, instance: int | None) -> None:
    with pytest.raises(AgentError, match=r"not deterministic: in tic-tac-toe .* it plays .* or .*; it must decide by"):
        decide(agent, ASKED, instance, twice=True)


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        (players.RaisesLater(), "in tic-tac-toe after A1 B2: KeyError: 'gone'"),
        (players.TakesATakenCell(), "after A1 B2: IllegalMoveError: move A1 is taken"),
        (players.PlaysOffTheBoard(), "is off the board"),
        (players.SaysNothing(), "TypeError"),
        (players.SaysText(), "TypeError"),
        (deciders.Nothing(), "after A1 B2: it named no move"),
        (deciders.OneTooFew(), "asked in 1 positions, it answered 0"),
        (deciders.AllMoves(), "after A1 B2: TypeError: 'list' object"),
        (deciders.AllMovesTogether(), "after A1 B2: TypeError: 'list' object"),
    ],
)
def test_failures_are_said_with_the_position(agent: Agent, message: str) -> None:
    with pytest.raises(AgentFailedError) as raised:
        decide(agent, [Position.start(RULES, (0, 4))])
    assert message in str(raised.value)


def test_an_answer_may_be_a_number_of_numpy() -> None:
    (moves,) = decide(players.NumpyMove(), [Position.start(RULES)], twice=True)
    assert moves == (0,)
    assert type(moves[0]) is int


@pytest.mark.parametrize("agent", [deciders.ArrayMove(), deciders.ArrayMoves()])
def test_an_answer_may_be_an_array_of_one_number(agent: Agent) -> None:
    assert decide(agent, ASKED, twice=True) == [(position.legal_moves[-1],) for position in ASKED]


def test_choices_that_are_not_all_that_it_may_choose_are_found_out() -> None:
    with pytest.raises(AgentError, match=r"in tic-tac-toe .*they are [A-C][1-3], [A-C][1-3], and it plays [A-C][1-3]$"):
        decide(deciders.Untrue(), ASKED, twice=True)
    decide(deciders.Untrue(), ASKED, instance=1, twice=True)  # then nobody asks for its choices


@given(games())
def test_the_second_question_is_the_same_position_by_legal_moves(game: tuple[Rules, tuple[int, ...]]) -> None:
    rules, moves = game
    seen: list[Position] = []

    class Notes:
        def choose(self, position: Position, rng: Rng) -> int:
            seen.append(position)
            return position.legal_moves[0]

    before = Position.start(rules, moves[: max(0, len(moves) - 1)])
    decide(Notes(), [before], twice=True)
    assert seen[0] == seen[1] == Position.start(rules, seen[1].moves)
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
        (choices,) = decide(agent, [Position.start(rules, at)])
        for symmetry in symmetries(rules):
            image = Position.start(rules, tuple(symmetry.image[cell] for cell in at))
            assert decide(agent, [image]) == [tuple(sorted(symmetry.image[cell] for cell in choices))]


def test_who_is_symmetric() -> None:
    assert not is_symmetric(build_agent("minimax:ties=first"))
    assert not is_symmetric(build_agent("random"))
    with pytest.raises(AgentFailedError, match="asked whether it is symmetric: RuntimeError: no idea"):
        is_symmetric(deciders.Sided())


def test_minimax_names_all_that_it_may_choose() -> None:
    for text in ("minimax:depth=2", "minimax:depth=2,ties=first", "minimax:depth=9"):
        agent = build_agent(text)
        for position, choices in zip(ASKED, decide(agent, ASKED), strict=True):
            assert {agent.choose(position, Rng(seed)) for seed in range(60)} == set(choices)
            assert agent.choices(position) == choices  # type: ignore[attr-defined]
            if "first" in text:
                assert len(choices) == 1


@pytest.mark.parametrize("text", ["minimax:depth=2", "minimax:depth=2,ties=first"])
def test_minimax_chooses_for_many_positions_what_it_chooses_for_each(text: str) -> None:
    agent = build_agent(text)
    assert isinstance(agent, BatchAgent)
    rngs, same = [Rng(seed) for seed in range(len(ASKED))], [Rng(seed) for seed in range(len(ASKED))]
    one_by_one = [agent.choose(position, rng) for position, rng in zip(ASKED, same, strict=True)]
    assert agent.choose_many(ASKED, rngs) == one_by_one
    assert [rng.getstate() for rng in rngs] == [rng.getstate() for rng in same]
    assert agent.choose_many([], []) == []
