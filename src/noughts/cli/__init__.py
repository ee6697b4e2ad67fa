"""The command line, one file per command. Commands import heavy libraries only when they need them."""
