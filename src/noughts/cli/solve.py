"""``noughts solve``: the exact value of a game or of many, with certificates."""

import time
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli.options import JsonOption, WorkersOption

if TYPE_CHECKING:
    from rich.table import Table

    from noughts.positions import Position
    from noughts.questions.session import Progress
    from noughts.questions.settle import Answer, Question

_NOTE_SECONDS = 0.2
_LINE_SECONDS = 5.0


def solve(
    games: Annotated[
        str, typer.Argument(metavar="GAME", help="bttt(D4), notakto(5) ..., or many: bttt(*), bttt(D3|D4).")
    ],
    after: Annotated[
        str, typer.Option("--after", metavar="MOVES", help='Moves already made: "D3 E5"; of one game only.')
    ] = "",
    every_move: Annotated[
        bool, typer.Option("--moves/--no-moves", help="Find the value of every move as well.")
    ] = False,
    distances: Annotated[
        bool, typer.Option("--distance/--no-distance", help="Find how long the game lasts under best play.")
    ] = False,
    certificate: Annotated[
        Path | None,
        typer.Option("--certificate", metavar="FOLDER", help="Write a certificate of each game that is won."),
    ] = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", help="Stop a game after so much work, in its solver's unit.")
    ] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", help="Stop a game after so long.")] = None,
    memory: Annotated[int, typer.Option("--memory", metavar="GIB", help="What a solver's tables may take.")] = 1,
    limit: Annotated[int, typer.Option("--limit", help="Most entries of a certificate.")] = 1_000_000,
    workers: WorkersOption = None,
    as_json: JsonOption = False,
) -> int:
    """Find the exact value of games, from the side to move; what the budget does not prove is given as bounds.

    Exit code 1 if some game was not decided. Certificates that are there already are kept, so the same command goes on
    where it was stopped.
    """
    from noughts.cli.output import print_json, print_tables
    from noughts.positions import Position
    from noughts.questions.settle import Question
    from noughts.rules import SolverError, format_rules, parse_task
    from noughts.rules.symmetry import image_classes
    from noughts.store.files import make_folder

    task = parse_task(games).rules
    if after.strip() and len(task) > 1:
        raise SolverError(f"--after {after!r} needs one game, and {games!r} stands for {len(task)}")
    if after.strip() and certificate is not None:
        raise SolverError("--certificate proves games from their start: leave --after out")
    position = Position.start(task[0], tuple(task[0].cell_of(name) for name in after.replace(",", " ").split()))
    if certificate is not None:
        make_folder(certificate)
    questions = [
        Question.model_validate(
            {
                "games": [format_rules(rules) for rules in group],
                "moves": position.moves,
                "every_move": every_move,
                "distances": distances,
                "nodes": nodes,
                "seconds": seconds,
                "memory": memory,
                "certificates": None if certificate is None else str(certificate),
                "limit": limit,
            }
        )
        for group in image_classes(task)
    ]
    problems: list[str] = []
    if len(questions) == 1:
        answers = _answer_one(questions[0], as_json)
    else:
        answers, problems = _answer_all(questions, _fitting(workers, memory), as_json)
    order = {format_rules(rules): number for number, rules in enumerate(task)}
    answers.sort(key=lambda answer: order[answer.game])
    if as_json:
        print_json({"games": [_json(answer, position) for answer in answers]})
    elif len(answers) == 1:
        _tell(answers[0], position)
    else:
        print_tables(_table(answers))
    problems += [f"{answer.game}: {answer.problem}" for answer in answers if answer.problem]
    for problem in problems:
        typer.echo(problem, err=True)
    return 1 if problems or any(answer.value is None for answer in answers) else 0


