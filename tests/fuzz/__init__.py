"""Readers of files, fed with bytes that coverage guides: `python -m tests.fuzz`."""
