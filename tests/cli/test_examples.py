"""Every `--help` ends with examples, and each can be parsed."""

import shlex
from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command

from noughts.cli.main import app, main

ROOT: Any = get_command(app)


def all_commands(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every command with its examples."""
    yield " ".join(words), tuple(line.strip() for line in (command.epilog or "").splitlines()[2:])
    for name, inner in getattr(command, "commands", {}).items():
        yield from all_commands(inner, (*words, name))


EXAMPLES = dict(all_commands(ROOT))


@pytest.mark.parametrize("words", EXAMPLES)
def test_help_ends_with_examples(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words.split(), "--help"]) == 0
    help_text, _, examples = capsys.readouterr().out.partition("  Examples:\n")
    assert EXAMPLES[words]
    assert "Usage:" in help_text
    assert "Example:" not in help_text
    assert tuple(line.strip() for line in examples.strip().splitlines()) == EXAMPLES[words]
    start = f"noughts {words}".strip().replace("results export", "export")  # one command with two names
    assert all(line.startswith(start) for line in EXAMPLES[words])


@pytest.mark.parametrize("line", sorted({line for lines in EXAMPLES.values() for line in lines}))
def test_every_example_has_commands_arguments_and_options_that_exist(line: str) -> None:
    program, *words = shlex.split(line)
    assert program == "noughts"
    command: Any = ROOT
    while hasattr(command, "commands"):
        command = command.commands[words.pop(0)]
    command.make_context("noughts", words)  # which parses everything and executes nothing
