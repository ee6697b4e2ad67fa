"""Whether a script begins work where workers, which read it once more, would begin it again.

A worker is a new process that imports the script it was started from: lines that do not stand under
``if __name__ == "__main__":`` are run there, too.
"""

import ast
import inspect
import warnings
from pathlib import Path
from types import FrameType
from typing import Any

_warned: dict[Any, Any] = {}  # so that each line is warned of once


def must_stay_here() -> bool:
    """Whether this is asked by a line of a script without that guard, so that no workers can be used; it warns of it."""
    frame = inspect.currentframe()
    while frame is not None and not _is_script(frame):
        frame = frame.f_back
    if frame is None or not _is_unguarded(frame):
        return False
    warnings.warn_explicit(
        'done in this process alone: keep the start of a script under if __name__ == "__main__":, or give workers=0',
        RuntimeWarning,
        frame.f_globals["__file__"],
        frame.f_lineno,
        registry=_warned,
    )
    return True


def _is_script(frame: FrameType) -> bool:
    return frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__") == "__main__"


def _is_unguarded(frame: FrameType) -> bool:
    try:
        lines = ast.parse(Path(frame.f_globals["__file__"]).read_bytes()).body
    except (KeyError, OSError, SyntaxError, ValueError):  # typed in, or changed since
        return False
    guards = [line for line in lines if isinstance(line, ast.If) and "__name__" in ast.unparse(line.test)]
    return not any(guard.lineno <= frame.f_lineno <= (guard.end_lineno or 0) for guard in guards)
