"""The text form of rules: ``tic-tac-toe``, ``bttt(D4)``, ``bttt(D4,full=draw)``, ``mnk(4,4,3,bricks=A1+D4,line=loses)``.

A preset's name, its arguments in parentheses, then any field of `Rules` as ``name=value``. In ``bricks`` a
``+`` joins squares that are bricks at the same time.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from noughts.rules.errors import RulesError, near_one, shortened
from noughts.rules.presets import PRESETS, Preset
from noughts.rules.rules import Rules
from noughts.rules.squares import JOINED_EDGES

_CALL = re.compile(r"\s*([A-Za-z][\w-]*)\s*(?:\((.*)\))?\s*", re.DOTALL)
_NUMBERS = ("rows", "cols", "k", "boards")

MAX_TEXT = 50_000
"""The longest text of rules or of a task, in characters; a task may name thousands of games."""


@dataclass(frozen=True, slots=True)
class Call:
    """A parsed text: the preset and its fields, still as text."""

    preset: Preset
    arguments: tuple[str, ...]
    overrides: tuple[tuple[str, str], ...]

    def rules(self) -> Rules:
        """Return the rules; raise RulesError if they are impossible."""
        fields = dict(self.preset.fields(*self.arguments)) | dict(self.overrides)
        return Rules(**{name: _value(name, value) for name, value in fields.items()})


def unknown(kind: str, given: str, known: Iterable[str], owner: str = "") -> str:
    """Return the message for an unknown name: the given name, a near one, and all names.

    Args:
        owner: What the names belong to, if not noughts itself; for example ``minimax`` for its options.
    """
    names = sorted(known)
    wrong = f"{owner} has no {kind} {given!r}" if owner else f"unknown {kind} {given!r}"
    return f"{wrong}{near_one(given, names)}; {'choose from: ' + ', '.join(names) if names else 'there are none'}"


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a count with its noun: ``1 position``, ``1,000 positions``, or with an irregular plural, ``2 plies``."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def worth_text(low: int, high: int) -> str:
    """Return a value with its sign, as in ``+1``, ``0`` and ``-1``; or its bounds, as in ``-1 to 0``."""
    return " to ".join(f"{end:+d}" if end else "0" for end in dict.fromkeys((low, high)))


def name_cell(rules: Rules | None, cell: int) -> str:
    """A cell's square, or ``cell 4`` where its game is not known."""
    return f"cell {cell}" if rules is None else rules.name_of(cell)


def split_outside_parentheses(text: str, separator: str) -> list[str]:
    """Split at each separator outside parentheses."""
    parts, depth, start = [], 0, 0
    for place, character in enumerate(text):
        if character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
        elif character == separator and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [*parts, text[start:]]


def parse_call(text: str) -> Call:
    """Parse the text form without checking the values; raise RulesError if it is malformed."""
    require_short(text)
    match = _CALL.fullmatch(text)
    if match is None:
        raise RulesError(
            f"rules {text!r} are malformed: write a name with arguments in parentheses, such as bttt(D4) or mnk(4,4,3)"
        )
    name, inside = match.group(1).lower(), match.group(2)
    if name not in PRESETS:
        raise RulesError(unknown("rules preset", name, PRESETS))
    preset = PRESETS[name]
    arguments: list[str] = []
    overrides: dict[str, str] = {}
    for part in (inside or "").split(",") if (inside or "").strip() else []:
        field, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            if overrides:
                raise RulesError(f"rules {text!r}: {field!r} must come before the named fields")
            arguments.append(field)
        elif (known := field.lower()) not in Rules.model_fields:
            raise RulesError(f"rules {text!r}: " + unknown("field", field, Rules.model_fields))
        elif known in overrides:
            raise RulesError(f"rules {text!r}: {known} is given twice")
        else:
            overrides[known] = value
    if len(arguments) != len(preset.parameters):
        wanted = f"{name}({','.join(preset.parameters)})" if preset.parameters else name
        takes = counted(len(preset.parameters), "argument")
        raise RulesError(f"rules {text!r}: {name} takes {takes}, {wanted}, and got {len(arguments)}")
    for parameter, argument in zip(preset.parameters, arguments, strict=True):
        if not argument:
            raise RulesError(f"rules {text!r}: {parameter} is empty")
    if twice := [known for known in overrides if known in _fields_of_arguments(preset)]:
        raise RulesError(f"rules {text!r}: {twice[0]} is given twice")
    return Call(preset, tuple(arguments), tuple(overrides.items()))


