"""Files that are whole or not there, and that can tell whether they are still what was written.

A file is written under another name beside its own, flushed to the disk, and renamed. A chunk's file carries a *seal*: the plan
it belongs to, which table and chunk it is, how many hands or matches it stands for, and the checksum of all its bytes, with zeros in
the checksum's place. A Parquet file has it among its metadata, where other readers do not mind it; a summary, which is JSON, as a field.
"""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from ginsim.errors import GinsimError, UsageError
from ginsim.store.place import is_remote, said

Files = Mapping[str, bytes]
"""A chunk's files by table, as :func:`row_files` or :func:`summary_files` make them."""

_KEY = b"ginsim"
_ZEROS = b"0" * 64
_SEAL = re.compile(rb'ginsim(?:\x18..|": ")([0-9a-f]{64}) (?:([a-z]+/\d+) )?(\d{1,15}) ([0-9a-f]{64})', re.DOTALL)
_TAIL = 65_536
"""A seal is in the last bytes of a file, behind all rows; so many are more than enough."""

_NOT_GIVEN_BACK = (errno.EIO, errno.ENOENT, errno.EISDIR)
"""A disk that fails, and under a chunk's name a link to nowhere or a folder."""

_SYSTEM_REASON = re.compile(r"(?:.*error: )?(?P<reason>.+?) \(os error \d+\)")


@dataclass(frozen=True)
class Seal:
    """What a file says of itself: its plan's fingerprint, how many hands or matches it stands for, and its checksum.

    ``place`` is its table and the number of its chunk, as in ``hands/17``; None in a file that is older than places.
    """

    plan: str
    place: str | None
    count: int
    checksum: str


class Damaged(GinsimError):
    """A file is not what was written."""

    def __init__(self, path: Path, reason: str, remedy: str) -> None:
        super().__init__(f"{path} is damaged ({reason}): {remedy}.")
        self.path = path
        self.reason = reason


def row_files(frames: Mapping[str, pl.DataFrame], plan: str, index: int, count: int) -> Files:
    """The tables of chunk ``index`` as sealed Parquet files: the same bytes for the same rows, plan and version of Polars."""

    def parquet(table: str, frame: pl.DataFrame) -> bytes:
        file = io.BytesIO()
        unsealed = _unsealed(plan, place_of(table, index), count)
        frame.write_parquet(file, compression="zstd", metadata={_KEY.decode(): unsealed})
        return _sealed(file.getvalue())

    return {table: parquet(table, frame) for table, frame in frames.items()}


def summary_files(summary: Mapping[str, Any], plan: str, index: int, count: int) -> Files:
    """What chunk ``index`` was summed up to, as a sealed JSON file."""
    unsealed = _unsealed(plan, place_of("summary", index), count)
    text = json.dumps({**summary, _KEY.decode(): unsealed}, separators=(",", ": ")) + "\n"
    return {"summary": _sealed(text.encode())}


def place_of(table: str, index: int) -> str:
    """A file's place in its run, as its seal has it."""
    return f"{table}/{index}"


def _unsealed(plan: str, place: str, count: int) -> str:
    return f"{plan} {place} {count} {_ZEROS.decode()}"


def _sealed(content: bytes) -> bytes:
    place = content.rindex(_ZEROS, content.rindex(_KEY))
    return content[:place] + hashlib.sha256(content).hexdigest().encode() + content[place + len(_ZEROS) :]


def read_seal(path: Path) -> Seal | None:
    """What a file says of itself, from its end alone; None where it says nothing."""
    if is_remote(path):
        return seal_of(path.fs.cat_file(path.path, start=-_TAIL))
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _TAIL))
        return seal_of(file.read())


def seal_of(content: bytes) -> Seal | None:
    """What a file, or its end, says of itself; None where it says nothing."""
    found = _find_seal(content)
    return _seal(found) if found else None


def is_whole(content: bytes) -> bool:
    """Whether a sealed file is what was written, to the last bit."""
    found = _find_seal(content)
    if found is None:
        return False
    start, end = found.span(4)
    whole = hashlib.sha256(memoryview(content)[:start])
    whole.update(_ZEROS)
    whole.update(memoryview(content)[end:])
    return whole.hexdigest().encode() == found[4]


