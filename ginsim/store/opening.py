"""Opening a run's folder: a new one, one that goes on, or one that is only read."""

from __future__ import annotations

import json
import os
import shutil
from contextlib import suppress
from pathlib import Path

from ginsim.deals import as_line, fingerprint, parse
from ginsim.errors import GinsimError, UsageError
from ginsim.plan import Plan
from ginsim.records import TABLES
from ginsim.store.files import write_whole
from ginsim.store.folder import ASKED, DEALS, PLAN, Span, Store
from ginsim.store.place import is_remote

BYTES = {"hands": 12, "matches": 300}
"""More than a stored hand or match usually takes, to tell beforehand whether the disk has room."""

_BYTES_A_SUMMARY = 50_000


def create(folder: Path, plan: Plan, count: int, first: int = 0) -> Store:
    """The store of a run that is to hold ``count`` hands or matches from number ``first`` on.

    An existing one of the same plan goes on. While it is open, no other process can write there.

    Raises:
        UsageError: the folder holds something else, or more than ``count``.
        GinsimError: it cannot be written, another process writes there, or the disk has no room.
    """
    span = Span(first, count)
    try:
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"{folder} is a file: --out names a folder.")
        if not is_remote(folder) and not folder.exists():
            _check_room(folder, plan, count)
            folder.mkdir(parents=True, exist_ok=True)
        store = Store(folder, plan, _lock(folder))
        try:
            _prepare(store, span)
        except BaseException:
            store.close()
            raise
    except OSError as error:
        raise GinsimError(f"{folder} cannot be written: {error.strerror}.") from error
    return store


def open_store(folder: Path) -> Store:
    """The store of an existing run.

    Raises:
        UsageError: there is no run in this folder, or its plan cannot be read.
    """
    path = folder / PLAN
    if not path.is_file():
        what = "holds no run" if folder.is_dir() else "is a file" if folder.exists() else "does not exist"
        raise UsageError(f"{folder} {what}: name a folder that `ginsim simulate --out` has written.")
    try:
        plan = Plan.from_dict(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, RecursionError, UsageError) as error:
        raise UsageError(f"{path} is not the plan of a run: {str(error).rstrip('.')}.") from error
    return Store(folder, plan)


def stored_deals(store: Store):  # noqa: ANN201
    """The deals that a run was given, as :func:`ginsim.deals.read_deals`; None where they came from the seed.

    Raises:
        GinsimError: they are not those that it was played with.
    """
    if store.plan.deals_hash is None:
        return None
    path = store.folder / DEALS
    with suppress(UsageError, FileNotFoundError, UnicodeDecodeError):
        deals = parse(path.read_text(encoding="utf-8").splitlines(), str(path))
        if fingerprint(deals) == store.plan.deals_hash:
            return deals
    raise GinsimError(f"{path} is damaged: these are not the deals that the run was played with.")


def _prepare(store: Store, span: Span) -> None:
    """Check what a folder holds, write the plan where it is empty, and note what is asked for."""
    folder, plan = store.folder, store.plan
    leftovers = [] if store.is_remote else [file for name in (PLAN, DEALS, ASKED) for file in folder.glob(f".{name}.*.part")]
    if folder.exists() and set(folder.iterdir()) - set(leftovers):
        if not (folder / PLAN).is_file():
            raise UsageError(f"{folder} already holds something else: name a folder that is empty or new.")
        _check_same(open_store(folder), plan)
        asked = None
        # Where that cannot be read any more, it is about to be written anew.
        with suppress(UsageError):
            asked = store.asked()
        if asked and asked.first != span.first:
            raise UsageError(
                f"{folder} holds {plan.unit} from number {asked.first:,} on: name another folder for those from {span.first:,} on; "
                "`ginsim merge` joins them."
            )
        rows = store.sound()
        reached = store.reach(rows, span.first).count
        if reached > span.count and not rows[max(rows)]:
            beyond = store.path(store.tables[0], max(rows))
            raise UsageError(
                f"{beyond} is damaged or not of this run, and beyond the {span.count:,} {plan.unit} asked for: "
                f"remove chunk {max(rows)}, or ask for more."
            )
        if reached > span.count:
            raise UsageError(f"{folder} already holds {reached:,} {plan.unit}: ask for as many or more.")
        _check_room(folder, plan, span.count - sum(rows.values()))
        if not store.is_remote and not os.access(folder, os.W_OK):
            raise PermissionError(13, "Permission denied")
    else:
        _check_room(folder, plan, span.count)
    leftovers += [] if store.is_remote else [file for table in (*TABLES, "summary") for file in (folder / table).glob(".*.part")]
    for leftover in leftovers:
        leftover.unlink(missing_ok=True)
    if not (folder / PLAN).exists():
        if plan.deals is not None:
            lines = "".join(as_line(deal) + "\n" for deal in plan.deals)
            write_whole(folder / DEALS, lambda temporary: temporary.write_text(lines, encoding="utf-8"))
        text = json.dumps(plan.as_dict(), indent=2) + "\n"
        write_whole(folder / PLAN, lambda temporary: temporary.write_text(text, encoding="utf-8"))
    store.ask(span)


def _check_same(stored: Store, plan: Plan) -> None:
    """See to it that a stored run is the one that is to go on."""
    difference = stored.plan.difference(plan)
    if difference is None:
        return
    if (stored.plan.engine, stored.plan.schema) != (plan.engine, plan.schema):
        raise UsageError(
            f"{stored.folder} was played by another version of ginsim ({difference}), "
            "and can be read but not go on: name another folder."
        )
    raise UsageError(f"{stored.folder} holds another run: {difference}. Name another folder.")


def _check_room(folder: Path, plan: Plan, count: int) -> None:
    if is_remote(folder):
        return
    while not folder.exists():
        folder = folder.parent
    disk = shutil.disk_usage(folder)
    need = count * BYTES[plan.unit] if plan.keep == "rows" else -(-count // plan.chunk) * _BYTES_A_SUMMARY
    # File systems without a size of their own are left to say themselves that nothing can be written there.
    if disk.total and disk.free < need:
        raise GinsimError(f"{folder}: {count:,} {plan.unit} need up to {_size(need)}, and {_size(disk.free)} are free.")


def _size(number: int) -> str:
    return f"{number / 1e9:,.1f} GB" if number >= 1e9 else f"{number / 1e6:,.1f} MB"


def _lock(folder: Path) -> int | None:
    """Claim a folder for as long as the returned file descriptor is open; None where there are no locks, as in an object store."""
    if is_remote(folder):
        return None
    try:
        import fcntl
    except ImportError:
        return None
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise GinsimError(f"{folder}: another ginsim is writing here; wait for it, or name another folder.") from None
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
