"""Solvers: from a position to its exact value, with proofs that anyone can check. They import nothing of agents.

`solve.Truth` solves positions of one game with the first solver that covers them: `pairing`, `quotient`, `retrograde`,
`proof_number`, `alphabeta` or `fours`. Importing this package loads no array library.
"""

from noughts.solvers.solution import Budget, MoveSolution, Proof, Solution, Span

__all__ = ["Budget", "MoveSolution", "Proof", "Solution", "Span"]
