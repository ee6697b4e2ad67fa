"""The beliefs of a learned model along a line of moves, beside the real boards."""

from collections.abc import Sequence

from noughts.document.document import Document
from noughts.document.names import Names
from noughts.positions import SYMBOLS
from noughts.questions.imagined import BelievedLine, BelievedPosition
from noughts.rules import Rules, parse_rules


def present_line(found: BelievedLine, asked: None, names: Names) -> Document:
    """A text for each position: the model's beliefs in words, then the believed board and the real one."""
    rules = parse_rules(found.rules)
    texts = ("\n".join(_lines(one, rules)) for one in found.positions)
    return Document(("\n\n".join(texts),), found.model_dump(mode="json"))


def _lines(one: BelievedPosition, rules: Rules) -> list[str]:
    head = "seen" if one.move is None else f"after {rules.name_of(one.move)}"
    if not one.legal:
        head += ", which cannot be made"
    said = [f"value {one.value:+.2f}"]
    if one.first is not None:
        said.append(f"{'first' if one.first else 'second'} to move")
    if one.over is not None:
        said.append("over" if one.over else "not over")
    truth = "no such position" if one.really_over is None else "over" if one.really_over else "not over"
    lines = [f"{head}: believes {', '.join(said)}; really {truth}"]
    believed, real = _board(one.cells, rules), _board(one.real, rules)
    if not believed:
        return [*lines, "  the model has no decoder: train with model.decoder=probe to see its boards"]
    width = max(2 * rules.cols + 4, 10)
    lines.append(f"  {'believed':<{width}}{'real' if real else ''}".rstrip())
    rows = zip(believed, real or [""] * len(believed), strict=True)
    return [*lines, *(f"  {mine:<{width}}{his}".rstrip() for mine, his in rows)]


def _board(cells: Sequence[int] | None, rules: Rules) -> list[str]:
    """The rows of all boards, one board below the other."""
    shown = [SYMBOLS[cell] for cell in cells or ()]
    return [" ".join(shown[start : start + rules.cols]) for start in range(0, len(shown), rules.cols)]
