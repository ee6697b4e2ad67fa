"""noughts: learn k-in-a-row games from nothing, and measure what was learned against exact truth.

What a program or a notebook needs is offered here, ``noughts.solve_many`` for one, and loaded when it is first used: to
import this package takes no time. Types are in ``__init__.pyi``, the functions themselves in `noughts.library`.
"""

import importlib
import sys

from noughts.offering import offer
from noughts.showing import Form, shown_by

if sys.modules.get("gymnasium"):  # `gymnasium.make("noughts:noughts/mnk-v0")` imports this package to find the name
    import noughts.registration  # noqa: F401

__version__ = "0.1.0"

_OFFERED = {
    "noughts.rules": ("NoughtsError", "Rules", "Task", "describe_rules", "format_game", "parse_rules", "parse_task"),
    "noughts.positions": ("Outcome", "Position", "Rng", "Side"),
    "noughts.solvers": ("Budget", "MoveSolution", "Solution", "Span"),
    "noughts.solvers.solve": ("Truth",),
    "noughts.agents": ("Agent", "Decision", "Want"),
    "noughts.library.positions": ("all_positions", "position", "sample"),
    "noughts.library.values": ("solve", "solve_many"),
    "noughts.library.dataset": ("Dataset", "dataset"),
    "noughts.library.agents": ("agent", "analyse", "choose"),
    "noughts.library.games": ("match", "play_game", "tournament"),
    "noughts.library.bench": ("bench",),
    "noughts.library.examining": ("losing_chances", "prove", "score"),
    "noughts.library.imagining": ("imagine", "score_model"),
    "noughts.library.puzzles": ("make_puzzles",),
    "noughts.library.networks": ("load_network",),
    "noughts.library.training": ("TrainingSession", "resume", "train"),
    "noughts.library.studies": ("study",),
    "noughts.library.sweeping": ("sweep",),
    "noughts.networks.evaluate": ("Evaluation",),
    "noughts.reports.boards": ("BoardOptions", "board_svg"),
    "noughts.reports.page": ("write_report",),
}
"""What this package offers, by the module where it is."""

__getattr__, __dir__, __all__ = offer(__name__, _OFFERED)


def _show(value: object, form: Form) -> str | None:
    """Show a value by what draws here, which is loaded now."""
    found: str | None = importlib.import_module("noughts.library.display").show(value, form)
    return found


shown_by(_show)
