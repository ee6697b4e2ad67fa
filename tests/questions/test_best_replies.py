"""`BestReplies`: a question about a task, for agents that give the probability of each choice."""

import pytest

from noughts.agents import parse_agent
from noughts.questions.best_replies import BestReplies, BestReply
from noughts.questions.question import answer_here
from noughts.rules import AgentError, parse_rules, task_of
from tests.questions.asking import DECIDERS, asked


def asked_of(agent: str, rules: str) -> BestReply:
    return BestReply(agent=parse_agent(agent), rules=parse_rules(rules), side="first")


def test_images_of_a_game_are_walked_once() -> None:
    games = [parse_rules(f"mnk(3,3,3,bricks={square},full=second)") for square in ("A1", "A3", "C1", "C3", "B2")]
    question = BestReplies(task=task_of(*games), agent=parse_agent("minimax:depth=1"), side="first", images_once=True)
    assert len(question.needs()) == 2
    found = asked(question.needs())[question].by_rules
    assert list(found) == games
    assert len({found[rules] for rules in games[:4]}) == 1
    assert found[games[0]] == answer_here(question.needs()[0])


def test_the_loss_rate_of_an_agent_from_outside_is_unknown() -> None:
    with pytest.raises(AgentError, match=r"the loss rate of .*Ends is unknown"):
        answer_here(asked_of(DECIDERS + "Ends", "tic-tac-toe"))


def test_a_false_claim_of_symmetry_changes_no_loss_rate() -> None:
    for rules in ("tic-tac-toe", "misere-tic-tac-toe(bricks=A1,wrap=both)"):
        says, silent = (f"python:tests.questions.agents:{name}" for name in ("OnlySaysSo", "OnlySaysNothing"))
        assert answer_here(asked_of(says, rules)) == answer_here(asked_of(silent, rules))


def test_bounds_are_accepted_up_to_the_limit_they_were_computed_with() -> None:
    few = asked_of("minimax:depth=2,eval=none", "tic-tac-toe").model_copy(update={"most": 20})
    more = few.model_copy(update={"most": 10_000})
    bounds, exact = answer_here(few), answer_here(more)
    assert (few.key, bounds.limit, exact.limit) == (more.key, 20, None)
    assert few.accepts(bounds)
    assert few.accepts(exact)
    assert more.accepts(exact)
    assert not more.accepts(bounds)
    assert (str(bounds), str(exact)) == (f"0.00 to {100 * bounds.high:.2f}", f"{100 * exact.low:.2f}")
