"""`MuZeroConfig`: all there is to choose about a run, checked before anything begins; and presets with their sources."""

from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from noughts.networks.model_settings import ModelSettings
from noughts.rules import NoughtsError
from noughts.search.settings import SearchSettings
from noughts.training.alphazero.augmentation import Augmentation
from noughts.training.alphazero.config import Optimiser
from noughts.training.presets import from_preset
from noughts.training.schedule import Schedule
from noughts.training.self_play import SelfPlayConfig


class MuZeroConfig(SelfPlayConfig):
    """A run of MuZero.

    Attributes:
        task: What is played; a game is drawn anew for each game.
        network: The layers of which the model is made, as text: ``mlp``, ``line``, ``resnet:blocks=6``; see `noughts
            networks`. The same layers twice: to see a position, and to imagine a move.
        model: What the model says besides the next state.
        seed: Everything random derives from it.
        schedule: Until when, and how often it is measured and saved.
        search: In self-play.
        games: Played side by side, each from its beginning to its end, in each iteration.
        opening_plies: Each game begins with so many random moves at most, from none on; all numbers are equally likely.
            None for a sixth of the board's cells.
        random_moves: So many moves of self-play are random instead, anywhere in a game: the share of them. The value that
            was searched before one takes the place of the result in all targets of earlier positions.
        temperature_plies: PUCT and MuZero: the first moves of a game are drawn by visits; later ones are those visited most.
        window: Games in the replay, the latest.
        batch: Positions in a batch; the model is unrolled from each.
        steps: Batches after each iteration of self-play.
        unroll: So many moves are imagined from each position of a batch.
        td_plies: The value target of a position is the value searched so many plies later; 0 for the result of the game,
            as MuZero does in board games.
        reanalyse: Before each iteration's learning, so many positions of the replay are searched anew, by the averaged
            weights, as a share of those of self-play; their policies and values are replaced (MuZero Reanalyse).
        augmentation: By which symmetries positions and moves are turned: all of the ``board``, which move the bricks, too;
            those of the ``rules``, which leave the bricks in place; the four ``reflections``; or ``none``.
        value_weight, policy_weight, reward_weight: Of squared error, cross-entropy and squared error in the loss.
        consistency_weight: Of EfficientZero's consistency loss: what is imagined is to be like what is seen there. Above 0
            needs ``model.consistency``, which is set by it.
        ends_weight, legality_weight, decoder_weight: Of the losses of the model's heads, if it has them.
        latent_gradient: By how much a gradient is multiplied on its way through each imagined move.
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
        "network": "a network, such as mlp, line or resnet:blocks=6",
        "held_out": "a game or a set of games, or nothing",
        "games": "a whole number from 1 to 1048576",
        "opening_plies": "a whole number from 0 to 64",
        "random_moves": "a number from 0 and below 1",
        "temperature_plies": "a whole number from 0 to 100000",
        "window": "a whole number from 1 to 10^7",
        "batch": "a whole number from 1 to 1048576",
        "steps": "a whole number from 1 to 100000",
        "unroll": "a whole number from 1 to 64",
        "td_plies": "a whole number from 0 to 361",
        "reanalyse": "a number from 0 to 100",
        "augmentation": "board, rules, reflections or none",
        **dict.fromkeys(
            (
                "value_weight",
                "policy_weight",
                "reward_weight",
                "consistency_weight",
                "ends_weight",
                "legality_weight",
                "decoder_weight",
            ),
            "a number from 0 to 1000",
        ),
        "latent_gradient": "a number from 0 to 1",
        "averaging": "a number from 0 and below 1",
        "measure_games": "a whole number from 1 to 1000",
        "measure_simulations": "a whole number from 0 to 10000",
        "measure_positions": "a whole number from 0 to 100000",
        "seed": "a whole number from 0 to 2^63 - 1",
    }

    task: str
    network: str = "mlp"
    model: ModelSettings = ModelSettings()
    seed: int = Field(default=0, ge=0, lt=1 << 63)
    schedule: Schedule = Schedule(minutes=10)
    search: SearchSettings = SearchSettings()
    games: int = Field(default=128, ge=1, le=1 << 20)
    opening_plies: int | None = Field(default=None, ge=0, le=64)
    random_moves: float = Field(default=0.0, ge=0, lt=1)
    temperature_plies: int = Field(default=0, ge=0, le=100_000)
    window: int = Field(default=4096, ge=1, le=10**7)
    batch: int = Field(default=256, ge=1, le=1 << 20)
    steps: int = Field(default=48, ge=1, le=100_000)
    unroll: int = Field(default=5, ge=1, le=64)
    td_plies: int = Field(default=0, ge=0, le=361)
    reanalyse: float = Field(default=0.0, ge=0, le=100)
    augmentation: Augmentation = "board"
    value_weight: float = Field(default=1.0, ge=0, le=1000)
    policy_weight: float = Field(default=1.0, ge=0, le=1000)
    reward_weight: float = Field(default=1.0, ge=0, le=1000)
    consistency_weight: float = Field(default=0.0, ge=0, le=1000)
    ends_weight: float = Field(default=1.0, ge=0, le=1000)
    legality_weight: float = Field(default=1.0, ge=0, le=1000)
    decoder_weight: float = Field(default=1.0, ge=0, le=1000)
    latent_gradient: float = Field(default=0.5, ge=0, le=1)
    optimiser: Optimiser = Optimiser()
    averaging: float = Field(default=0.99, ge=0, lt=1)
    held_out: str = ""
    measure_games: int = Field(default=2, ge=1, le=1000)
    measure_simulations: int = Field(default=32, ge=0, le=10_000)
    measure_positions: int = Field(default=200, ge=0, le=100_000)

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
        if not self.task:
            raise ValueError("task is missing: say what is to be played, such as tic-tac-toe")
        if self.search.simulations == 0:
            raise ValueError("search.simulations=0 teaches nothing: self-play needs at least one simulation")
        if self.search.terminal != "result":
            raise ValueError("search.terminal is for searches that know the rules: leave it out")
        if bool(self.consistency_weight) != self.model.consistency:
            raise ValueError("model.consistency needs consistency_weight above 0, and the other way round")
        return self

    @classmethod
    def preset(cls, name: str, **fields: Any) -> Self:
        """See `from_preset`."""
        return from_preset(cls, PRESETS, name, fields)


PRESETS: dict[str, dict[str, Any]] = {
    "gumbel": {},
    # Schrittwieser et al., Nature 2020, for board games (methods, "Training", and appendices B to G): five moves unrolled,
    # the result of the game as value, no rewards, 800 simulations with the noise of Go (alpha 0.03 for 361 cells, here for
    # the cells of a small board), moves drawn by visits in the first 30 plies, SGD with momentum 0.9 and decay 1e-4. A
    # smaller network, batch and window than theirs, which took thousands of accelerators.
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
    # values of five steps on, searched anew, and value targets counting a quarter of policy's.
    "efficientzero": {
        "consistency_weight": 2.0,
        "model": {"consistency": True},
        "td_plies": 5,
        "reanalyse": 1.0,
        "value_weight": 0.25,
    },
    # Ours: from nothing to unbeatable on both sides in two minutes of computing. Games begin after random moves, some moves
    # are random, and all are drawn by visits: a model must be shown what good play never does, and so must a proof.
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
