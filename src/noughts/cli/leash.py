"""A command of noughts on a leash: `python -m noughts.cli.leash ARGUMENT...` is `noughts ARGUMENT...`, which stops as
by Ctrl-C once its standard input is closed.

Whoever starts it holds the other end, and closes it to stop it. The end is closed, too, when whoever holds it is killed.
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

    signal.signal(signal.SIGINT, signal.default_int_handler)  # it may have been started where Ctrl-C is not heard
    threading.Thread(target=wait, name="noughts-leash", daemon=True).start()


if __name__ == "__main__":
    stop_at_the_end_of_input()
    sys.exit(main())
