"""What the studies of tic-tac-toe share."""

from noughts.agents import parse_agent
from noughts.rules import parse_rules, task_of

RULES = parse_rules("tic-tac-toe")
TASK = task_of(RULES)

EXACT_PLAYER = parse_agent("minimax:depth=9,eval=none")
"""Searches to the end, prefers fast wins, is random among equals: the papers' minimax player."""

SQRT_2 = "1.4142135623730951"
"""The constant c that makes our bound UCB1's sqrt(2 ln n / n_j)."""
