"""What studies share that train several learners on one class of brick squares and look at their checkpoints.

`plan` says what is trained and played, `outcome` puts the answers together, `tables` has the rows and curves.
"""
