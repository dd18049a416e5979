"""``python -m ginsim``: the same as the command ``ginsim``."""

from ginsim.cli import main

if __name__ == "__main__":
    main()
