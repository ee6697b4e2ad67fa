"""Functions that find exact values, of games and of many positions at once."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from noughts.library.asking import Games, How, OnProgress, ask, games_name
from noughts.library.positions import Moves, read_moves
from noughts.machine.environment import usable_cores
from noughts.machine.executor import is_elsewhere
from noughts.machine.memory import GIB, available_bytes
from noughts.positions import Position
from noughts.positions.given import require_positions
from noughts.questions.solved import Solved, SolvedTask
from noughts.questions.solved_positions import REFUSED, SolvedPiece, pieces_of
from noughts.rules import Rules, SolverError, read_task
from noughts.rules.text import counted
from noughts.solvers.solution import Solution
from noughts.store.files import make_folder

NODES = 50_000
"""The default limit for a solver, for one of many positions and all its moves."""


def solve_many(
    positions: Iterable[Position],
    workers: int | None = None,
    *,
    distances: bool = False,
    nodes: int | None = NODES,
    seconds: float | None = None,
    memory: int = 1,
    on: str | None = None,
    on_progress: OnProgress = None,
    again: bool = False,
) -> list[Solution]:
    """Solve many positions, and every move in each of them, in worker processes.

    If the budget runs out, the solution has bounds, and ``solution.value`` is None; the same applies to each move. A
    position that no solver covers has the bounds -1 to +1, and the solver ``none``. Answers are saved in the store.

    Args:
        positions: Positions of any games; their games may be over.
        workers: Number of processes; None for one per core, 0 for this process alone. It does not change the answers.
        distances: Whether to find the length of the game after every move, too. Then ``solution.best`` has the moves that
            win soonest or lose latest.
        nodes: Limit for one position and its moves together, in the solver's unit; None for no limit.
        seconds: Limit for one position and its moves; None for no limit. With a limit, the result depends on the machine.
        memory: Limit for the solver's tables in each worker, in GiB.
        on, on_progress, again: See `match`.

    Returns:
        A solution for each position, in their order; values are for the side to move.

    Raises:
        SolverError: no solver covers any of them, or there is not enough memory.
        NoughtsError: `positions` is not a list of positions.
    """
    asked = require_positions(positions)
    games: dict[Rules, list[tuple[int, ...]]] = {}
    for position in asked:
        games.setdefault(position.rules, []).append(position.moves)
    pieces = [
        SolvedPiece(rules=rules, played=piece, distances=distances, nodes=nodes, seconds=seconds, memory=memory)
        for rules, played in games.items()
        for piece in pieces_of(played)
    ]
    if not pieces:
        return []
    name = (
        f"{counted(len(asked), 'position')} of {', '.join(map(str, list(games)[:3]))}{' ...' if len(games) > 3 else ''}"
    )
    answers = ask(pieces, "solution", name, How(workers, on, on_progress, again))
    for problem in answers.problems.values():
        raise SolverError(problem.removeprefix("SolverError: "))
    known: dict[tuple[Rules, tuple[int, ...]], Solution] = {}
    refusals: list[str] = []
    for piece in pieces:
        if (solved := answers[piece]) is not None:
            for moves, solution in zip(piece.played, solved.found, strict=True):
                known[piece.rules, moves] = replace(solution, rules=piece.rules)
            refusals += filter(None, [solved.refusal])
    if refusals and all(solution.solver == REFUSED for solution in known.values()):
        raise SolverError(refusals[0])
    return [known[position.rules, position.moves] for position in asked]


def solve(
    games: Games,
    *,
    after: Moves = (),
    every_move: bool = False,
    distances: bool = False,
    certificates: Path | None = None,
    limit: int = 1_000_000,
    force: bool = False,
    nodes: int | None = None,
    seconds: float | None = None,
    memory: int = 1,
    workers: int | None = None,
    on: str | None = None,
    on_progress: OnProgress = None,
    again: bool = False,
) -> SolvedTask:
    """Find the exact value of each game of a task, as ``noughts solve`` does.

    Args:
        games: A game or a task, such as ``bttt(D4)`` or ``bttt(*)``.
        after: Moves already made, if there is only one game.
        every_move: Whether to find the value of every next move, too.
        distances: Whether to find the lengths of games, too.
        certificates: A folder for a certificate of each won game. It excludes `after`.
        limit: Largest number of entries in a certificate.
        force: Whether to overwrite other files of these names.
        nodes, seconds: Limits for a game; None for no limit.
        memory: Limit for a solver's tables, in GiB.
        workers, on, on_progress, again: See `match`.

    Raises:
        SolverError: no solver covers any of the games, or the options exclude each other.
    """
    task = read_task(games)
    played = read_moves(task.rules[0], after)
    if played and len(task.rules) > 1:
        raise SolverError(f"moves need one game, and {games_name(games)!r} names {len(task.rules)}")
    if played and certificates is not None:
        raise SolverError("a certificate proves a game from its start: leave the moves out")
    Position.start(task.rules[0], played)  # raises IllegalMoveError
    if certificates is not None:
        make_folder(certificates)
    asked = Solved(
        task=task,
        played=played,
        every_move=every_move,
        distances=distances,
        certificates=None if certificates is None else str(certificates),
        limit=limit,
        nodes=nodes,
        seconds=seconds,
        memory=memory,
        force=force,
    )
    how = How(_fitting(workers, on, memory, len(asked.needs())), on, on_progress, again)
    answers = ask([asked], "solution", f"exact values of {games_name(games)}", how)
    found = answers[asked]
    if not found.games:
        raise SolverError(next(iter(answers.problems.values())).removeprefix("SolverError: "))
    return found


def _fitting(workers: int | None, on: str | None, memory: int, units: int) -> int | None:
    """Limit the number of workers so that their tables fit into the free memory, if each may take more than 1 GiB.

    On a cluster there is no limit, because the memory of its machines is unknown.
    """
    if is_elsewhere(on) or memory == 1 or workers == 0 or units == 1:
        return workers
    return max(1, min(workers or usable_cores(), available_bytes() // (memory * GIB)))
