"""Matches of evolved agents: alone and many at once."""

from pathlib import Path

import pytest

from noughts.agents.registry import lockstep_of
from noughts.play.lockstep import play_together
from noughts.rules import parse_rules
from tests.agents.runs import evolved_run
from tests.networks.value_networks import random_network
from tests.play.plans import plan, play


@pytest.fixture(autouse=True)
def _own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path))


def test_it_plays_alone_and_in_company() -> None:
    evolved_run("demo", random_network(parse_rules("tic-tac-toe"), 0))
    plans = [
        plan(first, second, seed=number)
        for number in range(6)
        for first, second in (("es:demo,which=best", "random"), ("minimax", "es:demo"), ("es:demo", "es:demo@1"))
    ]
    endings = set()
    for one, record in zip(plans, play_together(plans), strict=True):
        alone = play(one)
        assert (alone.moves, alone.ending) == (record.moves, record.ending)
        endings.add(record.ending)
    assert endings == {"first", "second", "draw"}
    assert lockstep_of("es:demo") == "gains"
