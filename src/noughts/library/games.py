"""Functions that play games, matches and tournaments."""

import time
from collections.abc import Sequence
from typing import Any

from noughts.agents import AgentSpec
from noughts.library.agents import as_player
from noughts.library.asking import Agents, Games, How, OnProgress, ask, games_name, read_agent
from noughts.play import playthrough
from noughts.play.playthrough import GamePlan
from noughts.questions.answers import Answers
from noughts.questions.played import MatchResult, Played
from noughts.questions.tournament import Tournament, round_robin
from noughts.questions.traits import require_agent
from noughts.rules import Rules, read_rules, read_task
from noughts.store.records import GameRecord


def play_game(
    first: Any, second: Any, rules: Rules | str = "tic-tac-toe", seed: int = 0, *, opening: tuple[int, ...] = ()
) -> GameRecord:
    """Play one game in this process, and save nothing. If an agent fails, the record is an ``error``.

    Args:
        first, second: Agents, their texts, or any objects with ``choose(position, rng)``. `first` begins.
        rules: A game or its text.
        seed: Random seed.
        opening: Moves made before the agents begin, as cell indices.

    Raises:
        AgentError: there is no such agent.
        RulesError: there is no such game.
    """
    agents = as_player(first), as_player(second)
    plan = GamePlan(rules=read_rules(rules), first=_named(first), second=_named(second), seed=seed, opening=opening)
    return playthrough.play_game(plan, agents, time.perf_counter)


def match(
    a: Agents,
    b: Agents,
    rules: Games = "tic-tac-toe",
    games: int = 100,
    *,
    fixed: bool = False,
    opening: int = 0,
    seed: int = 0,
    move_seconds: float | None = None,
    workers: int | None = None,
    on: str | None = None,
    on_progress: OnProgress = None,
    again: bool = False,
) -> MatchResult:
    """Play a match, as ``noughts match`` does, and save it in the store. After an interrupt, the same call resumes it.

    Args:
        a, b: The texts of the agents.
        rules: A game, or a task such as ``bttt(*)``, whose games are all played equally often.
        games: Number of games in total.
        fixed: Whether `a` always begins; otherwise the agents take turns.
        opening: Number of random moves before the agents begin, the same moves for each pair of games.
        seed: Random seed.
        move_seconds: Limit for a move; an agent that takes longer ends the game with an error. None for no limit.
        workers: Number of processes; None for one per core, 0 for this process alone. It does not change the games.
        on: Where they run: ``local``, ``ray``, ``auto``, ``HOST:PORT`` or ``ray://HOST:PORT``; None for NOUGHTS_ON, or else ``local``.
        on_progress: Called as games end. An error that it raises ends the work; finished games stay saved.
        again: Whether to play saved games again; otherwise a finished match is returned as it was saved.

    Returns:
        The result from the point of view of `a`; ``result.win_interval`` is its share of wins.

    Raises:
        AgentError: there is no such agent, or no such match.
    """
    played = Played(
        task=read_task(rules),
        a=read_agent(a),
        b=read_agent(b),
        games=games,
        moves_first="a" if fixed else "turns",
        opening_plies=opening,
        seed=seed,
        move_seconds=move_seconds,
    )
    heard = _require_playable([played], workers)
    how = How(workers, on, on_progress, again)
    return ask([played], "match", f"{played.a} - {played.b}", how, seed=seed, heard=heard)[played]


def tournament(
    agents: Sequence[Agents],
    rules: Games = "tic-tac-toe",
    games: int = 100,
    *,
    opening: int = 0,
    seed: int = 0,
    move_seconds: float | None = None,
    workers: int | None = None,
    on: str | None = None,
    on_progress: OnProgress = None,
    again: bool = False,
) -> Tournament:
    """Play a round robin, as ``noughts tournament`` does: each agent moves first against every other agent.

    Args:
        agents: The texts of two or more agents.
        games: Number of games for each ordered pair.
        rules, opening, seed, move_seconds: See `match`.
        workers, on, on_progress, again: See `match`.

    Returns:
        The result of each match; ``ranking(tournament.results)`` of `noughts.questions.tournament` ranks the agents.

    Raises:
        AgentError: there is no such agent, one is named twice, or there are fewer than two.
    """
    specs = list(map(read_agent, agents))
    matches = round_robin(read_task(rules), specs, games, seed, opening_plies=opening, move_seconds=move_seconds)
    heard = _require_playable(matches, workers)
    called = games_name(rules)

    def known(answers: Answers) -> Tournament:
        return Tournament(called, {match: answers[match] for match in matches})

    how = How(workers, on, on_progress, again)
    return known(ask(matches, "tournament", f"tournament of {called}", how, seed=seed, so_far=known, heard=heard))


def _require_playable(matches: Sequence[Played], workers: int | None) -> Answers:
    """Query the traits of all agents; AgentError if an agent cannot be created or a match cannot be played."""
    heard = Answers()
    games: dict[AgentSpec, dict[Rules, None]] = {}
    for match in matches:
        match.needs()
        for agent in (match.a, match.b):
            games.setdefault(agent, {}).update(dict.fromkeys(match.task.rules))
    for agent, own in games.items():
        require_agent(agent, workers, tuple(own), heard)
    return heard


def _named(given: Any) -> AgentSpec:
    """Return the name of an agent for a record: its text, or module and name of its class."""
    if isinstance(given, str):
        return read_agent(given)
    return AgentSpec(name="python", target=f"{type(given).__module__}:{type(given).__qualname__}")
