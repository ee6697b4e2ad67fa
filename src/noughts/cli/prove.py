"""``noughts prove``: does an agent win, or never lose, whatever is played against it? In one game, or in each of a task.

*Proved* means that what the agent plays is kept, position by position, and that the independent checker accepted it.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli.options import (
    AgainOption,
    ForceOption,
    JsonOption,
    OnOption,
    ReportOption,
    StoreOption,
    TaskOption,
    WorkersOption,
    complete_agent,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Group

    from noughts.document.names import Names
    from noughts.document.result import BoardFigure
    from noughts.examine.walk_result import WalkResult
    from noughts.questions.best_replies import LosingChances
    from noughts.questions.walked import Walked, WalkedGame


def prove(
    agent: Annotated[
        str,
        typer.Argument(
            help="An agent without chance, e.g. minimax:depth=2,ties=first, or NAME=AGENT.",
            autocompletion=complete_agent,
        ),
    ],
    rules: TaskOption = "tic-tac-toe",
    side: Annotated[str, typer.Option("--as", metavar="SIDE", help="The side it plays: first or second.")] = "first",
    instance: Annotated[
        int | None,
        typer.Option("--instance", metavar="SEED", help="Prove one instance of an agent of chance, named by a seed."),
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(
            "--certificate", metavar="FOLDER", help="Write what the agent plays, where it is proved, there too."
        ),
    ] = None,
    walk_only: Annotated[
        bool,
        typer.Option(
            "--walk-only", help="Walk alone: keep and check no certificate, and say walked in place of proved."
        ),
    ] = False,
    chance: Annotated[
        bool,
        typer.Option(
            "--chance",
            help="Say, too, how often it loses to the best replies of an opponent that cannot foresee how its ties fall.",
        ),
    ] = False,
    force: ForceOption = False,
    workers: WorkersOption = None,
    on: OnOption = None,
    most: Annotated[
        int | None, typer.Option("--most", min=1, help="Positions to walk at most; 20 million unless given.")
    ] = None,
    store: StoreOption = None,
    report: ReportOption = None,
    again: AgainOption = False,
    as_json: JsonOption = False,
) -> int:
    """Walk every reply to an agent: it is proved to win, or never to lose, or a game that beats it is shown.

    What a proved agent plays is kept, position by position, in the store's folder certificates, and checked by the
    independent checker before it counts; `noughts verify FILE` checks it again, on any machine.
    An agent that breaks ties by chance is proved for every way its ties can fall. With several games, such as bttt(*),
    those that are images of one another are walked once, if the agent treats them alike. Interrupted, the same command
    goes on. The exit code is 0 if the agent is proved (or walked, if no more was asked) in every game, and 1 if it is not in one or if it failed itself:
    then there is no verdict, also none with --json, but a line that says how it failed.
    """
    from rich.console import Group

    from noughts.cli.ask import ask
    from noughts.cli.output import print_json, print_legend, print_tables, save_figure
    from noughts.document.names import read_names
    from noughts.examine.walk import MOST
    from noughts.library.asking import executor_at
    from noughts.library.examining import chance_answer, chance_question, proof_answer, proof_question, require_proof
    from noughts.questions.certified import certifications
    from noughts.questions.walked import failure
    from noughts.rules import NoughtsError, StoreError
    from noughts.rules.text import counted
    from noughts.store.files import make_folder
    from noughts.store.results import Store

    (agent,), names = read_names([agent])
    if chance and instance is not None:
        raise NoughtsError(
            "--chance is about an agent whose ties fall by chance, and --instance settles them: give one of them"
        )
    if walk_only and certificate is not None:
        raise NoughtsError("--walk-only keeps no certificate, and --certificate writes one: give one of them")
    walked = proof_question(agent, rules, side, instance, MOST if most is None else most, workers, not walk_only)
    chances = chance_question(walked) if chance else None
    executor = executor_at(workers, on)
    place = Store.open(store)
    folder = report or place.folder / "pages"
    for wanted in (folder, certificate):
        if wanted is not None:
            make_folder(wanted)  # what cannot be written is said before anything is asked
    require_proof(walked, workers)  # who is refused at once leaves no run behind
    name, title = (f"{who} as {side} player of {rules}" for who in (walked.agent, names.show(walked.agent)))
    answers = ask(
        [walked] if chances is None else [walked, chances],
        place,
        "proof",
        name,
        lambda answers: proof_tables(
            walked, answers[walked].games, names, None if chances is None else answers[chances]
        ),
        instance or 0,
        executor,
        quiet=as_json,
        spread=True,
        again=again,
        title=title,
    )
    answer, given_up = proof_answer(walked, answers, "--most")
    found = answer.games
    losing = None if chances is None else chance_answer(chances, answers)
    certified: dict[str, tuple[str, int]] = {}
    if certificate is not None:
        certifying = certifications(walked, [game.rules for game in found if game.result.proved], certificate, force)
        files = ask(
            certifying,
            place,
            "proof",
            f"certificates of {name}",
            lambda answers: Group(),
            instance or 0,
            executor,
            quiet=as_json,
            spread=True,
            title=f"certificates of {title}",
        )
        for problem in files.problems.values():
            kind, _, reason = problem.partition(": ")
            raise StoreError(reason) if kind == StoreError.__name__ else failure(walked.agent, problem)
        for written in (written for one in certifying if (file := files[one]) for written in file.written):
            certified[written.game] = (written.path, written.entries)
    pictures = {game.rules: _draw(walked, game, folder, names) for game in found}
    drawn = save_figure(proof_heatmap(walked, found, names), folder, walked.key)
    if as_json:
        more = {} if drawn is None else {"figure": str(drawn)}
        print_json(_json(walked, rules, found, pictures, certified, losing) | more, names)
    elif len(found) == 1:
        _present(walked, found[0], pictures[found[0].rules], names, losing)
        print_legend(names)
    else:
        print_tables(proof_tables(walked, found, names, losing), names)
    if not as_json:
        for line in _certificates(found):
            typer.echo(line)
        for path, entries in certified.values():
            typer.echo(f"certificate: {path}: {counted(entries, 'position')}")
        if drawn is not None:
            typer.echo(f"\nfigure: {drawn}")
    for problem in given_up:
        typer.echo(problem, err=True)
    return 0 if all(game.result.walked if walk_only else game.result.proved for game in found) else 1


def proof_tables(
    walked: "Walked", found: "Sequence[WalkedGame]", names: "Names", losing: "LosingChances | None" = None
) -> "Group":
    """What is known of each game, and how often it is lost if that was asked, a heatmap where they differ by a brick, and what it comes to."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from noughts.reports.terminal import heatmap
    from noughts.rules import format_rules

    table = Table(title_justify="left")
    table.add_column("game", overflow="fold")
    for column in ("answer", "positions", "games", "longest"):
        table.add_column(column, justify="left" if column == "answer" else "right")
    if losing is not None:
        table.add_column("best replies win", justify="right")
    for rules, result in found:
        counts = (result.decisions, result.games, result.longest)
        answer = result.verb if result.proved else str(result)
        one = None if losing is None else losing.by_rules.get(rules)
        more = [] if losing is None else ["" if one is None else f"{one} %"]
        table.add_row(format_rules(rules), answer, *(f"{count:,}" for count in counts), *more)
    parts: list[Any] = [table] if found else []
    figure = proof_heatmap(walked, found, names)
    if figure is not None:
        parts.append(heatmap(figure))
    if len(walked.task.rules) > 1:
        parts.append(Text(_summary(walked, found, names)))
    return Group(*parts)


