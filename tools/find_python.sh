#!/bin/sh
# Prints the Python that set-up runs with: that of .venv when it belongs to this folder, else the
# first one on the machine that is new enough and can make a virtual environment.
set -u

fits() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

can_make_venv() {
    "$1" -c 'import ensurepip, venv' >/dev/null 2>&1
}

# A folder that was moved or copied leaves a .venv whose programs point to the old place.
if [ -f .venv/.place ] && [ "$(cat .venv/.place)" = "$(pwd -P)" ] && fits .venv/bin/python; then
    echo .venv/bin/python
    exit 0
fi

found=
for candidate in "${PYTHON:-}" python3 python3.13 python3.12 python3.11 python3.14 python; do
    [ -n "$candidate" ] && fits "$candidate" || continue
    if can_make_venv "$candidate"; then
        command -v "$candidate"
        exit 0
    fi
    found=$candidate
done

if [ -n "$found" ]; then
    version=$("$found" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    echo "Jasstisch needs Python's venv module, which this machine's $found lacks." >&2
    echo "On Debian or Ubuntu: sudo apt install python$version-venv" >&2
else
    echo "Jasstisch needs Python 3.11 or newer, and there is none on this machine." >&2
    echo "On Debian or Ubuntu: sudo apt install python3 python3-venv" >&2
    echo "Elsewhere: install it, and name it if it is not found: make play PYTHON=/path/to/python3" >&2
fi
exit 1
