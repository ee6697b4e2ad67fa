"""`check_archive`: whether a study's archive holds what it says, without anything of it being run again.

    hashes          of all members, against the list at its beginning
    records         every game is replayed by the rule book; so is every lost and drawn game that a walk shows
    certificates    every proof has one, of that agent, side, game and claim, which the independent checker accepts
    conclusion      the study's result is made again from the archived answers, and compared
    page, README    they are written again from the result, and compared

It trusts nothing in the file: no code that it names is loaded, only questions that the study itself asks are read, and
there is no file in it but those above. What nothing can replay is taken as it stands, and named: see `NOT_CHECKED`.
"""

import json
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from noughts.document.result import StudyResult
from noughts.examine.walk_result import WalkResult
from noughts.library.archiving import (
    ANSWERS,
    CERTIFICATES,
    CONFIGURATIONS,
    KIND,
    PAGE,
    README,
    RESULT,
    configuration,
    is_member,
    needs_code_from_outside,
    readme,
)
from noughts.questions.answers import Answers
from noughts.questions.carry_out import carry_out
from noughts.questions.checked import Checked, not_checked
from noughts.questions.question import Question, kept_questions
from noughts.questions.trained import Training
from noughts.questions.walked import EveryReply
from noughts.reports.page import study_page
from noughts.rules import AgentError, NoughtsError, StoreError
from noughts.rules.errors import one_line
from noughts.store.archive_file import ArchiveContent, ArchiveError, read_archive
from noughts.store.certificates import ENDING
from noughts.store.records import GameRecord
from noughts.store.run import RunInfo
from noughts.studies.registry import find_study
from noughts.studies.run import study_result
from noughts.studies.study import Settings, Study, check_scale

_PNG = re.compile(r"data:image/png;base64,[A-Za-z0-9+/=]*")
"""Pictures of points depend on the library that draws them; the same drawings stand beside them as lines."""


NOT_CHECKED = "seconds, dates, versions and machines; by what code answers were found; PNG pictures on the page"
"""What is taken as it stands in every archive, for people."""


class ArchiveReport(NamedTuple):
    """What was found in an archive that holds what it says.

    Attributes:
        study, scale, seed: Which it is.
        members: Compared with their hashes.
        games, walks, certificates: Replayed, replayed and checked.
        taken: Answers that nothing can replay: trainings, timings, judgements. They are taken as they stand.
    """

    study: str
    scale: str
    seed: int
    members: int
    games: int
    walks: int
    certificates: int
    taken: int


class _ArchivedAnswers(Answers):
    """Answers as an archive has them: nothing is looked up, and no file of a store need be there."""

    def suffices(self, question: Question[Any], answer: Any) -> bool:
        """What the archive says is not compared with any file."""
        return True

    def take(self, question: Question[Any], answer: Any) -> None:
        """One of them."""
        self._remember(question, answer)


def check_archive(
    path: Path, workers: int | None = None, note: Callable[[str], None] = lambda text: None
) -> ArchiveReport:
    """Check an archive.

    Args:
        path: The file.
        workers: Processes for the certificates; None for one for each core, 0 for this one alone.
        note: Told what is checked next.

    Raises:
        ArchiveError: something in it is not as it says; the message names the first such thing.
        NoughtsError: its study is none that this version of noughts knows.
    """
    content = read_archive(path, KIND, is_member)
    try:
        return _check(content, workers, note)
    except ArchiveError as error:
        raise ArchiveError(f"{path} is refused: {error}") from None


def _check(content: ArchiveContent, workers: int | None, note: Callable[[str], None]) -> ArchiveReport:
    facts, members = content
    result = _result(content)
    try:
        outside = needs_code_from_outside(result)
    except AgentError as error:
        raise ArchiveError(f"one of its agents is none: {ascii(str(error))[:200]}") from None
    if outside:
        raise ArchiveError("it asks for code from outside noughts, which is not loaded from an archive")
    if result.seed is None:
        raise ArchiveError(f"its {RESULT} has no seed, as every run of a study has")
    study = find_study(result.name)
    check_scale(study, result.scale)
    settings = Settings(result.scale, result.seed, result.agents, _move_seconds(facts.get("move_seconds")))
    questions = study.questions(settings)
    units = list({unit.key: unit for unit in kept_questions(questions)}.values())
    note(f"{len(units):,} answers")
    answers, games, walks, taken = _answers(members, units, result)
    note("conclusion")
    made = _made_again(study, settings, questions, answers, result)
    for part in StudyResult.model_fields:
        if getattr(made, part) != getattr(result, part):
            raise ArchiveError(f"its {part} in {RESULT} are not those that follow from its answers")
    if _PNG.sub("", study_page(result)) != _PNG.sub("", members[PAGE].decode("utf-8", "replace")):
        raise ArchiveError("its page is not the one of its result")
    if members[README] != readme(result):
        raise ArchiveError(f"its {README} is not the one of its result")
    configurations = {f"{CONFIGURATIONS}{unit.name}.json": unit for unit in units if isinstance(unit, Training)}
    for name, unit in configurations.items():
        if members.get(name) != configuration(unit):
            raise ArchiveError(f"{name} is not the configuration that the study trains")
    digests = {proof.sha256 for proof in result.proofs}
    certificates = {f"{CERTIFICATES}{digest}{ENDING}" for digest in digests}
    if {name for name in members if name.startswith(CERTIFICATES)} != certificates:
        raise ArchiveError("its certificates are not those of its proofs")
    if more := set(members) - {RESULT, PAGE, README, ANSWERS, *configurations, *certificates}:
        raise ArchiveError(f"{min(more)} is of no training of the study")
    note("certificates")
    _check_certificates(members, units, answers, workers)
    return ArchiveReport(result.name, result.scale, result.seed, len(members), games, walks, len(digests), taken)


