"""`Checked`: whether a certificate proves its claim, by the independent checker, without any array library."""

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar

from noughts.machine import Recorder
from noughts.machine.executor import Workers
from noughts.questions.answers import Answers
from noughts.questions.carry_out import Progress, carry_out
from noughts.questions.question import Question
from noughts.rules import CertificateError, Rules, Value
from noughts.solvers.verify import BadCertificate, check


class CheckReport(Value):
    """The result of a check.

    Attributes:
        file: The path of the certificate.
        error: Why the certificate is rejected; empty if it is valid.
        side, claim, agent, rules: The side that ``wins`` or ``never loses`` the game; `agent` is empty for a solver's proof.
        positions, replies: How many the checker visited.
        unused: The number of entries that no game needs.
        longest: The number of plies of the longest game.
        seconds: Time taken.
        sha256: The SHA-256 of the unpacked file.
    """

    file: str
    error: str = ""
    side: str = ""
    claim: str = ""
    agent: str = ""
    rules: str = ""
    positions: int = 0
    replies: int = 0
    unused: int = 0
    longest: int = 0
    seconds: float = 0.0
    sha256: str = ""


class Checked(Question[CheckReport]):
    """Check a certificate."""

    packages: ClassVar = ("rules", "solvers")
    reads_files: ClassVar = True

    path: str

    def answer(self, needed: Sequence[Any], notes: Recorder) -> CheckReport:
        """Play every reply."""
        begun = time.monotonic()
        try:
            steps = check(self.path)
            while True:
                try:
                    done, most = next(steps)
                except StopIteration as end:
                    report = end.value
                    break
                notes.note(f"{self.path}: {done:,} positions of at most {most:,}")
            rules = str(Rules(**report.rules))
            if report.game != rules:
                raise CertificateError(
                    f"its header calls the game {ascii(report.game)[:80]}, and its rules are {rules}"
                )
        except (BadCertificate, CertificateError) as error:
            return CheckReport(file=self.path, error=str(error))
        except OSError as error:
            return CheckReport(file=self.path, error=f"it cannot be read: {error.strerror or error}")
        counts = ("side", "claim", "agent", "positions", "replies", "unused", "longest", "sha256")
        seconds = time.monotonic() - begun
        return CheckReport(
            file=self.path, rules=rules, seconds=seconds, **{name: getattr(report, name) for name in counts}
        )


def check_files(
    paths: Iterable[Path], workers: Workers, follow: Callable[[Iterable[Progress]], object] = tuple
) -> list[CheckReport]:
    """Check each file, and return the reports in that order; `follow` consumes the progress."""
    checks, answers = [Checked(path=str(path)) for path in paths], Answers()  # nothing is saved: a file may change
    follow(carry_out(checks, answers, workers))
    failed = "it could not be checked: "
    return [answers[one] or CheckReport(file=one.path, error=failed + answers.problems[one.key]) for one in checks]