def _fitting(workers: int | None, memory: int) -> int | None:
    """So many workers that all their tables fit the memory there is, if more than the usual is allowed to each."""
    import os

    from noughts.machine.memory import GIB, available_bytes

    if memory == 1 or workers == 0:
        return workers
    return max(1, min(workers or os.cpu_count() or 1, available_bytes() // (memory * GIB)))


class _Shown:
    """Notes of a job in this process, shown where people look: standard error."""

    def __init__(self, quiet: bool) -> None:
        from rich.console import Console

        self.console = Console(stderr=True, markup=False, highlight=False)
        self.status = self.console.status("") if self.console.is_terminal and not quiet else None
        self.quiet, self.begun, self.shown = quiet, time.monotonic(), 0.0

    def note(self, text: str, limit: float | None = None) -> None:
        """Show what is going on, a few times a second; without a terminal a line every few seconds."""
        elapsed = time.monotonic() - self.begun
        if self.quiet or elapsed - self.shown < (_NOTE_SECONDS if self.status else _LINE_SECONDS):
            return
        self.shown = elapsed
        if self.status:
            self.status.update(f"{text}, {elapsed:.0f} s")
        else:
            self.console.print(f"{text}, {elapsed:.0f} s")


def _answer_one(question: "Question", quiet: bool) -> list["Answer"]:
    """One question, here, so that it is seen how far it is."""
    from contextlib import nullcontext

    from noughts.questions.settle import settle

    shown = _Shown(quiet)
    with shown.status or nullcontext():
        return list(settle(question, shown))


def _answer_all(questions: list["Question"], workers: int | None, quiet: bool) -> tuple[list["Answer"], list[str]]:
    """Many questions, each in a process of the pool, with a table that fills; what failed, one line each.

    Raises:
        SolverError: all failed.
    """
    from noughts.cli.output import watch
    from noughts.machine import Done, Job, run_jobs
    from noughts.questions.session import Progress
    from noughts.questions.settle import Answers
    from noughts.rules import SolverError

    answers: list[Answer] = []
    problems: list[str] = []
    total = sum(len(question.games) for question in questions)

    def steps() -> Generator["Progress", None, None]:
        jobs = [
            Job(question.games[0], "noughts.questions.settle:settle_job", question.to_json()) for question in questions
        ]
        yield Progress(0, total, 0)
        with closing(run_jobs(jobs, workers)) as done:
            for result in done:
                if isinstance(result, Done):
                    answers.extend(Answers.from_json(result.value).answers)
                else:
                    problems.append(f"{result.key}: {result.message.removeprefix('SolverError: ')}")
                yield Progress(len(answers), total, len(answers))

    watch(steps(), "games", lambda: _table(answers), quiet=quiet)
    if not answers:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise SolverError(problems[0] + more)
    return answers, problems


def in_words(low: int, high: int, mover: int) -> str:
    """Bounds on a value for the side to move, 0 the first player and 1 the second, as a sentence about the players."""
    players = ("the first player", "the second player")
    mine, theirs = players[mover], players[1 - mover]
    return {
        (1, 1): f"{mine} wins",
        (-1, -1): f"{theirs} wins",
        (0, 0): "a draw",
        (0, 1): f"{mine} wins or draws",
        (-1, 0): f"{theirs} wins or draws",
        (-1, 1): "not decided",
    }[low, high]


def _tell(answer: "Answer", position: "Position") -> None:
    """One game: the position, its value, and what was found about moves."""
    rules = position.rules
    mover = position.ply % 2
    if position.moves:
        typer.echo(f"{position}\n")
    lasts = "" if answer.plies is None else f" in {answer.plies} {'ply' if answer.plies == 1 else 'plies'}"
    typer.echo(f"{answer.game}: {in_words(answer.low, answer.high, mover)}{lasts}")
    typer.echo(
        f"proved by {answer.solver}: {answer.nodes:,} nodes, {answer.seconds:.2f} s"
        if answer.value is not None
        else f"{answer.solver}: {answer.nodes:,} nodes, {answer.seconds:.2f} s were not enough"
    )
    for (low, high), moves in sorted(_by_bounds(answer).items(), reverse=True):
        named = " ".join(
            rules.name_of(move.move) + (f"({move.plies})" if move.plies is not None else "") for move in moves
        )
        typer.echo(f"  {in_words(low, high, mover)} after {named}")
    if answer.certificate:
        typer.echo(
            f"certificate: {answer.certificate}: {answer.entries:,} positions{' (was there)' if answer.kept else ''}"
        )


def _by_bounds(answer: "Answer") -> dict[tuple[int, int], list[Any]]:
    """Moves by what is proved of them, those of which nothing is left out."""
    found: dict[tuple[int, int], list[Any]] = {}
    for move in answer.moves:
        if (move.low, move.high) != (-1, 1):
            found.setdefault((move.low, move.high), []).append(move)
    return found


def _table(answers: list["Answer"]) -> "Table":
    from rich.table import Table

    table = Table(title="exact values", title_justify="left", caption_justify="left")
    table.add_column("game")
    table.add_column("value", no_wrap=True)
    for column in ("plies", "nodes", "seconds", "certified"):
        table.add_column(column, justify="right")
    for answer in answers:
        table.add_row(
            answer.game,
            in_words(answer.low, answer.high, 0).replace("the ", "").replace(" player", ""),
            "" if answer.plies is None else str(answer.plies),
            f"{answer.nodes:,}",
            f"{answer.seconds:.2f}",
            f"{answer.entries:,}" if answer.certificate else "",
        )
    notes = ["nodes and seconds are those of the game and its images together"]
    folders = {str(Path(answer.certificate).parent) for answer in answers if answer.certificate}
    if folders:
        kept = sum(answer.kept for answer in answers)
        notes.append(
            f"certificates, with so many positions each, in {' '.join(folders)}"
            + (f" ({kept} were there)" if kept else "")
        )
    table.caption = "; ".join(notes)
    return table


def _json(answer: "Answer", position: "Position") -> dict[str, Any]:
    """For programs: squares by name."""
    from noughts.rules import parse_rules

    rules = parse_rules(answer.game)
    found = answer.model_dump(mode="json") | {"value": answer.value}
    found["after"] = [rules.name_of(move) for move in position.moves]
    found["moves"] = [move.model_dump() | {"move": rules.name_of(move.move)} for move in answer.moves]
    return found
