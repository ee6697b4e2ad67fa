"""Mutants are the intended small mistakes, and messages for people are left alone."""

import pytest

from tests.mutation.mutants import Mutant, mutants_of


@pytest.mark.parametrize(
    ("source", "instead"),
    [
        ("x = a < b", {"x = a <= b", "x = a >= b"}),
        ("x = (a) is not (b)", {"x = (a) is (b)"}),
        ("x = a not in b", {"x = a in b"}),
        ("x = (a + b) * c", {"x = (a - b) * c", "x = (a + b) // c"}),
        ("x = a << b", {"x = a >> b"}),
        ("x = a and b or c", {"x = a or b or c", "x = a and b and c"}),
        ("x = not (a)", {"x = (a)"}),
        ("x = ~(a | b)", {"x = (a | b)", "x = ~(a & b)"}),
        ("x = a if b else c", {"x = a if not (b) else c"}),
        ("x = 7", {"x = 8", "x = 6"}),
        ("x = True", {"x = False"}),
        ("x = 'key'", {"x = 'keyx'"}),
        ("x[i] = y", {"pass"}),
        ("x += y", {"pass"}),
        ("call(x)", {"pass"}),
        ("raise RulesError(f'{1 + 1} is wrong')", {"pass"}),
        ("é = 'ü' < b", {"é = 'ü' <= b", "é = 'ü' >= b", "é = 'üx' < b"}),
        ("for x in y:\n    continue\n", {"break"}),
        ("for x in y:\n    break\n", {"continue"}),
        ("def f(x) -> bool:\n    return x\n", {"return not (x)"}),
        ("def f(x) -> int:\n    return x\n", {"return (x) + 1"}),
        ("def f(x) -> Rules:\n    return x\n", {"return None"}),
        ("def f(x=1): ...", {"def f(x=0): ...", "def f(x=2): ..."}),
        ("def f(*, y=2): ...", {"def f(*, y=1): ...", "def f(*, y=3): ..."}),
        # changes that no test could see are left out
        ('"""One 1 + 1."""', set()),
        ("import a.b", set()),
        ("x: Literal['a', 1]", set()),
        ("def f(x: Annotated[int, 1]) -> tuple[int, 1]:\n    ...", set()),
        ("@lru_cache(maxsize=16)\ndef f(): ...", set()),
        ("x = f'{1 + 1}'", set()),
        ("x = 'told to people'", set()),
        ("x = SomeError('wrong')", set()),
        ("if TYPE_CHECKING:\n    x = 1", set()),
        ("class A(Protocol):\n    x = 1", set()),
        ("__all__ = ['x']", set()),
        ("T = TypeVar('T')", set()),
        ("x = y", set()),
    ],
)
def test_each_kind_of_mutant_is_generated(source: str, instead: set[str]) -> None:
    assert {mutant.lines(source)[1] for mutant in mutants_of(source, "file.py")} == instead


def test_a_mutant_changes_only_its_own_place() -> None:
    source = "a = 1\nb = (2 +\n     3)\nc = 4\n"
    found = next(mutant for mutant in mutants_of(source, "file.py") if mutant.kind == "arithmetic")
    assert found == Mutant("file.py", 2, "arithmetic", source.index(" +"), source.index("3"), " -\n     ")
    assert found.apply(source) == "a = 1\nb = (2 -\n     3)\nc = 4\n"
    assert found.lines(source) == ("b = (2 +\n     3)", "b = (2 -\n     3)")
