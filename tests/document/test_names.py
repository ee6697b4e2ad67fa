"""Short names of agents: what is read as one, and where it is shown."""

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
def test_a_name_stands_before_the_first_equals_sign_and_any_colon(given: str, name: str, agent: str) -> None:
    assert split_name(given) == (name, agent)


def test_agents_keep_their_place_and_are_read() -> None:
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
            "'my agent' cannot be a name: write NAME=random, and NAME of letters, digits, - and _, without",
        ),
        (["my.agent="], "'my.agent' cannot be a name: write NAME=AGENT"),
        (["me=you=random"], "agent 'you=random' is malformed"),
    ],
)
def test_what_cannot_be_a_name_is_refused_in_one_line(agents: list[str], message: str) -> None:
    with pytest.raises(AgentError) as error:
        read_names(agents)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_names_stand_in_texts_where_agents_stood_and_in_no_other_agent() -> None:
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
