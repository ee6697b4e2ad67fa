"""Results for people as values: tables, figures, findings. All renderers show the same values."""
