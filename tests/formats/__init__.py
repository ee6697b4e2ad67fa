"""Files of every version: each kind of file that noughts writes, as each version wrote it, read by today's code."""
