"""`python -m jasstisch` is `jasstisch`."""

from jasstisch.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
