"""How quick noughts is beside its peers: ``uv run --group bench python -m benchmarks``. See README.md."""
