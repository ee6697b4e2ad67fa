"""Search guided by a network, with the real rules, on the device, many positions at once.

mctx provides the tree's arrays, `simulations` grows it, and `tree` selects the moves of a simulation. This module evaluates
moves. `guided_growth` is a pure function for use inside compiled programs; `GuidedSearch` searches positions.

A simulation steps from a parent to a child, which the network evaluates. Values are those of the side to move at
each node, so a child's value counts for its parent with the opposite sign: mctx's discount is -1 on every edge. On
edges into finished positions the discount is 0, and the true result is the edge's reward.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias

import equinox as eqx
import jax
import jax.numpy as jnp
import mctx
import numpy as np

from noughts.networks.evaluate import full_batches
from noughts.networks.model import LatentModel
from noughts.networks.network import Array, BoardShape, Network, observe
from noughts.networks.outputs import require_outputs
from noughts.positions import Position
from noughts.positions.batched import BatchedState, RulesArrays
from noughts.search.evaluations import ONE_SIZE, Evaluations, KeptPredictions
from noughts.search.imagined import imagined_growth
from noughts.search.result import Kind, MoveResult, SearchResult
from noughts.search.settings import SearchSettings
from noughts.search.tree import BatchedSearchResult, SeenTree, grown, loop_until, masked, seen_tree

_AT_ONCE = 8  # larger batches gain nothing on a CPU core
_SHARING = 64  # positions whose searches share evaluations; with fewer, more places in the network's batches stay empty
_SHARING_LONG = 16  # the same with over 64 simulations, because such searches mostly come one at a time

_Growth = Callable[
    [Any, BoardShape, BatchedState, Array, SearchSettings, bool, Array | None], tuple[BatchedSearchResult, Any]
]
"""`guided_growth` or `imagined_growth`."""

Servant: TypeAlias = Network | LatentModel
"""What guides a search: a network, with the rules, or a learned model, without them. It serves some games, and not others."""


def guided_growth(
    network: Network,
    board: BoardShape,
    states: BatchedState,
    key: Array,
    settings: SearchSettings,
    exploring: bool,
    until: Array | None = None,
    evaluations: Evaluations | None = None,
) -> tuple[BatchedSearchResult, Any]:
    """Search B positions; results for finished ones are meaningless. Also returns the tree, an `mctx.Tree`.

    Args:
        network: The network with its weights.
        board: Static.
        states: With one leading axis [B].
        key: Random key for the noise; without exploring, it has no effect.
        settings: Static.
        exploring: Whether to add noise, as in self-play; static.
        until: The number of simulations after which to stop, int32; None for all of them.
        evaluations: The cache of predictions; None for no cache.

    Raises:
        NetworkError: the network's output is not a valid prediction.
    """
    require_outputs(network, board)  # once, while the program is traced
    network = network.prepared(board)
    evaluations = evaluations or Evaluations(board)
    seen = evaluations.of(network, observe(board.env, states), ~states.is_terminal)
    illegal = ~states.legal_action_mask
    root = mctx.RootFnOutput(
        prior_logits=masked(seen.logits, illegal), value=seen.value, embedding=without_rules(states)
    )
    expand = partial(play_and_evaluate, board=board, settings=settings, evaluations=evaluations)
    loop = evaluations.loop if until is None else partial(loop_until, until)
    return grown((network, states.rules), key, root, expand, illegal, settings, exploring, loop)


def play_and_evaluate(
    weights: tuple[Network, RulesArrays],
    action: Array,
    before: BatchedState,
    board: BoardShape,
    settings: SearchSettings,
    evaluations: Evaluations,
) -> tuple[mctx.RecurrentFnOutput, BatchedState]:
    """Make a move in each position, and evaluate the position after it. States are as from `without_rules`."""
    network, rules = weights
    mover = before.ply & 1
    states = jax.vmap(board.env.step)(before._replace(rules=rules), action)
    over = states.is_terminal
    seen = evaluations.of(network, observe(board.env, states), ~over | (settings.terminal == "network"))
    reward = jnp.take_along_axis(states.rewards, mover[:, None], 1)[:, 0]
    if settings.terminal == "network":
        # This option reproduces a mistake: the network also evaluates finished positions, instead of using their results.
        # The tree continues below a finished position. Steps change neither it nor the side to move.
        reward, worth = jnp.zeros_like(reward), jnp.where(states.ply == before.ply, 1.0, -1.0)
        value = seen.value
    else:
        worth, value = jnp.where(over, 0.0, -1.0), jnp.where(over, 0.0, seen.value)
    logits = masked(seen.logits, ~states.legal_action_mask)
    output = mctx.RecurrentFnOutput(reward=reward, discount=worth, prior_logits=logits, value=value)
    return output, without_rules(states)


def without_rules(states: BatchedState) -> BatchedState:
    """Return states for the nodes of a tree, without rules: no step changes these, and every node would hold a copy."""
    return states._replace(rules=None)  # type: ignore[arg-type]


@eqx.filter_jit
def _compiled(
    search: _Growth, network: Any, board: BoardShape, states: BatchedState, settings: SearchSettings
) -> BatchedSearchResult:
    return search(network, board, states, jax.random.key(0), settings, False, None)[0]


@eqx.filter_jit(donate="all-except-first")
def _compiled_keeping(
    asked: tuple[Any, BatchedState], board: BoardShape, settings: SearchSettings, kept: KeptPredictions
) -> tuple[BatchedSearchResult, KeptPredictions]:
    network, states = asked
    evaluations = Evaluations(board, kept, ONE_SIZE)
    found, _ = guided_growth(network, board, states, jax.random.key(0), settings, False, None, evaluations)
    assert evaluations.kept is not None
    return found, evaluations.kept


@eqx.filter_jit
def _compiled_until(
    search: _Growth, network: Any, board: BoardShape, states: BatchedState, settings: SearchSettings, until: Array
) -> tuple[Array, SeenTree]:
    found, tree = search(network, board, states, jax.random.key(0), settings, False, until)
    return found.move, seen_tree(tree, settings)


class GuidedSearch:
    """A network and a search, for any positions.

    It compiles one program per board, on first use. The program always searches the same number of positions at once, and runs
    the network in batches of `ONE_SIZE`: with another size XLA would add in another order, so results would depend on the other
    positions in the batch. Searches with the rules share evaluations, which saves a third of those of a proof.
    """

    def __init__(self, network: Servant, settings: SearchSettings) -> None:
        self.network, self.settings = network, settings
        self._growth: _Growth = imagined_growth if isinstance(network, LatentModel) else guided_growth
        self._kept: dict[BoardShape, KeptPredictions] = {}  # of one board at most; a search takes it out

    def find(self, positions: Sequence[Position]) -> Iterator[tuple[Position, BatchedSearchResult]]:
        """Yield each position with its result; all share a board size. Arrays are NumPy's, without a leading axis."""
        for some, found in self._batches(positions):
            here = jax.device_get(found)
            for number, position in enumerate(some):
                yield position, jax.tree.map(lambda array, number=number: array[number], here)

    def moves(self, positions: Sequence[Position]) -> list[int]:
        """The best move in each position."""
        return self._column(positions, lambda found: found.move)

    def values(self, positions: Sequence[Position]) -> list[float]:
        """The estimated value of each position for the side to move, from -1 to 1."""
        return self._column(positions, lambda found: found.value)

    def _column(self, positions: Sequence[Position], read: Callable[[BatchedSearchResult], Array]) -> list[Any]:
        """One number from the result of each position; splitting up whole results would take a fifth of the time."""
        columns = ((some, np.asarray(read(found))) for some, found in self._batches(positions))
        return [number for some, column in columns for number in column[: len(some)].tolist()]

    def _batches(self, positions: Sequence[Position]) -> Iterator[tuple[Sequence[Position], BatchedSearchResult]]:
        """Some positions, with the results of a batch that is padded with copies."""
        simulations = self.settings.simulations
        keeps = self._growth is guided_growth and simulations > 0
        count = _AT_ONCE if not keeps else _SHARING if simulations <= 64 else _SHARING_LONG
        for some, filled in full_batches(positions, count):
            board = BoardShape.of({position.rules for position in filled})
            states = board.env.states(filled)
            if keeps:
                yield some, self._keeping(board, states)
            else:
                yield some, _compiled(self._growth, self.network, board, states, self.settings)

    def _keeping(self, board: BoardShape, states: BatchedState) -> BatchedSearchResult:
        """The results of the positions, with the cached evaluations of the last searches on this board."""
        kept = self._kept.pop(board, None) or KeptPredictions.large(board)  # another thread may be searching with it
        found, kept = _compiled_keeping((self.network, states), board, self.settings, kept)
        self._kept = {board: kept}
        return found

    def alone(self) -> "GuidedSearch":
        """The same network without simulations: its own policy and value."""
        return GuidedSearch(self.network, self.settings.model_copy(update={"simulations": 0}))

    def until(self, position: Position, simulations: int) -> tuple[int, SeenTree]:
        """Return the move after `simulations` of the search's simulations, and the tree then, as NumPy arrays.

        The settings must allow at least one simulation, and no fewer than these.
        """
        board = BoardShape.of({position.rules})
        states = board.env.states([position] * _AT_ONCE)
        count = jnp.int32(simulations)
        found = jax.device_get(_compiled_until(self._growth, self.network, board, states, self.settings, count))
        move, tree = jax.tree.map(lambda array: array[0], found)
        return int(move), tree

    def search(self, positions: Sequence[Position]) -> list[SearchResult]:
        """Return the full result for each position."""
        return [_result(position, found, self.settings) for position, found in self.find(positions)]


def _result(position: Position, found: BatchedSearchResult, settings: SearchSettings) -> SearchResult:
    moves = tuple(
        MoveResult(
            move,
            int(found.visits[move]),
            float(np.clip(found.move_values[move], -1, 1)),
            Kind.ESTIMATE,
            prior=float(found.prior[move]),
        )
        for move in position.legal_moves
    )
    variation = tuple(int(move) for move in found.variation if move >= 0)
    return SearchResult(
        int(found.move),
        float(np.clip(found.value, -1, 1)),
        Kind.ESTIMATE,
        moves,
        _legal_part(position, variation),
        settings.simulations,
    )


def _legal_part(position: Position, variation: tuple[int, ...]) -> tuple[int, ...]:
    """Cut a line at the end of the game, because a tree may continue beyond it."""
    line: list[int] = []
    for move in variation:
        if not position.is_legal(move):
            break
        position = position.play(move)
        line.append(move)
    return tuple(line)
