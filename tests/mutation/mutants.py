"""Mutants: small mistakes in one file, each as a replacement of text.

Docstrings, annotations, decorators, imports, error texts, f-strings, strings of several words (for people), code for type
checkers only, and the bodies of protocols are left alone.
"""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

COMPARISONS: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Lt: ("<=", ">="),
    ast.LtE: ("<", ">"),
    ast.Gt: (">=", "<="),
    ast.GtE: (">", "<"),
    ast.Eq: ("!=",),
    ast.NotEq: ("==",),
    ast.Is: ("is not",),
    ast.IsNot: ("is",),
    ast.In: ("not in",),
    ast.NotIn: ("in",),
}
"""The replacements of each comparison: the one that differs at the boundary, and the opposite."""

ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "//",
    ast.Div: "*",
    ast.FloorDiv: "*",
    ast.Mod: "//",
    ast.Pow: "*",
    ast.LShift: ">>",
    ast.RShift: "<<",
    ast.BitAnd: "|",
    ast.BitOr: "&",
    ast.BitXor: "|",
}

NUMBERS = ("int", "float")
"""Annotations of functions whose results change by one; a result of other functions becomes None, a truth value is negated."""


@dataclass(frozen=True)
class Mutant:
    """One mistake in one file: the characters from `start` to `end` are replaced by `text`."""

    path: str
    line: int
    kind: str
    start: int
    end: int
    text: str

    def apply(self, source: str) -> str:
        return source[: self.start] + self.text + source[self.end :]

    def lines(self, source: str) -> tuple[str, str]:
        """The changed lines, before and after, without surrounding lines."""
        first = source.rfind("\n", 0, self.start) + 1
        last = source.find("\n", self.end)
        last = len(source) if last < 0 else last
        return source[first:last].strip(), (source[first : self.start] + self.text + source[self.end : last]).strip()


def mutants_of(source: str, path: str) -> list[Mutant]:
    """Every mutant of a file, in the order of the text, each once."""
    found: dict[tuple[int, int, str], Mutant] = {}
    tree = ast.parse(source)
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def place(line: int, column: int) -> int:
        text = source[starts[line - 1] : starts[line]]
        return starts[line - 1] + len(text.encode()[:column].decode())

    def span(node: Any) -> tuple[int, int]:
        """The place of a node, in characters; the parser gives lines and bytes."""
        return place(node.lineno, node.col_offset), place(node.end_lineno, node.end_col_offset)

    for kind, number, begin, end, text in _changes(tree, source, span):
        mutant = Mutant(path, number, kind, begin, end, text)
        if text != source[begin:end]:
            found[begin, end, text] = mutant
    return [found[place] for place in sorted(found)]


def _changes(
    tree: ast.Module, source: str, span: Callable[[ast.AST], tuple[int, int]]
) -> Iterator[tuple[str, int, int, int, str]]:
    """Kind, line, start, end and new text of every change."""
    for node, returns in _mutable(tree, None):
        if not hasattr(node, "end_lineno"):
            continue
        begin, end = span(node)
        line = node.lineno  # type: ignore[attr-defined]
        if isinstance(node, ast.Compare):
            terms = [node.left, *node.comparators]
            for left, right, operator in zip(terms, terms[1:], node.ops, strict=False):
                gap = span(left)[1], span(right)[0]
                for text in COMPARISONS[type(operator)]:
                    yield "comparison", line, *gap, _between(source[gap[0] : gap[1]], text)
        elif isinstance(node, ast.BinOp) and not any(_is_text(side) for side in (node.left, node.right)):
            gap = span(node.left)[1], span(node.right)[0]
            if type(node.op) in ARITHMETIC:
                yield "arithmetic", line, *gap, _between(source[gap[0] : gap[1]], ARITHMETIC[type(node.op)])
        elif isinstance(node, ast.BoolOp):
            word = "or" if isinstance(node.op, ast.And) else "and"
            for left, right in zip(node.values, node.values[1:], strict=False):
                gap = span(left)[1], span(right)[0]
                yield "and-or", line, *gap, _between(source[gap[0] : gap[1]], word)
        elif isinstance(node, ast.UnaryOp):
            sign = source[begin : begin + (len("not ") if isinstance(node.op, ast.Not) else 1)]
            yield "sign", line, begin, begin + len(sign.rstrip("(")), ""
        elif isinstance(node, ast.If | ast.While | ast.IfExp):
            start, stop = span(node.test)
            yield "condition", node.test.lineno, start, stop, f"not ({source[start:stop]})"
        elif isinstance(node, ast.Constant):
            for text in _other_constants(node.value):
                yield "constant", line, begin, end, text
        elif isinstance(node, ast.Continue | ast.Break):
            yield "jump", line, begin, end, "break" if isinstance(node, ast.Continue) else "continue"
        elif isinstance(node, ast.Return) and node.value is not None:
            text = f"return {_other_result(source[begin + len('return') : end].strip(), returns)}"
            yield "result", line, begin, end, text
        elif isinstance(node, ast.AugAssign | ast.Raise | ast.Delete) or _changes_state(node):
            yield "dropped", line, begin, end, "pass"


