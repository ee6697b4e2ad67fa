"""Agents as text: what is written is what plays, and what is wrong is answered by what there is."""

import pytest

from noughts.agents import AGENTS, Agent, analyse, build_agent, parse_agent
from noughts.positions import Position, Rng
from noughts.rules import AgentError, parse_rules

TEXTS = {
    "random": "random",
    "minimax": "minimax:depth=2",
    "minimax:ties=first,depth=3": "minimax:depth=3,ties=first",
    "mcts:sims=1_000,c=1": "mcts:sims=1000",
    "mcts:c=1.41421": "mcts:sims=1000,c=1.41421",
    "mc:sims=100": "mc:sims=100",
    "omniscient:inside=minimax": "omniscient:sims=1,inside=minimax:depth=2",
    "omniscient:inside=(minimax:ties=first,depth=9),sims=3": "omniscient:sims=3,inside=(minimax:depth=9,ties=first)",
}

WRONG = {
    "foo": "no agent 'foo'.*there are: human, mc, mcts, minimax, omniscient, python:module:Class, random",
    "minmax": "did you mean 'minimax'",
    "mcts:sims=0": "sims=0 is not allowed: a whole number from 1 to 10000000",
    "mcts:sims=99999999999999999999": "not allowed",
    "mcts:sims=ten": "sims=ten is not allowed",
    "mcts:simulations=3": "no option of mcts 'simulations'.*there are: c, pick, sims",
    "mcts:sims": "'sims' is not an option; write option=value",
    "mcts:sims=1,sims=2": "given twice",
    "mcts:c=nan": "c=nan is not allowed",
    "mcts:": "malformed",
    "": "malformed",
    "minimax:depth=2,ties=best": "ties=best is not allowed: random or first",
    "minimax:depth=400": "depth=400 is not allowed: a whole number from 1 to 361",
    "omniscient": "needs inside",
    "omniscient:inside=(minimax:depth=9": "parentheses do not match",
    "omniscient:inside=nobody": "no agent 'nobody'",
    "random:sims=1": "no option of random",
    "human": "plays only in `noughts play`",
    "python:x": "write python:module:Class",
    "python:no_such_module:Agent": "no_such_module cannot be loaded: ModuleNotFoundError",
    "python:json:Agent": "no class in json 'Agent'",
    "python:json:JSONDecoder": r"no method choose\(position, rng\)",
    "python:no/such/file.py:Agent": "cannot be loaded",
}


@pytest.mark.parametrize(("text", "canonical"), TEXTS.items())
def test_text_has_one_canonical_form(text: str, canonical: str) -> None:
    assert str(parse_agent(text)) == canonical
    assert str(parse_agent(canonical)) == canonical


@pytest.mark.parametrize(("text", "message"), WRONG.items())
def test_wrong_text_is_answered_in_one_line(text: str, message: str) -> None:
    with pytest.raises(AgentError, match=message) as caught:
        build_agent(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", TEXTS.values())
@pytest.mark.parametrize("game", ["tic-tac-toe", "notakto(3,boards=2)", "mnk(4,4,3,bricks=A1,line=loses)"])
def test_every_agent_plays_every_kind_of_game_and_repeats_itself_for_a_seed(text: str, game: str) -> None:
    agent, again = build_agent(text), build_agent(parse_agent(text))
    assert isinstance(agent, Agent)
    position = Position.start(parse_rules(game))
    ply = 0
    while not position.is_over and ply < 4:
        move = agent.choose(position, Rng(ply))
        assert position.is_legal(move)
        assert again.choose(position, Rng(ply)) == move
        assert analyse(agent, position, Rng(ply)).move == move
        position, ply = position.play(move), ply + 1


def test_every_kind_says_what_it_is_and_what_its_options_allow() -> None:
    for kind in AGENTS.values():
        assert kind.about
        for option in kind.options:
            assert option.about
            assert option.allowed


def test_simulation_limits_are_those_of_the_searches() -> None:
    from noughts.search import mcts, montecarlo

    limits = {option.allowed for kind in AGENTS.values() for option in kind.options if option.name == "sims"}
    assert limits == {f"a whole number from 1 to {mcts.MAX_SIMULATIONS}"}
    assert montecarlo.MAX_SIMULATIONS == mcts.MAX_SIMULATIONS
