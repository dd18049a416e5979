# Read by the scripts beside it, which set $here. Gives them $root, $venv and make_ready.
root=$(dirname "$here")
venv=$root/.venv
mark=$root/.venv.unfinished

fail() {
    echo "Error: $*" >&2
    exit 1
}

# What a set-up is made from. Installed commands hold the project's path, so a project that has moved needs a new one.
made_from() {
    cksum <"$root/pyproject.toml"
    readlink -f "$venv/bin/python" || true
    echo "$root"
}

is_ready() { # ginsim | test
    [ -x "$venv/bin/python" ] && [ ! -e "$mark" ] && [ "$(cat "$venv/ready-$1" 2>/dev/null)" = "$(made_from)" ]
}

check_machine() {
    [ -w "$root" ] || fail "$root cannot be written, and ginsim sets itself up there."
    command -v python3 >/dev/null 2>&1 || fail "ginsim needs Python 3.11 or newer, and there is no python3 here."
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
        fail "ginsim needs Python 3.11 or newer; python3 here is $(python3 -V 2>&1 | head -n 1)."
    python3 -c 'import ensurepip, venv' 2>/dev/null ||
        fail "python3 here lacks venv or pip (Debian and Ubuntu have them in the package python3-venv)."
}

# The lock is on file descriptor 9: it goes when this shell and all that it started are gone, however they end.
lock() {
    exec 9>"$root/.venv.lock"
    python3 -c '
import fcntl, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
try:
    fcntl.flock(9, fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError:
    print("Waiting for another set-up of ginsim ...", file=sys.stderr)
    fcntl.flock(9, fcntl.LOCK_EX)
'
}

install() { # ginsim | test, what pip calls it
    # Where an earlier set-up was killed, nothing that it left is to be trusted.
    if [ -e "$mark" ] || ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
        touch "$mark"
        said=$(python3 -m venv --clear "$venv" 2>&1) || fail "python3 could not make $venv ($(echo "$said" | tail -n 1))."
    fi
    touch "$mark"
    if ! (cd "$root" && "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --editable "$2" >&2); then
        rm "$mark"
        fail "pip could not install ginsim; what it said is above."
    fi
    made_from >"$venv/ready-ginsim"
    made_from >"$venv/ready-$1"
    rm "$mark"
}

make_ready() { # ginsim | test, what pip calls it
    if is_ready "$1"; then return; fi
    check_machine
    # Some shells go on after a child that was interrupted; a half-done set-up must keep its mark.
    trap 'exit 130' INT
    lock
    if ! is_ready "$1"; then
        echo "Setting up ginsim in .venv (once) ..." >&2
        install "$1" "$2"
    fi
    trap - INT
    exec 9>&-
}
