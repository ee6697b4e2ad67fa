"""Matches: agents against each other, game by game, reproducible to the move whatever the number of workers."""
