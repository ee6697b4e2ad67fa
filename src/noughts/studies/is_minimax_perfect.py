"""Is depth-2 Minimax perfect at Brick Tic-Tac-Toe? The paper calls it a proxy to perfect play; we try every reply."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any

from noughts.agents import AgentSpec, parse_agent
from noughts.document.citations import BRICK_PAPER
from noughts.document.heatmap import Shade, brick_board
from noughts.document.result import BoardFigure, Figure, Row, game_figure
from noughts.examine.best_replies import LosingChance
from noughts.examine.judge import Tally
from noughts.examine.walk_result import WalkResult
from noughts.questions.answers import Answers
from noughts.questions.best_replies import BestReplies
from noughts.questions.judged import Judged
from noughts.questions.question import Question
from noughts.questions.walked import Walked, require_provable
from noughts.rules import Rules, format_game
from noughts.studies.claims import between, curve_figure, optimal_line, optimal_row, percent, total_of
from noughts.studies.games import BOARD, CLASS_TASK, CLASSES, SQUARES, brick_names, in_random_positions
from noughts.studies.study import (
    Conclusion,
    Settings,
    Study,
    concluded,
    listed,
    parse_guests,
    section,
    sizes,
    with_minutes,
)

EVERY_TIE = parse_agent("minimax:depth=2")
FIRST_TIE = parse_agent("minimax:depth=2,ties=first")
_EVERY_TIE_WALKED = Walked(task=SQUARES, agent=EVERY_TIE, side="first", images_once=True)
"""Equal moves stay equal under symmetry, so one walk covers all symmetric squares."""
_EVERY_TIE_CHANCES = BestReplies(task=SQUARES, agent=EVERY_TIE, side="first", images_once=True, most=500_000)
_JUDGED_PLIES = range(4, 31, 2)
"""Plies of the first player. Earlier positions are costly to solve; few random games last longer."""


SCALES = sizes(
    first_ties=(False, True, True),  # whether to walk the agent that takes the first of equal moves on each square, too
    per_ply=(10, 60, 400),  # positions judged for each ply and class of squares
    nodes=(50_000, 300_000, 1_000_000),  # of the solver for each position
)


class IsMinimaxPerfect(Study):
    """Is depth-2 Minimax with Table 2 perfect, as first player, on every brick square?"""

    name = "is-minimax-perfect"
    title = "Is depth-2 Minimax perfect at Brick Tic-Tac-Toe?"
    question = (
        "Does depth-2 Minimax with Table 2, moving first, win against every reply on each of the 49 brick squares?"
    )
    paper = "Tan Chong Min and Motani, Brick Tic-Tac-Toe: Exploring the Generalizability of AlphaZero to Novel Test Environments: Minimax as a proxy to perfect play, and Table 7 (Minimax wins 490 of 490)"
    citations = (BRICK_PAPER,)
    scales = with_minutes(
        {
            scale: f"every reply and every tie on all squares, and the loss rate against a best response{'; the first of equal moves as well' if size.first_ties else ''}; {size.per_ply} positions a ply for each class of squares"
            for scale, size in SCALES.items()
        },
        quick=2,
    )
    deviations = (
        "The paper draws its conclusion from games. Here every reply is tried until the agent first loses, or to the end.",
        "All ways to break ties are tried together. Equivalent squares are then one case, because scores do not depend on left or right.",
        "A full board is the second player's win, as in the paper's text. The authors' program counts a draw.",
        "Minimax sums Table 2 in whole numbers, so that sums that are equal by symmetry are ties. The authors' program adds decimals, whose rounding splits some of these ties, and picks at random among the rest. It may therefore never play some of the lines tried here.",
        "Here a win outranks any sum, and a faster win a slower one. In the authors' program a finished game counts +1 or -1 among Table 2's sums.",
        "On some squares a reply wins only with lucky tie-breaks. Every scale counts these as lost. `laptop` and `paper` also count the squares that are lost without luck, where Minimax takes the first of equal moves. A separate table has the loss rate against a best response.",
        "A best response knows how Minimax decides, but cannot foresee which of equal moves it takes. All equal moves are equally likely.",
        "Positions for the percentage of optimal moves come from uniformly random play. Trivial ones, in which every move is optimal, are counted separately.",
    )

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Every reply on each class of squares, at some scales on each square; and moves compared with exact values.

        Raises:
            AgentError: a guest is in the line-up already, is not deterministic, or failed at its first move.
        """
        for guest in parse_guests(settings, [EVERY_TIE, *_own(settings).values()]):
            require_provable(guest, SQUARES.rules, "first", None, None)  # before 49 walks start
        one_by_one = [_every_reply(agent) for agent in _one_by_one(settings).values()]
        return [_EVERY_TIE_WALKED, _EVERY_TIE_CHANCES, *one_by_one, *(_judged(settings, ply) for ply in _JUDGED_PLIES)]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """A table for each way of breaking ties, the board of squares, lost games, and optimal moves by ply."""
        every = answers[_EVERY_TIE_WALKED].by_rules
        walked = {name: answers[_every_reply(agent)].by_rules for name, agent in _one_by_one(settings).items()}
        alone = [(rules,) for group in CLASSES for rules in group]
        figures = {"Each of its moves is the best by its own account.": _lost_games(every)}
        causes = _causes(every, walked.get(str(FIRST_TIE), {}))
        one_by_one = (
            _walks(f"Every reply to {name}", f"squares-{n}", name, alone, found, claimed=name == str(FIRST_TIE))
            for n, (name, found) in enumerate(walked.items())
        )
        return concluded(
            _walks(
                "Every reply and every tie-break",
                "every-tie",
                "Minimax, however it breaks ties,",
                CLASSES,
                every,
                figures,
                causes,
            ),
            _chances(answers[_EVERY_TIE_CHANCES].by_rules),
            *one_by_one,
            _optimal({ply: total_of(answers[_judged(settings, ply)], FIRST_TIE) for ply in _JUDGED_PLIES}),
        )


