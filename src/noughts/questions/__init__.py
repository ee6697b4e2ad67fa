"""Questions, their answers, and how a list of questions is run, saved and resumed."""
