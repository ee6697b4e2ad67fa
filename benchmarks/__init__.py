"""How fast noughts is compared with other libraries: ``uv run python -m benchmarks``. See README.md."""
