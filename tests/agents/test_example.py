"""The example that ships with noughts: it plays, and its certificate says what it plays."""

import pytest

from noughts.agents import build_agent, choose, parse_agent
from noughts.agents.trained import EXAMPLE, example_file, is_example, pinned
from noughts.positions import Position, Rng
from noughts.rules import AgentError, parse_rules
from noughts.solvers.verify import verify

CERTIFICATE = example_file("first-bttt-D4.proof.xz")


def test_it_is_known_by_its_hash() -> None:
    spec = parse_agent("az:example,sims=0")
    assert spec.target == pinned(EXAMPLE)
    assert is_example(spec.target)
    assert not is_example("example-2@7")
    assert parse_agent(str(spec)) == spec
    with pytest.raises(AgentError, match="holds other weights"):
        build_agent("az:example@0123456789abcdef,sims=0")


@pytest.mark.heavy
def test_it_plays_what_its_certificate_says_and_wins() -> None:
    report = verify(CERTIFICATE)
    assert (report.side, report.claim, report.game) == ("first", "wins", "bttt(D4)")
    assert parse_agent(report.agent) == parse_agent("az:example,sims=0,view=canonical")
    agent, position = build_agent(report.agent), Position.start(parse_rules(report.game))
    while not position.is_over:  # against whoever takes the first free cell
        move = choose(agent, position, Rng(0)) if position.ply % 2 == 0 else position.legal_moves[0]
        position = position.play(move)
    assert position.outcome.name == "FIRST"
