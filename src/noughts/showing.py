"""How values become drawings in a notebook, without their modules importing the code that draws.

A value that can be shown is a `Shown`; code that draws registers with `shown_by`. This module imports nothing, so it costs
nothing in programs without a notebook.
"""

from collections.abc import Callable
from typing import Literal

Form = Literal["svg", "html"]
"""An SVG drawing, or an HTML fragment."""

Shower = Callable[[object, Form], str | None]
"""Converts a value to a form; returns None if it cannot."""

_SHOWERS: list[Shower] = []


class Shown:
    """A value that notebooks show as a drawing or a table, if the code that draws is loaded."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        """A drawing; None if there is none for the value."""
        return show(self, "svg")

    def _repr_html_(self) -> str | None:
        """An HTML fragment; None if there is none for the value."""
        return show(self, "html")


def shown_by(shower: Shower) -> None:
    """Register a function that shows values. It is called only to show one."""
    _SHOWERS.append(shower)


def show(value: object, form: Form) -> str | None:
    """A value in a form, from the first function that can convert it; None if none can."""
    return next((found for shower in _SHOWERS if (found := shower(value, form)) is not None), None)
