"""``noughts networks``: what can learn, with every option; and how any fields are listed for people."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import typer

from noughts.cli.options import JsonOption

if TYPE_CHECKING:
    from noughts.rules.fields import FieldHelp

_WIDTH = 100


def networks(as_json: JsonOption = False) -> None:
    """List the networks that can be trained: every option, what may be given, its default and what it means."""
    from noughts.cli.output import print_json
    from noughts.networks.spec import NETWORKS
    from noughts.rules.fields import fields_of

    if as_json:
        print_json(
            [
                {
                    "name": name,
                    "about": kind.about,
                    "options": fields_json(fields_of(kind.options)),
                    "presets": kind.presets,
                }
                for name, kind in NETWORKS.items()
            ]
        )
        return
    for name, kind in NETWORKS.items():
        typer.echo(f"{name}: {kind.about}")
        for line in field_lines(fields_of(kind.options)):
            typer.echo(f"  {line}")
        for preset, options in kind.presets.items():
            written = ",".join(f"{option}={value}" for option, value in options.items())
            typer.echo(f"  preset={preset} stands for {written}")
        typer.echo("")
    typer.echo(
        "Write KIND:option=value,...: --network line:features=32,blocks=4 or resnet:preset=paper; yours is python:file.py:Class,option=value."
    )


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
        said = f"{field.meaning.rstrip('.')}. Allowed: {field.allowed}."
        lines += textwrap.wrap(said, _WIDTH, initial_indent="    ", subsequent_indent="    ")
    return lines


def fields_json(fields: "Iterable[FieldHelp]") -> list[dict[str, Any]]:
    """Fields for programs."""
    return [field._asdict() for field in fields]


def _default(value: Any) -> str:
    """A default as `--set` takes it."""
    import json

    return "none" if value is None else value or '""' if isinstance(value, str) else json.dumps(value)
