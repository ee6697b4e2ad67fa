"""The command line: one file a command. Everything heavy is imported by the command that needs it."""
