"""The exact values of the papers' games and of games solved in the literature, compared with the published values."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from noughts.document.citations import BRICK_PAPER, INITIATIVE_PAPER, NOTAKTO_PAPER
from noughts.document.heatmap import Shade, brick_board
from noughts.document.result import BoardFigure, CellValue, Row
from noughts.questions.answers import Answers
from noughts.questions.question import Question
from noughts.questions.solved import GameValue, Solved, SolvedMove
from noughts.rules import parse_rules, task_of
from noughts.studies.claims import notes
from noughts.studies.games import BOARD, CLASSES, SQUARES, brick_names
from noughts.studies.study import Conclusion, Settings, Study, concluded, listed, section, sizes, with_minutes

FIRST_WINS, DRAW, SECOND_WINS = 1, 0, -1
_WORDS = {FIRST_WINS: "first wins", DRAW: "draw", SECOND_WINS: "second wins"}

BOTH = "Uiterwijk and van den Herik, 2000"
# Values from the first player's side.
MNK: dict[str, int] = {
    "mnk(3,3,3)": DRAW,
    "mnk(3,4,3)": FIRST_WINS,
    "mnk(3,5,3)": FIRST_WINS,
    "mnk(4,4,3)": FIRST_WINS,
    "mnk(4,5,3)": FIRST_WINS,
    "mnk(5,5,3)": FIRST_WINS,
    "mnk(5,6,3)": FIRST_WINS,
    "mnk(4,4,4)": DRAW,
    "mnk(4,5,4)": DRAW,
    "mnk(4,6,4)": DRAW,
    "mnk(5,5,4)": DRAW,
    "mnk(5,6,4)": FIRST_WINS,
    "mnk(6,6,4)": FIRST_WINS,
    "mnk(4,7,4)": DRAW,
    "mnk(4,8,4)": DRAW,
    "mnk(5,5,5)": DRAW,
    "mnk(5,6,5)": DRAW,
    "mnk(6,6,5)": DRAW,
}
NOTAKTO: dict[str, int | None] = {
    "notakto(1)": None,
    "notakto(2)": None,
    "notakto(3)": FIRST_WINS,
    "notakto(4)": SECOND_WINS,
    "notakto(5)": FIRST_WINS,
    "notakto(6)": FIRST_WINS,
    "notakto(8)": SECOND_WINS,
    "notakto(12)": SECOND_WINS,
}

GAMES = {name: parse_rules(name) for name in (*MNK, *NOTAKTO)} | {str(rules): rules for rules in SQUARES.rules}
"""Every game by its name in the tables."""
PUBLISHED = dict[str, int | None].fromkeys(GAMES, FIRST_WINS) | MNK | NOTAKTO
LATER = {"mnk(4,7,4)": ("laptop", "paper"), "mnk(4,8,4)": ("paper",), "notakto(6)": ("paper",)}
"""The scales that solve a game, if not all do."""

_LARGEST_TABLE = 9
"""GiB that the table of Notakto 6x6 needs, rounded up."""


SCALES = sizes(
    opening_nodes=(None, 3_000_000, 0),  # for each class of squares; None for no openings, 0 for no limit
    memory=(1, 1, 4),  # GiB
)


class ExactValues(Study):
    """What are these games worth, and which first moves keep it?"""

    name = "exact-values"
    title = "The exact values of the papers' games"
    question = "What is each game worth under perfect play, how long does it last, and which first moves are optimal?"
    paper = "The Brick Tic-Tac-Toe paper's appendix (argued, not proved), the Notakto paper, and for games without bricks Uiterwijk and van den Herik, The advantage of the initiative, Information Sciences 122 (2000)"
    citations = (BRICK_PAPER, NOTAKTO_PAPER, INITIATIVE_PAPER)
    scales = with_minutes(
        {
            "quick": "games that take seconds; the 49 brick squares with the length of the shortest win",
            "laptop": "4x7 as well, and every first move with 3 million nodes a square",
            "paper": "4x8, Notakto 6x6 (a table of 8 GiB) and every first move on every brick square",
        },
        quick=1,
    )
    takes_guests = False
    deviations = (
        "The Brick Tic-Tac-Toe paper argues for its claim; here each square is proved by search, and `noughts solve` writes certificates that `noughts verify` checks.",
        "Squares that are equivalent under rotation and reflection are solved once, so the 49 squares are ten games.",
        "By strategy stealing the second player cannot win a game without bricks on an empty board, so this is not searched.",
        "Seconds are those of one process on this machine, which had other work.",
    )

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Every game of this scale, and the brick squares as one task."""
        return list(_questions(settings))

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """A table for each family, a board of brick squares, and boards of first moves."""
        names = {rules: name for name, rules in GAMES.items()}
        found = {names[game.rules]: game.result for asked in _questions(settings) for game in answers[asked].games}
        others = {game: one.value for game, one in found.items() if GAMES[game] not in SQUARES.rules}
        decided = {game: value for game, value in others.items() if value is not None}
        published = [game for game in decided if PUBLISHED[game] is not None]
        refuted = f"{sum(PUBLISHED[game] != decided[game] for game in published)} of {len(published)}"
        return concluded(
            section(
                "Lines of k on m x n boards",
                ("Game",),
                _UNIT,
                [_row(game, found) for game in _at(MNK, settings)],
                f"Published: {BOTH}; a full board is a draw.",
                {_OPENINGS: _openings(_at(MNK, settings), found)},
            ),
            section(
                "Brick Tic-Tac-Toe: every brick square",
                ("Game", "Squares"),
                _UNIT,
                [_row(str(group[0]), found, brick_names(group)) for group in CLASSES],
                "7x7, k = 4; a full board is the second player's. Each row covers the squares that are equivalent to its brick under rotation and reflection.",
                {
                    "Equivalent squares have equal numbers.": _squares_figure(found),
                    _OPENINGS: _openings([str(group[0]) for group in CLASSES], found),
                },
                findings=listed(
                    "Brick squares of those decided (the paper argues that the first player wins on all 49)",
                    _won(found),
                ),
            ),
            section(
                "Notakto",
                ("Game",),
                _UNIT,
                [_row(game, found) for game in _at(NOTAKTO, settings)],
                "Both place the same mark, and the player who completes a line loses.",
                {_OPENINGS: _openings(_at(NOTAKTO, settings), found)},
                "Values that no paper gives",
                lambda row: not row.paper,
                listed("Other published values", {"refuted": refuted} if decided else {}),
            ),
        )