def proof_heatmap(walked: "Walked", found: "Sequence[WalkedGame]", names: "Names") -> "BoardFigure | None":
    """Where the agent is proved, by the brick's square."""
    from noughts.document.heatmap import Shade, brick_heatmap
    from noughts.rules import format_game

    def shade(game: "WalkedGame") -> Shade:
        result = game.result
        if result.lost_game is not None:
            return Shade(0.0, f"L{len(result.lost_game)}", format_game(game.rules, result.lost_game))
        if not result.walked:
            return Shade(50.0, "?")
        said = "won" if result.verb == "wins" else "held"
        return Shade(100.0 if said == "won" else 50.0, said if result.proved else f"({said})")

    label = (
        "with the brick there: won or held against every reply, in brackets where that was not checked, or L and the "
        "plies of a game that it loses"
    )
    title = f"{names.show(walked.agent)} as {walked.side} player: every reply, by the brick's square"
    return brick_heatmap("proved", title, label, {game.rules: shade(game) for game in found})


def _summary(walked: "Walked", found: "Sequence[WalkedGame]", names: "Names") -> str:
    """What the games come to, in a line."""
    proved, wins = (sum(getattr(game.result, name) for game in found) for name in ("proved", "wins"))
    of = len(walked.task.rules)
    walks = len(walked.units())
    images = f"; {walks} walks, because images of a game are one to this agent" if walks < of else ""
    verb = "wins against every reply" if 0 < wins == proved else "never loses"
    who, unchecked = names.show(walked.agent), sum(game.result.walked for game in found) - proved
    if unchecked and not proved:
        return f"walked, not checked: {who} loses no game on {unchecked} of {of} games as {walked.side} player{images}"
    more = f"; {unchecked} more were walked and not checked" if unchecked else ""
    return f"proved: {who} {verb} on {proved} of {of} games as {walked.side} player{more}{images}"


