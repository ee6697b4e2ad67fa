"""Evolution strategies: they sample the candidates of a generation, and learn from their ranks.

All minimise. All randomness of a strategy derives from its seed and is part of its state: `restore` of an earlier `state`,
followed by the same calls of `advance`, leads to the same candidates, bit for bit. The state includes the candidates of the
next generation, so that a run loses nothing if it is interrupted while these are playing.
"""

import contextlib
import json
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Literal

import numpy as np
import safetensors.numpy
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from noughts.machine.memory import available_bytes, size_text
from noughts.rules import NoughtsError
from noughts.training.evolution.config import EvolutionConfig

Array = NDArray[np.float64]

_MATRICES = 6  # covariance matrices that pycma holds at once
_ARRAYS, _NUMBERS = "strategy.safetensors", "strategy.json"
_BY_COLUMNS = "/T"


class Cma:
    """Covariance matrix adaptation (Hansen, arXiv:1604.00772), by pycma, on one thread.

    Linear algebra on all cores is slower here: eigenvectors of 703 x 703 take 0.06 s on one thread, and 11 to 16 s on
    the threads of a busy machine.
    """

    def __init__(
        self,
        parameters: int,
        sigma: float,
        population: int | None,
        seed: int,
        *,
        diagonal: bool = False,
        step_size: Literal["csa", "tpa"] = "csa",
    ) -> None:
        """Start with mean 0.

        Args:
            parameters: The number of parameters.
            sigma: The first step size.
            population: None for pycma's default.
            seed: The random seed.
            diagonal: Whether the covariance matrix is a diagonal (Ros and Hansen, 2008).
            step_size: How the step size adapts; see `EvolutionConfig`.
        """
        from cma.sigma_adaptation import CMAAdaptSigmaCSA, CMAAdaptSigmaTPA

        self._generator = np.random.Generator(np.random.PCG64(seed))
        options: dict[str, Any] = {
            "verbose": -9,
            "seed": np.nan,  # pycma leaves the global generator alone
            "AdaptSigma": {"csa": CMAAdaptSigmaCSA, "tpa": CMAAdaptSigmaTPA}[step_size],
            "randn": lambda *shape: self._generator.standard_normal(shape),
        }
        if population is not None:
            options["popsize"] = population
        if diagonal:
            options["CMA_diagonal"] = True
        self._begin: Callable[[], Any] = lambda: _begin(parameters, sigma, options)
        self._strategy = self._begin()
        self._asked = self._ask()

    @property
    def candidates(self) -> Array:
        """The candidates of the next generation, float64 [population, parameters]."""
        return self._asked

    @property
    def mean(self) -> Array:
        """The mean around which they were sampled, float64 [parameters]."""
        return np.array(self._strategy.mean)

    @property
    def sigma(self) -> float:
        """The step size."""
        return float(self._strategy.sigma)

    def advance(self, fitness: Array) -> None:
        """Learn from the candidates' fitness [population], of which less is better, and sample new candidates."""
        with _alone():
            self._strategy.tell(list(self._asked), [float(value) for value in fitness])
        self._asked = self._ask()

    def state(self) -> dict[str, bytes]:
        """The whole state: content by file name."""
        numbers, arrays = dict[str, Any](), dict[str, NDArray[Any]]()
        for path, value in _contents(self._strategy, ()):
            name = "/".join(path)
            if isinstance(value, np.ndarray):
                # Rounding in products depends on the memory layout, so a matrix stored by columns is restored by columns.
                by_columns = value.ndim == 2 and not value.flags.c_contiguous
                arrays[name + _BY_COLUMNS * by_columns] = np.array(value.T if by_columns else value, order="C")
            else:
                numbers[name] = value
        arrays["asked"] = self._asked
        kept = {"numbers": numbers, "generator": self._generator.bit_generator.state}
        return {_ARRAYS: safetensors.numpy.save(arrays), _NUMBERS: json.dumps(kept).encode()}

    def restore(self, files: Mapping[str, bytes]) -> None:
        """Resume from the result of `state`."""
        arrays, kept = safetensors.numpy.load(files[_ARRAYS]), json.loads(files[_NUMBERS])
        self._asked = arrays.pop("asked")
        self._strategy = self._begin()
        # One generation creates every attribute that a running strategy has; then each gets its saved value.
        with _alone():
            if kept["numbers"]["countiter"] > 0:
                self._strategy.tell(self._strategy.ask(), list(range(len(self._asked))))
            self._strategy.ask()
        for name, value in {**kept["numbers"], **arrays}.items():
            by_columns = name.endswith(_BY_COLUMNS)
            _put(self._strategy, name.removesuffix(_BY_COLUMNS).split("/"), value.T if by_columns else value)
        self._know_candidates()
        self._generator.bit_generator.state = kept["generator"]

    def _know_candidates(self) -> None:
        """Register the candidates with pycma, and which of them it did not sample.

        Otherwise pycma would shorten candidates that are far from the mean, because they are not registered. The first
        ones, which it did not sample, never get a negative weight.
        """
        strategy = self._strategy
        strategy.sent_solutions.clear()
        strategy._injected_solutions_archive.clear()
        for number, candidate in enumerate(self._asked):
            strategy.sent_solutions.insert(candidate, geno=candidate, iteration=strategy.countiter)
            if not strategy._is_independent_sample[number]:
                about = {"iteration": strategy.countiter, "index": number, "counter": number}
                strategy._injected_solutions_archive[candidate] = about

    def _ask(self) -> Array:
        with _alone():
            return np.array(self._strategy.ask())


