"""Print results on standard output, and notes, details and problems on standard error.

--quiet     results, failures and errors
(usual)     also progress and notes: what is resumed, where results are saved
--verbose   also details: the questions, reused answers, the origin of an unexpected error
"""

import json
import os
import sys
from collections.abc import Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from noughts.rules.errors import NoughtsError

if TYPE_CHECKING:
    from rich.console import Console

    from noughts.document.document import Document
    from noughts.document.names import Names
    from noughts.document.result import Figure

_PIPE_WIDTH = 160
"""Width of a line in files and pipes, where long names should not wrap."""

_LEVEL: ContextVar[Literal["quiet", "usual", "verbose"]] = ContextVar("level", default="usual")


def set_level(quiet: bool, verbose: bool) -> None:
    """Set how much the next command prints; NoughtsError if both are set."""
    if quiet and verbose:
        raise NoughtsError("--quiet and --verbose exclude each other: give one of them")
    _LEVEL.set("quiet" if quiet else "verbose" if verbose else "usual")


def is_quiet() -> bool:
    """Return whether only results and errors are printed."""
    return _LEVEL.get() == "quiet"


def is_verbose() -> bool:
    """Return whether details are printed, too."""
    return _LEVEL.get() == "verbose"


def note(text: str) -> None:
    """Print a line on standard error, except with --quiet."""
    if not is_quiet():
        print_error(text)


def detail(text: str) -> None:
    """Print a line on standard error with --verbose."""
    if is_verbose():
        print_error(text)


def print_error(text: str) -> None:
    """Print a line on standard error at every level."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def console_of(stderr: bool = False) -> "Console":
    """Return the console for tables and progress."""
    from rich.console import Console

    console = Console(stderr=stderr, markup=False, highlight=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = _PIPE_WIDTH
    return console


def print_json(value: Any, names: "Names | None" = None) -> None:
    """Print one JSON object; with `names`, it uses the short names of agents, and lists their texts."""
    if names is not None and names.called:
        value = names.within(value) | {"names": names.by_name}
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def print_document(document: "Document", names: "Names | None" = None) -> None:
    """Print a document for people. Its texts are not wrapped, so that paths stay whole."""
    from noughts.reports.drawing import clean
    from noughts.reports.terminal import document_parts

    console = console_of()
    for part in document_parts(document):
        if isinstance(part, str):
            sys.stdout.write(f"{clean(part)}\n")
        else:
            console.print(part)
    for line in () if names is None else names.legend:
        sys.stdout.write(f"{line}\n")


def show(
    document: "Document",
    as_json: bool,
    names: "Names | None" = None,
    figures: Path | None = None,
    key: str = "",
    lines: Sequence[str] = (),
    **more: Any,
) -> int:
    """Print a document, or its data as JSON, and return the exit code, which is 1 if something failed.

    Args:
        document: The document.
        as_json: Whether to print JSON.
        names: Short names of agents, each explained by a line below.
        figures: A folder for the first figure.
        key: The question's key. It is part of the figure's file name, so that questions do not overwrite each other's figures.
        lines: Lines to print below the document, but not in JSON.
        more: Further fields of the JSON object.
    """
    figure, drawn = next(document.figures, None), None
    if figure is not None and figures is not None:
        drawn = save_figure(figure, figures / f"{figure.name}-{key.rsplit(maxsplit=1)[-1][:12]}.svg")
    if as_json:
        more |= {} if drawn is None else {"figure": str(drawn)}
        print_json(document.data | more if more else document.data, names)
    else:
        print_document(document, names)
        if drawn is not None:
            sys.stdout.write(f"\nfigure: {drawn}\n")
        for line in lines:
            sys.stdout.write(f"{line}\n")
    print_problems(document.problems)
    return 1 if document.problems else 0


def save_figure(figure: "Figure", path: Path) -> Path:
    """Draw a figure as PNG if the path ends in ``.png``, else as SVG, create its folder if needed, and return the path."""
    from noughts.reports.figures import figure_png, figure_svg
    from noughts.store.files import make_folder, write_atomically

    make_folder(path.parent)
    write_atomically(path, figure_png(figure) if path.suffix == ".png" else figure_svg(figure))
    return path


def pages_folder(report: Path | None) -> Path:
    """Create and return the folder of a page and its figures; StoreError if it cannot be written, before the work begins."""
    from noughts.store.files import make_folder
    from noughts.store.place import store_folder

    folder = report or store_folder() / "pages"
    make_folder(folder)
    return folder


def print_problems(problems: Sequence[str]) -> None:
    """Print the first ten problems, one per line, and the number of others."""
    for problem in problems[:10]:
        print_error(problem)
    if len(problems) > 10:
        print_error(f"and {len(problems) - 10} more")
