"""What `betazero-post-mortem` trains and plays: the paper's preset done right, with each mistake, with all; and the fast one."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from noughts.play.match import MatchPlan
from noughts.studies.examined import Match, way
from noughts.studies.study import Settings
from noughts.studies.tic_tac_toe import RULES, SQRT_2
from noughts.studies.trained import Training
from noughts.training.alphazero.config import PRESETS, AlphaZeroConfig
from noughts.training.schedule import Schedule

STUDY = "betazero-post-mortem"
BUDGETS = (150, 250, 350, 450, 550, 650, 750)
OPPONENT = f"mcts:sims=750,c={SQRT_2},pick=value"
"""The paper's: the move of best mean value; it leaves the constant open."""

RIGHT, ALL, FAST = "as it should be", "all four mistakes", "fast"
MISTAKES: dict[str, dict[str, Any]] = {
    "network asked where the game is over": {"search": {"terminal": "network"}},
    "ReLU before the softmax": {"network": "mlp:preset=tic-tac-toe,rectified_logits=true"},
    "no move sampling": {"temperature_plies": 0},
    "learning rate 0.2": {"optimiser": {"learning_rate": 0.2}},
}

# The full board that the paper shows, a draw, as a game that leads there.
_FULL = ("A1", "A2", "A3", "B1", "B3", "B2", "C1", "C3", "C2")

POSITIONS: dict[str, tuple[tuple[str, ...], str]] = {
    "the empty board": ((), "0.92"),
    "after a move to the centre": (("B2",), "-0.98"),
    "a full board, drawn": (_FULL, "0.999"),
}


class Scale(NamedTuple):
    """Iterations of each training, simulations in it, trainings of each condition; simulations of those that are
    examined; games at each of so many budgets; and trainings of the fast preset."""

    iterations: int
    simulations: int
    seeds: int
    sims: int
    games: int
    budgets: Sequence[int]
    fast: int


SCALES = {
    "quick": Scale(40, 25, 1, 25, 10, BUDGETS[::3], 1),
    "laptop": Scale(200, 50, 3, 25, 100, BUDGETS, 10),
    "paper": Scale(400, 100, 10, 25, 100, BUDGETS, 10),
}


class Condition(NamedTuple):
    """One training, and how many of its kind came before it."""

    name: str
    seed: int
    training: Training[AlphaZeroConfig]

    def examined(self, sims: int) -> str:
        """What its measurements with so many simulations are called."""
        return f"{self.training.label} / {way(sims)}"


def conditions(settings: Settings) -> list[Condition]:
    """Every training of the paper's preset: done right, with each mistake, with all of them; seeds together."""
    size = SCALES[settings.scale]
    everything: dict[str, Any] = {}
    for changes in MISTAKES.values():
        everything |= changes
    kinds = {RIGHT: dict[str, Any](), **MISTAKES, ALL: everything}
    return [
        _condition(name, number, "tic-tac-toe", changes, settings, size.iterations, size.simulations)
        for number in range(size.seeds)
        for name, changes in kinds.items()
    ]


def fast_conditions(settings: Settings) -> list[Condition]:
    """Trainings of the fast preset, which has no mistake."""
    preset = PRESETS["tic-tac-toe-fast"]
    return [
        _condition(
            FAST,
            number,
            "tic-tac-toe-fast",
            {},
            settings,
            preset["schedule"]["iterations"],
            preset["search"]["simulations"],
        )
        for number in range(SCALES[settings.scale].fast)
    ]


def conditions_by_name(settings: Settings) -> dict[str, list[Condition]]:
    """Trainings of the paper's preset, those of a kind together."""
    kinds: dict[str, list[Condition]] = {}
    for condition in conditions(settings):
        kinds.setdefault(condition.name, []).append(condition)
    return kinds


def matches(settings: Settings) -> dict[int, Match]:
    """By budget: the first training that was done right, against the paper's opponent."""
    size, agent = SCALES[settings.scale], conditions(settings)[0].training
    return {
        sims: Match(
            f"{RIGHT} / {sims} simulations / MCTS 750",
            MatchPlan(
                rules=RULES, a=agent.agent(sims), b=OPPONENT, games=size.games, colours="swapped", seed=settings.seed
            ),
        )
        for sims in size.budgets
    }


def values_key(condition: Condition) -> str:
    """Names the question what its network says of the paper's positions."""
    return f"values / {condition.training.label}"


def _condition(
    name: str, number: int, preset: str, changes: Mapping[str, Any], settings: Settings, iterations: int, sims: int
) -> Condition:
    plain = PRESETS[preset]
    fields = {
        field: {**plain[field], **value} if isinstance(value, dict) else value for field, value in changes.items()
    }
    search = {**plain["search"], **fields.pop("search", {}), "simulations": sims}
    config = AlphaZeroConfig.preset(
        preset,
        task=RULES,
        seed=settings.seed * 1000 + number,
        schedule=Schedule(iterations=iterations, measure_minutes=None),
        search=search,
        measure_games=1,  # what it has learned is examined at the end, and here only costs time
        measure_simulations=0,
        measure_positions=0,
        **fields,
    )
    return Condition(name, number, Training(STUDY, f"{name}, seed {number}", config))