class OpenAiEs:
    """Evolution strategies as a gradient (Salimans et al., arXiv:1703.03864): mirrored samples, ranks, and Adam.

    It is for networks whose covariance matrix would be too large.
    """

    _DECAYS = (0.9, 0.999)

    def __init__(self, parameters: int, sigma: float, population: int | None, learning_rate: float, seed: int) -> None:
        """Start with mean 0. The last of an odd `population` is the mean; None for 4 + 3 ln(parameters), as in CMA-ES."""
        self._generator = np.random.Generator(np.random.PCG64(seed))
        self._sigma, self._rate = sigma, learning_rate
        self._size = population if population is not None else 4 + int(3 * np.log(parameters))
        self._mean = np.zeros(parameters)
        self._moments = np.zeros((2, parameters))
        self._steps = 0
        self._noise = self._draw()

    @property
    def candidates(self) -> Array:
        """See `Cma.candidates`."""
        return self._mean + self._sigma * self._noise

    @property
    def mean(self) -> Array:
        """See `Cma.mean`."""
        return self._mean.copy()

    @property
    def sigma(self) -> float:
        """The step size, which is constant."""
        return self._sigma

    def advance(self, fitness: Array) -> None:
        """See `Cma.advance`."""
        gradient = _centred_ranks(fitness) @ self._noise / (len(fitness) * self._sigma)
        self._steps += 1
        first, second = self._DECAYS
        self._moments[0] = first * self._moments[0] + (1 - first) * gradient
        self._moments[1] = second * self._moments[1] + (1 - second) * gradient**2
        mean = self._moments[0] / (1 - first**self._steps)
        scale = np.sqrt(self._moments[1] / (1 - second**self._steps)) + 1e-8
        self._mean = self._mean - self._rate * mean / scale
        self._noise = self._draw()

    def state(self) -> dict[str, bytes]:
        """See `Cma.state`."""
        arrays = {"mean": self._mean, "moments": self._moments, "noise": self._noise}
        kept = {"steps": self._steps, "generator": self._generator.bit_generator.state}
        return {_ARRAYS: safetensors.numpy.save(arrays), _NUMBERS: json.dumps(kept).encode()}

    def restore(self, files: Mapping[str, bytes]) -> None:
        """See `Cma.restore`."""
        arrays, kept = safetensors.numpy.load(files[_ARRAYS]), json.loads(files[_NUMBERS])
        self._mean, self._moments, self._noise = arrays["mean"], arrays["moments"], arrays["noise"]
        self._steps, self._generator.bit_generator.state = kept["steps"], kept["generator"]

    def _draw(self) -> Array:
        half = self._generator.standard_normal((self._size // 2, len(self._mean)))
        return np.concatenate([half, -half, np.zeros((self._size % 2, len(self._mean)))])


Strategy = Cma | OpenAiEs


def make_strategy(config: EvolutionConfig, parameters: int, seed: int) -> Strategy:
    """Create the strategy of a configuration, with mean 0; NoughtsError if it does not fit into memory."""
    if config.strategy == "openai-es":
        return OpenAiEs(parameters, config.sigma, config.population, config.learning_rate, seed)
    diagonal = config.strategy == "separable-cma"
    if not diagonal:
        _require_memory(parameters)
    return Cma(parameters, config.sigma, config.population, seed, diagonal=diagonal, step_size=config.step_size)


def _require_memory(parameters: int) -> None:
    """NoughtsError unless the covariances of these parameters fit into memory."""
    needed, free = _MATRICES * parameters**2 * np.dtype(np.float64).itemsize, available_bytes()
    if needed > free:
        raise NoughtsError(
            f"strategy=cma needs {size_text(needed)} for the covariances of {parameters:,} parameters, and {size_text(free)} "
            "are free: give strategy=separable-cma or openai-es, or smaller widths"
        )


def _centred_ranks(fitness: Array) -> Array:
    """Ranks, scaled from -1/2 for the least to +1/2; equal numbers get the mean of their ranks."""
    from scipy.stats import rankdata

    return np.asarray((rankdata(fitness) - 1) / (len(fitness) - 1) - 0.5)


# pycma can save its state only as a pickle, and loading a pickle can run foreign code. So its attributes are read one by one:
# numbers, lists of numbers and arrays are saved, and everything else is made again from the options.

_MADE_ANEW = {
    "_es_opts",
    "_tell2_args",
    "archive",
    "best",
    "boundary_handler",
    "const",
    "gp",
    "inopts",
    "inputargs",
    "logger",
    "more_to_write",
    "opts",
    "sent_solutions",
    "sp",
    "sp0",
    "timer",
}


def _begin(parameters: int, sigma: float, options: Mapping[str, Any]) -> Any:
    import cma

    with _alone():
        return cma.CMAEvolutionStrategy(np.zeros(parameters), sigma, dict(options))


@cache
def _libraries() -> Any:
    """The linear algebra libraries that pycma uses. They are cached, because finding them takes longer than many updates."""
    import scipy.linalg  # noqa: F401 - has its own library, which must be loaded before the controller lists all

    return ThreadpoolController()


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Use one thread for linear algebra, hide warnings about flat fitness, and restore the global generator afterwards.

    pycma draws from the global generator to choose which of its sums to check.
    """
    drawn = np.random.get_state()
    try:
        with _libraries().limit(limits=1, user_api="blas"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        np.random.set_state(drawn)


def _contents(part: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every number, list and array in an object of pycma, by its path of attribute names."""
    for name, value in vars(part).items():
        if name in _MADE_ANEW:
            continue
        if isinstance(value, np.ndarray) or type(value) is list:
            yield from _items((*path, name), value)
        elif value is None or isinstance(value, bool | int | float | str | np.generic):
            yield (*path, name), value.item() if isinstance(value, np.generic) else value
        elif type(value).__module__.partition(".")[0] == "cma" and hasattr(value, "__dict__"):
            yield from _contents(value, (*path, name))


def _items(path: tuple[str, ...], value: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, np.ndarray):
        yield path, value
    elif any(isinstance(entry, np.ndarray) for entry in value):
        yield (*path, "[]"), np.array(value)  # a list of vectors
    else:
        yield path, [entry.item() if isinstance(entry, np.generic) else entry for entry in value]


def _put(part: Any, path: list[str], value: Any) -> None:
    """Set a value from `_contents`."""
    listed = path[-1] == "[]"
    *parents, name = path[:-1] if listed else path
    for parent in parents:
        part = getattr(part, parent)
    setattr(part, name, list(value) if listed else value)
