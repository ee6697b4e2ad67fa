"""Learning from nothing: one session for every method, which steps a trainer, measures it and keeps what it learned.

A method is a `Trainer` (`trainer`) with a config, and one entry of `registry.METHODS`; `loop.train` does the rest.
"""
