"""Is depth-2 Minimax perfect at Brick Tic-Tac-Toe? The paper calls it a proxy to perfect play; every reply decides."""

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from noughts.agents import build_agent
from noughts.agents.registry import from_outside
from noughts.document.result import BoardFigure, CellValue, CurveFigure, Figure, Row, Table
from noughts.examine.judge import Tally, judge
from noughts.examine.sample import sample_positions
from noughts.examine.walk import Walk, walk_until_lost
from noughts.machine.memory import GIB
from noughts.play.playthrough import Notes
from noughts.positions import Side
from noughts.questions.prove import ProofPlan, require_provable
from noughts.questions.session import Measurement, Work
from noughts.rules import AgentError, Rules, format_game, format_rules, parse_rules, parse_task
from noughts.rules.symmetry import image_classes
from noughts.solvers.solve import Truth
from noughts.studies.study import Conclusion, Results, Settings, Study, interval_series, optimal_row, percent

TASK = "bttt(*)"
EVERY_TIE = "minimax:depth=2"
FIRST_TIE = "minimax:depth=2,ties=first"
_JUDGED_PLIES = (4, 30)  # before, few moves are decided in a moment; after, few random games go on


class Scale(NamedTuple):
    """Whether to walk the first of equal moves on each square too; positions judged of each ply and class of squares,
    and the solver's nodes for each."""

    first_ties: bool
    per_ply: int
    nodes: int


SCALES = {
    "quick": Scale(False, 10, 50_000),
    "laptop": Scale(True, 60, 300_000),
    "paper": Scale(True, 400, 1_000_000),
}


class Walked(NamedTuple):
    """What walking every reply showed: a shortest lost game, if there is one, and what was walked until then."""

    lost_game: tuple[int, ...] | None
    decisions: int
    undecided: int
    lost: float
    longest: int
    plies: int


class IsMinimaxPerfect(Study):
    """Is depth-2 Minimax with Table 2 perfect, as first player, on every brick square?"""

    name = "is-minimax-perfect"
    title = "Is depth-2 Minimax perfect at Brick Tic-Tac-Toe?"
    question = (
        "Does depth-2 Minimax with Table 2, moving first, win against every reply on each of the 49 brick squares?"
    )
    paper = (
        "Tan Chong Min and Motani, Brick Tic-Tac-Toe: Exploring the Generalizability of AlphaZero to "
        "Novel Test Environments: Minimax as a proxy to perfect play, and Table 7 (Minimax wins 490 of 490)"
    )
    scales = {
        scale: f"every reply and every tie on all squares{', the first of equal moves as well' if size.first_ties else ''}; {size.per_ply} positions a ply judged for each class of squares"
        for scale, size in SCALES.items()
    }
    deviations = (
        "The paper draws its conclusion from games; here every reply is walked until the agent first loses, or to the end.",
        "Every way in which ties among equal moves can fall is walked at once; squares that are images of one another are then one walk, because equal scores know no left from right.",
        "A full board is the second player's win, as the paper's text says.",
        "Positions for the share of optimal moves come from uniformly random play; those that no move can spoil or mend are counted apart.",
    )

    def work(self, settings: Settings) -> Sequence[Work]:
        """A walk for each class of squares, perhaps one for each square, and the judging.

        Raises:
            AgentError: a guest is in the line-up already, is not deterministic, or failed at its first move.
        """
        size = SCALES[settings.scale]
        classes = image_classes(parse_task(TASK).rules)
        _check_guests(settings, classes[0][0])
        walks = [_walk(EVERY_TIE, group[0]) for group in classes]
        walks += [_walk(agent, rules) for agent in _one_by_one(settings) for group in classes for rules in group]
        judged = [
            Measurement(
                key=_judge_key(group[0], ply),
                function="noughts.studies.is_minimax_perfect:judge_square",
                argument=json.dumps(
                    {
                        "rules": format_rules(group[0]),
                        "ply": ply,
                        "per_ply": size.per_ply,
                        "nodes": size.nodes,
                        "seed": settings.seed,
                    }
                ),
            )
            for group in classes
            for ply in _judged_plies()
        ]
        return [*walks, *judged]

    def conclude(self, settings: Settings, results: Results) -> Conclusion:
        """A table for each way of breaking ties, the board of squares, the lost games, and the share by ply."""
        classes = image_classes(parse_task(TASK).rules)
        every = {group[0]: _walked(EVERY_TIE, group[0], results) for group in classes}
        groups = {group[0]: group for group in classes}
        tables = [
            _walked_table(
                "Every reply and every way its ties can fall",
                [_row(rules, every[rules], _names(groups[rules])) for rules in groups],
                "Each row stands for the squares that rotations and reflections make of its brick.",
            )
        ]
        everywhere = {rules: every[group[0]] for group in classes for rules in group}
        figures: list[Figure] = [
            _squares_figure("every-tie", "Minimax as first player, however its ties fall", everywhere)
        ]
        others: dict[str, dict[Rules, Walked | None]] = {}
        for number, agent in enumerate(_one_by_one(settings)):
            others[agent] = {rules: _walked(agent, rules, results) for group in classes for rules in group}
            rows = [_row(rules, found, _brick(rules), agent == FIRST_TIE) for rules, found in others[agent].items()]
            tables.append(_walked_table(f"Every reply to {agent}", rows, "Each square by itself."))
            figures.append(_squares_figure(f"squares-{number}", f"{agent} as first player", others[agent]))
        tallies = {ply: sum((_tally(group[0], ply, results) for group in classes), Tally()) for ply in _judged_plies()}
        tables.append(_judged_table(tallies))
        figures += [*_optimal_figure(tallies), *_lost_games(every, EVERY_TIE)]
        walked = {"minimax:depth=2, however its ties fall": everywhere} | others
        return Conclusion(tuple(tables), tuple(figures), tuple(_findings(walked, tallies)))


