"""Archives of studies: `pack_study` writes one as a single file, and `check_archive` checks it without running anything again.

    result.json                 the study's result: tables, figures, findings, and the environment
    page.html                   its page
    answers.jsonl               one line for each question: its key, its basis, and its answer; games with all their moves
    configurations/NAME.json    the configuration of each training; NAME is the name of its run
    certificates/SHA256.proof.xz    the moves of each proved agent, position by position
    README.txt                  how to check it

A check trusts nothing in the file. It loads no code that the file names, and reads only answers to questions that the study itself
asks. It replays every game and walk with the reference rules. Each proof needs a certificate for the same agent, side, game and
claim, which the independent checker accepts. Then the study draws its conclusion again from the archived answers, and everything
else in the file must follow from it, but the words of a page that another version of noughts wrote. `NOT_CHECKED` lists what
cannot be replayed.

An archive contains neither weights nor self-play positions, because the page does not depend on them. It contains no program
either, because a checker that comes with the data could be written to accept it.
"""

import json
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from noughts.agents.registry import from_outside
from noughts.document.result import StudyResult
from noughts.examine.walk_result import WalkResult
from noughts.machine.environment import Environment, current_environment
from noughts.questions.answers import Answers
from noughts.questions.checked import check_files
from noughts.questions.question import Question, kept_questions
from noughts.questions.trained import Training
from noughts.questions.walked import EveryReply
from noughts.reports.page import study_page
from noughts.rules import AgentError, NoughtsError, StoreError
from noughts.rules.errors import one_line
from noughts.store.archive_file import ArchiveContent, ArchiveError, read_archive, write_archive
from noughts.store.certificates import ENDING, certificate_path
from noughts.store.files import require_new
from noughts.store.records import GameRecord
from noughts.store.results import RunInfo, Store
from noughts.studies.registry import STUDIES, find_study
from noughts.studies.run import answers_of_run, study_result
from noughts.studies.study import Settings, Study, check_scale

KIND = "noughts study archive"
NOT_CHECKED = "seconds, dates, versions and machines; by what code answers were found; PNG pictures on the page"
"""Parts of an archive that are accepted without a check, in words."""

_ANSWERS, _RESULT, _PAGE, _README = "answers.jsonl", "result.json", "page.html", "README.txt"
_IN_WORDS = (_PAGE, _README)
"""Members whose wording may change from one version of noughts to the next."""

_NAMES = re.compile(
    rf"{_ANSWERS}|{_RESULT}|{_PAGE}|{_README}|"
    rf"configurations/[A-Za-z0-9][A-Za-z0-9._-]*\.json|certificates/[0-9a-f]{{64}}{re.escape(ENDING)}"
)
_PNG = re.compile(rb"data:image/png;base64,[A-Za-z0-9+/=]*")
"""PNG pictures depend on the library that draws them. The page also contains the same drawings as SVG."""

_README_TEXT = """\
An archive of the study {name}, scale {scale}, seed {seed}, made by noughts {version}.

    noughts study check FILE        compares all hashes, replays every game by the rule book, checks every certificate by
                                    playing every reply, and draws the study's conclusion again from the answers
    python verify.py certificates/*.proof.xz
                                    checks the certificates alone; src/noughts/solvers/verify.py of noughts is that
                                    program, and needs nothing but Python. Take it from noughts, never from an archive

Nothing is trained, played or walked again. `{repeat}`
does that.
"""


def is_member(name: str) -> bool:
    """Return whether an archive may contain a member of this name."""
    return _NAMES.fullmatch(name) is not None


def pack_study(study: Study, run: RunInfo, store: Store, path: Path, force: bool = False) -> dict[str, Any]:
    """Pack a finished run of a study; equal runs give equal bytes.

    Returns:
        The file; the numbers of its answers, certificates and training configurations; its bytes; and in `checkable`
        whether `noughts study check` accepts it.

    Raises:
        NoughtsError: some answers are not saved, or were computed by another version of the code.
        StoreError: a certificate is missing, the file exists already, or it cannot be written.
    """
    units, answers = answers_of_run(study, run, store)
    result = StudyResult.from_json(run.result or "")
    members = _following(result, units)
    lines = (_answer_line(unit, answers[unit], answers.problems) for unit in units)
    members[_ANSWERS] = "".join(f"{line}\n" for line in sorted(lines)).encode()
    digests = sorted({proof.sha256 for proof in result.proofs})
    for digest in digests:
        try:
            members[_certificate(digest)] = certificate_path(digest).read_bytes()
        except OSError as error:
            raise StoreError(
                f"certificate {digest} cannot be read ({error.strerror or error}): `{result.repeat}` makes it again"
            ) from error
    facts = _facts(result) | {"run": run.id, "move_seconds": run.identity["move_seconds"]}
    require_new(path, force)
    write_archive(path, KIND, facts, members)
    return {
        "path": str(path),
        "answers": len(units),
        "certificates": len(digests),
        "configurations": sum(isinstance(unit, Training) for unit in units),
        "bytes": path.stat().st_size,
        "checkable": not _needs_code_from_outside(result),
    }


