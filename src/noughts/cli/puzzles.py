"""``noughts puzzles``: positions with one right move, made by a solver, checked, and graded."""

import sys
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli.options import JsonOption, SeedOption, complete_rules
from noughts.cli.telling import is_quiet, is_verbose

if TYPE_CHECKING:
    from noughts.puzzles import Puzzle

_SAID_EVERY = 5.0  # seconds, where standard error is no terminal


def puzzles(
    rules: Annotated[str, typer.Argument(help="The game, e.g. bttt(D4).", autocompletion=complete_rules)],
    count: Annotated[int, typer.Option("-n", "--count", help="Number of puzzles.")] = 20,
    seed: SeedOption = 0,
    grade: Annotated[
        str | None,
        typer.Option(
            "--grade",
            help="Only puzzles of this grade, i.e. easy, medium or hard. It depends on how often agents miss them.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Make puzzles, which are positions where only one or two moves keep the win or the draw.

    The certificate checker tries every reply to each solution. Equal seeds give equal puzzles. The exit code is 1 if
    fewer puzzles were found.
    """
    from noughts.cli.output import print_json
    from noughts.library.puzzles import read_grade
    from noughts.puzzles.making import make_puzzles
    from noughts.puzzles.puzzle import PANEL
    from noughts.rules import format_rules, parse_rules
    from noughts.rules.text import counted

    game, wanted = parse_rules(rules), read_grade(grade)
    found: list[Puzzle] = []
    games, begun = 0, time.monotonic()
    said = begun
    live = sys.stderr.isatty() and not is_verbose()
    for puzzle in make_puzzles(game, count, seed, wanted):
        if puzzle is None:
            games += 1
        else:
            found.append(puzzle)
            if not as_json:
                _tell(puzzle, len(found))
        now = time.monotonic()
        if not is_quiet() and now - said > (0.2 if live else _SAID_EVERY):
            said = now
            line = (
                f"{len(found)} of {counted(count, 'puzzle')}, {counted(games, 'game')} without one, {now - begun:.0f} s"
            )
            sys.stderr.write(f"\r\033[K{line}" if live else f"{line}\n")
            sys.stderr.flush()
    if live and not is_quiet():
        sys.stderr.write("\r\033[K")
    if as_json:
        print_json({"game": format_rules(game), "panel": PANEL, "puzzles": [_json(puzzle) for puzzle in found]})
    if len(found) < count:
        typer.echo(f"only {len(found)} were found: try another --seed, or a larger game", err=True)
        return 1
    return 0


def _tell(puzzle: "Puzzle", number: int) -> None:
    def names(cells: tuple[int, ...]) -> str:
        return " ".join(map(puzzle.rules.name_of, cells))

    task = "win" if puzzle.value else "hold the draw"
    how = "" if puzzle.plies is None else f" in {puzzle.plies} plies"
    missed = f"missed by {puzzle.difficulty:.0%} of the panel"
    typer.echo(f"{number}. {puzzle.text}\n   {task}{how}: {names(puzzle.solutions)}; {puzzle.grade}, {missed}")
    typer.echo(f"   line: {names(puzzle.line)}", nl=True)


def _json(puzzle: "Puzzle") -> dict[str, Any]:
    """For programs: squares by name."""
    names = {
        field: [puzzle.rules.name_of(cell) for cell in getattr(puzzle, field)]
        for field in ("moves", "solutions", "line")
    }
    kept = puzzle.model_dump(mode="json", exclude={"rules"})
    return {"id": puzzle.id, "text": puzzle.text} | kept | names | {"grade": puzzle.grade}
