"""From requests to positions and back: what names a position is read here, and what is shown of one is written here."""

from collections.abc import Iterable
from functools import lru_cache

from pydantic import TypeAdapter, ValidationError

from noughts.positions import Outcome, Position, Side
from noughts.reports.strokes import edge_strokes, line_strokes
from noughts.rules import (
    Rules,
    RulesError,
    Task,
    describe_rules,
    format_game,
    format_rules,
    parse_rules,
    parse_task,
)
from noughts.web.answers import (
    CellName,
    Note,
    OutcomeName,
    PositionAnswer,
    PositionRequest,
    RulesAnswer,
    RulesRequest,
    SideName,
)
from noughts.web.errors import Refused
from noughts.web.limits import Limits

OUTCOMES: dict[Outcome, OutcomeName] = {
    Outcome.ONGOING: "ongoing",
    Outcome.FIRST: "first",
    Outcome.SECOND: "second",
    Outcome.DRAW: "draw",
}
SIDES: tuple[SideName, SideName] = ("first", "second")

_NOTES = TypeAdapter(tuple[Note, ...])
_CELLS: tuple[CellName, ...] = ("", "X", "O", "#")  # by content, as positions.SYMBOLS, but for empty cells


def read_rules(text: str, limits: Limits) -> Rules:
    """The rules of a text; RulesError if there are none, or the boards are too large for a page."""
    if len(text) > limits.text:
        raise RulesError(f"rules of {len(text)} characters are too long: {limits.text} are allowed")
    return _small(parse_rules(text), limits)


def read_task(text: str, limits: Limits) -> Task:
    """The task of a text; RulesError as above, or if it names too many games."""
    if len(text) > limits.text:
        raise RulesError(f"a task of {len(text)} characters is too long: {limits.text} are allowed")
    task = parse_task(text, limits.task_games)
    _small(task.rules[0], limits)  # all are of one size
    return task


def read_fields(asked: RulesRequest, limits: Limits) -> Rules:
    """The rules of a request; RulesError as above."""
    if asked.text is not None:
        return read_rules(asked.text, limits)
    fields = asked.model_dump(exclude={"text"}, exclude_none=True)
    return _small(Rules(**fields), limits)


def read_position(rules: str, moves: list[str], limits: Limits) -> Position:
    """The position after some moves; RulesError or IllegalMoveError if there is none."""
    game = read_rules(rules, limits)
    return play(game, tuple(map(game.cell_of, moves)))


def read_text(asked: PositionRequest, limits: Limits) -> Position:
    """The position of a request, one text or rules and moves."""
    if asked.text is not None:
        rules, moves = split_text(asked.text)
        return read_position(rules, moves, limits)
    if asked.rules is None:
        raise RulesError("a position needs a text, or rules and moves")
    return read_position(asked.rules, asked.moves, limits)


def read_notes(text: str) -> tuple[Note, ...]:
    """What is to be written into cells; Refused if it is something else."""
    try:
        return _NOTES.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise Refused(422, f"notes{'.' * bool(place)}{place}: {first['msg']}") from None


def split_text(text: str) -> tuple[str, list[str]]:
    """Rules and the names of moves: ``bttt(D4) A1 B2``; spaces inside parentheses belong to the rules."""
    words, depth, start = [], 0, 0
    for place, character in enumerate(text + " "):
        depth += (character == "(") - (character == ")")
        if character.isspace() and depth <= 0:
            words.append(text[start:place])
            start = place + 1
    words = [word for word in words if word]
    return (words[0], words[1:]) if words else (text, [])


def cell_names(cells: Iterable[int]) -> list[CellName]:
    """What cells hold, by content as in `Position.cells`, as the page calls it."""
    return [_CELLS[content] for content in cells]


@lru_cache(maxsize=2048)
def play(rules: Rules, moves: tuple[int, ...]) -> Position:
    """The position after `moves`."""
    return Position.start(rules, moves)


@lru_cache(maxsize=256)
def _squares(rules: Rules) -> tuple[str, ...]:
    return tuple(map(rules.name_of, range(rules.size)))


def show_position(position: Position) -> PositionAnswer:
    """A position as it is drawn."""
    rules, names, lines = position.rules, _squares(position.rules), position.winning_lines()
    return PositionAnswer.model_construct(
        rules=format_rules(rules),
        sentence=describe_rules(rules),
        moves=[names[move] for move in position.moves],
        ply=position.ply,
        to_move=SIDES[position.to_move],
        rows=rules.rows,
        cols=rules.cols,
        boards=rules.boards,
        marks=rules.marks,
        k=rules.k,
        wrap=rules.wrap,
        cells=cell_names(position.cells),
        squares=list(names),
        legal=[names[move] for move in position.legal_moves],
        closed=sorted(position.closed),
        outcome=OUTCOMES[position.outcome],
        line=rules.line,
        winning_lines=[[names[cell] for cell in line] for line in lines],
        forking={SIDES[side]: [names[cell] for cell in position.forking_cells(side)] for side in Side},
        completing={SIDES[side]: [names[cell] for cell in position.completing_cells(side)] for side in Side},
        strokes=[[list(stroke) for stroke in line_strokes(rules, line)] for line in lines],
        edges=[list(stroke) for stroke in edge_strokes(rules)],
        last=names[position.moves[-1]] if position.moves else None,
        text=format_game(rules, position.moves),
    )


def show_rules(rules: Rules) -> RulesAnswer:
    """Rules in every form."""
    return RulesAnswer(
        text=format_rules(rules),
        sentence=describe_rules(rules),
        fields=rules.model_dump(mode="json"),
        start=show_position(play(rules, ())),
    )


def _small(rules: Rules, limits: Limits) -> Rules:
    if rules.size > limits.cells:
        raise RulesError(
            f"{rules.boards} board(s) of {rules.rows}x{rules.cols} have {rules.size} cells: a page shows at most {limits.cells}"
        )
    return rules
