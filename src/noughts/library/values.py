"""Exact values for programs: of games, and of many positions at once."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from noughts.library.asking import Games, ask_quietly, executor_at, read_games
from noughts.positions import Position
from noughts.positions.given import require_positions
from noughts.questions.progress import Progress
from noughts.questions.solved import Solved, SolvedTask
from noughts.questions.solved_positions import REFUSED, SolvedPositions
from noughts.rules import Rules, SolverError
from noughts.rules.text import counted
from noughts.solvers.solution import Solution

NODES = 50_000
"""What a solver may spend on one of many positions and all its moves, unless somebody says otherwise."""


def solve_many(
    positions: Iterable[Position],
    workers: int | None = None,
    *,
    distances: bool = False,
    nodes: int | None = NODES,
    seconds: float | None = None,
    memory: int = 1,
    on: str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> list[Solution]:
    """What is proved about each position and every one of its moves, spread over worker processes.

    What the budget does not decide is given as bounds: ``solution.value`` is then None, and so is that of a move. A
    position that no solver covers has the bounds -1 to +1, and the solver ``none``. Answers are kept in the store.

    Args:
        positions: Of any games; one may be over.
        workers: Processes; None for one for each core, 0 for this one alone. The answers are the same. A script that
            uses workers must keep its own start under ``if __name__ == "__main__":``.
        on: Where: ``local``, ``ray``, ``auto``, ``HOST:PORT`` or ``ray://HOST:PORT``; None for what NOUGHTS_ON says, or else ``local``.
        distances: Also find how long the game lasts after every move; ``solution.best`` are then the moves that win
            soonest or lose latest.
        nodes: What may be spent on one position and its moves together, in the solver's unit; None for any amount.
        seconds: Time for one position and its moves; None for any. What is decided then depends on the machine.
        memory: GiB that each solver's tables may take, in each worker.
        on_progress: Called as answers come.

    Returns:
        A solution for each position, in their order; values are for the side to move.

    Raises:
        SolverError: no solver covers any of them, or memory is short.
        NoughtsError: it is no list of positions.
    """
    asked = require_positions(positions)
    groups: dict[Rules, list[Position]] = {}
    for position in asked:
        groups.setdefault(position.rules, []).append(position)
    questions = [
        SolvedPositions(
            rules=rules,
            played=tuple(dict.fromkeys(position.moves for position in some)),
            distances=distances,
            nodes=nodes,
            seconds=seconds,
            memory=memory,
        )
        for rules, some in groups.items()
    ]
    if not questions:
        return []
    name = f"{counted(len(asked), 'position')} of {', '.join(map(str, list(groups)[:3]))}{' ...' if len(groups) > 3 else ''}"
    answers = ask_quietly(questions, "solution", name, workers=executor_at(workers, on), on_progress=on_progress)
    known: dict[tuple[Rules, tuple[int, ...]], Solution] = {}
    refusals: list[str] = []
    for question in questions:
        for unit in question.needs():
            if unit.key in answers.problems:
                raise SolverError(answers.problems[unit.key].removeprefix("SolverError: "))
        values = answers[question]
        known |= {
            (question.rules, found.moves): replace(found.solution, rules=question.rules) for found in values.found
        }
        refusals += filter(None, [values.refusal])
    if refusals and all(solution.solver == REFUSED for solution in known.values()):
        raise SolverError(refusals[0])
    return [known[position.rules, position.moves] for position in asked]


def solve(
    games: Games,
    *,
    every_move: bool = False,
    distances: bool = False,
    nodes: int | None = None,
    seconds: float | None = None,
    memory: int = 1,
    workers: int | None = None,
    on: str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> SolvedTask:
    """The exact value of each game of a task from its empty board, as ``noughts solve`` finds it.

    Args:
        games: Such as ``bttt(D4)`` or ``bttt(*)``.
        every_move: Also find the value of every first move.
        distances: Also find how long games last.
        nodes, seconds: What may be spent on a game; None for any amount.
        memory: GiB that a solver's tables may take.
        workers, on, on_progress: As of `solve_many`.

    Raises:
        SolverError: no solver covers any of the games.
    """
    task = read_games(games)
    solved = Solved(task=task, every_move=every_move, distances=distances, nodes=nodes, seconds=seconds, memory=memory)
    answers = ask_quietly(
        [solved],
        "solution",
        f"exact values of {_called(task.rules)}",
        workers=executor_at(workers, on),
        on_progress=on_progress,
    )
    found = answers[solved]
    if not found.games:
        raise SolverError(next(iter(answers.problems.values())).removeprefix("SolverError: "))
    return found


def _called(games: Sequence[Rules]) -> str:
    return str(games[0]) if len(games) == 1 else f"{len(games)} games"
