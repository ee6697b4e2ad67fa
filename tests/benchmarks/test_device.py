"""The part for a card, in small, on the processor."""

import pytest

from benchmarks import device
from benchmarks.results import Spread

pytestmark = pytest.mark.slow
"""Tools of ours that time things: tried by hand after they change."""


@pytest.mark.slow
def test_operations_are_those_of_the_convolutions_and_a_little_more() -> None:
    operations, evaluate = device.evaluation("resnet:channels=32,blocks=4,norm=none", 4)
    evaluate()
    # A 3x3 kernel on 7x7 with the cells outside left out: 19 of 21 in each direction.
    in_kernels = 2 * 19 * 19
    convolutions = in_kernels * (4 * 32 + 8 * 32 * 32)
    assert convolutions < operations < 1.15 * convolutions


def test_a_product_of_matrices_has_a_rate() -> None:
    peak = device.measure_peak("default", (32, 64), 0.01)
    assert peak.size in {32, 64}
    assert peak.flops > 1e6


@pytest.mark.slow
def test_shares_are_of_the_peak() -> None:
    row = device.measure_row("mlp:widths=8", 4, simulations=2, plies=2, seconds=0.01, peak=1e12)
    assert row.status == "ran", row.problem
    assert row.operations is not None
    assert row.evaluations is not None
    assert row.positions is not None
    assert row.evaluation_share == pytest.approx(row.evaluations.median * row.operations / 1e12)
    assert row.positions_share == pytest.approx(row.positions.median * 3 * row.operations / 1e12)


def test_a_batch_that_does_not_fit_is_said_and_the_run_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(network: str, batch: int) -> object:
        raise RuntimeError("RESOURCE_EXHAUSTED: Out of memory while trying to allocate 10 bytes.")

    monkeypatch.setattr(device, "evaluation", full)
    row = device.measure_row("line", 4, 2, 2, 0.01, 1e12)
    assert row.status == "out of memory"
    assert row.evaluations is None


def test_a_card_is_named_and_a_processor_is_not_called_one() -> None:
    spread = Spread(median=2e6, min=1e6, max=3e6)
    found = device.measure_all((4,), 2, 2, 0.01, ("mlp:widths=8",))
    ran = device.DeviceRow(network="line", batch=256, operations=1e6, evaluations=spread, evaluation_share=0.125)
    found = found.model_copy(update={"rows": (ran,), "is_card": True, "device": "Card 9"})
    text = device.write(found)
    assert "on Card 9;" in text
    assert "| line | 256 | 1.00 M | 2.00 M | 12.50% | ran |  |" in text
    assert "no card, the processor" in device.write(found.model_copy(update={"is_card": False}))
