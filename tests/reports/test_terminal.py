"""Tables in a terminal: at 80 columns, whole, and harmless."""

import io

from rich.cells import cell_len
from rich.console import Console

from noughts.document.document import Document
from noughts.document.result import Row, Table
from noughts.reports.terminal import document_tables
from tests.reports.samples import study


def printed(width: int = 80, **fields: object) -> list[str]:
    console = Console(file=io.StringIO(), width=width, color_system=None, force_terminal=False)
    result = study(**fields)
    console.print(document_tables(Document(result.tables, complete=result.complete)))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def test_a_table_fits_80_columns_with_every_number_whole() -> None:
    lines = printed()
    assert max(map(cell_len, lines)) <= 80
    text = "\n".join(lines)
    for words in ("1404-596", "70-30", "68.2 to 72.2", "✓ agrees", "≠ differs", "✗ refuted", "– no claim"):
        assert words in text
    assert next(line for line in lines if "1404-596" in line).startswith("MCTS 1000 MCTS 1000 ")


def test_notes_become_footnotes_each_once() -> None:
    text = "\n".join(printed())
    assert "≠ differs   (1)" in text
    assert "✗ refuted   (2)" in text
    assert text.count("<script>") == 2  # once as a note, once as a label
    assert text.count("\n(2) ") == 1


def test_text_is_neither_markup_nor_a_terminal_command() -> None:
    text = "\n".join(printed(width=200))
    assert "[bold]2" in text
    assert "\x1b" not in text


def test_rows_without_a_number_wait_while_a_study_runs() -> None:
    assert "… waiting" in "\n".join(printed(complete=False))
    assert "… waiting" not in "\n".join(printed())


def test_a_narrow_table_does_not_wrap_its_title_and_footnotes() -> None:
    note = "a note of more words than the columns are wide, which would take many lines if it were as narrow as they"
    table = Table(
        title="A title that is wider than the columns under it",
        label_columns=("Run",),
        unit="percent",
        rows=(Row(labels=("1",), ours="2", note=note),),
    )
    lines = printed(tables=(table,), complete=True)
    assert lines[0] == table.title
    assert len([line for line in lines if line.strip()]) <= 5, "title, heads, row, two lines of the note"


def test_long_names_are_wrapped_only_at_their_joints() -> None:
    names = ("python:att.py:Tiny,place=false", "resnet:channels=8,blocks=2,features=lines")
    rows = tuple(
        Row(labels=(name, "tic-tac-toe", "0", "against minimax:depth=1"), paper="24 won, 3 drawn, 13 lost",
            ours="25 won, 2 drawn, 13 lost", value=1.2, low=-10.2, high=12.4, verdict="not distinguishable")
        for name in names
    )  # fmt: skip
    columns = ("network", "task", "seed", "test")
    for spread in ("interval", "difference"):
        table = Table(title="Every training", label_columns=columns, unit="points", rows=rows, spread=spread)
        for width in (80, 120, 200):
            lines = printed(width, tables=(table,))
            assert max(map(cell_len, lines)) <= width
            words = set(" ".join(lines).split())
            for piece in ("place=false", "channels=8,", "blocks=2,", "features=lines", "lost"):
                assert any(piece in word for word in words), (width, piece)
    whole = " ".join(" ".join(lines).split())
    assert all(name in whole for name in names)
