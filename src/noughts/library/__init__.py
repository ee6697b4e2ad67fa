"""What `import noughts` offers to programs and notebooks: functions that take texts or values, and give typed values.

They ask the same questions as the commands do (`questions`), keep the answers in the same store, and raise the same errors,
a `NoughtsError` of one line each. There is a module for each subject, which is imported when it is first used.
"""
