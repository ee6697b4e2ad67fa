"""Pages that programs write: the command line, agents, networks and training keys from their own definitions, the formats of files
from the modules that write them, and copies of the texts at the root of the repository.

They go into ``docs/written``, which git does not keep, so that one command builds the site and no fact is written twice.
"""

import importlib
import inspect
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT_PAGES = {
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "RELEASING.md": "releasing.md",
    "benchmarks/README.md": "benchmarks.md",
    "tests/mutation/README.md": "mutation.md",
}
"""Which texts beside `docs` become pages, and what these are called."""

FORMATS = {
    "What a certificate claims, and how it is checked": "noughts.solvers.verify",
    "Certificates, version 1: how a game is won": "noughts.solvers.certificate",
    "Certificates, version 2: what an agent plays": "noughts.examine.certify",
    "A training run's folder": "noughts.store.run_folder",
    "Checkpoints": "noughts.store.checkpoints",
    "The results database": "noughts.store.tables",
    "Datasets of games": "noughts.bridges.dataset",
    "JSON that carries its own hash": "noughts.store.hashed",
    "What holds for all versions": "noughts.store.file_format",
}
"""Sections of the page about files, and the modules whose docstrings they are."""

SOURCES = Path(__file__).parents[2] / "src"

MADE = {
    "src/noughts/cli/main.py": "command-line.md",
    "src/noughts/agents/kinds.py": "agents.md",
    "src/noughts/networks/options.py": "networks.md",
    "src/noughts/training/registry.py": "training-keys.md",
    "src/noughts/store/file_format.py": "formats.md",
}
"""Sources to which pages link, and the page that the site has for each: so a link works on a code host, too."""

_FORMAT = re.compile(r"^([A-Z_]+) = FileFormat\(", re.M)
_LINK = re.compile(r"\]\(([^)#:\s]+)(#[^)\s]*)?\)")


def write_all(docs: Path) -> None:
    """Write every such page that has changed below the folder `docs`."""
    folder = docs / "written"
    folder.mkdir(exist_ok=True)
    pages = {
        "command-line.md": command_line(),
        "agents.md": agents(),
        "networks.md": networks(),
        "training-keys.md": training_keys(),
        "formats.md": formats(),
    }
    for name, page in ROOT_PAGES.items():
        pages[page] = with_links_of_the_site((docs.parent / name).read_text(encoding="utf-8"))
    for name, text in pages.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def with_links_of_the_site(text: str) -> str:
    """`text` from the root of the repository, its links to other files there as links to pages of the site."""

    def target(match: re.Match[str]) -> str:
        path, anchor = match.group(1), match.group(2) or ""
        if path in ROOT_PAGES:
            return f"]({ROOT_PAGES[path]}{anchor})"
        if path.startswith("docs/") and path.endswith(".md"):
            return f"](../{path.removeprefix('docs/')}{anchor})"
        return match.group()

    return _LINK.sub(target, text)


def with_pages_for_files(text: str, folder: Path) -> str:
    """`text` of a page in a folder below `docs`, its links to files that have a page on the site as links to that page.

    Args:
        folder: Relative to `docs`.
    """
    up = "../" * len(folder.parts)
    files = {**ROOT_PAGES, **MADE, **_format_sections()}
    pages = {f"{up}../{name}": f"{up}written/{page}" for name, page in files.items()}
    return _LINK.sub(lambda m: f"]({pages[m[1]]}{m[2] or ''})" if m[1] in pages else m[0], text)


def _format_sections() -> dict[str, str]:
    """The section about files that each module has on the page of formats."""
    return {
        f"src/{module.replace('.', '/')}.py": "formats.md#" + re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        for title, module in FORMATS.items()
        if module != "noughts.store.file_format"
    }


