"""`SelfPlayConfig`: the settings that AlphaZero and MuZero share."""

from operator import not_
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, field_validator, model_validator

from noughts.networks.errors import NetworkError
from noughts.networks.spec import parse_network
from noughts.rules import Value, parse_task
from noughts.search.settings import SearchSettings
from noughts.training.augmentation import Augmentation
from noughts.training.method_config import MethodConfig, canonical


class Optimiser(Value):
    """How weights change.

    Attributes:
        name: ``adamw`` (Loshchilov and Hutter, 2019), or ``sgd`` with momentum.
        learning_rate: The learning rate; with `zero_after`, that of the first step.
        zero_after: The number of steps (batches) in which the learning rate falls linearly to zero; 0 for a constant rate.
        momentum: The momentum of sgd.
        decay: adamw: decoupled weight decay. sgd: each gradient gets this share of its weight added, which is the L2
            penalty decay / 2 * |w|^2.
        clip: The largest norm of a gradient; 0 for no limit.
    """

    called: ClassVar = "optimiser"

    name: Literal["adamw", "sgd"] = "adamw"
    learning_rate: float = Field(default=2e-3, gt=0, le=10)
    zero_after: int = Field(default=0, ge=0, le=10**9, exclude_if=not_)  # as `SelfPlayConfig.restarts`
    momentum: float = Field(default=0.9, ge=0, lt=1)
    decay: float = Field(default=1e-4, ge=0, le=1)
    clip: float = Field(default=0.0, ge=0, le=1e6)


class Restarts(Value):
    """A share of the games of self-play begins in the middle of earlier games. Off unless `share` is above 0.

    Attributes:
        share: The share of new games that begin in the middle of an earlier game.
        source: ``refutations``: the last positions of games that the agent lost when `schedule.until` tried the replies, an exact
            form of regret-guided restarts (RGSC, ICLR 2026). ``uniform``: positions of the replay, all equally likely.
        plies: How many positions of each refutation are used, counted from its end.
        age: For how many iterations a refutation is used.
    """

    called: ClassVar = "restarts"

    share: float = Field(default=0.0, ge=0, le=1)
    source: Literal["refutations", "uniform"] = "refutations"
    plies: int = Field(default=6, ge=1, le=361)
    age: int = Field(default=50, ge=1, le=10**6)


class SelfPlayConfig(MethodConfig):
    """A run that learns from games against itself, in which each move is searched.

    Attributes:
        network: The network, as text, for example ``line`` or ``resnet:blocks=6``; see `noughts networks`.
        search: The search in self-play.
        games: The number of games that are played in parallel.
        opening_plies: The most random moves at the start of a game; each number from 0 up to this is equally likely. The
            value ``none`` means a sixth of the board's cells. They lead to positions that good players avoid, so that the network also
            learns what to do against bad moves.
        random_moves: The share of random moves in self-play, anywhere in a game. The network learns from the positions after
            them, too; positions before a random move learn the search's value instead of the game's result.
        restarts: Which games begin in the middle of earlier ones.
        temperature_plies: PUCT and MuZero: the number of first plies with moves drawn by visits; then the most visited is played.
        window: The number of latest positions in the replay.
        batch: The number of positions in a batch.
        steps: The number of batches after each iteration of self-play.
        augmentation: The symmetries by which positions are turned: all of the ``board``, which also move the bricks; those
            of the ``rules``, which leave the bricks in place; the four ``reflections``; or ``none``.
        value_weight, policy_weight: The weights of the value's squared error and of the policy's cross-entropy in the loss.
        optimiser: How weights change.
        averaging: The share of the averaged weights that each step keeps. Agents play with the averaged weights. 0 for the
            latest weights.
        held_out: A second task on which to measure strength; "" for none.
        measure_games: The number of games against Minimax at each measurement, for each game of a task.
        measure_simulations: Simulations for each move when strength is measured with search.
        measure_positions: The number of positions in which moves are compared with exact values; 0 for none.
    """

    allowed: ClassVar = {
        **MethodConfig.allowed,
        "network": "a network, such as line or resnet:blocks=6",
        "held_out": "a game or a set of games, or nothing",
    }

    network: str = "line"
    search: SearchSettings = SearchSettings()
    games: int = Field(default=256, ge=1, le=1 << 20)
    opening_plies: int | None = Field(default=None, ge=0, le=64)
    random_moves: float = Field(default=0.0, ge=0, lt=1)
    # Written only if it is on, so that the keys of older trainings, from before this field existed, stay the same.
    restarts: Restarts = Field(default=Restarts(), exclude_if=lambda restarts: not restarts.share)
    temperature_plies: int = Field(default=0, ge=0, le=100_000)
    window: int = Field(default=36_864, ge=1, le=10**8)
    batch: int = Field(default=256, ge=1, le=1 << 20)
    steps: int = Field(default=96, ge=1, le=100_000)
    augmentation: Augmentation = "board"
    value_weight: float = Field(default=1.0, ge=0, le=1000)
    policy_weight: float = Field(default=1.0, ge=0, le=1000)
    optimiser: Optimiser = Optimiser()
    averaging: float = Field(default=0.99, ge=0, lt=1)
    held_out: str = ""
    measure_games: int = Field(default=2, ge=1, le=1000)
    measure_simulations: int = Field(default=32, ge=0, le=10_000)
    measure_positions: int = Field(default=200, ge=0, le=100_000)

    @model_validator(mode="before")
    @classmethod
    def _without_sharing(cls, given: Any) -> Any:
        """Drop two fields of older configurations, which are 0 unless their games were split over machines."""
        if isinstance(given, dict) and not (given.get("actors") or given.get("lag")):
            return {name: value for name, value in given.items() if name not in ("actors", "lag")}
        return given

    @field_validator("held_out")
    @classmethod
    def _canonical_held_out(cls, text: str) -> str:
        return canonical(text)

    @field_validator("network")
    @classmethod
    def _canonical_network(cls, text: str) -> str:
        try:
            return str(parse_network(text))
        except NetworkError as error:
            raise ValueError(str(error)) from None

    @model_validator(mode="after")
    def _searches(self) -> Self:
        if self.search.simulations == 0:
            raise ValueError("search.simulations=0 teaches nothing: self-play needs at least one simulation")
        if self.uses_refutations and self.schedule.until is None:
            raise ValueError(
                "restarts.share needs schedule.until, whose checks find refutations; or set restarts.source=uniform"
            )
        return self

    @property
    def uses_refutations(self) -> bool:
        """Whether some games begin in positions of games that refuted the agent."""
        return self.restarts.share > 0 and self.restarts.source == "refutations"

    @property
    def most_opening_plies(self) -> int:
        """`opening_plies` as a number."""
        return parse_task(self.task).rules[0].size // 6 if self.opening_plies is None else self.opening_plies
