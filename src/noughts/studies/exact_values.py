"""The exact values of the papers' games and of those the literature has settled, each beside what was published."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from noughts.document.citations import BRICK_PAPER, INITIATIVE_PAPER, NOTAKTO_PAPER
from noughts.document.heatmap import Shade, brick_board
from noughts.document.result import BoardFigure, CellValue, Row, Table, beside
from noughts.questions.answers import Answers
from noughts.questions.question import Question
from noughts.questions.solved import GameValue, Solved, SolvedMove
from noughts.rules import Rules, parse_rules, task_of
from noughts.studies.claims import notes
from noughts.studies.games import BOARD, CLASSES, SQUARES
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

_LARGEST_TABLE = 9
"""GiB that the table of Notakto 6x6 needs, rounded up."""


class SolvingScale(NamedTuple):
    """Nodes for each class of brick squares, None for no openings and 0 for as much as it takes; GiB of memory."""

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
        lines = Table(
            title="Lines of k on m x n boards",
            label_columns=("Game",),
            unit=_UNIT,
            rows=tuple(_row(game, found) for game in _at(MNK, settings)),
            caption=f"Published: {BOTH}; a full board is a draw.",
        )
        bricks = Table(
            title="Brick Tic-Tac-Toe: every brick square",
            label_columns=("Game", "Squares"),
            unit=_UNIT,
            rows=tuple(_row(str(group[0]), found, _bricks(group)) for group in CLASSES),
            caption="7x7, k = 4; a full board is the second player's. Each row stands for the squares that rotations and reflections make of its brick.",
        )
        notakto = Table(
            title="Notakto",
            label_columns=("Game",),
            unit=_UNIT,
            rows=tuple(_row(game, found) for game in _at(NOTAKTO, settings)),
            caption="Both place the same mark, and who completes a line loses.",
        )
        figures = (
            *beside(lines, _openings(_at(MNK, settings), found), _OPENINGS),
            *beside(bricks, _squares_figure(found), "Squares that are images of one another have equal numbers."),
            *beside(bricks, _openings([str(group[0]) for group in CLASSES], found), _OPENINGS),
            *beside(notakto, _openings(_at(NOTAKTO, settings), found), _OPENINGS),
        )
        return Conclusion((lines, bricks, notakto), figures, tuple(_findings(found)))


_UNIT = "plies under best play"
_OPENINGS = (
    "What each first move is worth to the player who makes it, and in how many plies, where some moves are better."
)


def _at(games: Mapping[str, tuple[int | None, str]], settings: Settings) -> list[str]:
    """The games that this scale settles."""
    larger = list(SCALES)[list(SCALES).index(settings.scale) + 1 :]
    return [game for game, (_, scale) in games.items() if scale not in larger]


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


def _bricks(games: Sequence[Rules]) -> str:
    """The squares of some games' bricks."""
    return " ".join(sorted(rules.brick_names() for rules in games))


def _row(game: str, found: Mapping[str, GameValue], *squares: str) -> Row:
    published, answer = PUBLISHED[game], found.get(game)
    labels, paper = (game, *squares), "" if published is None else _WORDS[published]
    if answer is None:
        return Row(labels=labels, paper=paper)
    moves, value = answer.moves, answer.value
    keeping = sum(move.low == value for move in moves)
    open_ = sum(move.low != move.high for move in moves)
    kept = f"{keeping} of {len(moves)} first moves keep the value" + (f", {open_} not decided" if open_ else "")
    return Row(
        labels=labels,
        paper=paper,
        ours=_in_words(answer) + (f" in {answer.plies}" if answer.plies is not None else ""),
        value=None if answer.plies is None else float(answer.plies),
        proved=value is not None,
        verdict="no claim" if None in (published, value) else "agrees" if value == published else "refuted",
        note=notes(
            f"{answer.solver}, {answer.nodes:,} nodes, {answer.seconds:.2f} s",
            kept if value is not None and keeping + open_ < len(moves) else "",
        ),
    )


def _in_words(answer: GameValue) -> str:
    """The value, from the first player's side: it is the side to move."""
    return "not decided" if answer.value is None else _WORDS[answer.value]


def _squares(found: Mapping[str, GameValue]) -> dict[str, GameValue]:
    """What is found about brick squares."""
    return {game: answer for game, answer in found.items() if GAMES[game] in SQUARES.rules}


def _squares_figure(found: Mapping[str, GameValue]) -> Iterator[BoardFigure]:
    """The 7x7 board of brick squares, each with the plies of the first player's shortest win."""
    won = {game: answer.plies for game, answer in _squares(found).items() if answer.value == FIRST_WINS}
    known = {game: plies for game, plies in won.items() if plies is not None}
    if known:
        yield brick_board(
            "brick-squares",
            "Plies in which the first player wins with the brick on each square",
            "plies to the first player's win with the brick there",
            {GAMES[game]: Shade(float(plies), str(plies)) for game, plies in known.items()},
            BOARD,
            (min(known.values()) - 2.0, max(known.values()) + 2.0),
        )


def _openings(games: Sequence[str], found: Mapping[str, GameValue]) -> Iterator[BoardFigure]:
    """The first moves of a game that keep its value, where some do not."""
    for game, answer in ((game, found[game]) for game in games if game in found):
        if answer.value is not None and len({move.low for move in answer.moves}) > 1:
            yield BoardFigure(
                name="openings-" + game.replace("(", "-").replace(",", "-").rstrip(")"),
                title=f"First moves of {game}, for the player who makes them",
                rules=game,
                values=tuple(
                    CellValue(cell=move.move, value=50.0 + 25.0 * (move.low + move.high), text=_mark(move))
                    for move in answer.moves
                ),
                value_label="W wins, D draws, L loses, ? not decided, with the plies to the end where they are known",
            )


def _mark(move: SolvedMove) -> str:
    if move.low != move.high:
        return "?"
    return {1: "W", 0: "D", -1: "L"}[move.low] + ("" if move.plies is None else str(move.plies))


def _findings(found: Mapping[str, GameValue]) -> Iterator[str]:
    squares = _squares(found)
    proved = [answer for answer in squares.values() if answer.value is not None]
    won = [answer for answer in proved if answer.value == FIRST_WINS]
    if proved:
        longest = max((answer.plies for answer in won if answer.plies is not None), default=0)
        how_soon = f", within {longest} plies of best play" if longest else ""
        yield f"The first player wins on {len(won)} of {len(proved)} brick squares decided{how_soon}; the paper argues that it does on all {len(SQUARES.rules)}."
    decided = {game: answer for game, answer in found.items() if game not in squares and answer.value is not None}
    wrong = [game for game, answer in decided.items() if PUBLISHED[game] not in (None, answer.value)]
    if decided:
        yield f"Of {sum(PUBLISHED[game] is not None for game in decided)} other published values, {len(wrong)} refuted: {', '.join(wrong) or 'none'}."
    for game in ("notakto(1)", "notakto(2)"):
        if game in decided:
            yield f"{game}, which the paper leaves out: {_in_words(decided[game])}."
