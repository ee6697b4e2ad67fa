"""The study `notakto`: can self-play learn 3x3 and 4x4, and does what is learned hold on larger boards?

`study` is the question; `plan` what is trained and played at each scale; `outcome` what became of a training; `tables`
and `findings` say it.
"""
