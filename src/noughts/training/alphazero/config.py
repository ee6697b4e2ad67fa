"""`AlphaZeroConfig`: all settings of a run, validated before it starts; and the papers' presets."""

from operator import not_
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from noughts.training.self_play_config import SelfPlayConfig

PRESETS: dict[str, dict[str, Any]] = {
    "gumbel": {},
    # Brick Tic-Tac-Toe, section 3 and the authors' program. Its replay counts reflections: 6,000 states are 1,500 positions
    # in four reflections each. Its penalty is c |w|^2 with c = 1e-4 (equation 5), so the gradient is 2e-4 w.
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
        "evaluations_kept": 1 << 16,
        "temperature_plies": 10,
        "window": 1500,
        "batch": 32,
        "steps": 80,
        "augmentation": "reflections",
        "value_weight": 0.5,
        "policy_weight": 0.5,
        "optimiser": {"name": "sgd", "learning_rate": 0.1, "momentum": 0.9, "decay": 2e-4},
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
    # From random weights to unbeatable in a minute. All moves of a game are drawn by visits, because a proof covers
    # positions after an opponent's errors, which the best moves alone never reach.
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
    # Notakto; the paper gives no numbers except the network's architecture.
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
    # Learns 4x4 so that no reply beats the second player. The losing side must try everything, so there are many games, a
    # wide search, and moves drawn by visits in the whole game.
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


class AlphaZeroConfig(SelfPlayConfig):
    """A run of AlphaZero.

    Attributes:
        whole_games: Whether each iteration plays its games from beginning to end, as in the papers. Otherwise it plays
            `plies` plies of each game, and a new game replaces each that ends.
        plies: Plies of each game in an iteration, unless `whole_games`.
        evaluations_kept: How many evaluations of the network each device caches while its weights stay the same; 0 to evaluate
            every leaf. The cache saves time if games begin alike and the network is slow. The last bits of results differ
            with and without it.
    """

    presets: ClassVar = PRESETS
    small_preset: ClassVar = "tic-tac-toe-fast"

    whole_games: bool = False
    plies: int = Field(default=24, ge=1, le=361)
    evaluations_kept: int = Field(default=0, ge=0, le=1 << 24, exclude_if=not_)  # as `SelfPlayConfig.restarts`

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.batch > self.window:
            raise ValueError(f"batch={self.batch} does not fit into window={self.window}: give a larger window")
        return self
