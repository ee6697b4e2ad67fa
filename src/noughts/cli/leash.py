"""A command that stops with the process that started it: `python -m noughts.cli.leash ARGUMENT...` is `noughts ARGUMENT...`,
but closing its standard input stops it as Ctrl-C does.

The process that starts it has the other end of this pipe. The system closes that end if the process is killed.
"""

import contextlib
import os
import signal
import sys
import threading

from noughts.__main__ import main


def stop_at_the_end_of_input() -> None:
    """From another thread: what Ctrl-C does, as soon as standard input is closed."""

    def wait() -> None:
        with contextlib.suppress(OSError):
            while os.read(0, 1024):
                pass
        signal.raise_signal(signal.SIGINT)

    signal.signal(signal.SIGINT, signal.default_int_handler)  # it may have been started where Ctrl-C is ignored
    threading.Thread(target=wait, name="noughts-leash", daemon=True).start()


if __name__ == "__main__":
    stop_at_the_end_of_input()
    sys.exit(main())
