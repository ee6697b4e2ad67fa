"""How tests of commands run one, here: the exit code, and what it printed on standard output and standard error."""

import pytest

from noughts.cli.main import main


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    """Run a command; what was printed before does not count."""
    capsys.readouterr()
    code = main(list(map(str, words)))
    said = capsys.readouterr()
    return code, said.out, said.err
