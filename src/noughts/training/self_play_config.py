"""`SelfPlayConfig`: what the configurations of AlphaZero and MuZero share."""

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
        learning_rate: Of every step; of the first one if it falls.
        zero_after: The learning rate falls along a straight line to zero after so many steps (batches); 0 if it stays as it is.
        momentum: Of sgd.
        decay: adamw: decoupled weight decay. sgd: this much of each weight is added to its gradient, which is the L2
            penalty decay / 2 * |w|^2.
        clip: The largest norm of a gradient; 0 for any.
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
        share: Of the new games.
        source: ``refutations``: the last positions of games that the agent lost when `Schedule.until` tried the replies to it, as
            regret-guided restarts (RGSC, ICLR 2026) in an exact form. ``uniform``: positions of the replay, all equally likely.
        plies: So many positions of each refutation, the last before its end.
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
        network: What learns, as text: ``line``, ``resnet:blocks=6``; see `noughts networks`.
        search: In self-play.
        games: Played side by side.
        opening_plies: Each game begins with so many random moves at most, from none on; all numbers are equally likely.
            None for a sixth of the board's cells. They show what a player that knows better would never let happen, so
            that the network also knows what to do against bad moves.
        random_moves: So many moves of self-play are random instead, anywhere in a game: the share of them. What they lead
            to is learned as any position; before one, the value that was searched takes the place of the game's result.
        restarts: Which games begin in the middle of earlier ones.
        temperature_plies: PUCT and MuZero: the first moves of a game are drawn by visits; later ones are those visited most.
        window: Positions in the replay, the latest.
        batch: Positions in a batch.
        steps: Batches after each iteration of self-play.
        augmentation: By which symmetries positions are turned: all of the ``board``, which move the bricks, too; those
            of the ``rules``, which leave the bricks in place; the four ``reflections``; or ``none``.
        value_weight, policy_weight: Of squared error and cross-entropy in the loss.
        optimiser: How weights change.
        averaging: How much of the averaged weights each step keeps; the averaged ones are what agents get. 0 for the
            latest weights as they are.
        held_out: A task to measure strength on besides `task`; "" for none.
        measure_games: Games against Minimax, for each game of a task.
        measure_simulations: For each move, where strength is measured with search.
        measure_positions: Positions to compare with exact truth; 0 for none.
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
    # Written only if it is on, so that the keys of trainings stay those of before there was such a field.
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
        """Older configurations name two fields more, both 0 unless their games were shared out over machines."""
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
        """Whether games begin on lines that refuted the agent."""
        return self.restarts.share > 0 and self.restarts.source == "refutations"

    @property
    def most_opening_plies(self) -> int:
        """`opening_plies` as a number."""
        return parse_task(self.task).rules[0].size // 6 if self.opening_plies is None else self.opening_plies
