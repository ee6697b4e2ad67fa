"""``noughts prove``: prove that an agent wins or never loses against every reply, in one game or in each game of a task.

*Proved* means that the agent's move in every position is saved as a certificate, which the independent checker accepted.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from noughts.cli.ask import Asking
from noughts.cli.options import ForceOption, ReportOption, TaskOption, agent_argument, grouped

if TYPE_CHECKING:
    from noughts.play.score import Player


@grouped
def prove(
    agent: Annotated[
        str,
        agent_argument(
            help="Agent to check, e.g. minimax:depth=2. It must not sample its moves, but random tie-breaking is fine."
        ),
    ],
    rules: TaskOption = "tic-tac-toe",
    side: Annotated[
        str, typer.Option("--as", metavar="SIDE", help="Side that the agent plays, first or second.")
    ] = "first",
    instance: Annotated[
        int | None,
        typer.Option("--instance", metavar="SEED", help="Prove one seeded copy of a stochastic agent."),
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(
            "--certificate", metavar="FOLDER", help="Also write the certificate of each proved game to this folder."
        ),
    ] = None,
    walk_only: Annotated[
        bool,
        typer.Option(
            "--walk-only", help="Check every reply, but write no certificate. The result is then walked, not proved."
        ),
    ] = False,
    chance: Annotated[
        bool,
        typer.Option(
            "--best-response",
            help="Also compute the loss rate against a best response that cannot predict random tie-breaks.",
        ),
    ] = False,
    force: ForceOption = False,
    most: Annotated[
        int | None,
        typer.Option("--max-positions", min=1, help="Give up after this many positions. By default 20 million."),
    ] = None,
    report: ReportOption = None,
    *,
    how: Asking,
) -> int:
    """Try every reply to an agent, to prove that it wins or never loses, or to find a game that beats it.

    A proof counts only after the independent checker has accepted its certificate, which lists the agent's move in every
    position. Certificates are saved in the store, and `noughts verify FILE` checks one again on any machine.
    If an agent breaks ties at random, the proof covers every possible tie-break. In a task such as bttt(*), games that
    are equivalent under symmetry are checked once, if the agent treats them alike. If you interrupt a proof, the same command
    continues it. Exit code 0 means proved in every game, or walked with --walk-only. Exit code 1 means refuted or
    undecided in any game, or that the agent crashed, so there is no verdict.

    Examples:
        noughts prove minimax:depth=9,ties=first --rules tic-tac-toe --as second
        noughts prove best=az:RUN,sims=32,view=canonical --rules "bttt(*)" --certificate proofs
    """
    from noughts.cli.output import pages_folder, save_figure, show
    from noughts.examine.walk import MOST
    from noughts.library.examining import chances_of, planned_walk, proof_of
    from noughts.questions.certified import write_certificates
    from noughts.reports.presenting.proofs import deciding, present_proof
    from noughts.rules import NoughtsError
    from noughts.rules.text import counted
    from noughts.store.files import make_folder

    (player,) = how.read(agent)
    if chance and instance is not None:
        raise NoughtsError("--best-response is about random tie-breaks, and --instance fixes them: give one of them")
    if walk_only and certificate is not None:
        raise NoughtsError("--walk-only writes no certificate, and --certificate writes one: give one of them")
    folder = pages_folder(report)
    if certificate is not None:
        make_folder(certificate)  # fail before the work begins
    limit = MOST if most is None else most
    known_side = cast("Player", side)  # which the question checks
    walked, heard = planned_walk(player, rules, known_side, limit, how.workers, instance, not walk_only)
    losing = chances_of(walked, heard, rules, how.settings) if chance else None
    answer = proof_of(walked, heard, rules, how.settings)
    certified = {} if certificate is None else write_certificates(walked, answer, certificate, force, how.workers)
    document = present_proof(answer, walked, how.names, losing)
    written = [f"certificate: {one.file}: {counted(one.positions, 'position')}" for one in certified.values()]
    several = len(walked.task.rules) > 1
    for game, shown in zip(answer.games, document.data["games"], strict=True):
        if (drawn := deciding(game, walked, how.names)) is not None:
            shown["picture"] = str(save_figure(drawn[1], folder / f"{drawn[1].name}.svg"))
            written += [] if several else [f"picture: {shown['picture']}"]
        if (report_on := certified.get(shown["rules"])) is not None:
            shown["certificate"], shown["entries"] = report_on.file, report_on.positions
    show(document, how.as_json, how.names, folder if several else None, walked.key, written, rules=rules)
    return 0 if all(game.result.walked if walk_only else game.result.proved for game in answer.games) else 1
