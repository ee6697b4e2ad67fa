"""Options that several commands share, with one spelling and one meaning."""

import os
from pathlib import Path
from typing import Annotated

import typer

RulesOption = Annotated[
    str,
    typer.Option("--rules", "-r", metavar="RULES", help="The game: tic-tac-toe, bttt(D4), notakto(3), mnk(4,4,3) ..."),
]
TaskOption = Annotated[
    str,
    typer.Option(
        "--rules",
        "-r",
        metavar="RULES",
        help="The game: tic-tac-toe, bttt(D4), notakto(3) ...; or many: bttt(*), bttt(D3|D4), mnk(9,9,4,bricks=*).",
    ),
]
SeedOption = Annotated[int, typer.Option("--seed", help="Everything random derives from it.")]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers", "-w", min=0, max=1024, help="Processes; one for each core unless given, 0 for none but this one."
    ),
]


def _tell_everybody(store: str | None) -> str | None:
    """Agents name training runs by text alone, in worker processes too: let all of them look in this store."""
    if store is not None and store.strip():
        os.environ["NOUGHTS_STORE"] = store
    return store


StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="PLACE",
        callback=_tell_everybody,
        help="Folder or database URL for results; else NOUGHTS_STORE, else your data folder.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
MoveSecondsOption = Annotated[
    float | None,
    typer.Option("--move-seconds", help="Break off a game in which a move takes longer (needs workers)."),
]
ReportOption = Annotated[
    Path | None,
    typer.Option("--report", metavar="FOLDER", help="Where the page and figures go; else `pages` beside the results."),
]
FigureOption = Annotated[
    Path | None,
    typer.Option("--report", metavar="FOLDER", help="Save a figure there."),
]


def check_move_seconds(seconds: float | None) -> float | None:
    """The limit itself; NoughtsError unless it is one that a match accepts."""
    from noughts.agents import parse_agent
    from noughts.questions.played import Played
    from noughts.rules import parse_task

    anybody = parse_agent("random")
    return Played(task=parse_task("tic-tac-toe"), a=anybody, b=anybody, games=1, move_seconds=seconds).move_seconds
