"""What `betazero-post-mortem` trains and plays: the paper's preset done right, with each mistake, with all; and the fast one."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from noughts.agents import parse_agent
from noughts.questions.judged import Judged
from noughts.questions.played import Played
from noughts.questions.trained import Training
from noughts.rules import format_task
from noughts.studies.betazero_post_mortem.values import NetworkValues
from noughts.studies.study import Settings
from noughts.studies.tic_tac_toe import RULES, SQRT_2, TASK
from noughts.training.alphazero.config import PRESETS, AlphaZeroConfig
from noughts.training.schedule import Schedule

STUDY = "betazero-post-mortem"
BUDGETS = (150, 250, 350, 450, 550, 650, 750)
OPPONENT = parse_agent(f"mcts:sims=750,c={SQRT_2},pick=value")
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


class PostMortemScale(NamedTuple):
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
    "quick": PostMortemScale(40, 25, 1, 25, 10, BUDGETS[::3], 1),
    "laptop": PostMortemScale(200, 50, 10, 25, 100, BUDGETS, 10),
    "paper": PostMortemScale(400, 100, 10, 25, 100, BUDGETS, 10),
}


class PostMortemRun(NamedTuple):
    """One training, and how many of its kind came before it."""

    name: str
    seed: int
    training: Training


def runs(settings: Settings) -> list[PostMortemRun]:
    """Every training of the paper's preset: done right, with each mistake, with all of them; seeds together."""
    size = SCALES[settings.scale]
    everything: dict[str, Any] = {}
    for changes in MISTAKES.values():
        everything |= changes
    kinds = {RIGHT: dict[str, Any](), **MISTAKES, ALL: everything}
    return [
        _run(name, number, "tic-tac-toe", changes, settings, size.iterations, size.simulations)
        for number in range(size.seeds)
        for name, changes in kinds.items()
    ]


def fast_runs(settings: Settings) -> list[PostMortemRun]:
    """Trainings of the fast preset, which has no mistake."""
    preset = PRESETS["tic-tac-toe-fast"]
    return [
        _run(
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


def runs_by_condition(settings: Settings) -> dict[str, list[PostMortemRun]]:
    """Trainings of the paper's preset, those of a kind together."""
    kinds: dict[str, list[PostMortemRun]] = {}
    for run in runs(settings):
        kinds.setdefault(run.name, []).append(run)
    return kinds


def matches(settings: Settings) -> dict[int, list[Played]]:
    """By budget: every training that was done right, against the paper's opponent; they share its games, an even number each."""
    return {sims: _matches(RIGHT, sims, settings) for sims in SCALES[settings.scale].budgets}


def matches_by_condition(settings: Settings) -> dict[str, list[Played]]:
    """Every training of each condition against the paper's opponent, at the largest budget: so many games each as one done right."""
    sims = SCALES[settings.scale].budgets[-1]
    return {name: _matches(name, sims, settings) for name in runs_by_condition(settings)}


def _matches(name: str, sims: int, settings: Settings) -> list[Played]:
    size, trainings = SCALES[settings.scale], [run.training for run in runs_by_condition(settings)[name]]
    return [
        Played(
            task=TASK,
            a=training.agent(sims),
            b=OPPONENT,
            games=max(2, size.games // len(trainings) // 2 * 2),
            moves_first="turns",
            seed=settings.seed,
            draws=(STUDY, name, f"{sims} simulations", str(number)),
        )
        for number, training in enumerate(trainings)
    ]


def beside_truth(run: PostMortemRun, settings: Settings) -> Judged:
    """Its moves in every position of the game, without search and with it."""
    sims = SCALES[settings.scale].sims
    agents = (run.training.agent(0), run.training.agent(sims))
    return Judged(task=TASK, named=agents, per_ply=20_000, plies=(0, 8), nodes=None, seed=settings.seed)


def network_values(run: PostMortemRun) -> NetworkValues:
    """What its network says of the paper's positions, in the order of `POSITIONS`."""
    positions = tuple(tuple(map(RULES.cell_of, moves)) for moves, _ in POSITIONS.values())
    return NetworkValues(agent=run.training.agent(0), rules=RULES, positions=positions)


def _run(
    name: str, number: int, preset: str, changes: Mapping[str, Any], settings: Settings, iterations: int, sims: int
) -> PostMortemRun:
    plain = PRESETS[preset]
    fields = {
        field: {**plain[field], **value} if isinstance(value, dict) else value for field, value in changes.items()
    }
    search = {**plain["search"], **fields.pop("search", {}), "simulations": sims}
    config = AlphaZeroConfig.preset(
        preset,
        task=format_task(TASK),
        seed=settings.seed * 1000 + number,
        schedule=Schedule(iterations=iterations, measure_minutes=None),
        search=search,
        measure_games=1,  # what it has learned is examined at the end, and here only costs time
        measure_simulations=0,
        measure_positions=0,
        **fields,
    )
    return PostMortemRun(name, number, Training(label=f"{name}, seed {number}", config=config, cores=1))
