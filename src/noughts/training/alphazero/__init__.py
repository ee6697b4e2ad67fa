"""AlphaZero: a network learns from self-play with search, and makes the search better.

`config` is the configuration; `selfplay` plays games; `replay` keeps their positions; `learner` is a step of learning;
`train` is the trainer that joins them; `strength` measures the network.
"""
