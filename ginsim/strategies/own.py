"""Strategies of one's own: what a spec names, loaded, and the hash of its source.

A spec is ``file.py:Name``, ``package.module:Name``, both with ``:key=value,…`` behind where there are parameters, or ``exec:`` and a
command line. :func:`read` looks at the text alone; :func:`load` imports what it names.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
import importlib.util
import inspect
import linecache
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ginsim.errors import UsageError
from ginsim.strategies.strategy import Strategy

if TYPE_CHECKING:
    import numpy as np

    from ginsim.rules import Rules
    from ginsim.strategies.seated import Seated

EXEC = "exec:"
TIMEOUT = "timeout"
METHODS = ("take", "discard", "knock")

_IN_FILE = re.compile(r"(?P<place>.+\.py):(?P<name>[^\W\d]\w*)(?::(?P<settings>.*))?", re.DOTALL)
_IN_MODULE = re.compile(r"(?P<place>[^\W\d][\w.]*):(?P<name>[^\W\d]\w*)(?::(?P<settings>.*))?", re.DOTALL)
_TIMEOUT = re.compile(rf"{TIMEOUT}=(?P<seconds>\S+)\s+(?P<command>.*)", re.DOTALL)
_MOST_SECONDS = 86_400.0

Value = int | float | bool | str


@dataclass(frozen=True)
class Spec:
    """What a text names. ``place`` is a file, a module or a command line; ``name`` is empty for a command."""

    place: str
    name: str = ""
    settings: str | None = None
    seconds: float | None = None

    @property
    def head(self) -> str:
        """The text without parameters."""
        return f"{self.place}:{self.name}" if self.name else f"{EXEC}{self.place}"

    @property
    def is_file(self) -> bool:
        """Whether it names something in a file."""
        return bool(self.name) and self.place.endswith(".py")


@dataclass(frozen=True)
class Called:
    """A strategy that is called back: a class in plain Python, or another program.

    ``parameters`` are names with their defaults, or None where any are taken; those ``required`` have no default. ``uses_scoring`` is
    None where nobody knows. ``seat`` makes someone who plays so, from rules, the values given, and a flag that stops it.
    """

    name: str
    version: int | str | None
    document: str
    parameters: Mapping[str, Value | None] | None
    seat: Callable[[Rules, Mapping[str, Value], np.ndarray | None], Seated]
    uses_scoring: bool | None = False
    kind: str = "plain Python"
    required: tuple[str, ...] = ()


@dataclass(frozen=True)
class Shipped:
    """A file on its way to a machine that does not have it. ``path`` is where it is at home, which errors name."""

    place: str
    path: str
    content: bytes


_received: dict[tuple[str, str], Shipped] = {}


def ship(spec: Spec) -> Shipped:
    """The file that a spec names.

    Raises:
        UsageError: there is no such file.
    """
    path = _source_file(spec)
    return Shipped(spec.place, str(path.resolve()), _read_file(path))


def receive(file: Shipped) -> None:
    """Take a file from elsewhere: a player with the hash of its source is then loaded from it, and not from the disk."""
    _received[file.place, hashlib.sha256(file.content).hexdigest()] = file
    # So that an error shows the line.
    lines = file.content.decode(errors="replace").splitlines(keepends=True)
    linecache.cache[file.path] = (len(file.content), None, lines, file.path)


def is_received(spec: Spec, source: str) -> bool:
    """Whether the source with this hash came from elsewhere."""
    return (spec.place, source) in _received


def is_own(text: str) -> bool:
    """Whether a text is the spec of a strategy of one's own, by its form."""
    return text.startswith(EXEC) or bool(_IN_FILE.fullmatch(text) or _IN_MODULE.fullmatch(text))


def read(text: str) -> Spec:
    """What the text of a spec names; nothing is imported.

    Raises:
        UsageError: a command line that is none, or a timeout that is no number of seconds.
    """
    if text.startswith(EXEC):
        return _command(text)
    found = _IN_FILE.fullmatch(text) or _IN_MODULE.fullmatch(text)
    if found is None:
        raise UsageError(f"{text!r} names no strategy: write file.py:Name, package.module:Name or exec:COMMAND.")
    return Spec(found["place"], found["name"], found["settings"])


