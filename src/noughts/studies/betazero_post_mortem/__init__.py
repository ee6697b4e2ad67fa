"""The study `betazero-post-mortem`: does the paper done right learn tic-tac-toe, and which mistake broke it?

`study` is the question; `plan` what is trained and played at each scale; `values` a kind of question of its own;
`outcome` what became of a training; `tables` and `findings` say it.
"""
