"""Is depth-2 Minimax perfect at Brick Tic-Tac-Toe? The paper calls it a proxy to perfect play; every reply decides."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from noughts.agents import AgentSpec, parse_agent
from noughts.document.citations import BRICK_PAPER
from noughts.document.heatmap import Shade, brick_board
from noughts.document.result import BoardFigure, Figure, Row, Table, beside
from noughts.examine.best_replies import LosingChance
from noughts.examine.judge import Tally
from noughts.examine.walk_result import WalkResult
from noughts.questions.answers import Answers
from noughts.questions.best_replies import BestReplies
from noughts.questions.judged import Judged
from noughts.questions.question import Question
from noughts.questions.walked import Walked, require_provable
from noughts.rules import AgentError, Rules, format_game
from noughts.studies.claims import between, curve_figure, game_figure, interval_series, optimal_row, percent
from noughts.studies.games import BOARD, CLASS_TASK, CLASSES, SQUARES
from noughts.studies.study import Conclusion, Settings, Study, with_minutes

EVERY_TIE = parse_agent("minimax:depth=2")
FIRST_TIE = parse_agent("minimax:depth=2,ties=first")
_EVERY_TIE_WALKED = Walked(task=SQUARES, agent=EVERY_TIE, side="first", images_once=True)
"""Equal scores know no left from right, so one walk settles all images of a square."""
_EVERY_TIE_CHANCES = BestReplies(task=SQUARES, agent=EVERY_TIE, side="first", images_once=True, most=500_000)
_JUDGED_PLIES = range(4, 31, 2)
"""The first player's: before, few moves are decided in a moment; after, few random games go on."""


class PerfectionScale(NamedTuple):
    """How much is asked."""

    first_ties: bool  # whether to walk the first of equal moves on each square too
    per_ply: int  # positions judged of each ply and class of squares
    nodes: int  # the solver's for each of them


