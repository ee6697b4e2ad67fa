"""The exact values of the papers' games and of those the literature has settled, each beside what was published."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from noughts.document.citations import BRICK_PAPER, INITIATIVE_PAPER, NOTAKTO_PAPER
from noughts.document.result import BoardFigure, CellValue, Figure, Row, Table, beside
from noughts.questions.answers import Answers
from noughts.questions.question import Question
from noughts.questions.solved import GameValue, Solved
from noughts.rules import Rules, parse_rules, task_of
from noughts.statistics import Verdict
from noughts.studies.brick_squares import CLASSES, SQUARES
from noughts.studies.study import Conclusion, Settings, Study, with_minutes

FIRST_WINS, DRAW, SECOND_WINS = 1, 0, -1
_WORDS = {FIRST_WINS: "first wins", DRAW: "draw", SECOND_WINS: "second wins"}

BOTH = "Uiterwijk and van den Herik, 2000"
# Values from the first player's side, and the smallest scale at which each is settled.
MNK: dict[str, tuple[int, str]] = {
    "mnk(3,3,3)": (DRAW, "quick"),
    "mnk(3,4,3)": (FIRST_WINS, "quick"),
    "mnk(3,5,3)": (FIRST_WINS, "quick"),
    "mnk(4,4,3)": (FIRST_WINS, "quick"),
    "mnk(4,5,3)": (FIRST_WINS, "quick"),
    "mnk(5,5,3)": (FIRST_WINS, "quick"),
    "mnk(5,6,3)": (FIRST_WINS, "quick"),
    "mnk(4,4,4)": (DRAW, "quick"),
    "mnk(4,5,4)": (DRAW, "quick"),
    "mnk(4,6,4)": (DRAW, "quick"),
    "mnk(5,5,4)": (DRAW, "quick"),
    "mnk(5,6,4)": (FIRST_WINS, "quick"),
    "mnk(6,6,4)": (FIRST_WINS, "quick"),
    "mnk(4,7,4)": (DRAW, "laptop"),
    "mnk(4,8,4)": (DRAW, "paper"),
    "mnk(5,5,5)": (DRAW, "quick"),
    "mnk(5,6,5)": (DRAW, "quick"),
    "mnk(6,6,5)": (DRAW, "quick"),
}
NOTAKTO: dict[str, tuple[int | None, str]] = {
    "notakto(1)": (None, "quick"),
    "notakto(2)": (None, "quick"),
    "notakto(3)": (FIRST_WINS, "quick"),
    "notakto(4)": (SECOND_WINS, "quick"),
    "notakto(5)": (FIRST_WINS, "quick"),
    "notakto(6)": (FIRST_WINS, "paper"),
    "notakto(8)": (SECOND_WINS, "quick"),
    "notakto(12)": (SECOND_WINS, "quick"),
}

GAMES = {name: parse_rules(name) for name in (*MNK, *NOTAKTO)} | {str(rules): rules for rules in SQUARES.rules}
"""Every game by the name that the tables show."""
PUBLISHED: dict[str, int | None] = {
    name: MNK[name][0] if name in MNK else NOTAKTO[name][0] if name in NOTAKTO else FIRST_WINS for name in GAMES
}

_OPENINGS = (
    "What each first move is worth to the player who makes it, and in how many plies, where some moves are better."
)

_LARGEST_TABLE = 9
"""GiB that the table of Notakto 6x6 needs, rounded up."""

_RANK = {"quick": 0, "laptop": 1, "paper": 2}


class SolvingScale(NamedTuple):
    """Work for each class of brick squares: None for no openings, 0 for as much as it takes."""

    opening_nodes: int | None
    memory: int


SCALES = {
    "quick": SolvingScale(None, 1),
    "laptop": SolvingScale(3_000_000, 1),
    "paper": SolvingScale(0, 4),
}


class ExactValues(Study):
    """What are these games worth, and which first moves keep it?"""

    name = "exact-values"
    title = "The exact values of the papers' games"
    question = (
        "What is each game worth under perfect play, how long does it last, and which first moves keep its value?"
    )
    paper = (
        "The Brick Tic-Tac-Toe paper's appendix (argued, not proved), the Notakto paper, and for games without bricks "
        "Uiterwijk and van den Herik, The advantage of the initiative, Information Sciences 122 (2000)"
    )
    citations = (BRICK_PAPER, NOTAKTO_PAPER, INITIATIVE_PAPER)
    scales = with_minutes(
        {
            "quick": "games that take seconds; the 49 brick squares with the length of the shortest win",
            "laptop": "4x7 as well, and what 3 million nodes a square say of every first move",
            "paper": "4x8, Notakto 6x6 (a table of 8 GiB) and every first move on every brick square",
        },
        quick=1,
    )
    takes_guests = False
    deviations = (
        "The Brick Tic-Tac-Toe paper argues for its claim; here each square is proved by search, and `noughts solve` writes certificates that `noughts verify` checks.",
        "Squares that are images of one another under rotation and reflection are solved once: the 49 squares are ten games.",
        "That the second player cannot win a game without bricks on an empty board follows from strategy stealing, and is not searched.",
        "Seconds are those of one process on the machine named below, with other work beside it.",
    )

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Every game of this scale, and the brick squares as one task."""
        return list(_questions(settings))

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """A table for each family, a board of brick squares, and boards of first moves."""
        names = {rules: name for name, rules in GAMES.items()}
        found = {names[game.rules]: game.found for asked in _questions(settings) for game in answers[asked].games}
        unit = "plies under best play"
        tables = (
            Table(
                title="Lines of k on m x n boards",
                label_columns=("Game",),
                unit=unit,
                rows=tuple(_row((game,), game, found) for game in _at(MNK, settings)),
                caption=f"Published: {BOTH}; a full board is a draw.",
            ),
            Table(
                title="Brick Tic-Tac-Toe: every brick square",
                label_columns=("Game", "Squares"),
                unit=unit,
                rows=tuple(_row((str(group[0]), _bricks(group)), str(group[0]), found) for group in CLASSES),
                caption="7x7, k = 4; a full board is the second player's. Each row stands for the squares that rotations and reflections make of its brick.",
            ),
            Table(
                title="Notakto",
                label_columns=("Game",),
                unit=unit,
                rows=tuple(_row((game,), game, found) for game in _at(NOTAKTO, settings)),
                caption="Both place the same mark, and who completes a line loses.",
            ),
        )
        lines, bricks, notakto = tables
        openings = [(figure, figure.rules) for figure in _opening_figures(settings, found)]
        figures = (
            *beside(lines, [figure for figure, game in openings if game in MNK], _OPENINGS),
            *beside(bricks, _squares_figure(found), "Squares that are images of one another have equal numbers."),
            *beside(bricks, [figure for figure, game in openings if game not in {*MNK, *NOTAKTO}], _OPENINGS),
            *beside(notakto, [figure for figure, game in openings if game in NOTAKTO], _OPENINGS),
        )
        return Conclusion(tables, figures, tuple(_findings(found)))


