"""Our games for other libraries, one module each. Each is imported only when a caller names it."""
