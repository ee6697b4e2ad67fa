"""A class name means one class, wherever it stands in the package."""

import ast
from collections import Counter
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "noughts"


def test_no_class_name_is_defined_twice() -> None:
    defined = Counter(
        node.name
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    assert len(defined) > 400
    assert [name for name, times in defined.items() if times > 1] == []