def _at(games: Mapping[str, tuple[int | None, str]], settings: Settings) -> list[str]:
    """The games that this scale settles."""
    return [game for game, (_, scale) in games.items() if _RANK[scale] <= _RANK[settings.scale]]


def _questions(settings: Settings) -> Iterator[Solved]:
    """What is asked at this scale, the longest work first."""
    size = SCALES[settings.scale]
    if settings.scale == "paper":
        yield Solved(task=task_of(GAMES["notakto(6)"]), every_move=True, memory=_LARGEST_TABLE)
    yield Solved(
        task=SQUARES,
        every_move=size.opening_nodes is not None,
        distances=True,
        nodes=size.opening_nodes or None,
        memory=size.memory,
    )
    for game in _at(MNK, settings):
        every_move = MNK[game][0] == FIRST_WINS
        yield Solved(task=task_of(GAMES[game]), every_move=every_move, distances=True, memory=size.memory)
    for game in _at(NOTAKTO, settings):
        if game != "notakto(6)":
            small = GAMES[game].size <= 25
            yield Solved(task=task_of(GAMES[game]), every_move=small, distances=small, memory=size.memory)


def _in_words(answer: GameValue) -> str:
    """The value, from the first player's side: it is the side to move."""
    return "not decided" if answer.value is None else _WORDS[answer.value]


def _bricks(games: Sequence[Rules]) -> str:
    """The squares of some games' bricks."""
    return " ".join(sorted(rules.brick_names() for rules in games))


