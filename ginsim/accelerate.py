"""The only module that knows Numba: the kernel decorator, the cache folder, the switch-off, and the bit tricks.

Numba does not notice an edit in a helper that is imported from another file, so compiled code lives in a folder named by
a hash of the package's sources (those that can reach a kernel) and the versions of Python and Numba. Where no folder can be written, nothing is cached.
``NUMBA_DISABLE_JIT=1`` switches the compiler off: the same source then runs as plain Python, with plain twins for the
bit tricks.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

from ginsim.errors import UsageError

COMPILED = not numba.config.DISABLE_JIT

_WITHOUT_KERNELS = {"cli", "comparison", "report", "statistics", "tuning"}
"""Pieces from which nothing reaches a kernel, so that an edit there costs no compiling."""

Function = TypeVar("Function", bound=Callable[..., Any])

# Numba marks first-class functions as experimental at every import; the engine's use of them is covered by the tests.
warnings.filterwarnings("ignore", category=numba.NumbaExperimentalFeatureWarning)


@cache
def cache_folder() -> Path | None:
    """Where compiled code is kept, or None where nothing can be written."""
    if not COMPILED:
        return None
    package = Path(__file__).parent
    digest = hashlib.sha256(f"{sys.version} {numba.__version__} {np.__version__} {package}".encode())
    for source in sorted(package.rglob("*.py")):
        if source.relative_to(package).parts[0].removesuffix(".py") not in _WITHOUT_KERNELS:
            digest.update(source.read_bytes())
    from platformdirs import user_cache_path

    try:
        folder = user_cache_path("ginsim") / digest.hexdigest()[:16]
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except (OSError, RuntimeError):
        return None


def is_first_start() -> bool:
    """Whether the engine has yet to be compiled for these sources on this machine."""
    folder = cache_folder()
    return COMPILED and (folder is None or not any(folder.rglob("formats.play_matches*.nbi")))


def kernel(signature: Any = None) -> Callable[[Function], Function]:
    """Decorator: compile for any thread, without the interpreter's lock, and keep the machine code.

    Args:
        signature: the Numba signature; the function is then compiled at once and may be passed as a first-class function.
    """

    def decorate(function: Function) -> Function:
        if not COMPILED:
            return function
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(cache_folder() or "")
        try:
            return numba.njit(signature, nogil=True, cache=cache_folder() is not None)(function)
        finally:
            numba.config.CACHE_DIR = before

    return decorate


def record_type(dtype: np.dtype) -> Any:
    """The Numba type of one record of a structured dtype."""
    return numba.from_dtype(dtype)


def compile_alone(function: Callable[..., Any], signature: Any) -> Any:
    """A user's function as a first-class function for kernels. Its machine code is not kept: who knows what it depends on.

    Raises:
        UsageError: it cannot be compiled; the message has the function's place and Numba's reason in one line.
    """
    if not COMPILED:
        return function
    try:
        return numba.njit(signature, nogil=True)(function)
    except Exception as error:
        code = getattr(function, "__code__", None)
        place = f" ({code.co_filename}, line {code.co_firstlineno})" if code else ""
        name = getattr(function, "__name__", repr(function))
        raise UsageError(f"{name}{place} cannot be compiled: {_reason(error)}.") from error


def _reason(error: Exception) -> str:
    """What Numba has to say, in a line: its first sentence, and the line of source that it is about."""
    text = _LONG_RECORD.sub("view", str(error))
    lines = [line.strip() for line in text.splitlines()]
    said = [line for line in lines if line and not line.startswith(("Failed in", "During:", "File ", "Overload"))]
    # After the line of source stands what is not found in it, if anything.
    reason = " ".join(said[:2]) if said and said[0].endswith(":") else said[0] if said else type(error).__name__
    if isinstance(error, KeyError):
        reason = f"a view has no field {reason}"
    about = next((found[1] for line in lines if (found := _LINE.match(line))), None)
    return (reason[:300].rstrip(".") or type(error).__name__) + (f" (line {about})" if about else "")


_LONG_RECORD = re.compile(r"Record\(.*\)")
_LINE = re.compile(r'File ".*", line (\d+):')


class _Callback(types.WrapperAddressProtocol):
    """A plain function under an address in memory, as Numba calls first-class functions."""

    def __init__(self, function: Callable[[np.void], int], signature: Any) -> None:
        dtype = signature.args[0].dtype
        content = ctypes.c_char * dtype.itemsize

        def call(address: int) -> int:
            return int(function(np.frombuffer(content.from_address(address), dtype)[0]))

        self._signature = signature
        self._function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(call)

    def __wrapper_address__(self) -> int:
        return ctypes.cast(self._function, ctypes.c_void_p).value or 0

    def signature(self) -> Any:
        return self._signature


def callback(function: Callable[[np.void], int], signature: Any) -> Any:
    """A plain Python function as a first-class function for kernels; it takes no compiling.

    Args:
        function: takes one record, the kernel's own, and answers a whole number. It must not raise: nothing carries an
            error through compiled code.
        signature: the Numba signature, such as ``types.int64(record_type(dtype))``.
    """
    return _Callback(function, signature) if COMPILED else function


def records(count: int, dtype: np.dtype) -> np.ndarray:
    """Zeroed rows that kernels can use, compiled or not (plain Python needs fields as attributes)."""
    rows = np.zeros(count, dtype)
    return rows if COMPILED else rows.view(np.recarray)


if COMPILED:

    @intrinsic
    def first_class(typingctx, function):  # noqa: ANN001, ANN202
        """A kernel with a signature as a first-class function, for use inside kernels.

        Numba does it by itself, but then notes the kernel's address in this process, and keeps no machine code of who does so.
        """
        kind = types.FunctionType(function.dispatcher.nopython_signatures[0])

        def generate(context, builder, signature, arguments):  # noqa: ANN001, ANN202
            nowhere = context.get_constant_null(signature.args[0])
            return context.cast(builder, nowhere, signature.args[0], signature.return_type)

        return kind(function), generate

    @kernel()
    def scratch(count: int, dtype: np.dtype) -> np.ndarray:
        """Zeroed rows like those of :func:`records`, made inside a kernel; the dtype must be a global name there."""
        return np.zeros(count, dtype)

    @intrinsic
    def _popcount(typingctx, bits):  # noqa: ANN001, ANN202
        def generate(context, builder, signature, arguments):  # noqa: ANN001, ANN202
            return builder.ctpop(arguments[0])

        return types.uint64(types.uint64), generate

    @intrinsic
    def _trailing_zeros(typingctx, bits):  # noqa: ANN001, ANN202
        def generate(context, builder, signature, arguments):  # noqa: ANN001, ANN202
            return builder.cttz(arguments[0], context.get_constant(types.boolean, False))

        return types.uint64(types.uint64), generate

    @kernel()
    def popcount(bits: np.uint64) -> int:
        """Number of set bits."""
        return np.int64(_popcount(bits))

    @kernel()
    def lowest_number(bits: np.uint64) -> int:
        """Number of the lowest set bit, 64 for none."""
        return np.int64(_trailing_zeros(bits))

else:

    def first_class(function: Function) -> Function:
        """A kernel as a first-class function, which in plain Python it is."""
        return function

    scratch = records

    def popcount(bits: np.uint64) -> int:
        """Number of set bits."""
        return int(bits).bit_count()

    def lowest_number(bits: np.uint64) -> int:
        """Number of the lowest set bit, 64 for none."""
        return (int(bits) & -int(bits)).bit_length() - 1 if bits else 64
