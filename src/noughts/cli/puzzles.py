"""``noughts puzzles``: make positions with one or two right moves by a solver, check and grade them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from noughts.cli.completion import complete_rules
from noughts.cli.options import JsonOption, SeedOption

if TYPE_CHECKING:
    from noughts.document.document import Document


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

    Examples:
        noughts puzzles tic-tac-toe -n 5
        noughts puzzles "bttt(D4)" -n 20 --grade hard --json
    """
    from noughts.cli.output import print_json
    from noughts.cli.progress import Progressed, watch
    from noughts.library.puzzles import read_grade
    from noughts.puzzles.making import make_puzzles
    from noughts.puzzles.puzzle import PANEL
    from noughts.reports.presenting import present
    from noughts.rules import format_rules, parse_rules
    from noughts.rules.text import counted

    game, wanted = parse_rules(rules), read_grade(grade)
    found: list[Document] = []

    def steps() -> Iterator[Progressed]:
        games = 0
        for puzzle in make_puzzles(game, count, seed, wanted):
            if puzzle is None:
                games += 1
            else:
                found.append(present(puzzle))
                if not as_json:
                    typer.echo(f"{len(found)}. {found[-1].blocks[-1]}")
            done = f"{len(found)} of {counted(count, 'puzzle')}, {counted(games, 'game')} without one"
            yield Progressed(str(game), done, len(found), count)

    watch(steps(), quiet=as_json)
    if as_json:
        print_json({"game": format_rules(game), "panel": PANEL, "puzzles": [puzzle.data for puzzle in found]})
    if len(found) < count:
        typer.echo(f"only {len(found)} were found: try another --seed, or a larger game", err=True)
        return 1
    return 0
