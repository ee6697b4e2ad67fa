"""The paper's network, made small, trains alike by quick convolutions and by plain ones, and compiles once for all iterations."""

import contextlib
from collections.abc import Iterator, Mapping

import jax
import numpy as np
import pytest

from noughts.networks.convolution import is_quick, plain_convolutions
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.alphazero.train import AlphaZero

ITERATIONS = 3
BOUND = 1e-3
"""Of a mean loss, as a share of it: both ways begin within 1e-6 of each other, and each step of learning widens that."""


def config(**fields: object) -> AlphaZeroConfig:
    return AlphaZeroConfig.preset(
        "brick-tic-tac-toe",
        task="mnk(4,4,3)",
        network="resnet:preset=paper,channels=16,blocks=2",
        search={"method": "puct", "simulations": 8, "c_init": 1.0, "c_base": 1e30, "dirichlet_alpha": 0.8},
        games=6,
        window=200,
        batch=16,
        steps=8,
        **fields,
    )


@contextlib.contextmanager
def compilations() -> Iterator[list[str]]:
    """What JAX compiles in the block: a program that is traced is named, also if its code was on disk."""
    found: list[str] = []

    def note(event: str, duration_secs: float, **about: str | int) -> None:
        if event == "/jax/core/compile/backend_compile_duration":
            found.append(str(about.get("fun_name", event)))

    jax.monitoring.register_event_duration_secs_listener(note)
    try:
        yield found
    finally:
        jax.monitoring.unregister_event_duration_listener(note)


def trained(plain: bool) -> tuple[AlphaZero, list[Mapping[str, float]], list[list[str]]]:
    """The trainer, the metrics of each iteration, and what was compiled in it."""
    jax.clear_caches()  # type: ignore[no-untyped-call] # a program keeps the convolutions with which it was traced
    metrics, compiled = [], []
    with plain_convolutions() if plain else contextlib.nullcontext():
        assert is_quick(4, 4, 4, 16, training=True) is not plain
        trainer = AlphaZero(config())
        for _ in range(ITERATIONS):
            with compilations() as found:
                metrics.append(trainer.step())
            compiled.append(found)
    return trainer, metrics, compiled


@pytest.fixture(scope="module", autouse=True)
def _programs_are_forgotten() -> Iterator[None]:
    yield
    jax.clear_caches()  # type: ignore[no-untyped-call]


def test_quick_convolutions_train_as_the_plain_ones_do_and_go_on_bit_for_bit() -> None:
    _, plainly, _ = trained(plain=True)
    trainer, quickly, compiled = trained(plain=False)
    for name in ("games", "game_length", "distinct_games", "first_wins"):
        assert quickly[0][name] == plainly[0][name], name
    for number in range(ITERATIONS):
        for name in ("loss", "value_loss", "policy_loss"):
            np.testing.assert_allclose(
                quickly[number][name], plainly[number][name], rtol=BOUND, err_msg=f"{name} {number}"
            )
    assert quickly[-1]["loss"] < quickly[0]["loss"]
    assert compiled[0]  # the listener hears
    assert not any(compiled[1:])
    resumed = AlphaZero(config())
    resumed.restore(trainer.state())
    with compilations() as found:
        assert resumed.step() == trainer.step()
    assert not found
    assert resumed.state() == trainer.state()
