"""What a visitor does and sees, in words that the tests share."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


def cell(page: "Page", square: str) -> "Locator":
    return page.locator(f'main .cell[data-square="{square}"]').first


def play(page: "Page", square: str) -> None:
    """Choose a square once it can be chosen."""
    page.locator(f'main .cell.open[data-square="{square}"]').first.click()


def wait_for_marks(page: "Page", count: int) -> None:
    """Until so many cells of the first board hold a mark."""
    page.wait_for_function(
        "count => document.querySelector('noughts-board')?.querySelectorAll('.holds-X, .holds-O').length === count",
        arg=count,
    )


def overlay(page: "Page", kind: str) -> None:
    page.check(f'input[type=radio][value="{kind}"]', force=True)


def texts(page: "Page") -> dict[str, str]:
    """What the overlay writes, by square."""
    return dict(
        page.eval_on_selector_all(
            "main noughts-board:first-of-type .cell:has(.text)",
            "cells => cells.map(cell => [cell.dataset.square, cell.querySelector('.text').textContent])",
        )
    )
