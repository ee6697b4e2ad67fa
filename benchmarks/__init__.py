"""How quick noughts is beside its peers: ``uv run python -m benchmarks``. See README.md."""
