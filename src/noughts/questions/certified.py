"""`Certified`: what an agent itself plays in a game in which it is proved, as certificates that a stranger can check.

The agent is asked what the proof has asked it, so that a proof that is kept costs no further question.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from noughts.agents import AgentSpec
from noughts.examine.certify import AgentCertificate
from noughts.examine.every_reply import every_reply
from noughts.examine.walk import Walk
from noughts.machine import Recorder
from noughts.play.playthrough import SIDES
from noughts.play.score import Player
from noughts.positions import Side
from noughts.questions.question import Steps, Unit
from noughts.questions.solved import WrittenCertificate
from noughts.questions.traits import AgentTraits
from noughts.questions.walked import Walked, decided
from noughts.rules import AgentError, Rules, Value
from noughts.rules.symmetry import image_onto
from noughts.solvers.certificate import file_name
from noughts.solvers.verify import verify
from noughts.store.files import require_new, write_atomically


class CertificateFiles(Value):
    """The certificates that were written."""

    written: tuple[WrittenCertificate, ...]


class Certified(Unit[CertificateFiles]):
    """The certificates of an agent in one game and in images of it.

    Attributes:
        rules, agent, side, instance: As of `EveryReply`.
        images: The games for which a file is wanted: this one, or images of it if the agent treats images alike.
        folder: Where the files go.
        force: Whether files that are there are written over, if they are others.
    """

    effort: ClassVar[frozenset[str]] = frozenset({"force"})

    rules: Rules
    agent: AgentSpec
    side: Player
    instance: int | None = None
    images: tuple[Rules, ...]
    folder: str
    force: bool = False

    def agents(self) -> Sequence[AgentSpec]:
        """The one."""
        return (self.agent,)

    def accepts(self, answer: CertificateFiles) -> bool:
        """If the files are still there."""
        return all(written.is_there for written in answer.written)

    def steps(self, notes: Recorder) -> Steps[CertificateFiles]:
        """Walk every reply, and write what the agent may choose; each file is checked before it counts.

        Raises:
            AgentError: the agent can be beaten.
            CertificateError: the game has too many cells or positions for a certificate.
            StoreError: a file cannot be written.
        """
        (traits,) = yield [AgentTraits(agent=self.agent)]
        symmetric = self.instance is None and traits.symmetric
        who = str(self.agent) if self.instance is None else f"instance {self.instance} of {self.agent}"
        side = Side(SIDES.index(self.side))
        certificate = AgentCertificate(self.rules, side, who, symmetric)
        level: list[Walk] = []
        game = str(self.rules)

        def note(walk: Walk) -> None:
            level.append(walk)
            notes.note(f"certificate of {self.agent} in {game}: {len(walk):,} positions after {walk.ply} plies")

        walk = every_reply(self.rules, side, symmetric, note=note)
        try:
            asked = next(walk)
            while True:
                found = yield [decided(self, moves) for moves in asked]
                if level:  # asked along a lost game, it is asked without a level
                    certificate.add(level.pop().words(), [moves for answer in found for moves in answer.moves])
                asked = walk.send([answer.moves for answer in found])
        except StopIteration as end:
            result = end.value
        if not result.proved:
            raise AgentError(f"{who} can be beaten as {self.side} player of {game}: there is nothing to certify")
        return CertificateFiles(written=tuple(self._write(certificate, result.verb, rules) for rules in self.images))

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
        images.setdefault(walked.unit(rules).rules, []).append(rules)
    return [
        Certified(
            rules=rules,
            agent=walked.agent,
            side=walked.side,
            instance=walked.instance,
            images=tuple(games),
            folder=str(folder),
            force=force,
        )
        for rules, games in images.items()
    ]
