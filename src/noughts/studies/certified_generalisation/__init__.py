"""The study `certified-generalisation`: what is won, what is played right, and what is proved, beside each other.

`settings.json` was fixed before; `plan` reads it and says what is asked; `outcome` puts the answers together; `tables`
says it; `study` is the question. What is trained and played is as `studies.checkpoints` has it.
"""
