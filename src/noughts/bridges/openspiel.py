"""noughts for OpenSpiel: our games as OpenSpiel games, and our agents as its bots.

    import pyspiel
    import noughts.bridges.openspiel as noughts

    game = pyspiel.load_game("noughts(rows=7,cols=7,k=4,bricks=D4,full=second)")   # or noughts.load_game("bttt(D4)")
    bots = [noughts.bot("minimax:depth=4"), pyspiel.make_uniform_random_bot(1, 7)]
    pyspiel.evaluate_bots(game.new_initial_state(), bots, 1)

Importing this module registers the game ``noughts``, which `noughts.positions.openspiel` describes. OpenSpiel's bots are
agents here without any import: ``openspiel:mcts,sims=1000`` names one.
"""

from typing import TYPE_CHECKING, Any

from noughts.positions.openspiel import (
    BoardObserver,
    MovesObserver,
    NoughtsGame,
    NoughtsState,
    position_of,
    rules_of,
    state_of,
)
from noughts.positions.openspiel_text import NAME, game_text, own_game_text
from noughts.positions.rng import Rng
from noughts.rules import AgentError, Rules, read_rules

import pyspiel  # isort: skip # after ours, whose error explains how to install pyspiel

if TYPE_CHECKING:
    from noughts.agents import Agent, AgentSpec

__all__ = [
    "NAME",
    "BoardObserver",
    "MovesObserver",
    "NoughtsBot",
    "NoughtsGame",
    "NoughtsState",
    "bot",
    "game_text",
    "load_game",
    "own_game_text",
    "position_of",
    "rules_of",
    "state_of",
]


def load_game(rules: Rules | str) -> NoughtsGame:
    """Load the OpenSpiel game with these rules, or with those of a text such as ``bttt(D4)``.

    Raises:
        RulesError: the text is malformed, or the rules are impossible.
    """
    game: NoughtsGame = pyspiel.load_game(game_text(read_rules(rules)))
    return game


class NoughtsBot(pyspiel.Bot):  # type: ignore[misc] # the library has no types
    """An agent of ours as a bot of OpenSpiel, for ``noughts`` and for OpenSpiel's own k-in-a-row games.

    It reads the state that it is given, so it need not be informed of moves. Each restart begins a game with its own
    random numbers, derived from the seed and the number of games begun before.

    Args:
        agent: An agent's text, such as ``minimax:depth=4``. It can play either side.
        seed: Seeds its random numbers.

    Raises:
        AgentError: there is no such agent.
    """

    def __init__(self, agent: "AgentSpec | str", seed: int = 0) -> None:
        from noughts.agents import build_agent

        super().__init__()
        self._spec, self._rng, self._build = agent, Rng(seed), build_agent
        self.agent: Agent = build_agent(agent)
        self._game_rng = self._rng.fork()

    def restart(self) -> None:
        """Begin another game, with a new agent if its moves depend on earlier positions."""
        from noughts.agents.asking import is_shared

        self._game_rng = self._rng.fork()
        if not is_shared(self.agent):
            self.agent = self._build(self._spec)

    def restart_at(self, state: Any) -> None:
        """Begin another game; it may begin in any state.

        Raises:
            AgentError: the agent refuses this game; or, here and below, its `refusal` fails.
        """
        from noughts.agents.asking import refusal

        self.restart()
        if reason := refusal(self.agent, [position_of(state).rules]):
            raise AgentError(f"{self._spec} cannot play {reason}")

    def step(self, state: Any) -> int:
        """Return the agent's move.

        Raises:
            RulesError: the state is of another kind of game.
            IllegalMoveError: the agent's move is illegal.
            Exception: any exception of the agent.
        """
        from noughts.agents import choose

        return choose(self.agent, position_of(state), self._game_rng)


bot = NoughtsBot
"""The short name that the guides use."""