def formats() -> str:
    """The formats of files, as the modules that write them tell them; and the tables of the database."""
    parts = [
        "# File formats",
        "Each section is the docstring of the module that reads or writes the file. noughts checks every file before it uses it, "
        "because files can come from elsewhere.",
        "## Versions",
        "Every kind of file that noughts reads again has a version, and contains it. A file without one has version 1. "
        "noughts reads older versions. It rejects a newer one, with the advice `update noughts`.",
        "\n".join(_versions()),
        "Tables and pictures for other programs (CSV of sweeps, LaTeX, SVG, pages) and caches have no version. "
        "Files inside the package, such as its puzzles, have the package's version instead. "
        "`tests/formats` contains files of each version, and a test reads them.",
    ]
    for title, module in FORMATS.items():
        text = inspect.getdoc(importlib.import_module(module)) or ""
        parts += [f"## {title}", f"Module `{module}`.", re.sub("``", "`", text)]
    return "\n\n".join([*parts, *_tables()]) + "\n"


def _versions() -> Iterator[str]:
    """A table of all kinds of files with a version, from the constants in the code."""
    yield "| file | version | read from | where it says so | module |"
    yield "|---|---|---|---|---|"
    rows = [(kind.name, kind.version, kind.oldest, kind.where, f"`{module}`") for module, kind in file_formats()]
    for row in sorted(rows):
        yield f"| {' | '.join(map(str, row))} |"


def file_formats() -> Iterator[tuple[str, Any]]:
    """Every `FileFormat` that the code names, with its module."""
    for path in sorted(SOURCES.rglob("*.py")):
        for name in _FORMAT.findall(path.read_text(encoding="utf-8")):
            module = ".".join(path.relative_to(SOURCES).with_suffix("").parts)
            yield module, getattr(importlib.import_module(module), name)


def _tables() -> Iterator[str]:
    """The database's tables and columns."""
    from noughts.store.tables import SCHEMA, metadata, saved

    yield f"Version {SCHEMA} of the tables:"
    for table in [*metadata.sorted_tables, *saved.sorted_tables]:
        keys = {column.name for column in table.primary_key}
        columns = ", ".join(f"`{column.name}`" + (" (key)" if column.name in keys else "") for column in table.columns)
        yield f"- `{table.name}`: {columns}"


def command_line() -> str:
    """The reference of the command line, a section for each command, in the order that ``noughts --help`` has."""
    import typer

    from noughts.cli.main import app

    command: Any = typer.main.get_command(app)
    parts = [
        "# Command line",
        "Every command has `--help`, and most have `--json`, which prints one JSON object for programs. "
        "Commands with random choices take a `--seed`, and equal seeds give equal games for any number of `--workers`.",
        "The exit code is 0 if the command worked, and 1 if something in it failed or was refuted. It is 2 if the input was "
        "wrong, because then one line on standard error explains the problem. It is 130 after Ctrl-C, and 143 after SIGTERM.",
        "## noughts",
        "These options come before the command, for example `noughts --quiet match random minimax`. Results go to standard "
        "output. Progress, notes and errors go to standard error.",
        _options(command),
        *_sections("noughts", command),
    ]
    return "\n\n".join(parts) + "\n"


def agents() -> str:
    """The reference of agents and their options, from what ``noughts agents`` lists."""
    from noughts.agents import AGENTS

    parts = [
        "# Agents",
        "Write an agent as `KIND:option=value,...` or `KIND:TARGET,option=value,...`, for example `mcts:sims=1000,c=1` or "
        "`az:RUN,sims=100`. A value that contains commas needs parentheses. `noughts agents` prints this list, and "
        "`noughts agents python:FILE:CLASS` the options of your own agent.",
    ]
    for kind in AGENTS.values():
        parts += [f"## {kind.name}", _escaped(kind.about[:1].upper() + kind.about[1:] + ".")]
        if kind.target is not None:
            parts.append(f"Target: {_escaped(kind.target)}.")
        if kind.options:
            rows = [
                (f"`{o.name}`", o.about, o.allowed, "must be given" if o.default is None else o.default or "none")
                for o in kind.options
            ]
            parts.append(_table(("option", "meaning", "allowed", "default"), rows))
    parts += [
        "## python",
        "Your own class with `choose(position, rng)`; options become its keyword arguments, as annotated.",
        "Target: `file.py:Class`, or `module:Class`.",
    ]
    return "\n\n".join(parts) + "\n"


