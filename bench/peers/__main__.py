"""`python -m bench.peers`."""

from bench.peers.speed_report import main

if __name__ == "__main__":
    raise SystemExit(main())
