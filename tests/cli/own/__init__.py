"""A package of somebody else's, with one thing of each kind that can come from outside. A test installs it elsewhere."""