SCALES = {
    "quick": PerfectionScale(False, 10, 50_000),
    "laptop": PerfectionScale(True, 60, 300_000),
    "paper": PerfectionScale(True, 400, 1_000_000),
}


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
    citations = (BRICK_PAPER,)
    scales = with_minutes(
        {
            scale: f"every reply and every tie on all squares, and how often the best replies win{'; the first of equal moves as well' if size.first_ties else ''}; {size.per_ply} positions a ply judged for each class of squares"
            for scale, size in SCALES.items()
        },
        quick=2,
    )
    deviations = (
        "The paper draws its conclusion from games; here every reply is walked until the agent first loses, or to the end.",
        "Every way in which ties among equal moves can fall is walked at once; squares that are images of one another are then one walk, because equal scores know no left from right.",
        "A full board is the second player's win, as the paper's text says; its authors' program counts a draw.",
        "Minimax sums Table 2 in whole numbers, so that sums that are equal by symmetry are ties. The authors' program adds decimals, whose rounding splits some of these, and picks at random among what is left: that it takes every fall of ties that is walked here is not known.",
        "A win outranks any sum here, and is preferred the sooner it comes; in the authors' program a finished game counts +1 or -1 beside Table 2's sums.",
        "A square on which some reply wins if ties fall well is not one on which that reply alone wins: every scale counts the first; `laptop` and `paper` also count squares that are lost to a reply alone, where Minimax takes the first of equal moves. How often the best replies win, whatever the fall of ties, is a table of its own.",
        "The best replies are those of an opponent that knows how Minimax decides, and cannot foresee which of equal moves it takes: it takes each as often as any other.",
        "Positions for the share of optimal moves come from uniformly random play; those that no move can spoil or mend are counted apart.",
    )

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Every reply on each class of squares, perhaps on each square by itself; and moves beside the truth.

        Raises:
            AgentError: a guest is in the line-up already, is not deterministic, or failed at its first move.
        """
        _check_guests(settings)
        one_by_one = [_every_reply(agent) for agent in _one_by_one(settings).values()]
        return [_EVERY_TIE_WALKED, _EVERY_TIE_CHANCES, *one_by_one, *(_judged(settings, ply) for ply in _JUDGED_PLIES)]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """A table for each way of breaking ties, the board of squares, the lost games, and the share by ply."""
        every, chances = answers[_EVERY_TIE_WALKED].by_rules, answers[_EVERY_TIE_CHANCES].by_rules
        rows = [_row(group[0], every.get(group[0]), _names(group)) for group in CLASSES]
        caption = "Each row stands for the squares that rotations and reflections make of its brick."
        tables = [_walked_table("Every reply and every way its ties can fall", rows, caption), _chances_table(chances)]
        board = _squares_figure("every-tie", "Minimax as first player, however its ties fall", every)
        figures: list[Figure] = [
            *beside(tables[0], [board], _SQUARES),
            *beside(tables[0], _lost_games(every), "Each of its moves is the best by its own account."),
            *beside(
                tables[1],
                _chances_figure(chances),
                "Each square stands for the game with the brick there: of 100 games, how many it loses at least to the best replies.",
            ),
        ]
        walked = {f"{EVERY_TIE}, however its ties fall": every}
        for number, (name, agent) in enumerate(_one_by_one(settings).items()):
            found = walked[name] = answers[_every_reply(agent)].by_rules
            squares = [rules for group in CLASSES for rules in group]
            rows = [_row(rules, found.get(rules), rules.brick_names(), agent == FIRST_TIE) for rules in squares]
            tables.append(_walked_table(f"Every reply to {name}", rows, "Each square by itself."))
            board = _squares_figure(f"squares-{number}", f"{name} as first player", found)
            figures += beside(tables[-1], [board], _SQUARES)
        judged = {ply: answers[_judged(settings, ply)].of(FIRST_TIE) for ply in _JUDGED_PLIES}
        tallies = {ply: found.get(ply, Tally()) for ply, found in judged.items()}
        tables.append(_judged_table(tallies))
        figures += beside(
            tables[-1],
            _optimal_figure(tallies),
            "Of random positions in which some moves keep the value and some do not, the share in which it keeps it, with 95% "
            "intervals.",
        )
        return Conclusion(tuple(tables), tuple(figures), tuple(_findings(walked, tallies, chances)))


_SQUARES = (
    "Each square stands for the game with the brick there. A letter L gives the length of a shortest loss: some replies lead to "
    "it, whatever else Minimax wins."
)


def _every_reply(agent: AgentSpec) -> Walked:
    """Every reply to an agent that moves first, on each square by itself."""
    return Walked(task=SQUARES, agent=agent, side="first")


def _judged(settings: Settings, ply: int) -> Judged:
    """Minimax, moving first, in random positions of one ply."""
    size = SCALES[settings.scale]
    return Judged(
        task=CLASS_TASK,
        named=(FIRST_TIE,),
        all_up_to=0,
        per_ply=size.per_ply,
        plies=(ply, ply),
        nodes=size.nodes,
        seed=settings.seed,
    )


def _check_guests(settings: Settings) -> None:
    """AgentError if a guest cannot be walked, before 49 walks of it are begun."""
    line_up = [EVERY_TIE, *_own(settings).values()]
    guests = {text: parse_agent(text) for text in settings.agents}
    for place, text in enumerate(settings.agents):
        if guests[text] in [*line_up, *map(parse_agent, settings.agents[:place])]:
            raise AgentError(f"agent {text!r} is in the line-up already: name each agent once, and none that is there")
    for guest in guests.values():  # asked for a first move, which may take long
        require_provable(guest, SQUARES.rules[0], "first", None, None)


def _own(settings: Settings) -> dict[str, AgentSpec]:
    """The study's own agents that are walked on every square by itself, by what they are called."""
    return {str(FIRST_TIE): FIRST_TIE} if SCALES[settings.scale].first_ties else {}


def _one_by_one(settings: Settings) -> dict[str, AgentSpec]:
    """They and the guests, who are called what they were given as."""
    return _own(settings) | {text: parse_agent(text) for text in settings.agents}


def _names(group: Sequence[Rules]) -> str:
    return " ".join(sorted(rules.brick_names() for rules in group))


def _walked_table(title: str, rows: Sequence[Row], caption: str) -> Table:
    return Table(
        title=title, label_columns=("Brick", "Squares"), unit="decisions walked", rows=tuple(rows), caption=caption
    )


def _row(rules: Rules, walk: WalkResult | None, squares: str, claimed: bool = True) -> Row:
    labels, paper = (rules.brick_names(), squares), "perfect" if claimed else ""
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


def _squares_figure(name: str, title: str, walks: Mapping[Rules, WalkResult]) -> BoardFigure:
    """The board of brick squares: where it wins against every reply, and where and when it first loses."""
    label = "with the brick there: wins against every reply, or L and the plies of a shortest game that it loses"
    decided = {rules: walk.lost_game for rules, walk in walks.items() if walk.wins or walk.lost_game}
    shades = {
        rules: Shade(100.0, f"L{len(lost)}", format_game(rules, lost)) if lost else Shade(0.0, "wins")
        for rules, lost in decided.items()
    }
    return brick_board(name, title, label, shades, BOARD)


