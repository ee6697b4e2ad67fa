"""``noughts solve``: the exact value of a game or of many, with certificates."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noughts.cli.ask import Asking, asks, show
from noughts.cli.options import FigureOption, ForceOption
from noughts.cli.telling import note

if TYPE_CHECKING:
    from noughts.questions.solved import SolvedGame


@asks
def solve(
    games: Annotated[
        str,
        typer.Argument(
            metavar="GAME", help="Game, e.g. bttt(D4) or notakto(5), or several, e.g. bttt(*) or bttt(D3|D4)."
        ),
    ],
    after: Annotated[
        str,
        typer.Option(
            "--after",
            metavar="MOVES",
            help='Moves already made, e.g. "D3 E5", or the board, e.g. "XO..X...O". Needs a single game.',
        ),
    ] = "",
    every_move: Annotated[
        bool, typer.Option("--moves/--no-moves", help="Whether to find the value of every move as well.")
    ] = False,
    distances: Annotated[
        bool, typer.Option("--distance/--no-distance", help="Whether to find the length of the game under best play.")
    ] = False,
    certificate: Annotated[
        Path | None,
        typer.Option("--certificate", metavar="FOLDER", help="Write a certificate of each game that is won."),
    ] = None,
    force: ForceOption = False,
    nodes: Annotated[
        int | None, typer.Option("--nodes", help="Stop a game after this many nodes of its solver.")
    ] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", help="Stop a game after this many seconds.")] = None,
    memory: Annotated[int, typer.Option("--memory", metavar="GIB", help="Memory for the tables of a solver.")] = 1,
    limit: Annotated[int, typer.Option("--limit", help="Maximum number of entries of a certificate.")] = 1_000_000,
    report: FigureOption = None,
    *,
    how: Asking,
) -> int:
    """Find the exact value of games, for the side to move, or bounds if the budget is too small.

    The exit code is 1 if some game was not decided. Existing certificates are kept, so the same command continues
    where it stopped.
    """
    from noughts.library.asking import executor_at
    from noughts.library.positions import read_moves
    from noughts.positions import Position
    from noughts.questions.solved import Solved, SolvedTask
    from noughts.reports.presenting import present
    from noughts.rules import SolverError, format_rules, parse_task
    from noughts.store.files import make_folder

    task = parse_task(games)
    first = task.rules[0]
    if after.strip() and len(task.rules) > 1:
        raise SolverError(f"--after {after!r} needs one game, and {games!r} stands for {len(task.rules)}")
    if after.strip() and certificate is not None:
        raise SolverError("--certificate proves games from their start: leave --after out")
    position = Position.start(first, read_moves(first, after))
    before: dict[str, int] = {}
    if certificate is not None:
        make_folder(certificate)
        before = {str(path): path.stat().st_mtime_ns for path in certificate.iterdir()}
    solved = Solved(
        task=task,
        played=position.moves,
        every_move=every_move,
        distances=distances,
        certificates=None if certificate is None else str(certificate),
        limit=limit,
        nodes=nodes,
        seconds=seconds,
        memory=memory,
        force=force,
    )
    answers = how.ask(
        [solved],
        "solution",
        f"exact values of {games}",
        lambda answers: present(answers[solved], solved),
        executor=executor_at(_fitting(how.workers, how.on, memory, len(solved.needs())), how.on),
    )
    found = [_as_kept(game, before) for game in answers[solved].games]
    several, failed = len(task.rules) > 1, answers.problems
    problems = [
        f"{format_rules(unit.rules)}: " * several + failed[unit.key].removeprefix("SolverError: ")
        for unit in solved.needs()
        if unit.key in failed
    ]
    if not found:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise SolverError(problems[0] + more)
    code = show(present(SolvedTask(games=tuple(found)), solved), how.as_json, figures=report, key=solved.key)
    if not several and certificate is not None and found[0].certificate is None and not how.as_json:
        note("no certificate: only games that are proved to be won have one")
    for problem in problems:
        typer.echo(problem, err=True)
    return 1 if problems or any(game.found.value is None for game in found) else code


def _as_kept(game: "SolvedGame", before: dict[str, int]) -> "SolvedGame":
    """The same, its certificates said to be kept if they were there before this command: files' times by path."""
    written = tuple(
        one.model_copy(update={"kept": bool(one.path) and before.get(one.path) == Path(one.path).stat().st_mtime_ns})
        for one in game.found.certificates
    )
    return game._replace(found=game.found.model_copy(update={"certificates": written}))


def _fitting(workers: int | None, on: str | None, memory: int, units: int) -> int | None:
    """So many workers that all their tables fit the memory there is, if more than the usual is allowed to each.

    Of a cluster's machines nobody here knows how much memory they have.
    """
    import os

    from noughts.machine.executor import is_elsewhere
    from noughts.machine.memory import GIB, available_bytes

    if is_elsewhere(on) or memory == 1 or workers == 0 or units == 1:
        return workers
    return max(1, min(workers or os.cpu_count() or 1, available_bytes() // (memory * GIB)))
