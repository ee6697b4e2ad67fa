"""Training: one loop for every method. It steps a trainer, measures its strength and keeps its weights.

A method is a `Trainer` (see `trainer`), its configuration, and an entry of `registry.METHODS`; `loop.train` is the loop.
"""
