"""`Checked`: whether a certificate proves what it says, by the independent checker, without any array library."""

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
    """What became of a check.

    Attributes:
        file: Its path.
        error: Why it is refused; empty if it is proved.
        side, claim, agent, rules: Who ``wins`` or ``never loses`` which game; `agent` is empty for a solver's.
        positions, replies: How many were met.
        unused: Entries that no game needs.
        longest: Plies of the longest game.
        seconds: Time taken.
        sha256: Of the file, unpacked if it was packed.
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
    """A certificate that is to be checked."""

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
    """What the checker finds in each file, in that order; `follow` goes through the steps."""
    checks, answers = [Checked(path=str(path)) for path in paths], Answers()  # nothing is kept: a file may change
    follow(carry_out(checks, answers, workers))
    failed = "it could not be checked: "
    return [answers[one] or CheckReport(file=one.path, error=failed + answers.problems[one.key]) for one in checks]
