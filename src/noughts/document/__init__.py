"""What is shown to people, as values: tables, figures, findings. All renderers show the same."""
