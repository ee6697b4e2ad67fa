"""Rules of the games, as data. This package does not depend on arrays, files or players."""

from typing import TYPE_CHECKING

from noughts.offering import offer

if TYPE_CHECKING:
    from noughts.rules.errors import AgentError as AgentError
    from noughts.rules.errors import CertificateError as CertificateError
    from noughts.rules.errors import ComputeError as ComputeError
    from noughts.rules.errors import IllegalMoveError as IllegalMoveError
    from noughts.rules.errors import NoughtsError as NoughtsError
    from noughts.rules.errors import RulesError as RulesError
    from noughts.rules.errors import SolverError as SolverError
    from noughts.rules.errors import StoreError as StoreError
    from noughts.rules.lines import LineTable as LineTable
    from noughts.rules.lines import line_table as line_table
    from noughts.rules.presets import PRESETS as PRESETS
    from noughts.rules.presets import Preset as Preset
    from noughts.rules.rules import Rules as Rules
    from noughts.rules.rules import embed as embed
    from noughts.rules.symmetry import Symmetry as Symmetry
    from noughts.rules.symmetry import symmetries as symmetries
    from noughts.rules.task import Task as Task
    from noughts.rules.task import format_task as format_task
    from noughts.rules.task import parse_task as parse_task
    from noughts.rules.task import read_task as read_task
    from noughts.rules.task import task_of as task_of
    from noughts.rules.text import describe_rules as describe_rules
    from noughts.rules.text import format_game as format_game
    from noughts.rules.text import format_rules as format_rules
    from noughts.rules.text import parse_rules as parse_rules
    from noughts.rules.text import read_rules as read_rules
    from noughts.rules.value import Value as Value
else:
    __getattr__, __dir__, __all__ = offer(__name__)