def source_hash(spec: Spec) -> str:
    """The hash of the source: of the file, or of the command line and those files named in it that exist.

    Raises:
        UsageError: there is no such file or module.
    """
    if spec.name:
        return hashlib.sha256(_read_file(_source_file(spec))).hexdigest()
    digest = hashlib.sha256(spec.place.encode())
    for word in shlex.split(spec.place):
        if Path(word).is_file():
            digest.update(b"\0" + hashlib.sha256(_read_file(Path(word))).digest())
    return digest.hexdigest()


def load(spec: Spec, source: str | None = None) -> Strategy | Called:
    """The strategy that a spec names; a file is loaded anew where it has changed.

    Args:
        source: the hash of its source, where that is known.

    Raises:
        UsageError: there is no such file, module, name or command; it is no strategy; or it cannot be imported.
    """
    if not spec.name:
        return _program(spec)
    module = _module(spec.place, source or source_hash(spec))
    try:
        found = getattr(module, spec.name)
    except AttributeError:
        close = difflib.get_close_matches(spec.name, _strategies_in(module), n=1) or _strategies_in(module)[:3]
        hint = f" Did you mean {' or '.join(f'{spec.place}:{name}' for name in close)}?" if close else ""
        raise UsageError(f"{spec.place} has no {spec.name!r}.{hint}") from None
    if isinstance(found, Strategy):
        return found
    if not inspect.isclass(found):
        kind = type(found).__name__
        raise UsageError(f"{spec.head} is no strategy but of type {kind}: a class, or what ginsim.compiled makes, would be.")
    missing = [name for name in METHODS if not callable(getattr(found, name, None))]
    if missing:
        raise UsageError(f"{spec.head} is no strategy: it has no method {', '.join(missing)}.")
    return _plain(spec, found)


