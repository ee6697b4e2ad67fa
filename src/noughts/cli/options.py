"""Options that several commands share, so that each has one name and one meaning."""

import contextlib
import functools
import inspect
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from noughts.cli.completion import complete_agent, complete_rules
from noughts.cli.output import detail, note

agent_argument = functools.partial(typer.Argument, autocompletion=complete_agent)
"""An argument for an agent's text, with completion."""
agent_option = functools.partial(typer.Option, autocompletion=complete_agent)
"""An option for an agent's text, with completion."""

_rules_option = functools.partial(typer.Option, "--rules", "-r", metavar="RULES", autocompletion=complete_rules)
RulesOption = Annotated[str, _rules_option(help="Game, e.g. tic-tac-toe, bttt(D4), notakto(3) or mnk(4,4,3).")]
TaskOption = Annotated[
    str,
    _rules_option(
        help="Game, e.g. tic-tac-toe or bttt(D4), or several, e.g. bttt(*), bttt(D3|D4) or mnk(9,9,4,bricks=*)."
    ),
]
SeedOption = Annotated[int, typer.Option("--seed", help="Random seed.")]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers", "-w", min=0, max=1024, help="Worker processes, 0 to use only this one. By default one per core."
    ),
]

OnOption = Annotated[
    str | None,
    typer.Option(
        "--on",
        metavar="PLACE",
        help="Where to compute, as local, ray, auto, HOST:PORT or ray://HOST:PORT. By default NOUGHTS_ON, or else local.",
    ),
]


def use_store(store: str | None) -> str | None:
    """Set the store of this process and its workers in the environment, because agents refer to training runs by text.

    Raises:
        StoreError: the text is empty.
    """
    from noughts.rules.errors import StoreError
    from noughts.store.place import is_url, store_folder, store_place, without_secrets

    if store is not None:
        os.environ["NOUGHTS_STORE"] = store_place(store)
    with contextlib.suppress(StoreError):  # a command that uses the store reports the error
        place, folder = store_place(), store_folder()
        detail(f"Results are saved in {without_secrets(place) if is_url(place) else folder}")
        if sys.stderr.isatty() and not is_url(place) and not folder.exists():
            note(f"Results will be saved in {folder}. Use --store or NOUGHTS_STORE to choose another place.")
    return store


StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="PLACE",
        callback=use_store,
        help="Folder or database URL for results. By default NOUGHTS_STORE, or else your data folder.",
    ),
]
AgainOption = Annotated[bool, typer.Option("--rerun", help="Run again, ignoring saved results.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Remove without asking.")]
nodes_option = functools.partial(
    typer.Option, "--nodes", help="Solver budget for one position, in nodes of that solver."
)
memory_option = functools.partial(
    typer.Option, "--memory", metavar="GIB", help="Memory for the tables of each solver, in each worker."
)
MoveSecondsOption = Annotated[
    float | None,
    typer.Option("--move-seconds", help="Abort a game if a move takes longer than this. Needs worker processes."),
]
ReportOption = Annotated[
    Path | None,
    typer.Option(
        "--report", metavar="FOLDER", help="Folder for the page and figures. By default `pages` in the store."
    ),
]
FigureOption = Annotated[Path | None, typer.Option("--report", metavar="FOLDER", help="Save a figure in this folder.")]


@dataclass(frozen=True)
class Filters:
    """The options that filter runs and games; the fields of `bridges.found.Wanted`."""

    agent: Annotated[
        str | None,
        typer.Option(
            "--agent", "-a", help="Only agents whose name contains this text, or =AGENT for exactly this agent."
        ),
    ] = None
    rules: Annotated[
        str | None, typer.Option("--rules", "-r", metavar="RULES", help="Only games with these rules, e.g. bttt(*).")
    ] = None
    study: Annotated[str | None, typer.Option("--study", help="Only results of this study.")] = None
    ending: Annotated[
        str | None, typer.Option("--ending", help="Only games with this ending, i.e. first, second, draw or error.")
    ] = None


def grouped(command: Callable[..., int]) -> Callable[..., int]:
    """Let a command take groups of options: a parameter whose type is a dataclass becomes one option per field."""
    own = inspect.signature(command)
    groups: dict[str, Any] = {
        name: each.annotation for name, each in own.parameters.items() if is_dataclass(each.annotation)
    }
    parameters: list[inspect.Parameter] = []
    for name, each in own.parameters.items():
        fields = inspect.signature(groups[name]).parameters.values() if name in groups else [each]
        parameters += [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in fields]

    @functools.wraps(command)
    def taking(**given: Any) -> int:
        made = {
            name: kind(**{field: given.pop(field) for field in inspect.signature(kind).parameters})
            for name, kind in groups.items()
        }
        return command(**given, **made)

    taking.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined] # Typer reads this
    taking.__annotations__ = {each.name: each.annotation for each in parameters} | {"return": int}
    return taking


_WHICH_RUN = (
    "Run id. A kind (match, tournament, score, proof, solution, sweep, study or play) or the name of a study "
    "selects the latest such run"
)
ResultArgument = Annotated[str, typer.Argument(metavar="RUN", help=f"{_WHICH_RUN}.")]
SourceArgument = Annotated[str, typer.Argument(metavar="RUN", help=f"{_WHICH_RUN}. Also `all`, or an exported file.")]