_SQUARES = "Each square shows the game with the brick there. L gives the length of a shortest loss, to which some replies lead."


def _every_reply(agent: AgentSpec) -> Walked:
    """Every reply to an agent that moves first, with one walk for each square."""
    return Walked(task=SQUARES, agent=agent, side="first")


def _judged(settings: Settings, ply: int) -> Judged:
    """Minimax, moving first, in random positions of one ply."""
    size = SCALES[settings.scale]
    return in_random_positions([FIRST_TIE], CLASS_TASK, (ply, ply), size.per_ply, size.nodes, seed=settings.seed)


def _own(settings: Settings) -> dict[str, AgentSpec]:
    """The study's own agents with one walk for each square, by name."""
    return {str(FIRST_TIE): FIRST_TIE} if SCALES[settings.scale].first_ties else {}


def _one_by_one(settings: Settings) -> dict[str, AgentSpec]:
    """The same with the guests, whose names are their texts."""
    return _own(settings) | {text: parse_agent(text) for text in settings.agents}


def _walks(
    title: str,
    name: str,
    agent: str,
    groups: Iterable[Sequence[Rules]],
    walks: Mapping[Rules, WalkResult],
    figures: Mapping[str, Iterable[Figure]] = {},
    findings: Iterable[str] = (),
    claimed: bool = True,
) -> Conclusion:
    """A section on an agent's walks on groups of squares. Its board shows where the agent wins against every reply, and the
    length of a shortest lost game elsewhere."""
    drawn = f"{agent} as first player"
    label = "with the brick there: wins against every reply, or L and the plies of a shortest game that it loses"
    decided = {rules: walk.lost_game for rules, walk in walks.items() if walk.wins or walk.lost_game}
    shades = {
        rules: Shade(100.0, f"L{len(lost)}", format_game(rules, lost)) if lost else Shade(0.0, "wins")
        for rules, lost in decided.items()
    }
    lost = len(_lost(walks))
    counts = {
        "it wins against every reply on": f"{len(decided) - lost} of {len(decided)} squares",
        "there is a game that it loses on": str(lost),
    }
    board = brick_board(name, drawn, label, shades, BOARD)
    return section(
        title,
        ("Brick", "Squares"),
        "decisions walked",
        [_row(group, walks.get(group[0]), claimed) for group in groups],
        "Each row covers the squares that it names, which are equivalent under rotation and reflection.",
        {_SQUARES: [board], **figures},
        findings=(*listed(drawn, counts if decided else {}), *findings),
    )


def _row(group: Sequence[Rules], walk: WalkResult | None, claimed: bool) -> Row:
    """A row for a group of squares, from the walk of its first one."""
    rules, paper = group[0], "perfect" * claimed
    labels = (rules.brick_names(), brick_names(group))
    if walk is None:
        return Row(labels=labels, paper=paper)
    note = f"ties in {walk.ties:,} of {walk.decisions:,} decisions"
    if walk.lost_game is not None:
        names = " ".join(map(rules.name_of, walk.lost_game))
        note = f"it loses {names}; {walk.decisions:,} decisions up to there"
    return Row(
        labels=labels,
        paper=paper,
        ours=f"{walk}, in at most {walk.longest} plies" if walk.wins else str(walk),
        value=float(walk.decisions),
        count=walk.decisions,
        proved=walk.wins or walk.lost_game is not None,
        verdict="agrees" if claimed and walk.wins else "refuted" if claimed and walk.lost_game else "no claim",
        note=note,
    )


