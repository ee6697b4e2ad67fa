"""How values become drawings in a notebook, without their modules importing the code that draws.

A value that can be shown is a `Shown`. It loads `noughts.library.display` by its name, and only to be shown, so this costs
nothing in programs without a notebook.
"""

from importlib import import_module
from typing import Literal

Form = Literal["svg", "html"]
"""An SVG drawing, or an HTML fragment."""


class Shown:
    """A value that notebooks show as a drawing or a table."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        """A drawing; None if there is none for the value."""
        return _show(self, "svg")

    def _repr_html_(self) -> str | None:
        """An HTML fragment; None if there is none for the value."""
        return _show(self, "html")


def _show(value: Shown, form: Form) -> str | None:
    found: str | None = import_module("noughts.library.display").show(value, form)
    return found
