"""Times, sizes, numbers and curves as short texts."""

import json
import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

_CURVE_CELLS = 32
_BARS = "▁▂▃▄▅▆▇█"


def seconds_text(seconds: float) -> str:
    """A time in seconds, minutes or hours."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def number_text(value: float | None) -> str:
    """A number with four significant digits."""
    return "-" if value is None else f"{value:.4g}"


def setting_text(value: Any) -> str:
    """A value of a configuration as `--set` accepts it."""
    return "none" if value is None else value or '""' if isinstance(value, str) else json.dumps(value)


def metrics_text(metrics: Mapping[str, float | None], counts: Mapping[str, int] = MappingProxyType({})) -> str:
    """Names and values in a line; means of games or positions have their number n."""
    shown = (
        f"{name} {number_text(value)}" + (f" (n = {counts[name]:,})" if counts.get(name) else "")
        for name, value in metrics.items()
    )
    return ", ".join(shown) or "nothing measured"


def sparkline(values: Iterable[float | None]) -> str:
    """A curve as a row of small bars, on a scale from 0 to 1 if all values are in it, else from least to greatest.

    Too many values are thinned out evenly, keeping the first and the last. Missing values are blanks.
    """
    shown = list(values)
    if len(shown) > _CURVE_CELLS:
        shown = [shown[round(cell * (len(shown) - 1) / (_CURVE_CELLS - 1))] for cell in range(_CURVE_CELLS)]
    numbers = [value for value in shown if value is not None and math.isfinite(value)]
    if not numbers:
        return " " * len(shown)
    low, high = min(0.0, *numbers), max(1.0, *numbers)
    if low < 0 or high > 1:
        low, high = min(numbers), max(numbers)
    span = (high - low) or 1.0
    return "".join(
        _BARS[round((value - low) / span * (len(_BARS) - 1))] if value is not None and math.isfinite(value) else " "
        for value in shown
    )
