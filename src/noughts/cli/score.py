"""``noughts score``: count an agent's optimal moves by ply, in one game or in each game of a task."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noughts.cli.ask import Asking
from noughts.cli.options import (
    MoveSecondsOption,
    SeedOption,
    TaskOption,
    agent_argument,
    grouped,
    memory_option,
    nodes_option,
)

if TYPE_CHECKING:
    from noughts.questions.imagined import ImaginedTallies
    from noughts.questions.judged import Judged

# A search imagines one position per simulation, and each of these is solved. So searches begin from a tenth of the scored
# positions, in a few games, and the solver's budget for each is small.
_SHARE = 10
_ALL_UP_TO = 100
_GAMES = 4
_NODES = 20_000
_SEARCHED = f"it searched from a tenth of the positions, in {_GAMES} games at most; more by `noughts.score_model`"


@grouped
def score(
    agent: Annotated[
        str, agent_argument(help="Agent, e.g. mcts:sims=1000, or NAME=AGENT. `noughts agents` lists all agents.")
    ],
    rules: TaskOption = "tic-tac-toe",
    per_ply: Annotated[
        int, typer.Option("--per-ply", "-n", help="Positions to sample at each ply of a large game.")
    ] = 50,
    all_up_to: Annotated[
        int, typer.Option("--all-up-to", help="Use all positions if the game has no more than this.")
    ] = 20_000,
    plies: Annotated[
        str | None, typer.Option("--plies", metavar="LOW-HIGH", help="Only positions at these plies.")
    ] = None,
    nodes: Annotated[int, nodes_option()] = 1_000_000,
    memory: Annotated[int, memory_option()] = 1,
    seed: SeedOption = 0,
    move_seconds: MoveSecondsOption = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FOLDER", help="Save a figure of accuracy by ply in this folder.")
    ] = None,
    *,
    how: Asking,
) -> int:
    """Score an agent against exact values, by optimal moves, blunders and value error at each ply.

    The output includes confidence intervals and the first blunders, and --json has ten blunders per ply. If the agent has a
    learned model of the game, its errors are measured too. If you interrupt a score, the same command continues it.

    Examples:
        noughts score minimax:depth=1 --rules "mnk(2,3,2)"
        noughts score me=python:mine.py:Mine --rules "bttt(D4)" --per-ply 20 --plies 8-20
    """
    import noughts
    from noughts.cli.output import show
    from noughts.document.document import Document
    from noughts.questions.imagined import imagines
    from noughts.store.files import make_folder

    (player,) = how.read(agent)
    if report is not None:
        make_folder(report)
    answer = noughts.score(
        player,
        rules,
        per_ply=per_ply,
        all_up_to=all_up_to,
        plies=None if plies is None else read_plies(plies),
        nodes=nodes,
        memory=memory,
        seed=seed,
        move_seconds=move_seconds,
        **how.options,
    )
    judged: Judged = how.asked
    found, more = how.present(answer, judged), {"rules": rules}
    if imagines(judged.named[0]):
        imagined = how.present(_score_model(judged, how), how.asked)
        more["imagined"] = imagined.data
        if imagined.data:
            found = Document((*found.blocks, *imagined.blocks, _SEARCHED), found.data, found.problems)
    return show(found, how.as_json, how.names, report, judged.key, **more)


def _score_model(judged: "Judged", how: Asking) -> "ImaginedTallies":
    """Measure the errors of an agent's model, in some games of the scored task."""
    import noughts
    from noughts.rules import task_of

    games = judged.task.rules[:: -(-len(judged.task.rules) // _GAMES)]
    return noughts.score_model(
        judged.named[0],
        judged.task if len(games) == len(judged.task.rules) else task_of(*games),
        all_up_to=min(judged.all_up_to, _ALL_UP_TO),
        per_ply=max(1, judged.per_ply // _SHARE),
        plies=judged.plies,
        seed=judged.seed,
        nodes=_NODES if judged.nodes is None else min(judged.nodes, _NODES),
        memory=judged.memory,
        **how.options,
    )


def read_plies(text: str) -> tuple[int, int]:
    """Parse ``4-10`` or ``4`` as first and last ply; AgentError for any other text."""
    from noughts.questions.judged import Judged
    from noughts.rules import AgentError

    found = re.fullmatch(r"\s*(\d{1,6})\s*(?:-\s*(\d{1,6})\s*)?", text)
    if found is None:
        raise AgentError(f"impossible score: plies={text!r} is not allowed: {Judged.allowed['plies']}")
    return int(found[1]), int(found[2] or found[1])
