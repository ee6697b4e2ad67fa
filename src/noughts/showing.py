"""How values become pictures in a notebook, without their modules importing the code that draws.

A value that can be shown is a `Shown`; code that draws registers with `shown_by`. This module imports nothing, so programs
without a notebook lose no time.
"""

from collections.abc import Callable
from typing import Literal

Form = Literal["svg", "html"]
"""A drawing by itself, or a piece of a page."""

Shower = Callable[[object, Form], str | None]
"""Gives a value in a form, or None if it is not shown in that form."""

_SHOWERS: list[Shower] = []


class Shown:
    """A value that notebooks show as a drawing or a table, if code that draws is loaded."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        """A drawing; None if there is none of such a value."""
        return show(self, "svg")

    def _repr_html_(self) -> str | None:
        """A piece of a page; None if there is none of such a value."""
        return show(self, "html")


def shown_by(shower: Shower) -> None:
    """Let this function show values. It is asked only when one is to be shown."""
    _SHOWERS.append(shower)


def show(value: object, form: Form) -> str | None:
    """A value in a form, by the first function that has one of it; None if none has."""
    return next((found for shower in _SHOWERS if (found := shower(value, form)) is not None), None)
