"""The study `not-knowing-the-rules`: what does a learned model of the game cost, beside a search that is told the rules?

`study` is the question; `plan` what is trained and asked at each scale; `tables` and `findings` say what came of it.
"""
