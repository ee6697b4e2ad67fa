"""OpenSpiel's bots and policies as agents: ``openspiel:mcts,sims=1000``, or a bot of the user's from a file.

A bot receives positions of any game in any order, and its move must not depend on earlier ones. So noughts makes a new bot
of OpenSpiel's own for each move, and restarts the user's bots at each state. All randomness comes from the agent's
generator: a draw of it seeds OpenSpiel's.

    openspiel:FILE.py:make_bot,depth=3        ->  make_bot(game, player, rng, depth=3), once for each game and side,
                                                  returns a pyspiel.Bot, or a policy, whose choices a proof checks
    game, player, rng                             a pyspiel.Game; 0 or 1; a numpy RandomState, seeded before each move
"""

import contextlib
import importlib.metadata
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from typing import Any, Literal

from noughts.agents import plugin
from noughts.agents.agent import Agent, Decision, OneByOne, Want
from noughts.agents.spec import AgentSpec
from noughts.machine.dependencies import NOTHING, Dependencies
from noughts.machine.jobs import in_one_process
from noughts.positions import Position, Rng
from noughts.rules import AgentError, Rules
from noughts.rules.text import unknown
from noughts.search import Kind, MoveResult, SearchResult

BOTS = ("mcts", "alphabeta", "random")
"""The supported bots of OpenSpiel's own."""

WhichGame = Literal["theirs", "ours"]

_MEGABYTES = 1000  # for the tree of one search
_SEEDS = 2**31  # OpenSpiel's seeds are C++ ints


def names_code(target: str) -> bool:
    """Whether a target is the user's class or function, ``FILE.py:NAME`` or ``MODULE:NAME``."""
    return ":" in target


def known_bot(target: str) -> str:
    """Return the target; AgentError if there is no such bot."""
    if not names_code(target) and target not in BOTS:
        raise AgentError(unknown("bot", target, {*BOTS, "FILE.py:NAME"}, "OpenSpiel"))
    return target


def depends_on(target: str) -> Dependencies:
    """OpenSpiel's version, and the user's source; nothing is imported."""
    version = "not installed"
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        version = importlib.metadata.version("open-spiel")
    source = plugin.code_behind(f"python:{target}") if names_code(target) else NOTHING
    return Dependencies(((target, " ".join([f"open-spiel {version}", *source.versions.values()])),), source.files)


def make_agent(target: str, game: WhichGame, more: Sequence[tuple[str, str]] = (), **options: Any) -> Agent:
    """Return the agent of a bot.

    Args:
        target: One of `BOTS`, or the place of the user's bot.
        game: Whether it plays OpenSpiel's own game if there is one, or always the game of noughts.
        more: Options for the user's bot, as pairs of names and texts.
        options: Options for one of OpenSpiel's own bots.

    Raises:
        AgentError: there is no such bot.
        MissingLibraryError: OpenSpiel is not installed.
    """
    import noughts.positions.openspiel  # noqa: F401 # raises MissingLibraryError if OpenSpiel is not installed

    if known_bot(target) == "mcts":
        return OpenSpielAgent(game, partial(_mcts, **options))
    if target == "alphabeta":
        return OpenSpielAgent(game, partial(_alpha_beta, **options))
    if target == "random":
        return OpenSpielAgent(game, _drawn_move, _uniform)
    spec = AgentSpec(name="openspiel", target=target, options=tuple(more))
    made_by = plugin.named(spec)
    keyword_arguments = plugin.keyword_arguments(spec, made_by, given=3)

    @lru_cache(maxsize=256)
    def made(rules: Rules, player: int) -> tuple[Any, Any]:
        """The user's bot or policy for a game and a side, and its generator."""
        from numpy.random import RandomState

        chance = RandomState(0)
        with plugin.AGENT_PLUGINS.guarded(f"agent {str(spec)!r} cannot be made"):
            found = made_by(game_for(rules, game), player, chance, **keyword_arguments)
        if not _is_policy(found) and not callable(getattr(found, "step", None)):
            raise AgentError(f"a bot has step(state), and a policy action_probabilities(state); {found!r} has neither")
        return found, chance

    def choices(position: Position, state: Any) -> dict[int, float]:
        found, _ = made(position.rules, int(position.to_move))
        return _possible(found.action_probabilities(state)) if _is_policy(found) else {}

    def decide(position: Position, state: Any, rng: Rng, want: Want) -> Decision:
        found, chance = made(position.rules, int(position.to_move))
        if _is_policy(found):
            return Decision(_drawn(choices(position, state), rng))
        with _seeded(chance, rng):
            found.restart_at(state)
            return Decision(found.step(state))

    return OpenSpielAgent(game, decide, choices)


