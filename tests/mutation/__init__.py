"""A mutation test: small mistakes are made in the code, one at a time, to see whether the tests notice.

``uv run python -m tests.mutation --mutants 40 --seed 1`` draws mutants of each package, runs the tests that reach them
in a copy of the tree, and prints which survived. README.md beside this file holds the latest score.
"""
