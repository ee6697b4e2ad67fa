"""The study `why-it-generalises`: one thing at a time is taken from the line network, and variants are compared where each
has learned its own squares.

`settings.json` was fixed before: it has the variants; `plan` reads it; `tables` and `findings` say what came of it; `study`
is the question. What is trained and played is as `studies.checkpoints` has it.
"""
