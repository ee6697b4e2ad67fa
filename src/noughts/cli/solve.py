"""``noughts solve``: the exact value of a game or of many, with certificates."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli.options import (
    AgainOption,
    FigureOption,
    ForceOption,
    JsonOption,
    OnOption,
    StoreOption,
    WorkersOption,
)
from noughts.cli.telling import note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Group

    from noughts.document.result import BoardFigure
    from noughts.positions import Position
    from noughts.questions.solved import GameValue, SolvedGame


def solve(
    games: Annotated[
        str, typer.Argument(metavar="GAME", help="bttt(D4), notakto(5) ..., or many: bttt(*), bttt(D3|D4).")
    ],
    after: Annotated[
        str,
        typer.Option(
            "--after", metavar="MOVES", help='Moves already made: "D3 E5"; or the board: "XO..X...O"; of one game only.'
        ),
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
    force: ForceOption = False,
    nodes: Annotated[
        int | None, typer.Option("--nodes", help="Stop a game after so much work, in its solver's unit.")
    ] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", help="Stop a game after so long.")] = None,
    memory: Annotated[int, typer.Option("--memory", metavar="GIB", help="What a solver's tables may take.")] = 1,
    limit: Annotated[int, typer.Option("--limit", help="Most entries of a certificate.")] = 1_000_000,
    workers: WorkersOption = None,
    on: OnOption = None,
    store: StoreOption = None,
    report: FigureOption = None,
    again: AgainOption = False,
    as_json: JsonOption = False,
) -> int:
    """Find the exact value of games, from the side to move; what the budget does not prove is given as bounds.

    Exit code 1 if some game was not decided. Certificates that are there already are kept, so the same command goes on
    where it was stopped.
    """
    from noughts.cli.ask import ask
    from noughts.cli.output import print_json, print_tables, save_figure
    from noughts.library.asking import executor_at
    from noughts.library.positions import read_moves
    from noughts.positions import Position
    from noughts.questions.solved import Solved
    from noughts.rules import SolverError, format_rules, parse_task
    from noughts.store.files import make_folder
    from noughts.store.results import Store

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
    answers = ask(
        [solved],
        Store.open(store),
        "solution",
        f"exact values of {games}",
        lambda answers: value_tables(answers[solved].games),
        workers=executor_at(_fitting(workers, on, memory, len(solved.units())), on),
        quiet=as_json,
        again=again,
    )
    found = [_as_kept(game, before) for game in answers[solved].games]
    several, failed = len(task.rules) > 1, answers.problems
    problems = [
        f"{format_rules(unit.rules)}: " * several + failed[unit.key].removeprefix("SolverError: ")
        for unit in solved.units()
        if unit.key in failed
    ]
    if not found:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise SolverError(problems[0] + more)
    drawn = save_figure(value_heatmap(found), report, solved.key)
    if as_json:
        shown: dict[str, Any] = {"games": [_json(game, position) for game in found]}
        print_json(shown | ({} if drawn is None else {"figure": str(drawn)}))
    elif several:
        print_tables(value_tables(found))
    else:
        _tell(found[0], position)
        if certificate is not None and found[0].certificate is None:
            note("no certificate: only games that are proved to be won have one")
    if drawn is not None and not as_json:
        typer.echo(f"\nfigure: {drawn}")
    certificates = [game.certificate for game in found]
    problems += [f"{written.game}: {written.problem}" for written in certificates if written and written.problem]
    for problem in problems:
        typer.echo(problem, err=True)
    return 1 if problems or any(game.found.value is None for game in found) else 0


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


def _tell(game: "SolvedGame", position: "Position") -> None:
    """One game: the position, its value, and what was found about moves."""
    from noughts.rules import format_rules
    from noughts.rules.text import counted

    rules, answer = game
    mover = position.ply % 2
    if position.moves:
        typer.echo(f"{position}\n")
    lasts = "" if answer.plies is None else f" in {counted(answer.plies, 'ply', 'plies')}"
    typer.echo(f"{format_rules(rules)}: {in_words(answer.low, answer.high, mover)}{lasts}")
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
    if (written := game.certificate) is not None and written.path:
        kept = " (was there)" if written.kept else ""
        typer.echo(f"certificate: {written.path}: {counted(written.entries, 'position')}{kept}")


def _by_bounds(answer: "GameValue") -> dict[tuple[int, int], list[Any]]:
    """Moves by what is proved of them, those of which nothing is left out."""
    found: dict[tuple[int, int], list[Any]] = {}
    for move in answer.moves:
        if (move.low, move.high) != (-1, 1):
            found.setdefault((move.low, move.high), []).append(move)
    return found


def value_tables(games: "Sequence[SolvedGame]") -> "Group":
    """What is known of each game, and a heatmap where they differ by a brick."""
    from rich.console import Group
    from rich.table import Table

    from noughts.reports.terminal import heatmap
    from noughts.rules import format_rules

    table = Table(title="exact values", title_justify="left", caption_justify="left")
    table.add_column("game", overflow="fold")
    table.add_column("value", no_wrap=True)
    for column in ("plies", "nodes", "seconds", "certified"):
        table.add_column(column, justify="right")
    for game in games:
        found, written = game.found, game.certificate
        table.add_row(
            format_rules(game.rules),
            in_words(found.low, found.high, 0).replace("the ", "").replace(" player", ""),
            "" if found.plies is None else str(found.plies),
            f"{found.nodes:,}",
            f"{found.seconds:.2f}",
            f"{written.entries:,}" if written is not None and written.path else "",
        )
    notes = ["nodes and seconds are those of the game and its images together"]
    certificates = [game.certificate for game in games]
    folders = {str(Path(written.path).parent) for written in certificates if written is not None and written.path}
    if folders:
        kept = sum(written is not None and written.kept for written in certificates)
        there = f" ({kept} were there)" if kept else ""
        notes.append(f"certificates, with so many positions each, in {' '.join(folders)}{there}")
    table.caption = "; ".join(notes)
    figure = value_heatmap(games)
    return Group(table) if figure is None else Group(table, heatmap(figure))


def value_heatmap(games: "Sequence[SolvedGame]") -> "BoardFigure | None":
    """The winner by the brick's square, where the games of a task differ by it."""
    from noughts.document.heatmap import Shade, brick_heatmap

    def shade(found: "GameValue") -> Shade:
        text = {(1, 1): "1", (-1, -1): "2", (0, 0): "="}.get((found.low, found.high), "?")
        return Shade((found.low + found.high) / 2, text if found.plies is None else f"{text} {found.plies}")

    label = "with the brick there: 1 or 2, who wins, = a draw, ? not decided; then the plies, where they are known"
    shades = {game.rules: shade(game.found) for game in games}
    return brick_heatmap("values", "exact values, by the brick's square", label, shades, (-1.0, 1.0))


def _json(game: "SolvedGame", position: "Position") -> dict[str, Any]:
    """For programs: squares by name."""
    from noughts.rules import format_rules

    rules, found = game
    written = game.certificate
    return {
        "game": format_rules(rules),
        **found.model_dump(mode="json", exclude={"certificates", "effort"}),
        "value": found.value,
        "after": [rules.name_of(move) for move in position.moves],
        "moves": [move.model_dump() | {"move": rules.name_of(move.move)} for move in found.moves],
        "certificate": "" if written is None else written.path,
        "entries": 0 if written is None else written.entries,
        "kept": written is not None and written.kept,
    }
