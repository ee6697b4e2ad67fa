"""`EvolutionConfig`: all settings of a run, validated before it starts; and the paper's preset."""

from typing import Any, ClassVar, Literal, Self

from pydantic import Field, field_validator, model_validator

from noughts.rules import Task, parse_task
from noughts.training.method_config import MethodConfig

Opponent = Literal["best", "self", "random", "hall", "recent"]
StrategyName = Literal["cma", "separable-cma", "openai-es"]

_WIDTH = r"([1-9][0-9]{0,2}|10[01][0-9]|102[0-4])"  # from 1 to 1024
_WIDTHS = rf"^{_WIDTH}(x{_WIDTH}){{0,7}}$"


PRESETS: dict[str, dict[str, Any]] = {
    # BetaZero by CMA-ES, as in the paper's text.
    "betazero": {},
    # The same, as in the authors' program where it differs from the text.
    "betazero-program": {"seeds": "redrawn", "tie_tolerance": 1e-2},
    # Unbeatable after 1,000 generations, which play as many games as 10,000 of the paper's. See betazero-evolution.
    "betazero-unbeatable": {"seeds": "redrawn", "sigma": 0.5, "population": 230, "strategy": "separable-cma"},
}


class EvolutionConfig(MethodConfig):
    """A run of evolution, by default BetaZero's by CMA-ES.

    An iteration is a generation. A round is two playthroughs of one of the task's games, which is drawn for it, from one
    seed: the network first as first and then as second player.

    Attributes:
        widths: Widths of the hidden layers, such as ``18x18``; "" for two as wide as the input, which has two numbers a cell.
        strategy: ``cma`` (Hansen's pycma), ``separable-cma``, whose covariance matrix is a diagonal, or ``openai-es``
            (Salimans et al., 2017).
        step_size: How CMA-ES adapts its step size: ``csa`` by the length of its path, as pycma did at the time of the
            paper; ``tpa`` by trying two points ahead, as pycma does today by default from 300 parameters on.
        sigma: The first step size.
        population: Candidates in a generation; ``none`` for pycma's default, which is 23 for 703 parameters.
        learning_rate: The learning rate of openai-es.
        rounds: Rounds for each candidate.
        seeds: ``fixed``: the rounds' seeds are drawn once; ``redrawn``: for each generation; ``own``: for each
            candidate of each generation.
        objective: How candidates are ranked: by the fewest ``losses``, or by the greatest ``return``, wins minus losses.
        opponent: Which network plays the other side: the ``best`` so far, the candidate's own (``self``), ``random``
            moves, a former best drawn for each game from all (``hall``), or from the latest `recent` (``recent``).
        recent: How many former bests the opponent ``recent`` draws from.
        omniscient: Whether an omniscient adversary, which simulates games against this opponent, plays the other side;
            otherwise the opponent itself plays it.
        simulations: The adversary's games for each legal move, the paper's nPlay.
        random_moves: The share of random moves of an opponent that plays itself, without the adversary: the paper's pRand.
        tie_tolerance: Moves whose values differ from the best by at most this count as equal.
        threshold: The best so far is replaced when a generation's mean loses fewer rounds of 100 than this.
        growth: The share by which the number of rounds grows each time the mean loses fewer rounds than the threshold,
            which is then a count, so that more rounds are harder.
        most_rounds: The largest number of rounds, because against an unbeatable network they would grow for ever.
        measure_rounds: Rounds against minimax at each measurement of strength.
    """

    allowed: ClassVar = {
        **MethodConfig.allowed,
        "widths": "widths from 1 to 1024 such as 18x18, or nothing",
    }

    presets: ClassVar = PRESETS
    small_preset: ClassVar = "betazero-unbeatable"

    widths: str = Field(default="", pattern=rf"{_WIDTHS}|^$")
    strategy: StrategyName = "cma"
    step_size: Literal["csa", "tpa"] = "csa"
    sigma: float = Field(default=0.1, gt=0, le=10)
    population: int | None = Field(default=None, ge=4, le=10_000)
    learning_rate: float = Field(default=0.05, gt=0, le=10)
    rounds: int = Field(default=100, ge=1, le=100_000)
    seeds: Literal["fixed", "redrawn", "own"] = "fixed"
    objective: Literal["losses", "return"] = "losses"
    opponent: Opponent = "best"
    recent: int = Field(default=10, ge=1, le=1000)
    omniscient: bool = True
    simulations: int = Field(default=1, ge=1, le=10_000)
    random_moves: float = Field(default=0.0, ge=0, le=1)
    tie_tolerance: float = Field(default=1e-6, ge=0, le=2)
    threshold: float = Field(default=10.0, ge=0, le=100)
    growth: float = Field(default=0.0, ge=0, le=1)
    most_rounds: int = Field(default=1000, ge=1, le=100_000)
    measure_rounds: int = Field(default=100, ge=1, le=10_000)

    @field_validator("widths", mode="before")
    @classmethod
    def _one_width(cls, given: Any) -> Any:
        return str(given) if type(given) is int else given  # a command parses widths=18 as an int

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.omniscient and self.random_moves > 0:
            raise ValueError(
                f"random_moves={self.random_moves:g} is of an opponent that plays itself: give omniscient=false with it"
            )
        if self.growth > 0 and self.rounds > self.most_rounds:
            raise ValueError(
                f"rounds={self.rounds} are more than most_rounds={self.most_rounds}, up to which they grow"
            )
        if self.strategy == "openai-es" and self.step_size != "csa":
            raise ValueError(f"step_size={self.step_size} is of CMA-ES, and strategy=openai-es keeps its step size")
        return self

    @property
    def games(self) -> Task:
        """`task`, parsed."""
        return parse_task(self.task)

    @property
    def hidden(self) -> tuple[int, ...]:
        """`widths` as numbers; empty for the default."""
        return tuple(map(int, self.widths.split("x"))) if self.widths else ()
