"""Lists of agents, networks, the keys of a method's configuration, and studies."""

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from noughts.document.document import Document
from noughts.reports.presenting.text import setting_text
from noughts.rules.fields import FieldHelp, fields_of

if TYPE_CHECKING:  # listing agents loads no more than agents do
    from noughts.networks.options import NetworkOptions
    from noughts.studies.study import Study
    from noughts.training.registry import Method

_WIDTH = 100

_AGENTS_OF_ONES_OWN = (
    "python:file.py:Class,option=value or python:module:Class,option=value\n"
    "             your own class with choose(position, rng); options become its keyword arguments, as annotated"
)
_HOW_AGENTS_ARE_WRITTEN = (
    "\nWrite KIND:option=value,... or KIND:TARGET,option=value,...: mcts:sims=1000,c=1; az:RUN,sims=100;"
    " python:file.py:Class,depth=2.\nWrite a value or a command that contains commas in parentheses. Commands show"
    " me=mcts:sims=1000 as `me`."
)
_HOW_NETWORKS_ARE_WRITTEN = (
    "Only 'line' receives the rules as input. Other networks see just the board, "
    "so they treat games with different rules as the game they were trained on.\n"
    "Write KIND:option=value,...: --network line:features=32,blocks=4 or resnet:preset=paper; yours is python:file.py:Class,option=value."
)


def present_agents(listed: Sequence[dict[str, Any]], are_all: bool) -> Document:
    """Agents with their options.

    Args:
        listed: The ``name``, ``about``, ``target`` and ``options`` of each, as `--json` prints them.
        are_all: Whether these are all agents, except the user's own.
    """
    own = (_AGENTS_OF_ONES_OWN,) if are_all else ()
    return Document((*map(_agent_text, listed), *own, _HOW_AGENTS_ARE_WRITTEN), list(listed))


def _agent_text(shown: dict[str, Any]) -> str:
    """One agent: its name, then its options, one on a line."""
    lines = [f"{shown['name']:12} {shown['about']}".rstrip()]
    if shown["target"] is not None:
        lines.append(f"  {'':10} {shown['name']}:{shown['target']}")
    for option in shown["options"]:
        default = "must be given" if option["default"] is None else f"default {option['default'] or 'none'}"
        about = ": ".join(filter(None, (option["about"].rstrip("."), option["allowed"])))
        lines.append(f"  {option['name']:10} {about}; {default}")
    return "\n".join(lines)


def present_networks(kinds: "Mapping[str, type[NetworkOptions]]") -> Document:
    """Networks with their options and presets."""
    data, texts = [], []
    for name, kind in kinds.items():
        fields, presets = fields_of(kind), getattr(kind, "presets", {})
        about = getattr(kind, "about", next(iter((kind.__doc__ or "").splitlines()), ""))
        lines = [f"{name}: {about}" if about else name, *(f"  {line}" for line in _field_lines(fields))]
        for preset, options in presets.items():
            stands_for = ",".join(f"{option}={value}" for option, value in options.items())
            lines.append(f"  preset={preset} means {stands_for}")
        texts.append("\n".join([*lines, ""]))
        listed = [field._asdict() for field in fields]
        data.append({"name": name, "about": about, "options": listed, "presets": presets})
    return Document((*texts, _HOW_NETWORKS_ARE_WRITTEN), data)


def present_config(method: "Method", values: Mapping[str, Any], preset: str | None, end: str | None) -> Document:
    """Every key of a method's configuration with its value, its meaning and the allowed values; and the presets.

    Args:
        method: The training method.
        values: The values that are set, by key; missing keys have their default.
        preset: The preset that sets them, if any.
        end: The end of the training, in words, if it is known.
    """
    fields = fields_of(method.config)
    values = {field.key: field.default for field in fields} | dict(values)
    lines = [f"{method.name}: {method.about}", *(f"  {line}" for line in _field_lines(fields, values))]
    lines.append("" if end is None else f"\n{f'With the preset {preset} it' if preset else 'It'} trains for {end}.")
    if method.config.presets:
        lines.append(f"Presets, by --preset or by preset = in a file: {', '.join(method.config.presets)}.")
    lines.append("Set any key by --set search.simulations=24, or in a file, --config FILE.toml or FILE.json.")
    data = {
        "method": method.name,
        "about": method.about,
        "preset": preset,
        "end": end,
        "config": [field._asdict() | {"value": values[field.key]} for field in fields],
        "presets": {name: dict(fields) for name, fields in method.config.presets.items()},
    }
    return Document(("\n".join(lines),), data)


def present_studies(found: "Sequence[Study]") -> Document:
    """Studies with their questions and scales."""
    texts = (
        "\n".join(
            [
                "\n  ".join(filter(None, [study.name, study.question, study.paper])),
                *(f"    --scale {scale:7} {meaning}" for scale, meaning in study.scales.items()),
            ]
        )
        for study in found
    )
    data = [{"name": s.name, "question": s.question, "paper": s.paper, "scales": dict(s.scales)} for s in found]
    return Document(tuple(texts), data)


def _field_lines(fields: Iterable[FieldHelp], values: Mapping[str, Any] | None = None) -> list[str]:
    """Fields as lines: key and value, with the default if it differs; then the meaning and the allowed values."""
    lines = []
    for field in fields:
        value = field.default if values is None else values[field.key]
        if field.required and value is None:
            lines.append(field.key)
        else:
            lines.append(f"{field.key} = {setting_text(value)}")
            if not field.required and value != field.default:
                lines[-1] += f"  (the default is {setting_text(field.default)})"
        meaning = f"{field.meaning.rstrip('.')}. " if field.meaning else ""
        said = f"{meaning}Allowed: {field.allowed}."
        lines += textwrap.wrap(said, _WIDTH, initial_indent="    ", subsequent_indent="    ")
    return lines
