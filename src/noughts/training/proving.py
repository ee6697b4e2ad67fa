"""`RunProver`: tries every reply to a run's weights, and saves a certificate if none beats them.

This uses no solver and no exact values: the agent moves, every reply is played, and the independent checker plays every
reply to the certificate again. A narrow walk comes first. It keeps only the positions to which the network gives the lowest
values, so it mostly refutes a beatable agent within seconds. The full walk follows if the narrow one finds no lost game.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.agents import Agent, AgentSpec, build_agent, parse_agent
from noughts.agents.asking import is_symmetric, possible_moves
from noughts.agents.learned import NetworkAgent
from noughts.examine.every_reply import every_reply
from noughts.examine.proved_walk import proved_walk
from noughts.examine.walk import Walk, positions_after
from noughts.examine.walk_result import WalkResult
from noughts.positions import Side
from noughts.rules import AgentError, CertificateError, Rules, parse_task
from noughts.rules.symmetry import image_classes
from noughts.solvers.verify import BadCertificate, verify
from noughts.store.certificates import copy_certificates
from noughts.store.run_folder import CERTIFICATES, RunFolder
from noughts.store.run_metrics import MetricsLine
from noughts.training.registry import agent_text
from noughts.training.trainer import LostGame
from noughts.training.until import UntilProved

WIDTH = 200
"""Positions of each level that the narrow walk keeps."""

_Walked = tuple[Rules, Sequence[Rules], Side]  # a game, the symmetric games that the walk covers, and the agent's side


class ProofAttempt(NamedTuple):
    """The result of a check of some weights.

    Attributes:
        metrics: ``proved``: 1 or 0. ``replies_walked``: positions in which the agent was queried. ``loses_in``: plies of the
            shortest lost game that was found, if any.
        lost: The games that it loses.
    """

    metrics: Mapping[str, float]
    lost: tuple[LostGame, ...]


class RunProver:
    """Proves or refutes the weights of one run, iteration by iteration.

    Args:
        run: The run with the weights, which receives the certificates.
        until: The condition to prove.
        all_games: Whether to check every game of the task and every side; otherwise the first lost game ends a check.

    Attributes:
        in_a_row: The number of latest checks in a row that were proofs.
    """

    def __init__(self, run: RunFolder, until: UntilProved, all_games: bool = False) -> None:
        self.in_a_row = 0
        self._run, self._until, self._all_games = run, until, all_games
        self._rules = parse_task(run.description.task).rules
        self._refuted_last: _Walked | None = None

    @property
    def is_done(self) -> bool:
        """Whether there were as many proofs in a row as required."""
        return self.in_a_row >= self._until.stable

    def remember(self, lines: Iterable[MetricsLine]) -> None:
        """Count the checks of earlier sessions, by the run's metrics, which hold those that `check` returned."""
        for line in lines:
            if line.kind == "measurement":
                self.in_a_row = self.in_a_row + 1 if line.metrics.get("proved") == 1.0 else 0

    def agent(self, iteration: int) -> AgentSpec:
        """The agent to prove: the weights of an iteration, with the simulations of `UntilProved` and the canonical view."""
        target = f"{self._run.called}@{iteration}"
        return parse_agent(agent_text(self._run.description.method, target, self._until))

    def check(self, iteration: int) -> ProofAttempt:
        """Prove the weights of an iteration, or find a game that they lose.

        Raises:
            AgentError: the agent cannot be checked, for example because it is not deterministic.
            CertificateError: the checker rejects the certificate.
        """
        spec = self.agent(iteration)
        agent = build_agent(spec)
        symmetric = is_symmetric(agent)
        digests, lost, walked = list[str](), list[LostGame](), 0
        for game in self._games(symmetric):
            result = self._walk(agent, spec, symmetric, *game)
            walked += result.decisions
            if result.lost_game is None:
                digests.append(result.certificate)
                continue
            self._refuted_last = game
            lost.append(LostGame(game[0], result.lost_game))
            if not self._all_games:
                break
        self.in_a_row = 0 if lost else self.in_a_row + 1
        metrics = {"proved": 0.0 if lost else 1.0, "replies_walked": float(walked)}
        if lost:
            return ProofAttempt(metrics | {"loses_in": float(min(len(game.moves) for game in lost))}, tuple(lost))
        self._keep(digests)
        return ProofAttempt(metrics, ())

    def _games(self, symmetric: bool) -> list[_Walked]:
        """Each game and side, with one of several equivalent games for a symmetric agent; the last refuted one comes first."""
        classes = image_classes(self._rules) if symmetric else [[rules] for rules in self._rules]
        games = [(some[0], tuple(some[1:]), side) for side in self._until.sides for some in classes]
        return sorted(games, key=lambda game: game != self._refuted_last)

    def _walk(
        self, agent: Agent, spec: AgentSpec, symmetric: bool, rules: Rules, alike: Sequence[Rules], side: Side
    ) -> WalkResult:
        """What every reply shows, with its checked certificate if no game is lost."""
        worth = partial(_values, agent)
        replies = partial(every_reply, rules, side, symmetric, hunt=WIDTH, alike=alike, ours=True, worth=worth)
        walk = proved_walk(rules, side, str(spec), symmetric, replies)
        try:
            asked = next(walk)
            while True:
                if isinstance(asked, Path):
                    asked = walk.send(_entries(asked))
                else:
                    asked = walk.send([possible_moves(agent, positions_after(*piece)) for piece in asked])
        except StopIteration as end:
            result: WalkResult = end.value
        if result.lost_game is None and not result.walked:
            raise AgentError(f"{spec} cannot be proved in {rules}: the walk meets more than {result.limit:,} positions")
        if result.unchecked:
            raise CertificateError(f"{spec} cannot be proved in {rules}: {result.unchecked}")
        return result

    def _keep(self, digests: Sequence[str]) -> None:
        """Copy the certificates into the run's folder, in place of those of an earlier proof."""
        folder = self._run.folder / CERTIFICATES
        copied = copy_certificates(digests, folder)
        for path in set(folder.iterdir()) - set(copied):
            path.unlink()


def _entries(certificate: Path) -> int | str:
    """Check a certificate: return its number of entries, or why it is rejected."""
    try:
        report = verify(certificate)
    except BadCertificate as error:
        return str(error)
    return report.positions + report.unused


def _values(agent: Agent, walk: Walk) -> NDArray[np.float64] | None:
    """A network's values of the positions of a level, in which it is to move, from -1 to 1; None for other agents."""
    if not isinstance(agent, NetworkAgent):
        return None
    return np.array(agent.values(walk.positions(0, len(walk))))
