"""Files, packages, commands and routes as text, for transcripts."""

import inspect
import json
import re
import sqlite3
import struct
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import typer.main

import noughts
from noughts.cli.main import app
from noughts.web.app import create_app


def shape(file: str) -> str:
    """The structure of a file in one of our formats: its header, names, types and shapes, or all of a short text.

    Raises ValueError for a kind of file that no transcript has shown yet.
    """
    path = Path(file)
    match path.suffix:
        case ".csv" | ".pgn" | ".toml":
            return path.read_text("utf-8")
        case ".jsonl":
            return "\n".join(fields(json.loads(line)) for line in path.read_text("utf-8").splitlines())
        case ".json":
            return fields(json.loads(path.read_text("utf-8")))
        case ".parquet":
            from pyarrow import parquet

            return str(parquet.read_schema(path).remove_metadata())
        case ".npz":
            with np.load(path) as arrays:
                return "\n".join(f"{name}: {arrays[name].dtype.str} {arrays[name].shape}" for name in sorted(arrays))
        case ".safetensors":
            content = path.read_bytes()
            (length,) = struct.unpack("<Q", content[:8])
            header = json.loads(content[8 : 8 + length])
            about = header.pop("__metadata__", {}).get("noughts", "{}")
            arrays_in = (f"{name}: {array['dtype']} {array['shape']}" for name, array in sorted(header.items()))
            return "\n".join([fields(json.loads(about)), *arrays_in])
        case ".proof":
            head, _, entries = path.read_bytes().partition(b"\n")
            return f"{fields(json.loads(head))}\n{entries.hex(' ')}"
        case ".xz":
            with tarfile.open(path) as archive:
                return "\n".join(archive.getnames())
        case ".sqlite":
            with sqlite3.connect(path) as database:
                rows = database.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
                return "\n".join(str(row[0]).replace("\t", " ") for row in rows)
        case kind:
            raise ValueError(f"{path}: nothing shows files of the kind {kind!r} yet")


def fields(value: Any) -> str:
    """The names in a JSON value with the kinds of their values; a text is only shown as its kind."""
    match value:
        case dict():
            return "{" + ", ".join(f"{name}: {fields(each)}" for name, each in value.items()) + "}"
        case list():
            return "[" + ", ".join(dict.fromkeys(map(fields, value))) + "]"
        case int() | float() if not isinstance(value, bool):
            return "number"
        case _:
            return type(value).__name__


def files(folder: str) -> str:
    return "\n".join(
        sorted(
            str(path.relative_to(folder))
            for path in Path(folder).rglob("*")
            if path.is_file() and not path.name.endswith(("-wal", "-shm"))
        )
    )


def face() -> str:
    """The exports of ``import noughts``: functions and classes with their signatures, and the public parts of classes."""
    lines: list[str] = []
    for name in sorted(noughts.__all__):
        value = getattr(noughts, name)
        lines.append(f"{name}{signature(value)}")
        if inspect.isclass(value):
            own = sorted(part for each in value.__mro__ if each.__module__.startswith("noughts") for part in vars(each))
            public = (part for part in dict.fromkeys(own) if not part.startswith(("_", "model_")))
            lines += [f"    {part}{signature(inspect.getattr_static(value, part, None))}" for part in public]
    return "\n".join(lines)


def signature(value: Any) -> str:
    """The parameters of a callable; empty for anything else."""
    value = value.__func__ if isinstance(value, classmethod | staticmethod) else value
    if not callable(value):
        return ""
    try:
        text = re.sub(r" at 0x[0-9a-f]+", "", str(inspect.signature(value)))
        return re.sub(r"\b(?:[a-z_]\w*\.)+(?=[A-Za-z_])", "", text)  # a type is its name, so its module may move
    except (TypeError, ValueError):
        return ""


def options() -> str:
    """Every command with its arguments, options and their defaults."""
    return "\n".join(_options("noughts", typer.main.get_command(app)))


def _options(name: str, command: Any) -> Iterator[str]:
    yield name
    for one in command.params:
        default = "" if one.default is None or callable(one.default) else f" = {one.default}"
        kind = "switch" if getattr(one, "is_flag", False) else "value"
        required = " required" if one.required else ""
        yield f"    {', '.join([*one.opts, *one.secondary_opts])}: {kind}{required}{default}"
    for below, each in sorted(getattr(command, "commands", {}).items()):
        yield from _options(f"{name} {below}", each)


def routes() -> str:
    """The web API's routes with their input and output. Their types are in the page's `api-types.d.ts`."""
    lines: list[str] = []
    for path, operations in create_app().openapi()["paths"].items():
        for method, operation in operations.items():
            given = [f"{one['name']}{'' if one['required'] else '?'}" for one in operation.get("parameters", ())]
            given += _kinds(operation.get("requestBody", {}))
            answers = [" ".join([code, *_kinds(answer)]) for code, answer in operation["responses"].items()]
            lines.append(f"{method.upper()} {path}({', '.join(given)}) -> {', '.join(answers)}")
    return "\n".join(lines)


def _kinds(body: dict[str, Any]) -> list[str]:
    """The content of a request or an answer: the name of a type, or the kind of the content."""
    return [
        kind.get("schema", {}).get("$ref", name).rpartition("schemas/")[2]
        for name, kind in body.get("content", {}).items()
    ]


SHOWN: dict[str, Callable[..., str]] = {
    "shape": shape,
    "files": files,
    "face": face,
    "options": options,
    "routes": routes,
}