def _following(result: StudyResult, units: Iterable[Question[Any]]) -> dict[str, bytes]:
    """Make the members that are determined by a result and the questions of its study."""
    named = {name: getattr(result, name) for name in ("name", "scale", "seed", "repeat")}
    version = result.environment.versions.get("noughts", "unknown")
    return {
        _RESULT: result.to_json().encode(),
        _PAGE: study_page(result).encode(),
        _README: _README_TEXT.format(**named, version=version).encode(),
    } | {
        f"configurations/{unit.name}.json": f"{unit.config.to_json()}\n".encode()
        for unit in units
        if isinstance(unit, Training)
    }


def _certificate(digest: str) -> str:
    return f"certificates/{digest}{ENDING}"


def _facts(result: StudyResult) -> dict[str, Any]:
    return {
        "study": result.name,
        "scale": result.scale,
        "seed": result.seed,
        "agents": list(result.agents),
        "noughts": result.environment.versions.get("noughts"),
    }


def _answer_line(unit: Question[Any], answer: Any, problems: Mapping[str, str]) -> str:
    """Write an answer, or the reason why it is missing, as a line of JSON that begins with the key."""
    given = (
        {"problem": problems[unit.key]}
        if unit.key in problems and answer is None
        else {"answer": json.loads(answer.to_json())}
    )
    return json.dumps({"key": unit.key, "basis": unit.depends_on().basis, **given}, sort_keys=False)


def _needs_code_from_outside(result: StudyResult) -> bool:
    """Return whether the study or one of its agents is third-party code, which is never loaded from an archive.

    Raises:
        AgentError: one of its agents does not exist.
    """
    return result.name not in STUDIES or any("python:" in agent or from_outside(agent) for agent in result.agents)


def check_archive(
    path: Path, workers: int | None = None, note: Callable[[str], None] = lambda text: None
) -> dict[str, Any]:
    """Check an archive.

    Args:
        path: The file.
        workers: Number of processes that check certificates; None for one per core, 0 for this process alone.
        note: Called with the name of each step before it begins.

    Returns:
        The archived study, scale and seed; the numbers of members that were compared with their hashes, of games and
        walks that were replayed, and of certificates that were checked; in `taken` the number of answers that are
        accepted as they are, because they cannot be replayed: trainings, timings, scores; the file; and in `not_checked`
        `NOT_CHECKED`, with the members that another version of noughts wrote in other words.

    Raises:
        ArchiveError: the content is inconsistent; the message names the first contradiction.
        NoughtsError: this version of noughts has no such study.
    """
    content = read_archive(path, KIND, is_member)
    try:
        return _check(content, workers, note) | {"file": str(path)}
    except ArchiveError as error:
        raise ArchiveError(f"{path} is refused: {error}") from None


def _check(content: ArchiveContent, workers: int | None, note: Callable[[str], None]) -> dict[str, Any]:
    members, result = content.members, _result(content)
    study = find_study(result.name)
    check_scale(study, result.scale)
    assert result.seed is not None
    settings = Settings(result.scale, result.seed, result.agents, _move_seconds(content.facts.get("move_seconds")))
    questions = study.questions(settings)
    units = list({unit.key: unit for unit in kept_questions(questions)}.values())
    note(f"{len(units):,} answers")
    answers, games, walks, taken = _answers(members[_ANSWERS], units, result)
    note("conclusion")
    made = _concluded_again(study, settings, questions, answers, result)
    for part in StudyResult.model_fields:
        if getattr(made, part) != getattr(result, part):
            raise ArchiveError(f"its {part} in {_RESULT} are not those that follow from its answers")
    following, digests = _following(result, units), {proof.sha256 for proof in result.proofs}
    for name in (*following, *map(_certificate, sorted(digests))):
        if name not in members:
            raise ArchiveError(f"it has no {name}")
    not_checked, maker = [NOT_CHECKED], _maker(result.environment)
    for name, expected in following.items():
        if name != _RESULT and _PNG.sub(b"", members[name]) != _PNG.sub(b"", expected):
            if name not in _IN_WORDS or maker == _maker(current_environment()):
                raise ArchiveError(f"its {name} is not what follows from its {_RESULT}")
            not_checked.append(f"{name}, which another version wrote: {maker}")
    if more := set(members) - {_ANSWERS, *following, *map(_certificate, digests)}:
        raise ArchiveError(f"{min(more)} is no part of what the study found")
    note("certificates")
    _check_certificates(members, units, answers, workers)
    return {
        "study": result.name,
        "scale": result.scale,
        "seed": result.seed,
        "members": len(members),
        "games": games,
        "walks": walks,
        "certificates": len(digests),
        "taken": taken,
        "not_checked": "; ".join(not_checked),
    }


