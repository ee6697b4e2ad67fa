"""Which tests reach a line: from coverage for Python, and from the call graph for kernels, which no tracer sees."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

Lines = Mapping[str, Mapping[str, list[str]]]
"""For each file and each of its lines, as text, the tests that reach it, as `tests.mutation.recorder` writes them."""

Name = tuple[str, str]
"""A file, and a name at its top level."""

Node = TypeVar("Node")


@dataclass(frozen=True)
class Function:
    """A function at any depth of a file."""

    name: str
    first: int  # the line of its first statement
    last: int
    compiled: bool  # whether it is a kernel


class Module:
    """The contents of one file: its functions, its imports, and where each name is used."""

    def __init__(self, path: str, source: str) -> None:
        self.path = path
        self.functions: list[Function] = []
        self.imported: dict[str, tuple[str, str]] = {}
        """For each imported name, its module and its name there; "" for a module."""
        self.named: dict[int, set[tuple[str, str]]] = defaultdict(set)
        """For each line, the names on it; an attribute with the name before its dot, another with ""."""
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for alias in node.names:
                    self.imported[alias.asname or alias.name] = (node.module, alias.name)
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                compiled = any(ast.unparse(decorator) == "kernel" for decorator in node.decorator_list)
                self.functions.append(Function(node.name, node.body[0].lineno, node.end_lineno or 0, compiled))
            elif isinstance(node, ast.Name):
                self.named[node.lineno].add(("", node.id))
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                self.named[node.lineno].add((node.value.id, node.attr))

    def function_at(self, line: int) -> Function | None:
        """The innermost function with this line in its body."""
        around = [function for function in self.functions if function.first <= line <= function.last]
        return max(around, key=lambda function: function.first, default=None)


def reached(start: Node, direct: Mapping[Node, set[Node]]) -> set[Node]:
    """Everything that one leads to, itself included."""
    found, waiting = {start}, [start]
    while waiting:
        new = direct[waiting.pop()] - found
        found |= new
        waiting += new
    return found


class Modules:
    """All files of a tree that can import one another."""

    def __init__(self, tree: Path) -> None:
        paths = [*sorted((tree / "src").rglob("*.py")), *sorted((tree / "tests").rglob("*.py"))]
        self.modules = {
            str(path.relative_to(tree)): Module(str(path.relative_to(tree)), path.read_text()) for path in paths
        }

    @cached_property
    def imported_by(self) -> Mapping[str, set[str]]:
        """For each file, those that import from it."""
        found: dict[str, set[str]] = defaultdict(set)
        for module in self.modules.values():
            for source, name in module.imported.values():
                for candidate in (f"{source}.{name}", source):
                    path = self._path_of(candidate)
                    if path is not None:
                        found[path].add(module.path)
                        break
        return found

    def _path_of(self, module: str) -> str | None:
        inner = module.replace(".", "/")
        for path in (f"src/{inner}.py", f"src/{inner}/__init__.py", f"{inner}.py", f"{inner}/__init__.py"):
            if path in self.modules:
                return path
        return None

    def _origin(self, module: Module, before: str, name: str) -> Name | None:
        """The file that defines a name used in a file."""
        if not before:
            if name not in module.imported:
                return module.path, name
            source, name = module.imported[name]
        else:
            source = ".".join(filter(None, module.imported.get(before, ("", ""))))
        path = self._path_of(source)
        if path is None:
            return None
        inner = self.modules[path].imported.get(name)  # a package that re-exports names of its modules
        if inner is not None and (origin := self._path_of(inner[0])) is not None:
            return origin, inner[1]
        return path, name

    @cached_property
    def kernels(self) -> Mapping[Name, Function]:
        return {
            (module.path, function.name): function
            for module in self.modules.values()
            for function in module.functions
            if function.compiled
        }

    def kernels_named(self, module: Module, lines: Iterable[int]) -> set[Name]:
        found = (self._origin(module, *named) for line in lines for named in module.named.get(line, ()))
        return {name for name in found if name is not None and name in self.kernels}

    def with_machine_code_of(self, path: str, line: int) -> set[str]:
        """The files whose kernels must be compiled again after a change of one line, because they inline kernels or contain
        constants that the line may change."""
        function = self.modules[path].function_at(line)
        if function is not None and not function.compiled:
            return {path}
        return reached(path, self._compiled_into)

    @cached_property
    def _compiled_into(self) -> Mapping[str, set[str]]:
        """For each file, those whose kernels or constants use a name of it."""
        found: dict[str, set[str]] = defaultdict(set)
        for path in sorted({path for path, _ in self.kernels} | set(self.imported_by)):
            module = self.modules[path]
            for line, names in module.named.items():
                function = module.function_at(line)
                if function is None or function.compiled:
                    for origin in (self._origin(module, *named) for named in names):
                        if origin is not None:
                            found[origin[0]].add(path)
        return found

    @cached_property
    def callees(self) -> Mapping[Name, set[Name]]:
        """For each kernel, all direct and indirect callees, itself included."""
        direct = {
            (path, name): self.kernels_named(self.modules[path], range(kernel.first, kernel.last + 1))
            for (path, name), kernel in self.kernels.items()
        }
        return {kernel: reached(kernel, direct) for kernel in direct}


class Reach:
    """Which of these tests reach which line of the files, from coverage and the kernels' call graph."""

    def __init__(self, modules: Modules, lines: Lines, tests: Iterable[str]) -> None:
        self.modules, self.lines = modules, lines
        self._together: dict[str, set[str]] = defaultdict(set)  # the tests of each file
        for test in tests:
            self._together[test.partition("::")[0]].add(test)

    @cached_property
    def _of_kernels(self) -> Mapping[Name, set[str]]:
        """The tests that reach each kernel: those that reach a line that names it or a kernel that calls it."""
        found: dict[Name, set[str]] = defaultdict(set)
        for path, lines in self.lines.items():
            module = self.modules.modules.get(path)
            for line, tests in lines.items() if module is not None else ():
                if module is not None and tests and module.function_at(int(line)) is not None:
                    for kernel in self.modules.kernels_named(module, (int(line),)):
                        for callee in self.modules.callees[kernel]:
                            found[callee].update(tests)
        return found

    def tests(self, path: str, line: int) -> set[str]:
        """The tests that reach a line of a file.

        A line outside of functions is reached by all tests that reach a function of the file, or of a file that imports from it; and
        by the tests beside these, which may only read a constant.
        """
        module = self.modules.modules[path]
        function = module.function_at(line)
        if function is not None:
            return self._of_function_line(path, line, function)
        found = {
            test
            for each in {path, *self.modules.imported_by[path]}
            for inner in self.modules.modules[each].functions
            for at in range(inner.first, inner.last + 1)
            for test in self._of_function_line(each, at, inner)
        }
        return found.union(*(self._together[test.partition("::")[0]] for test in found))

    def _of_function_line(self, path: str, line: int, function: Function) -> set[str]:
        if function.compiled:
            return self._of_kernels[path, function.name]
        return set(self.lines.get(path, {}).get(str(line), ()))
