"""Numbers that were measured, where they stand in the docs by hand: each is among what the commands beside it wrote."""

import re

import pytest

from benchmarks.printed import COMMANDS, printed
from tests.docs.pages import DOCS, ROOT, numbers

_NAMED = re.compile(r"`uv run ([^`]+)`", re.S)
_WRITTEN = re.compile(r"<!-- ([\w-]+): begin \(written by (python -m [\w.]+)\b.*?-->(.*?)<!-- \1: end -->", re.S)
SECTIONS = [
    *re.findall(r"^## .+?(?=^## |\Z)", (DOCS / "performance.md").read_text(), re.M | re.S),
    *(
        paragraph
        for page in ("guides/train.md", "reference/store.md")
        for paragraph in re.findall(
            r"^The preset `tic-tac-toe-fast` learned.+?\n\n|^A thousand times a bit.+?\n\n\|.+?\n\n",
            (DOCS / page).read_text(),
            re.M | re.S,
        )
    ),
]


def written() -> dict[str, str]:
    """What each command wrote: into its part of the benchmarks' page, or into the file of what commands print."""
    found = {command: "\n".join(lines) for command, lines in printed().items()}
    for _, command, text in _WRITTEN.findall((ROOT / "benchmarks" / "README.md").read_text()):
        found[command] = found.get(command, "") + text
    return found


@pytest.mark.parametrize("section", SECTIONS, ids=lambda text: " ".join(text.split()[:4]))
def test_every_number_is_among_what_the_commands_beside_it_wrote(section: str) -> None:
    wrote = written()
    named = [" ".join(command.split()) for command in _NAMED.findall(section)]
    sources = [text for command, text in wrote.items() for name in named if f"{name} ".startswith(f"{command} ")]
    assert sources
    wanted = {number for text in sources for number in numbers(text.replace("`", " "))}
    assert numbers(section) <= wanted


def test_commands_that_print_are_told_of() -> None:
    told = "\n".join(SECTIONS)
    assert all(f"`uv run {command}`" in " ".join(told.split()) for command in COMMANDS)
