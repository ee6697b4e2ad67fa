"""AlphaZero: self-play with search makes data, a network learns from it, and the search gets better.

`config` says all there is to choose; `selfplay` plays; `replay` keeps; `learner` learns; `train` joins them;
`strength` measures what came of it.
"""
