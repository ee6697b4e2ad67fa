"""Tasks: weighted sets of games that share a board size, for training or testing an agent.

As text: ``bttt(D4)``; ``bttt(D3|D4)``, a brick on D3 or on D4; ``bttt(*)``, every square of the board;
``3*bttt(D4) | bttt(E5)``, D4 three times as often; any field may list alternatives, ``mnk(5,5,4,line=wins|loses)``.
"""

import itertools
import math
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import ClassVar, Self

from pydantic import model_validator

from noughts.rules.errors import RulesError
from noughts.rules.rules import Rules
from noughts.rules.squares import square_name
from noughts.rules.text import Call, format_rules, parse_call, read_rules, require_short, split_outside_parentheses
from noughts.rules.value import Value

_WEIGHTED = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*\*\s*(?=[A-Za-z])(.*)", re.DOTALL)


class Task(Value):
    """A weighted set of games with one board size.

    Attributes:
        rules: The games, each once.
        weights: The relative frequency of each game, positive; the sum need not be 1.

    Raises:
        RulesError: there are no games, their sizes differ, or a weight is not positive.
    """

    error_type: ClassVar = RulesError
    called: ClassVar = "task"

    rules: tuple[Rules, ...]
    weights: tuple[float, ...]

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if not self.rules:
            raise ValueError("a task needs at least one game")
        if len(self.rules) != len(self.weights):
            raise ValueError(f"a task of {len(self.rules)} games was given {len(self.weights)} weights")
        if not all(math.isfinite(weight) and weight > 0 for weight in self.weights):
            raise ValueError(f"weights {self.weights} must be positive numbers")
        if len(set(self.rules)) < len(self.rules):
            twice = next(rules for rules in self.rules if self.rules.count(rules) > 1)
            raise ValueError(f"a task names {format_rules(twice)} twice; give it once, with a greater weight")
        sizes = {(rules.rows, rules.cols, rules.boards) for rules in self.rules}
        if len(sizes) > 1:
            shown = ", ".join(
                f"{rows}x{cols}" + (f" x{boards}" if boards > 1 else "") for rows, cols, boards in sorted(sizes)
            )
            raise ValueError(f"the games of a task must share one board size, and these have {shown}")
        return self


def task_of(*rules: Rules) -> Task:
    """Return the task of these games with equal weights; RulesError as for `Task`."""
    return Task(rules=rules, weights=(1.0,) * len(rules))


def read_task(given: Task | Rules | str) -> Task:
    """Return the task given by a text or by one game; raise RulesError if it is invalid."""
    if isinstance(given, Task):
        return given
    return parse_task(given) if isinstance(given, str) else task_of(read_rules(given))


def parse_task(text: str, most: int | None = None) -> Task:
    """Parse a task.

    Args:
        text: The text form of a task; a few characters can name millions of games.
        most: Most games to accept; None for any number.

    Raises:
        RulesError: the text is malformed, impossible, or names more games.
    """
    require_short(text)
    weights: dict[Rules, float] = {}
    named = 0
    for part in split_outside_parentheses(text, "|"):
        match = _WEIGHTED.fullmatch(part)
        weight, call = (float(match.group(1)), match.group(2)) if match else (1.0, part)
        for rules in _alternatives(parse_call(call)):
            named += 1
            if most is not None and named > most:
                raise RulesError(f"task {text[:100]!r} names more than {most} games: name at most {most}")
            weights[rules] = weights.get(rules, 0.0) + weight
    return Task(rules=tuple(weights), weights=tuple(weights.values()))


def format_task(task: Task) -> str:
    """Return a text that `parse_task` reads back as the same task."""
    return " | ".join(
        format_rules(rules) if weight == 1 else f"{_write_weight(weight)}*{format_rules(rules)}"
        for rules, weight in zip(task.rules, task.weights, strict=True)
    )


def _write_weight(weight: float) -> str:
    """Write a number with all digits needed to read it back, without an exponent."""
    return f"{Decimal(repr(weight)).normalize():f}"


def _alternatives(call: Call) -> Iterator[Rules]:
    """All games that a call with ``|`` and ``*`` names, in the order written."""
    names = [*call.preset.parameters, *(name for name, _ in call.overrides)]
    written = [*call.arguments, *(value for _, value in call.overrides)]
    choices = [_choices(call, name, value) for name, value in zip(names, written, strict=True)]
    split = len(call.arguments)
    for values in itertools.product(*choices):
        overrides = tuple(zip(names[split:], values[split:], strict=True))
        yield Call(call.preset, tuple(values[:split]), overrides).rules()


def _choices(call: Call, name: str, value: str) -> list[str]:
    if value.strip() != "*":
        choices = [choice.strip() for choice in value.split("|")]
        if len(choices) > 1 and not all(choices):
            raise RulesError(f"{name}={value}: an alternative is empty; write a value on both sides of each |")
        return choices
    if name != "bricks":
        allowed = Rules.allows(name)
        raise RulesError(f"{name}=*: only bricks can be every square; list values of {name} with | between: {allowed}")
    # This needs only the size of the board, so the first alternative of every other field is enough.
    arguments = tuple(
        "" if parameter == name else argument.split("|")[0]
        for parameter, argument in zip(call.preset.parameters, call.arguments, strict=True)
    )
    overrides = tuple((field, text.split("|")[0]) for field, text in call.overrides if field != name)
    board = Call(call.preset, arguments, overrides).rules()
    return [square_name(cell, board.rows, board.cols) for cell in range(board.board_size)]
