"""The part of ``noughts score`` that tells what is wrong with what an agent with a learned model imagines."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Group

    from noughts.examine.imagining import ImaginedTally
    from noughts.questions.imagined import ImaginedJudged, ImaginedTallies
    from noughts.questions.judged import Judged

# Each position makes as many as a search has simulations, and each of these is proved: so it searches from a tenth of those in
# which it is scored, in a few games, and solvers spend little on each.
_SHARE = 10
_ALL_UP_TO = 100
_GAMES = 4
_NODES = 20_000


def model_question(judged: "Judged") -> "ImaginedJudged | None":
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


def model_json(found: "ImaginedTallies") -> list[dict[str, Any]]:
    """What was found, for programs: an object for each depth."""
    return [{"depth": depth} | tally.model_dump(mode="json") for depth, tally in found.depths]


def model_tables(found: "ImaginedTallies", agent: str) -> "Group":
    """What was found by depth, for people."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from noughts.examine.imagining import ImaginedTally

    total = sum((tally for _, tally in found.depths), ImaginedTally())
    rows = [*((str(depth), tally) for depth, tally in found.depths), ("all", total)]
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="underline")
    table.add_column("depth", justify="right")
    for head in _COLUMNS:
        table.add_column(head, justify="right", no_wrap=True)
    for label, tally in rows:
        table.add_row(label, *(cell(tally) for cell in _COLUMNS.values()))
    said = (
        "each position that a search imagined counts once; beyond: it follows an illegal move or the end of the game, "
        "so that there is none; the rest is beside the real position after the same moves. It searched from a tenth of the "
        f"positions, in {_GAMES} games at most; more by `noughts.score_model`"
    )
    return Group(
        Text(f"{agent}: what its searches imagine, by moves from what it sees", style="bold"), table, Text(said)
    )


def _share(part: str, whole: str) -> "Callable[[ImaginedTally], str]":
    """A count as percent of another, or nothing."""

    def cell(tally: "ImaginedTally") -> str:
        share = tally.share(part, whole)
        return "" if share is None else f"{100 * share.share:.1f}"

    return cell


_COLUMNS: "dict[str, Callable[[ImaginedTally], str]]" = {
    "imagined": lambda tally: f"{tally.made + tally.beyond:,}",
    "beyond\n%": lambda tally: (
        f"{100 * tally.beyond / (tally.made + tally.beyond):.1f}" if tally.made + tally.beyond else ""
    ),
    "illegal\n%": _share("illegal", "made"),
    "ends\nmissed %": _share("missed", "ended"),
    "ends\ninvented %": _share("invented", "going"),
    "side\nmistaken %": _share("sides_mistaken", "sides"),
    "board\nwrong %": _share("boards_wrong", "boards"),
    "value\nerror": lambda tally: "" if tally.value_error is None else f"{tally.value_error.mean:.3f}",
    "value\nwrong %": _share("values_wrong", "values"),
}