def require_short(text: str) -> None:
    """Raise RulesError if a text exceeds `MAX_TEXT`."""
    if len(text) > MAX_TEXT:
        raise RulesError(f"rules of {len(text)} characters are too long: at most {MAX_TEXT} are allowed")


@lru_cache(maxsize=4096)
def parse_rules(text: str) -> Rules:
    """Parse `Rules`.

    Raises:
        RulesError: malformed text, an unknown name, impossible rules, or a task of several games.
    """
    try:
        return parse_call(text).rules()
    except RulesError:
        if "|" not in text and "*" not in text:
            raise
        raise RulesError(f"one game is needed here, without | or *, and not {shortened(text, 60)!r}") from None


def read_rules(rules: Rules | str) -> Rules:
    """Return the game given as `Rules` or as text; raise RulesError if it is invalid."""
    if isinstance(rules, Rules):
        return rules
    if not isinstance(rules, str):
        raise RulesError(
            f"a game is given by its text, such as 'bttt(D4)', or as Rules, and not as a value of type {type(rules).__name__}"
        )
    return parse_rules(rules)


@lru_cache(maxsize=4096)
def format_rules(rules: Rules) -> str:
    """Return a text that `parse_rules` reads back as the same rules, with the preset that needs the fewest other fields."""
    written = [
        (len(overrides), _write(preset.name, (*arguments, *overrides)))
        for preset in PRESETS.values()
        if all(arguments := preset.arguments(rules)) and (overrides := _overrides(rules, preset, arguments)) is not None
    ]
    return min(written, key=lambda choice: choice[0])[1]  # the first of equals: presets are in order of preference


def format_game(rules: Rules, moves: Iterable[int]) -> str:
    """Return rules and moves, given as cell indices, as one text: ``bttt(D4) C3 D5``."""
    return " ".join([format_rules(rules), *map(rules.name_of, moves)])


def describe_rules(rules: Rules) -> str:
    """Explain the rules in words, for a new player."""
    boards = "" if rules.boards == 1 else f" on each of {rules.boards} boards"
    bricks = (
        f", with {'a brick' if len(rules.bricks) == 1 else 'bricks'} on {rules.brick_names().replace('+', ', ')} that no player can use"
        if rules.bricks
        else ""
    )
    marks = "each with marks of their own" if rules.marks == "own" else "both placing the same mark"
    full = {"draw": "a draw", "first": "a win for the first player", "second": "a win for the second player"}[
        rules.full
    ]
    joined = f", {JOINED_EDGES[rules.wrap]}" if rules.wrap in JOINED_EDGES else ""
    opening = f"Two players take turns on {rules.rows}x{rules.cols} cells{boards}{joined}{bricks}, {marks}"
    if rules.lineless:
        return f"{opening}; no line of {rules.k} can be made, and the full board is {full}."
    if rules.boards > 1:
        return f"{opening}; {rules.k} in a row closes a board, and the player who closes the last one {rules.line}; if cells run out before that, it is {full}."
    return f"{opening}; the first player to make {rules.k} in a row, column or diagonal {rules.line}, and a full board with no line is {full}."


def _fields_of_arguments(preset: Preset) -> set[str]:
    """The fields that a preset takes from its arguments; a text may override the ones that it fixes itself."""
    fields = preset.fields(*preset.parameters)  # each parameter's name serves as its value
    return {name for name, value in fields.items() if any(value is given for given in preset.parameters)}


def _write(name: str, arguments: tuple[str, ...]) -> str:
    return f"{name}({','.join(arguments)})" if arguments else name


def _overrides(rules: Rules, preset: Preset, arguments: tuple[str, ...]) -> list[str] | None:
    """The fields to add to a preset to get `rules`; None if that would no longer be the game of that name."""
    fields = preset.fields(*arguments)
    found = []
    for name, field in Rules.model_fields.items():
        meant = _write_value(rules, name)
        given = str(fields.get(name, "" if name == "bricks" else field.default))
        if meant == (given if name == "bricks" else given.lower()):
            continue
        if not meant or name in ("rows", "cols", "k") or (preset.named_game and name in ("marks", "line")):
            return None
        found.append(f"{name}={meant}")
    return found


def _value(name: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if name in _NUMBERS:
        try:
            return int(value) if value.isascii() else value  # `int` accepts the digits of every script
        except ValueError:
            return value  # the error of Rules names what is allowed
    if name == "lineless":
        return {"true": True, "false": False}.get(value.lower(), value)
    return value.strip() if name == "bricks" else value.strip().lower()


def _write_value(rules: Rules, name: str) -> str:
    value = getattr(rules, name)
    if name == "bricks":
        return rules.brick_names()
    return str(value).lower()
