"""The API's types for the page. Generate them with ``uv run python -m tests.web.api_types``, then read the diff.

The page is checked against the server's OpenAPI, so neither can change without the other.
"""

import json
import re
from typing import Any

from fastapi import FastAPI

from noughts.web.app import create_app
from noughts.web.page import STATIC

PATH = STATIC / "base" / "api-types.d.ts"
_OPENING = """// The shapes of what the API is asked and answers, for the type checker; no browser reads this file.
// Written from the server's OpenAPI, whose models also say what each field means: change them, then `uv run python -m tests.web.api_types`.
"""
_PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
    None: "unknown",
}
_REFERENCE = re.compile(r'"#/components/schemas/(\w+)"')
_METHODS = ("get", "post", "put", "delete")


def types(app: FastAPI | None = None, below: str = "/api") -> str:
    """The text of the file: a type for each named schema, and `Routes` with each route's input and output.

    Args:
        app: The application with the routes; by default the page's alone.
        below: The prefix of the wanted routes.
    """
    api = (app or create_app()).openapi()
    schemas = api["components"]["schemas"]
    paths = {path: operations for path, operations in api["paths"].items() if path.startswith(below)}
    shapes = [_declared(name, schemas[name]) for name in sorted(_named(paths, schemas))]
    routes = [
        line
        for path, operations in paths.items()
        for method in _METHODS
        if method in operations and (line := _route(f"{method.upper()} {path}", operations[method])) is not None
    ]
    return "\n".join([_OPENING, *shapes, "/** What each route takes and gives, where that is JSON. */"]) + (
        "\nexport type Routes = {\n" + "\n".join(routes) + "\n};\n"
    )


def _named(part: Any, schemas: dict[str, Any]) -> set[str]:
    """The names of the schemas that a part of the description refers to, directly or not."""
    found: set[str] = set()
    waiting = [part]
    while waiting:
        names = set(_REFERENCE.findall(json.dumps(waiting.pop()))) - found
        found |= names
        waiting += [schemas[name] for name in names]
    return found


def _declared(name: str, schema: dict[str, Any]) -> str:
    return f"{_comment(schema)}export type {name} = {_type(schema)};\n"


def _route(name: str, operation: dict[str, Any]) -> str | None:
    answer = _json(operation["responses"]["200"])
    if answer is None:
        return None
    asked = _json(operation.get("requestBody", {}))
    body = "undefined" if asked is None else " ".join(_type(asked).split())
    return f"  {json.dumps(name)}: {{ body: {body}; answer: {_type(answer)} }};"


def _json(content: dict[str, Any]) -> dict[str, Any] | None:
    found: dict[str, Any] | None = content.get("content", {}).get("application/json", {}).get("schema")
    return found


def _type(schema: dict[str, Any]) -> str:
    """The TypeScript for a JSON schema; KeyError for a kind that no model of ours has yet."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    if "anyOf" in schema:
        return " | ".join(map(_type, schema["anyOf"]))
    kind = schema.get("type")
    if "prefixItems" in schema:
        return f"[{', '.join(map(_type, schema['prefixItems']))}]"
    if kind == "array":
        return f"Array<{_type(schema['items'])}>"
    return _object(schema) if kind == "object" else _PLAIN[kind]


def _object(schema: dict[str, Any]) -> str:
    required, more = schema.get("required", ()), schema.get("additionalProperties", False)
    values = _type(more) if isinstance(more, dict) else "unknown"
    if "properties" not in schema:
        return f"Record<string, {values}>"
    fields = [f"{name}{'' if name in required else '?'}: {_type(part)};" for name, part in schema["properties"].items()]
    if more:
        fields.append(f"[more: string]: {values};")
    return "{\n  " + "\n".join(fields).replace("\n", "\n  ") + "\n}"


def _comment(schema: dict[str, Any]) -> str:
    words = " ".join(schema.get("description", "").partition("\n\n")[0].split())
    return f"/** {words} */\n" if words and "$ref" not in schema else ""


if __name__ == "__main__":
    PATH.write_text(types(), encoding="utf-8")
    print(PATH)
