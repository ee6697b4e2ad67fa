"""Each number measured and copied into the docs is in the output of a command beside it."""

import re

import pytest

from benchmarks.printed import COMMANDS, printed
from tests.docs.pages import DOCS, ROOT, blocks, numbers

_NAMED = re.compile(r"`uv run (?:--with \S+ )?([^`]+)`", re.S)
_WRITTEN = re.compile(r"<!-- ([\w-]+): begin \(written by (python -m [\w.]+)\b.*?-->(.*?)<!-- \1: end -->", re.S)
GUESTS = DOCS / "guides" / "can-it-be-beaten.md"


def sections(page: str) -> list[str]:
    """The sections of a page; quotations in italics are left out."""
    parts = re.split(r"^## .+\n", (DOCS / page).read_text(), flags=re.M)[1:]
    return [re.sub(r"^\*[^*]+\*$", "", part, flags=re.M) for part in parts]


SECTIONS = [
    *sections("performance.md"),
    *sections("guides/can-it-be-beaten.md"),
    *(
        paragraph
        for page in ("guides/train.md", "reference/store.md")
        for paragraph in re.findall(
            r"^The preset `tic-tac-toe-fast` learned.+?\n\n|^`uv run pytest -n0 -s -m slow tests/cli/test_bit_flips.py`.+?\n\n",
            (DOCS / page).read_text(),
            re.M | re.S,
        )
    ),
]


def written() -> dict[str, str]:
    """The output of each command, from its part of the benchmarks' page or the file of printed output."""
    found = {command: "\n".join(lines) for command, lines in printed().items()}
    for _, command, text in _WRITTEN.findall((ROOT / "benchmarks" / "README.md").read_text()):
        found[command] = found.get(command, "") + text
    return found


@pytest.mark.parametrize("section", SECTIONS, ids=lambda text: " ".join(text.split()[:4]))
def test_every_number_is_in_the_output_of_a_command_beside_it(section: str) -> None:
    wrote = written()
    named = [" ".join(command.split()) for command in _NAMED.findall(section)]
    sources = [text for command, text in wrote.items() for name in named if f"{name} ".startswith(f"{command} ")]
    assert sources
    wanted = {number for text in sources for number in numbers(text.replace("`", " "))}
    assert numbers(section) <= wanted


def test_commands_that_print_numbers_are_cited() -> None:
    told = {" ".join(command.split()) for section in SECTIONS for command in _NAMED.findall(section)}
    assert [command for command in COMMANDS if command not in told] == []


def test_transcripts_equal_the_output_of_commands() -> None:
    wrote = {line.strip() for lines in printed().values() for line in lines}
    shown = [line.strip() for part in blocks(GUESTS) if part.kind == "text" for line in part.text.splitlines() if line]
    assert shown
    assert [line for line in shown if line not in wrote] == []
