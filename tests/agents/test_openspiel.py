"""OpenSpiel's bots and policies obey the law of `decide`, draw only from our generator, and fail with one line."""

import importlib.metadata
import sys

import pyspiel
import pytest

from noughts.agents import analyse, build_agent, choose, parse_agent
from noughts.agents.asking import possible_moves
from noughts.agents.registry import depends_on, from_outside, lockstep_of
from noughts.positions import Position, Rng
from noughts.rules import AgentError, parse_rules
from noughts.search import Kind
from tests.agents.law import check_law

BOTS = "tests.agents.openspiel_bots"
TEXTS = [
    "openspiel:mcts,sims=30",
    "openspiel:mcts,sims=30,c=1.5,rollouts=2,solve=no,game=ours",
    "openspiel:alphabeta,depth=2,game=ours",
    "openspiel:random",
    f"openspiel:{BOTS}:make_bot",
    f"openspiel:{BOTS}:Last,game=ours,skip=2",
    f"openspiel:{BOTS}:CornersFirst",
]
POSITIONS = [
    Position.start(parse_rules(game), moves)
    for game, moves in (
        ("tic-tac-toe", ()),
        ("tic-tac-toe", (4, 0, 8)),
        ("notakto(3,boards=2)", (0, 1, 2, 9)),
        ("mnk(4,4,3,bricks=A1,line=loses)", (5,)),
        ("tic-tac-toe", (4, 0, 8, 2, 1, 7, 3, 5)),
    )
]


@pytest.mark.parametrize("text", TEXTS)
def test_they_decide_consistently_and_their_dependencies_are_unknown(text: str) -> None:
    assert str(parse_agent(str(parse_agent(text)))) == str(parse_agent(text))
    assert from_outside(f"omniscient:inside=({text})")
    assert lockstep_of(text) == "joins"
    check_law(lambda: build_agent(parse_agent(text)), POSITIONS)


def test_mcts_decides_as_openspiels_bot_and_reports_values_and_proofs() -> None:
    position = POSITIONS[1]
    game = pyspiel.load_game("tic_tac_toe")
    state = game.new_initial_state()
    for move in position.moves:
        state.apply_action(move)
    for number in range(5):
        seed = Rng(number).below(2**31)
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        theirs = pyspiel.MCTSBot(game, evaluator, 2.0, 200, 1000, True, seed, False)
        agent = build_agent("openspiel:mcts,sims=200")
        assert choose(agent, position, Rng(number)) == theirs.step(state)
    thought = analyse(agent, position, Rng(1))
    assert [found.move for found in thought.moves] == list(position.legal_moves)
    assert sum(found.visits for found in thought.moves) < thought.nodes <= 200
    assert thought.principal_variation[0] == thought.move
    proved = analyse(build_agent("openspiel:mcts,sims=500"), Position.start(position.rules, (0, 3, 1, 4)), Rng(1))
    assert (proved.move, proved.value, proved.kind) == (2, 1.0, Kind.EXACT)


def test_alpha_beta_finds_what_is_within_its_depth() -> None:
    must_block = Position.start(parse_rules("tic-tac-toe"), (8, 3, 1, 4))
    assert choose(build_agent("openspiel:alphabeta,depth=1"), must_block, Rng()) == 0
    assert choose(build_agent("openspiel:alphabeta,depth=2"), must_block, Rng()) == 5


def test_a_policy_lists_its_choices_and_samples_by_their_probabilities() -> None:
    agent, position = build_agent(f"openspiel:{BOTS}:CornersFirst"), POSITIONS[0]
    assert possible_moves(agent, [position], twice=True) == [(0, 1)]
    moves = [choose(agent, position, Rng(seed)) for seed in range(400)]
    assert set(moves) == {0, 1}
    assert 260 < moves.count(0) < 340
    assert possible_moves(build_agent("openspiel:random"), [position]) == [tuple(range(9))]


def test_a_deterministic_bot_leaves_our_generator_unchanged() -> None:
    for text, draws in (("Last", False), ("make_bot", True), ("CornersFirst", True)):
        rng = Rng(3)
        choose(build_agent(f"openspiel:{BOTS}:{text}"), POSITIONS[0], rng)
        assert (rng.getstate() != Rng(3).getstate()) == draws, text


@pytest.mark.parametrize(
    ("text", "message"),
    {
        "openspiel:mtcs,sims=5": "OpenSpiel has no bot 'mtcs' .did you mean 'mcts'",
        "openspiel:mcts,depth=4": "openspiel has no option 'depth'; choose from: c, game, rollouts, sims, solve",
        f"openspiel:{BOTS}:Nobody": "tests.agents.openspiel_bots has no class 'Nobody'",
        f"openspiel:{BOTS}:make_bot,size=3": "unknown option 'size'; there are none",
        f"openspiel:{BOTS}:nothing": "3 has neither",
        f"openspiel:{BOTS}:NoMove": "its policy gives no move a probability",
    }.items(),
)
def test_unusable_bots_are_rejected_in_one_line(text: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        choose(build_agent(parse_agent(text)), POSITIONS[0], Rng())


def test_another_version_or_source_is_another_agent() -> None:
    version = importlib.metadata.version("open-spiel")
    assert depends_on("openspiel:mcts").versions == {"mcts": f"open-spiel {version}"}
    (code,) = depends_on(f"openspiel:{BOTS}:Last").versions.values()
    assert code.startswith(f"open-spiel {version} ")
    assert code != next(iter(depends_on("openspiel:tests.agents.law:Last").versions.values()))


def test_a_missing_openspiel_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "noughts.positions.openspiel", raising=False)
    with pytest.raises(AgentError, match=r"OpenSpiel is not installed: in your clone of noughts, run pip install"):
        build_agent("openspiel:mcts")
