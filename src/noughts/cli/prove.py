"""``noughts prove``: does an agent win, or never lose, whatever is played against it? In one game, or in each of a task.

*Proved* means that what the agent plays is kept, position by position, and that the independent checker accepted it.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from noughts.cli.ask import Asking
from noughts.cli.options import ForceOption, ReportOption, TaskOption, complete_agent, grouped

if TYPE_CHECKING:
    from noughts.document.names import Names
    from noughts.play.score import Player
    from noughts.questions.walked import Walked, WalkedTask
    from noughts.rules import Rules


@grouped
def prove(
    agent: Annotated[
        str,
        typer.Argument(
            help="Agent to check, e.g. minimax:depth=2. It must not sample its moves, but random tie-breaking is fine.",
            autocompletion=complete_agent,
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
    import noughts
    from noughts.cli.output import show
    from noughts.document.names import NO_NAMES
    from noughts.examine.walk import MOST
    from noughts.questions.certified import write_certificates
    from noughts.reports.presenting.proofs import present_proof
    from noughts.rules import NoughtsError
    from noughts.rules.text import counted
    from noughts.store.files import make_folder
    from noughts.store.place import store_folder

    (agent,) = how.read(agent)
    if chance and instance is not None:
        raise NoughtsError("--best-response is about random tie-breaks, and --instance fixes them: give one of them")
    if walk_only and certificate is not None:
        raise NoughtsError("--walk-only writes no certificate, and --certificate writes one: give one of them")
    folder = report or store_folder() / "pages"
    for wanted in (folder, certificate):
        if wanted is not None:
            make_folder(wanted)  # what cannot be written is said before anything is asked
    most, player = MOST if most is None else most, cast("Player", side)
    losing = noughts.losing_chances(agent, rules, player, most=most, **how.options) if chance else None
    answer = noughts.prove(agent, rules, player, instance=instance, most=most, certify=not walk_only, **how.options)
    walked: Walked = how.asked
    certified = (
        {} if certificate is None else write_certificates(walked, answer, certificate, force, how.options["workers"])
    )
    names = how.names or NO_NAMES
    document = present_proof(answer, walked, names, losing)
    pictures = _pictures(walked, answer, folder, names)
    for game, shown in zip(answer.games, document.data["games"], strict=True):
        shown["picture"] = pictures.get(game.rules)
        if (written := certified.get(shown["rules"])) is not None:
            shown["certificate"], shown["entries"] = written.file, written.positions
    several = len(walked.task.rules) > 1
    show(document, how.as_json, names, folder if several else None, walked.key, rules=rules)
    if not how.as_json:
        for written in certified.values():
            typer.echo(f"certificate: {written.file}: {counted(written.positions, 'position')}")
        for path in () if several else pictures.values():
            typer.echo(f"picture: {path}")
    return 0 if all(game.result.walked if walk_only else game.result.proved for game in answer.games) else 1


def _pictures(walked: "Walked", answer: "WalkedTask", folder: Path, names: "Names") -> "dict[Rules, str]":
    """Draw a game that is lost or else drawn of each game of the task that has one; the drawings' places."""
    from noughts.reports.figures import figure_svg
    from noughts.reports.presenting.proofs import deciding
    from noughts.store.files import write_atomically

    drawn = {}
    for game in answer.games:
        if (found := deciding(game, walked, names)) is not None:
            path = folder / f"{found[1].name}.svg"
            write_atomically(path, figure_svg(found[1]))
            drawn[game.rules] = str(path)
    return drawn
