#!/bin/sh
# Prints the Python that set-up runs with: that of .venv when it belongs to this folder, else the
# one that PYTHON names, else the first one on the machine that is tested and can make a virtual
# environment. One that is newer than those tested may lack packages: it is taken only by name.
set -u

fits() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

is_tested() {
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' >/dev/null 2>&1
}

can_make_venv() {
    "$1" -c 'import ensurepip, venv' >/dev/null 2>&1
}

# A folder that was moved or copied leaves a .venv whose programs point to the old place.
if [ -f .venv/.place ] && [ "$(cat .venv/.place)" = "$(pwd -P)" ] && fits .venv/bin/python; then
    echo .venv/bin/python
    exit 0
fi

without_venv=
too_new=
for candidate in "${PYTHON:-}" python3 python3.13 python3.12 python3.11 python3.14 python; do
    [ -n "$candidate" ] && fits "$candidate" || continue
    if [ "$candidate" != "${PYTHON:-}" ] && ! is_tested "$candidate"; then
        too_new=$candidate
    elif can_make_venv "$candidate"; then
        command -v "$candidate"
        exit 0
    else
        without_venv=$candidate
    fi
done

version() {
    "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])'
}

if [ -n "$without_venv" ]; then
    echo "Jasstisch needs Python's venv module, which this machine's $without_venv lacks." >&2
    echo "On Debian or Ubuntu: sudo apt install python$(version "$without_venv")-venv" >&2
elif [ -n "$too_new" ]; then
    echo "Jasstisch is tested with Python 3.11 to 3.14, and this machine has $(version "$too_new") alone." >&2
    echo "Install one of those, or try this one: make play PYTHON=$too_new" >&2
else
    echo "Jasstisch needs Python 3.11 or newer, and there is none on this machine." >&2
    echo "On Debian or Ubuntu: sudo apt install python3 python3-venv" >&2
    echo "Elsewhere: install it, and name it if it is not found: make play PYTHON=/path/to/python3" >&2
fi
exit 1
