"""The examples at the end of every `--help`: there are some for every command, and they work."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from noughts.cli.main import app, main

ROOT: Any = get_command(app)

RUN_HERE = (
    "puzzles",
    "match",
    "results list",
    "results show",
    "results games",
    "results replay",
    "results usage",
    "score",
    "solve",
    "verify",
    "agents",
    "networks",
    "rules list",
    "rules show",
    "runs list",
    "study list",
)
"""The first example of each is carried out, in this order: each needs no more than those before it have left."""


def all_commands(command: Any, words: tuple[str, ...] = ()) -> Iterator[str]:
    yield " ".join(words)
    for name, inner in getattr(command, "commands", {}).items():
        yield from all_commands(inner, (*words, name))


def examples_of(words: str) -> tuple[str, ...]:
    command = ROOT
    for word in words.split():
        command = command.commands[word]
    return tuple(line.strip() for line in (command.epilog or "").splitlines()[2:])


COMMANDS = list(all_commands(ROOT))
EXAMPLES = {words: examples_of(words) for words in COMMANDS}


def test_every_command_has_examples() -> None:
    assert [words for words in COMMANDS if not EXAMPLES[words]] == []


@pytest.mark.parametrize("words", COMMANDS)
def test_help_ends_with_examples(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words.split(), "--help"]) == 0
    help_text, _, examples = capsys.readouterr().out.partition("  Examples:\n")
    assert "Usage:" in help_text
    assert "Example:" not in help_text
    assert tuple(line.strip() for line in examples.strip().splitlines()) == EXAMPLES[words]
    start = f"noughts {words}".strip().replace("results export", "export")  # one command by two names
    assert all(line.startswith(start) for line in EXAMPLES[words])


@pytest.mark.parametrize("line", sorted({line for lines in EXAMPLES.values() for line in lines}))
def test_every_example_has_commands_arguments_and_options_that_exist(line: str) -> None:
    program, *words = shlex.split(line)
    assert program == "noughts"
    command: Any = ROOT
    while hasattr(command, "commands"):
        command = command.commands[words.pop(0)]
    command.make_context("noughts", words)  # which reads all, and carries nothing out


def test_the_quick_ones_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for words in RUN_HERE:
        line, command = EXAMPLES[words][0], ROOT
        for word in words.split():
            command = command.commands[word]
        here = ["--workers", "0"] if any("--workers" in each.opts for each in command.params) else []
        if words == "verify":
            assert main(["solve", "mnk(3,3,2)", "--certificate", "proofs", "--workers", "0"]) == 0
        code = main([*shlex.split(line)[1:], *here])
        assert code == 0, (line, capsys.readouterr().err)
        assert capsys.readouterr().out