def _maker(environment: Environment) -> str:
    """Name the version of noughts, with its commit if it is known."""
    commit = environment.commit.removesuffix("+changes")
    return f"noughts {environment.versions.get('noughts', 'unknown')}{f' of commit {commit}' if commit else ''}"


def _result(content: ArchiveContent) -> StudyResult:
    """Read the archived result, which must match the manifest and must not use third-party code."""
    facts, members = content
    for name in (_RESULT, _ANSWERS):
        if name not in members:
            raise ArchiveError(f"it has no {name}")
    try:
        result = StudyResult.from_json(members[_RESULT])
    except StoreError:
        raise ArchiveError(f"its {_RESULT} is no result of a study") from None
    if _facts(result) != {name: facts.get(name) for name in _facts(result)} or result.seed is None:
        raise ArchiveError(f"its {_RESULT} is of another study than it names")
    try:
        outside = _needs_code_from_outside(result)
    except AgentError as error:
        raise ArchiveError(f"one of its agents is none: {ascii(str(error))[:200]}") from None
    if outside:
        raise ArchiveError("it needs third-party code, which is not loaded from an archive")
    return result


def _move_seconds(given: object) -> float | None:
    if given is not None and not (isinstance(given, int | float) and given > 0):
        raise ArchiveError("its limit for moves is none")
    return None if given is None else float(given)


def _answers(given: bytes, units: Sequence[Question[Any]], result: StudyResult) -> tuple[Answers, int, int, int]:
    """Read the answers to the study's questions, replay each as far as possible, and count games, walks and others."""
    answers, lines = Answers(trusted=True), dict[str, dict[str, Any]]()
    for text in given.splitlines():
        try:
            line = json.loads(text)
            key = str(line["key"])
            if set(line) not in ({"key", "basis", "answer"}, {"key", "basis", "problem"}):
                raise ValueError
        except (ValueError, TypeError, KeyError, RecursionError):
            raise ArchiveError(f"{_ANSWERS} has a line that is no answer: {ascii(text)[:60]}") from None
        if key in lines:
            raise ArchiveError(f"{_ANSWERS} answers a question twice")
        lines[key] = line
    missing = [unit.key for unit in units if unit.key not in lines]
    if missing or len(lines) > len(units):
        raise ArchiveError(
            f"{len(missing)} of the {len(units)} answers are missing, or come from other code: check it with "
            f"noughts of commit {result.environment.commit or 'unknown'}"
        )
    games = walks = taken = 0
    for unit in units:
        line = lines[unit.key]
        if "problem" in line:
            answers.problems[unit.key] = str(line["problem"])
            continue
        try:
            answer = unit.answer_type().from_json(json.dumps(line["answer"]))
            replayed = unit.checked(answer)
        except (NoughtsError, ValueError, TypeError) as error:
            raise ArchiveError(f"the answer to {unit.key} cannot be: {one_line(error)}") from None
        if replayed != answer:
            raise ArchiveError(f"the answer to {unit.key} is not what its moves give, replayed by the reference rules")
        games += isinstance(answer, GameRecord)
        walks += isinstance(answer, WalkResult)
        taken += not isinstance(answer, GameRecord | WalkResult)
        answers.keep([(unit, answer)])
    return answers, games, walks, taken


def _concluded_again(
    study: Study, settings: Settings, questions: Sequence[Question[Any]], answers: Answers, result: StudyResult
) -> StudyResult:
    """Draw the conclusion from the answers. Dates and environment are copied, because they cannot be computed again."""
    copied = {name: getattr(result, name) for name in ("environment", "started", "seconds", "taken_over")}
    made = study_result(study, settings, questions, answers, True, **copied)
    same = sorted(made.problems) == sorted(result.problems)  # their order depends on the run
    return made.model_copy(update={"problems": result.problems}) if same else made


def _check_certificates(
    members: Mapping[str, bytes], units: Iterable[Question[Any]], answers: Answers, workers: int | None
) -> None:
    """Check that the independent checker accepts a certificate for each proof."""
    walks = [(unit, answers[unit]) for unit in units if isinstance(unit, EveryReply)]
    proved = [(unit, result) for unit, result in walks if result is not None and result.proved]
    with tempfile.TemporaryDirectory() as folder:
        paths = {}
        for digest in {result.certificate for _, result in proved}:
            paths[digest] = Path(folder) / f"{digest}{ENDING}"
            paths[digest].write_bytes(members[_certificate(digest)])
        reports = dict(zip(paths, check_files(paths.values(), workers), strict=True))
        for unit, result in proved:
            report = reports[result.certificate]
            if report.error:
                raise ArchiveError(f"certificate {result.certificate} is refused: {report.error}")
            stated = (report.sha256, report.agent, report.side, report.claim, report.rules)
            if stated != (result.certificate, unit.called_agent, unit.side, result.verb, str(unit.rules)):
                raise ArchiveError(f"certificate {result.certificate} is of another agent, side, claim or game")
