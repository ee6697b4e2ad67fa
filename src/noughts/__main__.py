"""The entry point of the command ``noughts`` and of ``python -m noughts``, which handles Ctrl-C from the first moment.

SIGTERM, by which clusters and containers end programs, stops a command as Ctrl-C does, so that finished work is saved.
"""

import os
import sys

_STOPPED, _TERMINATED = 130, 143


def main() -> int:
    """Run the command line; return its exit code."""
    stopped = _STOPPED

    def terminate(*_: object) -> None:
        nonlocal stopped
        if stopped != _TERMINATED:  # some senders repeat it at once, which must not disturb saving
            stopped = _TERMINATED
            raise KeyboardInterrupt

    try:
        import signal  # imported here, because Ctrl-C during imports above would print a traceback

        before = signal.getsignal(signal.SIGINT)
        if before is signal.default_int_handler:
            # Python's own callbacks swallow some exceptions that are raised while it imports.
            signal.signal(signal.SIGINT, _stop_at_once)
        from noughts.cli.main import main as run

        signal.signal(signal.SIGINT, before)
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, terminate)
        code = run()
    except KeyboardInterrupt:
        sys.stderr.write("\nstopped\n")
        code = _STOPPED
    if code == _STOPPED:
        import signal  # Ctrl-C may have come during the import above

        # The process is ending: another signal would only disturb libraries that clean up.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        return stopped
    return code


def _stop_at_once(*_: object) -> None:
    os.write(2, b"\nstopped\n")
    os._exit(_STOPPED)


if __name__ == "__main__":
    sys.exit(main())
