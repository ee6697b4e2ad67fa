"""Options that several commands share, with one spelling and one meaning."""

import contextlib
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from noughts.cli.telling import detail, note


def complete_rules(incomplete: str) -> list[str]:
    """Names of games that begin so, for the shell."""
    from noughts.rules.presets import PRESETS

    return [name for name in PRESETS if name.startswith(incomplete)]


def complete_agent(incomplete: str) -> list[str]:
    """Agents that begin so, for the shell: kinds, options of a kind and their choices; after a short name, ``me=``, too."""
    from noughts.cli.completion import complete

    return complete(incomplete)


RulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        "-r",
        metavar="RULES",
        help="The game: tic-tac-toe, bttt(D4), notakto(3), mnk(4,4,3) ...",
        autocompletion=complete_rules,
    ),
]
TaskOption = Annotated[
    str,
    typer.Option(
        "--rules",
        "-r",
        metavar="RULES",
        help="The game: tic-tac-toe, bttt(D4), notakto(3) ...; or many: bttt(*), bttt(D3|D4), mnk(9,9,4,bricks=*).",
        autocompletion=complete_rules,
    ),
]
SeedOption = Annotated[int, typer.Option("--seed", help="Everything random derives from it.")]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers", "-w", min=0, max=1024, help="Processes; one for each core unless given, 0 for none but this one."
    ),
]

OnOption = Annotated[
    str | None,
    typer.Option(
        "--on",
        metavar="PLACE",
        help="Where it is done: local, ray, auto, HOST:PORT or ray://HOST:PORT; else NOUGHTS_ON, else local.",
    ),
]


def _tell_everybody(store: str | None) -> str | None:
    """Agents name training runs by text alone, in worker processes too: let all of them look in this store."""
    if store is not None and store.strip():
        os.environ["NOUGHTS_STORE"] = store
    from noughts.rules.errors import StoreError
    from noughts.store.place import is_url, store_folder, store_place, without_secrets

    with contextlib.suppress(StoreError):  # the command itself will say what is wrong with it
        place = store_place(store)
        detail(f"results are kept in {without_secrets(place) if is_url(place) else store_folder(store)}")
        if sys.stderr.isatty():
            _introduce(store)
    return store


def _introduce(store: str | None) -> None:
    """Say where results will be kept, when there is nothing there yet; StoreError if there can be no such place."""
    from noughts.store.place import is_url, store_folder, store_place

    folder = store_folder(store)
    if not is_url(store_place(store)) and not folder.exists():
        note(f"Results will be kept in {folder}; --store or NOUGHTS_STORE chooses another place.")


StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="PLACE",
        callback=_tell_everybody,
        help="Folder or database URL for results; else NOUGHTS_STORE, else your data folder.",
    ),
]
AgainOption = Annotated[
    bool,
    typer.Option("--again", help="Do it anew, though it is kept; otherwise what is finished is shown as it is."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
ForceOption = Annotated[bool, typer.Option("--force", help="Write over a file that is there.")]
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

AgentFilter = Annotated[
    str | None,
    typer.Option("--agent", "-a", help="Only where this text stands in an agent's name; =AGENT for this very one."),
]
RulesFilter = Annotated[
    str | None, typer.Option("--rules", "-r", metavar="RULES", help="Only games of these rules: bttt(*), ...")
]
StudyFilter = Annotated[str | None, typer.Option("--study", help="Only what runs of this study asked for.")]
EndingFilter = Annotated[
    str | None, typer.Option("--ending", help="Only games that ended so: first, second, draw or error.")
]
SinceFilter = Annotated[
    str | None, typer.Option("--since", metavar="DAY", help="Only runs begun on that day (UTC) or later: 2026-01-31.")
]
UntilFilter = Annotated[
    str | None, typer.Option("--until", metavar="DAY", help="Only runs begun on that day (UTC) or earlier.")
]
_WHICH_RUN = (
    "A run's id; its kind (match, tournament, score, proof, solution, sweep, study, play) or a study's name for the "
    "latest of these"
)
ResultArgument = Annotated[str, typer.Argument(metavar="RUN", help=f"{_WHICH_RUN}.")]
SourceArgument = Annotated[str, typer.Argument(metavar="[RUN]", help=f"{_WHICH_RUN}; all; or an exported file.")]


def check_move_seconds(seconds: float | None) -> float | None:
    """The limit itself; NoughtsError unless it is one that a match accepts."""
    from noughts.agents import parse_agent
    from noughts.questions.played import Played
    from noughts.rules import parse_task

    anybody = parse_agent("random")
    return Played(
        task=parse_task("tic-tac-toe"), a=anybody, b=anybody, games=1, moves_first="a", move_seconds=seconds
    ).move_seconds
