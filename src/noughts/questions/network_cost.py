"""`NetworkCost`: a network's parameters, and the operations of a forward pass on one position, as the compiler counts them."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from noughts.agents import AgentSpec
from noughts.agents.registry import depends_on as agent_depends_on
from noughts.machine import Recorder
from noughts.machine.dependencies import Dependencies, together
from noughts.questions.question import Question
from noughts.rules import ComputeError, Rules, Value

_BATCH = 8


class Cost(Value):
    """The numbers in a network, with its running statistics, and the floating-point operations for one position."""

    parameters: int
    operations: float


class NetworkCost(Question[Cost]):
    """Find the cost of a network, given as text, on the board of a game."""

    packages: ClassVar = ("rules", "positions", "networks")

    network: str
    rules: Rules

    def depends_on(self, agent: Callable[[AgentSpec], Dependencies] = agent_depends_on) -> Dependencies:
        """The dependencies, with a third-party network's code."""
        from noughts.networks import spec

        return together(super().depends_on(agent), spec.depends_on(self.network))

    def answer(self, needed: Sequence[Any], notes: Recorder) -> Cost:
        """Read the costs from the compiler's analysis, without a forward pass.

        Raises:
            NetworkError: there is no such network.
            ComputeError: the compiler does not report the operations.
        """
        import equinox as eqx
        import jax

        from noughts.networks.network import BoardShape, count_parameters, observe
        from noughts.networks.spec import make_network, parse_network
        from noughts.positions.batched import stack_rules

        board = BoardShape.of([self.rules])
        network = make_network(parse_network(self.network), board, jax.random.key(0))
        rules = jax.tree.map(lambda leaf: leaf.repeat(_BATCH, 0), stack_rules([self.rules]))
        seen = observe(board.env, jax.vmap(board.env.init)(rules))
        weights, static = eqx.partition(network, eqx.is_array)

        def predict(weights: object, seen: object) -> object:
            return eqx.combine(weights, static).predict(seen, board)

        said = jax.jit(predict).lower(weights, seen).cost_analysis()
        if not said or not said.get("flops"):
            raise ComputeError(f"this jaxlib does not report how many operations {self.network!r} takes")
        return Cost(parameters=count_parameters(network), operations=float(said["flops"]) / _BATCH)
