"""A tournament: every agent against every other, and against itself if asked, each as first player."""

import itertools
from collections.abc import Mapping, Sequence

from noughts.agents import AgentSpec
from noughts.play.score import Score
from noughts.questions.played import MatchResult, Played, Playthrough
from noughts.rules import AgentError, Task


def round_robin(
    task: Task,
    agents: Sequence[AgentSpec],
    games: int,
    seed: int = 0,
    with_itself: bool = False,
    opening_plies: int = 0,
    move_seconds: float | None = None,
) -> list[Played]:
    """One match for each ordered pair, so that everybody moves first against everybody.

    Raises:
        AgentError: fewer than two agents (one, if they play themselves), or one named twice.
    """
    if len(set(agents)) < len(agents):
        twice = next(agent for agent in agents if agents.count(agent) > 1)
        raise AgentError(f"agent {str(twice)!r} is named twice: name each once")
    if len(agents) < (1 if with_itself else 2):
        raise AgentError("a tournament needs at least two agents")
    return [
        Played(task=task, a=a, b=b, games=games, seed=seed, opening_plies=opening_plies, move_seconds=move_seconds)
        for a in agents
        for b in agents
        if a != b or with_itself
    ]


def in_rounds(matches: Sequence[Played]) -> list[Playthrough]:
    """Every game of some matches: the first of each, then the second of each, so that all of them fill up together."""
    rounds = itertools.zip_longest(*(played.units() for played in matches))
    return [game for games in rounds for game in games if game is not None]


def ranking(results: Mapping[Played, MatchResult]) -> list[tuple[str, float, int]]:
    """Agents by their mean score against others (win 1, draw 1/2), best first: (agent, score, games)."""
    scores: dict[AgentSpec, Score] = {}
    for played, result in results.items():
        if played.a != played.b:
            total = result.total
            scores[played.a] = scores.get(played.a, Score()) + total
            scores[played.b] = scores.get(played.b, Score()) + total.turned()
    table = [(str(agent), score.points, score.games) for agent, score in scores.items()]
    return sorted(table, key=lambda row: -row[1])
