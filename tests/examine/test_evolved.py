"""Every reply to an evolved agent: what chance never plays in a few games is met by the walk."""

import numpy as np
import pytest

from noughts.agents import build_agent
from noughts.networks.value_network import ValueNetwork
from noughts.positions import Side
from noughts.rules import parse_rules
from tests.agents.runs import evolved_run
from tests.examine.walking import walk_every_reply
from tests.networks.value_networks import random_network

pytestmark = pytest.mark.usefixtures("own_store")


def test_every_tie_is_walked() -> None:
    rules = parse_rules("mnk(1,4,2)")
    # To a network of zeros all moves are equal.
    evolved_run("undecided", random_network(rules, 0), random_network(rules, 0))
    walk = walk_every_reply(build_agent("es:undecided"), rules, Side.SECOND)
    assert walk.lost_game is not None
    assert walk.ties > 0
    # A network that takes the cells from left to right, by so little that a tolerance makes all of them equal.
    weights = np.zeros((8, 1))
    weights[:4, 0] = [0.04, 0.03, 0.02, 0.01]
    parameters = np.concatenate([weights.ravel(), [0.0], [1.0], [0.0]])
    one = ValueNetwork((8, 1, 1), parameters)
    evolved_run("ordered", one, one)
    firm = walk_every_reply(build_agent("es:ordered"), rules, Side.FIRST)
    assert (firm.lost_game, firm.ties) == (None, 0)
    loose = walk_every_reply(build_agent("es:ordered,ties=2"), rules, Side.FIRST)
    assert loose.ties > 0
    everything = walk_every_reply(build_agent("es:undecided"), rules, Side.FIRST)
    assert (loose.won, loose.drawn, loose.lost) == (everything.won, everything.drawn, everything.lost)
