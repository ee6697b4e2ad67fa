"""Evaluators by name, for unfinished positions in minimax. Ours are pattern tables; plugins can add others.

A plugin, ``python:file.py:Class,option=value`` or an entry point in the group ``noughts.evaluators``, is called with
the rules, and with its options as keyword arguments. It returns a `PatternTable`, which runs at the kernel's full speed,
or a callable that takes a position and returns its evaluation, an integer from the first player's point of view. That may
have the attribute ``unit``, the value of an evaluation of 1, where 1.0 is a win.
"""

from collections.abc import Callable
from functools import lru_cache
from operator import index
from typing import Any

import numpy as np

from noughts.machine.dependencies import NOTHING, Dependencies
from noughts.machine.jobs import in_one_process
from noughts.machine.parameters import read_options
from noughts.machine.plugins import PluginKind
from noughts.positions import Position
from noughts.rules import AgentError, Rules
from noughts.rules.text import split_outside_parentheses
from noughts.search.patterns import PATTERN_TABLES, Evaluator, PatternTable

EVALUATOR_PLUGINS = PluginKind("evaluator", "noughts.evaluators", AgentError)
"""The plugin type of evaluators."""

_LARGEST = 1 << 61  # so that no evaluation can count as a win


class OutsideEvaluator:
    """A third-party evaluator for one game, whose results are checked.

    Attributes:
        unit: The value of an evaluation of 1.
    """

    def __init__(self, called: str, given: Any) -> None:
        """Raise AgentError if `given` cannot be called."""
        if not callable(given):
            raise AgentError(f"evaluator {called!r} cannot be called: give a PatternTable or a function of a position")
        self._called, self._given = called, given
        self.unit = float(getattr(given, "unit", 1.0))

    def __call__(self, position: Position) -> int:
        """Return the evaluation; raise AgentError if it is not an integer, or too large."""
        with in_one_process():  # otherwise a process that it forks would continue the search, and fork at each position
            found = self._given(position)
        try:
            worth = index(found)
        except TypeError:
            raise AgentError(f"evaluator {self._called!r} gave {found!r}: give a whole number") from None
        if abs(worth) > _LARGEST:
            raise AgentError(f"evaluator {self._called!r} gave {worth}: give a whole number from -2^61 to 2^61")
        return worth


def check_evaluator(text: str) -> str:
    """Return the text; raise ValueError if it cannot name an evaluator. This loads nothing."""
    if text not in PATTERN_TABLES and not EVALUATOR_PLUGINS.is_outside(_split(text)[0]):
        raise ValueError(text)
    return text


def depends_on(text: str) -> Dependencies:
    """Return the dependencies of a third-party evaluator; none for ours. This loads nothing."""
    return NOTHING if text in PATTERN_TABLES else EVALUATOR_PLUGINS.depends_on(_split(text)[0])


def find_evaluator(text: str) -> Callable[[Rules], Evaluator]:
    """Return the function that creates the named evaluator for a game.

    Raises:
        AgentError: it does not exist, or its code cannot be loaded. The returned function raises it if creation fails.
    """
    if text in PATTERN_TABLES:
        return PATTERN_TABLES[text]
    name, options = _split(text)
    if not EVALUATOR_PLUGINS.is_outside(name):
        raise EVALUATOR_PLUGINS.unknown(name, PATTERN_TABLES)
    loaded = EVALUATOR_PLUGINS.load(name, text)
    keyword_arguments = read_options(f"evaluator {text!r}", loaded, options.items(), AgentError, given=1)

    @lru_cache(maxsize=64)
    def made(rules: Rules) -> Evaluator:
        with EVALUATOR_PLUGINS.guarded(f"evaluator {text!r} cannot be made"):
            given = loaded(rules, **keyword_arguments)
        return _checked(text, rules, given) if isinstance(given, PatternTable) else OutsideEvaluator(text, given)

    return made


def _checked(called: str, rules: Rules, table: PatternTable) -> PatternTable:
    """Return the table; raise AgentError if its scores have another shape or type, because kernels check no bounds."""
    wanted = f"int64[2, 2, {1 << rules.k}]"
    scores: Any = table.scores  # a user's class may have set anything
    found = f"{scores.dtype}{list(scores.shape)}" if isinstance(scores, np.ndarray) else type(scores).__name__
    if found != wanted:
        raise AgentError(f"evaluator {called!r} gave a PatternTable whose scores are {found}, and should be {wanted}")
    return table


def _split(text: str) -> tuple[str, dict[str, str]]:
    """Split a text into the evaluator's name and its options, as text."""
    name, *options = (part.strip() for part in split_outside_parentheses(text, ","))
    pairs = [option.partition("=") for option in options]
    if not all(equals and key and value for key, equals, value in pairs):
        raise AgentError(f"evaluator {text!r} is malformed: write option=value after its name")
    return name, {key.strip(): value.strip() for key, _, value in pairs}
