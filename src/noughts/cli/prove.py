"""``noughts prove``: does an agent win, or never lose, whatever is played against it?"""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noughts.cli.options import JsonOption, ReportOption, RulesOption, StoreOption, WorkersOption

if TYPE_CHECKING:
    from rich.table import Table

    from noughts.questions.prove import ProofOfAgent, Proving


def prove(
    agent: Annotated[str, typer.Argument(help="An agent without chance, e.g. minimax:depth=2,ties=first.")],
    rules: RulesOption = "tic-tac-toe",
    side: Annotated[str, typer.Option("--as", metavar="SIDE", help="The side it plays: first or second.")] = "first",
    instance: Annotated[
        int | None,
        typer.Option("--instance", metavar="SEED", help="Prove one instance of an agent of chance, named by a seed."),
    ] = None,
    workers: WorkersOption = None,
    most: Annotated[
        int | None, typer.Option("--most", min=1, help="Positions to walk at most; 20 million unless given.")
    ] = None,
    store: StoreOption = None,
    report: ReportOption = None,
    as_json: JsonOption = False,
) -> int:
    """Walk every reply to an agent: it is proved to win, or never to lose, or a game that beats it is shown.

    An agent that breaks ties by chance is proved for every way its ties can fall. Interrupted, the same command goes
    on. The exit code is 0 if the agent is proved, and 1 if it is refuted or if it failed itself: then there is no
    verdict, also none with --json, but a line that says how it failed.
    """
    from noughts.cli.output import print_json, watch
    from noughts.examine.walk import MOST
    from noughts.questions.prove import ProofPlan, Proving, make_plan, require_provable
    from noughts.questions.session import agents_code
    from noughts.store.files import make_folder
    from noughts.store.results import Store

    plan = make_plan(ProofPlan(agent=agent, rules=rules, side=side, instance=instance))
    place = Store.open(store)
    folder = report or place.folder / "pages"
    make_folder(folder)  # what cannot be written is said before anything is asked
    require_provable(plan, workers)  # who is refused at once leaves no run behind
    identity = plan.model_dump(mode="json") | {"agents_code": agents_code([plan.agent])}
    with place.begin("proof", plan.name, identity, plan.instance or 0) as run:
        if run.resumed and run.measurements() and not as_json:
            typer.echo(f"going on with the proof of {plan.agent} that was interrupted", err=True)
        proving = Proving(plan, run, workers, MOST if most is None else most)
        while not proving.finished:
            where = f"{'the worst ' if proving.walk.narrowed else ''}positions after {proving.walk.ply} plies"
            title = f"{plan.agent} in {plan.rules}, {where}"
            watch(proving.next_level(), title, lambda: _so_far(proving), quiet=as_json)
        result = proving.result()
        picture = _draw(result, folder)
        record = result.record()
        run.add([record] if record else [])
        run.finish(result.to_json())
    if as_json:
        print_json(result.model_dump(mode="json") | {"picture": picture and str(picture)})
    else:
        _present(result, picture)
    return 1 if result.answer == "refuted" else 0


def _so_far(proving: "Proving") -> "Table":
    """What the walk has shown until now."""
    from rich.table import Table

    table = Table("positions", "games won", "drawn", "lost")
    walk = proving.walk
    table.add_row(f"{walk.decisions:,}", *(f"{games:,.0f}" for games in (walk.won, walk.drawn, walk.lost)))
    return table


def _draw(result: "ProofOfAgent", folder: Path) -> Path | None:
    """Draw the game that is lost or drawn, if there is one; the drawing's place."""
    from noughts.positions import Position, derive_seed
    from noughts.reports.boards import BoardOptions, board_svg
    from noughts.rules import parse_rules
    from noughts.store.files import write_atomically

    if result.game is None:
        return None
    how = "loses" if result.answer == "refuted" else "draws"
    name = re.sub(r"[^A-Za-z0-9]+", "-", result.plan.name)[:80].strip("-")
    path = folder / f"{how}-{name}-{derive_seed(0, result.plan.name):016x}.svg"  # long names are cut
    position = Position.start(parse_rules(result.plan.rules), result.game)
    title = f"A game that {result.plan.agent} {how} as {result.plan.side} player"
    write_atomically(path, board_svg(position, BoardOptions(numbers=True), title=title))
    return path


def _present(result: "ProofOfAgent", picture: Path | None) -> None:
    """The answer in one line; then a game, if there is one to show."""
    from noughts.positions import SYMBOLS, Position
    from noughts.rules import parse_rules

    plan = result.plan
    who = plan.agent if plan.instance is None else f"instance {plan.instance} of {plan.agent}"
    counted = f"{result.positions:,} positions, {result.games:,} games of at most {result.longest} moves"
    ties = ", however its ties fall" if result.ties else ""
    if result.answer == "refuted":
        typer.echo(f"refuted: {who} can be beaten as {plan.side} player of {plan.rules} ({counted})")
    else:
        typer.echo(
            f"proved: {who} {result.answer} as {plan.side} player of {plan.rules} against every reply{ties} ({counted})"
        )
    if result.game is None:
        return
    rules = parse_rules(plan.rules)
    position = Position.start(rules, result.game)
    mine = 0 if plan.side == "first" else 1
    typer.echo(f"\n{'it loses' if result.answer == 'refuted' else 'a game that it draws'}:\n")
    for ply, move in enumerate(result.game):
        typer.echo(
            f"{ply + 1:4}  {SYMBOLS[position.cells[move]]} {rules.name_of(move)}{'  the agent' if ply % 2 == mine else ''}"
        )
    typer.echo(f"\n{position}\n\npicture: {picture}")