def _find_seal(content: bytes) -> re.Match[bytes] | None:
    place = content.rfind(_KEY)
    return _SEAL.match(content, place) if place >= 0 else None


def _seal(found: re.Match[bytes]) -> Seal:
    return Seal(found[1].decode(), found[2].decode() if found[2] else None, int(found[3]), found[4].decode())


@contextmanager
def reading(path: Path, remedy: str) -> Iterator[None]:
    """Turn what goes wrong when a file is read into the line that says so.

    Raises:
        Damaged: it is not what was written, or the disk does not give it back.
    """
    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, ValueError, KeyError) as error:
        raise Damaged(path, _reason(error), remedy) from error
    except OSError as error:
        if error.errno not in _NOT_GIVEN_BACK:
            raise
        raise Damaged(path, error.strerror or "", remedy) from error


def check_target(target: str | Path, endings: Sequence[str], besides: str = "") -> Path:
    """A file that is to be written, before the work for it starts.

    Args:
        endings: those that its name may have, such as ``.csv``, in any case.
        besides: what else the user may give, for the message.

    Raises:
        UsageError: another ending, a folder, or a file in a folder that does not exist.
    """
    path = Path(target)
    if path.suffix.lower() not in endings:
        listed = " or ".join(filter(None, (", ".join(endings[:-1]), endings[-1])))
        raise UsageError(f"{target}: the name must end in {listed}{besides}.")
    if path.is_dir():
        raise UsageError(f"{target} is a folder: name a file.")
    if not path.parent.is_dir():
        raise UsageError(f"{target}: there is no folder {path.parent}.")
    return path


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file so that under its name it is always complete: ``write`` fills a temporary one, which is then renamed.

    Raises:
        GinsimError: it could not be written; nothing stands under the name then that was not there before.
    """
    if is_remote(path):
        with TemporaryDirectory() as folder:
            write(Path(folder) / path.name)
            _upload({path: (Path(folder) / path.name).read_bytes()})
    else:
        _write({path: write})


def write_together(files: Mapping[Path, bytes]) -> None:
    """Write files that belong together: none gets its name before all are complete, and the last one stands for all.

    Raises:
        GinsimError: one could not be written.
    """
    if any(map(is_remote, files)):
        _upload(files)
    else:
        _write({path: lambda temporary, content=content: temporary.write_bytes(content) for path, content in files.items()})


def _upload(files: Mapping[Path, bytes]) -> None:
    """Write objects that belong together."""
    path = last = next(reversed(files))
    try:
        # Another machine may have written the same just now, which must not be gone for a moment.
        if len(files) > 1 and last.exists() and last.read_bytes() != files[last]:
            last.unlink()
        for path, content in files.items():
            path.write_bytes(content)
    except Exception as error:  # noqa: BLE001 - each kind of store has its own
        raise GinsimError(f"{path} could not be written: {said(error)}.") from error


def _write(files: Mapping[Path, Callable[[Path], object]]) -> None:
    temporaries = {path: path.with_name(f".{path.name}.{os.getpid()}.part") for path in files}
    path = last = next(reversed(files))
    try:
        for path, write in files.items():
            write(temporaries[path])
            with open(temporaries[path], "rb+") as file:
                os.fsync(file.fileno())
        if len(files) > 1:
            last.unlink(missing_ok=True)
        for path, temporary in temporaries.items():
            os.replace(temporary, path)
    except OSError as error:
        raise GinsimError(f"{path} could not be written: {error.strerror or _reason(error)}.") from error
    except pl.exceptions.PolarsError as error:
        raise GinsimError(f"{path} could not be written: {_reason(error)}.") from error
    finally:
        try:
            _clean(temporaries.values())
        except KeyboardInterrupt:
            # Polars hands an interrupt on twice, the second time to whoever cleans up.
            _clean(temporaries.values())
            raise


def _clean(files: Iterable[Path]) -> None:
    for file in files:
        # What went wrong before is what matters.
        with suppress(OSError):
            file.unlink(missing_ok=True)


def _reason(error: BaseException) -> str:
    """The reason in an error of Polars, whose messages have more lines and layers."""
    line = str(error).partition("\n")[0]
    system = _SYSTEM_REASON.match(line)
    return system["reason"] if system else line
