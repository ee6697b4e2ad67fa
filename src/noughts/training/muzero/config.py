"""`MuZeroConfig`: all settings of a run, validated before it starts; and presets with their sources."""

from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from noughts.networks.options import ModelSettings
from noughts.training.self_play_config import SelfPlayConfig

PRESETS: dict[str, dict[str, Any]] = {
    "gumbel": {},
    # Schrittwieser et al., Nature 2020, for board games (methods, "Training", and appendices B to G): five moves unrolled,
    # the result of the game as value, no rewards, 800 simulations with the noise of Go (alpha 0.03 for 361 cells, here for
    # the cells of a small board), moves drawn by visits in the first 30 plies, SGD with momentum 0.9 and decay 1e-4. The
    # network, batch and window are smaller than theirs, which needed thousands of accelerators.
    "muzero": {
        "network": "resnet:heads=dense",
        "search": {
            "method": "muzero",
            "simulations": 100,
            "c_init": 1.25,
            "c_base": 19652.0,
            "dirichlet_alpha": 0.3,
            "dirichlet_fraction": 0.25,
        },
        "opening_plies": 0,
        "temperature_plies": 30,
        "unroll": 5,
        "td_plies": 0,
        "value_weight": 1.0,
        "optimiser": {"name": "sgd", "learning_rate": 0.05, "momentum": 0.9, "decay": 1e-4},
        "averaging": 0.0,
    },
    # Ye et al., "Mastering Atari games with limited data" (EfficientZero, NeurIPS 2021): the consistency loss of weight 2,
    # value targets from a new search five steps later, and a value loss with a quarter of the policy's weight.
    "efficientzero": {
        "consistency_weight": 2.0,
        "model": {"consistency": True},
        "td_plies": 5,
        "reanalyse": 1.0,
        "value_weight": 0.25,
    },
    # Ours: from random weights to unbeatable on both sides in two minutes. Games begin after random moves, some moves are
    # random, and all others are drawn by visits, because the model, and a proof, must also cover bad play.
    "tic-tac-toe-fast": {
        "network": "mlp",
        "schedule": {"iterations": 250},
        "search": {"method": "puct", "simulations": 32, "dirichlet_alpha": 1.0},
        "games": 64,
        "opening_plies": 4,
        "random_moves": 0.05,
        "temperature_plies": 100_000,
        "window": 2048,
        "batch": 128,
        "steps": 32,
        "averaging": 0.95,
    },
}


class MuZeroConfig(SelfPlayConfig):
    """A run of MuZero. Each game is played from its beginning to its end, in each iteration.

    Attributes:
        network: The architecture of the representation and of the dynamics network, as text, for example ``mlp``,
            ``line`` or ``resnet:blocks=6``; see `noughts networks`.
        model: What the model predicts besides the next state.
        window: The number of latest games in the replay.
        batch: The number of positions in a batch; the model is unrolled from each.
        unroll: The number of moves that the model imagines from each position of a batch.
        td_plies: The value target of a position is the search's value this many plies later; 0 for the result of the game,
            as MuZero does in board games.
        reanalyse: Before each iteration's learning, the averaged weights search positions of the replay again and replace
            their policies and values (MuZero Reanalyse): how many, as a share of the positions of self-play.
        reward_weight: The weight of the reward's squared error in the loss.
        consistency_weight: The weight of EfficientZero's consistency loss, which compares imagined with observed states. A
            weight above 0 also sets ``model.consistency``.
        ends_weight, legality_weight, decoder_weight: The weights of the losses of the model's heads, if it has them.
        latent_gradient: The factor by which a gradient is multiplied at each imagined move.
    """

    allowed: ClassVar = {
        **SelfPlayConfig.allowed,
        "network": "a network, such as mlp, line or resnet:blocks=6",
    }
    presets: ClassVar = PRESETS
    small_preset: ClassVar = "tic-tac-toe-fast"

    network: str = "mlp"
    model: ModelSettings = ModelSettings()
    games: int = Field(default=128, ge=1, le=1 << 20)
    window: int = Field(default=4096, ge=1, le=10**7)
    steps: int = Field(default=48, ge=1, le=100_000)
    unroll: int = Field(default=5, ge=1, le=64)
    td_plies: int = Field(default=0, ge=0, le=361)
    reanalyse: float = Field(default=0.0, ge=0, le=100)
    reward_weight: float = Field(default=1.0, ge=0, le=1000)
    consistency_weight: float = Field(default=0.0, ge=0, le=1000)
    ends_weight: float = Field(default=1.0, ge=0, le=1000)
    legality_weight: float = Field(default=1.0, ge=0, le=1000)
    decoder_weight: float = Field(default=1.0, ge=0, le=1000)
    latent_gradient: float = Field(default=0.5, ge=0, le=1)

    @model_validator(mode="before")
    @classmethod
    def _consistency_needs_its_layers(cls, given: Any) -> Any:
        if (
            isinstance(given, dict)
            and (given.get("consistency_weight") or 0)
            and isinstance(model := given.get("model", {}), dict)
        ):
            return given | {"model": model | {"consistency": True}}
        return given

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.search.terminal != "result":
            raise ValueError("search.terminal is for searches that know the rules: leave it out")
        if bool(self.consistency_weight) != self.model.consistency:
            raise ValueError("model.consistency needs consistency_weight above 0, and the other way round")
        return self
