"""AlphaZero: a network learns from self-play with search, and makes the search better.

`config` is the configuration; `selfplay` plays games; `replay` stores their positions; `learner` is a training step;
`train` is the trainer that combines them.
"""
