"""What is told to people, as values: tables, figures, findings. The same to every renderer."""
