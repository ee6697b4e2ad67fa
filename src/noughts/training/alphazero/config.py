"""`AlphaZeroConfig`: all there is to choose about a run, checked before anything begins; and the papers' presets."""

from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from noughts.rules import NoughtsError, Value
from noughts.search.settings import SearchSettings
from noughts.training.alphazero.augmentation import Augmentation
from noughts.training.presets import from_preset
from noughts.training.schedule import Schedule
from noughts.training.self_play import SelfPlayConfig


class Optimiser(Value):
    """How weights change.

    Attributes:
        name: ``adamw`` (Loshchilov and Hutter, 2019), or ``sgd`` with momentum.
        learning_rate: Of every step.
        momentum: Of sgd.
        decay: adamw: decoupled weight decay. sgd: this much of each weight is added to its gradient, which is the L2
            penalty decay / 2 * |w|^2.
        clip: The largest norm of a gradient; 0 for any.
    """

    called: ClassVar = "optimiser"
    allowed: ClassVar = {
        "name": "adamw or sgd",
        "learning_rate": "a number above 0 and up to 10",
        "momentum": "a number from 0 and below 1",
        "decay": "a number from 0 to 1",
        "clip": "a number from 0 to 10^6",
    }

    name: Literal["adamw", "sgd"] = "adamw"
    learning_rate: float = Field(default=2e-3, gt=0, le=10)
    momentum: float = Field(default=0.9, ge=0, lt=1)
    decay: float = Field(default=1e-4, ge=0, le=1)
    clip: float = Field(default=0.0, ge=0, le=1e6)