def _made_again(
    study: Study, settings: Settings, questions: Sequence[Question[Any]], answers: Answers, result: StudyResult
) -> StudyResult:
    """The result that follows from the answers; when and with what they were found nobody can say again."""
    run = RunInfo(
        id="",
        kind="study",
        name=study.name,
        identity={},
        seed=settings.seed,
        status="finished",
        environment=result.environment,
        started=result.started,
        finished=None,
        seconds=result.seconds,
        result=None,
    )
    made = study_result(study, settings, questions, answers, run, True, result.taken_over)
    same = sorted(made.problems) == sorted(result.problems)  # they come in the order in which they arose
    return made.model_copy(update={"problems": result.problems}) if same else made


def _result(content: ArchiveContent) -> StudyResult:
    facts, members = content
    for name in (RESULT, PAGE, README, ANSWERS):
        if name not in members:
            raise ArchiveError(f"it has no {name}")
    try:
        result = StudyResult.from_json(members[RESULT].decode())
    except (StoreError, ValueError):
        raise ArchiveError(f"its {RESULT} is no result of a study") from None
    said = (result.name, result.scale, result.seed, list(result.agents), result.environment.versions.get("noughts"))
    if said != tuple(facts.get(name) for name in ("study", "scale", "seed", "agents", "noughts")):
        raise ArchiveError(f"its {RESULT} is of another study than it says")
    return result


def _move_seconds(given: object) -> float | None:
    if given is not None and not (isinstance(given, int | float) and given > 0):
        raise ArchiveError("its limit for moves is none")
    return None if given is None else float(given)


def _lines(members: Any) -> Iterator[dict[str, Any]]:
    for line in members[ANSWERS].decode("utf-8", "replace").splitlines():
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if (
            not isinstance(found, dict)
            or not isinstance(found.get("key"), str)
            or set(found) not in ({"key", "basis", "answer"}, {"key", "basis", "problem"})
        ):
            raise ArchiveError(f"{ANSWERS} has a line that is no answer: {ascii(line)[:60]}")
        yield found


def _answers(members: Any, units: list[Question[Any]], result: StudyResult) -> tuple[_ArchivedAnswers, int, int, int]:
    """The archived answers of the study's questions, each as far as it can be replayed; how many games, walks and others."""
    given, answers = list(_lines(members)), _ArchivedAnswers()
    lines = {line["key"]: line for line in given}
    if len(lines) < len(given):
        raise ArchiveError(f"{ANSWERS} answers a question twice")
    missing = [unit.key for unit in units if unit.key not in lines]
    if missing or len(lines) > len(units):
        raise ArchiveError(
            f"{len(missing)} of the {len(units)} answers are not in it, or were asked by other code: check it with "
            f"noughts of commit {result.environment.commit or 'unknown'}"
        )
    games = walks = taken = 0
    for unit in units:
        line = lines[unit.key]
        if "answer" not in line:
            answers.problems[unit.key] = str(line.get("problem"))
            continue
        try:
            answer = unit.answer_type().from_json(json.dumps(line["answer"]))
            replayed = unit.checked(answer)
        except (NoughtsError, ValueError, TypeError) as error:
            raise ArchiveError(f"the answer to {unit.key} cannot be: {one_line(error)}") from None
        if replayed != answer:
            raise ArchiveError(f"the answer to {unit.key} is not what its moves say, replayed by the rule book")
        games += isinstance(answer, GameRecord)
        walks += isinstance(answer, WalkResult)
        taken += not isinstance(answer, GameRecord | WalkResult)
        answers.take(unit, answer)
    return answers, games, walks, taken


def _check_certificates(members: Any, units: list[Question[Any]], answers: Answers, workers: int | None) -> None:
    """Each proof has its certificate, which the independent checker accepts."""
    walks = [(unit, answers[unit]) for unit in units if isinstance(unit, EveryReply)]
    proved = [(unit, result) for unit, result in walks if result is not None and result.proved]
    with tempfile.TemporaryDirectory() as folder:
        checks = {}
        for digest in {result.certificate for _, result in proved}:
            path = Path(folder) / f"{digest}{ENDING}"
            path.write_bytes(members[f"{CERTIFICATES}{digest}{ENDING}"])
            checks[digest] = Checked(path=str(path))
        found = Answers()
        for _ in carry_out(checks.values(), found, workers):
            pass
        for unit, result in proved:
            check = checks[result.certificate]
            report = found[check] or not_checked(check.path, found.problems.get(check.key, ""))
            if report.error:
                raise ArchiveError(f"certificate {result.certificate} is refused: {report.error}")
            if report.sha256 != result.certificate:
                raise ArchiveError(f"certificate {result.certificate} has another SHA-256")
            said = (report.agent, report.side, report.claim, report.rules)
            if said != (unit.called_agent, unit.side, result.verb, str(unit.rules)):
                raise ArchiveError(f"certificate {result.certificate} is of another agent, side, claim or game")
