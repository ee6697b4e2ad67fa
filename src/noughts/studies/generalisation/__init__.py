"""The study `generalisation`: does what was learned with one brick square hold with others?

`study` is the question; `plan` what is trained, played and walked at each scale; `jobs` what workers are given;
`results` reads what they found; `tables` and `findings` say it.
"""
