"""The start of the command ``noughts``, also as ``python -m noughts``: here so that Ctrl-C is heard from the first moment."""

import sys


def main() -> int:
    """Run the command line; returns its exit code."""
    try:
        from noughts.cli.main import main as run

        return run()
    except KeyboardInterrupt:
        sys.stderr.write("\nstopped\n")
        return 130


if __name__ == "__main__":
    sys.exit(main())
