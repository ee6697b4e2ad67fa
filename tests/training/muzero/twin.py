"""MuZero's unrolled loss in plain NumPy, one position after another: for models of an mlp without normalisation."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.networks.model import LatentModel
from noughts.positions.position import BRICK, EMPTY, FIRST_MARK, SECOND_MARK
from noughts.training.muzero.config import MuZeroConfig
from noughts.training.muzero.replay import Unrolled

Floats = NDArray[np.float64]


def dense(layer: Any, x: Floats) -> Floats:
    y: Floats = x @ np.asarray(layer.weight, np.float64) + np.asarray(layer.bias, np.float64)
    return y


def relu(x: Floats) -> Floats:
    return np.maximum(x, 0.0)


def through(layers: Any, x: Floats) -> Floats:
    for layer, _ in layers:
        x = relu(dense(layer, x))
    scaled: Floats = (x - x.min()) / max(x.max() - x.min(), 1e-5)
    return scaled


def head(readout: Any, latent: Floats) -> tuple[Floats, Floats]:
    for layer in readout.hidden:
        latent = relu(dense(layer, latent))
    said, cells = dense(readout.out, latent), readout.size * readout.per_cell
    return said[:cells].reshape(readout.size, readout.per_cell), said[cells:]


def layer_norm(norm: Any, x: Floats) -> Floats:
    centred = x - x.mean()
    normed: Floats = centred / np.sqrt((centred**2).mean() + 1e-5) * np.asarray(norm.scale) + np.asarray(norm.shift)
    return normed


def binary(logit: Any, truth: Any) -> Any:
    return np.logaddexp(0, logit) - truth * logit


def categorical(logits: Floats, target: Floats) -> float:
    shifted = logits - logits.max()
    return float(-(target * (shifted - np.log(np.exp(shifted).sum()))).sum())


def planes(cells: Any, closed: Any, ply: int) -> Floats:
    """The observation of the side to move on one board; a board with a line has no usable cells."""
    mine, theirs = (FIRST_MARK, SECOND_MARK) if ply % 2 == 0 else (SECOND_MARK, FIRST_MARK)
    shut = (cells == BRICK) | closed
    return np.stack([cells == mine, cells == theirs, shut, np.full(len(cells), ply % 2 == 0)], -1).astype(float)


def kinds_of(cells: Any, ply: int) -> NDArray[np.int64]:
    """Empty, own mark, the opponent's, brick."""
    order = [EMPTY, FIRST_MARK, SECOND_MARK, BRICK] if ply % 2 == 0 else [EMPTY, SECOND_MARK, FIRST_MARK, BRICK]
    return np.array([order.index(cell) for cell in cells])


def twin_loss(model: LatentModel, batch: Unrolled, config: MuZeroConfig) -> dict[str, float]:
    """The loss and its terms, for games on one board with own marks."""
    terms: dict[str, float] = {}
    body: Any = model.body
    projection: Any = model.projection
    count, unroll = batch.action.shape

    def add(name: str, k: int, term: float) -> None:
        terms[name] = terms.get(name, 0.0) + term / count / (1 if k == 0 else unroll)

    def projected(latent: Floats) -> Floats:
        hidden = relu(layer_norm(projection.norm, dense(projection.first, latent)))
        return dense(projection.second, hidden)

    for n in range(count):
        views = [planes(batch.cells[n, k], batch.closed[n, k], int(batch.ply[n]) + k) for k in range(unroll + 1)]
        latent = through(body.see, views[0].reshape(-1))
        for k in range(unroll + 1):
            over = float(batch.over[n, k])
            if k:
                move = np.eye(batch.cells.shape[-1])[batch.action[n, k - 1]]
                latent = through(body.move, np.concatenate([latent, move]))
                add("reward", k, (np.tanh(head(model.reward, latent)[1][0]) - batch.reward[n, k - 1]) ** 2)
                if model.ends is not None:
                    add("ends", k, binary(head(model.ends, latent)[1][0], over))
                if projection is not None and not batch.over[n, k - 1]:
                    real = projected(through(body.see, views[k].reshape(-1)))
                    guess = layer_norm(projection.guess_norm, dense(projection.guess_first, projected(latent)))
                    said = dense(projection.guess_second, relu(guess))
                    add("consistency", k, -float(said @ real / np.linalg.norm(said) / np.linalg.norm(real)))
            add("policy", k, categorical(head(model.policy, latent)[0][:, 0], batch.policy[n, k]))
            add("value", k, (np.tanh(head(model.value, latent)[1][0]) - batch.value[n, k]) ** 2)
            if model.legality is not None:
                legal = (batch.cells[n, k] == EMPTY) * (1 - over)
                add("legality", k, binary(head(model.legality, latent)[0][:, 0], legal).mean())
            if model.belief is not None:
                kinds, whole = head(model.belief, latent)
                marks = np.eye(4)[kinds_of(batch.cells[n, k], int(batch.ply[n]) + k)]
                wrong = np.mean([categorical(one, truth) for one, truth in zip(kinds, marks, strict=True)])
                add("decoder", k, wrong + binary(whole[0], views[k][0, 3]) + binary(whole[1], over))
    total = sum(getattr(config, f"{name}_weight") * term for name, term in terms.items())
    return {"loss": total} | {f"{name}_loss": term for name, term in terms.items()}
