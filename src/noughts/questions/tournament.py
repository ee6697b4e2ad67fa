"""A tournament: every agent plays every other, and optionally itself, as first player."""

import itertools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from noughts.agents import AgentSpec
from noughts.play.score import Score, points_with_repeats
from noughts.questions.played import MatchResult, Played, Playthrough
from noughts.rules import AgentError, Task
from noughts.statistics import Interval


def round_robin(
    task: Task,
    agents: Sequence[AgentSpec],
    games: int,
    seed: int = 0,
    with_itself: bool = False,
    opening_plies: int = 0,
    move_seconds: float | None = None,
) -> list[Played]:
    """One match for each ordered pair, so that each agent moves first against every other.

    Raises:
        AgentError: there are fewer than two agents (one, if they play themselves), or an agent is named twice.
    """
    if len(set(agents)) < len(agents):
        twice = next(agent for agent in agents if agents.count(agent) > 1)
        raise AgentError(f"agent {str(twice)!r} is named twice: name each once")
    if len(agents) < (1 if with_itself else 2):
        raise AgentError("a tournament needs at least two agents")
    return [
        Played(
            task=task,
            a=a,
            b=b,
            games=games,
            moves_first="a",
            seed=seed,
            opening_plies=opening_plies,
            move_seconds=move_seconds,
        )
        for a in agents
        for b in agents
        if a != b or with_itself
    ]


def in_rounds(matches: Sequence[Played]) -> list[Playthrough]:
    """Every game of some matches, in turns: the first of each, then the second of each, and so on."""
    rounds = itertools.zip_longest(*(played.needs() for played in matches))
    return [game for games in rounds for game in games if game is not None]


class Tournament(NamedTuple):
    """The results of a tournament.

    Attributes:
        rules: The text of the games, as given by the user.
        results: The result of each match.
    """

    rules: str
    results: Mapping[Played, MatchResult]

    @property
    def agents(self) -> list[AgentSpec]:
        """The agents, in order."""
        return list(dict.fromkeys(played.a for played in self.results))


class Ranked(NamedTuple):
    """An agent in the ranking.

    Attributes:
        agent: The agent's text.
        score: The mean points of its games against others: 1 for a win, 1/2 for a draw.
        games: The number of these games.
        distinct: The number of different ones.
        interval: The score with its 95 percent confidence interval, which repeated games do not narrow.
    """

    agent: str
    score: float
    games: int
    distinct: int
    interval: Interval


def ranking(results: Mapping[Played, MatchResult]) -> list[Ranked]:
    """Agents by their mean score against others (win 1, draw 1/2), best first."""
    played_by: dict[AgentSpec, list[tuple[Score, int]]] = {}
    for played, result in results.items():
        if played.a != played.b:
            played_by.setdefault(played.a, []).extend(result.groups)
            played_by.setdefault(played.b, []).extend((score.turned(), distinct) for score, distinct in result.groups)
    table = [_ranked(str(agent), groups) for agent, groups in played_by.items()]
    return sorted(table, key=lambda row: -row.score)


def _ranked(agent: str, groups: Sequence[tuple[Score, int]]) -> Ranked:
    total = sum((score for score, _ in groups), Score())
    return Ranked(
        agent, total.points, total.games, sum(distinct for _, distinct in groups), points_with_repeats(groups)
    )
