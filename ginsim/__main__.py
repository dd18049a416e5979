"""``python -m ginsim``: the same as the command ``ginsim``."""

import signal

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    # Until the command has begun, Ctrl-C just ends it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from ginsim.cli import main  # noqa: E402

if __name__ == "__main__":
    main()
