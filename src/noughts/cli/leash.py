"""Run a command that stops together with its parent process: `python -m noughts.cli.leash ARGUMENT...` runs `noughts ARGUMENT...`,
and stops it as Ctrl-C does when its standard input is closed.

The parent process has the other end of this pipe. If the parent is killed, the system closes that end.
"""

import contextlib
import os
import signal
import sys
import threading

from noughts.__main__ import main


def stop_at_the_end_of_input() -> None:
    """Start a thread that interrupts this process, as Ctrl-C does, when standard input is closed."""

    def wait() -> None:
        with contextlib.suppress(OSError):
            while os.read(0, 1024):
                pass
        signal.raise_signal(signal.SIGINT)

    signal.signal(signal.SIGINT, signal.default_int_handler)  # the parent may ignore Ctrl-C, and children inherit that
    threading.Thread(target=wait, name="noughts-leash", daemon=True).start()


if __name__ == "__main__":
    stop_at_the_end_of_input()
    sys.exit(main())
