"""MuZero: a network learns a model of the game from self-play, and searches in what it imagines.

`config` is the configuration; `selfplay` plays whole games; `replay` keeps them and makes targets; `learner` unrolls the
model and learns; `train` is the trainer that joins them.
"""