def _chances_table(chances: Mapping[Rules, LosingChance]) -> Table:
    return Table(
        title="How often it loses to the best replies",
        label_columns=("Brick", "Squares"),
        unit="games lost, percent",
        spread="bounds",
        rows=tuple(_chance_row(group, chances.get(group[0])) for group in CLASSES),
        caption="An opponent knows how Minimax decides, and cannot foresee which of equal moves it takes. No game was played: "
        f"this is worked out from the positions that Minimax can be led to. Where these are more than {_EVERY_TIE_CHANCES.most:,}, there are two bounds: "
        "it is not known how the longer games end.",
    )


def _chance_row(group: Sequence[Rules], found: LosingChance | None) -> Row:
    labels = (group[0].brick_names(), _names(group))
    if found is None:
        return Row(labels=labels)
    low, high = 100 * found.low, 100 * found.high
    note = f"ties in {found.ties:,} of {found.decisions:,} positions"
    return Row(labels=labels, ours=str(found), value=low if low == high else None, low=low, high=high, note=note)


def _chances_figure(chances: Mapping[Rules, LosingChance]) -> Iterator[BoardFigure]:
    """The board of brick squares: how often it loses."""
    if chances:
        bounds = {rules: "" if found.low == found.high else "≥" for rules, found in chances.items()}
        yield brick_board(
            "chances",
            "How often Minimax, moving first, loses to the best replies",
            "with the brick there: of 100 games, how many it loses to the best replies; ≥ where that is a bound",
            {r: Shade(100 * found.low, f"{bounds[r]}{100 * found.low:.0f}") for r, found in chances.items()},
            BOARD,
        )


def _judged_table(tallies: dict[int, Tally]) -> Table:
    return Table(
        title="Its moves in random positions, as first player",
        label_columns=("Ply",),
        unit="optimal moves where the choice matters, percent",
        rows=tuple(optimal_row((str(ply),), tally) for ply, tally in tallies.items()),
        caption="All classes of squares together, each alike. A choice matters where some moves keep the value and some do not.",
    )


def _optimal_figure(tallies: Mapping[int, Tally]) -> tuple[Figure, ...]:
    known = {ply: tally.optimal_interval for ply, tally in tallies.items() if tally.choices}
    title = "Optimal moves of Minimax in random positions where the choice matters"
    lines = [interval_series("Minimax, depth 2", known)]
    return curve_figure("optimal-moves", title, lines, "ply", "optimal moves, percent")


def _lost_games(walks: Mapping[Rules, WalkResult]) -> Iterator[BoardFigure]:
    """One for each class of squares on which Minimax can be beaten."""
    for rules, *_ in CLASSES:
        if rules in walks and (lost := walks[rules].lost_game) is not None:
            brick = rules.brick_names()
            title = f"A shortest game that {EVERY_TIE} loses with the brick on {brick}"
            yield game_figure(f"lost-{brick}", title, rules, lost)


def _findings(
    walked: Mapping[str, Mapping[Rules, WalkResult]],
    tallies: Mapping[int, Tally],
    chances: Mapping[Rules, LosingChance],
) -> Iterator[str]:
    for agent, walks in walked.items():
        perfect, lost = sum(walk.wins for walk in walks.values()), len(_lost(walks))
        if perfect or lost:
            yield f"{agent}: as first player it wins against every reply on {perfect} of {perfect + lost} squares, and there is a game that it loses on {lost}."
    every, first = (walked.get(name, {}) for name in (f"{EVERY_TIE}, however its ties fall", str(FIRST_TIE)))
    if every.keys() & first.keys():
        by_luck = _lost(every) & first.keys()
        alone = len(by_luck & _lost(first))
        yield f"Of the {len(by_luck)} squares on which some reply beats it if its ties fall well, {alone} are lost to a reply alone when it takes the first of equal moves; on the other {len(by_luck) - alone} a loss needs a reply and a fall of ties."
    total = sum(tallies.values(), Tally())
    if total.choices:
        yield (
            f"Where the choice matters it keeps the value in {between(total.optimal_interval)} of {total.choices:,} random positions; a random player would in "
            f"{percent(total.chance_share):.0f}. Left out, as their values were not decided: {total.undecided:,} of {total.positions:,} positions, most of them early in the game."
        )
    if len(chances) == len(SQUARES.rules):
        certain = sum(found.low == 1.0 for found in chances.values())
        least, most = (100 * fmean(getattr(found, end) for found in chances.values()) for end in ("low", "high"))
        yield (
            f"An opponent that knows how {EVERY_TIE} decides, and cannot foresee which of equal moves it takes, beats it on {certain} squares "
            f"in every game, however its ties fall. Over all {len(chances)} squares, each alike, it wins at least {least:.1f} and at "
            f"most {most:.1f} percent of the games."
        )


def _lost(walks: Mapping[Rules, WalkResult]) -> set[Rules]:
    return {rules for rules, walk in walks.items() if walk.lost_game is not None}
