"""A study as one file for others: `pack_study` writes it. `checking_archives` checks it without running anything again.

    result.json                 the study's result: tables, figures, findings, and what it was made with
    page.html                   its page
    answers.jsonl               one line a question: its key, its basis, and its answer; games as they were played
    configurations/NAME.json    of every training: NAME is its run's
    certificates/SHA256.proof.xz    what every proved agent plays, position by position
    README.txt                  how to check it

What it leaves out: weights and positions of self-play, which are no part of what the page says; and any program, because
a checker that comes with what it checks could be anything.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from noughts.agents.registry import from_outside
from noughts.document.result import StudyResult
from noughts.questions.question import Question
from noughts.questions.trained import Training
from noughts.reports.page import study_page
from noughts.rules import StoreError
from noughts.store.archive_file import write_archive
from noughts.store.certificates import ENDING, certificate_path
from noughts.store.files import require_new
from noughts.store.results import RunInfo, Store
from noughts.studies.registry import is_ours
from noughts.studies.run import answers_of_run
from noughts.studies.study import Study

KIND = "noughts study archive"
ANSWERS, RESULT, PAGE, README = "answers.jsonl", "result.json", "page.html", "README.txt"
CERTIFICATES, CONFIGURATIONS = "certificates/", "configurations/"
_NAMES = re.compile(
    rf"{ANSWERS}|{RESULT}|{PAGE}|{README}|"
    rf"{CONFIGURATIONS}[A-Za-z0-9][A-Za-z0-9._-]*\.json|{CERTIFICATES}[0-9a-f]{{64}}{re.escape(ENDING)}"
)

_TOLD = """\
An archive of the study {name}, scale {scale}, seed {seed}, made by noughts {version}.

    noughts study check FILE        compares all hashes, replays every game by the rule book, checks every certificate by
                                    playing every reply, and draws the study's conclusion again from the answers
    python verify.py certificates/*.proof.xz
                                    checks the certificates alone; src/noughts/solvers/verify.py of noughts is that
                                    program, and needs nothing but Python. Take it from noughts, never from an archive

Nothing is trained, played or walked again. `{repeat}`
does that.
"""


def readme(result: StudyResult) -> bytes:
    """What the archive of a result tells its reader."""
    told = {name: getattr(result, name) for name in ("name", "scale", "seed", "repeat")}
    return _TOLD.format(**told, version=result.environment.versions.get("noughts", "unknown")).encode()


def configuration(training: Training) -> bytes:
    """A training's configuration, as an archive has it."""
    return f"{training.config.to_json()}\n".encode()


class PackedStudy(NamedTuple):
    """What was packed: how many answers, certificates and training configurations, and bytes in all.

    Attributes:
        checkable: Whether `noughts study check` takes it.
    """

    path: Path
    answers: int
    certificates: int
    configurations: int
    bytes: int
    checkable: bool


def is_member(name: str) -> bool:
    """Whether an archive may hold a member of this name."""
    return _NAMES.fullmatch(name) is not None


def pack_study(study: Study, run: RunInfo, store: Store, path: Path, force: bool = False) -> PackedStudy:
    """Pack a finished run of a study; equal runs give equal bytes.

    Raises:
        NoughtsError: some answers are not kept, or were found by other code.
        StoreError: a certificate is missing, the file is there already, or it cannot be written.
    """
    kept = answers_of_run(study, run, store)
    result = StudyResult.from_json(run.result or "")
    members = {
        RESULT: result.to_json().encode(),
        PAGE: study_page(result).encode(),
        ANSWERS: "".join(
            f"{line}\n"
            for line in sorted(_answer_line(unit, kept.answers[unit], kept.answers.problems) for unit in kept.units)
        ).encode(),
        README: readme(result),
    }
    trainings = [unit for unit in kept.units if isinstance(unit, Training)]
    for training in trainings:
        members[f"{CONFIGURATIONS}{training.name}.json"] = configuration(training)
    digests = sorted({proof.sha256 for proof in result.proofs})
    for digest in digests:
        try:
            members[f"{CERTIFICATES}{digest}{ENDING}"] = certificate_path(digest).read_bytes()
        except OSError as error:
            raise StoreError(
                f"certificate {digest} cannot be read ({error.strerror or error}): `{result.repeat}` makes it again"
            ) from error
    facts = {
        "study": study.name,
        "scale": result.scale,
        "seed": result.seed,
        "run": run.id,
        "agents": list(result.agents),
        "move_seconds": kept.settings.move_seconds,
        "noughts": result.environment.versions["noughts"],
    }
    require_new(path, force)
    write_archive(path, KIND, facts, members)
    checkable = not needs_code_from_outside(result)
    return PackedStudy(path, len(kept.units), len(digests), len(trainings), path.stat().st_size, checkable)


def needs_code_from_outside(result: StudyResult) -> bool:
    """Whether the study or an agent of it is no code of ours: such an archive is not checked, as none is loaded from it.

    Raises:
        AgentError: one of its agents is none.
    """
    return not is_ours(result.name) or any("python:" in agent or from_outside(agent) for agent in result.agents)


def _answer_line(unit: Question[Any], answer: Any, problems: Mapping[str, str]) -> str:
    """An answer, or why there is none, as a line of JSON that begins with the key."""
    given = (
        {"problem": problems[unit.key]}
        if unit.key in problems and answer is None
        else {"answer": json.loads(answer.to_json())}
    )
    return json.dumps({"key": unit.key, "basis": unit.depends_on().basis, **given}, sort_keys=False)
