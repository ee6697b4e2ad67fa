"""Can Notakto be learned? 3x3 as first and 4x4 as second player, by five kinds of network; and what carries over."""

from collections.abc import Mapping, Sequence
from typing import Any

from noughts.document.citations import NOTAKTO_PAPER
from noughts.questions.answers import Answers
from noughts.questions.question import Question
from noughts.questions.trained import REUSED
from noughts.rules.text import counted
from noughts.studies.notakto.findings import findings
from noughts.studies.notakto.plan import SCALES, all_runs, judging, transfer_training, transferred
from noughts.studies.notakto.tables import figures, tables
from noughts.studies.study import Conclusion, Settings, Study, with_minutes


def _told(side: int, networks: Mapping[str, int], iterations: int) -> str:
    """What is trained on boards of one size: seeds by network."""
    trainings = counted(sum(networks.values()), "training")
    return f"{side}x{side}: {counted(len(networks), 'network')}, {trainings}, {iterations} iterations"


class NotaktoStudy(Study):
    """Is the paper's hypothesis true that 3x3 and 4x4 can be learned to 100 percent?"""

    name = "notakto"
    title = "Learning Notakto, and carrying it to larger boards"
    question = (
        "Can self-play learn to win every game of Notakto, on 3x3 as first and on 4x4 as second player, and does what "
        "is learned there hold on 5x5 and 6x6?"
    )
    paper = (
        "A deep reinforcement learning approach to solving misère combinatorial games (2018), results and discussion"
    )
    citations = (NOTAKTO_PAPER,)
    scales = with_minutes(
        {
            scale: f"{'; '.join(_told(n, networks, size.iterations[n]) for n, networks in size.networks.items())}; up to 4x4: {size.transfer_iterations} iterations; {size.games} games against each opponent"
            for scale, size in SCALES.items()
        },
        quick=4,
    )
    deviations = (
        "The paper names no numbers of its training: all networks here are trained by one preset, notakto-fast. Its count of iterations, 14 to 25 for 3x3, is of its own iterations, and not comparable.",
        "The fully connected network has two layers of 64, and sees one number a cell; the wide one, ours, has two layers of 256, and also sees who moves first. The convolutional network has one convolution of 64 channels and dense heads, without residual connections; the residual one has two blocks of 32 channels. The paper's text asks for both kinds, and tried neither.",
        "The paper's opponent called random avoids immediate losses. We report uniformly random play, minimax of two plies without an evaluation, which avoids them and is random otherwise, and exact play.",
        "An agent counts as perfect if no sequence of replies beats it, which is found by walking all of them, on 3x3 and 4x4. Agents look at all images of a position under the symmetries of the board as one, which makes the walk shorter and the agent no other on average. On 5x5, with too many replies to walk, games and exact tables stand in its place.",
        "Networks that train longest have fewer seeds, as the first table says. What comes of the first seed of each plays games; every reply is walked to what comes of all.",
        "Boards of 6x6 are compared with exact tables from ply 6 on: from the first ply on such a table takes 8 GiB.",
        REUSED,
    )
    takes_guests = False

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Trainings; every reply at each measurement, games at the end, and moves beside exact tables."""
        size, runs = SCALES[settings.scale], all_runs(settings)
        trainings = [*(run.training for run in runs), transfer_training(settings)]
        walks = [walk for run in runs for sims in (0, size.sims) for walk in run.walks(sims).values()]
        games = [match for run in runs for match in run.matches(settings).values()]
        larger = [judging(n, transferred(settings).values(), settings) for n in size.per_ply]
        own = [judging(run.board.size, [run.searching(settings)], settings) for run in runs if not run.board.walked]
        return [*trainings, *walks, *games, *larger, *own]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """When each network was proved, its games, the tables of larger boards, and the verdict."""
        runs = all_runs(settings)
        shown = tables(settings, runs, answers)
        return Conclusion(shown, figures(settings, runs, answers, shown), tuple(findings(settings, runs, answers)))
