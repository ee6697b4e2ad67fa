"""Evolution strategies: each learns, and resumes bit for bit after an interruption, in any process."""

import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from threadpoolctl import threadpool_info

from noughts.rules import NoughtsError
from noughts.training.evolution.config import EvolutionConfig
from noughts.training.evolution.strategies import Cma, OpenAiEs, Strategy, make_strategy
from tests.training.small_runs import tiny_evolution

ROOT = Path(__file__).parents[3]
KINDS: dict[str, dict[str, Any]] = {
    "cma": {"strategy": "cma"},
    "cma, tpa": {"strategy": "cma", "step_size": "tpa"},
    "separable-cma": {"strategy": "separable-cma"},
    "separable-cma, tpa": {"strategy": "separable-cma", "step_size": "tpa"},
    "openai-es": {"strategy": "openai-es"},
    "openai-es, odd": {"strategy": "openai-es", "population": 9},
    "cma, odd": {"strategy": "cma", "population": 7},
    "cma, least": {"strategy": "cma", "population": 4},  # then pycma chooses a candidate itself
}
TARGET = np.resize(np.linspace(-1.0, 1.0, 12), 200)


def made(kind: str, parameters: int = 12, seed: int = 1) -> Strategy:
    return make_strategy(tiny_evolution(**{"population": None, "sigma": 0.3, **KINDS[kind]}), parameters, seed)


def sphere(candidates: NDArray[np.float64]) -> NDArray[np.float64]:
    """The squared distance to a point, in tenths, so that ties occur."""
    distances: NDArray[np.float64] = np.square(candidates - TARGET[: candidates.shape[1]]).sum(axis=1)
    return np.floor(10 * distances)


def go_on(strategy: Strategy, generations: int) -> None:
    for _ in range(generations):
        strategy.advance(sphere(strategy.candidates))


@pytest.mark.parametrize(("kind", "parameters"), [*((kind, 12) for kind in KINDS), ("cma", 130)])
def test_it_resumes_bit_for_bit_from_every_generation(kind: str, parameters: int) -> None:
    """This many meet rare cases, such as candidates far from the mean; the matrix of 130 is decomposed occasionally."""
    whole, broken = made(kind, parameters), made(kind, parameters)
    for _ in range(30):
        kept = broken.state()
        assert all(isinstance(content, bytes) for content in kept.values())
        broken = made(kind, parameters, seed=99)  # its initial settings differ from its current ones
        go_on(broken, 1)
        broken.restore(kept)
        assert broken.state() == kept == whole.state()
        np.testing.assert_array_equal(broken.candidates, whole.candidates)
        np.testing.assert_array_equal(broken.mean, whole.mean)
        assert broken.sigma == whole.sigma
        go_on(broken, 1)
        go_on(whole, 1)
    assert broken.state() == whole.state() != kept


PROGRAM = """
import sys
from pathlib import Path
from tests.training.evolution.test_strategies import go_on, made
for folder in Path(sys.argv[1]).iterdir():
    strategy = made(folder.name, 80)
    strategy.restore({path.name: path.read_bytes() for path in folder.iterdir()})
    go_on(strategy, 12)
    for name, content in strategy.state().items():
        (folder / name).write_bytes(content)
"""


@pytest.mark.heavy
def test_it_resumes_in_another_process(tmp_path: Path) -> None:
    expected: dict[Path, bytes] = {}
    for kind in ("cma", "cma, tpa", "separable-cma", "openai-es"):
        strategy = made(kind, 80)
        go_on(strategy, 9)
        (tmp_path / kind).mkdir()
        for name, content in strategy.state().items():
            (tmp_path / kind / name).write_bytes(content)
        go_on(strategy, 12)
        expected |= {tmp_path / kind / name: content for name, content in strategy.state().items()}
    subprocess.run([sys.executable, "-c", PROGRAM, str(tmp_path)], check=True, cwd=ROOT)
    assert {path: path.read_bytes() for path in expected} == expected


@pytest.mark.parametrize("kind", KINDS)
def test_the_mean_approaches_the_optimum(kind: str) -> None:
    strategy = made(kind)
    np.testing.assert_array_equal(strategy.mean, np.zeros(12))
    far = np.square(TARGET[:12]).sum()
    go_on(strategy, 100)
    assert np.square(strategy.mean - TARGET[:12]).sum() < 0.3 * far


@pytest.mark.parametrize("kind", KINDS)
def test_global_generator_and_process_settings_are_unchanged(kind: str) -> None:
    go_on(made(kind), 1)  # all libraries are loaded
    np.random.seed(7)
    before = repr(np.random.get_state())
    threads = [pool["num_threads"] for pool in threadpool_info()]
    filters = list(warnings.filters)
    strategy = made(kind)
    go_on(strategy, 5)
    strategy.restore(strategy.state())
    strategy.advance(np.zeros(len(strategy.candidates)))  # a flat fitness gives no warning
    assert repr(np.random.get_state()) == before
    assert [pool["num_threads"] for pool in threadpool_info()] == threads
    assert list(warnings.filters) == filters
    mean = strategy.mean
    mean += 1
    assert not np.array_equal(strategy.mean, mean)


def test_population_sizes_and_mirrored_candidates() -> None:
    assert len(Cma(703, 0.1, None, 0).candidates) == 23  # as the paper has it
    assert len(OpenAiEs(703, 0.1, None, 0.05, 0).candidates) == 23
    for size in (4, 9):
        strategy = OpenAiEs(12, 0.1, size, 0.05, 0)
        go_on(strategy, 3)
        around = strategy.candidates - strategy.mean
        assert len(around) == size
        half = size // 2
        np.testing.assert_allclose(around[:half], -around[half : 2 * half], atol=1e-12)
        assert np.abs(around[:half]).min() > 0
        if size % 2:
            np.testing.assert_array_equal(around[-1], np.zeros(12))


def test_covariances_that_do_not_fit_are_refused() -> None:
    config = EvolutionConfig(task="tic-tac-toe", widths="1024x1024")
    with pytest.raises(NoughtsError, match=r"strategy=cma needs [0-9.]+ TiB .* give strategy=separable-cma"):
        make_strategy(config, 1_070_081, 0)
    make_strategy(config.model_copy(update={"strategy": "openai-es", "population": 4}), 1_070_081, 0)


def test_openai_es_follows_the_gradient_of_ranks() -> None:
    """One step by hand: Adam's first step is the learning rate in the direction of the gradient's signs."""
    strategy = OpenAiEs(3, 0.5, 6, 0.25, 4)
    noise = strategy.candidates / 0.5
    fitness = np.array([3.0, 1.0, 1.0, 10.0, 4.0, -2.0])
    ranks = np.array([3.0, 1.5, 1.5, 5.0, 4.0, 0.0]) / 5 - 0.5
    strategy.advance(fitness)
    gradient = ranks @ noise / (6 * 0.5)
    np.testing.assert_allclose(strategy.mean, -0.25 * np.sign(gradient), atol=1e-5)
    assert strategy.sigma == 0.5


def test_a_diagonal_covariance_is_small() -> None:
    """For networks whose full matrix would be too large: memory grows with the parameters, not with their square."""
    sizes = {}
    for kind in ("cma", "separable-cma", "openai-es"):
        strategy = made(kind, 200)
        go_on(strategy, 2)
        sizes[kind] = sum(map(len, strategy.state().values()))
    assert sizes["cma"] > 200 * 200 * 8
    assert sizes["separable-cma"] < sizes["cma"] / 4
    assert sizes["openai-es"] < sizes["cma"] / 4
