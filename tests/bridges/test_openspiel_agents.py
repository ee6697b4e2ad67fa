"""Bots of OpenSpiel in matches, proofs and beside truth, like any agent from outside the project."""

import pytest

from noughts.agents import parse_agent
from noughts.questions.judged import Judged
from noughts.questions.walked import EveryReply
from noughts.rules import parse_rules, parse_task
from tests.questions.asking import found, match

BOTS = "openspiel:tests.agents.openspiel_bots:"


def test_a_match_is_the_same_again_and_for_any_workers() -> None:
    question = match("openspiel:mcts,sims=50", f"{BOTS}make_bot", games=4, task="tic-tac-toe|misere-tic-tac-toe")
    played = [found(unit).moves for unit in question.needs()]
    assert len(set(played)) == 4
    assert [found(unit, workers=1).moves for unit in question.needs()[:1]] == played[:1]


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("agent", "side", "instance", "verdict"),
    [
        ("openspiel:alphabeta,depth=1", "second", None, "loses in"),
        ("openspiel:mcts,sims=30", "first", 1, "never loses"),
        (f"{BOTS}CornersFirst", "first", None, "loses in"),
    ],
)
def test_every_reply_to_them_is_walked(agent: str, side: str, instance: int | None, verdict: str) -> None:
    rules = parse_rules("tic-tac-toe")
    question = EveryReply(agent=parse_agent(agent), rules=rules, side=side, instance=instance)
    assert str(found(question)).startswith(verdict)


@pytest.mark.heavy
def test_their_search_is_judged_beside_truth() -> None:
    question = Judged(
        task=parse_task("mnk(3,3,3,bricks=B2)"), named=(parse_agent("openspiel:mcts,sims=200"),), plies=(0, 3)
    )
    (judged,) = found(question).games
    assert not judged.sampled
    assert judged.total.optimal > 0.95 * judged.total.choices > 0
