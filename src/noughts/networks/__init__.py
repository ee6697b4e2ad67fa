"""Networks: from what the side to move sees to a policy and a value. They know boards and lines, and no game by name.

`network` is the interface of a policy and value network; `line`, `resnet` and `mlp` are the kinds, made of `layers`. `spec`
lists them and reads a network from text; `weights` keeps one in a file. `value_network` is what evolution trains.
"""
