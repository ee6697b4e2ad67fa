"""A mutation test: small mistakes are made in the code, one at a time, to see whether the tests notice. See README.md."""
