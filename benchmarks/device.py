"""The speed of the networks on a card: its measured peak, network evaluations a second, and self-play, over batch sizes.

The peak is measured, not read from a data sheet: large matrix products in the precision in which the networks multiply, which
on a card is JAX's default for float32 (on recent ones of Nvidia, TensorFloat-32). Operations are XLA's count for the program
as written, before optimisation, because a card's own kernels would hide some.
"""

import datetime
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Literal

from benchmarks import machine
from benchmarks.results import Machine, Spread, Stored
from benchmarks.table import number

RULES = "mnk(7,7,4)"
_REPEATS = 5
_CHAINED = 8
_PEAK_SIZES = (512, 1024, 2048, 4096, 8192)


class Peak(Stored):
    """The fastest product of two square matrices, each `size` by `size`."""

    precision: Literal["default", "highest"]
    size: int
    flops: float  # operations a second


class DeviceRow(Stored):
    """One network at one batch size.

    Attributes:
        network: As text.
        batch: Positions in a batch, and games played at once.
        status: Whether it ran; a batch that does not fit in memory is not a failure.
        operations: For one evaluation of one position; multiplications and additions count separately.
        evaluations: Network evaluations a second.
        evaluation_share: Their share of the measured peak.
        positions: Positions of self-play a second.
        positions_share: Their share of the measured peak, by the evaluations that self-play needs.
    """

    network: str
    batch: int
    status: Literal["ran", "out of memory", "failed"] = "ran"
    problem: str = ""
    operations: float | None = None
    evaluations: Spread | None = None
    evaluation_share: float | None = None
    positions: Spread | None = None
    positions_share: float | None = None


class DeviceResults(Stored):
    """A run on one device."""

    date: str
    device: str
    is_card: bool
    simulations: int
    plies: int
    machine: Machine
    peaks: tuple[Peak, ...]
    rows: tuple[DeviceRow, ...]

    @property
    def peak(self) -> float:
        """The peak at the networks' precision, in operations a second."""
        return max(peak.flops for peak in self.peaks if peak.precision == "default")


def measure_all(
    batches: Sequence[int], simulations: int, plies: int, seconds: float, networks: Sequence[str]
) -> DeviceResults:
    """Measure JAX's first device: a card if there is one."""
    import jax

    load_before = machine.load()
    device = jax.devices()[0]
    is_card = device.platform == "gpu"
    with jax.default_device(device):
        sizes = _PEAK_SIZES if is_card else _PEAK_SIZES[:1]
        peaks = [measure_peak(precision, sizes, seconds) for precision in ("default", "highest")]
        peak = peaks[0].flops
        rows = [
            measure_row(network, batch, simulations, plies, seconds, peak) for network in networks for batch in batches
        ]
    return DeviceResults(
        date=datetime.date.today().isoformat(),
        device=device.device_kind,
        is_card=is_card,
        simulations=simulations,
        plies=plies,
        machine=machine.describe(False, load_before),
        peaks=tuple(peaks),
        rows=tuple(rows),
    )


def measure_peak(precision: Literal["default", "highest"], sizes: Sequence[int], seconds: float) -> Peak:
    """Measure the best rate of ``a @ b`` over the sizes."""
    best = Peak(precision=precision, size=0, flops=0.0)
    for size in sizes:
        rates = _rates(_products(size, precision), _CHAINED, seconds)
        flops = 2.0 * size**3 * rates.median
        if flops > best.flops:
            best = Peak(precision=precision, size=size, flops=flops)
    return best


def _products(size: int, precision: str) -> Callable[[], object]:
    """Products one after the other, so that the time to launch a program hardly counts."""
    import jax
    import jax.numpy as jnp

    a = jax.random.normal(jax.random.key(0), (size, size)) / size**0.5  # so that products stay finite

    @jax.jit
    def multiply(a: jax.Array) -> jax.Array:
        multiplied: jax.Array = jax.lax.fori_loop(0, _CHAINED, lambda _, b: jnp.matmul(a, b, precision=precision), a)
        return multiplied

    return lambda: multiply(a).block_until_ready()


