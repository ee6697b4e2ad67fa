"""`Certified`: the certificates of a proof as files of one's own, for a game and for images of it.

What a walk has kept and checked is written out; an image of the game gets the same play, moved.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from noughts.examine.certify import AgentCertificate, read_agent_certificate
from noughts.machine import Recorder
from noughts.questions.question import Question, Rounds
from noughts.questions.solved import WrittenCertificate
from noughts.questions.walked import AboutReplies, EveryReply, Walked
from noughts.rules import AgentError, CertificateError, Rules, Value
from noughts.rules.symmetry import image_onto
from noughts.solvers.certificate import file_name
from noughts.solvers.verify import verify
from noughts.store.certificates import read_certificate_file
from noughts.store.files import require_new, write_atomically


class CertificateFiles(Value):
    """The certificates that were written."""

    written: tuple[WrittenCertificate, ...]


class Certified(AboutReplies, Question[CertificateFiles]):
    """The certificates of an agent in one game and in images of it.

    Attributes:
        rules: The game; the other fields are those of `EveryReply`.
        images: The games for which a file is wanted: this one, or images of it if the agent treats images alike.
        folder: Where the files go.
        force: Whether files that are there are written over, if they are others.
    """

    effort: ClassVar[frozenset[str]] = AboutReplies.effort | {"force"}

    rules: Rules
    images: tuple[Rules, ...]
    folder: str
    force: bool = False

    def makes(self) -> Path:
        """The folder of the files."""
        return Path(self.folder).absolute()

    def accepts(self, answer: CertificateFiles) -> bool:
        """If the files are still there."""
        return all(written.is_there for written in answer.written)

    def answer(self, needed: Sequence[Any], notes: Recorder) -> Rounds[CertificateFiles]:
        """Write what the walk has kept; each file is checked before it counts.

        Raises:
            AgentError: the agent can be beaten.
            CertificateError: there can be no certificate.
            StoreError: a file cannot be written, or what was kept is damaged.
        """
        fields = {name: getattr(self, name) for name in AboutReplies.model_fields} | {"certify": True}
        walk = EveryReply(rules=self.rules, **fields)
        (result,) = yield [walk]
        if not result.proved:
            if result.unchecked:
                raise CertificateError(result.unchecked)
            raise AgentError(
                f"{walk.called_agent} can be beaten as {self.side} player of {self.rules}: there is nothing to certify"
            )
        notes.note(f"certificates of {self.agent} are written")
        kept = read_agent_certificate(read_certificate_file(result.certificate))
        return CertificateFiles(written=tuple(self._write(kept, result.verb, rules) for rules in self.images))

    def _write(self, certificate: AgentCertificate, claim: str, rules: Rules) -> WrittenCertificate:
        image = image_onto(self.rules, rules)
        assert image is not None
        path = Path(self.folder) / f"{self.side}-{file_name(rules)}"
        content = certificate.moved(rules, image).content("wins" if claim == "wins" else "never loses")
        if not (path.is_file() and path.read_bytes() == content):
            require_new(path, self.force)
            write_atomically(path, content)
        report = verify(path)
        return WrittenCertificate.at(path, rules, report.positions)


def certifications(walked: Walked, proved: Sequence[Rules], folder: Path, force: bool = False) -> list[Certified]:
    """What to ask for certificates of all games of a task in which an agent is proved."""
    images: dict[Rules, list[Rules]] = {}
    for rules in proved:
        images.setdefault(walked.walk_of(rules).rules, []).append(rules)
    fields = {name: getattr(walked, name) for name in AboutReplies.model_fields}
    return [
        Certified(rules=rules, images=tuple(games), folder=str(folder), force=force, **fields)
        for rules, games in images.items()
    ]
