"""The end of every `--help`: what stands below ``Examples:`` in a command's docstring, or in the help of a group of commands."""

import inspect
from collections.abc import Iterator

import typer


def show_examples_last(app: typer.Typer) -> None:
    """Let the help of every command end with its examples, below its options."""
    for info in _all(app):
        text = info.help if isinstance(info.help, str) else getattr(info.callback, "__doc__", None) or ""
        info.help, _, examples = inspect.cleandoc(text).partition("\n\nExamples:\n")
        lines = "".join(f"\n  {line.strip()}" for line in examples.splitlines())
        info.epilog = f"\b\nExamples:{lines}" if lines else None  # the first line keeps the lines as they are


def _all(app: typer.Typer) -> Iterator["typer.models.CommandInfo | typer.models.TyperInfo"]:
    yield app.info
    yield from app.registered_commands
    for group in app.registered_groups:
        if group.typer_instance is not None:
            yield from _all(group.typer_instance)