def _row(labels: tuple[str, ...], game: str, found: Mapping[str, GameValue]) -> Row:
    published, answer = PUBLISHED[game], found.get(game)
    paper = "" if published is None else _WORDS[published]
    if answer is None:
        return Row(labels=labels, paper=paper)
    verdict: Verdict = "no claim"
    if paper and answer.value is not None:
        verdict = "agrees" if answer.value == published else "refuted"
    notes = [f"{answer.solver}, {answer.nodes:,} nodes, {answer.seconds:.2f} s"]
    keeping = [move for move in answer.moves if answer.value is not None and move.low == answer.value]
    open_ = [move for move in answer.moves if move.low != move.high]
    if answer.moves and answer.value is not None and len(keeping) + len(open_) < len(answer.moves):
        undecided = f", {len(open_)} not decided" if open_ else ""
        notes.append(f"{len(keeping)} of {len(answer.moves)} first moves keep the value{undecided}")
    return Row(
        labels=labels,
        paper=paper,
        ours=_in_words(answer) + (f" in {answer.plies}" if answer.plies is not None else ""),
        value=None if answer.plies is None else float(answer.plies),
        proved=answer.value is not None,
        verdict=verdict,
        note="; ".join(notes),
    )


def _squares(found: Mapping[str, GameValue]) -> dict[str, GameValue]:
    """What is found about brick squares."""
    return {game: answer for game, answer in found.items() if GAMES[game] in SQUARES.rules}


def _squares_figure(found: Mapping[str, GameValue]) -> Iterator[Figure]:
    """The 7x7 board of brick squares, each with the plies of the first player's shortest win."""
    won = {game: answer for game, answer in _squares(found).items() if answer.value == FIRST_WINS}
    known = {GAMES[game].bricks[0]: answer.plies for game, answer in won.items() if answer.plies is not None}
    if known:
        yield BoardFigure(
            name="brick-squares",
            title="Plies in which the first player wins with the brick on each square",
            rules="mnk(7,7,4)",
            values=tuple(CellValue(cell=cell, value=float(found), text=str(found)) for cell, found in known.items()),
            value_range=(min(known.values()) - 2.0, max(known.values()) + 2.0),
            value_label="plies to the first player's win with the brick there",
        )


def _opening_figures(settings: Settings, found: Mapping[str, GameValue]) -> Iterator[BoardFigure]:
    """The first moves of a game that keep its value, where some do not."""
    for game in (*_at(MNK, settings), *(str(group[0]) for group in CLASSES), *_at(NOTAKTO, settings)):
        answer = found.get(game)
        if answer is None or answer.value is None or len({move.low for move in answer.moves}) < 2:
            continue
        yield BoardFigure(
            name="openings-" + game.replace("(", "-").replace(",", "-").rstrip(")"),
            title=f"First moves of {game}, for the player who makes them",
            rules=game,
            values=tuple(
                CellValue(
                    cell=move.move, value=_shade(move.low, move.high), text=_mark(move.low, move.high, move.plies)
                )
                for move in answer.moves
            ),
            value_label="W wins, D draws, L loses, ? not decided, with the plies to the end where they are known",
        )


def _shade(low: int, high: int) -> float:
    return 50.0 + 25.0 * (low + high)


def _mark(low: int, high: int, plies: int | None) -> str:
    if low != high:
        return "?"
    return {1: "W", 0: "D", -1: "L"}[low] + ("" if plies is None else str(plies))


def _findings(found: Mapping[str, GameValue]) -> Iterator[str]:
    squares = _squares(found)
    proved = [answer for answer in squares.values() if answer.value is not None]
    won = [answer for answer in proved if answer.value == FIRST_WINS]
    if proved:
        lengths = sorted({answer.plies for answer in won if answer.plies is not None})
        how_soon = f", within {lengths[-1]} plies of best play" if lengths else ""
        yield f"The first player wins on {len(won)} of {len(proved)} brick squares decided{how_soon}: what the paper argues is {'proved' if len(won) == len(SQUARES.rules) else 'so far borne out' if len(won) == len(proved) else 'refuted'}."
    decided = {game: answer for game, answer in found.items() if game not in squares and answer.value is not None}
    wrong = [game for game, answer in decided.items() if PUBLISHED[game] not in (None, answer.value)]
    if decided:
        yield f"Of {sum(PUBLISHED[game] is not None for game in decided)} other published values {len(wrong) or 'none'} {'is' if len(wrong) < 2 else 'are'} refuted{': ' + ', '.join(wrong) if wrong else ''}."
    for game in ("notakto(1)", "notakto(2)"):
        if game in decided:
            yield f"{game}, which the paper leaves out: {_in_words(decided[game])}."
