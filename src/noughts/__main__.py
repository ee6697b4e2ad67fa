"""The start of the command ``noughts``, also as ``python -m noughts``: here so that Ctrl-C is heard from the first moment."""

import sys

_STOPPED = 130


def main() -> int:
    """Run the command line; returns its exit code."""
    try:
        from noughts.cli.main import main as run

        code = run()
    except KeyboardInterrupt:
        sys.stderr.write("\nstopped\n")
        code = _STOPPED
    if code == _STOPPED:
        import signal  # not above: Ctrl-C while a module is loaded there would be a traceback

        # It ends: a second Ctrl-C would only be heard by libraries that tidy up.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return code


if __name__ == "__main__":
    sys.exit(main())
