"""``noughts networks [NETWORK]``: what can learn, with every option; and how any fields are listed for people."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli.options import JsonOption

if TYPE_CHECKING:
    from noughts.networks.options import NetworkKind
    from noughts.rules.fields import FieldHelp

_WIDTH = 100


def networks(
    kind: Annotated[
        str | None,
        typer.Argument(metavar="[NETWORK]", help="List only this network, or your own as python:file.py:Class."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the networks, with the meaning, allowed values and default of every option."""
    from noughts.cli.output import print_json
    from noughts.networks.options import NETWORKS
    from noughts.networks.spec import find_kind

    kinds = NETWORKS if kind is None else {kind: find_kind(kind)}
    if as_json:
        print_json([_json(name, found) for name, found in kinds.items()])
        return
    for name, found in kinds.items():
        for line in _lines(name, found):
            typer.echo(line)
        typer.echo("")
    typer.echo(
        "Only 'line' receives the rules as input. Other networks see just the board, "
        "so they treat games with different rules as the game they were trained on."
    )
    typer.echo(
        "Write KIND:option=value,...: --network line:features=32,blocks=4 or resnet:preset=paper; yours is python:file.py:Class,option=value."
    )


def _json(name: str, kind: "NetworkKind") -> dict[str, Any]:
    fields = fields_json(_fields(kind))
    return {"name": name, "about": kind.about, "options": fields, "presets": kind.presets}


def _fields(kind: "NetworkKind") -> "list[FieldHelp]":
    from noughts.rules.fields import fields_of

    return fields_of(kind.options)


def _lines(name: str, kind: "NetworkKind") -> Iterator[str]:
    yield f"{name}: {kind.about}" if kind.about else name
    for line in field_lines(_fields(kind)):
        yield f"  {line}"
    for preset, options in kind.presets.items():
        yield f"  preset={preset} stands for {','.join(f'{option}={value}' for option, value in options.items())}"


def field_lines(fields: "Iterable[FieldHelp]", values: Mapping[str, Any] | None = None) -> list[str]:
    """Fields as lines for a terminal: key and value, then meaning and what is allowed.

    Args:
        fields: What there is.
        values: By key, what is set, beside which the default stands where it differs; the defaults unless given.
    """
    import textwrap

    lines = []
    for field in fields:
        value = field.default if values is None else values[field.key]
        if field.required and value is None:
            lines.append(field.key)
        else:
            other = "" if field.required or value == field.default else f"  (the default is {_default(field.default)})"
            lines.append(f"{field.key} = {_default(value)}{other}")
        meaning = f"{field.meaning.rstrip('.')}. " if field.meaning else ""
        said = f"{meaning}Allowed: {field.allowed}."
        lines += textwrap.wrap(said, _WIDTH, initial_indent="    ", subsequent_indent="    ")
    return lines


def fields_json(fields: "Iterable[FieldHelp]") -> list[dict[str, Any]]:
    """Fields for programs."""
    return [field._asdict() for field in fields]


def _default(value: Any) -> str:
    """A default as `--set` takes it."""
    import json

    return "none" if value is None else value or '""' if isinstance(value, str) else json.dumps(value)
