"""The AlphaZero agent: a network from a training run, and a search that it guides.

Each process reads the weights and compiles the programs only once, for any number of games, because both are slow.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal, TypeVar

from noughts.agents.agent import Decision, Want, grouped, one_of
from noughts.agents.trained import depends_on, read_weights
from noughts.agents.view import View, from_one_side
from noughts.networks.weights import WEIGHTS, load_network
from noughts.positions import Position, Rng
from noughts.rules import AgentError, NoughtsError, Rules
from noughts.search.guided import GuidedSearch, Servant
from noughts.search.guided_trace import trace_guided
from noughts.search.settings import Method, SearchSettings
from noughts.search.trace import Trace

Search = Method | Literal["trained"]
Loaded = tuple[Servant, Mapping[str, str]]
"""A network or a model, and what else was written with it."""
Load = Callable[[Mapping[str, bytes]], Loaded]
_Answer = TypeVar("_Answer")


class NetworkAgent:
    """Plays the best move of a search guided by a network, or of the network's raw policy.

    Attributes:
        called: Its name in errors.
        symmetric: Whether it sees the canonical form of every position. Then positions that are equivalent under a
            symmetry of the board are one position to it. Of several moves that are equivalent under symmetry, it plays
            one at random. Otherwise it is deterministic.
    """

    def __init__(self, search: GuidedSearch, called: str = "the network", symmetric: bool = False) -> None:
        self._search, self.called, self.symmetric = search, called, symmetric

    def decide(self, positions: Sequence[Position], rngs: Sequence[Rng], want: Want = Want.MOVE) -> list[Decision]:
        """The move of the search or, if `symmetric`, an equivalent one; AgentError if the network does not support a game."""
        views = self._views(positions)
        seen = [view.position for view in views]
        results = self._ask(self._search.search, seen) if want is Want.ANALYSIS else []
        found = [result.move for result in results] if want is Want.ANALYSIS else self._ask(self._search.moves, seen)
        choices = [view.choices(move) for view, move in zip(views, found, strict=True)]
        if want is Want.CHOICES:
            return [Decision(some[0], some) for some in choices]
        moves = [one_of(some, rng) for some, rng in zip(choices, rngs, strict=True)]
        if want is Want.MOVE:
            return [Decision(move) for move in moves]
        thoughts = zip(views, results, moves, strict=True)
        return [Decision(move, analysis=view.result(result, move)) for view, result, move in thoughts]

    def values(self, positions: Sequence[Position]) -> list[float]:
        """The value that the network alone predicts for each position, for the side to move, from -1 to 1."""
        alone = self._search.alone()
        seen = [view.position for view in self._views(positions)]
        return self._ask(alone.values, seen)

    def trace(self, position: Position, simulations: int, rng: Rng) -> Trace:
        """See `asking.trace`. Of several moves that are equivalent under symmetry, the trace names one."""
        view = self._views([position])[0]
        self._require([view.position.rules])
        return view.trace(trace_guided(self._search, view.position, simulations))

    def _views(self, positions: Sequence[Position]) -> list[View]:
        if self.symmetric:
            return [from_one_side(position) for position in positions]
        return [View(position, (tuple(range(position.rules.size)),)) for position in positions]

    def _ask(self, ask: Callable[[Sequence[Position]], list[_Answer]], positions: Sequence[Position]) -> list[_Answer]:
        """Call the search once for each kind of board.

        So the compiled program for a position depends on its own rules, and not on the other positions of the request.
        """
        self._require({position.rules: None for position in positions})
        return grouped(
            positions, lambda at: (at.rules.rows, at.rules.cols, at.rules.boards, at.rules.k, at.rules.wrap), ask
        )

    def refusal(self, rules: Rules) -> str | None:
        """Why the network does not support a game, in the agent's view of it; None if it does."""
        return _refusal(self._search, self._views([Position.start(rules)])[0].position.rules)

    def _require(self, games: Iterable[Rules]) -> None:
        """AgentError if the network does not support one of them."""
        for rules in games:
            refusal = _refusal(self._search, rules)
            if refusal is not None:
                raise AgentError(f"{self.called} cannot play {rules}: {refusal}")


def learned(target: str, sims: int, search: Search, view: Literal["plain", "canonical"]) -> NetworkAgent:
    """The agent of a training run, or of a file of its weights; errors as for `trained_search`."""
    called = f"az:{target}"
    return NetworkAgent(trained_search(called, _load, target, sims, search), called, view == "canonical")


def _load(content: Mapping[str, bytes]) -> Loaded:
    loaded = load_network(content)
    return loaded.network, loaded.about


def trained_search(called: str, load: Load, target: str, sims: int, search: Search) -> GuidedSearch:
    """The search that a target's weights guide; `called` names the agent in errors.

    Raises:
        AgentError: there is no such run, iteration or file, or its weights are damaged.
    """
    try:
        return _guided(load, target, depends_on(target).basis, sims, search)
    except NoughtsError as error:
        raise AgentError(f"agent {called!r}: {error}") from error


@lru_cache(maxsize=16)
def _loaded(load: Load, target: str, code: str) -> Loaded:
    """Load the files of a target. `code` is the hash of what they depend on, so that replaced files are loaded again."""
    return load(read_weights(target, WEIGHTS))


@lru_cache(maxsize=64)
def _guided(load: Load, target: str, code: str, sims: int, search: Search) -> GuidedSearch:
    network, about = _loaded(load, target, code)
    trained = SearchSettings.from_json(about.get("search", "{}"))
    method = trained.method if search == "trained" else search
    return GuidedSearch(network, trained.model_copy(update={"method": method, "simulations": sims}))


@lru_cache(maxsize=256)
def _refusal(search: GuidedSearch, rules: Rules) -> str | None:
    return search.network.refusal(rules)
