"""The measurements of a cluster: the driver's part runs without one, and tables find their place on the page."""

import pytest

from benchmarks import cluster


def test_the_driver_is_measured_against_pretended_workers() -> None:
    (line,) = cluster.measure_driver([20], seconds=0.2)
    workers, single, batches, held, shortest = (cell.strip() for cell in line.strip("|").split("|"))
    assert workers == "20"
    assert int(single.replace(",", "")) > 100
    assert int(batches.replace(",", "")) > int(single.replace(",", ""))
    assert 0 < float(held) < 100
    assert float(shortest) < 1


def test_the_page_has_a_place_for_each_table() -> None:
    page = cluster.PAGE.read_text()
    for part in ("overhead", "scaling", "driver"):
        filled = cluster.fill(page, part, ["| a table |"])
        assert "| a table |" in filled
        assert cluster.fill(filled, part, ["| another |"]).count("| a table |") == 0
    with pytest.raises(ValueError, match="the page has no part other"):
        cluster.fill(page, "other", [])
