"""Files of every version: each kind of file that noughts writes, from each version, read by today's code."""