def measure_row(network: str, batch: int, simulations: int, plies: int, seconds: float, peak: float) -> DeviceRow:
    """Measure one network at one batch size; if the batch does not fit, the row's status is ``out of memory``."""
    row = DeviceRow(network=network, batch=batch)
    try:
        operations, evaluate = evaluation(network, batch)
        evaluations = _rates(evaluate, batch, seconds)
        row = row.model_copy(
            update={
                "operations": operations,
                "evaluations": evaluations,
                "evaluation_share": evaluations.median * operations / peak,
            }
        )
        from benchmarks.selfplay_work import self_play

        work = self_play(RULES, "gumbel", network, batch, simulations, plies, one_device=True)
        positions = _rates(work.chunk, batch * plies, seconds)
        # One evaluation for each simulation, and one for the root.
        asked = positions.median * (simulations + 1)
        return row.model_copy(update={"positions": positions, "positions_share": asked * operations / peak})
    except Exception as error:
        from benchmarks.timing import one_line

        full = "RESOURCE_EXHAUSTED" in str(error) or isinstance(error, MemoryError)
        return row.model_copy(update={"status": "out of memory" if full else "failed", "problem": one_line(error)})


def evaluation(network: str, batch: int) -> tuple[float, Callable[[], object]]:
    """The operations for one position, and a function that evaluates a batch once."""
    import equinox as eqx
    import jax

    from benchmarks.selfplay_work import under_way
    from noughts.networks.network import BoardShape, Network, Observation, Prediction, observe
    from noughts.networks.spec import make_network, parse_network
    from noughts.rules import parse_rules

    game = parse_rules(RULES)
    board = BoardShape.of([game])
    env, states = board.env, under_way(game, batch)
    seen = jax.jit(lambda states: observe(env, states))(states)
    weights, static = eqx.partition(make_network(parse_network(network), board, jax.random.key(0)), eqx.is_array)

    @jax.jit
    def predict(weights: Network, seen: Observation) -> Prediction:
        predicted: Prediction = eqx.combine(weights, static).predict(seen, board)
        return predicted

    counted = predict.lower(weights, seen).cost_analysis()
    assert counted is not None, "XLA counts the operations of every program"
    return float(counted["flops"]) / batch, lambda: jax.block_until_ready(predict(weights, seen))  # type: ignore[no-untyped-call]


def _rates(work: Callable[[], object], units: int, seconds: float) -> Spread:
    """Units a second over _REPEATS repeats, each at least ``seconds / _REPEATS`` long, without compiling."""
    work()
    work()
    rates = []
    for _ in range(_REPEATS):
        count, begun = 0, time.perf_counter()
        while True:
            work()
            count += 1
            taken = time.perf_counter() - begun
            if taken >= seconds / _REPEATS:
                break
        rates.append(units * count / taken)
    return Spread(median=statistics.median(rates), min=min(rates), max=max(rates))


def write(results: DeviceResults) -> str:
    """The table as Markdown."""
    where = f"{results.device}" if results.is_card else f"no card, the processor as one device ({results.device})"
    versions = ", ".join(f"{name} {version}" for name, version in results.machine.versions.items())
    lines = [
        "### On one device",
        "",
        f"Measured {results.date} on {where}; self-play with Gumbel, {results.simulations} simulations a move, 7x7, four in a "
        f"row. Versions: {versions}.",
        "",
    ]
    for peak in results.peaks:
        said = "JAX's default, as the networks multiply" if peak.precision == "default" else "full float32"
        lines.append(
            f"- Peak, {said}: {number(peak.flops / 1e9)} G operations a second, of matrices of {peak.size:,} squared."
        )
    heads = ("network", "batch", "operations a position", "evaluations a second", "share of peak")
    lines += ["", f"| {' | '.join(heads)} | self-play positions a second | share of peak |"]
    lines.append("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for row in results.rows:
        cells = [
            row.network,
            f"{row.batch:,}",
            "" if row.operations is None else number(row.operations),
            row.status if row.evaluations is None else number(row.evaluations.median),
            _percent(row.evaluation_share),
            row.status if row.positions is None else number(row.positions.median),
            _percent(row.positions_share),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    lines += [
        f"\n- {row.network}, {row.batch:,}: **{row.status}**: {row.problem}." for row in results.rows if row.problem
    ]
    return "\n".join(lines) + "\n"


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.2%}"
