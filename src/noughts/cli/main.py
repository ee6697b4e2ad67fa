"""The command ``noughts``: its subcommands, and how errors are printed.

Exit codes: 0 it worked; 1 it ran, but something failed (for example, an agent raised an error, timed out or made an illegal move);
2 the input was wrong, and one line on standard error explains it; 130 it was interrupted, and finished work is saved; 143 the same, by
SIGTERM.
"""

import inspect
import io
import os
import platform
import shlex
import sys
import traceback
from collections.abc import Iterator
from typing import Annotated

import typer
from typer.exceptions import Abort, Exit, TyperException

from noughts import __version__
from noughts.cli import (
    agents,
    bench,
    conform,
    doctor,
    export,
    gomocup,
    imagine,
    match,
    networks,
    play,
    prove,
    puzzles,
    results,
    rules,
    runs,
    score,
    select,
    serve,
    solve,
    study,
    sweep,
    tournament,
    train,
    verify,
)
from noughts.cli.output import detail, is_verbose, print_error, set_level
from noughts.machine.interrupts import ignored_interrupts_raised
from noughts.rules.errors import AgentFailedError, NoughtsError, one_line, own_place

_FORMER_NAMES = {"again": "rerun", "chance": "best-response", "conclude-again": "recompute", "most": "max-positions"}
"""Options by their names before 0.1.0, which still work in scripts."""

app = typer.Typer(
    name="noughts",
    help="""Train agents for k-in-a-row games, and compare them with exact values.

    Examples:
        noughts play --rules tic-tac-toe
        noughts match minimax:depth=2 mcts:sims=200 --games 20
        noughts train "bttt(D4)" --minutes 10
    """,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "token_normalize_func": lambda name: _FORMER_NAMES.get(name, name),
    },
)
app.command("play")(play.play)
app.command("serve")(serve.serve)
app.command("match")(match.match)
app.command("tournament")(tournament.tournament)
app.command("prove")(prove.prove)
app.command("score")(score.score)
app.command("bench")(bench.bench)
app.command("imagine")(imagine.imagine)
app.command("train")(train.train)
app.command("select")(select.select)
app.command("sweep")(sweep.sweep)
app.add_typer(runs.app, name="runs")
app.add_typer(study.app, name="study")
app.add_typer(results.app, name="results")
app.add_typer(rules.app, name="rules")
app.command("agents")(agents.agents)
app.command("networks")(networks.networks)
app.command("export")(export.export)
app.command("gomocup")(gomocup.gomocup)
app.command("solve")(solve.solve)
app.command("verify")(verify.verify)
app.command("conform")(conform.conform)
app.command("puzzles")(puzzles.puzzles)
app.command("doctor")(doctor.doctor)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"noughts {__version__}")
        raise Exit


_OF_NO_COMMAND = ("-q", "--quiet", "-v", "--verbose")


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only results and errors.")] = False,
    verbose: Annotated[
        bool,
        typer.Option("--verbose", "-v", help="Also print progress details, reused results and file locations."),
    ] = False,
) -> None:
    """Options that belong to no command."""
    set_level(quiet, verbose)
    detail(f"noughts {__version__}, Python {platform.python_version()}, {sys.executable}")


def _commands(group: typer.Typer) -> Iterator["typer.models.CommandInfo | typer.models.TyperInfo"]:
    """Yield a group of commands, its commands, and those of its groups."""
    yield group.info
    yield from group.registered_commands
    for inner in group.registered_groups:
        if inner.typer_instance is not None:
            yield from _commands(inner.typer_instance)


def _show_examples_last() -> None:
    """Move the lines below ``Examples:`` in a command's docstring or a group's help to the end of its `--help`."""
    for command in _commands(app):
        text = command.help if isinstance(command.help, str) else getattr(command.callback, "__doc__", None) or ""
        command.help, _, examples = inspect.cleandoc(text).partition("\n\nExamples:\n")
        lines = "".join(f"\n  {line.strip()}" for line in examples.splitlines())
        command.epilog = f"\b\nExamples:{lines}" if lines else None  # \b prevents these lines from being wrapped


_show_examples_last()


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit code. A user's error is printed as one line, without a traceback."""
    _prepare_streams()
    try:
        with ignored_interrupts_raised():
            code = app(args=arguments, standalone_mode=False)
    except NoughtsError as error:
        if is_verbose() and error.__cause__ is not None and own_place(error.__cause__):
            traceback.print_exception(error.__cause__)
        _complain(str(error))
        return 1 if isinstance(error, AgentFailedError) else 2
    except TyperException as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # a group of commands without a command
            print_error(error.format_message())
            return 2
        words = shlex.join(sys.argv[1:] if arguments is None else arguments)
        option = getattr(error, "option_name", "")
        hint = f"; put it before the command: noughts {option} ..." if option in _OF_NO_COMMAND else ""
        return _complain(f"{error.format_message().rstrip('.')} (in: noughts {words}){hint}" if str(error) else "")
    except (KeyboardInterrupt, Abort):
        code = 130
    except OSError as error:
        return _complain(f"output cannot be written: {error.strerror or error}")
    except MemoryError:
        return _complain("not enough memory for that: use fewer simulations or a smaller board")
    except Exception as error:
        if is_verbose():
            traceback.print_exc()
        if own_place(error):
            problem, shown = f"your own code failed: {one_line(error)}", "the whole traceback"
        else:  # a bug in noughts
            problem, shown = f"unexpected {one_line(error)}: please report it", "where it arose"
        _complain(problem if is_verbose() else f"{problem}; `noughts --verbose ...` shows {shown}")
        return 1
    if code == 130:
        print_error("stopped")
    return code if isinstance(code, int) else 0


def _prepare_streams() -> None:
    """Prevent a terminal's encoding or a closed stream from ending a command."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - stays open until the process ends
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _complain(message: str) -> int:
    line = " ".join(message.split())
    if line:
        print_error(f"error: {line}")
    return 2
