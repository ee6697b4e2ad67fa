"""Self-play (AlphaZero's and MuZero's) and learning, prepared for timing: the very programs that `noughts train` runs."""

from typing import TYPE_CHECKING, Any

from benchmarks.case import Work
from benchmarks.jax_playouts import JaxGame, scattered

if TYPE_CHECKING:
    from noughts.positions.batched import BatchedState
    from noughts.rules import Rules


def self_play(
    rules: str, method: str, network: str, games: int, simulations: int, plies: int, one_device: bool = False
) -> Work:
    """A chunk plays `plies` moves in each of `games` games at once; positions are counted.

    It uses the first device if `one_device` is true, otherwise all devices.
    """
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax.sharding import Mesh

    from noughts.networks.network import BoardShape
    from noughts.networks.spec import make_network, parse_network
    from noughts.positions.batched import stack_rules
    from noughts.rules import parse_rules
    from noughts.training.alphazero.config import AlphaZeroConfig
    from noughts.training.alphazero.train import compiled_self_play
    from noughts.training.devices import GAMES, everywhere, mesh_for, split
    from noughts.training.games import GamesInFlight, TaskDistribution

    game = parse_rules(rules)
    board, key = BoardShape.of([game]), jax.random.key(0)
    config = AlphaZeroConfig.model_validate(
        {
            "task": rules,
            "network": network,
            "games": games,
            "plies": plies,
            "search": {"method": method, "simulations": simulations},
        }
    )
    mesh = Mesh(np.array(jax.devices()[:1]), (GAMES,)) if one_device else mesh_for(games)
    states = under_way(game, games)
    bare = states._replace(rules=())  # type: ignore[arg-type]
    in_flight = GamesInFlight(bare, jnp.zeros(games, jnp.int32), jnp.zeros((games, 2), jnp.uint32))
    in_flight = jax.device_put(in_flight, split(mesh))
    weights = jax.device_put(make_network(parse_network(network), board, key), everywhere(mesh))
    distribution = TaskDistribution(stack_rules([game]), jnp.zeros(1))

    def chunk() -> int:
        nonlocal in_flight, key
        key, now = jax.random.split(key)
        keys = jax.device_put(jax.random.split(now, mesh.size), split(mesh))
        in_flight, samples, endings = compiled_self_play(weights, in_flight, distribution, keys, board, config, mesh)
        jax.device_get((samples, endings))  # as the trainer does, for its replay buffer
        return games * plies

    return Work(chunk, f"{games:,} games at once, {mesh.size} device{'s' * (mesh.size > 1)}")


def muzero_self_play(rules: str, network: str, games: int, simulations: int) -> Work:
    """A chunk plays `games` whole games, each move searched in the learned model; positions are counted."""
    import jax

    from noughts.networks.network import BoardShape
    from noughts.networks.spec import make_model, parse_network
    from noughts.rules import parse_rules, parse_task
    from noughts.training.devices import everywhere, mesh_for, split
    from noughts.training.games import TaskDistribution
    from noughts.training.muzero.config import MuZeroConfig
    from noughts.training.muzero.train import compiled_self_play

    board, key = BoardShape.of([parse_rules(rules)]), jax.random.key(0)
    config = MuZeroConfig.model_validate(
        {
            "task": rules,
            "network": network,
            "games": games,
            "search": {"method": "muzero", "simulations": simulations},
            "opening_plies": 0,
            "temperature_plies": board.size,
        }
    )
    mesh = mesh_for(games)
    model = jax.device_put(make_model(parse_network(network), board, key, config.model), everywhere(mesh))
    distribution = TaskDistribution.of_task(parse_task(rules))

    def chunk() -> int:
        nonlocal key
        key, now = jax.random.split(key)
        keys = jax.device_put(jax.random.split(now, mesh.size), split(mesh))
        played, _ = jax.device_get(compiled_self_play(model, distribution, keys, board, config, mesh))
        return int(played.length.sum())

    return Work(chunk, f"{games:,} games at once, {mesh.size} device{'s' * (mesh.size > 1)}")


def learning(rules: str, network: str, batch: int) -> Work:
    """A chunk is one step of learning, as in training: draw a batch, augment it, distribute it, learn; samples are counted."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    from noughts.networks.network import BoardShape
    from noughts.networks.spec import make_network, parse_network
    from noughts.positions.batched import stack_rules
    from noughts.rules import parse_rules
    from noughts.training.alphazero.config import AlphaZeroConfig
    from noughts.training.alphazero.learner import loss
    from noughts.training.alphazero.replay import Replay
    from noughts.training.alphazero.selfplay import Samples
    from noughts.training.augmentation import Turns
    from noughts.training.devices import everywhere, mesh_for, split
    from noughts.training.games import TaskDistribution
    from noughts.training.learner import begin, learn

    game = parse_rules(rules)
    board, key, generator = BoardShape.of([game]), jax.random.key(0), np.random.default_rng(0)
    kept = 24 * max(batch, 64)
    config = AlphaZeroConfig(task=rules, network=network, batch=batch, window=kept)
    states = under_way(game, kept)
    # Speed does not depend on the targets: all moves are equally likely, and results are random.
    legal = np.asarray(states.legal_action_mask, np.float32)
    samples = Samples(
        cells=states.cells[None],
        closed=states.closed[None],
        ply=states.ply[None],
        number=jnp.zeros((1, kept), jnp.int32),
        policy=jnp.asarray(legal / legal.sum(-1, keepdims=True))[None],
        value=jnp.asarray(generator.choice([-1.0, 1.0], kept).astype(np.float32))[None],
        valid=jnp.ones((1, kept), jnp.bool_),
    )
    replay, turns = Replay(kept, {}).added(samples), Turns([game], config.augmentation)
    mesh = mesh_for(batch)
    distribution = TaskDistribution(stack_rules([game]), jnp.zeros(1))
    learned = begin(make_network(parse_network(network), board, key), config.optimiser)
    learned = jax.device_put(learned, everywhere(mesh))

    def chunk() -> int:
        nonlocal learned
        drawn = jax.device_put(replay.draw(config, turns, generator), split(mesh))
        learned, metrics = learn(loss, learned, drawn, distribution, board, config, mesh)
        jax.block_until_ready((learned.optimiser, metrics))  # type: ignore[no-untyped-call]
        return batch

    return Work(chunk, f"batches of {batch:,}, {mesh.size} device{'s' * (mesh.size > 1)}")


def under_way(rules: "Rules", games: int) -> "BatchedState":
    """`games` games, each in its own position: see `scattered`."""
    import jax

    from noughts.positions.batched import Batched, BatchedState, rules_arrays

    env, arrays = Batched.of(rules), rules_arrays(rules)

    def is_over(state: Any) -> Any:
        return state.is_terminal

    def legal(state: Any) -> Any:
        return state.legal_action_mask

    states: BatchedState = scattered(
        JaxGame(lambda _: env.init(arrays), env.step, is_over, legal), games, jax.random.key(0)
    )
    return states
