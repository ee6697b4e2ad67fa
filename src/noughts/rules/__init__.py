"""Rules of the family: what a game is, as data. Knows nothing of arrays, files or players."""

from noughts.rules.errors import (
    AgentError,
    CertificateError,
    ComputeError,
    IllegalMoveError,
    LawBroken,
    NoughtsError,
    RulesError,
    SolverError,
    StoreError,
)
from noughts.rules.lines import LineTable, line_table
from noughts.rules.presets import PRESETS, Preset
from noughts.rules.rules import Rules
from noughts.rules.symmetry import Symmetry, symmetries
from noughts.rules.task import Task, format_task, parse_task, task_of
from noughts.rules.text import describe_rules, format_game, format_rules, parse_rules
from noughts.rules.value import Value

__all__ = [
    "PRESETS",
    "AgentError",
    "CertificateError",
    "ComputeError",
    "IllegalMoveError",
    "LawBroken",
    "LineTable",
    "NoughtsError",
    "Preset",
    "Rules",
    "RulesError",
    "SolverError",
    "StoreError",
    "Symmetry",
    "Task",
    "Value",
    "describe_rules",
    "format_game",
    "format_rules",
    "format_task",
    "line_table",
    "parse_rules",
    "parse_task",
    "symmetries",
    "task_of",
]