class AlphaZeroConfig(SelfPlayConfig):
    """A run of AlphaZero.

    Attributes:
        task: What is played; a game is drawn anew for each game.
        network: What learns, as text: ``line``, ``resnet:blocks=6``; see `noughts networks`.
        seed: Everything random derives from it.
        schedule: Until when, and how often it is measured and saved.
        search: In self-play.
        games: Played side by side.
        whole_games: Whether each iteration plays its games from beginning to end, as in the papers; otherwise it plays
            a segment of `plies` in each, and games that end make place for new ones.
        plies: Of a segment.
        opening_plies: Each game begins with so many random moves at most, from none on; all numbers are equally likely.
            None for a sixth of the board's cells. They show what a player that knows better would never let happen, so
            that the network also knows what to do against bad moves.
        random_moves: So many moves of self-play are random instead, anywhere in a game: the share of them. What they lead
            to is learned as any position; the position before one learns the search's value instead of the result.
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

    error_type: ClassVar = NoughtsError
    called: ClassVar = "configuration"
    allowed: ClassVar = {
        "task": "a game or a set of games, such as tic-tac-toe, bttt(D4) or bttt(D3|D4)",
        "network": "a network, such as line or resnet:blocks=6",
        "held_out": "a game or a set of games, or nothing",
        "games": "a whole number from 1 to 1048576",
        "plies": "a whole number from 1 to 361",
        "opening_plies": "a whole number from 0 to 64",
        "random_moves": "a number from 0 and below 1",
        "temperature_plies": "a whole number from 0 to 100000",
        "window": "a whole number from 1 to 10^8",
        "batch": "a whole number from 1 to 1048576",
        "steps": "a whole number from 1 to 100000",
        "augmentation": "board, rules, reflections or none",
        "value_weight": "a number from 0 to 1000",
        "policy_weight": "a number from 0 to 1000",
        "averaging": "a number from 0 and below 1",
        "measure_games": "a whole number from 1 to 1000",
        "measure_simulations": "a whole number from 0 to 10000",
        "measure_positions": "a whole number from 0 to 100000",
        "seed": "a whole number from 0 to 2^63 - 1",
    }

    task: str
    network: str = "line"
    seed: int = Field(default=0, ge=0, lt=1 << 63)
    schedule: Schedule = Schedule(minutes=10)
    search: SearchSettings = SearchSettings()
    games: int = Field(default=256, ge=1, le=1 << 20)
    whole_games: bool = False
    plies: int = Field(default=24, ge=1, le=361)
    opening_plies: int | None = Field(default=None, ge=0, le=64)
    random_moves: float = Field(default=0.0, ge=0, lt=1)
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

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if not self.task:
            raise ValueError("task is missing: say what is to be played, such as bttt(D4)")
        if self.batch > self.window:
            raise ValueError(f"batch={self.batch} does not fit into window={self.window}: give a larger window")
        if self.search.simulations == 0:
            raise ValueError("search.simulations=0 teaches nothing: self-play needs at least one simulation")
        return self

    @classmethod
    def preset(cls, name: str, **fields: Any) -> Self:
        """See `from_preset`."""
        return from_preset(cls, PRESETS, name, fields)


PRESETS: dict[str, dict[str, Any]] = {
    "gumbel": {},
    # Brick Tic-Tac-Toe, section 3 and the authors' program.
    "brick-tic-tac-toe": {
        "opening_plies": 0,
        "network": "resnet:preset=paper",
        "search": {
            "method": "puct",
            "simulations": 100,
            "c_init": 1.0,
            "c_base": 1e30,
            "dirichlet_alpha": 0.8,
            "dirichlet_fraction": 0.2,
        },
        "games": 30,
        "whole_games": True,
        "temperature_plies": 10,
        "window": 6000,
        "batch": 32,
        "steps": 80,
        "augmentation": "reflections",
        "value_weight": 0.5,
        "policy_weight": 0.5,
        "optimiser": {"name": "sgd", "learning_rate": 0.1, "momentum": 0.9, "decay": 1e-4},
        "averaging": 0.0,
    },
    # BetaZero by AlphaZero.
    "tic-tac-toe": {
        "opening_plies": 0,
        "network": "mlp:preset=tic-tac-toe",
        "search": {"method": "puct", "simulations": 100, "c_init": 1.25, "c_base": 19652.0, "dirichlet_alpha": 1.0},
        "games": 64,
        "whole_games": True,
        "temperature_plies": 100_000,
        "window": 10_000,
        "batch": 256,
        "steps": 16,
        "optimiser": {"name": "sgd", "learning_rate": 0.02, "momentum": 0.9, "decay": 0.0},
        "averaging": 0.0,
    },
    # From nothing to unbeatable in a minute. Moves are drawn by visits all through a game: an opponent who errs leads
    # to positions that the best moves alone never reach, and a proof asks about all of them.
    "tic-tac-toe-fast": {
        "opening_plies": 0,
        "network": "mlp",
        "schedule": {"iterations": 100},
        "search": {"method": "puct", "simulations": 32, "dirichlet_alpha": 1.0},
        "games": 64,
        "plies": 16,
        "temperature_plies": 100_000,
        "window": 8192,
        "batch": 128,
        "steps": 32,
        "averaging": 0.95,
    },
    # Notakto; the paper names no numbers but the network's form.
    "notakto": {
        "opening_plies": 0,
        "network": "mlp:preset=notakto",
        "search": {"method": "puct", "simulations": 50},
        "games": 64,
        "whole_games": True,
        "temperature_plies": 100_000,
        "window": 20_000,
        "batch": 256,
        "steps": 16,
    },
    # Learns 4x4 so that no reply beats the second player. The losing side must try everything: many games, a wide
    # search, and moves drawn by visits all through a game.
    "notakto-fast": {
        "network": "mlp:widths=256x256",
        "search": {"method": "puct", "simulations": 64, "c_init": 2.0, "dirichlet_alpha": 0.5},
        "games": 256,
        "plies": 12,
        "temperature_plies": 100_000,
        "window": 61_440,
        "batch": 512,
        "steps": 96,
        "optimiser": {"learning_rate": 1e-3},
    },
}