_UNIT = "plies under best play"
_OPENINGS = "The value of each first move for the player who makes it, and the plies to the end, if some moves are better than others."


def _at(games: Iterable[str], settings: Settings) -> list[str]:
    return [game for game in games if settings.scale in LATER.get(game, SCALES)]


def _questions(settings: Settings) -> Iterator[Solved]:
    """The questions of this scale, the longest work first."""
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
        every_move = MNK[game] == FIRST_WINS
        yield Solved(task=task_of(GAMES[game]), every_move=every_move, distances=True, memory=size.memory)
    for game in _at(NOTAKTO, settings):
        if game != "notakto(6)":
            small = GAMES[game].size <= 25
            yield Solved(task=task_of(GAMES[game]), every_move=small, distances=small, memory=size.memory)


def _row(game: str, found: Mapping[str, GameValue], *squares: str) -> Row:
    published, answer = PUBLISHED[game], found.get(game)
    labels, paper = (game, *squares), "" if published is None else _WORDS[published]
    if answer is None:
        return Row(labels=labels, paper=paper)
    moves, value = answer.moves, answer.value
    keeping = sum(move.low == value for move in moves)
    open_ = sum(move.low != move.high for move in moves)
    kept = f"{keeping} of {len(moves)} first moves are optimal" + (f", {open_} not decided" if open_ else "")
    return Row(
        labels=labels,
        paper=paper,
        ours=("not decided" if value is None else _WORDS[value]) + (f" in {answer.plies}" if answer.plies else ""),
        value=None if answer.plies is None else float(answer.plies),
        proved=value is not None,
        verdict="no claim" if None in (published, value) else "agrees" if value == published else "refuted",
        note=notes(
            f"{answer.solver}, {answer.nodes:,} nodes, {answer.seconds:.2f} s",
            kept if value is not None and keeping + open_ < len(moves) else "",
        ),
    )


def _won(found: Mapping[str, GameValue]) -> dict[str, str]:
    """The number of brick squares on which the first player wins, and the plies of its longest win."""
    squares = [one for game, one in found.items() if GAMES[game] in SQUARES.rules and one.value is not None]
    won = [one for one in squares if one.value == FIRST_WINS]
    longest = max((one.plies for one in won if one.plies is not None), default=0)
    within = f", within {longest} plies of best play" * bool(longest)
    return {"the first player wins": f"{len(won)} of {len(squares)}{within}"} if squares else {}


def _squares_figure(found: Mapping[str, GameValue]) -> Iterator[BoardFigure]:
    """The 7x7 board of brick squares, each with the plies of the first player's shortest win."""
    won = {GAMES[game]: one.plies for game, one in found.items() if one.value == FIRST_WINS}
    known = {rules: plies for rules, plies in won.items() if rules in SQUARES.rules and plies is not None}
    if known:
        yield brick_board(
            "brick-squares",
            "Plies in which the first player wins with the brick on each square",
            "plies to the first player's win with the brick there",
            {rules: Shade(float(plies), str(plies)) for rules, plies in known.items()},
            BOARD,
            (min(known.values()) - 2.0, max(known.values()) + 2.0),
        )


def _openings(games: Sequence[str], found: Mapping[str, GameValue]) -> Iterator[BoardFigure]:
    """A board for each game whose first moves differ in value, with the value of each."""
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
                value_label="W wins, D draws, L loses, ? not decided, with the plies to the end if known",
            )


def _mark(move: SolvedMove) -> str:
    if move.low != move.high:
        return "?"
    return {1: "W", 0: "D", -1: "L"}[move.low] + ("" if move.plies is None else str(move.plies))
