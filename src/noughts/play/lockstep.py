"""Many games at once: an agent chooses its moves in all games in which it is to move as one batch.

    game        1  2  3  4  5  6
    to move     A  A  B  A  B  B         A moves in 1, 2 and 4
                B  B  B  B  B  B         B moves in all
                A  A  A  A  -  A         A moves in those that are not over; and so on, until all are

Each game has its own generators and its own record, so it is the game that `play_game` would have played alone.
"""

from collections.abc import Callable, Hashable, Sequence

from noughts.agents import Agent, AgentSpec, build_agent
from noughts.agents.asking import answers, is_shared
from noughts.machine import Recorder
from noughts.play.playthrough import GamePlan, OpenGame
from noughts.rules.errors import one_line
from noughts.store.records import GameRecord


def play_together(
    plans: Sequence[GamePlan],
    build: Callable[[AgentSpec], Agent] = build_agent,
    clock: Callable[[], float] = lambda: 0.0,
    notes: Recorder | None = None,
) -> list[GameRecord]:
    """Play games to their ends, or until an agent fails; return the records in the order of the plans.

    Args:
        plans: The games to play, without time limits.
        build: Creates an agent from its spec: one for each of its games, or one for all if it can be shared.
        clock: Returns the time in seconds; the time for a batch is divided equally among its positions.
        notes: Records how many games are over, after each round of moves.

    Raises:
        ValueError: a plan has a time limit for moves, which cannot be enforced here.
    """
    if any(plan.move_seconds is not None for plan in plans):
        raise ValueError("games that are played together have no limit of time for their moves")
    games = [OpenGame(plan) for plan in plans]
    agents: dict[tuple[Hashable, ...], Agent] = {}
    while waiting := [game for game in games if game.goes_on]:
        if notes is not None:
            notes.note(f"{len(games) - len(waiting)} of {len(games)} games over, ply {waiting[0].position.ply}")
        for spec in sorted({game.to_move for game in waiting}, key=str):
            # Includes games in which the previous agents have just moved, so that batches soon hold nearly all games.
            asked = [game for game in waiting if game.goes_on and game.to_move == spec]
            for agent, at in _seated(agents, build, spec, asked):
                _move(agent, at, clock)
    return [game.record() for game in games]


def _seated(
    agents: dict[tuple[Hashable, ...], Agent],
    build: Callable[[AgentSpec], Agent],
    spec: AgentSpec,
    games: Sequence[OpenGame],
) -> list[tuple[Agent, Sequence[OpenGame]]]:
    """The agents that play `spec`, each with its games among `games`, in all of which `spec` is to move.

    `agents` holds those built so far: a shared one by its spec, any other by its spec, its only game and its side there.
    """
    seats: list[tuple[Agent, Sequence[OpenGame]]] = []
    for game in games:
        seat = (spec, id(game), game.position.to_move)
        if (spec,) not in agents and seat not in agents:
            agent = build(spec)
            agents[(spec,) if is_shared(agent) else seat] = agent
        if (spec,) in agents:
            return [(agents[spec,], games)]
        seats.append((agents[seat], [game]))
    return seats


def _move(agent: Agent, games: Sequence[OpenGame], clock: Callable[[], float]) -> None:
    """Let an agent move in a batch of games."""
    positions, rngs = [game.position for game in games], [game.rng for game in games]
    begun = clock()
    decisions = answers(agent, positions, rngs)
    seconds = (clock() - begun) / len(games)
    for game, decision in zip(games, decisions, strict=True):
        if isinstance(decision, Exception):
            game.fail(one_line(decision))
        else:
            game.play(decision.move, seconds)