def value_of(text: str) -> Value:
    """A parameter's value as written: a whole number, another number, true or false, or else the text itself."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return {"true": True, "false": False}.get(text.lower(), text)


def names_in(path: Path) -> list[str]:
    """Classes and other names that a file defines at its top, by reading it alone."""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, ValueError, SyntaxError):
        return []
    found = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and "compiled" in ast.dump(node.value.func):
            found += [target.id for target in node.targets if isinstance(target, ast.Name)]
    return found


def _command(text: str) -> Spec:
    command = text[len(EXEC) :].strip()
    seconds = None
    timeout = _TIMEOUT.fullmatch(command)
    if timeout is not None:
        command = timeout["command"].strip()
        try:
            seconds = float(timeout["seconds"])
        except ValueError:
            seconds = -1.0
        if not 0 < seconds <= _MOST_SECONDS:
            raise UsageError(f"{text!r}: {TIMEOUT} = {timeout['seconds']}: must be a number of seconds, such as 30.")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"{text!r} is no command line: {str(error).lower()}.") from None
    if not words:
        raise UsageError(f"{text!r} names no command: write exec:COMMAND, such as exec:node bot.js.")
    return Spec(command, seconds=seconds)


def _program(spec: Spec) -> Called:
    from ginsim.strategies.process import SECONDS, ProgramSeat

    command = shlex.split(spec.place)[0]
    if shutil.which(command) is None:
        raise UsageError(f"{spec.head}: there is no command {command!r} that can be run.")
    seconds = SECONDS if spec.seconds is None else spec.seconds
    return Called(
        name=spec.head,
        version=None,
        document="Another program, asked over its standard input and output: `ginsim strategies exec` says how.",
        parameters={},
        seat=lambda rules, values, stop: ProgramSeat(spec.place, seconds, rules, stop),
        uses_scoring=None,
        kind="another program",
    )


def _plain(spec: Spec, found: type) -> Called:
    from ginsim.strategies.seated import PlainSeat

    version = getattr(found, "version", None)
    if not (version is None or isinstance(version, (int, str))) or isinstance(version, bool):
        raise UsageError(f"{spec.head}: version = {version!r}: must be a whole number or text.")
    uses_scoring = getattr(found, "uses_scoring", False)
    if not isinstance(uses_scoring, bool):
        raise UsageError(f"{spec.head}: uses_scoring = {uses_scoring!r}: must be True or False.")

    def seat(rules: Rules, values: Mapping[str, Value], stop: np.ndarray | None) -> Seated:
        return PlainSeat(lambda: found(**values), rules, stop)

    document = inspect.getdoc(found) if found.__doc__ else None
    takes = inspect.signature(found).parameters.values()
    named = [each for each in takes if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]
    known = {each.name: None if each.default is each.empty else each.default for each in named}
    return Called(
        spec.head,
        version,
        document or "",
        None if any(each.kind is each.VAR_KEYWORD for each in takes) else known,
        seat,
        uses_scoring,
        required=tuple(each.name for each in named if each.default is each.empty),
    )


def _source_file(spec: Spec) -> Path:
    if spec.is_file:
        path = Path(spec.place)
        if not path.is_file():
            raise UsageError(f"{path}: there is no such file.")
        return path
    with _imports_from_here(), _importing(spec.place):
        try:
            found = importlib.util.find_spec(spec.place)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{spec.place}.".startswith(f"{error.name}."):
                raise
            found = None
        except ValueError:
            found = None
    if found is None:
        raise UsageError(f"there is no module {spec.place!r} that can be imported from here.")
    if not found.has_location or found.origin is None:
        raise UsageError(f"the module {spec.place!r} has no source file.")
    return Path(found.origin)


_loading: list[str] = []


@cache
def _module(place: str, source: str) -> ModuleType:
    """The module of a file or a name; ``source`` is its hash, by which a changed file is another one."""
    if place in _loading:
        raise UsageError(f'{place} plays while it is loaded as a player: put what plays under `if __name__ == "__main__":`.')
    _loading.append(place)
    try:
        with _importing(place), prints_aside():
            return _from_file(place, source) if place.endswith(".py") else _by_name(place)
    finally:
        _loading.remove(place)


def _from_file(place: str, source: str) -> ModuleType:
    received = _received.get((place, source))
    path = Path(received.path) if received else Path(place).resolve()
    name = f"ginsim_own_{source[:16]}_{re.sub(r'[^0-9a-zA-Z]', '_', path.stem)}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path} cannot be imported.")
    module = importlib.util.module_from_spec(spec)
    # Pickles and dataclasses look their module up.
    sys.modules[name] = module
    try:
        with _on_path(path.parent):
            # Compiled from what was read and not from a cache beside it, which may be older by less than a second.
            code = compile(received.content if received else _read_file(path), str(path), "exec")
            exec(code, module.__dict__)  # noqa: S102 - it is what the user asked for
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _by_name(name: str) -> ModuleType:
    with _imports_from_here():
        if name in sys.modules:
            return importlib.reload(sys.modules[name]) if _is_stale(sys.modules[name]) else sys.modules[name]
        module = import_module(name)
        _stamps[name] = _stamp(module)
        return module


_stamps: dict[str, bytes] = {}


def _stamp(module: ModuleType) -> bytes:
    return hashlib.sha256(_read_file(Path(module.__file__ or ""))).digest()


def _is_stale(module: ModuleType) -> bool:
    return module.__name__ in _stamps and _stamps[module.__name__] != _stamp(module)


@contextmanager
def prints_aside() -> Iterator[None]:
    """What a user's player prints goes to stderr: stdout is for the answer to the command, which may be JSON."""
    if sys.stderr is None:
        yield
        return
    with redirect_stdout(sys.stderr):
        yield


@contextmanager
def _importing(place: str) -> Iterator[None]:
    """What the user's own code raises while it is imported, in a line with the place in it."""
    try:
        yield
    except UsageError:
        raise
    except SyntaxError as error:
        raise UsageError(f"{error.filename or place}, line {error.lineno}: {type(error).__name__}: {error.msg}.") from error
    except (Exception, SystemExit) as error:
        from ginsim.strategies.seated import own_place, said

        where = own_place(error)
        raise UsageError(f"{where or place}: {said(error)}.") from error


@contextmanager
def _imports_from_here() -> Iterator[None]:
    with _on_path(Path.cwd()):
        yield


@contextmanager
def _on_path(folder: Path) -> Iterator[None]:
    """Modules of a folder can be imported, but none of them in place of one that is there already."""
    known = str(folder) in sys.path
    if not known:
        sys.path.append(str(folder))
    try:
        yield
    finally:
        if not known and str(folder) in sys.path:
            sys.path.remove(str(folder))


def _read_file(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}.") from None


def _strategies_in(module: ModuleType) -> list[str]:
    def plays(value: Any) -> bool:
        return isinstance(value, Strategy) or (inspect.isclass(value) and all(hasattr(value, name) for name in METHODS))

    return [name for name, value in vars(module).items() if not name.startswith("_") and plays(value)]