def _certificates(found: "Sequence[WalkedGame]") -> list[str]:
    """Where the checked certificates are, and why there is none where a walk lost no game."""
    from noughts.rules import format_rules
    from noughts.rules.text import counted
    from noughts.store.certificates import certificate_folder, certificate_path

    checked = {game.result.certificate: game.result.entries for game in found if game.result.proved}
    lines = [
        f"{format_rules(game.rules)}: not checked: {game.result.unchecked}" for game in found if game.result.unchecked
    ]
    if len(checked) == 1:
        ((digest, entries),) = checked.items()
        lines.append(f"checked: {counted(entries, 'position')}, SHA-256 {digest}\nkept: {certificate_path(digest)}")
    elif checked:
        lines.append(
            f"checked: {len(checked)} certificates, kept in {certificate_folder()}; --json gives their SHA-256"
        )
    return lines


def _draw(walked: "Walked", game: "WalkedGame", folder: Path, names: "Names") -> Path | None:
    """Draw the game that is lost or drawn, if there is one; the drawing's place."""
    from noughts.positions import Position, derive_seed
    from noughts.reports.boards import BoardOptions, board_svg
    from noughts.rules import format_rules
    from noughts.store.files import write_atomically

    result = game.result
    shown = _shown(result)
    if shown is None:
        return None
    how = "loses" if result.lost_game is not None else "draws"
    told = [
        format_rules(game.rules),
        str(walked.agent),
        walked.side,
        *([] if walked.instance is None else [str(walked.instance)]),
    ]
    text = " / ".join(told)
    name = re.sub(r"[^A-Za-z0-9]+", "-", text)[:80].strip("-")
    path = folder / f"{how}-{name}-{derive_seed(0, text):016x}.svg"  # long names are cut
    title = f"A game that {names.show(walked.agent)} {how} as {walked.side} player"
    write_atomically(path, board_svg(Position.start(game.rules, shown), BoardOptions(numbers=True), title=title))
    return path


def _shown(result: "WalkResult") -> tuple[int, ...] | None:
    """The lost game, or else a drawn one."""
    return result.drawn_game if result.lost_game is None else result.lost_game


def _json(
    walked: "Walked",
    task: str,
    found: "Sequence[WalkedGame]",
    pictures: "dict[Any, Path | None]",
    certified: dict[str, tuple[str, int]],
    losing: "LosingChances | None",
) -> dict[str, Any]:
    """For programs: one object for each game, in the order of the task."""
    from noughts.rules import format_rules

    games = []
    for rules, result in found:
        text, shown = format_rules(rules), _shown(result)
        answer = "refuted" if result.lost_game is not None else result.verb if result.proved else str(result)
        counts = {name: getattr(result, name) for name in ("ties", "won", "drawn", "lost", "longest")}
        path, entries = certified.get(text, (None, None))
        games.append(
            {"rules": text, "answer": answer, "positions": result.decisions}
            | counts
            | {
                "game": None if shown is None else [rules.name_of(move) for move in shown],
                "picture": pictures[rules] and str(pictures[rules]),
                "certificate": path,
                "entries": entries or result.entries or None,
                "sha256": result.certificate or None,
                "unchecked": result.unchecked or None,
            }
            | ({} if losing is None else {"losing_chance": [losing.by_rules[rules].low, losing.by_rules[rules].high]})
        )
    return {
        "agent": str(walked.agent),
        "rules": task,
        "side": walked.side,
        "instance": walked.instance,
        "proved": all(game.result.proved for game in found),
        "walked": all(game.result.walked for game in found),
        "walks": len(walked.units()),
        "games": games,
    }


def _present(
    walked: "Walked", game: "WalkedGame", picture: Path | None, names: "Names", losing: "LosingChances | None"
) -> None:
    """The answer in one line; then a game, if there is one to show."""
    from noughts.positions import SYMBOLS, Position
    from noughts.rules import format_rules
    from noughts.rules.text import counted

    rules, result = game
    who = names.show(walked.agent)
    who = who if walked.instance is None else f"instance {walked.instance} of {who}"
    asked = (
        f"{counted(result.decisions, 'position')}, {counted(result.games, 'game')} of at most {result.longest} moves"
    )
    place = f"as {walked.side} player of {format_rules(rules)}"
    if result.walked:
        ties = ", however its ties fall" if result.ties else ""
        word = "proved" if result.proved else "walked, not checked"
        typer.echo(f"{word}: {who} {result.verb} {place} against every reply{ties} ({asked})")
    else:
        typer.echo(f"refuted: {who} can be beaten {place} ({asked})")
    if losing is not None:
        typer.echo(f"the best replies beat it in {losing.by_rules[rules]} percent of the games")
    shown = _shown(result)
    if shown is None:
        return
    position = Position.start(rules, shown)
    mine = 0 if walked.side == "first" else 1
    typer.echo(f"\n{'a game that it draws' if result.walked else 'it loses'}:\n")
    for ply, move in enumerate(shown):
        symbol, own = SYMBOLS[position.cells[move]], "  the agent" if ply % 2 == mine else ""
        typer.echo(f"{ply + 1:4}  {symbol} {rules.name_of(move)}{own}")
    typer.echo(f"\n{position}\n\npicture: {picture}")
