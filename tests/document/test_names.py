"""Short names of agents: how they are parsed, and where they appear."""

import pytest

from noughts.agents import parse_agent
from noughts.document.names import NO_NAMES, Names, read_names, split_name
from noughts.rules import AgentError

MINE = "python:mine.py:Mine,depth=2"


@pytest.mark.parametrize(
    ("given", "name", "agent"),
    [
        (f"me={MINE}", "me", MINE),
        ("My-2_nd = mcts:sims=10", "My-2_nd", "mcts:sims=10"),
        ("mcts:sims=10", "", "mcts:sims=10"),
        ("python:a=b.py:Mine,depth=2", "", "python:a=b.py:Mine,depth=2"),
        ("random", "", "random"),
    ],
)
def test_a_name_ends_at_the_first_equals_sign_before_any_colon(given: str, name: str, agent: str) -> None:
    assert split_name(given) == (name, agent)


def test_agents_keep_their_order_and_are_parsed() -> None:
    agents, names = read_names([f"me={MINE}", "mcts", "other=mcts:sims=1_0"])
    assert agents == list(map(parse_agent, (MINE, "mcts", "mcts:sims=10")))
    assert names.by_name == {"me": MINE, "other": "mcts:sims=10"}
    assert names.legend == [f"me is {MINE}", "other is mcts:sims=10"]
    assert list(map(names.show, agents)) == ["me", "mcts:sims=1000", "other"]


@pytest.mark.parametrize(
    ("agents", "message"),
    [
        (["me=random", "me=mc"], "two agents have the name 'me'"),
        (["me=random", "you=random"], "agent 'random' has two names, me and you"),
        (["minimax=random"], "minimax is a kind of agent and cannot be a name; options follow a colon"),
        (["Random=mc"], "Random is a kind of agent"),
        (["python=mc"], "python is a kind of agent"),
        (["me="], "no agent follows the name"),
        (["me=nobody"], "unknown agent 'nobody'"),
        (
            ["my agent=random"],
            "'my agent' cannot be a name: write NAME=AGENT, and NAME of letters A to Z, digits, - and _, without spaces",
        ),
        (["ünï=random"], "'ünï' cannot be a name: write NAME=AGENT, and NAME of letters A to Z"),
        (["my.agent="], "'my.agent' cannot be a name: write NAME=AGENT"),
        (["me=you=random"], "agent 'you=random' is malformed"),
    ],
)
def test_impossible_names_are_rejected_in_one_line(agents: list[str], message: str) -> None:
    with pytest.raises(AgentError) as error:
        read_names(agents)
    assert message in str(error.value)


def test_names_replace_agents_in_texts_but_not_inside_other_agents() -> None:
    names = Names({MINE: "me", "mcts:sims=100": "rival", "random": "dice"})
    other = "mcts:sims=1000 and omniscient:sims=1,inside=(mcts:sims=100)"
    texts = {
        f"{MINE} beat mcts:sims=100.": "me beat rival.",
        f"{MINE}: ValueError": "me: ValueError",
        **{same: same for same in (other, f"{MINE},ties=first", "a random player")},
    }
    shown = names.within({"a": MINE, "b": "random", "said": list(texts)})
    assert shown == {"a": "me", "b": "dice", "said": list(texts.values())}
    assert NO_NAMES.within(shown) is shown