def networks() -> str:
    """The reference of networks and their options, from what ``noughts networks`` lists."""
    from noughts.networks.options import NETWORKS

    parts = [
        "# Networks",
        "Write a network as `KIND:option=value,...`, for example `noughts train tic-tac-toe --network resnet:blocks=6`. "
        "`preset=NAME` selects a preset. Only `line` receives the rules as input; other networks see just the board.",
    ]
    for name, kind in NETWORKS.items():
        about: str = getattr(kind, "about", "")
        parts += [
            f"## {name}",
            _escaped(f"{about[:1].upper()}{about[1:]}."),
            _fields_table(kind),
        ]
        if presets := getattr(kind, "presets", {}):
            parts.append("Presets: " + ", ".join(f"`{preset}`" for preset in presets) + ".")
    return "\n\n".join(parts) + "\n"


def training_keys() -> str:
    """The reference of every key of every method of learning, from what ``noughts train --help-config`` lists."""
    from noughts.training.registry import METHODS

    parts = [
        "# Training keys",
        "Set a key with `noughts train --set KEY=VALUE`, in a file for `--config`, or in the `[config]` of a sweep. "
        "`noughts train --help-config --method METHOD --preset PRESET` prints the values of a preset.",
    ]
    for name, method in METHODS.items():
        parts += [f"## Method {name}", _escaped(f"{method.about}."), _fields_table(method.config)]
    return "\n\n".join(parts) + "\n"


def _fields_table(kind: Any) -> str:
    """The fields of a class of settings, each with its meaning, what is allowed and its default."""
    from noughts.reports.presenting.text import setting_text
    from noughts.rules.fields import fields_of

    rows = [
        (f"`{one.key}`", one.meaning, one.allowed, "" if one.required else setting_text(one.default))
        for one in fields_of(kind)
    ]
    return _table(("key", "meaning", "allowed", "default"), rows)


def _table(head: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    lines = [head, ("---",) * len(head)]
    lines += [
        tuple(cell if cell.startswith("`") else _escaped(" ".join(cell.split())) for cell in map(str, row))
        for row in rows
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _sections(path: str, command: Any) -> Iterator[str]:
    """The sections of a command's subcommands, or of itself if it has none."""
    commands: Mapping[str, Any] | None = getattr(command, "commands", None)
    if commands is not None:
        for name, below in commands.items():
            yield from _sections(f"{path} {name}", below)
        return
    import typer

    context: Any = typer.Context(command, info_name=path)
    yield f"## {path}"
    for paragraph in re.split(r"\n\s*\n", (command.help or "").strip()):
        yield _escaped(" ".join(paragraph.split()))
    yield f"```text\n{command.get_usage(context).removeprefix('Usage: ')}\n```"
    yield _options(command)
    examples = "\n".join(line.strip() for line in command.epilog.splitlines()[2:])  # below their heading
    yield f"```sh\n{examples}\n```"


def _options(command: Any) -> str:
    """A command's arguments and options, a line each."""
    import typer

    context: Any = typer.Context(command)
    records = [parameter.get_help_record(context) for parameter in command.params]
    return "\n".join(f"- `{names}`: {_escaped(_meaning(text))}" for names, text in filter(None, records))


def _meaning(text: str) -> str:
    """A help text whose default and bounds, which Typer appends in square brackets, are sentences of their own."""
    text, _, extra = text.partition("  [")
    facts = [part.partition("default: ") for part in extra.rstrip("]").split("; ") if part]
    words = [
        f"Default `{value}`." if label else "Required." if other == "required" else f"Allowed `{other}`."
        for other, label, value in facts
    ]
    return " ".join([text, *words])


def _escaped(text: str) -> str:
    """Plain text; what stands between backquotes is code, as in a docstring."""
    parts = re.split(r"(`[^`]+`)", text.replace("``", "`"))
    return "".join(part if part.startswith("`") else re.sub(r"([\\*_\[\]<>|{}])", r"\\\1", part) for part in parts)