def _mutable(node: ast.AST, returns: str | None) -> Iterator[tuple[ast.AST, str | None]]:
    """The nodes that may be changed, each with its function's return annotation ("" if it has none)."""
    if isinstance(node, ast.ClassDef):
        if any(ast.unparse(base).startswith("Protocol") for base in node.bases):
            return
        parts: list[ast.AST] = list(node.body)
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        returns = ast.unparse(node.returns) if node.returns is not None else ""
        parts = [*node.args.defaults, *(value for value in node.args.kw_defaults if value is not None), *node.body]
    elif _left_alone(node):
        return
    elif isinstance(node, ast.Raise):
        yield node, returns  # its text is for people
        return
    elif isinstance(node, ast.AnnAssign):
        parts = [node.value] if node.value is not None else []
    else:
        parts = list(ast.iter_child_nodes(node))
    yield node, returns
    for part in parts:
        yield from _mutable(part, returns)


def _left_alone(node: ast.AST) -> bool:
    """Whether a part of a file has no effect that a test could see, or is a message for people."""
    match node:
        case ast.Import() | ast.ImportFrom() | ast.JoinedStr() | ast.Expr(value=ast.Constant()):
            return True
        case ast.If(test=test):
            return ast.unparse(test) == "TYPE_CHECKING"
        case ast.Assign(targets=[target]):
            return ast.unparse(target) == "__all__"
        case ast.Call(func=function):
            name = ast.unparse(function).split(".")[-1]
            return name in ("TypeVar", "cast", "getLogger") or name.endswith("Error")
    return False


def _between(gap: str, operator: str) -> str:
    """The text between two operands with another operator; brackets and line breaks around the old one stay."""
    before = gap[: len(gap) - len(gap.lstrip(") \n\t"))]
    rest = gap[len(before) :]
    after = rest[len(rest.rstrip("( \n\t")) :]
    return f"{before}{operator}{after}"


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))


def _other_constants(value: object) -> tuple[str, ...]:
    if isinstance(value, bool):
        return (str(not value),)
    if isinstance(value, int):
        return str(value + 1), str(value - 1)
    if isinstance(value, float):
        return (repr(value + 1.0),)
    if isinstance(value, str):
        return () if " " in value else (repr(value + "x"),)
    return ()


def _other_result(old: str, returns: str | None) -> str:
    if returns == "bool":
        return f"not ({old})"
    if returns in NUMBERS or returns == "":  # kernels have no annotations
        return f"({old}) + 1"
    return "None"


def _changes_state(node: ast.AST) -> bool:
    """Whether a statement only has side effects: a call, or an assignment into an existing object."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    return isinstance(node, ast.Assign) and all(
        isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets
    )