def walk_square(argument: str, notes: Notes) -> str:
    """Walk every reply to an agent that moves first, until it loses or to the end; gives `Walked` as JSON.

    An agent from outside the project is asked twice, because nobody here knows what it decides by.
    """
    asked = json.loads(argument)
    agent, rules = asked["agent"], parse_rules(asked["rules"])

    def note(walk: Walk) -> None:
        notes.note(f"{agent} on {asked['rules']}: {len(walk)} positions after {walk.ply} plies")

    walk = walk_until_lost(lambda: build_agent(agent), rules, Side.FIRST, from_outside(agent), note)
    return json.dumps(
        Walked(walk.lost_game, walk.decisions, walk.undecided, walk.lost, walk.longest, walk.ply)._asdict()
    )


def judge_square(argument: str, notes: Notes) -> str:
    """Judge Minimax, moving first, in random positions of one ply; gives a `Tally`."""
    asked = json.loads(argument)
    rules = parse_rules(asked["rules"])
    strata = sample_positions(rules, asked["per_ply"], asked["seed"], (asked["ply"], asked["ply"]))
    positions = [position for stratum in strata for position in stratum.positions]
    found = judge(build_agent(FIRST_TIE), positions, Truth(rules, GIB), asked["seed"], asked["nodes"], notes)
    return sum(found.values(), Tally()).to_json()


def _check_guests(settings: Settings, rules: Rules) -> None:
    """AgentError if a guest cannot be walked, before 49 walks of it are begun."""
    line_up = [EVERY_TIE, *_own(settings)]
    for guest in settings.agents:
        if guest in line_up:
            raise AgentError(f"agent {guest!r} is in the line-up already: name each agent once, and none that is there")
        line_up.append(guest)
        require_provable(ProofPlan(agent=guest, rules=format_rules(rules), side="first"))


def _own(settings: Settings) -> list[str]:
    """The study's own agents that are walked on every square by itself."""
    return [FIRST_TIE] if SCALES[settings.scale].first_ties else []


def _one_by_one(settings: Settings) -> list[str]:
    """The agents that are walked on every square by itself."""
    return [*_own(settings), *settings.agents]


def _judged_plies() -> range:
    """Plies at which the first player is to move."""
    return range(_JUDGED_PLIES[0], _JUDGED_PLIES[1] + 1, 2)


def _walk(agent: str, rules: Rules) -> Measurement:
    return Measurement(
        key=_walk_key(agent, rules),
        function="noughts.studies.is_minimax_perfect:walk_square",
        argument=json.dumps({"agent": agent, "rules": format_rules(rules)}),
    )


def _walk_key(agent: str, rules: Rules) -> str:
    return f"walk / {agent} / {format_rules(rules)}"


def _judge_key(rules: Rules, ply: int) -> str:
    return f"judge / {format_rules(rules)} / {ply:02d}"


def _walked(agent: str, rules: Rules, results: Results) -> Walked | None:
    text = results.measurements.get(_walk_key(agent, rules))
    if text is None:
        return None
    found = json.loads(text)
    lost = found["lost_game"]
    return Walked(**found | {"lost_game": None if lost is None else tuple(lost)})


def _tally(rules: Rules, ply: int, results: Results) -> Tally:
    text = results.measurements.get(_judge_key(rules, ply))
    return Tally() if text is None else Tally.from_json(text)


