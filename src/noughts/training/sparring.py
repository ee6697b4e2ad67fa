"""Games of an agent in training, which has no spec yet, against an agent with a spec."""

from collections.abc import Iterable

from noughts.agents import Agent, AgentSpec, build_agent
from noughts.play.lockstep import play_together
from noughts.play.playthrough import GamePlan
from noughts.play.score import Player
from noughts.rules import Rules
from noughts.store.records import GameRecord

_LEARNER = AgentSpec(name="the-network")


def spar(agent: Agent, side: Player, opponent: AgentSpec, games: Iterable[tuple[Rules, int]]) -> list[GameRecord]:
    """Play all games of these rules and seeds at once, with `agent` on one side."""

    def build(spec: AgentSpec) -> Agent:
        return agent if spec == _LEARNER else build_agent(spec)

    first, second = (_LEARNER, opponent) if side == "first" else (opponent, _LEARNER)
    plans = [GamePlan(rules=rules, first=first, second=second, seed=seed) for rules, seed in games]
    return play_together(plans, build)
