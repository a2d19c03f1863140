"""`python -m bench.strength`."""

from bench.strength.bot_strength import main

if __name__ == "__main__":
    raise SystemExit(main())
