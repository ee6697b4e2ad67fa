"""A learned model of a game: it predicts the effect of a move without the rules (MuZero; Schrittwieser et al., Nature 2020).

It has three functions, on latent states whose meaning is learned:

    represent   an observed position                   -> a latent state
    advance     a latent state and a move              -> the next latent state, and the reward of the move
    predict     a latent state                         -> policy and value, for the side to move there

Facts that do not change in a game may be inputs of every step, as the observation `around`: its rules, and unusable cells
(`without_marks`). Marks are an input only at the root. As in MuZero, the search assumes that sides alternate; the model learns everything else.
"""

from abc import abstractmethod
from typing import ClassVar, Literal, NamedTuple, Self

import equinox as eqx
import jax
import jax.numpy as jnp
import mctx

from noughts.networks.layers import Dense, Keys, LayerNorm
from noughts.networks.network import LOWEST, Array, BoardShape, Observation, Prediction, observation_shapes
from noughts.networks.options import ModelSettings
from noughts.networks.readout import Readout
from noughts.rules import Rules

Role = Literal["policy", "value", "probe"]
"""The purpose of a head, by which a kind of network chooses its hidden layers."""

CELL_KINDS = 4
"""Contents of a cell for the side to move: nothing, its own mark, the other's mark, or a brick (see `Belief`)."""


class Belief(NamedTuple):
    """A model's predictions of B boards, as logits.

    Attributes:
        cells: float32 [B, size, 4]: the cell is empty, holds a mark of the side to move or of the other side, or is a brick.
            Shared marks all count as marks of the side to move.
        first: float32 [B], above 0 if the first player is to move.
        over: float32 [B], above 0 if the game is over.
    """

    cells: Array
    first: Array
    over: Array


class Step(NamedTuple):
    """The predicted effect of a move, in each of B latent states.

    Attributes:
        latent: The next latent state, for the side to move there.
        reward: float32 [B], from -1 to +1, for the side that moved.
        over: float32 [B], a logit: above 0 if the game is over; None if the model has no such head.
    """

    latent: Array
    reward: Array
    over: Array | None


class ModelBody(eqx.Module):
    """The part of a `LatentModel` that differs between kinds of networks: it computes latent states.

    Attributes:
        sees_rules: As in `Network`.
    """

    sees_rules: ClassVar[bool] = False

    @abstractmethod
    def encode(self, seen: Observation, board: BoardShape, training: bool) -> tuple[Array, Self]:
        """Latent states of B positions; also the body, in training with updated running statistics."""

    @abstractmethod
    def advance(
        self, latent: Array, action: Array, around: Observation, board: BoardShape, training: bool
    ) -> tuple[Array, Self]:
        """Latent states after one move each, int32 [B]; also the body, as in `encode`."""

    def prepared(self, board: BoardShape) -> Self:
        """As in `Network`."""
        return self

    def block(self, board: BoardShape) -> int | None:
        """As in `Network`."""
        return None

    @abstractmethod
    def readout(self, keys: Keys, board: BoardShape, per_cell: int, per_board: int, role: Role) -> Readout:
        """A new head for its latent states."""

    @abstractmethod
    def refusal(self, rules: Rules) -> str | None:
        """Why these weights do not support `rules`; None if they do."""


