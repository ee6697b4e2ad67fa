"""MuZero: a network learns a model of the game from self-play, and a search uses this model instead of the rules.

`config` is the configuration; `selfplay` plays whole games; `replay` stores them and makes targets; `learner` unrolls the
model and trains it; `train` is the trainer that combines them.
"""
