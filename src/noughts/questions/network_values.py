"""`NetworkValues`: the values that a trained network predicts for positions, without search."""

from collections.abc import Sequence
from typing import Any, ClassVar

from noughts.agents import AgentSpec
from noughts.agents.trained import split_target
from noughts.machine import Recorder
from noughts.questions.question import PLAYING, Numbers, Question
from noughts.rules import Rules


class NetworkValues(Question[Numbers]):
    """Compute a network's values of positions, including terminal ones: for the side to move, from -1 to 1, in order.

    Attributes:
        agent: The agent of an AlphaZero run; its network is used.
        rules: The game.
        positions: The moves that lead to each position, as cell indices.
    """

    packages: ClassVar = PLAYING

    agent: AgentSpec
    rules: Rules
    positions: tuple[tuple[int, ...], ...]

    def answer(self, needed: Sequence[Any], notes: Recorder) -> Numbers:
        """Evaluate the positions.

        Raises:
            StoreError: there is no such run, or its weights are damaged.
        """
        from noughts.networks.weights import load_network
        from noughts.positions import Position
        from noughts.search.guided import GuidedSearch
        from noughts.search.settings import SearchSettings
        from noughts.store.run_folder import RunFolder

        run, iteration, _ = split_target(self.agent.target)
        _, files = RunFolder.find(run).weights_at(iteration)
        search = GuidedSearch(load_network(files).network, SearchSettings(simulations=0))
        return Numbers(values=tuple(search.values([Position.start(self.rules, moves) for moves in self.positions])))
