"""The study `generalisation`: does what was learned with one brick square hold with others?

`study` is the question; `plan` what is trained, played and walked at each scale; `outcome` puts the answers together;
`tables` and `findings` say it.
"""
