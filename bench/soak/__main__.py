"""`python -m bench.soak`."""

from bench.soak.runner import main

if __name__ == "__main__":
    raise SystemExit(main())
