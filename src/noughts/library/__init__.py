"""The Python library behind `import noughts`: functions that take texts or values, and return typed values.

They build the same questions as the commands (`noughts.questions`), save the answers in the same store, and raise the same
errors, each a `NoughtsError` of one line. Each subject has its own module, which is imported when it is first used.
"""
