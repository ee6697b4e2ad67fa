"""Our games in the words of other libraries, a module each. Nothing here is imported unless it is asked for by name."""
