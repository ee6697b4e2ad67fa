"""A tournament: every agent against every other, and against itself if asked, each as first player."""

from collections.abc import Iterable, Sequence

from noughts.play.match import MatchPlan, MatchResult, make_match, match_result
from noughts.play.playthrough import by_match
from noughts.rules import AgentError
from noughts.store.records import GameRecord


def round_robin(
    rules: str,
    agents: Sequence[str],
    games: int,
    seed: int = 0,
    with_itself: bool = False,
    opening_plies: int = 0,
    move_seconds: float | None = None,
) -> list[MatchPlan]:
    """One match for each ordered pair, so that everybody moves first against everybody.

    Raises:
        AgentError: fewer than two agents (one, if they play themselves), or one named twice.
    """
    canonical = [make_match(MatchPlan(rules=rules, a=agent, b=agent, games=1)).a for agent in agents]
    if len(set(canonical)) < len(canonical):
        twice = next(agent for agent in canonical if canonical.count(agent) > 1)
        raise AgentError(f"agent {twice!r} is named twice: name each once")
    if len(canonical) < (1 if with_itself else 2):
        raise AgentError("a tournament needs at least two agents")
    return [
        make_match(
            MatchPlan(
                rules=rules,
                a=a,
                b=b,
                games=games,
                seed=seed,
                opening_plies=opening_plies,
                move_seconds=move_seconds,
            )
        )
        for a in canonical
        for b in canonical
        if a != b or with_itself
    ]


def standings(plans: Sequence[MatchPlan], records: Iterable[GameRecord]) -> list[tuple[MatchPlan, MatchResult]]:
    """The result of each match, in the order of the plans."""
    matches = by_match(records)
    return [(plan, match_result(plan, matches.get(plan.name, []))) for plan in plans]


def ranking(results: Sequence[tuple[MatchPlan, MatchResult]]) -> list[tuple[str, float, int]]:
    """Agents by their mean score against others (win 1, draw 1/2), best first: (agent, score, games)."""
    points: dict[str, float] = {}
    games: dict[str, int] = {}
    for plan, result in results:
        if plan.a == plan.b:
            continue
        won = result.total.wins + result.total.draws / 2
        for agent, score in ((plan.a, won), (plan.b, result.total.games - won)):
            points[agent] = points.get(agent, 0.0) + score
            games[agent] = games.get(agent, 0) + result.total.games
    table = [(agent, points[agent] / max(1, games[agent]), games[agent]) for agent in points]
    return sorted(table, key=lambda row: -row[1])