def _causes(every: Mapping[Rules, WalkResult], first: Mapping[Rules, WalkResult]) -> Iterator[str]:
    """What a loss depends on, for squares with walks of both ways of breaking ties."""
    lost = _lost(every) & first.keys()
    alone = len(lost & _lost(first))
    legend = "Squares on which some reply can beat it, by what a loss requires"
    takes = {"a reply alone:": alone, "a reply and a lucky tie-break:": len(lost) - alone}
    yield from listed(legend, takes if every.keys() & first.keys() else {})


def _chances(chances: Mapping[Rules, LosingChance]) -> Conclusion:
    rows, facts, about = [], dict[str, str](), "of 100 games, how many it loses"
    for group in CLASSES:
        row, found = Row(labels=(group[0].brick_names(), brick_names(group))), chances.get(group[0])
        if found is not None:
            low, high = percent(found.low), percent(found.high)
            note = f"ties in {found.ties:,} of {found.decisions:,} positions"
            bounds = {"value": low if low == high else None, "low": low, "high": high}
            row = row.model_copy(update={"ours": str(found), "note": note} | bounds)
        rows.append(row)
    shades = {
        rules: Shade(percent(one.low), f"{'≥' * (one.low < one.high)}{percent(one.low):.0f}")
        for rules, one in chances.items()
    }
    if len(chances) == len(SQUARES.rules):
        least, most = (percent(fmean(getattr(found, end) for found in chances.values())) for end in ("low", "high"))
        certain = sum(found.low == 1.0 for found in chances.values())
        facts = {
            "every game on": f"{certain} squares",
            "on all, equally weighted,": f"{least:.1f} to {most:.1f} percent",
        }
    title = "Loss rate of Minimax, moving first, against a best response"
    label = f"with the brick there: {about} against a best response; ≥ marks a bound"
    boards = [brick_board("chances", title, label, shades, BOARD)] if chances else []
    return section(
        "Loss rate against a best response",
        ("Brick", "Squares"),
        "games lost, percent",
        rows,
        f"The opponent knows how Minimax decides, but cannot foresee which of equal moves it takes. The rate is computed from all positions that Minimax can reach, without playing games. If these are more than {_EVERY_TIE_CHANCES.most:,}, the table has two bounds, because the ends of longer games are unknown.",
        {f"Each square shows the game with the brick there: {about} at least against a best response.": boards},
        findings=listed("Games lost to a best response", facts),
        spread="bounds",
    )


def _optimal(tallies: Mapping[int, Tally]) -> Conclusion:
    title = "Optimal moves of Minimax in random non-trivial positions"
    lines, total = [optimal_line("Minimax, depth 2", tallies)], sum(tallies.values(), Tally())
    about = "The percentage of optimal moves in non-trivial random positions, with 95% intervals."
    facts = {
        f"{between(total.optimal_interval)} of": f"{total.choices:,}",
        "a random player": f"{percent(total.chance_share):.0f} percent",
        "not decided, so left out:": f"{total.undecided:,} of {total.positions:,} positions",
    }
    return section(
        "Its moves in random positions, as first player",
        ("Ply",),
        "optimal moves in non-trivial positions, percent",
        [optimal_row((str(ply),), tally) for ply, tally in tallies.items()],
        "All classes of squares together, equally weighted. A position is non-trivial if some moves are optimal and some are not.",
        {about: curve_figure("optimal-moves", title, lines, "ply", "optimal moves, percent")},
        findings=listed("Optimal moves in random positions", facts if total.choices else {}),
    )


def _lost_games(walks: Mapping[Rules, WalkResult]) -> Iterator[BoardFigure]:
    """A lost game for each class of squares on which Minimax can be beaten."""
    for rules, *_ in CLASSES:
        if rules in walks and (lost := walks[rules].lost_game) is not None:
            brick = rules.brick_names()
            title = f"A shortest game that {EVERY_TIE} loses with the brick on {brick}"
            yield game_figure(f"lost-{brick}", title, rules, lost)


def _lost(walks: Mapping[Rules, WalkResult]) -> set[Rules]:
    return {rules for rules, walk in walks.items() if walk.lost_game is not None}
