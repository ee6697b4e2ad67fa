"""The colours of every drawing, by role: one for white paper, one for a dark page.

Drawings are made with the colours for paper, each of which belongs to exactly one role. `themed` makes a drawing
follow the page around it: it replaces each colour by ``var(--role, colour)``. Viewers without CSS variables show
the colours for paper.
"""

import itertools
import re
from collections.abc import Sequence

HEAT_STEPS = 21
"""The number of shades in a heat map."""

DARK_TEXT_UNTIL = 13
"""The last step whose number has the text colour for low values, both on paper and on a dark page."""


def _mix(anchors: Sequence[tuple[float, str]], share: float) -> str:
    """The colour at `share` (0 to 1) between anchors given as (share, colour)."""
    for (low, left), (high, right) in itertools.pairwise(anchors):
        if share <= high:
            part = (share - low) / (high - low)
            channels = zip(bytes.fromhex(left[1:]), bytes.fromhex(right[1:]), strict=True)
            return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in channels)
    return anchors[-1][1]


# Lightness changes in one direction, so the maps also work for colour-blind people and in grey. Both start near the
# page's colour at low values, and reach at the same step the lightness on which black and white text read equally well.
_HEAT_ON_PAPER = ((0.0, "#fbf7dc"), (0.333, "#8cc9bf"), (0.667, "#2d7f97"), (1.0, "#123a6b"))
_HEAT_IN_THE_DARK = ((0.0, "#1c2430"), (0.35, "#24506a"), (0.665, "#2d7f97"), (0.85, "#7cc3b4"), (1.0, "#f3ecb5"))

ROLES: dict[str, tuple[str, str]] = {
    "paper": ("#ffffff", "#14181d"),
    "ink": ("#1f2328", "#e6e9ed"),
    "muted": ("#59636e", "#9aa4af"),
    "faint": ("#d5dbe1", "#363f49"),
    "first": ("#0a5fa5", "#6ab6f5"),
    "second": ("#b5460b", "#f59a5c"),
    "brick": ("#e9ecef", "#242b33"),
    "hatch": ("#8b949e", "#6d7884"),
    "last": ("#fff0b8", "#4b4013"),
    "line": ("#c42b3f", "#ff8391"),
    # Lines of a chart, which also differ in marker and dash.
    "series-1": ("#0069a8", "#5cb3f0"),
    "series-2": ("#c8500a", "#f28c4b"),
    "series-3": ("#00805e", "#3ec99c"),
    "series-4": ("#a8488b", "#e08cc4"),
    "series-5": ("#8a6d00", "#d9b53a"),
    "series-6": ("#4b5563", "#b6bfca"),
    "on-low": ("#010101", "#fefefe"),
    "on-high": ("#fefefe", "#010101"),
} | {
    f"heat-{step}": (
        _mix(_HEAT_ON_PAPER, step / (HEAT_STEPS - 1)),
        _mix(_HEAT_IN_THE_DARK, step / (HEAT_STEPS - 1)),
    )
    for step in range(HEAT_STEPS)
}

_BY_COLOUR = {on_paper: role for role, (on_paper, _) in ROLES.items()}
_COLOUR = re.compile("|".join(rf"{re.escape(colour)}\b" for colour in _BY_COLOUR))

SERIES = tuple(ROLES[f"series-{number}"][0] for number in range(1, 7))


def colour(role: str) -> str:
    """The colour of a role on paper."""
    return ROLES[role][0]


def heat(value: float, value_range: tuple[float, float]) -> tuple[str, str]:
    """The shade for a value, and the colour of text on it; values outside the range take its ends."""
    low, high = value_range
    share = 0.5 if high <= low else min(max((value - low) / (high - low), 0.0), 1.0)
    step = round(share * (HEAT_STEPS - 1))
    return colour(f"heat-{step}"), colour("on-low" if step <= DARK_TEXT_UNTIL else "on-high")


def themed(svg: str) -> str:
    """The same drawing with colours from the page around it."""
    return _COLOUR.sub(lambda found: f"var(--{_BY_COLOUR[found.group()]}, {found.group()})", svg)


def recoloured(svg: str) -> str:
    """The same drawing for a dark page, if it cannot use the page's colours."""
    return _COLOUR.sub(lambda found: ROLES[_BY_COLOUR[found.group()]][1], svg)


def css_variables(dark: bool) -> str:
    """The CSS declarations that `themed` drawings use, for a light or a dark page."""
    return " ".join(f"--{role}: {colours[dark]};" for role, colours in ROLES.items())
