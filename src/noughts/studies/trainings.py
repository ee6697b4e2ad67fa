"""Shared by studies that train: trainings, their measurements, and walks of every reply to the trained agents."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from noughts.agents import AgentSpec
from noughts.document.result import CheckedProof, Series
from noughts.examine.walk_result import WalkResult
from noughts.play.playthrough import SIDES
from noughts.play.score import Player
from noughts.questions.answers import Answers
from noughts.questions.question import Question, kept_questions
from noughts.questions.trained import Point, Trained, Training
from noughts.questions.walked import EveryReply
from noughts.rules import Rules
from noughts.studies.claims import line_of
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.evolution.config import EvolutionConfig
from noughts.training.schedule import Schedule

KindT = TypeVar("KindT")

Walks = Mapping[Player, WalkResult]
"""The finished walks, by side."""

MARK = {"first": "X", "second": "O"}
"""The mark of each side, in a game with two marks."""


class NumberedRun(NamedTuple, Generic[KindT]):
    """A training, the kind of thing that it trains, and the number of its seed, from 0."""

    kind: KindT
    number: int
    training: Training


def alphazero(
    label: str,
    preset: str,
    task: str,
    seed: int,
    iterations: int,
    schedule: Mapping[str, Any] = {},
    cores: int | None = 1,
    **fields: Any,
) -> Training:
    """A training of AlphaZero for `iterations`; `schedule` and `fields` are changes to the preset.

    Measurements while training cost time, so there are none unless `fields` has them. Studies examine the trained agents.
    """
    unmeasured = {"measure_games": 1, "measure_simulations": 0, "measure_positions": 0}
    planned = Schedule(iterations=iterations, measure_minutes=None, **schedule)
    config = AlphaZeroConfig.preset(preset, **{**unmeasured, **fields}, task=task, seed=seed, schedule=planned)
    return Training(label=label, config=config, cores=cores)


def evolution(label: str, task: str, seed: int, generations: int, every: int, **fields: Any) -> Training:
    """A training of evolution for `generations`, measured at every `every`-th; `fields` are changes to the defaults."""
    planned = Schedule(iterations=generations, measure_iterations=every, measure_minutes=None)
    config = EvolutionConfig(task=task, seed=seed, schedule=planned, **fields)
    return Training(label=label, method="es", config=config, cores=1)


def numbered_runs(
    seeds: Iterable[tuple[KindT, int]], training: Callable[[KindT, int], Training]
) -> list[NumberedRun[KindT]]:
    """The trainings of each kind, given with its number of seeds. First seeds come first, so that all kinds fill up evenly."""
    pairs = [(kind, number) for kind, count in seeds for number in range(count)]
    return [NumberedRun(*pair, training(*pair)) for pair in sorted(pairs, key=lambda pair: pair[1])]


def by_kind(runs: Iterable[NumberedRun[KindT]]) -> dict[KindT, list[NumberedRun[KindT]]]:
    """The trainings of each kind."""
    found: dict[KindT, list[NumberedRun[KindT]]] = {}
    for run in runs:
        found.setdefault(run.kind, []).append(run)
    return found


def line_while_training(
    name: str, trained: Trained | None, metric: str, by: str = "positions", scale: float = 1.0
) -> Series:
    """A line of a metric that was measured while training, over positions or iterations."""
    curve = () if trained is None else trained.curve
    values = ((getattr(point, by), point.values.get(metric)) for point in curve)
    return line_of(name, {at: scale * value for at, value in values if value is not None})


def trained_for(trained: Trained | None) -> str:
    """The cost of a training, in words; empty while unknown."""
    return "" if trained is None else f"trained {trained.budget}"


def on_both_sides(rules: Rules, agent: AgentSpec) -> Sequence[EveryReply]:
    """Every reply to an agent, as first and as second player; a lost game is a shortest one."""
    return [EveryReply(rules=rules, agent=agent, side=side) for side in SIDES]


def known_walks(rules: Rules, agent: AgentSpec, answers: Answers) -> Walks:
    """The finished walks of `on_both_sides`, by side."""
    return {asked.side: walk for asked in on_both_sides(rules, agent) if (walk := answers[asked]) is not None}


def unbeatable(walks: Walks, *sides: Player) -> bool | None:
    """Whether no reply beats the agent on these sides, by default both; None while unknown."""
    found = [walks.get(side) for side in sides or SIDES]
    if any(walk is not None and walk.lost_game is not None for walk in found):
        return False
    return True if all(walk is not None and walk.proved for walk in found) else None


def first_proof(trained: Trained | None, proved: Iterable[tuple[int, bool]], by: str = "positions") -> Point | None:
    """The first measurement of a training at which no reply beats its agent; None without one.

    Args:
        trained: The training's answer.
        proved: Each measurement's positions or iterations, and whether the agent is proved there.
        by: The field of `Point` in which `proved` counts: positions or iteration.
    """
    start = next((at for at, is_proved in proved if is_proved), None)
    if start is None or trained is None:
        return None
    return next((point for point in trained.curve if getattr(point, by) >= start), None)


def proofs_among(questions: Iterable[Question[Any]], answers: Answers) -> tuple[CheckedProof, ...]:
    """The checked certificates behind a study's proofs, each once, in the order of the questions."""
    walks = {unit.key: unit for unit in kept_questions(questions) if isinstance(unit, EveryReply)}
    return tuple(
        CheckedProof(
            agent=unit.called_agent,
            side=unit.side,
            rules=str(unit.rules),
            claim=result.verb,
            sha256=result.certificate,
            positions=result.entries,
        )
        for unit in walks.values()
        if (result := answers[unit]) is not None and result.proved
    )
