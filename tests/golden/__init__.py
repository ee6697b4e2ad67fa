"""Golden outputs: the output of commands, the content of files and the API of packages, as text that is compared."""
