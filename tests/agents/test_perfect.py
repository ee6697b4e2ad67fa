"""The perfect agent chooses the best moves by brute force, and never spoils a result it holds."""

import pytest

from noughts.agents import analyse, build_agent, choose
from noughts.agents.asking import possible_moves
from noughts.agents.perfect import PerfectAgent
from noughts.positions import Position, Rng
from noughts.rules import AgentError, SolverError, parse_rules
from noughts.search import Kind
from noughts.solvers.solve import Truth
from tests.positions.reached import at, wandered
from tests.solvers.brute_force import Known

SMALL = (
    "tic-tac-toe",
    "misere-tic-tac-toe",
    "notakto(3)",
    "mnk(3,3,3,full=second,wrap=rows)",
    "mnk(2,4,2,marks=shared,line=loses)",
    "mnk(1,3,2,marks=shared,line=loses,boards=2)",
)


def perfect(options: str = "") -> PerfectAgent:
    agent = build_agent("perfect" + options)
    assert isinstance(agent, PerfectAgent)
    return agent


def best_of(position: Position, known: Known) -> set[int]:
    """The moves that keep the value and win soonest or lose latest."""
    merits = {}
    for move in position.legal_moves:
        value, lasts = known[position.play(move)]
        merits[move] = -value, lasts if value == 1 else -lasts
    return {move for move in merits if merits[move] == max(merits.values())}


@pytest.mark.heavy
@pytest.mark.parametrize("text", SMALL)
def test_its_choices_are_exactly_the_best_moves(text: str) -> None:
    known, agent, first, rng = Known(parse_rules(text)), perfect(), perfect(":ties=first"), Rng(1)
    for position in known.some(60, rng):
        assert set(agent.name_choices(position)) == best_of(position, known)
        assert choose(agent, position, rng) in agent.name_choices(position)
        assert choose(first, position, rng) == min(agent.name_choices(position))


def test_its_analysis_contains_exact_values() -> None:
    rules = parse_rules("mnk(3,4,3)")
    start = Position.start(rules)
    agent = perfect()
    found = analyse(agent, start, Rng(3))
    assert (found.value, found.kind, found.distance) == (1.0, Kind.EXACT, 7)
    assert found.move == choose(perfect(), start, Rng(3))
    by_name = {rules.name_of(move.move): (move.value, move.kind, move.distance) for move in found.moves}
    assert by_name["B2"] == (1.0, Kind.EXACT, 7)
    assert by_name["A1"] == (1.0, Kind.EXACT, 9)
    assert by_name["B1"] == (-1.0, Kind.EXACT, 10)


def test_too_few_nodes_are_reported_and_minimax_moves() -> None:
    start = Position.start(parse_rules("bttt(C3)"))
    agent = perfect(":nodes=50")
    found = analyse(agent, start, Rng(0))
    assert (found.value, found.kind, found.distance) == (0.0, Kind.ESTIMATE, None)
    liked = build_agent("minimax:depth=2")
    assert {choose(agent, start, Rng(seed)) for seed in range(30)} <= set(possible_moves(liked, [start])[0])


def test_its_choices_do_not_depend_on_earlier_queries() -> None:
    """If its nodes settle a position, it plays a best move, whatever it searched before; else it lists none."""
    rules, rng, named = parse_rules("mnk(4,4,3,bricks=A1)"), Rng(5), 0
    for nodes in (20, 100, 1000):
        warm = perfect(f":nodes={nodes}")
        for _ in range(40):
            position = wandered(rules, rng.below(6), rng)
            move = choose(warm, position, rng)
            try:
                choices = perfect(f":nodes={nodes}").name_choices(position)
            except AgentError:
                continue
            named += 1
            assert warm.name_choices(position) == choices
            assert move in choices
    assert named > 50


def test_moves_undecided_within_its_nodes_are_not_listed() -> None:
    with pytest.raises(AgentError, match="its 5 nodes do not settle the position after no moves: give it more"):
        perfect(":nodes=5").name_choices(Position.start(parse_rules("tic-tac-toe")))


def test_a_win_found_without_search_is_kept_at_any_node_budget() -> None:
    position = at("mnk(6,6,5,full=second)", "D2 C5 B4 F1 D5 B2 F4 C4 A1 E1 A3 B1 D4")
    truth = Truth(position.rules)
    assert truth.prove(position).value == 1
    for seed in range(20):
        child = position.play(choose(perfect(":nodes=300"), position, Rng(seed)))
        assert truth.prove(child).value == -1


@pytest.mark.slow
def test_it_keeps_playing_where_no_solver_covers_later_positions() -> None:
    rules, rng = parse_rules("notakto(8)"), Rng(2)
    agent, position = perfect(), Position.start(rules)
    while not position.is_over:
        side = agent if position.ply % 2 == 0 else build_agent("random")
        position = position.play(choose(side, position, rng))
        analyse(agent, position, rng) if position.ply == 3 else None
    assert position.ply > 8


@pytest.mark.heavy
def test_a_game_that_no_solver_covers_is_refused() -> None:
    with pytest.raises(SolverError, match="no solver covers gomoku"):
        choose(perfect(), Position.start(parse_rules("gomoku")), Rng())
