"""The agent that learned: a network from a training run, and a search that it guides.

What takes time, reading weights and compiling programs, is done once in each process, however many games are played.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeVar

from noughts.agents.agent import one_of
from noughts.agents.trained import split_target
from noughts.agents.view import View, from_one_side
from noughts.networks.weights import LoadedNetwork, load_network
from noughts.positions import Position, Rng
from noughts.rules import AgentError, NoughtsError, Rules, format_rules
from noughts.search import SearchResult
from noughts.search.guided import GuidedSearch
from noughts.search.settings import Method, SearchSettings
from noughts.store.run_folder import RunFolder

Search = Method | Literal["trained"]
_Answer = TypeVar("_Answer")


class NetworkAgent:
    """Plays the move that a search guided by a network likes best, or the network itself.

    Attributes:
        called: What errors call it.
        symmetric: Whether it looks at every position from one side. Then the images of a position under the
            symmetries of the board are one position to it; where several of its own moves are images of one another,
            one is taken at random. Otherwise nothing is left to chance.
    """

    def __init__(self, search: GuidedSearch, called: str = "the network", symmetric: bool = False) -> None:
        self._search, self.called, self.symmetric = search, called, symmetric

    @property
    def mixes_games(self) -> bool:
        """Whether positions may be of several games: those on boards of one size are asked about at once."""
        return True

    def choose(self, position: Position, rng: Rng) -> int:
        """The move of the search; AgentError if the network cannot serve the game."""
        return self.choose_many([position], [rng])[0]

    def choose_many(self, positions: Sequence[Position], rngs: Sequence[Rng]) -> list[int]:
        """`choose` for each position."""
        return [one_of(moves, rng) for moves, rng in zip(self.choices_many(positions), rngs, strict=True)]

    def choices(self, position: Position) -> tuple[int, ...]:
        """The moves that it may choose here: one, or the images of one."""
        return self.choices_many([position])[0]

    def choices_many(self, positions: Sequence[Position]) -> list[tuple[int, ...]]:
        """`choices` for each position."""
        views = self._views(positions)
        moves = self._ask(self._search.moves, [view.position for view in views])
        return [view.choices(move) for view, move in zip(views, moves, strict=True)]

    def analyse(self, position: Position, rng: Rng) -> SearchResult:
        """The search behind `choose`, with the network's priors."""
        return self.analyse_many([position], [rng])[0]

    def analyse_many(self, positions: Sequence[Position], rngs: Sequence[Rng]) -> list[SearchResult]:
        """`analyse` for each position."""
        views = self._views(positions)
        found = self._ask(self._search.search, [view.position for view in views])
        return [
            view.result(result, one_of(view.choices(result.move), rng))
            for view, result, rng in zip(views, found, rngs, strict=True)
        ]

    def _views(self, positions: Sequence[Position]) -> list[View]:
        if self.symmetric:
            return [from_one_side(position) for position in positions]
        return [View(position, (tuple(range(position.rules.size)),)) for position in positions]

    def _ask(self, ask: Callable[[Sequence[Position]], list[_Answer]], positions: Sequence[Position]) -> list[_Answer]:
        """What the search says of each position; it is asked about one kind of board at a time.

        So the program that looks at a position depends on its own rules, and not on what is asked beside it.
        """
        boards: dict[tuple[int, ...], list[int]] = {}
        for number, position in enumerate(positions):
            rules = position.rules
            refusal = _refusal(self._search, rules)
            if refusal is not None:
                raise AgentError(f"{self.called} cannot play {format_rules(rules)}: {refusal}")
            boards.setdefault((rules.rows, rules.cols, rules.boards, rules.k), []).append(number)
        found: dict[int, _Answer] = {}
        for numbers in boards.values():
            answers = ask([positions[number] for number in numbers])
            found |= zip(numbers, answers, strict=True)
        return [found[number] for number in range(len(positions))]


class LearnedAgent(NetworkAgent):
    """The agent of a training run."""

    def __init__(self, target: str, sims: int, search: Search, view: Literal["plain", "one-side"]) -> None:
        """AgentError if there is no such run or iteration, or its weights are damaged."""
        try:
            run, iteration = split_target(target)
            folder = RunFolder.find(run)
            guided = _guided(folder.folder, iteration, folder.weights_hash(iteration), sims, search)
        except NoughtsError as error:
            raise AgentError(f"agent 'az:{target}': {error}") from error
        super().__init__(guided, f"az:{target}", symmetric=view == "one-side")


@lru_cache(maxsize=16)
def _loaded(folder: Path, iteration: int | None, digest: str) -> LoadedNetwork:
    """The network of a run; `digest` is of its weights, so that others in their place are not taken for them."""
    _, files = RunFolder.open(folder).weights_at(iteration)
    return load_network(files)


@lru_cache(maxsize=64)
def _guided(folder: Path, iteration: int | None, digest: str, sims: int, search: Search) -> GuidedSearch:
    loaded = _loaded(folder, iteration, digest)
    trained = SearchSettings.from_json(loaded.about.get("search", "{}"))
    method = trained.method if search == "trained" else search
    return GuidedSearch(loaded.network, trained.model_copy(update={"method": method, "simulations": sims}))


@lru_cache(maxsize=256)
def _refusal(search: GuidedSearch, rules: Rules) -> str | None:
    return search.network.refusal(rules)
