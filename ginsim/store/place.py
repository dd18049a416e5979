"""Where a run is: in a folder of this machine, or in an object store, where ``s3://BUCKET/PREFIX`` names it.

There is no locking in an object store: nobody is kept from writing where another does. As two of the same plan would write
the same bytes, nothing is lost by it. An object is whole or not there, so it needs no other name while it is written.
"""

from __future__ import annotations

from pathlib import Path

from ginsim.errors import GinsimError, UsageError

_REMOTE = "://"


def place(folder: str | Path) -> Path:
    """A run's folder. One in an object store has the face of a path, as far as it is used here, and is none of this machine.

    Raises:
        UsageError: the packages for that kind of store are not installed, or there is no such kind.
        GinsimError: the store cannot be reached.
    """
    name = str(folder)
    if _REMOTE not in name or not isinstance(folder, str):
        return folder if not isinstance(folder, str) else Path(folder)
    try:
        from upath import UPath

        # What other machines write is to be seen at once.
        found = UPath(name, use_listings_cache=False)
        found.exists()
    except ImportError:
        raise UsageError(f"{name}: object stores need packages that are not installed: pip install 'ginsim[s3]'") from None
    except ValueError as error:
        raise UsageError(f"{name}: {error}; write s3://BUCKET/PREFIX.") from None
    except Exception as error:  # noqa: BLE001 - each kind of store has its own
        raise GinsimError(f"{name} cannot be reached: {said(error)}.") from error
    return found


def is_remote(path: Path) -> bool:
    """Whether a file or folder is in an object store."""
    return not isinstance(path, Path)


def said(error: Exception) -> str:
    """What a store has to say, in a line."""
    return " ".join(str(error).split()).rstrip(".") or type(error).__name__