def _brick(rules: Rules) -> str:
    return rules.brick_names()


def _names(group: Sequence[Rules]) -> str:
    return " ".join(sorted(map(_brick, group)))


def _walked_table(title: str, rows: Sequence[Row], caption: str) -> Table:
    return Table(
        title=title, label_columns=("Brick", "Squares"), unit="decisions walked", rows=tuple(rows), caption=caption
    )


def _row(rules: Rules, walked: Walked | None, squares: str, claimed: bool = True) -> Row:
    labels, paper = (_brick(rules), squares), "perfect" if claimed else ""
    if walked is None:
        return Row(labels=labels, paper=paper)
    lost = walked.lost_game
    names = "" if lost is None else " ".join(map(rules.name_of, lost))
    return Row(
        labels=labels,
        paper=paper,
        ours=f"wins against every reply, in at most {walked.longest} plies"
        if lost is None
        else f"loses in {len(lost)} plies",
        value=float(walked.decisions),
        count=walked.decisions,
        verdict="no claim" if not claimed else "agrees" if lost is None else "refuted",
        note=f"ties in {walked.undecided:,} of {walked.decisions:,} decisions"
        if lost is None
        else f"it loses {names}; {walked.decisions:,} decisions up to there",
    )


def _squares_figure(name: str, title: str, walked: dict[Rules, Walked | None]) -> BoardFigure:
    """The 7x7 board of brick squares: where it wins against every reply, and where and when it first loses."""
    values = tuple(
        CellValue(cell=rules.bricks[0], value=0.0, text="wins")
        if found.lost_game is None
        else CellValue(
            cell=rules.bricks[0],
            value=100.0,
            text=f"L{len(found.lost_game)}",
            game=format_game(rules, found.lost_game),
        )
        for rules, found in walked.items()
        if found is not None
    )
    return BoardFigure(
        name=name,
        title=title,
        rules="mnk(7,7,4)",
        values=values,
        value_label="with the brick there: wins against every reply, or L and the plies of a shortest game that it loses",
    )


def _judged_table(tallies: dict[int, Tally]) -> Table:
    return Table(
        title="Its moves in random positions, as first player",
        label_columns=("Ply",),
        unit="optimal moves where the choice matters, percent",
        rows=tuple(_judged_row(ply, tally) for ply, tally in tallies.items()),
        caption="All classes of squares together, each alike. A choice matters where some moves keep the value and some do not.",
    )


def _judged_row(ply: int, tally: Tally) -> Row:
    notes = [f"{tally.indifferent:,} of {tally.positions:,} positions leave nothing to choose"]
    if tally.undecided:
        notes.append(f"{tally.undecided:,} not decided")
    if tally.choices:
        notes.append(f"a random player {percent(tally.chance_share):.0f} percent")
    return optimal_row((str(ply),), tally, "; ".join(notes))


def _optimal_figure(tallies: dict[int, Tally]) -> Iterator[Figure]:
    known = {ply: tally.optimal_interval for ply, tally in tallies.items() if tally.choices}
    if known:
        yield CurveFigure(
            name="optimal-moves",
            title="Optimal moves of Minimax in random positions where the choice matters",
            x_label="ply",
            y_label="optimal moves, percent",
            y_range=(0.0, 100.0),
            series=(interval_series("Minimax, depth 2", known),),
        )


def _lost_games(walked: dict[Rules, Walked | None], agent: str) -> Iterator[Figure]:
    for rules, found in walked.items():
        if found is not None and found.lost_game is not None:
            yield BoardFigure(
                name=f"lost-{_brick(rules)}",
                title=f"A shortest game that {agent} loses with the brick on {_brick(rules)}",
                rules=format_rules(rules),
                moves=found.lost_game,
            )


def _findings(walked: dict[str, dict[Rules, Walked | None]], tallies: dict[int, Tally]) -> Iterator[str]:
    for agent, squares in walked.items():
        known = {rules: found for rules, found in squares.items() if found is not None}
        perfect = [rules for rules, found in known.items() if found.lost_game is None]
        if known:
            verdict = "it is perfect there" if len(perfect) == len(known) else "it does not play perfectly"
            yield f"{agent}: as first player it wins against every reply on {len(perfect)} of {len(known)} squares, and can be made to lose on {len(known) - len(perfect)}: {verdict}."
    total = sum(tallies.values(), Tally())
    if total.choices:
        share = total.optimal_interval
        yield f"Where the choice matters it keeps the value in {percent(share.share):.1f} percent of {total.choices:,} random positions ({percent(share.low):.1f} to {percent(share.high):.1f}); a random player would in {percent(total.chance_share):.0f}."
