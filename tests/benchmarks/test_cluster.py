"""The measurements of a cluster: their tables find their place on the page."""

import pytest

from benchmarks import cluster


def test_the_page_has_a_place_for_each_table() -> None:
    page = cluster.PAGE.read_text()
    for part in ("overhead", "scaling"):
        filled = cluster.fill(page, part, ["| a table |"])
        assert "| a table |" in filled
        assert cluster.fill(filled, part, ["| another |"]).count("| a table |") == 0
    with pytest.raises(ValueError, match="the page has no part other"):
        cluster.fill(page, "other", [])