class OpenSpielAgent(OneByOne):
    """A bot or a policy that sees positions as states of OpenSpiel.

    Args:
        game: As in `make_agent`.
        decide: The decision in a position and its state.
        choices: The probability of each move of a policy, by cell; empty for a bot.
    """

    def __init__(
        self,
        game: WhichGame,
        decide: Callable[[Position, Any, Rng, Want], Decision],
        choices: Callable[[Position, Any], Mapping[int, float]] = lambda position, state: {},
    ) -> None:
        self.game, self._decide, self._choices = game, decide, choices

    def decide_one(self, position: Position, rng: Rng, want: Want) -> Decision:
        """The bot's step, or a move that the policy gives a probability."""
        with in_one_process():
            return self._decide(position, self.state(position), rng, want)

    def name_choices(self, position: Position) -> tuple[int, ...]:
        """Every move that a policy gives a probability; empty for a bot."""
        with in_one_process():
            return tuple(self._choices(position, self.state(position)))

    def state(self, position: Position) -> Any:
        """The position as a state of OpenSpiel."""
        from noughts.positions.openspiel import state_of

        return state_of(position, game_for(position.rules, self.game))


def _mcts(
    position: Position, state: Any, rng: Rng, want: Want, *, sims: int, c: float, rollouts: int, solve: str
) -> Decision:
    """``pyspiel.MCTSBot``, OpenSpiel's search in C++, with random rollouts.

    It does not call `step`, which ends the process in every game that is written in Python (2.0.2).
    """
    import pyspiel

    seed = rng.below(_SEEDS)
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
    bot = pyspiel.MCTSBot(state.get_game(), evaluator, c, sims, _MEGABYTES, solve == "yes", seed, False)
    root = bot.mcts_search(state)
    move = root.best_child().action
    return Decision(move, analysis=_analysis(root, move) if want is Want.ANALYSIS else None)


def _alpha_beta(position: Position, state: Any, rng: Rng, want: Want, *, depth: int) -> Decision:
    """``open_spiel.python.algorithms.minimax``: the first of the best moves, positions at the horizon worth 0."""
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    _, move = alpha_beta_search(state.get_game(), state, lambda _: 0.0, depth)
    return Decision(move)


def _uniform(position: Position, state: Any) -> dict[int, float]:
    """``open_spiel.python.policy.UniformRandomPolicy``."""
    from open_spiel.python.policy import UniformRandomPolicy

    return _possible(UniformRandomPolicy(state.get_game()).action_probabilities(state))


def _drawn_move(position: Position, state: Any, rng: Rng, want: Want) -> Decision:
    return Decision(_drawn(_uniform(position, state), rng))


@cache
def game_for(rules: Rules, which: WhichGame) -> Any:
    """The OpenSpiel game with these rules: OpenSpiel's own, in C++, if `which` is "theirs" and it exists; else ours."""
    import pyspiel

    import noughts.positions.openspiel  # noqa: F401 # registers ours
    from noughts.positions.openspiel_text import game_text, own_game_text

    return pyspiel.load_game((own_game_text(rules) if which == "theirs" else None) or game_text(rules))


def _is_policy(made: Any) -> bool:
    return callable(getattr(made, "action_probabilities", None))


def _possible(probabilities: Mapping[int, float]) -> dict[int, float]:
    """The moves that have a probability, ascending; AgentError if none has."""
    found = {int(move): float(share) for move, share in sorted(probabilities.items()) if share > 0}
    if not found:
        raise AgentError("its policy gives no move a probability")
    return found


def _drawn(probabilities: Mapping[int, float], rng: Rng) -> int:
    """A move drawn by its probability. Draws nothing if there is only one."""
    if len(probabilities) == 1:
        return next(iter(probabilities))
    return rng.choices(list(probabilities), list(probabilities.values()))[0]


@contextlib.contextmanager
def _seeded(chance: Any, rng: Rng) -> Any:
    """Seed `chance` by the next draw of `rng`. Afterwards `rng` advances only if the block drew from `chance`."""
    ahead = Rng()
    ahead.setstate(rng.getstate())
    chance.seed(ahead.below(_SEEDS))
    before = _numbers(chance)
    yield
    if _numbers(chance) != before:
        rng.setstate(ahead.getstate())


def _numbers(chance: Any) -> tuple[object, ...]:
    """The state of a RandomState, in a form that `==` compares."""
    kind, key, *rest = chance.get_state()
    return (kind, key.tobytes(), *rest)


def _analysis(root: Any, move: int) -> SearchResult:
    """OpenSpiel's tree as a `SearchResult`: values from the point of view of the side to move."""
    moves = tuple(
        MoveResult(
            child.action,
            child.explore_count,
            child.outcome[root.player] if child.outcome else child.total_reward / max(child.explore_count, 1),
            Kind.EXACT if child.outcome else Kind.ESTIMATE,
        )
        for child in sorted(root.children, key=lambda child: child.action)
    )
    (chosen,) = (found for found in moves if found.move == move)
    line, node = [], root
    while node.children:
        node = node.best_child()
        line.append(node.action)
    return SearchResult(move, chosen.value, chosen.kind, moves, tuple(line), root.explore_count)
