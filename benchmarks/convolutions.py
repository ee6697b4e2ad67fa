"""Where convolutions are faster as dense products: ``uv run python -m benchmarks.convolutions`` fills `networks/convolution_table`.

For each size, the stem and a block of a residual network are computed both ways, alternately, so that other load on the machine
affects both alike: forward on a batch of boards, as in self-play, and with gradients, as in learning.

``--train 20`` trains the network of the Brick Tic-Tac-Toe paper for 20 iterations both ways, from one seed, and prints the losses.
"""

import argparse
import contextlib
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import jax
import jax.numpy as jnp

import noughts
from noughts.networks import convolution_table
from noughts.networks.convolution import plain_convolutions
from noughts.networks.layers import Keys
from noughts.networks.options import ResNetOptions
from noughts.networks.stacks import ResidualStack, prepared, residual_layers, through_blocks
from noughts.training.events import Iterated

_GAIN = 1.1
"""The least speed-up for a size to be chosen."""

Ways = dict[str, Callable[[], Any]]
Table = dict[tuple[int, int], int]


def main(words: Sequence[str] | None = None) -> int:
    """Measure, and print the table or write it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.convolutions", description=__doc__)
    parser.add_argument("--sides", type=int, nargs="+", default=[3, 4, 5, 6, 7, 8, 9])
    parser.add_argument("--kernels", type=int, nargs="+", default=[3, 4])
    parser.add_argument("--channels", type=int, nargs="+", default=[16, 32, 64])
    parser.add_argument("--boards", type=int, default=32, help="looked at together")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="the table")
    parser.add_argument(
        "--train", type=int, metavar="N", help="iterations of the paper's training both ways, and nothing else"
    )
    options = parser.parse_args(words)
    if options.train:
        compare_trainings(options.train)
        return 0
    play: Table = {}
    learning: Table = {}
    print(f"times as quick as lax.conv, median of {options.rounds} rounds in turn, {options.boards} boards")
    for side in options.sides:
        for kernel in options.kernels:
            if kernel > side:
                continue
            found = {}
            for channels in options.channels:
                forward, gradient = measured(side, kernel, channels, options.boards, options.rounds)
                found[channels] = forward, gradient
                print(
                    f"{side}x{side} {kernel}x{kernel} {channels:4} channels  forward {forward:5.2f}  gradient {gradient:5.2f}"
                )
                sys.stdout.flush()
            for place, table in enumerate((play, learning)):
                least = fewest({channels: ratios[place] >= _GAIN for channels, ratios in found.items()})
                if least is not None:
                    table[side, kernel] = least
    text = written(play, learning)
    if options.write:
        Path(convolution_table.__file__).write_text(text)
    else:
        print(text)
    return 0


def compare_trainings(iterations: int) -> None:
    """Print the losses of two trainings that differ only in their convolutions, one after the other."""
    print("convolutions  iteration  positions  policy loss  value loss  game length  processor seconds")
    for name, convolutions in (("plain", plain_convolutions()), ("quick", contextlib.nullcontext())):
        jax.clear_caches()  # type: ignore[no-untyped-call] # otherwise programs that were traced the other way are reused
        with convolutions, tempfile.TemporaryDirectory() as folder:
            begun = time.process_time()
            for event in noughts.train(
                "bttt(D4)", preset="brick-tic-tac-toe", iterations=iterations, seed=0, run=f"{folder}/run", devices=1
            ):
                if isinstance(event, Iterated):
                    policy, value, length = (event.metrics[it] for it in ("policy_loss", "value_loss", "game_length"))
                    spent = time.process_time() - begun
                    print(
                        f"{name:12} {event.iteration:10} {event.positions:10,} {policy:12.6f} {value:11.6f} {length:12.2f}"
                        f" {spent:18,.0f}",
                        flush=True,
                    )


def fewest(quick: dict[int, bool]) -> int | None:
    """The smallest number of channels for which it and all larger ones are faster; None if the largest is not."""
    chosen = None
    for channels in sorted(quick, reverse=True):
        if not quick[channels]:
            break
        chosen = channels
    return chosen


def measured(side: int, kernel: int, channels: int, boards: int, rounds: int) -> tuple[float, float]:
    """The speed-ups of dense products, forward and with gradients."""
    key = jax.random.key(0)
    stack = residual_layers(Keys(key), channels, ResNetOptions(channels=channels, blocks=1, kernel=kernel))
    x = jax.random.normal(key, (boards, side, side, channels))
    convolution_table.PLAY[side, kernel] = convolution_table.LEARNING[side, kernel] = 1
    forwards: Ways = dict(_ways(lambda way: _forward(stack, x, way)))
    gradients: Ways = dict(_ways(lambda way: _gradient(stack, x, way)))
    return _ratio(forwards, rounds), _ratio(gradients, rounds)


def _ways(make: Callable[[bool], Callable[[], Any]]) -> Iterator[tuple[str, Callable[[], Any]]]:
    for name, plain in (("plain", True), ("quick", False)):
        work = make(plain)
        work()  # compiles
        yield name, work


def _forward(stack: ResidualStack, x: jax.Array, plain: bool) -> Callable[[], Any]:
    """The forward pass; the weights are transformed beforehand, as in a search."""
    rows, cols = x.shape[1:3]
    compiled = jax.jit(lambda stack, x: through_blocks(stack, x, 0.0, training=False)[0])
    ready = stack if plain else jax.jit(lambda stack: prepared(stack, rows, cols))(stack)
    return lambda: _traced(plain, lambda: compiled(ready, x))


def _gradient(stack: ResidualStack, x: jax.Array, plain: bool) -> Callable[[], Any]:
    compiled = jax.jit(jax.grad(lambda stack, x: jnp.square(through_blocks(stack, x, 0.0, training=True)[0]).sum()))
    return lambda: _traced(plain, lambda: compiled(stack, x))


def _traced(plain: bool, work: Callable[[], Any]) -> Any:
    if not plain:
        return jax.block_until_ready(work())  # type: ignore[no-untyped-call]
    with plain_convolutions():
        return jax.block_until_ready(work())  # type: ignore[no-untyped-call]


def _ratio(ways: Ways, rounds: int) -> float:
    """The median of the time of plain divided by that of quick."""
    repeats = max(1, round(0.03 / _seconds(ways["plain"], 1)))
    ratios = []
    for _ in range(rounds):
        spent = {name: _seconds(work, repeats) for name, work in ways.items()}
        ratios.append(spent["plain"] / spent["quick"])
    return median(ratios)


def _seconds(work: Callable[[], Any], repeats: int) -> float:
    """Processor time over all cores, which other work on the machine hardly affects."""
    begun = time.process_time()
    for _ in range(repeats):
        work()
    return time.process_time() - begun


def written(play: Table, learning: Table) -> str:
    """The text of the table's module."""
    head = (Path(convolution_table.__file__).read_text()).partition("\nPLAY")[0]
    parts = []
    for name, table in (("PLAY", play), ("LEARNING", learning)):
        rows = "".join(f"    ({side}, {kernel}): {channels},\n" for (side, kernel), channels in sorted(table.items()))
        parts.append(f"{name}: dict[tuple[int, int], int] = {{\n{rows}}}\n")
    return head + "\n" + "\n".join(parts)


if __name__ == "__main__":
    sys.exit(main())
