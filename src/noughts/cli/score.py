"""``noughts score``: how often an agent keeps the value of a position, by ply, in one game or in each of a task."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noughts.cli.ask import Asking, asks, show
from noughts.cli.options import MoveSecondsOption, SeedOption, TaskOption, complete_agent

if TYPE_CHECKING:
    from noughts.questions.imagined import ImaginedJudged
    from noughts.questions.judged import Judged

# Each position makes as many as a search has simulations, and each of these is proved: so it searches from a tenth of those in
# which it is scored, in a few games, and solvers spend little on each.
_SHARE = 10
_ALL_UP_TO = 100
_GAMES = 4
_NODES = 20_000
_SEARCHED = f"it searched from a tenth of the positions, in {_GAMES} games at most; more by `noughts.score_model`"


@asks
def score(
    agent: Annotated[
        str,
        typer.Argument(
            help="Agent, e.g. mcts:sims=1000, or NAME=AGENT. `noughts agents` lists all agents.",
            autocompletion=complete_agent,
        ),
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
    nodes: Annotated[
        int, typer.Option("--nodes", help="Solver budget for one position, in nodes of that solver.")
    ] = 1_000_000,
    memory: Annotated[
        int, typer.Option("--memory", metavar="GIB", help="Memory for the tables of each solver, in each worker.")
    ] = 1,
    chunk: Annotated[
        int, typer.Option("--chunk", help="Positions in one job, which share what the solver has proved.")
    ] = 25,
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
    """
    from noughts.document.document import Document
    from noughts.document.names import read_names
    from noughts.library.examining import score_name, score_question
    from noughts.reports.presenting import present
    from noughts.store.files import make_folder

    asked_plies = None if plies is None else read_plies(plies)
    (agent,), names = read_names([agent])
    judged = score_question(
        agent, rules, per_ply, all_up_to, asked_plies, nodes, memory, chunk, seed, move_seconds, how.workers
    )
    model = _model_question(judged)
    if report is not None:
        make_folder(report)
    answers = how.ask(
        [judged] if model is None else [judged, model],
        "score",
        score_name(judged.named[0], rules),
        lambda answers: present(answers[judged], judged, names),
        seed,
        title=f"{names.show(judged.named[0])} on {rules}",
    )
    found, more = present(answers[judged], judged, names), {}
    if model is not None:
        imagined = present(answers[model], model, names)
        more["imagined"] = imagined.data
        if imagined.data:
            found = Document((*found.blocks, *imagined.blocks, _SEARCHED), found.data, found.problems)
    return show(found, how.as_json, names, report, judged.key, rules=rules, **more)


def _model_question(judged: "Judged") -> "ImaginedJudged | None":
    """What is asked of the model of an agent that is scored, on some games of the same task; None if it has none."""
    from noughts.questions.imagined import ImaginedJudged, imagines
    from noughts.rules import task_of

    agent = judged.named[0]
    if not imagines(agent):
        return None
    games = judged.task.rules[:: -(-len(judged.task.rules) // _GAMES)]
    return ImaginedJudged(
        task=judged.task if len(games) == len(judged.task.rules) else task_of(*games),
        agent=agent,
        all_up_to=min(judged.all_up_to, _ALL_UP_TO),
        per_ply=max(1, judged.per_ply // _SHARE),
        plies=judged.plies,
        seed=judged.seed,
        nodes=_NODES if judged.nodes is None else min(judged.nodes, _NODES),
        memory=judged.memory,
    )


def read_plies(text: str) -> tuple[int, int]:
    """``4-10`` or ``4`` as first and last ply; AgentError if it is neither."""
    from noughts.questions.judged import Judged
    from noughts.rules import AgentError

    found = re.fullmatch(r"\s*(\d{1,6})\s*(?:-\s*(\d{1,6})\s*)?", text)
    if found is None:
        raise AgentError(f"impossible score: plies={text!r} is not allowed: {Judged.allowed['plies']}")
    return int(found[1]), int(found[2] or found[1])
