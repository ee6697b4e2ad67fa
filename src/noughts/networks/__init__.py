"""Networks: from what the side to move sees to a policy and a value. They know boards and lines, and no game by name.

`spec` is a network as text and all there are; `network` what each of them is; `line`, `resnet` and `mlp` are they;
`layers` what they share; `weights` how one is kept in a file.
"""