class Projection(eqx.Module):
    """EfficientZero's projection (Ye et al., NeurIPS 2021, after SimSiam), by which latent states are compared.

    Attributes:
        first, second: Project a latent state, or each cell's if it has one per cell.
        guess_first, guess_second: Predict the real state's projection from an imagined state's.
    """

    first: Dense
    norm: LayerNorm
    second: Dense
    guess_first: Dense
    guess_norm: LayerNorm
    guess_second: Dense

    def __init__(self, keys: Keys, inputs: int) -> None:
        width = 64
        self.first, self.norm = Dense(keys, inputs, width), LayerNorm(width)
        self.second = Dense(keys, width, width)
        self.guess_first, self.guess_norm = Dense(keys, width, width // 2), LayerNorm(width // 2)
        self.guess_second = Dense(keys, width // 2, width)

    def __call__(self, latent: Array) -> Array:
        """[B, inputs] to [B, width] or, for a state on cells, [B, size, inputs] to [B, size, width]."""
        return self.second(jax.nn.relu(self.norm(self.first(latent))[0]))

    def guess(self, projected: Array) -> Array:
        """Predict the real state's projection; same shape."""
        return self.guess_second(jax.nn.relu(self.guess_norm(self.guess_first(projected))[0]))


class LatentModel(eqx.Module):
    """A learned model of a game.

    Attributes:
        body: Computes latent states.
        policy, value, reward: Heads.
        ends: The head that predicts whether the game is over; None if the settings do not include it, as below.
        legality: The head that predicts which moves are legal, or None.
        belief: The decoder, which predicts the board, or None.
        projection: The projection for the consistency loss, or None.
        settings: Which heads it has.
    """

    body: ModelBody
    policy: Readout
    value: Readout
    reward: Readout
    ends: Readout | None
    legality: Readout | None
    belief: Readout | None
    projection: Projection | None
    settings: ModelSettings = eqx.field(static=True)

    def __init__(self, key: Array, body: ModelBody, board: BoardShape, settings: ModelSettings) -> None:
        keys, self.body, self.settings = Keys(key), body, settings

        def head(wanted: bool, per_cell: int, per_board: int, role: Role) -> Readout | None:
            return body.readout(keys, board, per_cell, per_board, role) if wanted else None

        self.policy = body.readout(keys, board, 1, 0, "policy")
        self.value = body.readout(keys, board, 0, 1, "value")
        self.reward = body.readout(keys, board, 0, 1, "value")
        self.ends = head(settings.ends == "learned", 0, 1, "value")
        self.legality = head(settings.legality == "learned", 1, 0, "policy")
        self.belief = head(settings.decoder != "none", CELL_KINDS, 2, "probe")
        self.projection = None
        if settings.consistency:
            self.projection = Projection(keys, latent_width(body, board))

    @property
    def sees_rules(self) -> bool:
        """As in `Network`."""
        return self.body.sees_rules

    def represent(self, seen: Observation, board: BoardShape, training: bool = False) -> tuple[Array, Self]:
        """Latent states of B positions; also the model, in training with updated running statistics."""
        latent, body = self.body.encode(seen, board, training)
        return latent, self._with(body, training)

    def advance(
        self, latent: Array, action: Array, around: Observation, board: BoardShape, training: bool = False
    ) -> tuple[Step, Self]:
        """The effect of a move, int32 [B], in each latent state; also the model, as in `represent`."""
        after, body = self.body.advance(latent, action, around, board, training)
        usable = 1.0 - around.plane(2)
        reward = jnp.tanh(self.reward(after, usable)[1][:, 0])
        over = None if self.ends is None else self.ends(after, usable)[1][:, 0]
        return Step(after, reward, over), self._with(body, training)

    def predict(self, latent: Array, around: Observation) -> Prediction:
        """Policies and values, for the side to move in each latent state. Logits are for all cells, without a mask."""
        usable = 1.0 - around.plane(2)
        return Prediction(self.policy(latent, usable)[0][..., 0], jnp.tanh(self.value(latent, usable)[1][:, 0]))

    def legal(self, latent: Array, around: Observation) -> Array | None:
        """float32 [B, size], logits above 0 for moves predicted to be legal; None without such a head."""
        return None if self.legality is None else self.legality(latent, 1.0 - around.plane(2))[0][..., 0]

    def believe(self, latent: Array, around: Observation) -> Belief | None:
        """The predicted boards; None without a decoder."""
        if self.belief is None:
            return None
        cells, whole = self.belief(latent, 1.0 - around.plane(2))
        return Belief(cells, whole[:, 0], whole[:, 1])

    def imagine(
        self, latent: Array, action: Array, around: Observation, board: BoardShape
    ) -> tuple[mctx.RecurrentFnOutput, Array]:
        """Make a move in each latent state.

        Returns:
            What a search needs of it, with a discount of -1, because the other side moves next, or of 0 if the model predicts
            that the game is over; and the next latent states.
        """
        step, _ = self.advance(latent, action, around, board)
        said = self.predict(step.latent, around)
        logits = said.logits - said.logits.max(-1, keepdims=True)
        legal = self.legal(step.latent, around)
        if legal is not None:  # if it predicts that no move is legal, use its policy alone
            logits = jnp.where((legal > 0) | (legal <= 0).all(-1, keepdims=True), logits, LOWEST)
        over = jnp.zeros_like(said.value) if step.over is None else step.over
        discount = jnp.where(over > 0, 0.0, -1.0)
        output = mctx.RecurrentFnOutput(reward=step.reward, discount=discount, prior_logits=logits, value=said.value)
        return output, step.latent

    def prepared(self, board: BoardShape) -> Self:
        """As in `Network`."""
        return self._with(self.body.prepared(board), True)

    def block(self, board: BoardShape) -> int | None:
        """As in `Network`."""
        return self.body.block(board)

    def refusal(self, rules: Rules) -> str | None:
        """Why these weights do not support `rules`; None if they do."""
        return self.body.refusal(rules)

    def _with(self, body: ModelBody, training: bool) -> Self:
        return eqx.tree_at(lambda model: model.body, self, body) if training else self


def without_marks(seen: Observation) -> Observation:
    """What does not change along a line of imagined moves: the rules, and the cells that no side could use at the root."""
    return seen._replace(planes=seen.planes * jnp.array([0.0, 0.0, 1.0, 0.0]))


def latent_width(body: ModelBody, board: BoardShape) -> int:
    """The number of values in a latent state or, if it has one per cell, in that of one cell."""

    def encode(body: ModelBody, seen: Observation) -> Array:
        return body.encode(seen, board, training=False)[0]

    return int(eqx.filter_eval_shape(encode, body, observation_shapes(board, 1)).shape[-1])


def scaled(latent: Array) -> Array:
    """Scale each of B latent states to the range 0 to 1, like the input of a move (MuZero, appendix G).

    The extremes are read by their index. The gradient of a minimum compares all numbers with it, and if the compiler recomputes
    these, none may be equal, which would divide by zero.
    """
    flat = latent.reshape(latent.shape[0], -1)
    low, high = (
        jnp.take_along_axis(flat, place(flat, axis=-1, keepdims=True), axis=-1) for place in (jnp.argmin, jnp.argmax)
    )
    return ((flat - low) / jnp.maximum(high - low, 1e-5)).reshape(latent.shape)
