"""The study `betazero-evolution`: does evolution against an omniscient adversary learn perfect play, and what of it matters?

`study` is the question; `plan` what is trained and played at each scale; `outcome` what became of a training; `tables`
and `findings` say it.
"""
