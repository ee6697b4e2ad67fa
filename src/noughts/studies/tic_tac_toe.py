"""What the studies of tic-tac-toe share."""

RULES = "tic-tac-toe"

EXACT_PLAYER = "minimax:depth=9,eval=none"
"""Searches to the end, prefers fast wins, is random among equals: the papers' minimax player."""

SQRT_2 = "1.4142135623730951"
"""The constant c that makes our bound UCB1's sqrt(2 ln n / n_j)."""
