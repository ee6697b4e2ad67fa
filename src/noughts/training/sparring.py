"""Games of an agent in training, which has no text yet, against an agent named by text."""

from collections.abc import Sequence
from typing import NamedTuple

from noughts.agents import Agent, build_agent
from noughts.play.lockstep import play_together
from noughts.play.playthrough import GamePlan
from noughts.rules import Rules, format_rules
from noughts.store.records import GameRecord

_LEARNER = "the network"


class SparringGame(NamedTuple):
    """One game to be played."""

    rules: Rules
    seed: int


def spar(agent: Agent, side: str, opponent: str, games: Sequence[SparringGame]) -> list[GameRecord]:
    """Play all of them at once, `agent` on one side, ``first`` or ``second``."""

    def build(text: str) -> Agent:
        return agent if text == _LEARNER else build_agent(text)

    first, second = (_LEARNER, opponent) if side == "first" else (opponent, _LEARNER)
    plans = [
        GamePlan(key=str(number), rules=format_rules(game.rules), first=first, second=second, seed=game.seed)
        for number, game in enumerate(games)
    ]
    return play_together(plans, build)
