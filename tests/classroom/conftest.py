"""Fixtures that the tests of a class share with those of the page."""

from tests.web.browser.conftest import browser

__all__ = ["browser"]
