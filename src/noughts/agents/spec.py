"""`AgentSpec`: an agent as text, ``name:option=value,option=value``.

The same text names it on the command line, in studies, in the results database and on pages. A value that
contains commas stands in parentheses: ``omniscient:sims=3,inside=(minimax:depth=9,ties=first)``.
"""

import re
from typing import ClassVar

from noughts.rules import AgentError, Value
from noughts.rules.text import split_outside_parentheses

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


class AgentSpec(Value):
    """A name and its options, as written. `target` is what ``python:`` names: a module or file, and a class."""

    error_type: ClassVar = AgentError
    called: ClassVar = "agent"

    name: str
    target: str = ""
    options: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        """The text that `split_spec` reads back."""
        parts = [self.target] if self.target else []
        parts += [f"{name}=({value})" if "," in value else f"{name}={value}" for name, value in self.options]
        return f"{self.name}:{','.join(parts)}" if parts else self.name


def split_spec(text: str) -> AgentSpec:
    """Read the form of a spec, without asking whether such an agent exists.

    Raises:
        AgentError: the text is malformed.
    """
    name, colon, rest = text.strip().partition(":")
    if not _NAME.fullmatch(name) or (colon and not rest.strip()):
        raise AgentError(f"agent {text!r} is malformed: write a name and options, such as mcts:sims=1000,c=1")
    if text.count("(") != text.count(")"):
        raise AgentError(f"agent {text!r} is malformed: its parentheses do not match")
    target, options = "", {}
    for number, part in enumerate(split_outside_parentheses(rest, ",") if colon else []):
        option, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals and number == 0 and name == "python":
            target = option
        elif not equals or not option or not value:
            raise AgentError(f"agent {text!r}: {part.strip()!r} is not an option; write option=value")
        elif option in options:
            raise AgentError(f"agent {text!r}: {option} is given twice")
        else:
            options[option] = value[1:-1] if value.startswith("(") and value.endswith(")") else value
    return AgentSpec(name=name, target=target, options=tuple(options.items()))
